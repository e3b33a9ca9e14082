/** Of each comparison of a prediction with data its residuals, as plots show them, in the order of the abscissa. */
import { ascending, type Device, numbers } from '../../../engine/index.ts';
import type { Model } from '../../../models/load/model.ts';
import type { Drawing } from '../../../models/plots/drawing.ts';
import { drawingsOf } from '../../../models/plots/drawings.ts';
import { residualOf } from '../../../models/plots/measures.ts';
import type { ParameterValues } from '../running/run.ts';
import { argumentsOf, limitedAt, type Read } from './arguments.ts';
import { createReader, linksOf, plotterOf } from './plots.ts';

export interface Residuals {
  /** The block of misfit. */
  readonly of: string;
  readonly x: Drawing['x'];
  readonly groups: readonly ResidualGroup[];
  /** Residuals that are all smaller tell of rounding and of where the fit stopped, not of the model. */
  readonly least: number;
}

/** Ascending by x, without rows of which either is not finite; of rows at one x the first comes first. */
export interface ResidualGroup {
  readonly key: string | null;
  readonly xAt: (i: number) => number;
  readonly residuals: Float64Array;
  /** Of counts, the deviation that each has been divided by. */
  readonly deviations?: Float64Array;
}

/** Its residuals are of bins, whatever its points are. */
const isBinned = ({ sample, survival }: Drawing): boolean => (sample ?? survival) !== undefined;

/** Throws `Refused` where the run meets a fault. */
export async function residualsAt(model: Model, device: Device, parameters: ParameterValues): Promise<Residuals[]> {
  const drawings = drawingsOf(model);
  const ofRows = drawings.filter((drawing) => !isBinned(drawing));
  const found = await valuesOf(model, device, ofRows, parameters);
  const ofBins = await plottedAt(model, device, drawings.filter(isBinned), parameters);
  return drawings.flatMap((drawing) => {
    if (isBinned(drawing)) return ofBins.filter(({ of }) => of === drawing.comparison.of);
    const i = ofRows.indexOf(drawing);
    return [residualsOf(drawing, (name) => found.get(`${name} ${i}`) ?? [])];
  });
}

async function valuesOf(
  model: Model,
  device: Device,
  drawings: readonly Drawing[],
  parameters: ParameterValues,
): Promise<ReadonlyMap<string, ArrayLike<number>>> {
  const reader = await createReader(model, device, linksOf(drawings));
  try {
    return await reader.at(parameters);
  } finally {
    reader.release();
  }
}

/** Those of bins are few, and taken from the plots: the density of a sample is known along its curve alone. */
async function plottedAt(
  model: Model,
  device: Device,
  drawings: readonly Drawing[],
  parameters: ParameterValues,
): Promise<Residuals[]> {
  if (drawings.length === 0) return [];
  const plotter = await plotterOf(model, device, drawings);
  try {
    const plots = (await plotter.at(parameters)).filter(({ kind }) => kind === 'residuals');
    return plots.map(({ of, x, groups }) => ({
      ...{ of, x, least: 0 },
      groups: groups.map(({ key, points }) => ({
        key,
        xAt: (i) => points.x[i]!,
        residuals: Float64Array.from(points.y),
      })),
    }));
  } finally {
    plotter.release();
  }
}

/** Of what was observed, where the noise is not known; and in units of noise that is. */
const negligible = { ofObserved: 1e-9, ofNoise: 1e-3 };

/** In arrays of numbers: of a million rows there is an object for none. */
function residualsOf(drawing: Drawing, read: Read): Residuals {
  const { comparison, values: x, groups } = drawing;
  const observed = read('observed');
  const { valuesAt } = argumentsOf(drawing, read);
  const limited = limitedAt(drawing, read);
  const { measure } = comparison;
  const residual = residualOf(measure);
  let largest = 0;
  const found = new Float64Array(observed.length);
  const deviations = measure.counts && new Float64Array(observed.length);
  const counts = new Int32Array(groups.labels.length);
  const isSeen = (row: number): boolean => Number.isFinite(x[row]) && Number.isFinite(found[row]);
  for (let row = 0; row < found.length; row++) {
    const [seen, values] = [observed[row]!, valuesAt(row)];
    found[row] = limited(row, seen) ? NaN : residual(seen, values);
    if (deviations) deviations[row] = measure.deviation(...values);
    const group = groups.of[row]!;
    if (!isSeen(row)) continue;
    counts[group] = counts[group]! + 1;
    if (measure.relative) largest = Math.max(largest, Math.abs(seen) / measure.deviation(...values));
  }
  const rows = Array.from(counts, (count) => new Uint32Array(count));
  counts.fill(0);
  for (let row = 0; row < found.length; row++) {
    if (!isSeen(row)) continue;
    const group = groups.of[row]!;
    (rows[group] as Uint32Array)[counts[group]!] = row;
    counts[group] = counts[group]! + 1;
  }
  return {
    ...{ of: comparison.of, x: drawing.x },
    least: measure.relative ? negligible.ofObserved * largest : negligible.ofNoise,
    groups: groups.labels.map((key, group) => {
      const ordered = ascending(x, rows[group]);
      const xAt = (i: number): number => x[ordered[i]!]!;
      const inOrder = (values: Float64Array) => numbers(ordered.length, (i) => values[ordered[i]!]!);
      return { key, xAt, residuals: inOrder(found), ...(deviations && { deviations: inOrder(deviations) }) };
    }),
  };
}
