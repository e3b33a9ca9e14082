/** Where the fit of a population begins: all readings as of one subject, over a grid of rates, the volume by least squares. */
import type { Exposure } from './exposures.ts';
import type { Reading } from './records.ts';

export interface Start {
  readonly V: number;
  readonly ke: number;
  /** Of absorption; none where doses go into the blood. */
  readonly ka: number | undefined;
  readonly sigma: number;
  readonly squares: number;
}

/** Of so many pairs of a reading and a dose the first suffice. */
const pairs = 5000;
const steps = 16;

export function startOf(readings: readonly Reading[], exposures: readonly Exposure[], oral: boolean): Start {
  const first = exposures.slice(0, pairs);
  const count = first.length < exposures.length ? (first.at(-1)?.reading ?? 0) : readings.length;
  const used = first.filter(({ reading }) => reading < count);
  const longest = used.reduce((most, { since }) => Math.max(most, since), 0) || 1;
  const grid = (from: number, to: number): number[] =>
    Array.from({ length: steps }, (_, i) => from * (to / from) ** (i / (steps - 1)));
  let best: Start | undefined;
  for (const ke of grid(0.1 / longest, 30 / longest))
    for (const ka of oral ? grid(1.2 * ke, 100 * ke) : [undefined]) {
      const shape = new Float64Array(count);
      for (const { reading, ...each } of used) shape[reading]! += unitCurve(each, ke, ka);
      const [within, across] = shape.reduce(
        ([ss, sy], s, i) => [ss + s * s, sy + s * (readings[i]?.value ?? 0)] as const,
        [0, 0] as readonly [number, number],
      );
      if (!(within > 0 && across > 0)) continue;
      const V = within / across;
      const squares = shape.reduce((sum, s, i) => sum + (s / V - (readings[i]?.value ?? 0)) ** 2, 0);
      if (!best || squares < best.squares) best = { V, ke, ka, squares, sigma: Math.sqrt(squares / count) || 1 };
    }
  return best ?? { V: 1, ke: 1 / longest, ka: oral ? 5 / longest : undefined, sigma: 1, squares: Infinity };
}

/** The concentration in a volume of 1. */
function unitCurve({ amount, lasting, since }: Omit<Exposure, 'reading'>, ke: number, ka: number | undefined): number {
  if (ka !== undefined) return ((amount * ka) / (ka - ke)) * (Math.exp(-ke * since) - Math.exp(-ka * since));
  if (lasting === 0) return amount * Math.exp(-ke * since);
  return (amount / (lasting * ke)) * (Math.exp(-ke * Math.max(since - lasting, 0)) - Math.exp(-ke * since));
}
