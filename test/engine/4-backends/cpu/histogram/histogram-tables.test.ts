/** Histograms with a table for each tile: what grouping and several threads must not show. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../../engine/0-ir/builder.ts';
import { builtinOperator, productOperator, type Operator } from '../../../../../engine/0-ir/operators.ts';
import type { Program } from '../../../../../engine/0-ir/program.ts';
import { arrayType } from '../../../../../engine/0-ir/types.ts';
import { vjp } from '../../../../../engine/2-ad/vjp.ts';
import { liftedMinMax } from '../../../../../engine/0-ir/lifted-min-max.ts';
import { interpret } from '../../../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../../../engine/5-runtime/compile.ts';
import { CpuTeam } from '../../../../../engine/5-runtime/cpu/team.ts';
import { runOnCpu } from '../../../../support/run-on-cpu.ts';

const team = new CpuTeam(2);
afterAll(() => team.close());

const BINS = 3;
const columns = { 1: ['n'], 2: ['n', 2] } as const;

function histogramOf(operator: Operator, rank: 1 | 2, initial = false): Program {
  const b = new ProgramBuilder();
  const shape = columns[rank];
  const keys = b.parameter('keys', arrayType('int', ['n']));
  const x = b.parameter('x', arrayType('real', shape));
  const of = [BINS, ...shape.slice(1)];
  const options = initial ? { initial: [b.parameter('begun', arrayType('real', of))] } : {};
  return b.finish({ y: b.histogram(operator, keys, [x], BINS, options)[0]! });
}

interface Data {
  readonly keys: readonly number[];
  readonly x: readonly number[];
}

const data = (values: fc.Arbitrary<number>): fc.Arbitrary<Data> =>
  fc.array(fc.tuple(fc.integer({ min: -1, max: BINS }), values, values), { maxLength: 60 }).map((rows) => ({
    keys: rows.map(([key]) => key),
    x: rows.flatMap(([, ...values]) => values),
  }));

/** In tiles of so many elements, on one thread and on two, the same bits; and what the interpreter finds. */
function agrees(
  program: Program,
  { keys, x }: Data,
  rank: 1 | 2,
  digits: number | undefined,
  precision: 'f64' | 'f32' = 'f64',
): void {
  const inputs = new Map<string, readonly number[]>([['keys', keys]]);
  inputs.set('x', rank === 1 ? x.filter((_, i) => i % 2 === 0) : x);
  for (const { name, value } of program.parameters)
    if (!inputs.has(name))
      inputs.set(
        name,
        Array.from({ length: value.type.shape.length > 1 ? 6 : 3 }, (_, i) => i + 0.5),
      );
  const sizes = { n: keys.length };
  const expected = [...interpret(program, inputs, sizes)].map(([name, { values }]) => [name, [...values]] as const);
  const plan = compile(program, new Set(program.parameters.map(({ name }) => name).filter((name) => name !== 'keys')));
  for (const tile of [1, 7, undefined]) {
    const options = { precision, sharedWork: 0, ...(tile !== undefined && { tile }) };
    const alone = runOnCpu(plan, inputs, sizes, options);
    expect(runOnCpu(plan, inputs, sizes, { ...options, team })).toEqual(alone);
    for (const [name, values] of expected)
      values.forEach((value, i) => {
        const got = alone[name]![i]!;
        if (digits === undefined || !Number.isFinite(value) || value === 0) expect(got).toBe(value);
        else expect(Math.abs(got / value - 1)).toBeLessThan(10 ** -digits);
      });
  }
}

const edges = fc.constantFrom(0, -0, 1, 1, 2, -1, -1, Infinity, -Infinity, NaN);
const ranks = [1, 2] as const;

