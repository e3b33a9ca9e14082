/**
 * The marginal likelihood of the parameters θ, effects b integrated out by Laplace's approximation at their modes:
 *
 *   −log L(θ) = E(θ, b̂) + ½ log det H(θ, b̂) − (d/2)·log 2π,   b̂ = argmin E(θ, ·),   H = ∂²E/∂b²
 *
 * and, with b̂ moving as −H⁻¹·∂²E/∂b∂θ, its exact gradient from one solution of the inner problem and two more runs:
 *
 *   ∂/∂θ (E + ½ Σ H⁻¹∘H) − (∂²E/∂θ∂b)·H⁻¹·∂/∂b (E + ½ Σ H⁻¹∘H),   H⁻¹ held
 *
 * With the expected information H̃ in the place of H in the determinant (information.ts) the same with H̃⁻¹∘H̃, and the
 * modes moving by H as they do.
 *
 * Tierney and Kadane (1986); Kristensen et al., TMB (2016).
 */
import type { Coordinate } from '../coordinates.ts';
import { gradientName, withGradient, type SweepOptions } from '../derivative-programs.ts';
import { adjointName, cotangentName, tangentName } from '../../2-ad/names.ts';
import { profiles } from '../../2-ad/cost.ts';
import type { Quadratic } from '../expansion.ts';
import type { ByGroup, FitProblem } from '../problem.ts';
import { withResults, writeValues, type Ask, type AtPoint, type ComposedQuestion } from '../questions.ts';
import type { Slope } from '../stationary.ts';
import { dot } from '../algebra/vectors.ts';
import {
  blockLogDeterminant,
  blocksOf,
  entriesOf,
  factored,
  inverses,
  logDeterminant,
  solved,
  timesBlocks,
  type Blocks,
} from './blocks.ts';
import { denseQuestions } from './dense.ts';
import { differences, type Differences } from './differenced.ts';
import { effectLayout, effectPairs, type EffectLayout, type EffectPair } from '../effects.ts';
import { withInformation } from './information.ts';
import { modesOf, type JointCurvature, type Modes, type NoMode } from './modes.ts';
import { firstOrder } from './first-order.ts';
import {
  byCoordinates,
  effectsConstant,
  type AtJoint,
  type Joint,
  type Likelihood,
  type PlainAtJoint,
  type Slopes,
} from './joint.ts';
import { restricted, unrestricted, type Unrestricted } from './restricted.ts';
import { contractionOf, hermiteGrid, shares, spread, type Grid } from './quadrature.ts';
import { curvatureName, withContraction, withCross, withCurvature } from './programs.ts';

/** The value, what the contraction is asked, and what its answer is added to. */
interface Held {
  readonly value: number;
  readonly seed: number;
  readonly contracted: Blocks;
  readonly byTheta?: Float64Array;
  readonly u?: Float64Array;
}

interface Groupwise {
  readonly energies: PlainAtJoint<Float64Array>;
  readonly slopes: PlainAtJoint<Slopes, { weights: Float64Array }>;
  readonly parts: readonly object[];
}

/** A point, and how often each group counts. */
interface AtCounts {
  readonly point: Float64Array;
  readonly counts: Float64Array;
}

/** What can be asked of a problem whose effects are integrated out. */
export interface Marginal {
  readonly scalars: (results: readonly string[]) => AtPoint<readonly number[]>;
  /** Of the energy, as is the Hessian. */
  readonly slope: AtPoint<Slope>;
  readonly quadratic: AtPoint<Quadratic>;
  /** What a method asks that descends by Hessians: to all digits at the end alone (differenced.ts). */
  readonly descent: AtPoint<Quadratic>;
  /** The modes of the effects at a point, or the group that has none. */
  readonly modes: AtPoint<Modes | NoMode>;
  /** What is known of the effects at a point. */
  readonly spread: AtPoint<EffectSpread | NoMode>;
  /**
   * Whether no group meets another at a point: the blocks of H are then all of it, and with quadrature each group's
   * energy is its own. True where H is not finite.
   */
  readonly apart: AtPoint<boolean>;
  /** A parameter that is to be integrated out and cannot. */
  readonly unrestricted: AtPoint<Unrestricted | undefined>;
  /** The energy where each group counts so often, priors once: of a problem with `byGroup` alone. */
  readonly counted: {
    readonly slope: ComposedQuestion<AtCounts, Slope>;
    readonly descent: ComposedQuestion<AtCounts, Quadratic>;
    /** The groups of which anything was observed. */
    readonly observed: AtPoint<readonly number[]>;
  };
  readonly layout: EffectLayout;
}

