/**
 * Whether a model is a case of another. Nobody is asked: the small model is moved to points around its fit, and each
 * time the large one is fitted to what the small one predicts there. A large model that follows it everywhere, to
 * rounding, has it as a case, whatever the two look like. Random effects are 0 in both: the large model must have them for
 * the same groups, as many at least, and follow the population.
 */
import type { ParameterInfo } from '../../../models/objective/parameter-info.ts';
import { argumentsOf, type LikelihoodBlock } from '../../../models/blocks/likelihood.ts';
import { isDocumentNumber, nestNumbers, toNumber } from '../../../models/notation/numbers.ts';
import { parametersOf, type Model } from '../../../models/load/model.ts';
import type { ParameterValues } from '../running/run.ts';
import { blocksWithoutEffects, hasEffectsOf } from './without-effects.ts';
import { within } from './families-within.ts';
import { measuredBy, termsOf, type Measured, type Term } from './measured.ts';

/** A misfit that is rounding, and the slow end of a fit to a singular point, in units of what is followed. */
const following = 1e-6;

/** Steps from the fit, in shares of each value, by the number of the point and of the element. */
const moves = [0, 0.11, -0.17] as const;

/** A document whose objective is how far the large model is from predictions; the sum of squares in units of their size. */
export interface Follower {
  readonly document: Readonly<Record<string, unknown>>;
  /** At or under it, the large model follows. */
  readonly tolerance: number;
}

/**
 * One for each point; undefined where the large model cannot be asked: other kinds of terms, or terms within groups.
 * `at`: where the small model's fit ended.
 */
export async function followers(small: Model, large: Model, at: ParameterValues): Promise<Follower[] | undefined> {
  const pairs = hasEffectsOf(large, small) ? pairedTerms(small, large) : undefined;
  if (!pairs) return undefined;
  const found: Follower[] = [];
  for (const move of moves) {
    const predictions = await measuredBy(small, moved(small, at, move));
    const follower = followerOf(large, pairs, predictions);
    if (!follower) return undefined;
    found.push(follower);
  }
  return found;
}

type Pair = readonly [small: Term, large: Term];

/** Whether a term of the small model is of a family that is the end of the large one's. */
export function isAtFamilysEdge(small: Model, large: Model): boolean {
  const many = termsOf(large);
  return termsOf(small).some(({ block }, i) => {
    const other = many[i]?.block;
    return block.kind === 'likelihood' && other?.kind === 'likelihood' && block.family !== other.family;
  });
}

/** Terms in their order, which must be of the same kind and noise. */
function pairedTerms(small: Model, large: Model): Pair[] | undefined {
  const [few, many] = [termsOf(small), termsOf(large)];
  const pairs = few.map((term, i) => [term, many[i]] as const);
  const alike = pairs.every(([{ block }, other]) => {
    if (!other || other.id.includes('/') || block.kind !== other.block.kind) return false;
    if (block.kind === 'likelihood' && !within(block, other.block as LikelihoodBlock)) return false;
    return measuredAlike(block, other.block);
  });
  return alike && few.length === many.length ? (pairs as Pair[]) : undefined;
}

/** Whether sigma is known of both or of neither, and what could be seen at all is bounded on the same sides. */
function measuredAlike(one: Term['block'], other: Term['block']): boolean {
  const sides = (block: Term['block']): string =>
    [...limitsBeyond(block), ...('sigma' in block && block.kind === 'least-squares' ? ['sigma'] : [])].sort().join(' ');
  return sides(one) === sides(other);
}

/** Each free element a little away, within its bounds; one that is 0 by a share of 1. */
function moved(model: Model, at: ParameterValues, share: number): ParameterValues {
  const values = (info: ParameterInfo): number[] => {
    if (info.effect !== undefined) return [...info.initial];
    const given = at[info.id] ?? info.initial;
    return (typeof given === 'number' ? [given] : [...given]).map((value, i) => {
      const step = share * (1 + 0.3 * i) * (value === 0 ? 1 : value);
      const [lower, upper] = [info.lower[i]!, info.upper[i]!];
      return info.fixed ? value : Math.min(upper, Math.max(lower, value + step));
    });
  };
  return Object.fromEntries(parametersOf(model).map((info) => [info.id, values(info)]));
}

