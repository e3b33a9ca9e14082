/** What `diagnose` tells of a fit with random effects, as plots: a visual predictive check, residuals, and the effects' modes. */
import { Cancelled, type Device } from '../../../engine/index.ts';
import type { Model } from '../../../models/load/model.ts';
import type { Axis, Drawing } from '../../../models/plots/drawing.ts';
import { binned, countsIn } from '../../../models/plots/sample.ts';
import { shownRows } from '../../../models/plots/shown-rows.ts';
import type { FitReport } from '../../contract/contract.ts';
import type { Diagnosis, Diagnostic, Plot, PlotGroup } from '../../contract/plots.ts';
import { Refused } from '../../refused.ts';
import { asRefused } from '../running/refusals.ts';
import { diagnosedDrawings, effectDiagnostics, type Diagnosed, type Drawn } from './effect-diagnostics.ts';

/** As `diagnose` has them unless it is told otherwise. */
const usual = { samples: 1000, seed: 0, level: 0.95 } as const;
/** Of many rows fewer data sets are drawn, and of rows that all hang together no covariance is made: plots are waited for. */
const most = { drawn: 2e6, covariance: 2e10, fewest: 100 } as const;

/** At a fit of this model. */
export async function effectPlots(
  model: Model,
  device: Device,
  fit: Pick<FitReport, 'estimates' | 'random'>,
  { thinned = false, ...running }: { readonly thinned?: boolean } & Drawn = {},
): Promise<Diagnosis> {
  if (!fit.random) return { plots: [], misfits: [], why: null };
  const drawings = diagnosedDrawings(model);
  const rows = drawings.reduce((sum, { values }) => sum + values.length, 0);
  const samples = Math.max(most.fewest, Math.min(usual.samples, Math.floor(most.drawn / rows)));
  try {
    const found = await effectDiagnostics(model, device, fit, {
      ...{ ...usual, ...running },
      samples,
      mostCovariance: most.covariance,
    });
    const ofData = drawings.flatMap((drawing, i) => dataPlots(drawing, found[i]!, { samples, thinned }));
    const misfits = drawings.flatMap((drawing, i) => misfitOf(drawing, found[i]!));
    // Of data sets that are all without a value there is nothing to be drawn.
    const isLost = found.some(({ withoutValue }) => withoutValue === samples);
    const why = isLost ? withoutValueText(samples, samples) : null;
    return { plots: [...ofData, ...modePlots(fit.random)], misfits, why };
  } catch (caught) {
    if (caught instanceof Cancelled) throw new Refused('stopped before all data sets were drawn');
    const error = asRefused(caught);
    if (error instanceof Refused) return { plots: modePlots(fit.random), misfits: [], why: error.message };
    throw error;
  }
}

interface Told {
  readonly samples: number;
  readonly thinned: boolean;
}

function dataPlots(drawing: Drawing, found: Diagnosed, told: Told): Diagnostic[] {
  const { x } = drawing;
  const prediction: Axis = { id: null, label: 'population prediction', unit: drawing.y.unit, scale: 'linear' };
  const residuals = [
    { name: 'cwres', label: 'CWRES', title: 'Conditional weighted residuals', values: found.conditionalResiduals },
    { name: 'npde', label: 'NPDE', title: 'Normalised prediction errors', values: found.predictionErrors },
  ];
  const scattered = residuals.flatMap(({ name, label, title, values }) => {
    if (!values?.some(Number.isFinite)) return [];
    const y: Axis = { id: null, label, unit: '', scale: 'linear' };
    const over = (axis: Axis, places: readonly number[], key: string): Diagnostic => ({
      name: key,
      note: `${label} against ${axis.label}: about 0 and as wide everywhere, nineteen of twenty within ±2, where the model holds`,
      plot: {
        ...shared(drawing, title),
        ...{ kind: 'residuals', x: axis, y, groups: [{ key: null, points: pointsAt(places, values, told) }] },
      },
    });
    return [over(x, found.x.values, name), over(prediction, found.population, `${name}-prediction`)];
  });
  return [...checkPlot(drawing, found, told), ...scattered];
}

const shared = (
  { comparison, prediction }: Pick<Drawing, 'comparison' | 'prediction'>,
  title: string,
): Pick<Plot, 'of' | 'prediction' | 'by' | 'look'> => ({
  ...{ of: comparison.of, prediction: prediction ?? null, by: null, look: { title } },
});

function pointsAt(x: readonly number[], y: readonly number[], { thinned }: Told): PlotGroup['points'] {
  const rows = [...(thinned ? shownRows(y) : y.keys())].filter((i) => Number.isFinite(x[i]) && Number.isFinite(y[i]));
  return { x: rows.map((i) => x[i]!), y: rows.map((i) => y[i]!) };
}

/** The outer quantiles have one colour. */
const looks = [
  { color: 'blue', symbol: 'triangle' },
  { color: 'orange', symbol: 'diamond' },
  { color: 'blue', symbol: 'square' },
] as const;

