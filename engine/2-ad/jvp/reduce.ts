/**
 * y = reduce(⊙, xs)  ⇒  (y, ẏ) = reduce(⊙̇, xs, ẋs), ⊙̇ on dual numbers;
 * y = reduce(×, xs)  ⇒  ẏ = Σ ẋᵢ · (the product of the others), formed as in reverse mode.
 */
import { builtinOperator, recognise } from '../../0-ir/operators.ts';
import { expandAxis } from '../layout.ts';
import { reducedFactors, seeded, timesOthers } from '../products.ts';
import type { JvpRule } from '../rule.ts';
import { pushCombining } from './combining.ts';

export const reduce: JvpRule<'reduce'> = (b, construct, tangents) => {
  const { operator, inputs, shape, axis } = construct;
  const [tangent] = tangents;
  if (recognise(operator) !== 'multiply' || !tangent) return pushCombining(b, construct, tangents);
  const results = b.emit(construct);
  const all = reducedFactors(b, construct).map((factor) => expandAxis(b, factor, axis));
  const changes = b.map(timesOthers, [...b.map(seeded, [...all, tangent], shape), ...inputs], shape);
  const sum = b.emit({ kind: 'reduce', operator: builtinOperator('add'), shape, axis, inputs: changes });
  return { results, tangents: sum };
};
