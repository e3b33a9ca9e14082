/** Rates of learning, iteration by iteration. */

/** A rate for an iteration, given how long ago the best point was found; 0 ends it. */
export type Schedule = () => (sinceBest: number) => number;

/** Halves the rate after so many iterations without a better point, down to `least`. */
export const onPlateau: (first?: number, patience?: number, least?: number) => Schedule =
  (first = 0.05, patience = 50, least = 1e-8) =>
  () => {
    let rate = first;
    let waited = 0;
    return (sinceBest) => {
      waited = sinceBest === 0 ? 0 : waited + 1;
      if (waited >= patience) {
        rate /= 2;
        waited = 0;
      }
      return rate < least ? 0 : rate;
    };
  };

/** Of the share of the iterations that is done. */
const shares = {
  constant: () => 1,
  /** From 1 to 0 along half a cosine (Loshchilov & Hutter 2017, arXiv:1608.03983). */
  cosine: (share: number) => (1 + Math.cos(Math.PI * share)) / 2,
  /** Halved after each tenth. */
  step: (share: number) => 0.5 ** Math.floor(10 * share),
} as const;

export type ScheduleName = 'plateau' | keyof typeof shares;

export interface ScheduleOptions {
  readonly schedule?: ScheduleName | undefined;
  /** At the beginning, in units of the start's size. */
  readonly rate?: number | undefined;
}

/** Over so many iterations; without a name, or on a plateau, as many as it takes. */
export function scheduled(
  { schedule: name = 'plateau', rate: first = 0.05 }: ScheduleOptions,
  iterations: number,
): Schedule {
  if (name === 'plateau') return onPlateau(first);
  return () => {
    let iteration = 0;
    return () => (iteration >= iterations ? 0 : first * Math.max(shares[name](iteration++ / iterations), 1e-12));
  };
}