/** How effects vary about their modes at given parameters, and how the modes move with these. */
export interface EffectSpread {
  readonly layout: EffectLayout;
  readonly effects: Float64Array;
  /** H⁻¹, block by block. */
  readonly covariance: Blocks;
  /** ∂b̂/∂p for each coordinate, by the parameter itself. */
  readonly slopes: readonly Float64Array[];
}

/** Two modes of a group are two where they are so far apart, in deviations of the population. */
const APART = 1e-3;
/** What rounding may leave of a group's −log density without data. */
const NOTHING = 1e-12;
/** Where effects far from 0 have no density, they are looked at so near to it. */
const NEARER = [1e-3, 1e-6];
/** Groups that are tried at either mode one by one. */
const MIXED = 64;

/** One for a problem, so that all questions share what is compiled and begin at the last modes. */
const known = new WeakMap<FitProblem, Marginal>();

export function marginalOf(problem: FitProblem, all: readonly Coordinate[]): Marginal {
  const made = known.get(problem) ?? openMarginal(problem, all, { profile: profiles.cpu, ...problem.sweep });
  known.set(problem, made);
  return made;
}

function openMarginal(problem: FitProblem, all: readonly Coordinate[], options: SweepOptions): Marginal {
  const { program, energy, objective, effects: levels = [], together } = problem;
  const layout = effectLayout(levels, together);
  const pairs = effectPairs(layout);
  const free = problem.parameters.filter(({ fixed }) => !fixed);
  const names = free.map(({ name }) => name);
  const effects = layout.effects.map(({ name, groups }) => ({ name, initial: new Array<number>(groups).fill(0) }));
  const inputs = [...free, ...effects];
  const write = ({ point, effects: values }: Joint, into: Float64Array, at: number): void => {
    writeValues(all, point, into, at);
    into.set(values, at + all.length);
  };
  const gather = (result: (name: string) => Float64Array, name: (effect: string) => string): Float64Array => {
    const all = new Float64Array(layout.length);
    for (const { name: effect, offset } of layout.effects) all.set(result(name(effect)), offset);
    return all;
  };
  const curvatureProgram = withCurvature(program, energy, layout, [objective], options);
  const informationProgram =
    problem.information && withInformation(program, energy, layout, problem.information, options);
  const entriesRead = (result: (name: string) => Float64Array) => {
    const entries = new Map(
      pairs.map(({ outer, inner }) => {
        const name = curvatureName(outer.name, inner.name);
        return [name, result(name)] as const;
      }),
    );
    return ({ outer, inner }: EffectPair): Float64Array =>
      entries.get(curvatureName(outer.name, inner.name)) as Float64Array;
  };
  const columns = layout.dense
    ? denseQuestions(
        problem,
        { layout, names, inputs, write, byEffects: gather, byTheta: (result, name) => ofTheta(all, result, name) },
        options,
      )
    : undefined;
  const curvature: AtJoint<JointCurvature> = columns?.curvature ?? {
    program: curvatureProgram,
    inputs,
    write,
    read: (result) => ({
      value: result(energy)[0] as number,
      also: new Map([energy, objective].map((name) => [name, result(name)[0] as number])),
      gradient: gather(result, gradientName),
      hessian: blocksOf(layout, entriesRead(result)),
    }),
  };
  const information: AtJoint<Blocks> | undefined = informationProgram && {
    program: informationProgram,
    inputs,
    write,
    read: (result) => blocksOf(layout, entriesRead(result)),
  };
  const seeds = [energy, ...pairs.map(({ outer, inner }) => curvatureName(outer.name, inner.name))];
  const contraction: AtJoint<Slopes, { seed: number; contracted: Blocks }> = columns?.contraction ?? {
    program: withContraction(
      informationProgram ?? curvatureProgram,
      energy,
      layout,
      [...names, ...layout.effects.map(({ name }) => name)],
      options,
    ),
    inputs: [
      ...inputs,
      { name: cotangentName(energy), initial: [1] },
      ...pairs.map(({ inner }, i) => ({
        name: cotangentName(seeds[i + 1] as string),
        initial: new Array<number>(inner.groups).fill(0),
      })),
    ],
    write(joint, into, at) {
      write(joint, into, at);
      let next = at + all.length + layout.length;
      into[next++] = joint.seed;
      for (const pair of pairs) {
        into.set(entriesOf(layout, joint.contracted, pair), next);
        next += pair.inner.groups;
      }
    },
    read: (result) => ({
      byTheta: ofTheta(all, result, adjointName),
      byEffects: gather(result, adjointName),
    }),
  };
  const cross: PlainAtJoint<Float64Array, { direction: Float64Array }> = {
    program: withCross(program, energy, layout, names, options),
    inputs: [...inputs, ...effects.map(({ name, initial }) => ({ name: tangentName(name), initial }))],
    write(joint, into, at) {
      write(joint, into, at);
      into.set(joint.direction, at + all.length + layout.length);
    },
    read: (result) => ofTheta(all, result, (name) => tangentName(gradientName(name))),
  };

  /** (∂²E/∂b²)·v, all of it. */
  const product = (): AtJoint<Float64Array, { direction: Float64Array }> => {
    const of = layout.effects.map(({ name }) => name);
    return {
      program: withCross(program, energy, layout, of, options),
      inputs: [...inputs, ...effects.map(({ name, initial }) => ({ name: tangentName(name), initial }))],
      write: cross.write,
      read: (result) => gather(result, (name) => tangentName(gradientName(name))),
    };
  };

  /** What is asked group by group: every one's energy, and the slopes of the energies with a weight for each group. */
  function groupwise({ weighted, weights }: ByGroup): Groupwise {
    const groups = layout.blocks.length;
    const withWeights = [...inputs, { name: weights, initial: new Array<number>(groups).fill(1) }];
    const of = [...names, ...layout.effects.map(({ name }) => name)];
    const energies: Groupwise['energies'] = {
      program: withResults(withGradient(program, weighted, [weights], options), [gradientName(weights)]),
      inputs,
      write,
      read: (result) => result(gradientName(weights)),
    };
    const slopes: Groupwise['slopes'] = {
      program: withResults(withGradient(program, weighted, of, options), of.map(gradientName)),
      inputs: withWeights,
      write(joint, into, at) {
        write(joint, into, at);
        into.set(joint.weights, at + all.length + layout.length);
      },
      read: (result) => ({ byTheta: ofTheta(all, result, gradientName), byEffects: gather(result, gradientName) }),
    };
    return { energies, slopes, parts: [energies, slopes] };
  }

  let last = new Float64Array(layout.length);
  const found = async (ask: Ask, point: Float64Array): Promise<Modes | NoMode> => {
    const at = (effects: Float64Array): Promise<JointCurvature> => ask(curvature, { point, effects });
    let modes = await modesOf(layout, at, last);
    // The last modes may be far from these: from the middle of the population once more.
    if ('why' in modes && last.some((b) => b !== 0)) modes = await modesOf(layout, at, new Float64Array(layout.length));
    if (!('why' in modes)) last = modes.effects as Float64Array<ArrayBuffer>;
    return modes;
  };
  /**
   * Those of the modes and of others, found from the middle of the population, that are more probable, group by group: a
   * group may have several, and those nearest to the last need not be the highest.
   */
  const highest = async (ask: Ask, point: Float64Array): Promise<void> => {
    const at = (effects: Float64Array): Promise<JointCurvature> => ask(curvature, { point, effects });
    const near = await found(ask, point);
    if ('why' in near || last.every((b) => b === 0)) return;
    const fresh = await modesOf(layout, at, new Float64Array(layout.length));
    if ('why' in fresh) return;
    const differ = layout.blocks.filter((positions) =>
      positions.some((i) => Math.abs((near.effects[i] as number) - (fresh.effects[i] as number)) > APART),
    );
    if (differ.length === 0) return;
    const [best, other] = near.at.value <= fresh.at.value ? [near, fresh] : [fresh, near];
    let [effects, value] = [best.effects, best.at.value];
    for (const positions of differ.length <= MIXED ? differ : []) {
      const mixed = effects.slice();
      for (const i of positions) mixed[i] = other.effects[i] as number;
      const there = await at(mixed);
      if (there.value < value) [effects, value] = [mixed, there.value];
    }
    last = effects as Float64Array<ArrayBuffer>;
  };
  const constant = effectsConstant(layout);
  const laplaceAt = ({ at }: Modes, of: string, factors: Blocks): number =>
    (at.also.get(of) as number) + logDeterminant(layout, factors) / 2 - constant;
  const priorsAt = ({ at }: Modes, of = energy): number =>
    (at.also.get(of) as number) - (at.also.get(objective) as number);
  /** The factors of what stands in the determinant. */
  const factorsAt = async (ask: Ask, point: Float64Array, { effects, factors }: Modes): Promise<Blocks> =>
    information ? factored(layout, await ask(information, { point, effects })).factors : factors;
  const byGroup = problem.byGroup && groupwise(problem.byGroup);
  const grid = problem.quadrature && hermiteGrid(problem.quadrature.points, layout.blocks[0]?.length ?? 0);
  const asked = [curvature, contraction, cross, ...(information ? [information] : [])];
  const parts = [
    ...asked.flatMap((question): readonly object[] => ('parts' in question ? question.parts : [question])),
    ...(byGroup?.parts ?? []),
  ];

  const wantedByGroup = (): Groupwise => {
    if (!byGroup) throw new Error('groups are asked for one by one, and the problem has no weights of groups');
    return byGroup;
  };
  /** Each point's E of each group; log S of each; and the shares π of the points in each group. */
  const sampledAt = async (ask: Ask, point: Float64Array, modes: Modes, { points, logWeights }: Grid) => {
    const { energies } = wantedByGroup();
    const groups = layout.blocks.length;
    const spreads = points.map((z) => spread(layout, modes.effects, modes.factors, z));
    const found: Float64Array[] = [];
    for (const effects of spreads) found.push(await ask(energies, { point, effects }));
    const logs = new Float64Array(groups);
    const weights = points.map(() => new Float64Array(groups));
    for (let g = 0; g < groups; g++) {
      const { log, of } = shares(found.map((energy, k) => (logWeights[k] as number) - (energy[g] as number)));
      logs[g] = log;
      of.forEach((share, k) => ((weights[k] as Float64Array)[g] = share));
    }
    return { spreads, weights, logs };
  };
  const valueAt = async (ask: Ask, point: Float64Array, modes: Modes, of: string): Promise<number> => {
    if (!grid) return laplaceAt(modes, of, await factorsAt(ask, point, modes));
    const { logs } = await sampledAt(ask, point, modes, grid);
    return priorsAt(modes, of) + logDeterminant(layout, modes.factors) / 2 - constant - total(logs);
  };

  /** The priors' slope is what the energy has beyond its own likelihood, at any effects. */
  const addPriors = async (ask: Ask, { point, effects }: Joint, byTheta: Float64Array): Promise<void> => {
    if (energy === objective) return;
    const every = new Float64Array(layout.blocks.length).fill(1);
    const likelihood = await ask(wantedByGroup().slopes, { point, effects, weights: every });
    const none = new Float64Array(layout.corners.at(-1) ?? 0);
    const whole = await ask(contraction, { point, effects, seed: 1, contracted: none });
    addTo(byTheta, whole.byTheta, 1);
    addTo(byTheta, likelihood.byTheta, -1);
  };

  /** ∂/∂θ at held b̂ and H, and A; ∂/∂b̂ beside what A brings. Each group as often as `counts` says, once unless said. */
  const held = async (ask: Ask, point: Float64Array, modes: Modes, counts?: Float64Array): Promise<Held> => {
    const factors = await factorsAt(ask, point, modes);
    const inverse = inverses(layout, factors);
    if (!grid && !counts)
      return { value: laplaceAt(modes, energy, factors), seed: 1, contracted: inverse.map((x) => x / 2) };
    const { energies, slopes } = wantedByGroup();
    const joint = { point, effects: modes.effects };
    // ½ log det H_g − (d/2)·log 2π
    const volumes = Float64Array.from(
      layout.blocks,
      ({ length }, t) => blockLogDeterminant(layout, factors, t) / 2 - (length / 2) * Math.log(2 * Math.PI),
    );
    const each = counts ?? new Float64Array(layout.blocks.length).fill(1);
    const countedInverse = counts ? timesBlocks(layout, inverse, counts) : inverse;
    if (!grid) {
      const own = await ask(energies, joint);
      const { byTheta } = await ask(slopes, { ...joint, weights: each });
      await addPriors(ask, joint, byTheta);
      const value = priorsAt(modes) + dot(each, own) + dot(each, volumes);
      return { value, seed: 0, contracted: countedInverse.map((x) => x / 2), byTheta };
    }
    const { spreads, weights, logs } = await sampledAt(ask, point, modes, grid);
    const byTheta = new Float64Array(all.length);
    const u = new Float64Array(layout.length);
    const m = Array.from(grid.points[0] as Float64Array, () => new Float64Array(layout.length));
    for (const [k, effects] of spreads.entries()) {
      const shared = (weights[k] as Float64Array).map((share, t) => share * (each[t] as number));
      const found = await ask(slopes, { point, effects, weights: shared });
      addTo(byTheta, found.byTheta, 1);
      addTo(u, found.byEffects, 1);
      (grid.points[k] as Float64Array).forEach((z, j) => addTo(m[j] as Float64Array, found.byEffects, z));
    }
    await addPriors(ask, joint, byTheta);
    const contracted = contractionOf(layout, modes.factors, countedInverse, { u, m });
    return { value: priorsAt(modes) + dot(each, volumes) - dot(each, logs), seed: 0, contracted, byTheta, u };
  };

  const slopeAt = async (ask: Ask, point: Float64Array, counts?: Float64Array): Promise<Slope> => {
    const modes = await found(ask, point);
    if ('why' in modes) return { value: NaN, gradient: new Float64Array(all.length).fill(NaN) };
    const joint = { point, effects: modes.effects };
    const { value, seed, contracted, byTheta: direct, u } = await held(ask, point, modes, counts);
    const { byTheta, byEffects } = await ask(contraction, { ...joint, seed, contracted });
    if (u) addTo(byEffects, u, 1);
    const moved = await ask(cross, { ...joint, direction: solved(layout, modes.factors, byEffects) });
    const gradient = byTheta.map((g, j) => g + (direct?.[j] ?? 0) - (moved[j] as number));
    return { value, gradient: byCoordinates(all, point, gradient) };
  };

  /** Whether the weight of each group is that of all that its effects are seen by. */
  const weighsOwn = async (ask: Ask, { slopes }: Groupwise, joint: Joint): Promise<boolean> => {
    const weights = Float64Array.from(layout.blocks, (_, g) => 1 + ((0.618 * g) % 1));
    const once = await ask(slopes, { ...joint, weights: weights.map(() => 1) });
    const { byEffects } = await ask(slopes, { ...joint, weights });
    return byEffects.every((slope, i) => {
      const own = (weights[layout.block[i] as number] as number) * (once.byEffects[i] as number);
      return !(Math.abs(slope - own) > 1e-7 * (1 + Math.abs(own)));
    });
  };

  const integrated: Likelihood = {
    async values(ask, point, results) {
      const modes = await found(ask, point);
      if ('why' in modes) return results.map(() => NaN);
      const values: number[] = [];
      for (const of of results) values.push(await valueAt(ask, point, modes, of));
      return values;
    },
    slope: (ask, point) => slopeAt(ask, point),
  };
  const byMiddle =
    problem.firstOrder &&
    information &&
    firstOrder(layout, { curvature, information, contraction, cross }, all, energy);
  const whole = byMiddle || integrated;
  const fixed = problem.restricted ?? [];
  const { values, slope } = fixed.length > 0 ? restricted(whole, fixed, all) : whole;
  const scales = new Float64Array(all.length);
  const curvatures = differences(all, scales);
  /** Of the counts that were asked last. */
  let ofCounts: { readonly counts: Float64Array; readonly curvatures: Differences } | undefined;
  return {
    layout,
    scalars: (results) => ({ parts, compose: (ask, point) => values(ask, point, results) }),
    slope: { parts, compose: slope },
    quadratic: {
      parts,
      compose: (ask, point) =>
        curvatures.whole(
          (u) => slope(ask, u),
          point,
          () => highest(ask, point),
        ),
    },
    descent: {
      parts,
      compose: (ask, point) =>
        curvatures.descent(
          (u) => slope(ask, u),
          point,
          () => highest(ask, point),
        ),
    },
    counted: {
      slope: { parts, compose: (ask, { point, counts }) => slopeAt(ask, point, counts) },
      descent: {
        parts,
        compose(ask, { point, counts }) {
          if (ofCounts?.counts !== counts) ofCounts = { counts, curvatures: differences(all, scales.slice()) };
          return ofCounts.curvatures.descent((u) => slopeAt(ask, u, counts), point);
        },
      },
      observed: {
        parts,
        async compose(ask, point) {
          // Where all effects are 0 nothing but the constants of their own density is left of the others.
          const own = await ask(wantedByGroup().energies, { point, effects: new Float64Array(layout.length) });
          const least = layout.blocks.map(({ length }) => (length / 2) * Math.log(2 * Math.PI));
          return [...own.keys()].filter((t) => Math.abs((own[t] as number) - (least[t] as number)) > NOTHING);
        },
      },
    },
    unrestricted: { parts, compose: (ask, point) => unrestricted(whole, fixed, all, ask, point) },
    modes: { parts, compose: found },
    spread: {
      parts,
      async compose(ask, point) {
        const modes = await found(ask, point);
        if ('why' in modes) return modes;
        // ∂²E/∂θ∂b, an effect at a time.
        const mixed = all.map(() => new Float64Array(layout.length));
        for (let i = 0; i < layout.length; i++) {
          const direction = new Float64Array(layout.length);
          direction[i] = 1;
          const column = await ask(cross, { point, effects: modes.effects, direction });
          mixed.forEach((row, j) => (row[i] = column[j] as number));
        }
        return {
          ...{ layout, effects: modes.effects, covariance: inverses(layout, modes.factors) },
          slopes: mixed.map((row) => solved(layout, modes.factors, row).map((x) => -x)),
        };
      },
    },
    apart: {
      parts,
      async compose(ask, point) {
        if (layout.dense) return true;
        // Whatever the blocks leave out shows in H·v, where neither the effects nor the direction have a symmetry.
        const direction = Float64Array.from({ length: layout.length }, (_, i) => Math.sin(1 + 1.7 * i));
        const products = product();
        const seenAt = async (effects: Float64Array) => ({
          effects,
          hessian: (await ask(curvature, { point, effects })).hessian,
          whole: await ask(products, { point, effects, direction }),
        });
        const beside = (size: number): Float64Array => direction.map((v, i) => size * v * Math.cos(i));
        let seen = await seenAt(beside(0.1));
        for (const size of NEARER) if (!seen.whole.every(Number.isFinite)) seen = await seenAt(beside(size));
        const { effects, hessian, whole } = seen;
        if (byGroup && !(await weighsOwn(ask, byGroup, { point, effects }))) return false;
        return layout.blocks.every((positions, t) =>
          positions.every((at, i) => {
            const corner = (layout.corners[t] as number) + i * positions.length;
            let [sum, size] = [0, 0];
            for (const [k, other] of positions.entries()) {
              const term = (hessian[corner + k] as number) * (direction[other] as number);
              sum += term;
              size += Math.abs(term);
            }
            return !(Math.abs((whole[at] as number) - sum) > 1e-7 * size);
          }),
        );
      },
    },
  };
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

function addTo(total: Float64Array, values: Float64Array, times: number): void {
  for (let i = 0; i < total.length; i++) total[i] = (total[i] as number) + times * (values[i] as number);
}

/** The elements of a result for each parameter, coordinate by coordinate. */
function ofTheta(
  all: readonly Coordinate[],
  result: (name: string) => Float64Array,
  name: (parameter: string) => string,
): Float64Array {
  return Float64Array.from(all, ({ parameter, element }) => result(name(parameter.name))[element] as number);
}
