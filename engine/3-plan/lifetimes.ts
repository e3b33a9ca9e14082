/** From when to when the contents of each buffer matter, counted in the steps of prepare ++ run. */
import type { PlanBuffer, Step } from './plan.ts';
import { buffersOf } from './step-parts.ts';

/**
 * A result is kept to the end. What `prepare` leaves for `run` is kept to the end too, since `run` is repeated alone.
 * Inputs hold from the beginning.
 */
export function withLifetimes(
  buffers: readonly Omit<PlanBuffer, 'lifetime'>[],
  prepare: readonly Step[],
  run: readonly Step[],
): PlanBuffer[] {
  const steps = [...prepare, ...run];
  const end = Math.max(0, steps.length - 1);
  const first: (number | undefined)[] = [];
  const last: number[] = [];
  steps.forEach((step, at) => {
    const { reads, writes } = buffersOf(step);
    for (const buffer of [...reads, ...writes]) {
      first[buffer] ??= at;
      last[buffer] = at;
    }
  });
  return buffers.map((buffer, id) => {
    const begins = buffer.role === 'input' ? 0 : (first[id] ?? 0);
    const ends = last[id] ?? 0;
    const crosses = begins < prepare.length && ends >= prepare.length;
    return { ...buffer, lifetime: [begins, buffer.role !== 'temporary' || crosses ? end : ends] };
  });
}
