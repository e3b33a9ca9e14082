/** All 27 problems from both starts, held against NIST's certified values. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProgramBuilder } from '../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../engine/0-ir/operators.ts';
import type { Value } from '../../engine/0-ir/program.ts';
import { arrayType } from '../../engine/0-ir/types.ts';
import { cpuDevice } from '../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../engine/5-runtime/device.ts';
import { fit } from '../../engine/6-fit/fit.ts';
import type { FitProblem } from '../../engine/6-fit/problem.ts';
import { compileFormulas } from '../../models/formula/compile.ts';
import { nistFormulas, readNist, type NistProblem } from './problems.ts';

function problemFor({ formula, certified, columns }: NistProblem, start: readonly number[]): FitProblem {
  const names = certified.map((_, i) => `b${i + 1}`);
  const compiled = compileFormulas([{ output: 'curve', text: formula }], () => 'real');
  if (!compiled.ok) throw new Error(compiled.errors[0]?.message);
  const b = new ProgramBuilder();
  const known = new Map<string, Value>();
  for (const name of columns.keys()) known.set(name, b.parameter(name, arrayType('real', ['n'])));
  for (const name of names) known.set(name, b.parameter(name, arrayType('real')));
  const ports = compiled.ports.map((port) => known.get((port as { name: string }).name)!);
  const [curve] = b.map(compiled.function, ports, ['n']);
  const residuals = b.apply('sub', curve!, known.get('y')!);
  const [loss] = b.reduce(builtinOperator('add'), [b.apply('mul', residuals, residuals)], 0);
  const rows = columns.get('y')!.length;
  return {
    program: b.finish({ loss: loss!, residuals }),
    energy: 'loss',
    objective: 'loss',
    residuals: ['residuals'],
    observations: rows,
    sigmaKnown: false,
    parameters: names.map((name, i) => ({
      name,
      shape: [],
      initial: [start[i]!],
      lower: [-Infinity],
      upper: [Infinity],
      fixed: false,
      scale: 'linear',
    })),
    data: columns,
    sizes: { n: rows },
  };
}

/** Decimal digits in which a figure agrees, at most 11: the certified values have as many. */
const digits = (found: number, certified: number): number =>
  Math.min(11, -Math.log10(Math.abs(found - certified) / Math.abs(certified)));

describe('NIST StRD', () => {
  let device: Device;
  const agreement: number[] = [];
  beforeAll(() => {
    device = cpuDevice();
  });
  afterAll(() => device.close());

  it.each(Object.keys(nistFormulas).flatMap((name) => [0, 1].map((start) => ({ name, start }))))(
    '$name from start $start',
    async ({ name, start }) => {
      const nist = readNist(name);
      const result = await fit(problemFor(nist, nist.starts[start]!), device);
      expect(result.status, result.reason).toBe('converged');
      const found = result.estimates.map(({ value }, i) => digits(value, nist.certified[i]!));
      agreement.push(Math.min(...found));
      expect(Math.min(...found)).toBeGreaterThan(6);
      const errors = result.estimates.map(({ standardError }, i) => digits(standardError, nist.standardDeviations[i]!));
      // The residuals of Lanczos1 are at rounding, and their errors with them.
      if (name !== 'Lanczos1') expect(Math.min(...errors)).toBeGreaterThan(4);
    },
  );

  it('agrees in 9.4 digits on the average', () => {
    expect(agreement.length).toBe(54);
    expect(agreement.reduce((total, d) => total + d, 0) / 54).toBeGreaterThan(9.4);
  });
});
