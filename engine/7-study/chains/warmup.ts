/** What a chain learns before its draws count: the step size by dual averaging, the metric from windows that double. */

/**
 * Of trajectories. 0.8 costs the fewest gradients where the curvature is the same everywhere; where a ridge narrows, as that of
 * Michaelis and Menten's constants does, its steps diverge and chains stick.
 */
const ACCEPTANCE = 0.9;

/** Nesterov's dual averaging of log ε towards an acceptance of `target` (Hoffman & Gelman 2014, section 3.2). */
export interface StepSize {
  readonly now: number;
  /** The average, for the draws that count. */
  readonly settled: number;
  learn(acceptance: number): void;
}

export function dualAveraging(first: number, target = ACCEPTANCE): StepSize {
  const [gamma, offset, kappa] = [0.05, 10, 0.75];
  const centre = Math.log(10 * first);
  let logStep = Math.log(first);
  let logAverage = 0;
  let error = 0;
  let count = 0;
  return {
    get now() {
      return Math.exp(logStep);
    },
    get settled() {
      return count === 0 ? first : Math.exp(logAverage);
    },
    learn(acceptance) {
      count++;
      const share = 1 / (count + offset);
      error = (1 - share) * error + share * (target - acceptance);
      logStep = centre - (Math.sqrt(count) / gamma) * error;
      const weight = count ** -kappa;
      logAverage = weight * logStep + (1 - weight) * logAverage;
    },
  };
}

/** At which iterations of the warm-up a window of the metric ends: as Stan's 75 + 25·2ᵏ + 50, in proportion if shorter. */
export function windowEnds(warmup: number): { readonly from: number; readonly ends: readonly number[] } {
  const scale = Math.min(1, warmup / 150);
  const from = Math.floor(75 * scale);
  const last = warmup - Math.floor(50 * scale);
  const ends: number[] = [];
  let size = Math.max(1, Math.floor(25 * scale));
  for (let at = from; at < last; size *= 2) {
    // A last window that the next doubling would not fit into takes all that is left.
    at = at + 3 * size > last ? last : at + size;
    ends.push(at);
  }
  return { from, ends };
}

const fewest = 300;
const most = 1000;

/** As many transitions as draws, but enough to learn by, and no more than that takes. */
export function warmupFor(samples: number): number {
  return Math.min(most, Math.max(fewest, samples));
}
