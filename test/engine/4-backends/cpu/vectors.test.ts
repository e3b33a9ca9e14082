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
