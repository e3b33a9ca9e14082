/**
 * What is varied in the place of parameters (models/lower/freed.ts), told of the parameters themselves: their values, and
 * errors by the delta method, C_p = J·C·Jᵀ with the exact J.
 */
import {
  correlationsOf,
  cpuDevice,
  type Device,
  divergencesBy,
  type ElementInterval,
  elementName,
  type Estimate,
  type FitProblem,
  type FitResult,
  type MultistartResult,
  quantitiesAtFit,
  type QuantityInterval,
  type UncertaintyResult,
} from '../../../engine/index.ts';
import { parametersOf, type Model } from '../../../models/load/model.ts';
import { freedIds } from '../../../models/lower/freed.ts';
import { standardEffects } from '../../../models/lower/standard-effects.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import type { UncertaintyRequest } from '../../contract/studies.ts';
import { quantityModel, quantityRows } from './quantities.ts';

/** Elements of parameters by their ids. */
type Elements = Readonly<Record<string, readonly number[]>>;

/** The ids in whose place others are varied, of those that the problem reads. */
export function toldIds(model: Model, problem: FitProblem): string[] {
  const read = new Set(problem.parameters.map(({ name }) => name));
  return [...freedIds(model), ...standardEffects(model).keys()].filter((id) => read.has(id));
}

/** Turns what is varied in `inner` into the parameters, as often as they change; itself where nothing else is varied. */
export function naturalValues(model: Model, inner: Model): (varied: Elements) => Record<string, number[]> {
  const scaled = standardEffects(model);
  const ids = [...freedIds(model), ...scaled.keys()];
  const plain = (varied: Elements): Record<string, number[]> =>
    Object.fromEntries(Object.entries(varied).map(([id, values]) => [id, [...values]]));
  if (ids.length === 0) return plain;
  const links = new Map(ids.map((id) => [id, scaled.get(id) ?? { block: id, output: 0 }] as const));
  const { program, inputs, sizes, parameters } = lowerModel(inner, { links });
  const instance = cpuDevice().load(program).bind(sizes);
  for (const [name, { values }] of inputs) instance.write(name, values);
  return (varied) => {
    for (const { id, initial } of parameters) instance.write(id, varied[id] ?? initial);
    instance.run();
    const told = ids.flatMap((id) => (varied[id] ? [[id, Array.from(instance.read(id))] as const] : []));
    return { ...plain(varied), ...Object.fromEntries(told) };
  };
}

/** Of a fit by what is varied. */
export async function naturalFit(
  model: Model,
  inner: Model,
  problem: FitProblem,
  ended: MultistartResult,
  device: Device,
): Promise<MultistartResult> {
  const ids = toldIds(model, problem);
  const wanted = ids.length > 0 ? quantityModel(inner, problem, ids) : undefined;
  if (!wanted) return ended;
  const found = await quantitiesAtFit(problem, ended, wanted, 0.95, device);
  const rows = new Map(
    ids.map((id) => [
      id,
      quantityRows(
        model,
        found.filter(({ quantity }) => quantity === id),
      ),
    ]),
  );
  const estimates = problem.parameters.flatMap(({ name: parameter }): Estimate[] => {
    const told = rows.get(parameter);
    if (!told) return ended.estimates.filter((estimate) => estimate.parameter === parameter);
    return told.map(({ name, value, lower, upper, standardError, verdict }) => ({
      ...{ name, parameter, value, standardError, lower95: lower, upper95: upper, fixed: false, verdict },
    }));
  });
  const natural = naturalValues(model, inner);
  return {
    ...ended,
    estimates,
    correlation: correlationOf(model, problem, ended, found),
    ...(ended.basins && {
      basins: ended.basins.map((basin) => ({
        ...basin,
        parameters: new Map(Object.entries(natural(Object.fromEntries(basin.parameters)))),
      })),
    }),
  };
}

