/**
 * What draws of the posterior say of data: leave-one-out prediction (../chains/psis.ts), and data drawn again at them,
 * whose mean, spread and ends are held beside those of what was observed (Gelman, Meng & Stern 1996):
 *
 *   p = P(T(y_rep) ≥ T(y)),  near ½ where the model makes such data, near 0 or 1 where it does not.
 *
 * −log p of each observation is the derivative of the density by how often it counts (redrawn.ts). Least squares without
 * sigma have residuals alone: σ² is drawn too, given the parameters, SSR/χ²_m.
 */
import { Cancelled } from '../../0-ir/errors.ts';
import type { Device } from '../../5-runtime/device.ts';
import { gradientName, withGradient } from '../../6-fit/derivative-programs.ts';
import { drawGamma } from '../../6-fit/ensembles/distributions.ts';
import { createEnsemble, type EnsembleModel } from '../../6-fit/ensembles/ensemble.ts';
import { partSeed, randomFrom, type Random } from '../../6-fit/ensembles/random.ts';
import type { FitProblem } from '../../6-fit/problem.ts';
import { sweepOptions, withResults } from '../../6-fit/questions.ts';
import { sizeProduct, sizeValue } from '../../0-ir/sizes.ts';
import { looOf, pointwiseOf, type Loo } from '../chains/psis.ts';
import type { Redrawn } from './redrawn.ts';

/** Which observations there are: terms of a density, or the residuals of least squares that estimate their noise. */
export type Observations =
  { readonly kind: 'terms'; readonly redrawn: Redrawn } | ({ readonly kind: 'residuals' } & ObservedResiduals);

/** Of least squares without sigma and weights: prediction − observed, term after term. */
export interface ObservedResiduals extends Pick<EnsembleModel, 'program' | 'data' | 'sizes'> {
  /** All residuals, rank 1, 0 where nothing was observed. */
  readonly result: string;
  readonly terms: readonly {
    /** Rank 1, one for each of its residuals, NaN where nothing was observed. */
    readonly observed: string;
    /** What is computed says of the noise what its residuals are, and is not predicted. */
    readonly isData: boolean;
  }[];
}

export interface Predictive {
  readonly loo: Loo;
  /** By term whose observations are data, P(T(y_rep) ≥ T(y)). Empty where nothing can be drawn again. */
  readonly checks: readonly (Readonly<Record<Statistic, number>> & { readonly term: number })[];
}

/** By element and chain, as a study gives them. */
type Draws = readonly (readonly Float64Array[])[];

/** Numbers that are held at once: of more observations fewer draws are looked at, evenly spaced. */
const mostNumbers = 2e7;
const fewestDraws = 100;
const mostReplicates = 400;

