/**
 * The effects that are most probable at given parameters: for each group min E over its effects, by Newton's method in all
 * groups at once. One run gives every group's gradient and Hessian; each group has a step length of its own, taken by its
 * own slope along its step (E is known of all groups together only), so that none waits for a harder one.
 */
import { factorBlock, factored, solveBlock, type Blocks } from './blocks.ts';
import type { EffectLayout } from '../effects.ts';

/** What a run of the curvature's program says at (θ, b). */
export interface JointCurvature {
  /** E. */
  readonly value: number;
  /** Other results, by name. */
  readonly also: ReadonlyMap<string, number>;
  /** ∂E/∂b. */
  readonly gradient: Float64Array;
  /** The blocks of ∂²E/∂b². */
  readonly hessian: Blocks;
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
const NEAR = 1e-11;
/** Where not even that step changes a digit. */
const THERE = 1e-22;
/** Of the slope at the start of a step, how much may be left (or have turned) at its end. */
const SLOPE_LEFT = 0.5;
/**
 * A first step of this many effects' deviations at most, for further away a quadratic need say nothing; four times as many
 * after each step that is taken whole, as where noise is small beside residuals.
 */
const LONGEST = 10;

export async function modesOf(
  layout: EffectLayout,
  ask: (effects: Float64Array) => Promise<JointCurvature>,
  start: Float64Array,
): Promise<Modes | NoMode> {
  const groups = layout.blocks.length;
  let effects = start.slice();
  let at = await ask(effects);
  let { hessian } = at;
  /** The way of each group's search, −g·step where it began, and how much of it is tried; whether it has one. */
  const [step, slope, length] = [new Float64Array(layout.length), new Float64Array(groups), new Float64Array(groups)];
  const searches = new Uint8Array(groups);
  const reach = new Float64Array(groups).fill(LONGEST);
  const ended = new Uint8Array(groups);
  const factors = new Float64Array(hessian.length);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const next = effects.slice();
    let open = false;
    for (let t = 0; t < groups; t++) {
      const positions = layout.blocks[t]!;
      if (searches[t] === 0) {
        if (!isFiniteIn(layout, at.gradient, hessian, t))
          return { block: t, why: 'the model has no value or no derivative there' };
        const convex = factorBlock(layout, hessian, t, factors);
        solveBlock(layout, factors, t, at.gradient, step);
        for (const i of positions) step[i] = -step[i]!;
        const down = -dotOf(positions, at.gradient, step);
        const last = convex && down <= NEAR;
        ended[t] = last ? ended[t]! + (down <= THERE ? 2 : 1) : 0;
        slope[t] = down;
        length[t] = Math.min(1, reach[t]! / Math.sqrt(down || 1));
        searches[t] = 1;
      }
      if (ended[t]! > 1) continue;
      open = true;
      for (const i of positions) next[i] = effects[i]! + length[t]! * step[i]!;
    }
    if (!open) return withFactors(layout, effects, at, hessian);
    const there = await ask(next);
    const kept = effects.slice();
    let stays = false;
    for (let t = 0; t < groups; t++) {
      if (searches[t] === 0 || ended[t]! > 1) continue;
      const positions = layout.blocks[t]!;
      const ahead = dotOf(positions, there.gradient, step);
      // Near the end the slopes are rounding, and the step is taken as it is.
      const near = ended[t]! > 0;
      const down = slope[t]!;
      if (Number.isFinite(ahead) && (near || ahead <= SLOPE_LEFT * down)) {
        for (const i of positions) kept[i] = next[i]!;
        searches[t] = 0;
        reach[t] = 4 * reach[t]!;
        continue;
      }
      stays = true;
      reach[t] = LONGEST;
      const cut = Number.isFinite(ahead) ? down / (down + ahead) : 0.25;
      length[t] = length[t]! * Math.min(0.5, Math.max(0.1, cut));
      if (length[t]! < 1e-10) return { block: t, why: 'no step leads to more probable effects' };
    }
    // Groups that stay are where they were; the others are asked anew together with them.
    effects = stays ? kept : next;
    at = stays ? await ask(effects) : there;
    ({ hessian } = at);
  }
  const left = [...ended.keys()].find((t) => ended[t]! < 2) ?? 0;
  return { block: left, why: `${ITERATIONS} Newton steps led to no mode` };
}

function withFactors(layout: EffectLayout, effects: Float64Array, at: JointCurvature, hessian: Blocks): Modes | NoMode {
  const { factors, saddle } = factored(layout, hessian);
  return saddle === undefined ? { effects, at, hessian, factors } : { block: saddle, why: 'it is a saddle, no mode' };
}

function isFiniteIn(layout: EffectLayout, gradient: Float64Array, hessian: Blocks, t: number): boolean {
  for (const i of layout.blocks[t]!) if (!Number.isFinite(gradient[i])) return false;
  for (let k = layout.corners[t]!; k < layout.corners[t + 1]!; k++) if (!Number.isFinite(hessian[k])) return false;
  return true;
}

/** Σ over a block's effects. */
function dotOf(positions: Int32Array, a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (const i of positions) sum += a[i]! * b[i]!;
  return sum;
}
