/** Runs that gave no finite number: counted, and the first of them kept with their points. */
import type { EnsembleFault } from '../../6-fit/ensembles/ensemble.ts';
import type { FailedRun } from './problem.ts';

const mostKept = 10;

export interface Failures {
  /** Whether every one of these values of a member is finite; counts the member as failed where not. */
  finite(member: number, values: ArrayLike<number>): boolean;
  /** Begins a new batch, whose members these points and faults belong to. */
  batch(points: Float64Array, faults: readonly EnsembleFault[]): void;
  readonly count: number;
  readonly kept: readonly FailedRun[];
}

export function failureCount(width: number): Failures {
  let count = 0;
  const kept: FailedRun[] = [];
  let batchPoints = new Float64Array(0);
  let messages = new Map<number, string>();
  return {
    get count() {
      return count;
    },
    kept,
    batch(points, faults) {
      batchPoints = points as Float64Array<ArrayBuffer>;
      messages = new Map(faults.map(({ member, message }) => [member, message]));
    },
    finite(member, values) {
      const bad = Array.prototype.findIndex.call(values, (value: number) => !Number.isFinite(value));
      if (bad < 0) return true;
      count++;
      if (kept.length < mostKept) {
        const point = [...batchPoints.subarray(member * width, (member + 1) * width)];
        kept.push({ point, reason: messages.get(member) ?? `the result is ${values[bad]}` });
      }
      return false;
    },
  };
}
