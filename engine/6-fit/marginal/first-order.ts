/**
 * The first-order approximation: the model as it is linear about effects of 0, where g = ∂E/∂b, H̃ is the expected
 * information, and noise is taken too,
 *
 *   −log L(θ) = E(θ, 0) − ½ gᵀH̃⁻¹g + ½ log det H̃ − (d/2)·log 2π
 *
 * and with q = H̃⁻¹g its gradient  ∂/∂θ (E + ½ Σ (H̃⁻¹ + qqᵀ)∘H̃) − (∂²E/∂θ∂b)·q,  H̃⁻¹ and q held. No modes are sought.
 *
 * Beal and Sheiner (1982); Wang (2007), section 3.1.
 */
import type { Coordinate } from '../coordinates.ts';
import type { EffectLayout } from '../effects.ts';
import type { Ask } from '../questions.ts';
import { factored, inverses, logDeterminant, solved, type Blocks } from './blocks.ts';
import { byCoordinates, effectsConstant, type AtJoint, type Likelihood, type Slopes } from './joint.ts';
import type { JointCurvature } from './modes.ts';

interface Questions {
  readonly curvature: AtJoint<JointCurvature>;
  readonly information: AtJoint<Blocks>;
  readonly contraction: AtJoint<Slopes, { seed: number; contracted: Blocks }>;
  readonly cross: AtJoint<Float64Array, { direction: Float64Array }>;
}

export function firstOrder(
  layout: EffectLayout,
  { curvature, information, contraction, cross }: Questions,
  all: readonly Coordinate[],
  energy: string,
): Likelihood {
  const middle = new Float64Array(layout.length);
  const constant = effectsConstant(layout);
  const at = async (ask: Ask, point: Float64Array) => {
    const joint = { point, effects: middle };
    const { gradient, also } = await ask(curvature, joint);
    const { factors } = factored(layout, await ask(information, joint));
    const q = solved(layout, factors, gradient);
    const taken = gradient.reduce((sum, g, i) => sum + g * q[i]!, 0) / 2;
    const beside = logDeterminant(layout, factors) / 2 - taken - constant;
    return { joint, factors, q, value: (of: string) => also.get(of)! + beside };
  };
  return {
    async values(ask, point, results) {
      const { value } = await at(ask, point);
      return results.map(value);
    },
    async slope(ask, point) {
      const { joint, factors, q, value } = await at(ask, point);
      const contracted = withProduct(layout, inverses(layout, factors), q).map((x) => x / 2);
      const { byTheta } = await ask(contraction, { ...joint, seed: 1, contracted });
      const moved = await ask(cross, { ...joint, direction: q });
      const gradient = byTheta.map((g, j) => g - moved[j]!);
      return { value: value(energy), gradient: byCoordinates(all, point, gradient) };
    },
  };
}

/** A + q·qᵀ in each block. */
function withProduct(layout: EffectLayout, blocks: Blocks, q: Float64Array): Blocks {
  const sums = blocks.slice();
  for (const [t, positions] of layout.blocks.entries()) {
    const corner = layout.corners[t]!;
    positions.forEach((i, row) =>
      positions.forEach((j, column) => {
        const place = corner + row * positions.length + column;
        sums[place] = sums[place]! + q[i]! * q[j]!;
      }),
    );
  }
  return sums;
}
