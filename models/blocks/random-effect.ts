/**
 * Effects of groups, drawn from a normal distribution whose deviations (and correlations) are estimated:
 *
 *   b_g ~ N(0, Σ),   Σ = diag(sd)·R·diag(sd),   log sd free
 *
 * or, without a covariance, of a distribution that other blocks of the objective say (the states of a process). A fit integrates them out (engine/6-fit/marginal), and varies w ~ N(0, I) in their place, b_g = diag(sd)·L·w_g with
 * R = L·Lᵀ (../lower/standard-effects.ts): the integral is the same, and has derivatives where a deviation is 0 or Σ is
 * singular. A sampler draws them with all else. R is built of its canonical partial correlations p, of which each may be anything between −1 and 1 (Lewandowski, Kurowicka and Joe 2009): its
 * Cholesky factor has the rows Lᵢⱼ = pᵢⱼ·∏_{k<j} √(1 − pᵢₖ²), and for two effects p is the correlation itself.
 */
import * as v from 'valibot';
import { realLiteral, type ScalarOperand, type Value } from '../../engine/index.ts';
import { common, nested, oneOf, ref, strict, text, truth } from '../notation/fields.ts';
import { isIdentifier } from '../notation/names.ts';
import { denseNumbers } from '../notation/numbers.ts';
import { expression, type Expression } from '../objective/expression.ts';
import { sumAll } from '../objective/sums.ts';
import { blockKind, type AxisSize, type InferContext, type LowerContext, type Output } from './kind.ts';
import type { ParameterInfo } from '../objective/parameter-info.ts';
import { printOutput } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('random-effect'),
  ...common,
  like: ref,
  names: v.exactOptional(v.array(text, 'a list of names')),
  covariance: v.exactOptional(oneOf(['diagonal', 'full', 'none'])),
  sd: v.exactOptional(nested),
  fixed: v.exactOptional(truth),
});

export type RandomEffectBlock = v.InferOutput<typeof schema>;

export interface RandomEffectDetail {
  readonly names: readonly string[];
  readonly axis: AxisSize;
  /** The effects of all groups, in the order of `names`. */
  readonly effects: readonly ParameterInfo[];
  /** Those of the distribution: deviations, then what correlates. */
  readonly deviations: readonly ParameterInfo[];
  readonly correlation: ParameterInfo | undefined;
  /** What the groups are called. */
  readonly groups: readonly string[];
  /** In a model in which w is varied: the inputs that are called as the effects are w. */
  readonly standard?: true;
}

/**
 * Partial correlations end here: at 1 itself √(1 − p²) has no derivative. The likelihood goes with p as smoothly as with
 * 1 − p², so that its slope says whether an edge is where it ends.
 */
const SINGULAR = 1 - 1e-8;

export const randomEffect = blockKind<RandomEffectBlock, RandomEffectDetail>({
  kind: 'random-effect',
  schema,
  wires: (block) => [{ port: 'like', ref: block.like }],

  infer(block, context) {
    const like = context.input('like');
    if (!like) return undefined;
    const [along] = like.sizes;
    if (!along)
      return context.fail(
        `"like" wants a category, or an array with an element for each group, got ${printOutput(like)}`,
        {
          port: 'like',
          wanted: 'a category or an array',
          got: printOutput(like),
        },
      );
    const labels = like.category;
    if (!labels) warnOfRepeats(like, context);
    const axis: AxisSize = labels ? { value: labels.length, name: block.like, literal: false } : along;
    const names = block.names ?? ['b'];
    const wrong = names.find((name, i) => !isIdentifier(name) || names.indexOf(name) !== i);
    if (wrong !== undefined || names.length === 0)
      return context.fail(
        names.length === 0
          ? '"names" wants a name at least'
          : `"names" wants names of letters, digits and _, each once, got ${JSON.stringify(wrong)}`,
        { port: 'names' },
      );
    const deviations = deviationsOf(block, names, context);
    if (!deviations) return undefined;
    const groups = labels ?? Array.from({ length: axis.value }, (_, g) => String(g));
    const { id } = context;
    const effects = names.map((name): ParameterInfo => ({
      ...free(`${id}.${name}`, [axis.value], new Array<number>(axis.value).fill(0)),
      labels: groups,
      effect: id,
    }));
    const pairs = (names.length * (names.length - 1)) / 2;
    const correlation =
      block.covariance === 'full' && pairs > 0
        ? {
            ...free(`${id}.correlation`, pairs === 1 ? [] : [pairs], new Array<number>(pairs).fill(0)),
            ...{
              lower: new Array<number>(pairs).fill(-SINGULAR),
              upper: new Array<number>(pairs).fill(SINGULAR),
              edge: 'its edge: the covariance of the effects is singular',
            },
          }
        : undefined;
    return {
      outputs: [
        ...names.map((name): Output => ({
          name,
          element: 'real',
          sizes: [axis],
          computed: true,
          ...(like.category && { labels: like.category }),
        })),
        ...ofDistribution({ deviations, correlation }).map((each) => aside(each.id.slice(id.length + 1))),
      ],
      detail: { names, axis, effects, deviations, correlation, groups },
    };
  },

  parameters: ({ effects, deviations, correlation }) => [
    ...deviations,
    ...(correlation ? [correlation] : []),
    ...effects,
  ],

  lower: (_, detail, context) =>
    detail.standard && detail.deviations.length > 0 ? writeScaled(detail, context) : sources(detail, context),

  lowerAside({ deviations, correlation }, context, name) {
    const found = ofDistribution({ deviations, correlation }).find(({ id }) => id === `${context.id}.${name}`);
    return scalarSource(found!, context);
  },

  density: (_, detail, context, weights) =>
    detail.deviations.length === 0
      ? context.builder.literal(0)
      : detail.standard
        ? minusLogStandard(detail, context, weights)
        : minusLogDensity(detail, context, weights),
});

