/** Bands of a study of uncertainty, laid along the abscissa of a plot. */
import type { UncertaintyReport } from '../../src-main/contract-studies.ts';
import type { PlotRequest, Values } from './plot-data.ts';
import { chooseAbscissa, groupsOf } from './plot-data.ts';

export interface BandPoint {
  readonly x: number;
  readonly lower: number;
  readonly upper: number;
  /** Of a new observation; NaN where its noise is not estimated. */
  readonly predictionLower: number;
  readonly predictionUpper: number;
}

/** By group, sorted by x; undefined where the report has no band for this prediction and these rows. */
export function bandsAlong(
  request: PlotRequest,
  values: Values,
  { bands = [] }: Pick<UncertaintyReport, 'bands'>,
): ReadonlyMap<number, readonly BandPoint[]> | undefined {
  const band = bands.find(({ output }) => output === request.prediction);
  const rows = values.get(request.observed)?.values.length;
  if (!band || band.value.length !== rows || request.trials !== undefined) return undefined;
  const groupOf = groupsOf(request, values, rows);
  const x = chooseAbscissa(request, values, rows, groupOf);
  const found = new Map<number, BandPoint[]>();
  for (let row = 0; row < rows; row++) {
    const at = (ends: readonly number[]) => (request.link === 'exp' ? Math.exp(ends[row]!) : ends[row]!);
    const point = {
      x: x === undefined ? row : values.get(x)!.values[row]!,
      lower: at(band.lower),
      upper: at(band.upper),
      predictionLower: at(band.predictionLower),
      predictionUpper: at(band.predictionUpper),
    };
    const group = groupOf(row);
    const list = found.get(group);
    if (list) list.push(point);
    else found.set(group, [point]);
  }
  for (const list of found.values()) list.sort((a, b) => a.x - b.x);
  return found;
}
