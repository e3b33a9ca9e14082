/**
 * What goes forward as itself, on dual numbers: y = op(⊙, xs)  ⇒  (y, ẏ) = op(⊙̇, xs, ẋs), op a reduce, scan or
 * segmented-scan.
 */
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import type { ReduceConstruct, ScanConstruct, SegmentedScanConstruct, Value } from '../../0-ir/program.ts';
import type { Derivative } from '../rule.ts';
import { dualInputs, dualOperator, splitDual } from './dual-operator.ts';

export function pushCombining(
  b: ProgramBuilder,
  construct: ReduceConstruct | ScanConstruct | SegmentedScanConstruct,
  tangents: readonly Derivative[],
): { results: Value[]; tangents: Derivative[] } {
  const { operator, moving } = dualOperator(
    construct.operator,
    tangents.map((tangent) => tangent !== undefined),
  );
  const inputs = [...construct.inputs, ...dualInputs(b, moving, tangents)];
  return splitDual(b.emit({ ...construct, operator, inputs }), moving);
}
