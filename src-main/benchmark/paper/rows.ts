/** The rows of the paper's tables: what is run, on how much, and what the paper measured on an NVIDIA A100. */
import { builtinOperator, type DeviceKind, type Operator } from '../../../engine/index.ts';
import type { Range } from '../draw.ts';
import { linFnComp, matMul, satAdd, sumOfProd, sumOfProdInvertible } from '../operators.ts';
import type { Combining } from './least-bytes.ts';

/** AD overheads; of a histogram one for each number of bins. */
export interface PaperFigures {
  readonly D1: readonly number[];
  readonly D2: readonly number[];
}

export interface PaperRow {
  readonly name: string;
  readonly construct: Combining;
  readonly operator: Operator;
  /** Operators on rows, `map2 ⊙`: how long a row is. */
  readonly width?: number;
  /** What each component is drawn from. */
  readonly ranges: readonly Range[];
  /** Elements (tuples, or rows), in units of D1's and D2's. */
  readonly share: { readonly D1: number; readonly D2: number };
  /** Null for reduce and scan. */
  readonly bins: readonly (number | null)[];
  readonly paper: PaperFigures;
  /** The rule that the paper measured its own against. */
  readonly competitor?: string;
}

const whole = { D1: 1, D2: 1 };
const tenth = { D1: 0.1, D2: 0.1 };
/** 5×5 matrices: 10⁷ and 5·10⁷. */
const half = { D1: 1, D2: 0.5 };

const unit: Range = [0, 1];
/** Where a product of 10⁸ neither overflows nor vanishes. */
const nearOne: Range = [0.999, 1.001];
const nearZero: Range = [-0.001, 0.001];
const around: Range = [-1, 1];

const [add, min, multiply] = [builtinOperator('add'), builtinOperator('min'), builtinOperator('multiply')];

/** Matrices near the identity. */
const matrixRanges = (q: number): Range[] =>
  Array.from({ length: q * q }, (_, at) => (Math.floor(at / q) === at % q ? nearOne : nearZero));

type Figures = readonly [D1: number, D2: number];

const one = ([D1, D2]: Figures): PaperFigures => ({ D1: [D1], D2: [D2] });

type Row = readonly [name: string, operator: Operator, ranges: readonly Range[], paper: Figures, competitor?: string];

function combining(construct: 'reduce' | 'scan', rows: readonly Row[]): PaperRow[] {
  return rows.map(([name, operator, ranges, paper, competitor]) => ({
    name: `${construct} ${name}`,
    construct,
    operator,
    ranges,
    share: name === 'map2(×)' ? tenth : name === 'matMul 5×5' ? half : whole,
    bins: [null],
    paper: one(paper),
    ...(name === 'map2(×)' && { width: 16 }),
    ...(competitor !== undefined && { competitor }),
  }));
}

const linear = [around, nearOne];
const products = [around, around];

const reduces = combining('reduce', [
  ['+', add, [unit], [2.4, 2.5]],
  ['min', min, [unit], [2.8, 2.6]],
  ['×', multiply, [nearOne], [2.7, 2.9], 'reduce-general'],
  ['linFnComp', linFnComp, linear, [5.0, 5.9], 'reduce-ppad'],
  ['sumOfProd', sumOfProd, products, [7.2, 10], 'reduce-ppad'],
  ['sumOfProd invertible', sumOfProdInvertible, products, [2.4, 2.8], 'reduce-ppad'],
  ['map2(×)', multiply, [nearOne], [3.4, 4.0], 'reduce-ppad'],
  ['matMul 2×2', matMul(2), matrixRanges(2), [4.6, 6.2], 'reduce-ppad'],
  ['matMul 3×3', matMul(3), matrixRanges(3), [6.4, 7.6], 'reduce-ppad'],
  ['matMul 5×5', matMul(5), matrixRanges(5), [6.3, 6.7], 'reduce-ppad'],
]);

const scans = combining('scan', [
  ['+', add, [unit], [1.8, 2.8]],
  ['min', min, [unit], [2.5, 2.8], 'scan-ppad'],
  ['×', multiply, [nearOne], [3.4, 4.1], 'scan-ppad'],
  ['linFnComp', linFnComp, linear, [3.4, 3.8], 'scan-ppad'],
  ['sumOfProd', sumOfProd, products, [4.5, 5.3], 'scan-ppad'],
  ['map2(×)', multiply, [nearOne], [0.44, 0.43], 'scan-ppad'],
  ['matMul 2×2', matMul(2), matrixRanges(2), [4.3, 4.6], 'scan-ppad'],
  ['matMul 3×3', matMul(3), matrixRanges(3), [7.6, 8.1], 'scan-ppad'],
  ['matMul 5×5', matMul(5), matrixRanges(5), [6.9, 6.9], 'scan-ppad'],
]);

function histogram(
  name: string,
  operator: Operator,
  ranges: readonly Range[],
  D1: readonly number[],
  D2: readonly number[],
): PaperRow {
  const vectorised = name.startsWith('map2');
  return {
    name: `histogram ${name}`,
    construct: 'histogram',
    operator,
    ranges,
    share: vectorised ? tenth : whole,
    bins: [31, 401, 50_000],
    paper: { D1, D2 },
    ...(vectorised && { width: 10 }),
  };
}

const histograms = [
  histogram('+', add, [unit], [1.5, 1.4, 1.4], [1.9, 1.9, 1.4]),
  histogram('map2(+)', add, [unit], [1.6, 1.5, 1.1], [1.9, 1.8, 1.1]),
  histogram('min', min, [unit], [1.9, 2.0, 3.0], [2.1, 2.1, 3.9]),
  histogram('map2 min', min, [unit], [3.0, 4.1, 3.2], [9.6, 13.7, 4.0]),
  histogram('×', multiply, [nearOne], [2.1, 2.0, 2.6], [2.4, 2.4, 2.1]),
  histogram('map2(×)', multiply, [nearOne], [4.0, 3.9, 4.5], [8.6, 9.0, 12.4]),
  histogram('sumOfProd', sumOfProd, products, [29.4, 48.6, 9.4], [45.8, 84.0, 8.0]),
  histogram('sumOfProd invertible', sumOfProdInvertible, products, [1.8, 1.8, 1.1], [2.1, 2.1, 1.1]),
  histogram('satAdd', satAdd, [unit], [29.7, 50.6, 21.2], [50.3, 92.0, 19.5]),
];

/** What general histograms may cost at most; the paper's own figures for them are no aim. */
const generalHistogram = { reference: 5, cpu: 5, webgpu: 8 } as const;
const general = new Set(['histogram sumOfProd', 'histogram satAdd']);

/**
 * What a row's overhead should not exceed: the worse of the paper's two figures. That of `scan map2(×)` is below 1
 * because its primal was not interchanged there; ours is, so it is held against `scan ×`.
 */
export function aimOf(name: string, bins: number | null, device: DeviceKind): number {
  if (general.has(name)) return generalHistogram[device];
  const row = paperRows.find((candidate) => candidate.name === (name === 'scan map2(×)' ? 'scan ×' : name));
  const at = row?.bins.indexOf(bins) ?? -1;
  return Math.max(row?.paper.D1[at] ?? NaN, row?.paper.D2[at] ?? NaN);
}

export const paperRows: readonly PaperRow[] = [...reduces, ...scans, ...histograms];
