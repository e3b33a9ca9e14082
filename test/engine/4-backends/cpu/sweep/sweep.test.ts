/**
 * Sweeps: the gradient of a reduction with any operator, in tiles that are gone through both ways, against the interpreter;
 * lengths about the ends of strips and tiles, numbers of every kind, items, threads.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../../engine/0-ir/builder.ts';
import { builtinOperator, componentTypes, type Operator } from '../../../../../engine/0-ir/operators.ts';
import type { Program } from '../../../../../engine/0-ir/program.ts';
import { arrayType, type Shape } from '../../../../../engine/0-ir/types.ts';
import { vjp } from '../../../../../engine/2-ad/vjp.ts';
import type { Plan, SweepStep } from '../../../../../engine/3-plan/plan.ts';
import { withSweeps } from '../../../../../engine/3-plan/sweeps.ts';
import { sweepForm } from '../../../../../engine/4-backends/cpu/sweep/sweep-rows.ts';
import { sweptOf } from '../../../../../engine/4-backends/cpu/sweep/swept.ts';
import { sweepsSuit } from '../../../../../engine/4-backends/cpu/sweep.ts';
import { interpret } from '../../../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../../../engine/5-runtime/compile.ts';
import { CpuTeam } from '../../../../../engine/5-runtime/cpu/team.ts';
import { linFnComp, matMul, satAdd, sumOfProd } from '../../../../support/operators.ts';
import { runOnCpu } from '../../../../support/run-on-cpu.ts';

const operators: Record<string, Operator> = {
  linFnComp,
  satAdd,
  'matMul 2×2': matMul(2),
};
const team = new CpuTeam(2);
afterAll(() => team.close());

/** The general rule's gradient of a reduction along the last axis. */
function gradientOf(operator: Operator, shape: Shape = ['n']): Program {
  const b = new ProgramBuilder();
  b.origin = 'reduced';
  const inputs = componentTypes(operator).map((_, i) => b.parameter(`x${i}`, arrayType('real', shape)));
  const results = b.reduce(operator, inputs, shape.length - 1);
  const primal = b.finish(results.map((value, i) => ({ name: `y${i}`, value })));
  return vjp(primal, { force: new Map([['reduced', 'reduce-general']]) });
}

function sweepsOf(plan: Plan): SweepStep[] {
  return withSweeps(plan, sweepsSuit).run.filter((step) => step.kind === 'sweep');
}

type Values = (input: number, place: number) => number;

function inputsOf(program: Program, length: number, items: number, value: Values) {
  return new Map(
    program.parameters.map(({ name, value: { type } }, input) => {
      const isElement = type.shape.includes('n');
      const count = isElement ? length * items : items;
      return [name, Array.from({ length: count }, (_, i) => (isElement ? value(input, i) : 1 + input / 8 + i))];
    }),
  );
}

interface Options extends NonNullable<Parameters<typeof runOnCpu>[3]> {
  readonly items?: number;
}

/** Of each result the places, at most five, that are not within the tolerance of the interpreter's, or not the same NaN or ∞. */
function misses(program: Program, n: number, value: Values, { items = 1, ...options }: Options = {}): string[] {
  const inputs = inputsOf(program, n, items, value);
  const sizes = { n, m: items };
  const wanted = interpret(program, inputs, sizes);
  const got = runOnCpu(compile(program), inputs, sizes, options);
  return [...wanted].flatMap(([name, { values }]) => {
    const scale = Math.max(1e-3, ...[...values].filter(Number.isFinite).map(Math.abs));
    return [...values]
      .flatMap((expected, i) => {
        const found = got[name]![i]!;
        const isClose = Object.is(found, expected) || Math.abs(found - expected) <= 1e-9 * scale;
        return isClose ? [] : [`${name}[${i}] of ${n} is ${found}, not ${expected}`];
      })
      .slice(0, 5);
  });
}

/** Near the neutral element of products, and of either sign beside it. */
const usual =
  (operator: Operator): Values =>
  (input, i) =>
    (Number.isFinite(operator.neutral[input]) ? operator.neutral[input]! : 0) +
    0.01 * Math.sin(1.7 * i + input) +
    (operator === satAdd ? 0.01 : 0);

