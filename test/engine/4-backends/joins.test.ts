/** Both backends hold the same operators for certain where parts meet, and the same ones for the same. */
import { describe, expect, it } from 'vitest';
import { isCertain, mayLose } from '../../../engine/0-ir/certainty.ts';
import { factorsOperator } from '../../../engine/0-ir/factors.ts';
import { liftedMinMax } from '../../../engine/0-ir/lifted-min-max.ts';
import { builtinOperator, flipped, productOperator, type Operator } from '../../../engine/0-ir/operators.ts';
import { realLiteral } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import { sameOperator } from '../../../engine/1-optimize/scalar/same-operator.ts';
import { doubtfulPart, isRegroupable } from '../../../engine/4-backends/cpu/combine/known-operators.ts';
import { atomicForm } from '../../../engine/4-backends/webgpu/histogram/atomic-form.ts';
import { mayBeInDoubt } from '../../../engine/4-backends/webgpu/combine/joins.ts';

/** x ↦ a·x + b, composed. */
const affine: Operator = {
  combine: scalarFunction(['real', 'real', 'real', 'real'], (s, b1, c1, b2, c2) => [
    s.apply('add', b2, s.apply('mul', c2, b1)),
    s.apply('mul', c2, c1),
  ]),
  neutral: [0, 1],
  commutative: false,
};

const [add, multiply, min, max, logaddexp] = (['add', 'multiply', 'min', 'max', 'logaddexp'] as const).map((name) =>
  builtinOperator(name),
) as [Operator, Operator, Operator, Operator, Operator];

/** What each component may lose. */
const table: readonly (readonly [string, Operator, readonly boolean[]])[] = [
  ['add', add, [false]],
  ['min', min, [false]],
  ['max', max, [false]],
  ['logaddexp', logaddexp, [false]],
  ['multiply', multiply, [true]],
  ['multiply of ints', builtinOperator('multiply', 'int'), [false]],
  ['sums beside products', productOperator([add, multiply]), [false, true]],
  ['logaddexp beside a maximum', productOperator([logaddexp, max]), [false, false]],
  ['affine functions', affine, [true, true]],
];

describe.each(table)('%s', (_, operator, lost) => {
  it('is certain, or not, on every backend', () => {
    const certain = !lost.includes(true);
    expect(mayLose(operator)).toEqual(lost);
    expect(isCertain(operator)).toBe(certain);
    expect(mayBeInDoubt(operator)).toBe(!certain);
    if (isRegroupable(operator)) expect(doubtfulPart(operator) === undefined).toBe(certain);
  });
});

describe('an operator is the same', () => {
  const swappedSum: Operator = {
    combine: scalarFunction(['real', 'real'], (s, x, y) => [s.apply('add', s.apply('mul', x, realLiteral(1)), y)]),
    neutral: [0],
    commutative: true,
  };
  it.each([
    ['written with a factor of 1', add, swappedSum, true],
    ['as itself turned round', affine, flipped(affine), false],
    ['with a neutral zero of the other sign', add, { ...add, neutral: [-0] }, false],
    ['with a component more', add, productOperator([add, add]), false],
    ['as the lifted minimum', liftedMinMax('min'), liftedMinMax('min'), true],
    ['as the lifted maximum', liftedMinMax('min'), liftedMinMax('max'), false],
    ['as factors', factorsOperator, factorsOperator, true],
  ] as const)('%s', (_, a, b, same) => {
    expect(sameOperator(a, b)).toBe(same);
    expect(sameOperator(b, a)).toBe(same);
  });

  it('for the passes by atomics too', () => {
    expect(atomicForm(liftedMinMax('max'))).toHaveLength(2);
    expect(atomicForm({ ...liftedMinMax('max'), neutral: [0, -Infinity] })).toBeUndefined();
  });
});
