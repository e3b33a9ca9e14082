/** A model with its random effects at 0, where every model is a case of one that has more of them. */
import type { Block } from '../../../models/blocks/block.ts';
import type { RandomEffectDetail } from '../../../models/blocks/random-effect.ts';
import type { CheckedBlock } from '../../../models/graph/checked.ts';
import type { Model } from '../../../models/load/model.ts';

const effectBlocks = ({ blocks }: Model): [string, RandomEffectDetail][] =>
  [...blocks].flatMap(([id, { node, detail }]: [string, CheckedBlock]): [string, RandomEffectDetail][] =>
    node.block.kind === 'random-effect' ? [[id, detail as RandomEffectDetail]] : [],
  );

/** How many effects the groups of these names have, by their names. */
function effectCounts(model: Model): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, { groups, names }] of effectBlocks(model)) {
    const key = JSON.stringify(groups);
    counts.set(key, (counts.get(key) ?? 0) + names.length);
  }
  return counts;
}

/** How many standard deviations of effects a model has. */
export const deviationCount = (model: Model): number =>
  [...effectCounts(model).values()].reduce((sum, count) => sum + count, 0);

/** Whether the large model has effects for all groups of the small one, as many at least. */
export function hasEffectsOf(large: Model, small: Model): boolean {
  const has = effectCounts(large);
  return [...effectCounts(small)].every(([groups, count]) => (has.get(groups) ?? 0) >= count);
}

/** The document's blocks, those of effects constants of 0 in which the others find what they read. */
export function blocksWithoutEffects(model: Model): readonly object[] {
  const drawn = effectBlocks(model);
  if (drawn.length === 0) return model.document.blocks;
  const taken = new Set(model.document.blocks.map(({ id }) => id));
  const constants: object[] = [];
  const names: (readonly [RegExp, string])[] = [];
  for (const [id, { names: effects, groups }] of drawn)
    for (const effect of effects) {
      let fresh = `${effect}${constants.length}`;
      while (taken.has(fresh)) fresh += '0';
      taken.add(fresh);
      constants.push({ id: fresh, kind: 'constant', value: groups.map(() => 0) });
      const spelt = effects.length === 1 ? `${id}(?:\\.${effect})?` : `${id}\\.${effect}`;
      names.push([new RegExp(`(?<![\\w.])${spelt}(?![\\w.])`, 'g'), fresh]);
    }
  const renamed = (value: unknown): unknown => {
    if (typeof value === 'string') return names.reduce((text, [name, fresh]) => text.replace(name, fresh), value);
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, isText.has(key) ? inner : renamed(inner)] as const),
    );
  };
  const others = model.document.blocks.filter(({ kind }: Block) => kind !== 'random-effect');
  return [...constants, ...others.map((block) => renamed(block) as object)];
}

/** Fields that refer to no block. */
const isText = new Set(['id', 'kind', 'table', 'column', 'label', 'note', 'unit', 'type', 'family']);
