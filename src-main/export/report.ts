/** A report: one HTML file that needs nothing beside it. What was fitted to what, by which formulas, and how well. */
import type { Device } from '../../engine/index.ts';
import { hashDocument } from '../../models/format/hash.ts';
import { outputAt, type CheckedBlock, type Link } from '../../models/load/checked.ts';
import { parametersOf, type Model } from '../../models/load/model.ts';
import { createEvaluator, type ParameterValues } from '../compute/evaluate.ts';
import type { ArrayValue, FitReport } from '../contract.ts';
import { describeBlock, titleOf } from './model-program.ts';
import { escapeHtml, plotSvg, type Series } from './report-plot.ts';
import { reportStyle } from './report-style.ts';

export interface ReportRequest {
  readonly model: Model;
  /** Shown where it is one of this very document. */
  readonly fit: FitReport | null;
  /** Where values are taken; at the fit's end point where there is one, for parameters that are not named. */
  readonly parameters: ParameterValues;
  readonly version: string;
  readonly date: Date;
}

export async function reportHtml(request: ReportRequest, device: Device): Promise<string> {
  const { model, version, date } = request;
  const fit = request.fit?.documentHash === hashDocument(model.document) ? request.fit : null;
  const at = { ...(fit && fittedValues(fit)), ...request.parameters };
  const title = escapeHtml(titleOf(model));
  const day = date.toISOString().slice(0, 10);
  const sections = [
    section('Fit', fit ? fitTable(fit) : notFitted(model, request.fit !== null)),
    section('Plots', (await plots(model, at, device)).join('\n')),
    section('Model', blockTable(model)),
    section('Data', dataTable(model)),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${reportStyle}</style>
</head>
<body>
<header><h1>${title}</h1><p>${day} · Cotangent ${escapeHtml(version)} · computed on ${escapeHtml(device.kind)} ${escapeHtml(device.precision)}</p></header>
${sections.filter((part) => part !== '').join('\n')}
</body>
</html>
`;
}

const section = (title: string, body: string): string =>
  body === '' ? '' : `<section><h2>${title}</h2>\n${body}\n</section>`;

type Cell = string | number | undefined;

/** Numbers to seven digits, at the right; a column in which nothing stands is left out. */
function table(titles: readonly string[], cells: readonly (readonly Cell[])[]): string {
  const used = titles.map((_, column) => cells.some((row) => row[column] !== undefined && row[column] !== ''));
  const [head = [], ...rows] = [titles, ...cells].map((row) => row.filter((_, column) => used[column]));
  const cell = (value: Cell): string => {
    if (typeof value !== 'number') return `<td>${escapeHtml(value ?? '')}</td>`;
    const text = Number.isNaN(value)
      ? '–'
      : Number.isInteger(value)
        ? String(value)
        : String(Number(value.toPrecision(7)));
    return `<td class="number">${text}</td>`;
  };
  const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n');
  return `<div class="wide"><table><thead><tr>${head.map((each) => `<th>${escapeHtml(String(each))}</th>`).join('')}</tr></thead>\n<tbody>${body}</tbody></table></div>`;
}

/** Each parameter's elements, in row-major order as they are reported. */
function fittedValues(fit: FitReport): Record<string, number[]> {
  const values = new Map<string, number[]>();
  for (const { block, value } of fit.estimates) values.set(block, [...(values.get(block) ?? []), value]);
  return Object.fromEntries(values);
}

/** What an estimate is worth, in a word or two. */
function verdict(estimate: FitReport['estimates'][number]): string {
  if (estimate.fixed) return 'fixed';
  if (estimate.atBound) return `at its ${estimate.atBound} bound`;
  if (!Number.isFinite(estimate.standardError)) return 'not determined';
  return estimate.lower95 <= 0 && estimate.upper95 >= 0 ? 'not told apart from 0' : 'determined';
}

function fitTable(fit: FitReport): string {
  const rows = fit.estimates.map((estimate) => [
    estimate.name,
    estimate.value,
    estimate.standardError,
    estimate.lower95,
    estimate.upper95,
    verdict(estimate),
  ]);
  const figures = `${fit.status}: ${fit.reason}. Objective ${Number(fit.objective.toPrecision(10))}, ${fit.iterations} iterations, ${fit.evaluations} evaluations, ${fit.device} ${fit.precision}, ${fit.finishedAt}.`;
  const head = ['parameter', 'value', 'standard error', 'lower 95 %', 'upper 95 %', 'verdict'];
  return `<p>${escapeHtml(figures)}</p>\n${table(head, rows)}`;
}

function notFitted(model: Model, stale: boolean): string {
  const parameters = parametersOf(model);
  if (parameters.length === 0) return '';
  const said = stale ? 'The last fit was of another version of this document.' : 'This model has not been fitted.';
  const rows = parameters.map(({ id, initial, lower, upper, fixed }) => [
    id,
    initial.length === 1 ? initial[0] : `[${initial.join(', ')}]`,
    lower.every((value) => value === lower[0]) ? lower[0] : 'by element',
    upper.every((value) => value === upper[0]) ? upper[0] : 'by element',
    fixed ? 'fixed' : '',
  ]);
  return `<p>${said}</p>\n${table(['parameter', 'initial', 'lower', 'upper', ''], rows)}`;
}

function blockTable(model: Model): string {
  const rows = model.graph.nodes.map(({ id, block }) => {
    const outputs = model.blocks.get(id)?.outputs ?? [];
    const shapes = outputs.map(({ name, element, sizes }) => {
      const shape = sizes.length === 0 ? '' : `[${sizes.map(({ value }) => value).join(', ')}]`;
      return `${name === '' ? '' : `${name}: `}${element}${shape}`;
    });
    return [id, describeBlock(block), shapes.join(', '), block.unit ?? '', block.note ?? ''];
  });
  return table(['block', 'what it is', 'value', 'unit', 'note'], rows);
}

function dataTable(model: Model): string {
  const rows = [...model.blocks].flatMap(([id, { node, outputs }]) => {
    const [output] = outputs;
    if (node.block.kind !== 'column' || !output?.data) return [];
    const values = Array.from(output.data).filter((value) => !Number.isNaN(value));
    const missing = output.data.length - values.length;
    if (output.category)
      return [[id, node.block.table, output.data.length, missing, `${output.category.length} labels`, '', '']];
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const [low, high] = values.reduce(
      ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
      [Infinity, -Infinity],
    );
    return [[id, node.block.table, output.data.length, missing, low, mean, high]];
  });
  return rows.length === 0 ? '' : table(['column', 'table', 'rows', 'missing', 'least', 'mean', 'largest'], rows);
}

interface Comparison {
  readonly id: string;
  readonly prediction: string;
  readonly observed: string;
  readonly x: string | undefined;
}

/** Observed and predicted of every least-squares block at the top level, and what is left between them. */
async function plots(model: Model, at: ParameterValues, device: Device): Promise<string[]> {
  const comparisons = [...model.blocks].flatMap(([id, checked]) => comparisonOf(model, id, checked));
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
  const residuals = Array.from(seen, (value, i) => (predicted[i] ?? NaN) - value);
  const figure = (svg: string | undefined, caption: string): string[] =>
    svg === undefined ? [] : [`<figure>${svg}<figcaption>${escapeHtml(caption)}</figcaption></figure>`];
  return [
    ...figure(plotSvg(series, x ?? 'row', observed), `${id}: ${observed} as points, ${prediction} as predicted`),
    ...figure(
      plotSvg([{ x: xs, y: residuals, kind: 'points' }], x ?? 'row', 'residual'),
      `${id}: ${prediction} − ${observed}`,
    ),
  ];
}

function comparisonOf(model: Model, id: string, { node, links }: CheckedBlock): Comparison[] {
  const [prediction, observed] = [links.get('prediction'), links.get('observed')];
  if (node.block.kind !== 'least-squares' || !prediction || !observed) return [];
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
