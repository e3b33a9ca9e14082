/** The model as its random effects are integrated out: their inputs are w ~ N(0, I), of which they are computed. */
import type { RandomEffectDetail } from '../blocks/random-effect.ts';
import type { CheckedBlock, Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';

const isDrawn = ({ node }: CheckedBlock): boolean => node.block.kind === 'random-effect';

/** The blocks of random effects. */
export const effectBlockIds = ({ blocks }: Pick<Model, 'blocks'>): string[] =>
  [...blocks].flatMap(([id, checked]) => (isDrawn(checked) ? [id] : []));

/** Those of these blocks, all unless said. The same model where there are none. */
export function withStandardEffects(model: Model, ids: readonly string[] = effectBlockIds(model)): Model {
  if (ids.length === 0) return model;
  const blocks = new Map(
    [...model.blocks].map(([id, checked]): [string, CheckedBlock] => {
      if (!isDrawn(checked) || !ids.includes(id)) return [id, checked];
      const detail: RandomEffectDetail = { ...(checked.detail as RandomEffectDetail), standard: true };
      return [id, { ...checked, detail }];
    }),
  );
  return { ...model, blocks };
}

/** Where an effect itself is to be had, of those in whose place w is varied. */
export function standardEffects({ blocks }: Pick<Model, 'blocks'>): Map<string, Link> {
  const links = new Map<string, Link>();
  for (const [block, checked] of blocks) {
    const { standard, effects, deviations } = isDrawn(checked)
      ? (checked.detail as RandomEffectDetail)
      : { standard: undefined, effects: [], deviations: [] };
    if (standard && deviations.length > 0) effects.forEach(({ id }, output) => links.set(id, { block, output }));
  }
  return links;
}
