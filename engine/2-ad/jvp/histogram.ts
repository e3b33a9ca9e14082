/**
 * hist = histogram(⊙, keys, vs)  ⇒  (hist, hisṫ) = histogram(⊙̇, keys, vs, v̇s), initial contents likewise;
 * of ×, hisṫ = histogram(+) of v̇ᵢ · (the product of the others in its bin), formed as in reverse mode.
 */
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import { builtinOperator, recognise } from '../../0-ir/operators.ts';
import type { HistogramConstruct, Value } from '../../0-ir/program.ts';
import { binnedFactors, seeded, timesOthers } from '../products.ts';
import type { Derivative, JvpRule } from '../rule.ts';
import { dualInputs, dualOperator, splitDual } from './dual-operator.ts';

// Operands: keys, the inputs, the initial contents.
export const histogram: JvpRule<'histogram'> = (b, construct, [, ...tangents]) => {
  const d = construct.inputs.length;
  const inputTangents = tangents.slice(0, d);
  const initialTangents = tangents.slice(d);
  if (recognise(construct.operator) === 'multiply') return products(b, construct, inputTangents[0], initialTangents[0]);
  const moves = inputTangents.map((tangent, i) => tangent !== undefined || initialTangents[i] !== undefined);
  const { operator, moving } = dualOperator(construct.operator, moves);
  const inputs = [...construct.inputs, ...dualInputs(b, moving, inputTangents)];
  const initial = construct.initial && [...construct.initial, ...dualInputs(b, moving, initialTangents)];
  return splitDual(b.emit({ ...construct, operator, inputs, ...(initial && { initial }) }), moving);
};

function products(
  b: ProgramBuilder,
  construct: HistogramConstruct,
  tangent: Derivative,
  initialTangent: Derivative,
): { results: Value[]; tangents: Derivative[] } {
  const { keys, bins, batch, shape, inputs, initial } = construct;
  const results = b.emit(construct);
  const all = binnedFactors(b, construct);
  const begun =
    initial && initialTangent && b.map(timesOthers, [...b.map(seeded, [...all, initialTangent]), ...initial]);
  if (!tangent) return { results, tangents: begun ?? [] };
  const atKeys = all.map((factor) => b.gather(factor, keys, 'zero', batch));
  const changes = b.map(timesOthers, [...b.map(seeded, [...atKeys, tangent], shape), ...inputs], shape);
  const add = builtinOperator('add');
  const sum = b.emit({
    ...{ kind: 'histogram', operator: add, keys, bins, batch, shape, inputs: changes },
    ...(begun && { initial: begun }),
  });
  return { results, tangents: sum };
}