describe.each(ranks)('rank %i', (rank) => {
  test.each(['min', 'max'] as const)('of %s, and its derivative', (name) => {
    const primal = histogramOf(builtinOperator(name), rank);
    const derivative = vjp(primal);
    fc.assert(
      fc.property(data(edges), (given) => {
        agrees(primal, given, rank, undefined);
        agrees(derivative, given, rank, undefined);
      }),
      { numRuns: 12 },
    );
  });

  test.each(['f64', 'f32'] as const)('of sums, whose zeros keep their signs, in %s', (precision) => {
    for (const initial of [false, true]) {
      const primal = histogramOf(builtinOperator('add'), rank, initial);
      fc.assert(
        fc.property(data(fc.oneof(edges, fc.constantFrom(-0, -0, -0, 0))), (given) =>
          agrees(primal, given, rank, undefined, precision),
        ),
        { numRuns: 12 },
      );
    }
  });

  test.each([false, true])('of products, and their derivative; initial contents %s', (initial) => {
    const primal = histogramOf(builtinOperator('multiply'), rank, initial);
    const derivative = vjp(primal);
    const ordinary = fc.double({ min: 0.5, max: 2, noNaN: true });
    fc.assert(
      fc.property(data(fc.oneof(ordinary, fc.constantFrom(0, -0, -3, 1e-30, 1e30))), (given) => {
        agrees(primal, given, rank, 12);
        agrees(derivative, given, rank, 12);
      }),
      { numRuns: 12 },
    );
  });

  test('of products that overflow or vanish on the way, which are those from end to end', () => {
    const primal = histogramOf(builtinOperator('multiply'), rank);
    fc.assert(
      fc.property(data(fc.constantFrom(1e200, 1e-200, 1e160, 0, Infinity)), (given) => agrees(primal, given, rank, 12)),
      { numRuns: 12 },
    );
  });
});

test('a minimum, where it stands, and a sum side by side', () => {
  const b = new ProgramBuilder();
  const keys = b.parameter('keys', arrayType('int', ['n']));
  const x = b.parameter('x', arrayType('real', ['n']));
  const operator = productOperator([builtinOperator('add'), liftedMinMax('min')]);
  const results = b.histogram(operator, keys, [x, b.iota('n'), x], BINS);
  const program = b.finish(results.map((value, i) => ({ name: `r${i}`, value })));
  fc.assert(
    fc.property(data(fc.constantFrom(0, 1, 2, -1, -2)), (given) => agrees(program, given, 1, undefined)),
    { numRuns: 12 },
  );
});

test.each(['f64', 'f32'] as const)('a prologue that is work is done in blocks before, in %s', (precision) => {
  for (const n of [0, 1, 63, 64, 1000, 5003]) {
    const b = new ProgramBuilder();
    const keys = b.parameter('keys', arrayType('int', ['n']));
    const x = b.parameter('x', arrayType('real', ['n']));
    const s = b.parameter('s', arrayType('real', []));
    const weights = b.elementwise([s, x], (w, slope, v) => w.apply('exp', w.apply('mul', slope, v)));
    const minima = b.histogram(builtinOperator('min'), keys, [weights], BINS);
    const sums = b.histogram(builtinOperator('add'), keys, [weights], BINS);
    const program = b.finish({ sum: sums[0]!, least: minima[0]! });
    const inputs = new Map([
      ['keys', Array.from({ length: n }, (_, i) => ((i * 7) % (BINS + 2)) - 1)],
      ['x', Array.from({ length: n }, (_, i) => Math.sin(i))],
      ['s', [0.5]],
    ]);
    const expected = [...interpret(program, inputs, { n })].map(([name, { values }]) => [name, [...values]] as const);
    for (const tile of [7, 1500, undefined]) {
      const options = { precision, sharedWork: 0, ...(tile !== undefined && { tile }) };
      const got = runOnCpu(compile(program), inputs, { n }, options);
      expect(runOnCpu(compile(program), inputs, { n }, { ...options, team })).toEqual(got);
      for (const [name, values] of expected)
        values.forEach((value, i) => {
          const found = got[name]![i]!;
          if (!Number.isFinite(value) || value === 0) expect(found).toBe(value);
          else expect(Math.abs(found / value - 1)).toBeLessThan(precision === 'f32' ? 1e-6 : 1e-13);
        });
    }
  }
});
