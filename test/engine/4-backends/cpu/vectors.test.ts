/**
 * Vectors give at every point what one point at a time gives, in every bit: random functions on awkward numbers, over
 * lengths that leave every remainder, from every place, over neighbours, reversed and strided operands. One item at a time
 * is never a vector, and gives in f64 what the interpreter gives.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import type { Program } from '../../../../engine/0-ir/program.ts';
import type { ScalarFunction } from '../../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../../engine/0-ir/scalar-builder.ts';
import { sizeMultiply } from '../../../../engine/0-ir/sizes.ts';
import { arrayType, type ElementType } from '../../../../engine/0-ir/types.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { Choices, choices } from '../../../support/choices.ts';
import { randomFunction } from '../../../support/random/functions.ts';
import { awkward, type Style } from '../../../support/random/styles.ts';
import { runOnCpu } from '../../../support/run-on-cpu.ts';

/** Only what is exact, so that the interpreter gives the same bits … */
const exact: Style = { ...awkward, unary: ['neg', 'abs', 'sqrt', 'floor', 'sign', 'mantissa', 'exponent'] };
/** … and what is not, but the same in all its forms. */
const rounded: Style = { ...exact, unary: [...exact.unary, 'exp', 'log', 'sin', 'expm1'] };

const parameters: ElementType[] = ['real', 'int', 'bool', 'real', 'real'];
const results: ElementType[] = ['real', 'int', 'bool', 'real'];

type Layout = 'dense' | 'reversed' | 'strided' | 'fixed';

/** fn over n points, or 3 rows of n, its operands in memory as said; the second real counts the points. */
function mapProgram(fn: ScalarFunction, rows: boolean, layouts: readonly Layout[]): Program {
  const b = new ProgramBuilder();
  const shape = rows ? [3, 'n'] : ['n'];
  const axis = shape.length - 1;
  const values = parameters.map((element, i) => {
    const name = `x${i}`;
    switch (layouts[i]) {
      case 'fixed':
        return b.parameter(name, arrayType(element));
      case 'reversed':
        return b.reverse(b.parameter(name, arrayType(element, shape)), axis);
      case 'strided': {
        const stored = shape.map((size, at) => (at === axis ? sizeMultiply(2, size) : size));
        return b.slice(b.parameter(name, arrayType(element, stored)), axis, 1, 'n', 2);
      }
      default:
        return b.parameter(name, arrayType(element, shape));
    }
  });
  return b.finish(b.map(fn, values, shape).map((value, i) => ({ name: `r${i}`, value })));
}

test('random functions', () => {
  fc.assert(
    fc.property(
      fc.record({
        numbers: choices(60),
        data: fc.array(fc.nat(719), { minLength: 1, maxLength: 60 }),
        n: fc.oneof(fc.nat(40), fc.constantFrom(1000, 2003)),
        rows: fc.boolean(),
        layouts: fc.array(fc.constantFrom<Layout>('dense', 'reversed', 'strided', 'fixed'), {
          minLength: parameters.length,
          maxLength: parameters.length,
        }),
        precision: fc.constantFrom('f64' as const, 'f32' as const),
        style: fc.constantFrom(exact, rounded),
        chunk: fc.constantFrom(undefined, 5, 7, 100),
      }),
      ({ numbers, data, n, rows, layouts, precision, style, chunk }) => {
        const fn = randomFunction(new Choices(numbers), style, parameters, results);
        const program = mapProgram(fn, rows, layouts);
        const drawn = new Choices(data.concat(data, data, data));
        const real = () => drawn.pick(style.reals);
        const draw = { real, int: () => drawn.below(9) - 4, bool: () => drawn.below(2) };
        const inputs = new Map(
          program.parameters.map(({ name, value: { type } }, i) => {
            const count = layouts[i] === 'fixed' ? 1 : (rows ? 3 : 1) * (layouts[i] === 'strided' ? 2 : 1) * n;
            return [name, Array.from({ length: count }, draw[type.element])];
          }),
        );
        const plan = lower(program);
        const alone = runOnCpu(plan, inputs, { n }, { precision, chunk: 1 });
        expect(runOnCpu(plan, inputs, { n }, { precision, ...(chunk !== undefined && { chunk }) })).toEqual(alone);
        if (precision === 'f32' || style === rounded) return;
        const expected = [...interpret(program, inputs, { n })].map(([name, { values }]) => [name, [...values]]);
        expect(alone).toEqual(Object.fromEntries(expected));
      },
    ),
    { numRuns: 150 },
  );
});

