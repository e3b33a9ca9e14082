/**
 * What a fit minimises. `objective` is the sum of the objective blocks, `density` the −log likelihood that they stand for
 * together (`../objective/combination.ts`), least squares with sigma by
 *
 *   ½ Σ (r/σ)² + Σ log σ + (m/2) log 2π
 *
 * with m the number of observed elements. `posterior` adds −log p of the priors and of random effects to it.
 */
import {
  arrayType,
  isLongToCurve,
  type ExpectedInformation,
  type Named,
  type ProgramBuilder,
  realLiteral,
  sameShape,
  type ScalarOperand,
  type Value,
} from '../../engine/index.ts';
import type { LowerContext } from '../blocks/kind.ts';
import { asReal } from '../blocks/parts/convert.ts';
import { elementCount } from '../blocks/parts/sizes.ts';
import { kindOf } from '../blocks/index.ts';
import { writeFreed, type ParameterDetail } from '../blocks/parameter.ts';
import type { ParameterInfo } from '../objective/parameter-info.ts';
import { denseNumbers, type DenseNumbers, type Nested } from '../notation/numbers.ts';
import { DocumentError, errorProblem } from '../notation/problem.ts';
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { objectiveTerm } from '../load/objective-terms.ts';
import { combinationOf, type ObjectiveTerm } from '../objective/combination.ts';
import { isReference, minusLogJoint, type JointArgument, type JointPrior } from '../objective/joint-priors.ts';
import { minusLogPrior, portOf } from '../objective/priors.ts';
import { sumAll } from '../objective/sums.ts';
import type { Draw, LoweredTerm, SampledTerm } from '../objective/term.ts';
import type { Lowering } from '../graph/lowering.ts';

interface Part {
  readonly term: ObjectiveTerm;
  readonly value: Value;
  readonly lowered: LoweredTerm | undefined;
}

/**
 * `density`: with the result `density`, −log of the likelihood times the priors, be there priors or not, and `sampled`, the
 * same by what is varied in the place of parameters (freed.ts). `residuals`: what a fit needs, which has a density too where squares and likelihoods are added up.
 * `observed`: the residuals, and `observed BLOCK` of each block that has some: what was observed for each of them.
 * `grouped`: that and, where it can be had, `weighted`, random effects with a weight for each group.
 */
export type ObjectiveRequest = 'value' | 'residuals' | 'observed' | 'grouped' | 'density' | Redraw;

/**
 * What a bootstrap fits: the result `density` of rows that count as often as an input says, or of other observations that
 * an input holds, and what the observations are drawn from.
 */
export type Redraw = 'cases' | 'parametric';

interface LoweredObjective {
  /** Where a fit asks for it; the block that has none, where one has none. */
  readonly informed?: ExpectedInformation | { readonly lacking: string };
  /** Where restricted likelihood is asked for: the results by which means are told; the block that has none. */
  readonly linear?: { readonly means: readonly string[] } | { readonly lacking: string };
  readonly results: Named[];
  readonly terms: ObjectiveTerm[];
  readonly redrawn: RedrawnBlock[];
}

/** A block whose data are drawn again, by the names of inputs and results of the program. */
export interface RedrawnBlock {
  readonly block: string;
  readonly input: string;
  readonly observed: string;
  readonly arguments: readonly string[];
  readonly draw?: Draw;
}

/** What has to be lowered for an objective, and how it is then put together. Throws `DocumentError` where there is none. */
export function objectiveOf(
  model: Model,
  request: ObjectiveRequest,
  parameters: readonly ParameterInfo[],
): { readonly needs: string[]; readonly lower: (lowering: Lowering) => LoweredObjective } {
  if (model.objective.length === 0)
    throw new DocumentError([
      errorProblem('the document names no objective', {
        port: 'objective',
        fix: '"objective": the id of a least-squares or likelihood block',
      }),
    ]);
  const ids = model.objective.map((link) => link.block);
  const priors = parameters.filter(({ prior, joint }) => prior ?? joint);
  const needs = [...ids, ...priors.map((parameter) => parameter.id)];
  return { needs, lower: (lowering) => lowerObjective(model, lowering, request, priors, parameters) };
}

