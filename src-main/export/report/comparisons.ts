/** What a model predicts beside what was observed: of every least-squares block, and of likelihoods with a mean. */
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import type { Device } from '../../../engine/index.ts';
import { outputAt, type CheckedBlock, type Link } from '../../../models/load/checked.ts';
import type { Model } from '../../../models/load/model.ts';
import { createEvaluator, type ParameterValues } from '../../compute/evaluate.ts';
import type { ArrayValue } from '../../contract.ts';
import { figure } from './html.ts';
import { plotSvg, type Series } from './plot.ts';

export interface Comparison {
  readonly id: string;
  readonly prediction: string;
  readonly observed: string;
  readonly x: string | undefined;
}

/** Those at the top level whose two sides are lists. */
export function comparisonsOf(model: Model): Comparison[] {
  return [...model.blocks].flatMap(([id, checked]) => comparisonOf(model, id, checked));
}

/** Curve, residuals and Q–Q plot of each, at these values of the parameters. */
export async function comparisonPlots(
  model: Model,
  comparisons: readonly Comparison[],
  at: ParameterValues,
  device: Device,
): Promise<string[]> {
  if (comparisons.length === 0) return [];
  const outputs = comparisons.flatMap(({ prediction, observed, x }) => [
    prediction,
    observed,
    ...(x === undefined ? [] : [x]),
  ]);
  const evaluator = await createEvaluator(model, outputs, device);
  try {
    const values = await evaluator.at(at);
    return comparisons.flatMap((comparison) => plotsOf(comparison, values));
  } finally {
    evaluator.release();
  }
}

function plotsOf({ id, prediction, observed, x }: Comparison, values: ReadonlyMap<string, ArrayValue>): string[] {
  const [predicted, seen] = [values.get(prediction)?.values ?? [], values.get(observed)?.values ?? []];
  const xs = (x === undefined ? undefined : values.get(x)?.values) ?? Array.from(seen, (_, i) => i);
  const series: Series[] = [
    { x: xs, y: predicted, kind: new Set(xs).size === xs.length ? 'line' : 'points' },
    { x: xs, y: seen, kind: 'points' },
  ];
  const residuals = Array.from(seen, (value, i) => value - (predicted[i] ?? NaN));
  return [
    figure(plotSvg(series, x ?? 'row', observed), `${id}: ${observed} as points, ${prediction} as predicted`),
    figure(
      plotSvg([{ x: xs, y: residuals, kind: 'points' }], x ?? 'row', 'residual'),
      `${id}: residuals, ${observed} − ${prediction}`,
    ),
    figure(quantilePlot(residuals), `${id}: Q–Q plot; the residuals of normal noise lie on the line`),
  ];
}

/** Sorted residuals against normal quantiles at the plotting positions of Blom (1958), with the line through the quartiles. */
function quantilePlot(residuals: readonly number[]): string | undefined {
  const sorted = residuals.filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length < 4) return undefined;
  const x = sorted.map((_, i) => normalQuantile((i + 1 - 0.375) / (sorted.length + 0.25), 0, 1));
  const quartile = (of: readonly number[], share: number): number => of[Math.round(share * (of.length - 1))] as number;
  const slope = (quartile(sorted, 0.75) - quartile(sorted, 0.25)) / (quartile(x, 0.75) - quartile(x, 0.25));
  const line = x.map((at) => quartile(sorted, 0.25) + slope * (at - quartile(x, 0.25)));
  return plotSvg(
    [
      { x, y: line, kind: 'line' },
      { x, y: sorted, kind: 'points' },
    ],
    'normal quantile',
    'residual',
  );
}

function comparisonOf(model: Model, id: string, { node, links }: CheckedBlock): Comparison[] {
  const { block } = node;
  const side = block.kind === 'least-squares' ? 'prediction' : block.kind === 'likelihood' ? 'mean' : undefined;
  const [prediction, observed] = [side === undefined ? undefined : links.get(side), links.get('observed')];
  // The mean of a log-normal is of the logarithm: its curve would be another's.
  if (!prediction || !observed || (block.kind === 'likelihood' && block.family === 'log-normal')) return [];
  const names = [referenceTo(model, prediction), referenceTo(model, observed)] as const;
  const shape = [prediction, observed].map((link) => outputAt(model, link).sizes);
  if (names[0] === undefined || names[1] === undefined || shape.some((sizes) => sizes.length !== 1)) return [];
  return [{ id, prediction: names[0], observed: names[1], x: abscissa(model, prediction, observed.block) }];
}

/** `id` or `id.output`; undefined for what lies within a group. */
function referenceTo(model: Model, link: Link): string | undefined {
  const { name } = outputAt(model, link);
  return link.block.includes('/') ? undefined : name === '' ? link.block : `${link.block}.${name}`;
}

/** The nearest column of numbers that the prediction is made from, as long as it. */
function abscissa(model: Model, prediction: Link, observed: string): string | undefined {
  const length = outputAt(model, prediction).sizes[0]?.value;
  const seen = new Set<string>();
  const pending = [prediction.block];
  for (let id = pending.shift(); id !== undefined; id = pending.shift()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const checked = model.blocks.get(id);
    const [output] = checked?.outputs ?? [];
    const fits =
      checked?.node.block.kind === 'column' && output?.element === 'real' && output.sizes[0]?.value === length;
    if (fits && id !== observed && !id.includes('/') && new Set(output.data).size > 1) return id;
    for (const link of checked?.links.values() ?? []) pending.push(link.block);
  }
  return undefined;
}
