/** From what range a study draws each parameter; where there is none, a refusal with one to begin with. */
import {
  type Device,
  type Distribution,
  fit,
  FitRefusal,
  logUniformDistribution,
  priorDistribution,
  uniformDistribution,
} from '../../../engine/index.ts';
import type { ParameterInfo } from '../../../models/objective/parameter-info.ts';
import { nestNumbers } from '../../../models/notation/numbers.ts';
import { printProblem } from '../../../models/notation/problem.ts';
import { chosenParameters, type Model } from '../../../models/load/model.ts';
import { freedIds } from '../../../models/lower/freed.ts';
import { priorQuantile, priorShape } from '../../../models/objective/prior-quantiles.ts';
import { isKnownPrior, type KnownPrior } from '../../../models/objective/priors.ts';
import { computeOutput } from '../../../models/graph/data.ts';
import { outputAt } from '../../../models/graph/checked.ts';
import type { Problem } from '../../contract/contract.ts';
import { Refused } from '../../refused.ts';
import type { ParameterValues } from '../running/run.ts';
import { fitParameter, problemOf } from '../fit/fit.ts';

/**
 * One for each free element: its prior, cut to its bounds; without one, or with one that depends on others, uniform between them. `logUniform`: where the
 * parameter's scale is log, its logarithm is uniform. Throws `Refused` where a range is missing, or ends at 0.
 */
export function rangesOf(model: Model, at: ParameterValues, logUniform: boolean): Distribution[] {
  refuseTied(model);
  const open = withoutRange(model);
  if (open.length > 0) throw missingRanges(open, at, new Map());
  return freeOf(model).flatMap((info) => {
    const { id, initial, lower, upper, scale } = info;
    const priors = knownPriors(model, info);
    return initial.map((_, element) => {
      const [from, to] = [lower[element]!, upper[element]!];
      const known = priors?.[element];
      if (!known && scale === 'log' && logUniform) {
        if (from > 0) return logUniformDistribution(from, to);
        throw new Refused(`the parameter "${id}" has no "lower" above 0, which drawing on its log scale wants`);
      }
      if (!known) return uniformDistribution(from, to);
      const drawn = priorDistribution((p) => priorQuantile(known, p), { lower: from, upper: to, ...priorShape(known) });
      if (drawn.quantile(0.25) < drawn.quantile(0.75)) return drawn;
      throw new Refused(
        `the prior of the parameter "${id}" has next to nothing between its bounds ${from} and ${to}: give it bounds where its mass lies, or another prior`,
      );
    });
  });
}

/** By element, its arguments those of data where they are references; undefined where one depends on parameters, or there is no prior. */
function knownPriors(model: Model, { id, initial, prior }: ParameterInfo): KnownPrior[] | undefined {
  if (!prior) return undefined;
  if (isKnownPrior(prior)) return initial.map(() => prior);
  const { links } = model.blocks.get(id)!;
  const given = prior.arguments.map((argument): ArrayLike<number> | undefined => {
    if (typeof argument === 'number') return [argument];
    const link = links.get(argument)!;
    const { computed, data } = outputAt(model, link);
    return computed ? undefined : (data ?? computeOutput(model.blocks, link));
  });
  if (!given.every((values) => values?.length === 1 || values?.length === initial.length)) return undefined;
  return initial.map((_, element) => ({
    ...prior,
    arguments: given.map((values) => values![values!.length === 1 ? 0 : element]!),
  }));
}

/** Throws as `rangesOf` does; where `at` is a minimum of the objective, with ranges of ± 3 standard errors. */
export async function demandRanges(model: Model, device: Device, at: ParameterValues): Promise<void> {
  refuseTied(model);
  const open = withoutRange(model);
  if (open.length > 0) throw missingRanges(open, at, await standardErrors(model, device, at));
}

function refuseTied(model: Model): void {
  const [tied] = freedIds(model);
  if (tied !== undefined)
    throw new Refused(
      `the elements of the parameter "${tied}" depend on one another or on other parameters, and a global study varies each by itself: keep it out by "fixed": true`,
    );
}

const freeOf = (model: Model): ParameterInfo[] => chosenParameters(model).filter(({ fixed }) => !fixed);

function withoutRange(model: Model): ParameterInfo[] {
  return freeOf(model).filter(
    (info) => !knownPriors(model, info) && ![...info.lower, ...info.upper].every(Number.isFinite),
  );
}

/** A fit that has arrived takes no more than this to say so. */
const arriving = 3;

