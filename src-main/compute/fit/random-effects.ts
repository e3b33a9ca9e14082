/** The random effects of a model, for a fit that integrates them out: which groups lie in which, and their modes afterwards. */
import {
  areCrossed,
  cpuDevice,
  effectModes,
  effectsApart,
  marginalQuestions,
  readBy,
  uninformed,
  unrestrictedParameter,
  withHeldNoise,
  type EffectLevel,
  type EffectModes,
  type Estimate,
  type FitProblem,
  type FitResult,
} from '../../../engine/index.ts';
import {
  correlationFactor,
  correlationMatrix,
  correlationSlopes,
  type RandomEffectDetail,
} from '../../../models/blocks/random-effect.ts';
import type { CheckedBlock } from '../../../models/graph/checked.ts';
import type { Model } from '../../../models/load/model.ts';
import { groupWeights } from '../../../models/lower/objective.ts';
import { lowerModel, type Lowered } from '../../../models/lower/lower.ts';
import { withStandardEffects } from '../../../models/lower/standard-effects.ts';
import type { FitReport } from '../../contract/contract.ts';
import { Refused } from '../../refused.ts';
import { startInstance } from '../running/run.ts';

interface Drawn {
  readonly id: string;
  readonly detail: RandomEffectDetail;
}

/** Whether a fit of the model integrates effects out. */
export const isMarginal = ({ document }: Model): boolean => document.fit?.marginal !== false;

/** The model in whose programs what is called as effects is what the problem varies in their place. */
export const variedEffects = (model: Model, { effects }: Pick<FitProblem, 'effects'>): Model =>
  effects ? withStandardEffects(model) : model;

/** How many points a quadrature may have in all, and along an axis: to find more of these takes seconds. */
const MOST_POINTS = 20_000;
const MOST_ALONG = 200;

/** Throws `Refused` where a marginal is asked for that is not built, or that this model does not have. */
export function quadratureOf(
  model: Model,
  results: ReadonlySet<string>,
  levels: readonly EffectLevel[],
): Pick<FitProblem, 'quadrature' | 'byGroup'> {
  const { marginal = 'laplace' } = model.document.fit ?? {};
  const isWeighted = results.has('weighted') && !areCrossed(levels);
  const byGroup = isWeighted && { byGroup: { weighted: 'weighted', weights: groupWeights } };
  if (typeof marginal !== 'object' || marginal.agq === 1) return { ...byGroup };
  const likes = [...model.blocks.values()].filter(isDrawn).map(({ links }) => JSON.stringify(links.get('like')));
  if (!isWeighted || new Set(likes).size > 1)
    throw new Refused(
      'quadrature takes groups one by one: it wants effects by one category, and losses over the rows of its table',
    );
  const effects = [...model.blocks.values()]
    .filter(isDrawn)
    .reduce((sum, { detail }) => sum + (detail as RandomEffectDetail).effects.length, 0);
  if (marginal.agq ** effects > MOST_POINTS)
    throw new Refused(
      `${marginal.agq} points for each of ${effects} effects are ${marginal.agq ** effects}, and ${MOST_POINTS} are the most`,
    );
  if (marginal.agq > MOST_ALONG)
    throw new Refused(
      `{"agq": ${marginal.agq}} wants ${marginal.agq} points for each effect, and ${MOST_ALONG} are the most`,
    );
  return { ...byGroup, quadrature: { points: marginal.agq } };
}

/**
 * The problem by its expected information, where that is asked for. Throws `Refused` where it is not known of a term, or
 * of an argument by which effects are seen.
 */