describe.each(Object.entries(operators))('%s', (_, operator) => {
  const program = gradientOf(operator);
  const [step] = sweepsOf(compile(program)) as [SweepStep];
  const { elements } = sweepForm(step, sweptOf(step), 'f64');

  test('is one sweep, which writes the adjoints alone', () => {
    const plan = withSweeps(compile(program), sweepsSuit);
    expect(plan.run.map(({ kind }) => kind).filter((kind) => kind !== 'map')).toEqual(['reduce', 'sweep']);
    const written = plan.buffers.filter(({ role, length }) => role === 'temporary' && length === 'n');
    expect(written).toEqual([]);
  });

  test('is the sequential result but for rounding', () => {
    const lengths = [0, 1, 2, 129, 2 * elements - 1, 2 * elements, 2 * elements + 1, 3 * elements + 130];
    for (const n of lengths) expect(misses(program, n, usual(operator))).toEqual([]);
  });

  test('what is not finite, or would not be, is combined element by element', () => {
    const n = 2 * elements + 40;
    for (const [odd, ...places] of [
      [NaN, elements],
      [Infinity, 0, n - 1],
      [-Infinity, n - 1],
      [-0, 1],
      [1e200, elements],
      [1e-200, elements - 1],
      [5e-324, n - 1],
    ] as [number, ...number[]][])
      for (const at of places) {
        const value: Values = (input, i) => (i === at && input === 0 ? odd : usual(operator)(input, i));
        expect(misses(program, n, value)).toEqual([]);
      }
  });

  test.each(['f64', 'f32'] as const)('no bit depends on the number of threads: %s', (precision) => {
    const n = 5 * elements + 17;
    const inputs = inputsOf(program, n, 1, usual(operator));
    const alone = runOnCpu(compile(program), inputs, { n }, { precision });
    expect(runOnCpu(compile(program), inputs, { n }, { precision, team, sharedWork: 1 })).toEqual(alone);
  });
});

test('factors that grow beyond all numbers beside exact zeros are combined as the sequence combines them', () => {
  // x' = 3x + u with u = 0 nearly everywhere: composed factors overflow, what is carried does not.
  const program = gradientOf(linFnComp);
  const value: Values = (input, i) => (input === 1 ? 3 : i === 2990 ? 1 : 0);
  for (const tile of [undefined, 700]) expect(misses(program, 3000, value, { ...(tile && { tile }) })).toEqual([]);
});

test('several items, each in tiles', () => {
  for (const operator of [linFnComp, matMul(2)]) {
    const program = gradientOf(operator, ['m', 'n']);
    for (const [items, n] of [
      [3, 700],
      [70, 5],
      [2, 5000],
    ] as const)
      expect(misses(program, n, usual(operator), { items })).toEqual([]);
  }
});

test('in f32, strips of four lanes', () => {
  for (const operator of [linFnComp, matMul(3)]) {
    const program = gradientOf(operator);
    for (const n of [700, 5000]) {
      const inputs = inputsOf(program, n, 1, usual(operator));
      const wanted = interpret(program, inputs, { n });
      const got = runOnCpu(compile(program), inputs, { n }, { precision: 'f32' });
      for (const [name, { values }] of wanted) {
        const scale = Math.max(...[...values].map(Math.abs));
        const worst = Math.max(...[...values].map((each, i) => Math.abs(each - got[name]![i]!) / scale));
        expect(worst).toBeLessThan(1e-4);
      }
    }
  }
});

test('two scans from either end, exclusive or not, with functions before and after', () => {
  const scan = fc.record({
    operator: fc.constantFrom(linFnComp, sumOfProd, builtinOperator('multiply'), builtinOperator('logaddexp')),
    exclusive: fc.boolean(),
    scaled: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.tuple(scan, scan),
      fc.boolean(),
      fc.integer({ min: 0, max: 300 }),
      fc.constantFrom(1, 5, 64, undefined),
      ([one, two], isTurned, n, tile) => {
        const b = new ProgramBuilder();
        const xs = [0, 1].map((i) => b.parameter(`x${i}`, arrayType('real', ['n'])));
        const scanned = [one, two].map(({ operator, exclusive, scaled }, i) => {
          const inputs = xs
            .slice(0, componentTypes(operator).length)
            .map((x) => (scaled ? b.elementwise([x], (s, v) => s.apply('mul', v, v)) : x));
          return b.scan(operator, inputs, 0, { exclusive, reverse: (i === 1) !== isTurned });
        });
        const [left, right] = scanned.map((results) => results.at(-1)!) as [(typeof xs)[0], (typeof xs)[0]];
        const y = b.elementwise([left, xs[1]!, right], (s, l, x, r) => s.apply('sub', s.apply('add', l, x), r));
        const program = b.finish([{ name: 'y', value: y }]);
        const value: Values = (input, i) => 1 + 0.1 * Math.sin(2.3 * i + input);
        expect(misses(program, n, value, { ...(tile !== undefined && { tile }), team, sharedWork: 1 })).toEqual([]);
      },
    ),
    { numRuns: 40, seed: 15 },
  );
});
