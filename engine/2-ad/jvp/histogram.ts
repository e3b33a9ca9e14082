/** hist = histogram(⊙, keys, vs)  ⇒  (hist, hisṫ) = histogram(⊙̇, keys, vs, v̇s), initial contents likewise. */
import type { JvpRule } from '../rule.ts';
import { dualInputs, dualOperator, splitDual } from './dual-operator.ts';

// Operands: keys, the inputs, the initial contents.
export const histogram: JvpRule<'histogram'> = (b, construct, [, ...tangents]) => {
  const d = construct.inputs.length;
  const inputTangents = tangents.slice(0, d);
  const initialTangents = tangents.slice(d);
  const moves = inputTangents.map((tangent, i) => tangent !== undefined || initialTangents[i] !== undefined);
  const { operator, moving } = dualOperator(construct.operator, moves);
  const inputs = [...construct.inputs, ...dualInputs(b, moving, inputTangents)];
  const initial = construct.initial && [...construct.initial, ...dualInputs(b, moving, initialTangents)];
  return splitDual(b.emit({ ...construct, operator, inputs, ...(initial && { initial }) }), moving);
};