export function byInformation(model: Model, problem: FitProblem, { informed }: Lowered): FitProblem {
  if (!informed || !problem.effects) return problem;
  const why = (block: string): string =>
    `the expected information of "${block}" is not known, by which "focei", "foce" and "fo" approximate: take "laplace"`;
  if ('lacking' in informed) throw new Refused(why(informed.lacking));
  if (areCrossed(problem.effects))
    throw new Refused('"focei", "foce" and "fo" take groups one by one, and these cross: take "laplace"');
  const effects = problem.effects.flatMap((level) => level.effects);
  const program = withHeldNoise(problem.program, effects, informed);
  const unknown = uninformed(program, effects, informed);
  if (unknown) throw new Refused(why(unknown.block));
  const isFirstOrder = model.document.fit?.marginal === 'fo';
  // −½ gᵀH̃⁻¹g has no bound where the information itself goes to 0 or to infinity with the middle.
  const loose = informed.terms.find((term) => !informed.held.some(({ block }) => block === term.block));
  if (isFirstOrder && loose)
    throw new Refused(
      `"fo" is of noise about a mean (normal, log-normal, student-t), and "${loose.block}" has another: its approximation has no minimum; take "laplace" or "agq"`,
    );
  return { ...problem, program, information: informed, ...(isFirstOrder && { firstOrder: true as const }) };
}

/**
 * The problem by its restricted likelihood, where that is asked for: every parameter of the means is integrated out.
 * Throws `Refused` where there is none, or one that has bounds, another scale or a prior; and where noise is not normal.
 */
export function byRestriction(problem: FitProblem, { linear, parameters }: Lowered): FitProblem {
  if (!linear || !problem.effects) return problem;
  const instead = 'take "laplace", the likelihood itself';
  if ('lacking' in linear)
    throw new Refused(
      `a restricted likelihood ("reml") is of normal noise, and "${linear.lacking}" has another: ${instead}`,
    );
  const read = readBy(problem.program, linear.means);
  const ofEffects = new Set(problem.effects.flatMap(({ id }) => [`${id}.correlation`, `${id}.sd`]));
  const isOfEffects = (id: string): boolean => ofEffects.has(id) || ofEffects.has(id.slice(0, id.lastIndexOf('.')));
  const fixed = parameters.filter(
    ({ id, fixed, effect }) => read.has(id) && !fixed && effect === undefined && !isOfEffects(id),
  );
  for (const { id, scale, lower, upper, prior, joint } of fixed) {
    const bounded = lower.some((x) => x > -Infinity) || upper.some((x) => x < Infinity);
    const what = prior || joint ? 'a prior' : bounded ? 'a bound' : scale !== 'linear' ? `a ${scale} scale` : undefined;
    if (what !== undefined)
      throw new Refused(
        `"reml" integrates the fixed effect "${id}" out over all numbers, and it has ${what}: ${instead}`,
      );
  }
  if (fixed.length === 0) throw new Refused(`"reml" integrates fixed effects out, and the model has none: ${instead}`);
  return { ...problem, restricted: fixed.map(({ id }) => id) };
}

const isDrawn = ({ node }: CheckedBlock): boolean => node.block.kind === 'random-effect';

function drawn(model: Model, lowered: Lowered): Drawn[] {
  const read = new Set(lowered.parameters.flatMap(({ effect }) => effect ?? []));
  return [...model.blocks]
    .filter(([id, checked]) => isDrawn(checked) && read.has(id))
    .map(([id, { detail }]) => ({ id, detail: detail as RandomEffectDetail }));
}

/** How many effects may stand in one matrix. */
const MOST_TOGETHER = 1000;

/** Throws `Refused` where too many cross or meet, and what that is. */
function demandRoom(effects: readonly { readonly id: string }[], count: number, how: string): void {
  if (count > MOST_TOGETHER)
    throw new Refused(
      `the groups of "${effects.map(({ id }) => id).join('" and "')}" ${how}: their ${count} effects stand in one matrix, and ${MOST_TOGETHER} are the most`,
    );
}

