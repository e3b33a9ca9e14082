/** What chains show of a posterior that they could not follow, and what helps against that: each symptom has its own. */
import { apart, joined, mixingOf, momentsOf, type Mixing } from '../chains/diagnostics.ts';
import { flaggedIn, ranksOf, shiftOf } from './divergences.ts';
import { sortedQuantile } from '../../6-fit/ensembles/random.ts';
import { listed } from '../../6-fit/report/verdict.ts';

export interface Symptoms {
  readonly names: readonly string[];
  /** By element and chain: unconstrained, and in the parameters' own values. */
  readonly inV: readonly (readonly Float64Array[])[];
  readonly series: readonly (readonly Float64Array[])[];
  /** By chain and draw. */
  readonly divergent: readonly (readonly boolean[])[];
  readonly mixings: readonly Mixing[];
  /** Divergences by element. */
  readonly placed: readonly number[];
  /** Trajectories that were cut. */
  readonly deep: number;
  /** How wide each coordinate was taken for when the chains began. */
  readonly first: readonly number[];
  /** Called before each part of the work; it may throw. */
  readonly heed: () => void;
}

/** Above it chains are not said to agree (Vehtari et al. 2021). */
export const agreed = 1.01;
/** Effective draws that each chain should be worth. */
const wanted = 100;

export function adviceOn(symptoms: Symptoms): string[] {
  const total = symptoms.divergent.reduce((sum, flags) => sum + flags.length, 0);
  if (total === 0) return [];
  const modes = modesAdvice(symptoms);
  return [
    ...divergenceAdvice(symptoms, total),
    ...(modes ?? drawsAdvice(symptoms)),
    ...(symptoms.deep > total / 100 && runawaysIn(symptoms).length === 0
      ? [
          `${symptoms.deep} of ${total} trajectories were cut before they turned back: some direction of the posterior is much longer than another. Parameters that move together are better written as their sum and their difference, those of many orders of magnitude on a log scale`,
        ]
      : []),
  ];
}

function divergenceAdvice(symptoms: Symptoms, total: number): string[] {
  const { names, divergent, placed } = symptoms;
  const flagged = flaggedIn(divergent);
  if (flagged.length === 0) return [];
  const counted = `${flagged.length} of ${total} trajectories diverged`;
  const funnel = funnelIn(symptoms, flagged);
  if (funnel) {
    const neck = names[funnel.neck]!;
    const others = few(funnel.spread.map((j) => names[j]!));
    return [
      `${counted}, where ${neck} is ${funnel.side}: a funnel, as the spread of ${others} goes with ${neck}. The chains miss part of its narrow end. Write it non-centred: ${others} as a location plus a scale times a parameter of its own with a standard normal prior`,
    ];
  }
  const most = placed.indexOf(Math.max(...placed));
  return [
    `${counted}, most of them told apart by ${names[most]}: the chains may have missed a narrow part of the posterior there, and the intervals may be too short. A bound, a prior or another scale that keeps the model away from where it bends so sharply helps; more draws do not`,
  ];
}

interface Funnel {
  readonly neck: number;
  readonly side: 'small' | 'large';
  /** Elements whose spread goes with it. */
  readonly spread: readonly number[];
}

const related = 0.25;
const shifted = 0.15;

/** An element with whose value the distance of others from their middle goes, and at one end of which chains diverge. */
function funnelIn({ names, inV, heed }: Symptoms, flagged: readonly number[]): Funnel | undefined {
  const ranks = inV.map(ranksOf);
  const blocks = names.map(blockOf);
  const distances = inV.map((_, j) => {
    heed();
    const block = inV.filter((_, i) => blocks[i] === blocks[j]).map(joined);
    const own = joined(inV[j] ?? []);
    const middle = momentsOf([own]).mean;
    // Elements of one array have a location in common, which moves by itself.
    const around = (k: number): number =>
      block.length < 3 ? middle : block.reduce((sum, other) => sum + other[k]!, 0) / block.length;
    return ranksOf([own.map((x, k) => Math.abs(x - around(k)))]);
  });
  let best: Funnel | undefined;
  let most = 0;
  ranks.forEach((own, neck) => {
    heed();
    const shift = shiftOf(own, flagged);
    if (Math.abs(shift) < shifted) return;
    // Diverging at the small end, spreads grow with it; at the large end they shrink.
    const strengths = distances.map((other, j) => (j === neck ? 0 : -Math.sign(shift) * correlationOf(own, other)));
    const spread = strengths.flatMap((strength, j) => (strength > related ? [j] : []));
    const total = spread.reduce((sum, j) => sum + strengths[j]!, 0);
    if (total > most) {
      best = { neck, side: shift < 0 ? 'small' : 'large', spread };
      most = total;
    }
  });
  return best;
}

/** Of ranks, whose mean is 0. */
function correlationOf(x: Float64Array, y: Float64Array): number {
  let [xy, xx, yy] = [0, 0, 0];
  x.forEach((value, k) => {
    const other = y[k]!;
    xy += value * other;
    xx += value * value;
    yy += other * other;
  });
  return xy / Math.sqrt(xx * yy);
}