/** Over the free elements of all parameters, those among them that are told by their gradients. */
function correlationOf(
  model: Model,
  problem: FitProblem,
  { estimates, correlation: { names: varied, matrix } }: FitResult,
  found: readonly QuantityInterval[],
): FitResult['correlation'] {
  const errors = new Map(estimates.map(({ name, standardError }) => [name, standardError]));
  const covariance = matrix.map((row, i) =>
    row.map((entry, j) => entry * (errors.get(varied[i]!) ?? NaN) * (errors.get(varied[j]!) ?? NaN)),
  );
  const shapes = new Map(parametersOf(model).map(({ id, shape }) => [id, shape]));
  const told = new Set(found.map(({ quantity }) => quantity));
  const rows = problem.parameters.flatMap(({ name: id, fixed }): (readonly [string, ArrayLike<number>])[] => {
    if (fixed) return [];
    if (told.has(id))
      return found
        .filter(({ quantity }) => quantity === id)
        .map(({ element, gradient }) => [elementName(id, shapes.get(id) ?? [], element), gradient ?? []] as const);
    const own = new Set(estimates.filter(({ parameter }) => parameter === id).map(({ name }) => name));
    return varied.flatMap((name, i) => (own.has(name) ? [[name, varied.map((_, j) => Number(i === j))] as const] : []));
  });
  const between = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
    let total = 0;
    for (let i = 0; i < a.length; i++)
      for (let j = 0; j < b.length; j++)
        if (a[i] !== 0 && b[j] !== 0) total += a[i]! * b[j]! * (covariance[i]?.[j] ?? NaN);
    return total;
  };
  const gradients = rows.map(([, gradient]) => gradient);
  const variances = gradients.map((gradient) => between(gradient, gradient));
  return {
    names: rows.map(([name]) => name),
    matrix: gradients.map((a, i) =>
      gradients.map((b, j) =>
        i === j && Number.isFinite(variances[i]) ? 1 : between(a, b) / Math.sqrt(variances[i]! * variances[j]!),
      ),
    ),
  };
}

/** A study of what is varied, told of the parameters: intervals, correlations and draws as those of quantities. */
export function naturalStudy(
  model: Model,
  problem: FitProblem,
  told: FitResult,
  found: UncertaintyResult,
  method: UncertaintyRequest['method'],
): UncertaintyResult {
  const ids = new Set(toldIds(model, problem));
  if (ids.size === 0) return found;
  const own = new Set(told.estimates.filter(({ parameter }) => ids.has(parameter)).map(({ name }) => name));
  const shapes = new Map(parametersOf(model).map(({ id, shape }) => [id, shape]));
  const rows = new Map(
    found.quantities.map((row) => [elementName(row.quantity, shapes.get(row.quantity) ?? [], row.element), row]),
  );
  const { names } = told.correlation;
  const nothing = { lower: NaN, upper: NaN, verdict: { status: 'none', reason: 'not known' }, figures: {} } as const;
  const draws =
    found.draws &&
    names.map((name) => (own.has(name) ? rows.get(name)?.series : found.draws?.[found.names.indexOf(name)]) ?? []);
  const placed = draws && divergencesAmong(draws, found.divergent);
  const spread = method === 'hmc' ? 'standardDeviation' : 'standardError';
  const intervals = names.map((name, j): ElementInterval => {
    const row = own.has(name) ? rows.get(name) : undefined;
    const known = row
      ? {
          ...{ lower: row.lower, upper: row.upper, verdict: row.verdict },
          figures: { ...row.figures, [spread]: row.standardError },
        }
      : (found.intervals[found.names.indexOf(name)] ?? nothing);
    return placed ? { ...known, figures: { ...known.figures, divergences: placed[j]! } } : known;
  });
  const { profiles, ...rest } = found;
  const valueOf = (name: string): number =>
    (own.has(name) ? rows.get(name)?.value : found.values?.[found.names.indexOf(name)]) ?? NaN;
  const values = found.values && names.map(valueOf);
  return {
    ...rest,
    ...{ names, intervals },
    ...(values && { values }),
    ...(draws && { draws }),
    ...(profiles && { profiles: profiles.filter(({ name }) => names.includes(name) && !own.has(name)) }),
    correlation: draws ? correlationsOf(draws) : told.correlation.matrix,
  };
}

/** By parameter, those that the sampler laid to what it varied; undefined where there are no chains, or too few draws of some. */
function divergencesAmong(
  draws: readonly (readonly Float64Array[])[],
  divergent: UncertaintyResult['divergent'],
): number[] | undefined {
  const length = draws[0]?.[0]?.length ?? 0;
  if (!divergent || draws.some((chains) => chains.length !== divergent.length)) return undefined;
  const flags = divergent.map((numbers) => {
    const own = new Array<boolean>(length).fill(false);
    for (const k of numbers) own[k] = true;
    return own;
  });
  return divergencesBy(draws, flags);
}