/** What is written as a number in one model and in the other must be the same number. */
function followerOf(
  large: Model,
  pairs: readonly Pair[],
  predictions: ReadonlyMap<string, ReadonlyMap<string, Measured>>,
): Follower | undefined {
  const taken = new Set(large.document.blocks.map(({ id }) => id));
  const blocks: object[] = [];
  const objective: string[] = [];
  const fresh = (): string => {
    let number = taken.size;
    while (taken.has(`followed${number}`)) number++;
    taken.add(`followed${number}`);
    return `followed${number}`;
  };
  let rows = 0;
  for (const [small, { block }] of pairs) {
    const ports = predictions.get(small.id) ?? new Map<string, Measured>();
    const counts = countedRows(small.block, ports);
    for (const { key, target, formula } of followedBy(small.block, block, ports)) {
      const argument = argumentOf(block, formula, fresh, blocks);
      if (!target || argument === undefined) return undefined;
      // Thresholds are of classes, not of rows.
      const isPerRow = target.values.length === counts.length && key !== 'thresholds';
      const wanted = target.values.map((value, row) => (isPerRow && !counts[row] ? NaN : value));
      const followed = target.values.filter((_, row) => !isPerRow || counts[row]);
      if (typeof argument === 'number') {
        if (followed.some((value) => value !== argument)) return undefined;
        continue;
      }
      if (!followed.every(Number.isFinite)) return undefined;
      const [observed, term] = [fresh(), fresh()];
      blocks.push(
        { id: observed, kind: 'constant', value: nestNumbers(wanted, target.shape) },
        { id: term, kind: 'least-squares', prediction: argument, observed, sigma: sizeOf(followed) },
      );
      objective.push(term);
      rows += followed.length;
    }
  }
  if (objective.length === 0) return undefined;
  const kept = blocksWithoutEffects(large).map((block) => {
    if (!('kind' in block) || block.kind !== 'parameter') return block;
    const { prior: _, ...plain } = block as Record<string, unknown>;
    return plain;
  });
  const { view: _view, fit: _fit, ...rest } = large.document;
  return { document: { ...rest, blocks: [...kept, ...blocks], objective }, tolerance: rows * following ** 2 };
}

interface Wanted {
  /** The port of the small model's term; '' of what is 0 in it. */
  readonly key: string;
  readonly target: Measured | undefined;
  /** Over the ports of the large one's. */
  readonly formula: string;
}

/** What of the large model's term has to be what in the small one's. */
function followedBy(small: Term['block'], large: Term['block'], ports: ReadonlyMap<string, Measured>): Wanted[] {
  const { by = {}, edge = undefined } =
    small.kind === 'likelihood' && large.kind === 'likelihood' ? (within(small, large) ?? {}) : {};
  const wanted = predictedBy(small).map((key) => ({
    key,
    target: targetOf(small, key, ports),
    formula: by[key] ?? key,
  }));
  return edge === undefined ? wanted : [...wanted, { key: '', target: numberAlone(0), formula: edge }];
}

const numberAlone = (value: number): Measured => ({ shape: [], values: Float64Array.of(value) });

/** A reference to it, or its number; where it is made of several, by a block that is written for it. */
function argumentOf(
  block: Term['block'],
  formula: string,
  fresh: () => string,
  blocks: object[],
): number | string | undefined {
  const ports = block.kind === 'likelihood' ? Object.keys(argumentsOf(block).arguments) : [];
  const read = ports.filter((port) => formula !== port && new RegExp(`\\b${port}\\b`).test(formula));
  if (read.length === 0) return valueOf(block, formula);
  const inputs = read.map((port): [string, string] => {
    const value = valueOf(block, port)!;
    if (typeof value === 'string') return [port, value];
    const constant = fresh();
    blocks.push({ id: constant, kind: 'constant', value });
    return [port, constant];
  });
  const id = fresh();
  blocks.push({ id, kind: 'map', formula, inputs: Object.fromEntries(inputs) });
  return id;
}

/** Which rows are observed, and weigh something: of the others nothing is followed. */
function countedRows(block: Term['block'], ports: ReadonlyMap<string, Measured>): boolean[] {
  const observed = ports.get('observed')?.values ?? new Float64Array();
  const weights = targetOf(block, 'weights', ports)?.values;
  const weighs = (row: number): boolean => weights?.[weights.length === observed.length ? row : 0] !== 0;
  return Array.from(observed, (y, row) => !Number.isNaN(y) && weighs(row));
}

/**
 * The ports of a term that depend on the model, not on what was observed; of squares what measures them, and of what could be seen at
 * all its limits, which must be the same.
 */
function predictedBy(block: Term['block']): string[] {
  if (block.kind === 'least-squares') return ['prediction', block.sigma === undefined ? 'weights' : 'sigma'];
  return [...Object.keys(argumentsOf(block).arguments), ...limitsBeyond(block)];
}

/** The ports of limits beyond which nothing is seen. */
const limitsBeyond = (block: Term['block']): string[] =>
  'truncated' in block ? Object.keys(block.truncated ?? {}).map((side) => `truncated.${side}`) : [];

function valueOf(block: Term['block'], key: string): number | string | undefined {
  const [name, side] = key.split('.');
  const given = (block as unknown as Readonly<Record<string, unknown>>)[name!];
  const value = side === undefined ? given : (given as Readonly<Record<string, unknown>> | undefined)?.[side];
  const said = value ?? (key === 'weights' ? 1 : undefined);
  if (isDocumentNumber(said)) return toNumber(said);
  return typeof said === 'string' ? said : undefined;
}

function targetOf(block: Term['block'], key: string, ports: ReadonlyMap<string, Measured>): Measured | undefined {
  const value = valueOf(block, key);
  return typeof value === 'number' ? numberAlone(value) : ports.get(key);
}

/** Root mean square about the mean; of what is constant, its own size. */
function sizeOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return spread > 1e-9 * Math.abs(mean) && spread > 0 ? spread : Math.abs(mean) || 1;
}