function lowerObjective(
  model: Model,
  lowering: Lowering,
  request: ObjectiveRequest,
  priors: readonly ParameterInfo[],
  parameters: readonly ParameterInfo[],
): LoweredObjective {
  const b = lowering.builder;
  const written = model.objective.map((link): Part => {
    const lowered = lowering.within(link.block, ({ node, detail }, context) =>
      kindOf(node.block).objective?.(node.block, detail, context),
    );
    return { term: objectiveTerm(model.blocks, link.block), value: lowering.value(link), lowered };
  });
  if (request === 'observed') return lowerObserved(lowering, written);
  if (request === 'cases' || request === 'parametric') return lowerRedrawn(lowering, request, written, priors);
  const effects = effectDensities(lowering);
  const { marginal } = model.document.fit ?? {};
  const fits = request === 'residuals' || request === 'grouped';
  const integrates = fits && effects.length > 0;
  const isExpected = integrates && (marginal === 'foce' || marginal === 'focei' || marginal === 'fo');
  const expected =
    isExpected || (fits && effects.length === 0 && isScored(lowering, written, parameters))
      ? lowerInformation(lowering, written, isExpected && marginal !== 'focei')
      : undefined;
  const means = integrates && marginal === 'reml' ? lowerMeans(lowering, written) : undefined;
  const parts = expected?.parts ?? written;
  const results: Named[] = [
    {
      name: 'objective',
      value: sum(
        b,
        parts.map((part) => part.value),
      ),
    },
  ];
  const densities = [...priors.map((parameter) => priorTerm(lowering, parameter)), ...effects];
  const { joint } = combinationOf(parts.map(({ term }) => term));
  const density = (): Value => sum(b, [...likelihoodTerms(lowering, parts), ...densities]);
  if (densities.length > 0) results.push({ name: 'posterior', value: density() });
  // Of data and effects, without what is believed of the parameters.
  if (effects.length > 0)
    results.push({ name: 'joint', value: sum(b, [...likelihoodTerms(lowering, parts), ...effects]) });
  const byGroup = request === 'grouped' || typeof marginal === 'object';
  const weighted = integrates && byGroup ? weightedByGroups(model, lowering, parts) : undefined;
  if (weighted) results.push({ name: 'weighted', value: weighted });
  if (expected) results.push(...expected.results);
  if (expected && densities.length > 0)
    results.push({ name: besidesData, value: sum(b, isExpected ? effects : densities) });
  if (means) results.push(...means.results);
  if (request === 'density' || (fits && joint)) results.push({ name: 'density', value: density() });
  if (request === 'density') {
    const slopes = parameters.filter((parameter) => parameter.freed && lowering.inputs.has(parameter.id));
    const taken = slopes.map((parameter) => b.apply('neg', logJacobian(lowering, parameter)));
    results.push({ name: 'sampled', value: sum(b, [density(), ...taken]) });
  }
  if (fits) {
    const residuals = parts.map((part) => part.lowered?.residuals).filter((value) => value !== undefined);
    if (residuals.length === parts.length) results.push({ name: 'residuals', value: inOneRow(b, residuals) });
    const rows = parts.flatMap((part) => (part.lowered ? [part.lowered.rows] : []));
    if (rows.length > 0) results.push({ name: 'rows', value: sum(b, rows) });
    const logWeights = parts.flatMap(({ lowered }) => lowered?.logWeights ?? []);
    if (logWeights.length > 0) results.push({ name: 'logWeights', value: sum(b, logWeights) });
  }
  const terms = parts.map((part) => part.term);
  const found = { ...(expected && { informed: expected.informed }), ...(means && { linear: means.linear }) };
  return { results, terms, redrawn: [], ...found };
}

function lowerObserved({ builder }: Lowering, parts: readonly Part[]): LoweredObjective {
  const results = parts.flatMap(({ term, lowered }): Named[] =>
    lowered?.observed ? [{ name: `observed ${term.block}`, value: lowered.observed() }] : [],
  );
  const residuals = parts.flatMap(({ lowered }) => lowered?.residuals ?? []);
  results.push({ name: 'residuals', value: inOneRow(builder, residuals) });
  return { results, terms: parts.map(({ term }) => term), redrawn: [] };
}

