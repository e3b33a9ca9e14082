/**
 * What groups share of a parameter: k itself, an element for each group (k_row = k[group]), or a typical k about which groups
 * scatter, k_row = k·exp(u) or k + u with a random effect u. Blocks that take k take k_row then; the switch takes back what it made.
 */
import type { Command } from '../commands.ts';
import { applyCommand } from '../commands.ts';
import type { BlockDraft, Draft } from '../draft.ts';
import { blockOf, flatNumbers, freshId, objectivesOf, withEntry } from '../draft.ts';
import { redirect } from '../references.ts';
import { blockOfReference } from '../wiring.ts';

export const sharings = ['shared', 'group', 'hierarchical'] as const;
export type Sharing = (typeof sharings)[number];

export interface Shared {
  readonly sharing: Sharing;
  /** The category whose labels are the groups; undefined where all share the parameter. */
  readonly by: string | undefined;
  /** What stands between the parameter and the blocks that take it, row by row: the last first. */
  readonly between: readonly string[];
}

const sharedByAll: Shared = { sharing: 'shared', by: undefined, between: [] };

/** Undefined where a parameter has groups in another way: then it is for its author to change. */
export function sharingOf(draft: Draft, id: string): Shared | undefined {
  const like = blockOf(draft, id)?.['like'];
  if (like !== undefined) {
    const row = draft.blocks.find(
      (block) => block.kind === 'gather' && block['from'] === id && block['indices'] === like,
    );
    return row && typeof like === 'string' ? { sharing: 'group', by: like, between: [row.id] } : undefined;
  }
  for (const row of draft.blocks) {
    if (row.kind !== 'map' || row['inputs'] !== undefined) continue;
    const deviation = draft.blocks.find(
      (block) => block.kind === 'gather' && [times(id, block.id), plus(id, block.id)].includes(String(row['formula'])),
    );
    const effect = deviation && blockOf(draft, blockOfReference(String(deviation['from'])));
    if (deviation && effect?.kind === 'random-effect' && effect['like'] === deviation['indices'])
      return { sharing: 'hierarchical', by: String(effect['like']), between: [row.id, deviation.id] };
  }
  return sharedByAll;
}

const times = (id: string, deviation: string): string => `${id}*exp(${deviation})`;
const plus = (id: string, deviation: string): string => `${id} + ${deviation}`;

/** `noise`: the standard deviation of the readings about the prediction, where it is known. */
export function share(draft: Draft, id: string, sharing: Sharing, by: string, noise = 1): Command {
  const what = { shared: `Share ${id}`, group: `${id} of each ${by}`, hierarchical: `Scatter ${id} over ${by}` }[
    sharing
  ];
  const plain = sharedAlone(draft, id);
  const changed =
    sharing === 'shared' ? plain : sharing === 'group' ? grouped(plain, id, by) : scattered(plain, id, by, noise);
  return { type: 'replace', what, draft: changed };
}

function sharedAlone(draft: Draft, id: string): Draft {
  const known = sharingOf(draft, id) ?? sharedByAll;
  const [row] = known.between;
  if (row === undefined) return draft;
  const blocks = draft.blocks.map((block): BlockDraft => {
    if (block.id !== id) return redirect(block, (reference) => (reference === row ? id : reference));
    const initial = flatNumbers(block['initial']) ?? [];
    const { like: _like, ...rest } = block;
    return { ...rest, ...(initial.length > 1 && { initial: median(initial) }) };
  });
  const effect = known.between.map((each) => String(blockOf(draft, each)?.['from'])).find((from) => from.includes('.'));
  const freed = { ...draft, blocks: effect === undefined ? blocks : withoutEffect(blocks, effect) };
  const gone = [...known.between, ...draft.blocks.flatMap((block) => (blockOf(freed, block.id) ? [] : [block.id]))];
  return applyCommand(freed, { type: 'remove', ids: gone });
}

/** `u.k` no longer: the block goes with the last of its effects. */
function withoutEffect(blocks: readonly BlockDraft[], effect: string): readonly BlockDraft[] {
  const of = blockOfReference(effect);
  return blocks.flatMap((block) => {
    if (block.id !== of) return [block];
    const names = namesOf(block);
    const at = names.indexOf(effect.slice(of.length + 1));
    const left = names.filter((_, i) => i !== at);
    if (left.length === 0) return [];
    const sd = Array.isArray(block['sd']) ? { sd: block['sd'].filter((_, i) => i !== at) } : {};
    return [{ ...block, names: left, ...sd }];
  });
}

