/** Scans in strips: lengths about the ends of strips, blocks and tiles, numbers of every kind, threads. */
import { afterAll, describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../../engine/0-ir/builder.ts';
import { builtinOperator, componentTypes, type Operator } from '../../../../../engine/0-ir/operators.ts';
import type { Program } from '../../../../../engine/0-ir/program.ts';
import { arrayType, type Shape } from '../../../../../engine/0-ir/types.ts';
import { optimize } from '../../../../../engine/1-optimize/index.ts';
import { vjp } from '../../../../../engine/2-ad/vjp.ts';
import { lower } from '../../../../../engine/3-plan/lower.ts';
import { carriedPart, combinablePart } from '../../../../../engine/4-backends/cpu/combine/carried-part.ts';
import { likelyPart, withoutNaNTests } from '../../../../../engine/4-backends/cpu/scalar/likely.ts';
import { stripElements, stripsOf } from '../../../../../engine/4-backends/cpu/scan/strip-layout.ts';
import { interpret } from '../../../../../engine/4-backends/reference/interpret.ts';
import type { ScanStep } from '../../../../../engine/3-plan/plan.ts';
import { CpuTeam } from '../../../../../engine/5-runtime/cpu/team.ts';
import { linFnComp, matMul2, sumOfProd } from '../../../../support/operators.ts';
import { runOnCpu } from '../../../../support/run-on-cpu.ts';

const operators: Record<string, Operator> = {
  linFnComp: linFnComp,
  '×': builtinOperator('multiply'),
  sumOfProd: sumOfProd,
  'matMul 2×2': matMul2,
};
const team = new CpuTeam(2);
afterAll(() => team.close());

interface Case {
  readonly operator: Operator;
  readonly exclusive?: boolean;
  readonly reverse?: boolean;
  readonly shape?: Shape;
  readonly axis?: number;
}

function scanOf({ operator, exclusive = false, reverse = false, shape = ['n'], axis = 0 }: Case): Program {
  const b = new ProgramBuilder();
  const inputs = componentTypes(operator).map((_, i) => b.parameter(`x${i}`, arrayType('real', shape)));
  const results = b.scan(operator, inputs, axis, { exclusive, reverse });
  return b.finish(results.map((value, i) => ({ name: `y${i}`, value })));
}

/** Every input drawn from a formula: `value(input, place)`. */
function inputsOf(program: Program, length: number, value: (input: number, place: number) => number) {
  return new Map(
    program.parameters.map(({ name }, input) => [name, Array.from({ length }, (_, i) => value(input, i))]),
  );
}

/** Of each result the places, at most five, that are not within 10⁻⁹ of the interpreter's, or not the same NaN or ∞. */
function misses(
  program: Program,
  inputs: ReadonlyMap<string, number[]>,
  n: number,
  options: Parameters<typeof runOnCpu>[3] = {},
): string[] {
  const wanted = interpret(program, inputs, { n });
  const got = runOnCpu(lower(optimize(program)), inputs, { n }, options);
  return [...wanted].flatMap(([name, { values }]) =>
    [...values]
      .flatMap((value, i) => {
        const found = got[name]![i]!;
        const isClose = Object.is(found, value) || Math.abs(found - value) <= 1e-9 * Math.max(Math.abs(value), 1e-3);
        return isClose ? [] : [`${name}[${i}] of ${n} is ${found}, not ${value}`];
      })
      .slice(0, 5),
  );
}

/** Near the neutral element of products, and of either sign beside it. */
const usual = (operator: Operator) => (input: number, i: number) =>
  (operator.neutral[input] ?? 0) + 0.01 * Math.sin(1.7 * i + input);

const blockOf = (operator: Operator) => {
  const step = { operator, outputs: operator.neutral } as unknown as ScanStep;
  const shown = operator.neutral.map((_, i) => i);
  return stripElements(stripsOf(step, carriedPart(operator, shown), 'f64'), 'f64');
};

describe.each(Object.entries(operators))('%s', (_, operator) => {
  const block = blockOf(operator);
  const lengths = [1, 2, 127, 129, 257, 300, block - 1, block, block + 1, block + 2, 2 * block + 130];

  test.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])('is the sequential result but for rounding: exclusive %s, reverse %s', (exclusive, reverse) => {
    const program = scanOf({ operator, exclusive, reverse });
    for (const n of lengths) expect(misses(program, inputsOf(program, n, usual(operator)), n)).toEqual([]);
  });

  test('what is not finite, or would not be, is combined element by element', () => {
    const program = scanOf({ operator });
    const odd = [NaN, Infinity, -Infinity, -0, 1e200, 1e-200, 5e-324];
    for (const value of odd)
      for (const at of [0, 1, 200, block, block + 500]) {
        const n = 2 * block + 40;
        const inputs = inputsOf(program, n, (input, i) =>
          i === at && input === 0 ? value : usual(operator)(input, i),
        );
        expect(misses(program, inputs, n)).toEqual([]);
      }
  });

  test.each(['f64', 'f32'] as const)('no bit depends on the number of threads: %s', (precision) => {
    const program = scanOf({ operator, reverse: true });
    const n = 5 * block + 17;
    const inputs = inputsOf(program, n, usual(operator));
    const plan = lower(optimize(program));
    const alone = runOnCpu(plan, inputs, { n }, { precision });
    expect(runOnCpu(plan, inputs, { n }, { precision, team, sharedWork: 1 })).toEqual(alone);
  });

  test('along the first of two axes, and along the second', () => {
    for (const [shape, axis] of [
      [['n', 3], 0],
      [[3, 'n'], 1],
    ] as const) {
      const program = scanOf({ operator, shape, axis });
      const n = block + 140;
      expect(misses(program, inputsOf(program, 3 * n, usual(operator)), n)).toEqual([]);
    }
  });

  test('in tiles of any length', () => {
    const program = scanOf({ operator });
    for (const tile of [64, 131, 300, 1000])
      expect(misses(program, inputsOf(program, 3000, usual(operator)), 3000, { tile, team, sharedWork: 1 })).toEqual(
        [],
      );
  });
});