/** −log density of effects, where there are any, or else of parameters. */
const besidesData = 'density besides data';

/** Whether the Hessian of a likelihood costs so much that the expected information is to spare it. */
function isScored({ builder }: Lowering, parts: readonly Part[], parameters: readonly ParameterInfo[]): boolean {
  if (parts.every(({ lowered }) => lowered?.residuals)) return false;
  const free = parameters.flatMap(({ fixed, initial }) => (fixed ? [] : initial));
  return isLongToCurve(builder, free.length);
}

/** With the noise held, where it is, the terms take it from inputs of their own. */
function lowerInformation(
  lowering: Lowering,
  parts: readonly Part[],
  isHeld: boolean,
): Pick<LoweredObjective, 'results'> & {
  readonly informed: Exclude<LoweredObjective['informed'], undefined>;
  readonly parts: Part[];
} {
  const results: Named[] = [];
  const terms: ExpectedInformation['terms'][number][] = [];
  const held: ExpectedInformation['held'][number][] = [];
  let lacking: string | undefined;
  const under = parts.map((part) =>
    lowering.within(part.term.block, () => {
      const { block } = part.term;
      const sampled = part.lowered?.sampled?.();
      if (!sampled?.information) {
        lacking ??= block;
        return part;
      }
      const { noise: at = -1 } = sampled;
      const [input, noise] = [`noise ${block}`, isHeld ? sampled.arguments[at] : undefined];
      const instead = noise && { noise: lowering.builder.parameter(input, arrayType('real', sampled.shape)) };
      const named = sampled.arguments.map((value, i): Named => ({
        name: `argument ${i} ${block}`,
        value: (i === at && instead?.noise) || value,
      }));
      const entries = sampled
        .information(instead)
        .map(({ by, value }) => ({ by, name: `information ${by} ${block}`, value }));
      results.push(...named, ...entries);
      terms.push({ block, arguments: named.map(({ name }) => name), entries });
      if (!noise || !instead) return part;
      const value = `its noise ${block}`;
      results.push({ name: value, value: noise });
      held.push({ block, input, value });
      return { ...part, lowered: { ...part.lowered!, minusLog: sampled.minusLog(instead) } };
    }),
  );
  const informed = lacking === undefined ? { terms, effects: besidesData, held } : { lacking };
  return { results, informed, parts: under };
}

/** The arguments of normal noise but its deviation. */
function lowerMeans(
  lowering: Lowering,
  parts: readonly Part[],
): { readonly results: Named[]; readonly linear: Exclude<LoweredObjective['linear'], undefined> } {
  const results: Named[] = [];
  let lacking: string | undefined;
  for (const { term, lowered } of parts)
    lowering.within(term.block, () => {
      const { arguments: args = [], noise } = lowered?.sampled?.() ?? {};
      if (noise === undefined) lacking ??= term.block;
      args.forEach((value, i) => i !== noise && results.push({ name: `mean ${i} ${term.block}`, value }));
    });
  const linear = lacking === undefined ? { means: results.map(({ name }) => name) } : { lacking };
  return { results, linear };
}

