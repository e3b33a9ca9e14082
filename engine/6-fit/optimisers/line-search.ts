/**
 * A step t along a direction of descent that meets the strong Wolfe conditions
 *
 *     φ(t) ≤ φ(0) + c₁·t·φ′(0),   |φ′(t)| ≤ c₂·|φ′(0)|
 *
 * by bracketing and cubic interpolation (Nocedal & Wright, Numerical Optimization, algorithms 3.5 and 3.6). A point at
 * which φ is not finite is too far. Values that differ by rounding are equal, so that near a minimum, where φ is flat to
 * rounding, the slopes decide (Hager & Zhang 2005, DOI 10.1137/030601880).
 */
const SUFFICIENT = 1e-4;
const CURVATURE = 0.9;
const TRIALS = 30;

interface Trial {
  readonly t: number;
  readonly value: number;
  /** φ′(t). */
  readonly slope: number;
}

/** The trial that meets both conditions; else the best that goes down; undefined where none does. `most`: the last t within bounds. */
export async function lineSearch<T extends Trial>(
  phi: (t: number) => Promise<T>,
  { value, slope }: Omit<Trial, 't'>,
  first: number,
  most: number,
  rounding: number,
): Promise<T | undefined> {
  let best: T | undefined;
  const slack = 2 * rounding * Math.abs(value);
  const goesDown = (trial: Trial): boolean => trial.value <= value + SUFFICIENT * trial.t * slope + slack;
  const isFlat = (trial: Trial): boolean => Math.abs(trial.slope) <= -CURVATURE * slope;
  let low: Trial = { t: 0, value, slope };
  let high: Trial | undefined;
  let t = Math.min(first, most);
  for (let trials = 0; trials < TRIALS; trials++) {
    const trial = await phi(t);
    const finite = Number.isFinite(trial.value) && Number.isFinite(trial.slope);
    if (finite && goesDown(trial) && (!best || trial.value < best.value)) best = trial;
    if (!finite || !goesDown(trial) || trial.value > low.value + slack) high = trial;
    else {
      if (isFlat(trial)) return trial;
      if (!high && trial.slope < 0 && t >= most) return trial;
      // Inside a bracket the minimum lies between the lowest trial and the end towards which φ falls.
      if (high ? trial.slope * (high.t - low.t) >= 0 : trial.slope > 0) high = low;
      low = trial;
    }
    t = high ? between(low, high) : Math.min(2 * t, most);
    if (high && Math.abs(high.t - low.t) <= 1e-12 * Math.max(high.t, low.t)) break;
  }
  return best;
}

/** The minimum of the cubic through both ends, kept off them; the middle where there is none. */
function between(low: Trial, high: Trial): number {
  const width = high.t - low.t;
  const middle = low.t + width / 2;
  if (!Number.isFinite(high.value) || !Number.isFinite(high.slope)) return low.t + width / 10;
  const d1 = low.slope + high.slope - (3 * (low.value - high.value)) / (low.t - high.t);
  const square = d1 * d1 - low.slope * high.slope;
  if (!(square >= 0)) return middle;
  const d2 = Math.sign(width) * Math.sqrt(square);
  const t = high.t - (width * (high.slope + d2 - d1)) / (high.slope - low.slope + 2 * d2);
  const share = (t - low.t) / width;
  return share > 0.05 && share < 0.95 ? t : middle;
}