test.each(['min', 'max'] as const)('the derivative of scan %s, with ties and NaN', (which) => {
  const program = vjp(scanOf({ operator: builtinOperator(which) }));
  for (const n of [1, 200, 1500, 9000])
    for (const odd of [undefined, NaN, Infinity, -Infinity]) {
      const inputs = inputsOf(program, n, (input, i) =>
        odd !== undefined && i === (n >> 1) + input ? odd : Math.round(40 * Math.sin(0.37 * i * (input + 1))) / 8,
      );
      expect(misses(program, inputs, n)).toEqual([]);
    }
});

test('growth that overflows within a block, and what is far too large to be carried, are those of the sequential result', () => {
  const program = scanOf({ operator: linFnComp });
  for (const factor of [3, -3, 1.5, 0.4, 0])
    for (const size of [1, 1e-300, 1e300]) {
      const n = 4000;
      const inputs = inputsOf(program, n, (input, i) => (input === 1 ? factor : size * Math.cos(i)));
      expect(misses(program, inputs, n)).toEqual([]);
    }
});

test('the part that is combined in strips holds all that it asks for', () => {
  const part = carriedPart(linFnComp, [0]);
  expect(part).toMatchObject({ kept: [0], right: [0, 1] });
  expect(combinablePart(linFnComp, part)).toMatchObject({ kept: [0, 1], right: [0, 1] });
});

test('tests of NaN are left out only where totals would keep it', () => {
  const program = optimize(vjp(scanOf({ operator: builtinOperator('multiply') })));
  const backward = program.statements.flatMap(({ construct }) =>
    construct.kind === 'scan' ? [construct.operator] : [],
  );
  const linear = backward.find((operator) => operator.neutral.length === 2)!;
  expect(withoutNaNTests(linear.combine)?.body.statements.every(({ kind }) => kind === 'apply')).toBe(true);
  expect(withoutNaNTests(linFnComp.combine)).toBeUndefined();
  expect(likelyPart(linear.combine)).toBeUndefined();
  expect(likelyPart(linear.combine, true)?.body.results).toHaveLength(3);
});
