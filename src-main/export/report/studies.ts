/**
 * What a report finds out by itself at the end of a fit, since it takes moments: whether the residuals look like noise, what the
 * data determine, and on which parameters the prediction depends most.
 */
import type { Device } from '../../../engine/index.ts';
import type { Model } from '../../../models/load/model.ts';
import type { ParameterValues } from '../../compute/running/run.ts';
import { sensitivity } from '../../compute/study/sensitivity.ts';
import { uncertainty } from '../../compute/study/uncertainty.ts';
import { allSpoken, type ElementLabels } from '../../contract/element-labels.ts';
import type { SensitivityReport, UncertaintyReport } from '../../contract/studies.ts';
import { Refused } from '../../refused.ts';
import { listedStatistics } from '../../../models/facts/figures.ts';
import { figure, paragraph, section, table } from '../html.ts';
import { misfitSentence, verdictWord } from '../../contract/verdicts.ts';
import { barsSvg } from './plot.ts';
import { strength } from './strength.ts';

/** What cannot be studied has no section: why is said where the study itself is asked for. */
async function unlessRefused<T>(study: Promise<T>): Promise<T | undefined> {
  try {
    return await study;
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

export interface Asked {
  readonly model: Model;
  readonly device: Device;
  readonly at: ParameterValues;
  /** What the ranking is of. */
  readonly prediction: string | undefined;
  readonly labels: ElementLabels;
}

export async function studySections({ model, device, at, prediction, labels }: Asked): Promise<string[]> {
  const context = { parameters: at };
  const found = await unlessRefused(uncertainty(model, device, { kind: 'uncertainty', method: 'covariance' }, context));
  const ranked = await unlessRefused(
    sensitivity(
      model,
      device,
      { kind: 'sensitivity', method: 'local', ...(prediction !== undefined && { of: prediction }) },
      context,
    ),
  );
  return [
    found ? uncertaintySection(allSpoken(found, labels)) : '',
    ranked ? sensitivitySection(allSpoken(ranked, labels)) : '',
  ];
}

function uncertaintySection({ parameters, statistics, conditionNumber, sloppy, warnings }: UncertaintyReport): string {
  const known = listedStatistics().flatMap(({ key, title }) =>
    Number.isFinite(statistics[key]) ? [[title, statistics[key]] as const] : [],
  );
  const condition = conditionNumber === undefined ? [] : [['condition number, scaled', conditionNumber] as const];
  return section(
    'What the data determine',
    paragraph(misfitSentence(statistics) ?? ''),
    table(
      ['parameter', 'verdict', 'because'],
      parameters.map(({ name, verdict }) => [name, verdictWord(verdict), verdict.reason]),
    ),
    ...[...sloppy, ...warnings].map(paragraph),
    table(['the fit as a whole', 'value'], [...known, ...condition]),
  );
}

const mostBars = 20;

function sensitivitySection({ indices, of, shape }: SensitivityReport): string {
  const key = indices.some(({ figures }) => Number.isFinite(strength(figures['elasticity'])))
    ? 'elasticity'
    : 'derivative';
  const rows = indices
    .map(({ name, figures }) => [name, strength(figures[key])] as const)
    .filter(([, value]) => Number.isFinite(value))
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .slice(0, mostBars);
  const over = shape.length > 0 ? ', root of the mean square over the rows' : '';
  return section(
    'Sensitivity',
    figure(barsSvg(rows, `Sensitivity of ${of}`), `${key} of ${of} by each parameter, exact${over}`),
  );
}
