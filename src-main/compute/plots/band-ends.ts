/** Where a band lies on the scale of the observations, of an estimate's deviation on the prediction's own. */
import type { Measure } from '../../../models/plots/measures.ts';
import { predictiveInterval } from '../../../models/plots/predictive.ts';
import type { PlotGroup } from '../../contract/plots.ts';
import type { Around } from './plot-bands.ts';

/** Where a band is computed: which element of the prediction, and the arguments of the measure there. */
export interface Place {
  readonly x: number;
  readonly element: number;
  readonly values: readonly number[];
}

export type Leveled = Around & { readonly level: number };
type Band = NonNullable<PlotGroup['band']>;

/**
 * Ends are taken on the prediction's own scale and carried to that of the observations. None where none is known. `at`:
 * which argument is the prediction.
 */
export function bandAt(measure: Measure, at: number, places: readonly Place[], band: Leveled): Band | undefined {
  const ends = places.map(({ element, values }) => {
    const half = band.half[band.half.length === 1 ? 0 : element] ?? NaN;
    const centre = values[at]!;
    const expected = (prediction: number): number => measure.expected(...values.with(at, prediction));
    const [lower, upper] = [expected(centre - half), expected(centre + half)];
    return { lower, upper, wide: wideAt(measure, values, { at, half, lower, upper }, band) };
  });
  const confidence = { lower: ends.map(({ lower }) => lower), upper: ends.map(({ upper }) => upper) };
  if (!ends.some(({ lower, upper }) => Number.isFinite(lower) && Number.isFinite(upper))) return undefined;
  const known = ends.some(({ wide }) => wide.every(Number.isFinite));
  const prediction = { lower: ends.map(({ wide }) => wide[0]), upper: ends.map(({ wide }) => wide[1]) };
  const held = band.held.length > 0 && { held: [...band.held] };
  return { level: band.level, confidence, ...(known && { prediction }), ...held };
}

/** Between which one more observation lies. */
function wideAt(
  measure: Measure,
  values: readonly number[],
  { at, half, lower, upper }: { readonly [K in 'at' | 'half' | 'lower' | 'upper']: number },
  { quantile, variance, level }: Leveled,
): readonly [lower: number, upper: number] {
  const centre = values[at]!;
  const [expected, deviation] = [measure.expected(...values), measure.deviation(...values)];
  if (measure.distribution !== 'normal') {
    const [standardError, shift] = [half / quantile, Math.abs(upper - lower) / (2 * quantile)];
    return predictiveInterval(measure.distribution, { values, at, standardError, shift, expected, deviation }, level);
  }
  const noise = quantile ** 2 * (measure.relative ? variance : 1) * deviation ** 2;
  if (measure.scale) {
    const wide = Math.sqrt(half ** 2 + noise);
    return [measure.scale.from(centre - wide), measure.scale.from(centre + wide)];
  }
  return [expected - Math.sqrt((expected - lower) ** 2 + noise), expected + Math.sqrt((upper - expected) ** 2 + noise)];
}

/** With so many points after the others, of which nothing is known. */
export function beyond(band: Band, count: number): Band {
  const longer = ({ lower, upper }: Band['confidence']): Band['confidence'] => {
    const unknown = new Array<number>(count).fill(NaN);
    return { lower: [...lower, ...unknown], upper: [...upper, ...unknown] };
  };
  const { confidence, prediction } = band;
  return { ...band, confidence: longer(confidence), ...(prediction && { prediction: longer(prediction) }) };
}
