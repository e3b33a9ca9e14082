/** The model as its random effects are integrated out: their inputs are w ~ N(0, I), of which they are computed. */
import type { RandomEffectDetail } from '../blocks/random-effect.ts';
import type { CheckedBlock } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';

/** The same model where it has no random effects. */
export function withStandardEffects(model: Model): Model {
  const isDrawn = ({ node }: CheckedBlock): boolean => node.block.kind === 'random-effect';
  if (![...model.blocks.values()].some(isDrawn)) return model;
  const blocks = new Map(
    [...model.blocks].map(([id, checked]): [string, CheckedBlock] => {
      if (!isDrawn(checked)) return [id, checked];
      const detail: RandomEffectDetail = { ...(checked.detail as RandomEffectDetail), standard: true };
      return [id, { ...checked, detail }];
    }),
  );
  return { ...model, blocks };
}