function checkPlot(drawing: Drawing, found: Diagnosed, told: Told): Diagnostic[] {
  const { x, observed, check = [], withoutValue = 0 } = found;
  const shares = check[0]?.quantiles.map(({ share }) => `${100 * share} %`) ?? [];
  if (shares.length === 0) return [];
  const places = check.map((bin) => bin.x);
  const quantiles = shares.map((key, k): PlotGroup => {
    const along = (figure: 'observed' | 'median' | 'lower' | 'upper') => check.map((bin) => bin.quantiles[k]![figure]);
    return {
      key,
      points: { x: places, y: along('observed') },
      curve: { x: places, y: along('median') },
      band: { level: usual.level, confidence: { lower: along('lower'), upper: along('upper') } },
    };
  });
  const seen: PlotGroup = { key: 'observed', points: pointsAt(x.values, observed, told) };
  return [
    {
      name: 'check',
      note:
        `the ${shares.join(', ')} quantiles of the observations as marks, those of ${told.samples - withoutValue} data sets drawn from the model as lines (medians) and bands (${100 * usual.level} %)` +
        (withoutValue > 0 ? `; ${withoutValueText(withoutValue, told.samples)}` : ''),
      plot: {
        ...shared(drawing, 'Visual predictive check'),
        ...{ kind: 'comparison', x: drawing.x, y: drawing.y, groups: [seen, ...quantiles] },
        look: {
          title: 'Visual predictive check',
          layout: 'one',
          groups: {
            observed: { color: 'grey', symbol: 'circle' },
            ...Object.fromEntries(shares.map((key, k) => [key, looks[k % looks.length]!])),
          },
        },
      },
    },
  ];
}

/** What is said of data sets that the model drew without a value somewhere. */
export const withoutValueText = (count: number, of: number): string =>
  `in ${count} of ${of} data sets the model has somewhere no value, as where a mean of counts scatters below 0: they are left out`;

/** Of each group the mean square of its conditional residuals, which tell of its effects too; where there are none, of the individual ones. */
function misfitOf({ groups, comparison }: Drawing, found: Diagnosed): Diagnosis['misfits'] {
  if (groups.labels.length < 2) return [];
  const residuals = found.conditionalResiduals ?? found.individualResiduals;
  const sums = groups.labels.map(() => ({ rows: 0, squares: 0 }));
  residuals.forEach((residual, row) => {
    const sum = sums[groups.of[row]!];
    if (!sum || !Number.isFinite(residual)) return;
    sum.rows += 1;
    sum.squares += residual ** 2;
  });
  const told = sums.flatMap(({ rows, squares }, g) => {
    const key = groups.labels[g] ?? null;
    return key === null || rows === 0 ? [] : [{ key, rows, meanSquare: squares / rows }];
  });
  return [{ of: comparison.of, groups: told.sort((a, b) => b.meanSquare - a.meanSquare) }];
}

/** Points of a normal's curve, over this many deviations to either side. */
const curve = { points: 121, deviations: 3 } as const;

/** The modes of each effect, counted, and n·width·φ(b/sd)/sd. */
function modePlots(random: NonNullable<FitReport['random']>): Diagnostic[] {
  return Object.entries(random).flatMap(([of, { effects }]) =>
    Object.entries(effects).flatMap(([name, { value, shrinkage }]): Diagnostic[] => {
      const bins = binned(Float64Array.from(value));
      if (!bins) return [];
      const { edges, width } = bins;
      const counts = countsIn(Float64Array.from(value), bins);
      const sd = shrinkage === undefined ? NaN : deviationOf(value, shrinkage);
      const x = Array.from(
        { length: curve.points },
        (_, i) => sd * curve.deviations * ((2 * i) / (curve.points - 1) - 1),
      );
      const height = (b: number) =>
        (value.length * width * Math.exp(-0.5 * (b / sd) ** 2)) / (sd * Math.sqrt(2 * Math.PI));
      const group: PlotGroup = {
        key: null,
        points: { x: counts.map((_, i) => edges[i]! + width / 2), y: counts },
        ...(Number.isFinite(sd) && sd > 0 && { curve: { x, y: x.map(height) } }),
      };
      return [
        {
          name,
          note: `modes of ${name} in ${value.length} groups as bars, the population's normal as a line; ${shrinkageText(shrinkage)}`,
          plot: {
            ...{ of, kind: 'histogram', prediction: null, by: null, edges: Array.from(edges), groups: [group] },
            x: { id: null, label: `mode of ${name}`, unit: '', scale: 'linear' },
            y: { id: null, label: 'groups', unit: '', scale: 'linear' },
            look: { title: `${of}, ${name}` },
          },
        },
      ];
    }),
  );
}

/** That of the population, of which shrinkage is told: 1 − sd(b̂)/sd. */
function deviationOf(modes: readonly number[], shrinkage: number): number {
  const mean = modes.reduce((sum, b) => sum + b, 0) / modes.length;
  const scatter = Math.sqrt(modes.reduce((sum, b) => sum + (b - mean) ** 2, 0) / (modes.length - 1));
  return scatter / (1 - shrinkage);
}

/** From about 30 % on modes say more of the population than of the groups (Savic and Karlsson 2009). */
const muchShrinkage = 0.3;

function shrinkageText(shrinkage: number | undefined): string {
  if (shrinkage === undefined) return 'shrinkage is not known';
  const percent = `shrinkage ${String(Number((100 * shrinkage).toPrecision(3))).replace('-', '−')} %`;
  return shrinkage > muchShrinkage
    ? `${percent}: the data say little of single groups, and modes hide what the effect depends on`
    : percent;
}
