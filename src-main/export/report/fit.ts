/** The last fit: how it ended, what it found, and how it got there. */
import { openBeyond, reachOf, reachOfDistribution } from '../../../models/facts/supports.ts';
import { parametersOf, type Model } from '../../../models/load/model.ts';
import { outerParameters } from '../../compute/fit/marginal.ts';
import type { FitReport } from '../../contract/contract.ts';
import { convergedSentence, minimaSentence } from '../../contract/starts.ts';
import type { StudyReport } from '../../contract/studies.ts';
import {
  bestOfQuantity,
  bestVerdicts,
  determinedSentence,
  missedSentence,
  verdictText,
} from '../../contract/verdicts.ts';
import { type Cell, figure, numberText, paragraph, table, within } from '../html.ts';
import { matrixSvg, plotSvg } from './plot.ts';

/** Limits and verdicts are by the best of the studies that stand beside the fit. */
export function fitParts(fit: FitReport, model: Model, studies: readonly StudyReport[]): string[] {
  const known = bestVerdicts(fit, studies);
  const units = new Map([...model.blocks].map(([id, { node }]) => [id, node.block.unit ?? '']));
  const opened = fit.estimates.map(openedBy(model));
  const rows = fit.estimates.map((estimate, i) => [
    estimate.name,
    ...figuresOf({ ...opened[i]!, ...known[i]! }),
    units.get(estimate.block),
    verdictText(known[i]!),
  ]);
  const head = ['parameter', 'value', 'standard error', 'lower 95 %', 'upper 95 %', 'unit', 'verdict'];
  return [
    paragraph(
      `${[`${fit.status}: ${fit.reason}.`, missedSentence(fit.misfits)].filter(Boolean).join(' ')} Objective ${Number(fit.objective.toPrecision(10))}, ${fit.iterations} iterations, ${fit.evaluations} evaluations, ${fit.device} ${fit.precision}, ${fit.finishedAt}.`,
    ),
    table(head, rows),
    ...quantityParts(fit, units, studies),
    ...(fit.status === 'converged' ? [paragraph(determinedSentence(known))] : []),
    ...startsParts(fit),
    figure(historyPlot(fit), 'The objective on the way'),
    figure(
      matrixSvg(fit.correlationNames, fit.correlation, 'Correlation of the parameters'),
      'Correlation of the estimates: blue is negative, orange positive',
    ),
  ];
}

type Ends = Pick<FitReport['estimates'][number], 'lower95' | 'upper95'>;

/** Estimates whose symmetric intervals are open where they reach beyond what the parameter can be, as in the window. */
function openedBy(model: Model): <E extends FitReport['estimates'][number]>(estimate: E) => E & Ends {
  const ranges = new Map(
    parametersOf(model).map((info) => {
      const block = model.blocks.get(info.id)?.node.block;
      const said = block?.kind === 'parameter' ? block : {};
      return [info.id, (at: number) => reachOf(said, info.lower[at], info.upper[at])] as const;
    }),
  );
  const seen = new Map<string, number>();
  return (estimate) => {
    const at = seen.get(estimate.block) ?? 0;
    seen.set(estimate.block, at + 1);
    const reach = ranges.get(estimate.block)?.(at) ?? reachOfDistribution(estimate.name);
    const [lower95, upper95] = openBeyond(estimate.lower95, estimate.upper95, reach);
    return { ...estimate, lower95, upper95 };
  };
}

/** Its error has digits of its own. */
function figuresOf({
  value,
  standardError,
  lower95,
  upper95,
}: Pick<FitReport['estimates'][number], 'value' | 'standardError' | 'lower95' | 'upper95'>): Cell[] {
  const [at, ...ends] = within(lower95, upper95, value, lower95, upper95);
  return [at, standardError, ...ends];
}

function quantityParts(
  { quantities = [] }: FitReport,
  units: ReadonlyMap<string, string>,
  studies: readonly StudyReport[],
): string[] {
  if (quantities.length === 0) return [];
  const head = ['quantity', 'value', 'standard error', 'lower 95 %', 'upper 95 %', 'unit', 'verdict'];
  const rows = quantities.map((row) => {
    const better = bestOfQuantity(row.name, studies);
    const figures = figuresOf(better ? { ...row, lower95: better.lower, upper95: better.upper } : row);
    return [row.name, ...figures, units.get(row.block), verdictText(better ?? row)];
  });
  return [table(head, rows)];
}

/** By powers of ten where it spans more than one. */
function historyPlot({ history }: FitReport): string | undefined {
  if (history.length < 2) return undefined;
  const x = history.map((_, i) => i);
  const finite = history.filter(Number.isFinite);
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  return least > 0 && most / least > 10
    ? plotSvg([{ x, y: history.map(Math.log10), kind: 'line' }], 'iteration', 'log₁₀ objective')
    : plotSvg([{ x, y: history, kind: 'line' }], 'iteration', 'objective');
}

function startsParts(report: FitReport): string[] {
  const { starts } = report;
  if (!starts) return [];
  const minima = minimaSentence(report);
  const x = starts.ends.map((_, i) => i + 1);
  const y = starts.ends.map(({ objective }) => objective);
  return [
    paragraph(`${convergedSentence(starts, numberText)}.${minima === undefined ? '' : ` ${minima}.`}`),
    figure(plotSvg([{ x, y, kind: 'points' }], 'starts, lowest first', 'objective'), 'Where each start ended'),
  ];
}

/** The parameters as they stand where there is no fit of this document; effects are none, as in a fit. */
export function unfittedParts(model: Model, stale: boolean): string[] {
  const parameters = outerParameters(model);
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ id, initial, lower, upper, fixed }) => [
    id,
    initial.length === 1 ? initial[0] : `[${initial.join(', ')}]`,
    lower.every((value) => value === lower[0]) ? lower[0] : 'by element',
    upper.every((value) => value === upper[0]) ? upper[0] : 'by element',
    fixed ? 'fixed' : '',
  ]);
  return [
    paragraph(stale ? 'The last fit was of another version of this document.' : 'This model has not been fitted.'),
    table(['parameter', 'initial', 'lower', 'upper', ''], rows),
  ];
}