/** Throws `DocumentError` where a term has no distribution of its own. */
function lowerRedrawn(
  lowering: Lowering,
  request: Redraw,
  parts: readonly Part[],
  priors: readonly ParameterInfo[],
): LoweredObjective {
  const b = lowering.builder;
  const results: Named[] = [];
  const redrawn: RedrawnBlock[] = [];
  const terms = parts.map(({ term: { block }, lowered }) =>
    lowering.within(block, () => {
      const sampled = lowered?.sampled?.();
      if (!sampled || (request === 'parametric' && !sampled.draw))
        throw new DocumentError([
          errorProblem(`"${block}" ${notDrawn(request)}`, {
            block,
            fix: sampled ? 'draw its cases again ("--resample cases"), or take profile or hmc' : 'take profile or hmc',
          }),
        ]);
      const [input, observed] = [`drawn ${block}`, `observed ${block}`];
      const again = b.parameter(input, arrayType('real', sampled.shape));
      const named = sampled.arguments.map((value, i): Named => ({ name: `argument ${i} ${block}`, value }));
      results.push({ name: observed, value: sampled.observed }, ...named);
      const { draw } = sampled;
      redrawn.push({ block, input, observed, arguments: named.map(({ name }) => name), ...(draw && { draw }) });
      return sampled.minusLog(
        request === 'cases' ? { counts: again, observed: whereDrawn(b, again, sampled) } : { observed: again },
      );
    }),
  );
  const densities = [...priors.map((prior) => priorTerm(lowering, prior)), ...effectDensities(lowering)];
  results.push({ name: 'density', value: sum(b, [...terms, ...densities]) });
  return { results, terms: parts.map((part) => part.term), redrawn };
}

/** Missing where it was not drawn: what is impossible of it (a class between thresholds that are tied) counts for nothing then. */
function whereDrawn(b: ProgramBuilder, counts: Value, { observed, shape }: SampledTerm): Value {
  return b.elementwise(
    [counts, observed],
    (s, count, y) => {
      const isNone = s.apply('eq', count, realLiteral(0));
      return s.branch(
        isNone,
        () => [realLiteral(NaN)],
        () => [y],
      )[0]!;
    },
    shape,
  );
}

/**
 * `joint` with a weight for each group, an input of its own: what takes groups one by one, or draws them again. Of several
 * categories it is the one with the fewest labels whose groups have weights, and all in them have theirs. Undefined where the
 * terms' rows are not those of the categories, or of the array, by which there are groups.
 */
function weightedByGroups(model: Model, lowering: Lowering, parts: readonly Part[]): Value | undefined {
  const drawn = lowering.lowered().flatMap((id) => {
    const { node, links, outputs } = model.blocks.get(id)!;
    const like = links.get('like');
    const groups = outputs[0]?.sizes[0]?.value ?? 0;
    return node.block.kind === 'random-effect' && like ? [{ id, like, groups }] : [];
  });
  const [outermost] = drawn.toSorted((one, other) => one.groups - other.groups);
  if (!outermost) return undefined;
  const isOutermost = ({ like }: { readonly like: Link }): boolean =>
    like.block === outermost.like.block && like.output === outermost.like.output;
  const isCategory = ({ like }: { readonly like: Link }): boolean => outputAt(model, like).category !== undefined;
  if (!drawn.every((each) => isOutermost(each) || (isCategory(each) && isCategory(outermost)))) return undefined;
  const codes = lowering.value(outermost.like);
  const b = lowering.builder;
  const weights = lowering.within(outermost.id, ({ outputs }, context) => {
    const { sizes } = outputs[0]!;
    return context.source(groupWeights, 'real', sizes, () => new Float64Array(elementCount(sizes)).fill(1));
  });
  const terms: Value[] = [];
  for (const { term, lowered } of parts) {
    const weighted = lowering.within(term.block, () => {
      const sampled = lowered?.sampled?.();
      if (!sampled || !sameShape(sampled.shape, codes.type.shape)) return undefined;
      return sampled.minusLog({ counts: isCategory(outermost) ? b.gather(weights, codes, 'zero') : weights });
    });
    if (!weighted) return undefined;
    terms.push(weighted);
  }
  const inside = new Map<string, Value>();
  for (const each of drawn) {
    if (isOutermost(each)) continue;
    const own = lowering.value(each.like);
    if (!sameShape(own.type.shape, codes.type.shape)) return undefined;
    // A group of which nothing is known lies in the first, as where the effects are laid out.
    const first = lowering.within(each.id, ({ outputs }, context) =>
      b.replicate(b.literal(0, 'int'), context.shape(outputs[0]!.sizes)),
    );
    inside.set(each.id, b.gather(weights, b.scatter(first, own, codes), 'zero'));
  }
  return sum(b, [...terms, ...effectDensities(lowering, (id) => inside.get(id) ?? weights)]);
}

