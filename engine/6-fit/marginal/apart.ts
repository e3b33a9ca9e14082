/** Whether groups are apart: the blocks of H are then all of it. */
import type { EffectLayout } from '../effects.ts';
import type { Ask } from '../questions.ts';
import type { Joint } from './joint.ts';
import type { Groupwise, JointQuestions } from './joint-questions.ts';

/** Where effects far from 0 have no density, they are looked at so near to it. */
const NEARER = [1e-3, 1e-6];

/**
 * Whether no group meets another at a point, and with quadrature each group's energy is its own. True where H is not
 * finite.
 */
export async function areApart(
  { layout, curvature, product, groupwise }: JointQuestions,
  ask: Ask,
  point: Float64Array,
): Promise<boolean> {
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
  if (groupwise && !(await weighsOwn(layout, groupwise, ask, { point, effects }))) return false;
  return layout.blocks.every((positions, t) =>
    positions.every((at, i) => {
      const corner = layout.corners[t]! + i * positions.length;
      let [sum, size] = [0, 0];
      for (const [k, other] of positions.entries()) {
        const term = hessian[corner + k]! * direction[other]!;
        sum += term;
        size += Math.abs(term);
      }
      return !(Math.abs(whole[at]! - sum) > 1e-7 * size);
    }),
  );
}

/** Whether the weight of each group is that of all that its effects are seen by. */
async function weighsOwn(layout: EffectLayout, { slopes }: Groupwise, ask: Ask, joint: Joint): Promise<boolean> {
  const weights = Float64Array.from(layout.blocks, (_, g) => 1 + ((0.618 * g) % 1));
  const once = await ask(slopes, { ...joint, weights: weights.map(() => 1) });
  const { byEffects } = await ask(slopes, { ...joint, weights });
  return byEffects.every((slope, i) => {
    const own = weights[layout.block[i]!]! * once.byEffects[i]!;
    return !(Math.abs(slope - own) > 1e-7 * (1 + Math.abs(own)));
  });
}