export async function predictiveOf(
  problem: FitProblem,
  draws: Draws,
  observations: Observations,
  device: Device,
  { seed, cancel }: { readonly seed: number; readonly cancel?: Int32Array },
): Promise<Predictive | undefined> {
  const length = draws[0]?.[0]?.length ?? 0;
  if (length * (draws[0]?.length ?? 0) < fewestDraws) return undefined;
  try {
    return observations.kind === 'terms'
      ? await ofTerms(problem, draws, observations.redrawn, device, seed, cancel)
      : await ofResiduals(problem, draws, observations, device, seed, cancel);
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

interface Thinned {
  readonly chains: number;
  readonly each: number;
  /** Draw by draw, chain after chain. */
  readonly points: Float64Array;
}

function thinned(draws: Draws, observations: number): Thinned {
  const chains = draws[0]?.length ?? 0;
  const length = draws[0]?.[0]?.length ?? 0;
  const most = Math.max(fewestDraws / chains, mostNumbers / Math.max(1, observations) / chains);
  const every = Math.max(1, Math.ceil(length / most));
  const each = Math.floor(length / every);
  const points = new Float64Array(chains * each * draws.length);
  let at = 0;
  for (let c = 0; c < chains; c++)
    for (let k = 0; k < each; k++) for (const element of draws) points[at++] = element[c]![k * every]!;
  return { chains, each, points };
}

async function ofTerms(
  problem: FitProblem,
  draws: Draws,
  { program, terms, data, sizes, result }: Redrawn,
  device: Device,
  seed: number,
  cancel: Int32Array | undefined,
): Promise<Predictive | undefined> {
  const inputs = program.parameters.filter(
    ({ name }) => !data.has(name) && !problem.parameters.some((p) => p.name === name),
  );
  const lengthOf = (name: string): number => {
    const shape = inputs.find((input) => input.name === name)?.value.type.shape ?? [];
    return sizeValue(sizeProduct(shape), sizes);
  };
  const ones = inputs.map(({ name }) => [name, new Array<number>(lengthOf(name)).fill(1)] as const);
  const names = terms.map(({ input }) => input);
  const thin = thinned(
    draws,
    names.reduce((sum, name) => sum + lengthOf(name), 0),
  );
  const model = { parameters: problem.parameters, data: new Map([...data, ...ones]), sizes };
  const asked = terms.flatMap((term) => [term.observed, ...term.arguments]);
  const whole = { ...model, program: withResults(program, asked) };
  const counted = withGradient(withResults(program, [result]), result, names, sweepOptions(problem, device));
  const [logs, source] = [
    await evaluated({ ...model, program: counted }, thin.points, device, cancel),
    await evaluated(whole, evenly(thin, draws.length, mostReplicates), device, cancel),
  ];
  const members = thin.chains * thin.each;
  const pointwise = terms.flatMap(({ input, observed }) => {
    const found = logs.get(gradientName(input))!;
    const y = source.get(observed)!;
    const n = found.length / members;
    return Array.from({ length: n }, (_, i) => i).flatMap((i) =>
      Number.isNaN(y[i]) ? [] : [pointwiseOf(chainsOf(thin, (member) => -found[member * n + i]!))],
    );
  });
  if (pointwise.length < 2) return undefined;
  const random = randomFrom(partSeed(seed, ofReplicates));
  const checks = terms.flatMap(({ observed, arguments: args, draw }, term) => {
    const y = source.get(observed)!;
    const n = lengthOf(names[term]!);
    if (!draw || n < 2) return [];
    const known = args.map((name) => source.get(name)!);
    const rows = Array.from({ length: n }, (_, i) => i).filter((i) => !Number.isNaN(y[i]));
    return [
      {
        term,
        ...checked(
          rows.map((i) => y[i]!),
          y.length / n,
          (member) => rows.map((i) => draw(random, ...known.map((values) => values[member * n + i]!))),
        ),
      },
    ];
  });
  return { loo: looOf(pointwise), checks };
}

async function ofResiduals(
  { parameters, observations }: FitProblem,
  draws: Draws,
  { program, data, sizes, result, terms }: ObservedResiduals,
  device: Device,
  seed: number,
  cancel: Int32Array | undefined,
): Promise<Predictive | undefined> {
  const thin = thinned(draws, observations);
  const model = { parameters, data, sizes };
  const found = await evaluated({ ...model, program: withResults(program, [result]) }, thin.points, device, cancel);
  const names = terms.map(({ observed }) => observed);
  // They depend on no parameter: as they are at any draw.
  const seen = await evaluated(
    { ...model, program: withResults(program, names) },
    thin.points.subarray(0, draws.length),
    device,
    cancel,
  );
  const residuals = found.get(result)!;
  const members = thin.chains * thin.each;
  const n = residuals.length / members;
  const random = randomFrom(partSeed(seed, ofReplicates));
  const sigmas = Float64Array.from({ length: members }, (_, member) => {
    const own = residuals.subarray(member * n, (member + 1) * n);
    return sigmaOf(
      own.reduce((sum, r) => sum + r * r, 0),
      observations,
      random,
    );
  });
  let from = 0;
  const placed = terms.flatMap(({ observed, isData }) => {
    const y = seen.get(observed)!;
    const at = from;
    from += y.length;
    return isData ? [{ y, at, rows: [...y.keys()].filter((i) => !Number.isNaN(y[i])) }] : [];
  });
  const pointwise = placed.flatMap(({ at, rows }) =>
    rows.map((i) =>
      pointwiseOf(
        chainsOf(thin, (member) => {
          const sigma = sigmas[member]!;
          const z = residuals[member * n + at + i]! / sigma;
          return -0.5 * z * z - Math.log(sigma) - 0.5 * Math.log(2 * Math.PI);
        }),
      ),
    ),
  );
  if (pointwise.length < 2) return undefined;
  const replicates = Math.min(mostReplicates, members);
  const checks = placed.flatMap(({ y, at, rows }, term) => {
    if (rows.length < 2) return [];
    const again = (replicate: number): number[] => {
      const member = Math.floor((replicate * members) / replicates);
      return rows.map((i) => y[i]! + residuals[member * n + at + i]! + sigmas[member]! * random.normal());
    };
    return [
      {
        term,
        ...checked(
          rows.map((i) => y[i]!),
          replicates,
          again,
        ),
      },
    ];
  });
  return { loo: looOf(pointwise), checks };
}

/** σ given the parameters: SSR/σ² ~ χ² of as many degrees of freedom as observations, where the prior is 1/σ. */
export function sigmaOf(squares: number, observations: number, random: Random): number {
  return Math.sqrt(squares / (2 * drawGamma(random, observations / 2)));
}

const ofReplicates = 1 << 21;

function chainsOf({ chains, each }: Thinned, at: (member: number) => number): Float64Array[] {
  return Array.from({ length: chains }, (_, c) => Float64Array.from({ length: each }, (_, k) => at(c * each + k)));
}

function evenly({ points }: Thinned, width: number, most: number): Float64Array {
  const members = points.length / width;
  const count = Math.min(most, members);
  const chosen = new Float64Array(count * width);
  for (let k = 0; k < count; k++) {
    const from = Math.floor((k * members) / count) * width;
    chosen.set(points.subarray(from, from + width), k * width);
  }
  return chosen;
}

async function evaluated(
  model: Parameters<typeof createEnsemble>[1],
  points: Float64Array,
  device: Device,
  cancel: Int32Array | undefined,
): Promise<ReadonlyMap<string, Float64Array>> {
  const ensemble = await createEnsemble(device, model);
  try {
    return (await ensemble.evaluate(points, cancel)).values;
  } finally {
    ensemble.release();
  }
}

const statistics = {
  mean: (y: readonly number[]) => y.reduce((sum, value) => sum + value, 0) / y.length,
  standardDeviation(y: readonly number[]) {
    const mean = statistics.mean(y);
    return Math.sqrt(y.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (y.length - 1));
  },
  minimum: (y: readonly number[]) => y.reduce((a, b) => Math.min(a, b), Infinity),
  maximum: (y: readonly number[]) => y.reduce((a, b) => Math.max(a, b), -Infinity),
} as const;
export type Statistic = keyof typeof statistics;
const statisticNames = Object.keys(statistics) as Statistic[];

/** Ties count for half: counts have many. */
function checked(
  y: readonly number[],
  replicates: number,
  draw: (replicate: number) => readonly number[],
): Record<Statistic, number> {
  const counts = { mean: 0, standardDeviation: 0, minimum: 0, maximum: 0 };
  for (let k = 0; k < replicates; k++) {
    const again = draw(k);
    for (const name of statisticNames) {
      const [of, seen] = [statistics[name](again), statistics[name](y)];
      counts[name] += of > seen ? 1 : of === seen ? 0.5 : 0;
    }
  }
  for (const name of statisticNames) counts[name] /= replicates;
  return counts;
}
