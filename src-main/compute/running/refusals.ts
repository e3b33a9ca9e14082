/** What the engine and the models throw, as refusals where the document or the request must answer for it. */
import { DeviceLost, Fault, IrError, OutOfMemory, RuleError, TooLong } from '../../../engine/index.ts';
import { DocumentError, printProblem, type Problem } from '../../../models/notation/problem.ts';
import { Refused } from '../../refused.ts';

/** One sentence: the first error, and how many more there are. */
export function refusedFor(problems: readonly Problem[]): Refused {
  const errors = problems.filter((problem) => problem.severity === 'error');
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new Refused((first ? printProblem(first) : 'the document cannot be used') + more, [...problems]);
}

/** The GPU has gone while it computed: what was asked for can be done on another device. */
export class GpuLost extends Refused {}

/** The error itself where it is a fault of ours. */
export function asRefused(error: unknown): unknown {
  if (error instanceof DocumentError) return refusedFor(error.problems);
  if (error instanceof Fault || error instanceof RuleError) {
    const message = error.origin === undefined ? error.message : `block "${error.origin}": ${error.message}`;
    return new Refused(message, [{ severity: 'error', message, block: error.origin }]);
  }
  if (error instanceof DeviceLost) return new GpuLost(error.message);
  if (error instanceof OutOfMemory || error instanceof TooLong || error instanceof IrError)
    return new Refused(error.message);
  return error;
}