/** The coarsest first, where they cross the finest; of different tables groups cross. Throws `Refused` where too many do. */
export async function effectLevels(model: Model, lowered: Lowered): Promise<EffectLevel[]> {
  const blocks = drawn(model, lowered).sort((a, b) => a.detail.axis.value - b.detail.axis.value);
  const codes = blocks.length > 1 ? await groupCodes(model, blocks) : new Map<string, ArrayLike<number>>();
  const around = blocks.map((fine, i) => blocks.slice(0, i).map((coarse) => groupsAround(fine, coarse, codes)));
  const crossed = around.some((each) => each.includes(undefined));
  const count = blocks.reduce((sum, { detail }) => sum + detail.axis.value * detail.effects.length, 0);
  if (crossed) demandRoom(blocks, count, 'cross');
  // What crosses, and does not meet itself, is eliminated at no cost where it comes first: the most groups.
  return (crossed ? blocks.reverse() : blocks).map(({ id, detail }, i): EffectLevel => ({
    id,
    effects: detail.effects.map((effect) => effect.id),
    groups: detail.axis.value,
    labels: detail.groups,
    within: crossed ? [] : (around[i] as Int32Array[]),
  }));
}

/**
 * For each group of the finer block, the group of the coarser one in which it lies; undefined where one lies in several, or
 * nothing says in which.
 */
function groupsAround(
  fine: Drawn,
  coarse: Drawn,
  codes: ReadonlyMap<string, ArrayLike<number>>,
): Int32Array | undefined {
  const [inner, outer] = [codes.get(fine.id), codes.get(coarse.id)];
  if (!inner || inner.length !== outer?.length) return undefined;
  const within = new Int32Array(fine.detail.axis.value).fill(-1);
  for (let i = 0; i < inner.length; i++) {
    const [g, h] = [inner[i]!, outer[i]!];
    if (g < 0 || h < 0) continue;
    if (within[g] === -1) within[g] = h;
    else if (within[g] !== h) return undefined;
  }
  return within.map((group) => Math.max(group, 0));
}

async function groupCodes(model: Model, blocks: readonly Drawn[]): Promise<Map<string, ArrayLike<number>>> {
  const links = new Map(
    blocks.flatMap(({ id }) => {
      const link = model.blocks.get(id)?.links.get('like');
      return link ? [[id, link] as const] : [];
    }),
  );
  const device = cpuDevice();
  const instance = await startInstance(device, lowerModel(model, { links }));
  try {
    await instance.run();
    const codes = new Map<string, ArrayLike<number>>();
    for (const id of links.keys()) codes.set(id, await instance.read(id));
    return codes;
  } finally {
    instance.release();
    device.close();
  }
}

/**
 * The problem with its effects in one matrix where groups meet, and their likelihood is no product over groups. Throws
 * `Refused` where groups are to be taken one by one, and where too many meet.
 */
export async function withMeetings(problem: FitProblem): Promise<FitProblem> {
  const { effects, information, quadrature, byGroup } = problem;
  if (!effects || areCrossed(effects)) return problem;
  const device = cpuDevice();
  try {
    if (await effectsApart(problem, device)) return problem;
  } finally {
    device.close();
  }
  if (information ?? quadrature ?? byGroup)
    throw new Refused(
      `the groups of "${effects.map(({ id }) => id).join('" and "')}" meet in the model, and are to be taken one by one: take "laplace", or let each observation depend on the effects of one group alone`,
    );
  demandRoom(
    effects,
    effects.reduce((sum, { groups, effects: own }) => sum + groups * own.length, 0),
    'meet in the model',
  );
  return { ...problem, together: true };
}

