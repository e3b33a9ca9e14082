/** The best point of a descent, which outlives a cancellation that a kernel notices. */
import { Cancelled } from '../0-ir/errors.ts';
import type { Ending, OptimiserOptions } from './problem.ts';

export function track(
  start: Float64Array,
  options: OptimiserOptions,
): { readonly tracked: OptimiserOptions; readonly stopped: (error: unknown) => Ending } {
  let best = start;
  const history: number[] = [];
  return {
    tracked: {
      ...options,
      onIteration(iteration, energy, point) {
        best = point;
        history.push(energy);
        options.onIteration?.(iteration, energy, point);
      },
    },
    stopped(error) {
      if (!(error instanceof Cancelled)) throw error;
      const reason = 'stopped by the user';
      return { status: 'cancelled', reason, point: best, iterations: Math.max(0, history.length - 1), history };
    },
  };
}