const namesOf = (effect: BlockDraft): readonly string[] =>
  Array.isArray(effect['names']) ? effect['names'].map(String) : ['b'];

function grouped(draft: Draft, id: string, by: string): Draft {
  const row = freshId(takenIn(draft), `${id}_row`);
  const blocks = draft.blocks.flatMap((block): BlockDraft[] =>
    block.id === id
      ? [withEntry(block, 'like', by) as BlockDraft, { id: row, kind: 'gather', from: id, indices: by }]
      : [taking(block, id, row)],
  );
  return { ...draft, blocks };
}

function scattered(draft: Draft, id: string, by: string, noise: number): Draft {
  const taken = new Set(takenIn(draft));
  const free = (stem: string): string => {
    const found = freshId(taken, stem);
    taken.add(found);
    return found;
  };
  const [row, deviation] = [free(`${id}_row`), free(`${id}_deviation`)];
  const parameter = blockOf(draft, id)!;
  const isPositive =
    parameter['scale'] === 'log' || parameter['support'] === 'positive' || Number(parameter['lower']) >= 0;
  const sd = isPositive ? 0.3 : Number((Math.abs(Number(parameter['initial'])) / 5 || 1).toPrecision(2));
  const known = draft.blocks.find(
    (block) => block.kind === 'random-effect' && block['like'] === by && !namesOf(block).includes(id),
  );
  const effect = known?.id ?? free('between');
  const added: BlockDraft[] = [
    ...(known ? [] : [{ id: effect, kind: 'random-effect', like: by, names: [id], sd: [sd] }]),
    { id: deviation, kind: 'gather', from: `${effect}.${id}`, indices: by },
    { id: row, kind: 'map', formula: isPositive ? times(id, deviation) : plus(id, deviation) },
  ];
  const blocks = draft.blocks.flatMap((block): BlockDraft[] => {
    if (block.id === known?.id) return [{ ...block, names: [...namesOf(block), id], sd: [...deviationsOf(block), sd] }];
    return block.id === id ? [block, ...added] : [taking(block, id, row)];
  });
  return withLikelihood({ ...draft, blocks }, free, noise);
}

function deviationsOf(effect: BlockDraft): readonly unknown[] {
  const { sd } = effect;
  return Array.isArray(sd) ? sd : namesOf(effect).map(() => sd ?? 1);
}

/** Effects are integrated out of a likelihood: squares become that of normal noise, which is estimated. */
function withLikelihood(draft: Draft, free: (stem: string) => string, noise: number): Draft {
  const objectives = new Set(objectivesOf(draft));
  let sigma: string | undefined;
  const blocks = draft.blocks.map((block): BlockDraft => {
    const isPlain = ['sigma', 'weights', 'loss'].every((key) => block[key] === undefined);
    if (block.kind !== 'least-squares' || !objectives.has(block.id) || !isPlain) return block;
    sigma ??= free('sigma');
    const { kind: _kind, prediction, ...rest } = block;
    return { ...rest, kind: 'likelihood', family: 'normal', mean: prediction, sigma };
  });
  if (sigma === undefined) return draft;
  const initial = Number((noise > 0 && Number.isFinite(noise) ? noise : 1).toPrecision(3));
  const parameter = {
    id: sigma,
    kind: 'parameter',
    initial,
    scale: 'log',
    note: 'Standard deviation of the readings.',
  };
  const { fit, ...rest } = draft;
  // A method for squares is none for a likelihood.
  const kept = withEntry(fit, 'method', undefined);
  return {
    ...rest,
    ...{ blocks: [...blocks, parameter], ...(Object.keys(kept).length > 0 && { fit: kept }) },
  };
}

/** The block with the row's value where it took the parameter. */
const taking = (block: BlockDraft, id: string, row: string): BlockDraft =>
  redirect(block, (reference) => (reference === id ? row : reference), true);

const takenIn = ({ blocks }: Draft): ReadonlySet<string> => new Set(blocks.map(({ id }) => id));

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