/** The numbers of the distribution that blocks may take: of more than two effects their correlations are none. */
const ofDistribution = ({ deviations, correlation }: Pick<RandomEffectDetail, 'deviations' | 'correlation'>) => [
  ...deviations,
  ...(correlation?.shape.length === 0 ? [correlation] : []),
];

const aside = (name: string): Output => ({
  ...{ name, element: 'real', sizes: [], computed: true },
  ...{ parameter: true, aside: true },
});

/** Numbers that come again are rather names of groups. */
function warnOfRepeats({ data }: Output, context: InferContext): void {
  const different = new Set(data).size;
  if (!data || different === data.length) return;
  context.warn(
    `"like" is no category: there is a group for each of its ${data.length} elements, not for each of its ${different} values; where these are names of groups, say "type": "category" on the column`,
    { port: 'like' },
  );
}

const sources = ({ effects, axis }: RandomEffectDetail, context: LowerContext): Value[] =>
  effects.map(({ id, initial }) => context.source(id, 'real', [axis], () => initial));

const scalarSource = ({ id, initial }: ParameterInfo, context: LowerContext): Value =>
  context.source(id, 'real', [], () => initial);

/** b = diag(sd)·L·w */
function writeScaled(detail: RandomEffectDetail, context: LowerContext): Value[] {
  const { deviations, correlation } = detail;
  const partials = correlation ? partialCorrelations(correlation, context) : [];
  const w = sources(detail, context);
  return deviations.map((deviation, i) => {
    const own = w.slice(correlation ? 0 : i, i + 1);
    const inputs = [scalarSource(deviation, context), ...own, ...partials];
    return context.builder.elementwise(inputs, (s, sd, ...rest) => {
      const e = expression(s);
      const row = correlation ? factorOf(e, i + 1, rest.slice(i + 1))[i] : undefined;
      const terms = own.map((_, j) => e.multiply(...(row ? [row[j]!] : []), rest[j] as ScalarOperand));
      return e.multiply(sd, e.add(...terms));
    });
  });
}

/** −Σ_g log N(w_g; 0, I) = ½ Σ_g ‖w_g‖² + G·(d/2)·log 2π */
function minusLogStandard(detail: RandomEffectDetail, context: LowerContext, weights?: Value): Value {
  const b = context.builder;
  const terms = b.elementwise(sources(detail, context), (s, ...w) => {
    const e = expression(s);
    const squares = w.map((x) => e.multiply(realLiteral(0.5), x, x));
    return e.add(...squares, realLiteral((w.length / 2) * Math.log(2 * Math.PI)));
  });
  return sumAll(b, weights ? b.apply('mul', weights, terms) : terms);
}

function free(id: string, shape: readonly number[], initial: readonly number[]): ParameterInfo {
  return {
    ...{ id, shape, initial, fixed: false, scale: 'linear', prior: undefined, labels: undefined },
    lower: initial.map(() => -Infinity),
    upper: initial.map(() => Infinity),
  };
}