/** The program's input of a weight for each group. */
export const groupWeights = 'weight of groups';

/** −log densities of the blocks that draw values, of those that the objective is made of. */
function effectDensities(lowering: Lowering, weights?: (id: string) => Value): Value[] {
  return lowering.lowered().flatMap((id) =>
    lowering.within(id, ({ node, detail }, context) => {
      const value = kindOf(node.block).density?.(node.block, detail, context, weights?.(id));
      return value ? [value] : [];
    }),
  );
}

const notDrawn = (request: Redraw): string =>
  request === 'cases'
    ? 'is no sum over observations whose noise is known, of which the bootstrap could draw some again'
    : 'has no distribution that the bootstrap could draw from';

function sum(b: ProgramBuilder, values: readonly Value[]): Value {
  return values.reduce((total, value) => b.apply('add', total, value));
}

function inOneRow(b: ProgramBuilder, values: readonly Value[]): Value {
  return values.length === 1 ? values[0]! : b.concatenate(values, 0);
}

function likelihoodTerms(lowering: Lowering, parts: readonly Part[]): Value[] {
  const b = lowering.builder;
  const known = parts.flatMap(({ term, value, lowered }) =>
    term.noise === 'known' ? [lowered?.minusLog ?? value] : [],
  );
  const estimated = parts.filter((part) => part.term.noise === 'estimated');
  if (estimated.length === 0) return known;
  const squares = sum(
    b,
    estimated.map((part) => part.value),
  );
  const rows = sum(
    b,
    estimated.flatMap((part) => (part.lowered ? [part.lowered.rows] : [])),
  );
  const marginal = b.elementwise([squares, rows], (s, ssr, m) =>
    s.apply('mul', s.apply('mul', realLiteral(0.5), m), s.apply('log', ssr)),
  );
  return [...known, marginal];
}

/** Of what is varied in the place of a parameter: chains move in it, and a mode is that of the parameter. */
function logJacobian(lowering: Lowering, { id }: ParameterInfo): Value {
  return lowering.within(id, ({ detail }, context) => writeFreed(detail as ParameterDetail, context).logJacobian);
}

/** −log p of all elements of a parameter; arguments that are references broadcast with it. */
function priorTerm(lowering: Lowering, parameter: ParameterInfo): Value {
  const b = lowering.builder;
  return lowering.within(parameter.id, ({ outputs }, context) => {
    const value = lowering.value({ block: parameter.id, output: 0 });
    const columns = outputs[0]?.sizes.at(-1)?.value ?? 0;
    if (parameter.joint) return jointTerm(b, parameter.joint, value, columns, context);
    const prior = parameter.prior!;
    const wired = prior.arguments.filter((argument) => typeof argument === 'string');
    const inputs = wired.map((port) => asReal(b, context.input(port)));
    return sumAll(
      b,
      b.elementwise([value, ...inputs], (s, x, ...given) => {
        const argument = (at: number | string): ScalarOperand =>
          typeof at === 'number' ? realLiteral(at) : (given[wired.indexOf(at)] as ScalarOperand);
        return minusLogPrior(s, prior, x, prior.arguments.map(argument));
      }),
    );
  });
}

/** Of all elements together. */
function jointTerm(b: ProgramBuilder, prior: JointPrior, value: Value, columns: number, context: LowerContext): Value {
  const keys = Object.keys(prior).filter((key) => key !== 'family') as JointArgument[];
  const given = keys.map((key): [JointArgument, Value] => {
    const said = prior[key]!;
    return [key, isReference(said) ? asReal(b, context.input(portOf(key))) : literalArray(b, said)];
  });
  return minusLogJoint(b, prior, value, columns, Object.fromEntries(given));
}

/** Numbers that stand in the document. */
function literalArray(b: ProgramBuilder, nested: Nested): Value {
  const { shape, values } = denseNumbers(nested) as DenseNumbers;
  if (shape.length === 0) return b.literal(values[0]!);
  const elements = values.map((x) => b.replicate(b.literal(x), [1]));
  return b.reshape(b.concatenate(elements, 0), shape);
}