/** Throws `Refused` with the name of a group whose effects have no mode where the fit begins. */
export async function demandModes(problem: FitProblem): Promise<void> {
  if (!problem.effects) return;
  const device = cpuDevice();
  try {
    const modes = await effectModes(problem, device);
    if ('why' in modes) {
      const ids = problem.effects.map(({ id }) => id);
      const whose =
        modes.group === undefined
          ? `groups of "${ids.join('" and "')}", taken together, have`
          : `group "${modes.group}" of "${ids[0]}" has`;
      throw new Refused(`the ${whose} no most probable effects at the initial values: ${modes.why}`);
    }
    const not = problem.restricted && (await unrestrictedParameter(problem, device));
    if (not)
      throw new Refused(
        not.why === 'bent'
          ? `"reml" is of models that are linear in their fixed effects, and this one is not in "${not.name}": take "laplace"`
          : `"reml" integrates fixed effects out, and the data do not tell "${not.name}" from the others: fix one of them`,
      );
  } finally {
    device.close();
  }
}

/** The problem with its effects at their modes where a fit ended: what is then told of predictions is told of these groups. */
export async function atModes(problem: FitProblem, ended: Pick<FitResult, 'estimates'>): Promise<FitProblem> {
  if (!problem.effects) return problem;
  const device = cpuDevice();
  try {
    const modes = await effectModes(problem, device, ended.estimates);
    if ('why' in modes) return problem;
    const parameters = problem.parameters.map((parameter) => {
      const values = modes.values.get(parameter.name);
      return values ? { ...parameter, initial: [...values] } : parameter;
    });
    return { ...problem, parameters };
  } finally {
    device.close();
  }
}

/** The conditional modes where a fit ended, with their deviations. Undefined where nothing was integrated out. */
export async function conditionalModes(
  model: Model,
  problem: FitProblem,
  ended: Pick<FitResult, 'estimates' | 'correlation'>,
): Promise<FitReport['random']> {
  const { effects } = problem;
  if (!effects) return undefined;
  const device = cpuDevice();
  try {
    const modes = await effectModes(problem, device, ended.estimates);
    if ('why' in modes) return undefined;
    const values = new Map<string, number[]>();
    for (const { parameter, value } of ended.estimates)
      values.set(parameter, [...(values.get(parameter) ?? []), value]);
    return Object.fromEntries(
      effects.map((level) => {
        const { id, labels, effects: names } = level;
        const detail = model.blocks.get(id)?.detail as RandomEffectDetail;
        const told = scaled(detail, level, modes, values);
        const figures = told.map((effect, i) => [names[i]!.slice(id.length + 1), effect] as const);
        const correlation = toldCorrelation(`${id}.correlation`, names.length, ended);
        return [id, { groups: [...labels], ...correlation, effects: Object.fromEntries(figures) }];
      }),
    );
  } finally {
    device.close();
  }
}

/** By how much −log L may change with more points where those that were taken are enough. */
const ENOUGH = 0.01;

/** What twice as many points of a quadrature say where a fit ended, if that is another likelihood. */
export async function quadratureDoubt(
  problem: FitProblem,
  { estimates }: Pick<FitResult, 'estimates'>,
): Promise<string | undefined> {
  const { quadrature, effects } = problem;
  if (!quadrature || !effects) return undefined;
  const count = effects.reduce((sum, level) => sum + level.effects.length, 0);
  const { points } = quadrature;
  const more = Math.min(2 * points + 1, MOST_ALONG, Math.floor(MOST_POINTS ** (1 / count)));
  const device = cpuDevice();
  const parameters = problem.parameters.map((parameter) => {
    const values = estimates.flatMap(({ parameter: of, value }) => (of === parameter.name ? [value] : []));
    return values.length === parameter.initial.length ? { ...parameter, initial: values } : parameter;
  });
  const valueBy = async (by: number): Promise<number> => {
    const asked = marginalQuestions({ ...problem, parameters, quadrature: { points: by } }, device);
    try {
      return await asked.value(asked.start);
    } finally {
      asked.release();
    }
  };
  try {
    const change = more > points ? (await valueBy(more)) - (await valueBy(points)) : 0;
    // Nothing is doubted of what has no value.
    if (!(Math.abs(change) > ENOUGH)) return undefined;
    const told = `${Math.abs(change).toPrecision(2)} ${change > 0 ? 'higher' : 'lower'}`;
    return `−log L is ${told} here by ${more} points for each effect than by ${points}: these are too few, and the estimates may be theirs and not the model's; take {"agq": ${more}}`;
  } finally {
    device.close();
  }
}

