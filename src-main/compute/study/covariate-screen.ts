/**
 * Which covariates would tell how groups differ: the score test of β in b + β·(c − c̄) in the place of an effect b, at a fit
 * without it (engine/7-study/score-test.ts): nothing is fitted again. A category has a β for each label but the first.
 */
import { cpuDevice, marginalExpansion, marginalFall, scoreTest, type FitProblem } from '../../../engine/index.ts';
import type { RandomEffectDetail } from '../../../models/blocks/random-effect.ts';
import { outputAt } from '../../../models/graph/checked.ts';
import { findOutput, type Model } from '../../../models/load/model.ts';
import { printDocument } from '../../../models/format/print.ts';
import type { FitReport } from '../../contract/contract.ts';
import { Refused } from '../../refused.ts';
import { fittedValues } from '../fit/fitted.ts';
import { problemOf } from '../fit/fit.ts';
import { demandModel, load } from '../running/load.ts';

export interface ScreenedCovariate {
  /** `u.b`. */
  readonly effect: string;
  readonly covariate: string;
  /** S, its degrees of freedom, and how probable as much is where the covariate tells nothing. */
  readonly statistic: number;
  readonly degrees: number;
  readonly pValue: number;
  /** By how much −2 log L does fall, at least: far from 0 the quadratic of S promises more. NaN where S is. */
  readonly fall: number;
  /** Why S is NaN, in a sentence. */
  readonly unknown?: string;
  /** By label but the first, where it is a category. */
  readonly estimates: readonly { readonly label?: string; readonly value: number; readonly standardError: number }[];
}

interface Place {
  readonly effect: string;
  /** The blocks that take it to the rows. */
  readonly gathers: readonly string[];
}

/** The most probable first. `folder` is that of the document's tables. Throws `Refused` for what cannot be screened. */
export async function screenedCovariates(
  model: Model,
  fit: Pick<FitReport, 'estimates'>,
  covariates: readonly string[],
  folder: string,
): Promise<ScreenedCovariate[]> {
  const found: ScreenedCovariate[] = [];
  for (const covariate of covariates)
    for (const place of placesOf(model)) found.push(await screened(model, fit, { covariate, place, folder }));
  const rank = ({ pValue }: ScreenedCovariate): number => (Number.isNaN(pValue) ? Infinity : pValue);
  return found.sort((a, b) => rank(a) - rank(b) || 0);
}

/** Effects that gathers alone take. */
function placesOf({ blocks, document }: Model): Place[] {
  const top = new Set(document.blocks.map(({ id }) => id));
  const places = new Map<string, string[]>();
  for (const [id, { node, links }] of blocks) {
    const from = node.block.kind === 'gather' && top.has(id) ? links.get('from') : undefined;
    const drawn = from && blocks.get(from.block);
    if (!from || drawn?.node.block.kind !== 'random-effect') continue;
    const { effects } = drawn.detail as RandomEffectDetail;
    const effect = effects[from.output]?.id ?? '';
    places.set(effect, [...(places.get(effect) ?? []), id]);
  }
  if (places.size === 0)
    throw new Refused('covariates are screened on effects that a gather takes to the rows: there is none');
  return [...places].map(([effect, gathers]) => ({ effect, gathers }));
}

async function screened(
  model: Model,
  fit: Pick<FitReport, 'estimates'>,
  { covariate, place, folder }: { readonly covariate: string; readonly place: Place; readonly folder: string },
): Promise<ScreenedCovariate> {
  const { scale, formula, labels } = terms(model, covariate);
  const names = labels.map((_, k) => freshName(model, `screened${k}`));
  const plain = JSON.parse(printDocument(model.document)) as { blocks: Record<string, unknown>[] };
  const betas = names.map((id) => ({ id, kind: 'parameter', initial: 0 }));
  const shifted = plain.blocks.flatMap((block) => {
    const id = block['id'] as string;
    if (!place.gathers.includes(id)) return [block];
    const taken = freshName(model, `taken${place.gathers.indexOf(id)}`);
    const inputs = { b: taken, z: covariate, ...Object.fromEntries(names.map((name, k) => [`k${k}`, name])) };
    return [
      { ...block, id: taken },
      { id, kind: 'map', formula: `b + ${formula}`, inputs },
    ];
  });
  const large = demandModel(await load({ ...plain, blocks: [...betas, ...shifted] }, folder));
  const device = cpuDevice();
  try {
    const whole = await problemOf(large, device, fittedValues({ estimates: fit.estimates }));
    const problem: FitProblem = { ...whole, parameters: whole.parameters.map(heldWhere(fit)) };
    const { gradient, hessian = [] } = await marginalExpansion(problem, device, { hessian: true });
    const free = problem.parameters.flatMap(({ name, initial, fixed }) => (fixed ? [] : initial.map(() => name)));
    const at = names.map((name) => free.indexOf(name));
    const { estimates, step, unknown, ...test } = scoreTest(gradient, hessian, at);
    const fall = unknown ? NaN : 2 * (await marginalFall(problem, device, step));
    return {
      ...{ effect: place.effect, covariate, ...test, fall },
      ...(unknown && { unknown: WHY[unknown] }),
      estimates: estimates.map(({ value, standardError }, k) => ({
        ...(labels[k] !== undefined && { label: labels[k] }),
        ...{ value: value / scale, standardError: standardError / scale },
      })),
    };
  } finally {
    device.close();
  }
}

const WHY = {
  told: 'the model has it already, or what makes up for it',
  curved: 'the likelihood curves up on the way to it: fit the model with it',
} as const;

/** What is added to an effect: in units of the covariate's own scatter, so that no step is too long for it. */
function terms(
  model: Model,
  covariate: string,
): { readonly scale: number; readonly formula: string; readonly labels: readonly (string | undefined)[] } {
  const link = findOutput(model, covariate);
  if ('message' in link) throw new Refused(link.message);
  const { sizes, data, category } = outputAt(model, link);
  if (sizes.length !== 1 || !data) throw new Refused(`"${covariate}" is no column of data: only such can be screened`);
  if (category) {
    if (category.length < 2) throw new Refused(`"${covariate}" has one label alone, which tells nothing apart`);
    const labels = category.slice(1);
    return { scale: 1, formula: labels.map((_, k) => `k${k}*if(z == ${k + 1}, 1, 0)`).join(' + '), labels };
  }
  const values = Array.from(data, Number);
  if (!values.every(Number.isFinite)) throw new Refused(`"${covariate}" has missing values: it cannot be screened`);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const scale = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  if (scale === 0) throw new Refused(`"${covariate}" is ${mean} everywhere, which tells nothing apart`);
  return { scale, formula: `k0*(z - ${mean})/${scale}`, labels: [undefined] };
}

/** What has ended at an edge moves no further. */
const heldWhere =
  ({ estimates }: Pick<FitReport, 'estimates'>) =>
  (parameter: FitProblem['parameters'][number]): FitProblem['parameters'][number] => {
    const own = estimates.filter((estimate) => estimate.block === parameter.name);
    const isHeld = own.length > 0 && own.every(({ standardError }) => !(standardError > 0));
    return isHeld ? { ...parameter, fixed: true } : parameter;
  };

function freshName({ blocks }: Model, wanted: string): string {
  let name = wanted;
  while (blocks.has(name)) name += '0';
  return name;
}