test('a branch that is not worth running for nothing runs only where a lane takes it', () => {
  const fn = scalarFunction(['real', 'real'], (s, x, y) => {
    const long = (z: typeof x) =>
      Array.from({ length: 9 }).reduce<typeof x>((w) => s.apply('sub', s.apply('mul', w, w), y), z);
    return s.branch(
      s.apply('lt', x, y),
      () => [long(x), s.apply('lt', x, x)],
      () => [long(s.apply('neg', x)), s.apply('eq', x, x)],
    );
  });
  const b = new ProgramBuilder();
  const operands = [b.parameter('x', arrayType('real', ['n'])), b.parameter('y', arrayType('real'))];
  const program = b.finish(b.map(fn, operands).map((value, i) => ({ name: `r${i}`, value })));
  const x = [-1, -1, -1, -1, 1, 1, 1, 1, -1, 1, 1, -1, NaN, 0.5, -0.5];
  const inputs = new Map([
    ['x', x],
    ['y', [0.25]],
  ]);
  const plan = lower(program);
  const expected = [...interpret(program, inputs, { n: x.length })].map(([name, { values }]) => [name, [...values]]);
  expect(runOnCpu(plan, inputs, { n: x.length })).toEqual(Object.fromEntries(expected));
  const alone = runOnCpu(plan, inputs, { n: x.length }, { precision: 'f32', chunk: 1 });
  expect(runOnCpu(plan, inputs, { n: x.length }, { precision: 'f32' })).toEqual(alone);
});

test('a step so long that it is written once gives each of however many items what it gives that item alone', () => {
  // Carries of each type, an input that moves with the items, one that does not and one that is reversed.
  const step = scalarFunction(['real', 'int', 'bool', 'real', 'real', 'real'], (s, x, i, up, moving, fixed, turned) => {
    let [y, z] = [x, moving];
    for (let round = 0; round < 520; round++) {
      [y, z] = [s.apply('add', s.apply('mul', y, fixed), moving), s.apply('sub', s.apply('mul', z, fixed), turned)];
    }
    const chosen = s.branch(
      up,
      () => [s.apply('sqrt', s.apply('abs', y))],
      () => [s.apply('neg', z)],
    );
    return [chosen[0]!, s.apply('add', i, i), s.apply('lt', y, z), y, s.apply('not', up)];
  });
  const b = new ProgramBuilder();
  const over = (name: string, element: ElementType = 'real') => b.parameter(name, arrayType(element, ['n']));
  const emitted = b.emit({
    kind: 'recurrence',
    step,
    shape: [3, 'n'],
    axis: 0,
    reverse: false,
    initial: [over('x'), over('i', 'int'), over('up', 'bool')],
    inputs: [
      b.parameter('moving', arrayType('real', [3, 'n'])),
      b.parameter('fixed', arrayType('real', [3, 1])),
      b.reverse(b.parameter('turned', arrayType('real', [3, 'n'])), 1),
    ],
    invariants: [],
  });
  const plan = lower(b.finish(emitted.map((value, i) => ({ name: `r${i}`, value }))));
  const column = (name: string, n: number, item?: number): number[] => {
    const value = (k: number, t: number): number => {
      if (name === 'i') return k + 1;
      if (name === 'up') return k % 2;
      if (name === 'fixed') return 0.2 * (t + 1);
      return Math.sin(1 + k + 7 * t + name.length);
    };
    const steps = ['x', 'i', 'up'].includes(name) ? 1 : 3;
    const items = name === 'fixed' ? [0] : item === undefined ? Array.from({ length: n }, (_, k) => k) : [item];
    const at = (k: number) => (name === 'turned' && item === undefined ? n - 1 - k : k);
    return Array.from({ length: steps }, (_, t) => items.map((k) => value(at(k), t))).flat();
  };
  const run = (precision: 'f64' | 'f32', n: number, item?: number) => {
    const inputs = new Map(plan.inputs.map(({ name }) => [name, column(name, n, item)]));
    return runOnCpu(plan, inputs, { n: item === undefined ? n : 1 }, { precision });
  };
  for (const precision of ['f64', 'f32'] as const)
    for (const n of [1, 2, 3, 4, 5, 7, 9]) {
      const all = run(precision, n);
      for (let item = 0; item < n; item++) {
        const alone = run(precision, n, item);
        for (const [name, values] of Object.entries(alone))
          expect(values.map((_, t) => all[name]![t * n + item])).toEqual(values);
      }
    }
});
