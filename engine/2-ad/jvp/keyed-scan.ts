/** As scan: running values and contents of the bins, on dual numbers. */
import type { JvpRule } from '../rule.ts';
import { dualInputs, dualOperator, splitDual } from './dual-operator.ts';

// Operands: keys, the inputs, the initial contents.
export const keyedScan: JvpRule<'keyed-scan'> = (b, construct, [, ...tangents]) => {
  const d = construct.inputs.length;
  const [inputTangents, initialTangents] = [tangents.slice(0, d), tangents.slice(d)];
  const moves = inputTangents.map((tangent, i) => tangent !== undefined || initialTangents[i] !== undefined);
  const { operator, moving } = dualOperator(construct.operator, moves);
  const inputs = [...construct.inputs, ...dualInputs(b, moving, inputTangents)];
  const initial = construct.initial && [...construct.initial, ...dualInputs(b, moving, initialTangents)];
  const values = b.emit({ ...construct, operator, inputs, ...(initial && { initial }) });
  const [running, totals] = [values.slice(0, values.length / 2), values.slice(values.length / 2)].map((half) =>
    splitDual(half, moving),
  ) as [ReturnType<typeof splitDual>, ReturnType<typeof splitDual>];
  return {
    results: [...running.results, ...totals.results],
    tangents: [...running.tangents, ...totals.tangents],
  };
};