/** Chains that agree with themselves and not with each other have each found a mode. Undefined where there are none such. */
function modesAdvice({ names, series, mixings, heed }: Symptoms): string[] | undefined {
  const order = names.map((_, j) => j).sort((a, b) => rHatOf(mixings[b]) - rHatOf(mixings[a]));
  for (const j of order) {
    if (!(rHatOf(mixings[j]) > apart)) return undefined;
    heed();
    const groups = groupsOf(series[j] ?? []);
    if (groups.length < 2) continue;
    const where = groups.map(
      ({ chains, mean }) =>
        `${chains.length === 1 ? 'chain' : 'chains'} ${listed(chains.map((c) => String(c + 1)))} around ${names[j]} = ${Number(mean.toPrecision(3))}`,
    );
    return [
      `the posterior has several modes, and no chain crosses from one to another: ${listed(where)}. The share of each is not known, and neither longer chains nor other intervals would tell. Bounds, an order of parameters that may change places, or a prior make one of them the answer`,
    ];
  }
  return undefined;
}

const rHatOf = (mixing: Mixing | undefined): number => mixing?.rHat ?? NaN;

interface Group {
  readonly chains: readonly number[];
  readonly mean: number;
}

/** Chains by where they stay; one group where a chain has not settled. */
function groupsOf(series: readonly Float64Array[]): Group[] {
  if (series.some((chain) => !(mixingOf([chain]).rHat < 1.1))) return [];
  const moments = series.map((chain) => momentsOf([chain]));
  const order = series.map((_, c) => c).sort((a, b) => (moments[a]?.mean ?? 0) - (moments[b]?.mean ?? 0));
  const groups: number[][] = [];
  order.forEach((c, k) => {
    const [own, before] = [moments[c], moments[order[k - 1] ?? c]];
    const apart = own && before && own.mean - before.mean > 2 * Math.max(own.deviation, before.deviation) && k > 0;
    if (k === 0 || apart) groups.push([c]);
    else groups.at(-1)?.push(c);
  });
  return groups.map((chains) => ({
    chains: [...chains].sort((a, b) => a - b),
    mean: chains.reduce((sum, c) => sum + (moments[c]?.mean ?? 0), 0) / chains.length,
  }));
}

function drawsAdvice(symptoms: Symptoms): string[] {
  const { series, mixings } = symptoms;
  const worst = Math.max(...mixings.map(({ rHat }) => rHat));
  const fewest = Math.min(...mixings.map(({ essBulk, essTail }) => Math.min(essBulk, essTail)));
  const needed = wanted * (series[0]?.length ?? 1);
  const runaways = runawaysIn(symptoms);
  if (runaways.length > 0) {
    const disagree = worst > apart ? `, and the chains do not agree (largest R-hat ${worst.toFixed(2)})` : '';
    return [
      `${few(runaways)} ${runaways.length === 1 ? 'moves' : 'move'} away without end${disagree}: the posterior may not be proper. A prior or bounds make it so; more draws do not`,
    ];
  }
  if (worst <= agreed && fewest >= needed) return [];
  const length = series[0]?.[0]?.length ?? 0;
  const factor = Math.min(50, Math.max(2, Number.isFinite(fewest) ? needed / fewest : 10));
  const why =
    worst > agreed
      ? `the chains have not mixed (largest R-hat ${worst.toFixed(3)})`
      : Number.isNaN(fewest)
        ? 'the draws are too few to tell what they are worth'
        : `the draws are worth few independent ones (${Math.floor(fewest)})`;
  // Where trajectories diverge more draws are no better ones.
  if (flaggedIn(symptoms.divergent).length > 0) return [`${why}: draw again once what diverges is mended`];
  return [`${why}: take more draws, some ${Math.ceil((factor * length) / 500) * 500} of each chain`];
}

/** Widths, as the chains took them at first, beyond which an element of chains that disagree has run away. */
const runaway = 1000;
/** Values so large are no model's: there numbers end. */
const vast = 1e100;

/** Elements that move away without end: their draws are of no distribution. */
export function runawaysIn({ names, inV, series, mixings, first, heed }: Symptoms): string[] {
  return names.filter((_, j) => {
    heed();
    const [moved, values] = [joined(inV[j] ?? []).sort(), joined(series[j] ?? []).sort()];
    const width = sortedQuantile(moved, 0.84) - sortedQuantile(moved, 0.16);
    const isApart = rHatOf(mixings[j]) > 1.2 && width > 2 * runaway * (first[j] ?? Infinity);
    return isApart || Math.abs(sortedQuantile(values, 0.5)) > vast;
  });
}

const blockOf = (name: string): string => name.replace(/\[.*/, '');

/** Some names, and how many more; an array with several elements among them by its own. */
function few(names: readonly string[]): string {
  const blocks = names.map(blockOf);
  const shown = [
    ...new Set(
      names.map((name, i) => (blocks.indexOf(blocks[i]!) === blocks.lastIndexOf(blocks[i]!) ? name : blocks[i]!)),
    ),
  ];
  return shown.length <= 4 ? listed(shown) : `${shown.slice(0, 3).join(', ')} and ${shown.length - 3} more`;
}