/** A deviation below it is none: how its modes scatter is rounding. */
const VANISHED = 1e-8;

/** b̂ = Λ·ŵ and the deviations of Λ·C·Λᵀ in each group, Λ = diag(sd)·L. */
function scaled(
  { deviations, correlation }: RandomEffectDetail,
  { id, effects: names, groups }: EffectLevel,
  modes: EffectModes,
  at: ReadonlyMap<string, readonly number[]>,
): { readonly value: number[]; readonly standardDeviation: number[]; readonly shrinkage?: number }[] {
  const d = names.length;
  const l = correlation ? correlationFactor(d, at.get(correlation.id) ?? correlation.initial) : undefined;
  const covariances = modes.covariances.get(id)!;
  return names.map((_, i) => {
    // Of a distribution that other blocks say nothing is scaled here.
    const deviation = deviations[i];
    const sd = deviation ? (at.get(deviation.id) ?? deviation.initial)[0]! : 1;
    const row = names.map((_, j) => sd * (l ? (l[i]?.[j] ?? 0) : Number(i === j)));
    const over = (f: (j: number) => number): number => row.reduce((sum, x, j) => (x === 0 ? sum : sum + x * f(j)), 0);
    const each = Array.from({ length: groups }, (_, g) => g);
    const value = each.map((g) => over((j) => modes.values.get(names[j]!)![g]!));
    const mean = value.reduce((sum, b) => sum + b, 0) / groups;
    const scatter = Math.sqrt(value.reduce((sum, b) => sum + (b - mean) ** 2, 0) / (groups - 1));
    const shrinkage = 1 - scatter / sd;
    return {
      value,
      ...(deviation && sd > VANISHED && Number.isFinite(shrinkage) && { shrinkage }),
      standardDeviation: each.map((g) =>
        Math.sqrt(
          Math.max(
            0,
            over((j) => over((k) => covariances[(g * d + j) * d + k]!)),
          ),
        ),
      ),
    };
  });
}

type Figures = NonNullable<NonNullable<FitReport['random']>[string]['correlation']>;

/** The correlation matrix of partial correlations, its errors by the delta method. */
function toldCorrelation(
  parameter: string,
  d: number,
  { estimates, correlation: { names, matrix } }: Pick<FitResult, 'estimates' | 'correlation'>,
): { readonly correlation?: Figures } {
  const own = estimates.filter((estimate) => estimate.parameter === parameter);
  if (d < 3 || own.length === 0) return {};
  const partials = own.map(({ value }) => value);
  const places = own.map(({ name }) => names.indexOf(name));
  const covariance = own.map(({ standardError: a }, i) =>
    own.map(({ standardError: b }, j) => a * b * (matrix[places[i]!]?.[places[j]!] ?? NaN)),
  );
  const slopes = correlationSlopes(d, partials);
  const value = correlationMatrix(d, partials);
  const standardError = value.map((row, i) =>
    row.map((_, j) => {
      const slope = slopes.map((by) => by[i]![j]!);
      const variance = covariance.reduce(
        (sum, row, k) => sum + row.reduce((inner, c, l) => inner + slope[k]! * c * slope[l]!, 0),
        0,
      );
      return i === j ? 0 : Math.sqrt(variance);
    }),
  );
  const [first] = own as [Estimate];
  const quantile = (first.upper95 - first.value) / first.standardError;
  const shifted = (side: number): number[][] =>
    value.map((row, i) => row.map((x, j) => (i === j ? x : x + side * quantile * (standardError[i]?.[j] ?? NaN))));
  return { correlation: { value, standardError, lower95: shifted(-1), upper95: shifted(1) } };
}
