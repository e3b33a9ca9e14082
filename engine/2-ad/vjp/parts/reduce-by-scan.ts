/**
 * y = reduce(⊙, as) is the last prefix of scan(⊙, as), so a rule of scan differentiates it, with all of ȳ at the end.
 */
import type { ProgramBuilder } from '../../../0-ir/builder.ts';
import type { ReduceConstruct } from '../../../0-ir/program.ts';
import { intLiteral, realLiteral } from '../../../0-ir/scalar.ts';
import { expandAxis, indexAlong } from '../../layout.ts';
import type { Derivative } from '../../rule.ts';
import { scanCotangents, type BackwardRecurrence } from './scan-adjoint.ts';

export function reduceByScan(
  b: ProgramBuilder,
  { operator, inputs, shape, axis }: ReduceConstruct,
  backward: BackwardRecurrence,
  cotangents: readonly Derivative[],
): Derivative[] {
  const scan = { operator, inputs, shape, axis, exclusive: false, reverse: false };
  const prefixes = b.emit({ kind: 'scan', ...scan });
  const last = b.reverse(indexAlong(b, shape[axis]!, axis, shape.length), axis);
  const atEnd = cotangents.map(
    (cotangent) =>
      cotangent &&
      b.elementwise(
        [last, expandAxis(b, cotangent, axis)],
        (s, i, v) =>
          s.either(
            s.apply('eq', i, intLiteral(0)),
            () => v,
            () => realLiteral(0),
          ),
        shape,
      ),
  );
  return scanCotangents(b, scan, backward, prefixes, atEnd);
}
