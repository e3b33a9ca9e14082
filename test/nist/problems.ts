/**
 * NIST Statistical Reference Datasets, nonlinear regression (public domain): formulas, and a reader of their files.
 * https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml
 */
import { readFileSync } from 'node:fs';

const peaks = 'b1*exp(-b2*x) + b3*exp(-(x-b4)^2/b5^2) + b6*exp(-(x-b7)^2/b8^2)';
const lanczos = 'b1*exp(-b2*x) + b3*exp(-b4*x) + b5*exp(-b6*x)';
const cubics = '(b1 + b2*x + b3*x^2 + b4*x^3)/(1 + b5*x + b6*x^2 + b7*x^3)';

export const nistFormulas: Readonly<Record<string, string>> = {
  Bennett5: 'b1*(b2 + x)^(-1/b3)',
  BoxBOD: 'b1*(1 - exp(-b2*x))',
  Chwirut1: 'exp(-b1*x)/(b2 + b3*x)',
  Chwirut2: 'exp(-b1*x)/(b2 + b3*x)',
  DanWood: 'b1*x^b2',
  ENSO: `b1 + b2*cos(2*pi*x/12) + b3*sin(2*pi*x/12) + b5*cos(2*pi*x/b4) + b6*sin(2*pi*x/b4)
    + b8*cos(2*pi*x/b7) + b9*sin(2*pi*x/b7)`.replace(/\s+/g, ' '),
  Eckerle4: '(b1/b2)*exp(-0.5*((x - b3)/b2)^2)',
  Gauss1: peaks,
  Gauss2: peaks,
  Gauss3: peaks,
  Hahn1: cubics,
  Kirby2: '(b1 + b2*x + b3*x^2)/(1 + b4*x + b5*x^2)',
  Lanczos1: lanczos,
  Lanczos2: lanczos,
  Lanczos3: lanczos,
  MGH09: 'b1*(x^2 + x*b2)/(x^2 + x*b3 + b4)',
  MGH10: 'b1*exp(b2/(x + b3))',
  MGH17: 'b1 + b2*exp(-x*b4) + b3*exp(-x*b5)',
  Misra1a: 'b1*(1 - exp(-b2*x))',
  Misra1b: 'b1*(1 - (1 + b2*x/2)^(-2))',
  Misra1c: 'b1*(1 - (1 + 2*b2*x)^(-.5))',
  Misra1d: 'b1*b2*x*((1 + b2*x)^(-1))',
  Nelson: 'b1 - b2*x1*exp(-b3*x2)',
  Rat42: 'b1/(1 + exp(b2 - b3*x))',
  Rat43: 'b1/((1 + exp(b2 - b3*x))^(1/b4))',
  Roszman1: 'b1 - b2*x - atan(b3/(x - b4))/pi',
  Thurber: cubics,
};

export interface NistProblem {
  readonly name: string;
  readonly formula: string;
  /** Start 1 and start 2. */
  readonly starts: readonly [readonly number[], readonly number[]];
  readonly certified: readonly number[];
  readonly standardDeviations: readonly number[];
  readonly sumOfSquares: number;
  /** y, then x (or x1, x2). Nelson's y is its logarithm. */
  readonly columns: ReadonlyMap<string, readonly number[]>;
}

export function readNist(name: string): NistProblem {
  const lines = readFileSync(new URL(`data/${name}.dat`, import.meta.url), 'latin1').split(/\r?\n/);
  const parameters = lines.flatMap((line) => {
    const match = /^\s*b\d+\s*=\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)/.exec(line);
    return match ? [match.slice(1, 5).map(Number)] : [];
  });
  const sum = /Residual Sum of Squares:\s*(\S+)/.exec(lines.join('\n'));
  const header = lines.findLastIndex((line) => line.startsWith('Data:'));
  const names = lines[header]!.replace('Data:', '').trim().split(/\s+/);
  const rows = lines.slice(header + 1).flatMap((line) => (line.trim() ? [line.trim().split(/\s+/).map(Number)] : []));
  const columns = new Map(names.map((column, i) => [column, rows.map((row) => row[i]!)]));
  if (name === 'Nelson') columns.set('y', columns.get('y')!.map(Math.log));
  const column = (i: number): number[] => parameters.map((row) => row[i]!);
  return {
    name,
    formula: nistFormulas[name]!,
    starts: [column(0), column(1)],
    certified: column(2),
    standardDeviations: column(3),
    sumOfSquares: Number(sum?.[1]),
    columns,
  };
}
