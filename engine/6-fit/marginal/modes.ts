/**
 * The effects that are most probable at given parameters: for each group min E over its effects, by Newton's method in all
 * groups at once. One run gives every group's gradient and Hessian; each group has a step length of its own, taken by its
 * own slope along its step (E is known of all groups together only), so that none waits for a harder one.
 */
import { dot } from '../algebra/vectors.ts';
import { blocksOf, descending, put, taken, type Blocks } from './blocks.ts';
import type { EffectLayout, EffectPair } from '../effects.ts';
import { choleskySolve } from '../algebra/cholesky.ts';

/** What a run of the curvature's program says at (θ, b). */
export interface JointCurvature {
  /** E. */
  readonly value: number;
  /** Other results, by name. */
  readonly also: ReadonlyMap<string, number>;
  /** ∂E/∂b. */
  readonly gradient: Float64Array;
  readonly entries: (pair: EffectPair) => Float64Array;
}

export interface Modes {
  readonly effects: Float64Array;
  readonly at: JointCurvature;
  readonly hessian: Blocks;
  /** Cholesky factors of the Hessian's blocks. */
  readonly factors: Blocks;
}

/** A group of which no mode was found, and why. */
export interface NoMode {
  readonly block: number;
  readonly why: string;
}

const ITERATIONS = 200;
/** gᵀH⁻¹g, the square of the way left in units of the effects' own deviations, after which one more step is the last. */
const NEAR = 1e-8;
/** Of the slope at the start of a step, how much may be left (or have turned) at its end. */
const SLOPE_LEFT = 0.5;
/** A step of this many effects' deviations at most: further away a quadratic says nothing. */
const LONGEST = 10;

interface Search {
  readonly step: Float64Array;
  /** −g·step at the point that it leads from. */
  readonly slope: number;
  length: number;
}

export async function modesOf(
  layout: EffectLayout,
  ask: (effects: Float64Array) => Promise<JointCurvature>,
  start: Float64Array,
): Promise<Modes | NoMode> {
  let effects = start.slice();
  let at = await ask(effects);
  let hessian = blocksOf(layout, at.entries);
  const searches: (Search | undefined)[] = layout.blocks.map(() => undefined);
  const ended = new Uint8Array(layout.blocks.length);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const next = effects.slice();
    let open = false;
    for (const [t, positions] of layout.blocks.entries()) {
      const known = searches[t];
      if (known === undefined) {
        const gradient = taken(at.gradient, positions);
        const rows = hessian[t] ?? [];
        if (![...gradient, ...rows.flatMap((row) => [...row])].every(Number.isFinite))
          return { block: t, why: 'the model has no value or no derivative there' };
        const { factor, convex } = descending(rows);
        const step = choleskySolve(factor, gradient).map((x) => -x);
        const slope = -dot(gradient, step);
        const last = convex && slope <= NEAR;
        ended[t] = last ? (ended[t] as number) + 1 : 0;
        searches[t] = { step, slope, length: Math.min(1, LONGEST / Math.sqrt(slope || 1)) };
      }
      const search = searches[t] as Search;
      if ((ended[t] as number) > 1) continue;
      open = true;
      const own = taken(effects, positions);
      put(
        next,
        positions,
        own.map((x, k) => x + search.length * (search.step[k] as number)),
      );
    }
    if (!open) return withFactors(effects, at, hessian);
    const there = await ask(next);
    const curved = blocksOf(layout, there.entries);
    const kept = effects.slice();
    let stays = false;
    for (const [t, positions] of layout.blocks.entries()) {
      const search = searches[t];
      if (search === undefined || (ended[t] as number) > 1) continue;
      const ahead = dot(taken(there.gradient, positions), search.step);
      // Near the end the slopes are rounding, and the step is taken as it is.
      const near = (ended[t] as number) > 0;
      if (Number.isFinite(ahead) && (near || ahead <= SLOPE_LEFT * search.slope)) {
        put(kept, positions, taken(next, positions));
        searches[t] = undefined;
        continue;
      }
      stays = true;
      const cut = Number.isFinite(ahead) ? search.slope / (search.slope + ahead) : 0.25;
      search.length *= Math.min(0.5, Math.max(0.1, cut));
      if (search.length < 1e-10) return { block: t, why: 'no step leads to more probable effects' };
    }
    if (stays) {
      // Groups that stay are where they were; the others are asked anew together with them.
      effects = kept;
      at = await ask(effects);
      hessian = blocksOf(layout, at.entries);
    } else {
      effects = next;
      at = there;
      hessian = curved;
    }
  }
  const left = [...ended.keys()].find((t) => (ended[t] as number) < 2) ?? 0;
  return { block: left, why: `${ITERATIONS} Newton steps led to no mode` };
}

function withFactors(effects: Float64Array, at: JointCurvature, hessian: Blocks): Modes | NoMode {
  const factors: Float64Array[][] = [];
  for (const [t, rows] of hessian.entries()) {
    const { factor, convex } = descending(rows);
    if (!convex) return { block: t, why: 'it is a saddle, no mode' };
    factors.push(factor);
  }
  return { effects, at, hessian, factors };
}