/** By parameter, over its elements; empty where the objective has no minimum at these values. */
async function standardErrors(
  model: Model,
  device: Device,
  at: ParameterValues,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const errors = new Map<string, number[]>();
  if (model.objective.length === 0) return errors;
  try {
    const { status, estimates } = await fit(await problemOf(model, device, at), device, { maxIterations: arriving });
    if (status !== 'converged') return errors;
    for (const { parameter, standardError } of estimates)
      errors.set(parameter, [...(errors.get(parameter) ?? []), standardError]);
  } catch (error) {
    if (!(error instanceof FitRefusal)) throw error;
  }
  return errors;
}

type Range = readonly [lower: number, upper: number];

function missingRanges(
  open: readonly ParameterInfo[],
  at: ParameterValues,
  errors: ReadonlyMap<string, readonly number[]>,
): Refused {
  const ids = open.map(({ id }) => `"${id}"`);
  const [which, give] =
    ids.length === 1
      ? [`the parameter ${ids[0]} has`, 'it']
      : [`the parameters ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)} have`, 'each'];
  const known = open.some(({ id }) => errors.get(id)?.every((error) => error > 0));
  const suggested = open.map((info) => {
    const { initial: values } = fitParameter(info, at);
    const ranges = values.map((value, k) => rangeAbout(info, k, value, errors.get(info.id)?.[k] ?? NaN));
    return { info, values, ranges };
  });
  const shown = suggested.slice(0, 3).map(({ info, ranges }) => {
    const [lower, upper] = [Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, to]) => to))];
    return `"${info.id}" from ${lower} to ${upper}`;
  });
  const problem: Problem = {
    severity: 'error',
    message: `${which} no range to vary over${ofPriors(open)} give ${give} "lower" and "upper"${open.every(hasPrior) ? '' : ', or a "prior"'}, or keep it out by "fixed": true`,
    fix: `${known ? 'the fit ± 3 standard errors would be' : 'to begin with, say'} ${shown.join(', ')}${open.length > 3 ? ', …' : ''}`,
    remedy: {
      title: known ? 'Vary within 3 standard errors of the fit' : 'Vary by half of the values',
      changes: suggested.map(({ info, values, ranges }) => ({ block: info.id, keys: keysOf(info, values, ranges) })),
    },
  };
  return new Refused(printProblem(problem), [problem]);
}

const hasPrior = ({ prior, joint }: ParameterInfo): boolean => (prior ?? joint) !== undefined;

/** Why priors give no range, and what parts that from what is to be done. */
function ofPriors(open: readonly ParameterInfo[]): string {
  const [first, ...others] = open.filter(hasPrior);
  if (!first) return ':';
  const why = ({ joint }: ParameterInfo): string =>
    joint ? 'is one of its elements together' : 'depends on other parameters';
  const alone = 'and a global study draws each by itself';
  if (open.length === 1) return `: its prior ${why(first)}, ${alone};`;
  return ` (${[first, ...others].map((info) => `the prior of "${info.id}" ${why(info)}`).join(', ')}, ${alone}):`;
}

/** A start that the range leaves out, as one far from the fit is, moves into it. */
function keysOf(
  { initial, shape }: ParameterInfo,
  values: readonly number[],
  ranges: readonly Range[],
): Record<string, unknown> {
  const inside = initial.every((value, k) => {
    const [lower, upper] = ranges[k]!;
    return lower <= value && value <= upper;
  });
  return {
    ...(!inside && { initial: nestNumbers(values, shape) }),
    lower: nestNumbers(
      ranges.map(([lower]) => lower),
      shape,
    ),
    upper: nestNumbers(
      ranges.map(([, upper]) => upper),
      shape,
    ),
  };
}

/** ± 3 standard errors, or by half where none is known: on a log scale as factors, and within what bounds there are. */
function rangeAbout({ scale, lower, upper }: ParameterInfo, element: number, value: number, error: number): Range {
  const [from, to] = [lower[element]!, upper[element]!];
  if (scale === 'log') {
    const factor = error > 0 ? Math.min(Math.exp((3 * error) / value), 1000) : 2;
    return [Math.max(from, outward(value / factor, -1)), Math.min(to, outward(value * factor, 1))];
  }
  const half = error > 0 ? 3 * error : Math.abs(value) / 2 || 1;
  return [Math.max(from, outward(value - half, -1, half)), Math.min(to, outward(value + half, 1, half))];
}

/** To two digits of `width`, away from the middle. */
function outward(value: number, direction: 1 | -1, width = value): number {
  const digits = Math.ceil(-Math.log10(width)) + 1;
  const unit = 10 ** -digits;
  return Number((direction * Math.ceil((direction * value) / unit) * unit).toPrecision(12));
}
