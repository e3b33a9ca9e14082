/** How many scalars of each operator's Jacobian are stored, of d². The paper's special cases by name. */
import { describe, expect, it } from 'vitest';
import { builtinOperator, productOperator, type Operator } from '../../../engine/0-ir/operators.ts';
import { closedStructure, wholeStructure } from '../../../engine/2-ad/structure.ts';
import { linearComposition } from '../../../engine/2-ad/vjp/parts/linear-composition.ts';
import { evaluateScalar } from '../../../engine/4-backends/reference/scalar/evaluate.ts';
import { randomNumbers } from '../../support/derivatives.ts';
import { affine, complexProduct, linFnComp, matMul, moments, satAdd, sumOfProd } from '../../support/operators.ts';

const triple = productOperator([builtinOperator('add'), builtinOperator('multiply'), builtinOperator('max')]);

const cases: readonly (readonly [name: string, operator: Operator, stored: number, of: number])[] = [
  ['+ (no class is left: lin_o is addition)', builtinOperator('add'), 0, 1],
  ['×', builtinOperator('multiply'), 1, 1],
  ['min', builtinOperator('min'), 1, 1],
  ['satAdd', satAdd, 1, 1],
  ['linFnComp (RBDS: two equal blocks of 1 × 1)', linFnComp, 1, 4],
  ['sumOfProd', sumOfProd, 1, 4],
  ['complex product', complexProduct, 2, 4],
  ['(+, ×, max) (BDS: three blocks)', triple, 2, 9],
  ['merging of (count, mean, M2)', moments, 4, 9],
  ['affine maps of the plane (RBDS)', affine(2), 4, 36],
  ['matMul 2×2 (RBDS)', matMul(2), 4, 16],
  ['matMul 3×3 (RBDS)', matMul(3), 9, 81],
  ['matMul 4×4 (RBDS)', matMul(4), 16, 256],
  ['matMul 5×5 (RBDS)', matMul(5), 25, 625],
];

describe('the closed structure', () => {
  it.each(cases)('of %s', (_, operator, stored, of) => {
    const structure = closedStructure(operator);
    expect([structure.representatives.length, structure.entries.length]).toEqual([stored, of]);
  });

  it.each(cases)('of %s composes as whole matrices do', (_, operator) => {
    const structure = closedStructure(operator);
    const { d, entries, representatives } = structure;
    const random = randomNumbers(7);
    const element = (): { b: number[]; classes: number[] } => ({
      b: Array.from({ length: d }, () => random() * 2 - 1),
      classes: representatives.map(() => random() * 2 - 1),
    });
    const whole = (classes: readonly number[]): number[] =>
      entries.map((entry) => (entry.kind === 'constant' ? entry.value : entry.sign * classes[entry.index]!));
    const [left, right] = [element(), element()];
    const small = evaluateScalar(linearComposition(structure).combine, [
      ...left.b,
      ...left.classes,
      ...right.b,
      ...right.classes,
    ]);
    const large = evaluateScalar(linearComposition(wholeStructure(operator)).combine, [
      ...left.b,
      ...whole(left.classes),
      ...right.b,
      ...whole(right.classes),
    ]);
    const found = [...small.slice(0, d), ...whole(small.slice(d))];
    found.forEach((value, i) => expect(value).toBeCloseTo(large[i]!, 12));
  });
});

it('composes through a Jacobian that has overflown, where nothing flows', () => {
  // x' = 3x + u with u = 0 until the last of 2048 steps, composed as a tree: 3^1024 is infinite.
  const { combine } = linearComposition(wholeStructure(builtinOperator('multiply')));
  let level = Array.from({ length: 2048 }, (_, t) => [t === 2047 ? 1 : 0, 3]);
  while (level.length > 1)
    level = level.flatMap((left, i) =>
      i % 2 === 0 ? [evaluateScalar(combine, [...left, ...(level[i + 1] ?? [])])] : [],
    );
  expect(level).toEqual([[1, Infinity]]);
});