function deviationsOf(
  { sd = 1, fixed = false, covariance }: RandomEffectBlock,
  names: readonly string[],
  context: InferContext,
): ParameterInfo[] | undefined {
  if (covariance === 'none') return [];
  const dense = denseNumbers(sd);
  const wanted = names.length === 1 ? 'a number above 0' : `a number above 0, or ${names.length} of them`;
  const values =
    typeof dense === 'string' ? [] : dense.shape.length === 0 ? names.map(() => dense.values[0]) : dense.values;
  if (values.length !== names.length || !values.every((value) => Number.isFinite(value) && value! > 0))
    return context.fail(`"sd" wants ${wanted}, got ${JSON.stringify(sd)}`, { port: 'sd', wanted });
  return names.map((name, i) => ({
    ...free(`${context.id}.sd.${name}`, [], [values[i]!]),
    ...{ fixed, lower: [0], scale: 'log' as const, edge: 'its edge, 0: the groups do not differ in it' },
  }));
}

/** −Σ_g log N(b_g; 0, Σ) = ½ Σ_g ‖w_g‖² + G·(Σ log sd + Σ log Lᵢᵢ + (d/2)·log 2π), L·w = b/sd */
function minusLogDensity(detail: RandomEffectDetail, context: LowerContext, weights?: Value): Value {
  const { effects, deviations, correlation } = detail;
  const b = context.builder;
  const values = sources(detail, context);
  const partials = correlation ? partialCorrelations(correlation, context) : [];
  const terms = b.elementwise(
    [...values, ...deviations.map((deviation) => scalarSource(deviation, context)), ...partials],
    (s, ...inputs) => {
      const e = expression(s);
      const d = effects.length;
      const z = effects.map((_, i) => e.divide(inputs[i] as ScalarOperand, inputs[d + i] as ScalarOperand));
      const factor = correlation ? factorOf(e, d, inputs.slice(2 * d)) : undefined;
      const w: ScalarOperand[] = [];
      for (const [i, zi] of z.entries()) {
        const row = factor?.[i];
        if (!row) w.push(zi);
        else {
          const known = w.map((wj, j) => e.multiply(row[j]!, wj));
          w.push(known.length === 0 ? zi : e.divide(e.subtract(zi, e.add(...known)), row[i]!));
        }
      }
      const logs = [...effects.keys()].map((i) => e.apply('log', inputs[d + i] as ScalarOperand));
      const diagonal = (factor ?? []).slice(1).map((row, i) => e.apply('log', row[i + 1]!));
      return e.add(
        ...w.map((x) => e.multiply(realLiteral(0.5), x, x)),
        ...logs,
        ...diagonal,
        realLiteral((d / 2) * Math.log(2 * Math.PI)),
      );
    },
  );
  return sumAll(b, weights ? b.apply('mul', weights, terms) : terms);
}

function partialCorrelations({ id, shape, initial }: ParameterInfo, context: LowerContext): Value[] {
  const b = context.builder;
  const sizes = shape.map((value) => ({ value, literal: true }));
  const value = context.source(id, 'real', sizes, () => initial);
  return shape.length === 0 ? [value] : initial.map((_, k) => b.reshape(b.slice(value, 0, k, 1), []));
}

/** The rows of L, from the partial correlations row by row. */
function factorOf(e: Expression, d: number, partials: readonly ScalarOperand[]): ScalarOperand[][] {
  let next = 0;
  return Array.from({ length: d }, (_, i) => {
    const row: ScalarOperand[] = [];
    let left: ScalarOperand = realLiteral(1);
    for (let j = 0; j < i; j++) {
      const p = partials[next++]!;
      row.push(e.multiply(p, left));
      left = e.multiply(left, e.apply('sqrt', e.multiply(e.subtract(realLiteral(1), p), e.add(realLiteral(1), p))));
    }
    return [...row, left];
  });
}

/** L, by rows, each as long as it is not 0. */
export function correlationFactor(d: number, partials: readonly number[]): number[][] {
  let next = 0;
  return Array.from({ length: d }, (_, i) => {
    const row: number[] = [];
    let left = 1;
    for (let j = 0; j < i; j++) {
      const p = partials[next++]!;
      row.push(p * left);
      left *= Math.sqrt((1 - p) * (1 + p));
    }
    return [...row, left];
  });
}

/** The correlation matrix that partial correlations stand for, by rows: L·Lᵀ. */
export function correlationMatrix(d: number, partials: readonly number[]): number[][] {
  const rows = correlationFactor(d, partials);
  return rows.map((a) => rows.map((b) => a.reduce((sum, x, k) => sum + x * (b[k] ?? 0), 0)));
}

/** Its derivatives by each partial correlation, by central differences: entries are products of numbers below 1. */
export function correlationSlopes(d: number, partials: readonly number[]): number[][][] {
  return partials.map((p, k) => {
    const h = 1e-6 * (1 - Math.abs(p));
    const [up, down] = [p + h, p - h].map((x) => correlationMatrix(d, partials.with(k, x)));
    return up!.map((row, i) => row.map((x, j) => (x - down![i]![j]!) / (2 * h)));
  });
}
