/** The modes of effects from one point of the parameters to the next: each search begins where the last one ended. */
import type { EffectLayout } from '../effects.ts';
import type { Ask } from '../questions.ts';
import type { AtJoint } from './joint.ts';
import { modesOf, type JointCurvature, type Modes, type NoMode } from './modes.ts';

/** Two modes of a group are two where they are so far apart, in deviations of the population. */
const APART = 1e-3;
/** Groups that are tried at either mode one by one. */
const MIXED = 64;

export interface KeptModes {
  readonly found: (ask: Ask, point: Float64Array) => Promise<Modes | NoMode>;
  /**
   * Those of the modes and of others, found from the middle of the population, that are more probable, group by group: a
   * group may have several, and those nearest to the last need not be the highest.
   */
  readonly highest: (ask: Ask, point: Float64Array) => Promise<void>;
}

export function keptModes(layout: EffectLayout, curvature: AtJoint<JointCurvature>): KeptModes {
  let last = new Float64Array(layout.length);
  const middle = (): Float64Array => new Float64Array(layout.length);
  const found = async (ask: Ask, point: Float64Array): Promise<Modes | NoMode> => {
    const at = (effects: Float64Array): Promise<JointCurvature> => ask(curvature, { point, effects });
    let modes = await modesOf(layout, at, last);
    // The last modes may be far from these: from the middle of the population once more.
    if ('why' in modes && last.some((b) => b !== 0)) modes = await modesOf(layout, at, middle());
    if (!('why' in modes)) last = modes.effects as Float64Array<ArrayBuffer>;
    return modes;
  };
  const highest = async (ask: Ask, point: Float64Array): Promise<void> => {
    const at = (effects: Float64Array): Promise<JointCurvature> => ask(curvature, { point, effects });
    const near = await found(ask, point);
    if ('why' in near || last.every((b) => b === 0)) return;
    const fresh = await modesOf(layout, at, middle());
    if ('why' in fresh) return;
    const differ = layout.blocks.filter((positions) =>
      positions.some((i) => Math.abs(near.effects[i]! - fresh.effects[i]!) > APART),
    );
    if (differ.length === 0) return;
    const [best, other] = near.at.value <= fresh.at.value ? [near, fresh] : [fresh, near];
    let [effects, value] = [best.effects, best.at.value];
    for (const positions of differ.length <= MIXED ? differ : []) {
      const mixed = effects.slice();
      for (const i of positions) mixed[i] = other.effects[i]!;
      const there = await at(mixed);
      if (there.value < value) [effects, value] = [mixed, there.value];
    }
    last = effects as Float64Array<ArrayBuffer>;
  };
  return { found, highest };
}
