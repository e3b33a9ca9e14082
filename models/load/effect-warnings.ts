/** Random effects of which the data can say nothing, or say it of other groups than is meant. */
import type { RandomEffectDetail } from '../blocks/random-effect.ts';
import { outputAt, type CheckedBlock, type CheckedBlocks, type Link } from '../graph/checked.ts';

interface Warning {
  readonly block: string;
  readonly message: string;
}

/** Of all of the document's random effects; `objective` is what is fitted. */
export function effectWarnings(blocks: CheckedBlocks, objective: readonly Link[]): Warning[] {
  const drawn = [...blocks].filter(([, { node }]) => node.block.kind === 'random-effect');
  if (drawn.length === 0) return [];
  const read = readBy(blocks, objective);
  return drawn.flatMap(([id, checked]) => [
    ...unread(id, checked, read),
    ...ofOneGroup(id, checked),
    ...takenByOthers(id, checked, blocks),
  ]);
}

const detailOf = ({ detail }: CheckedBlock): RandomEffectDetail => detail as RandomEffectDetail;

function unread(id: string, checked: CheckedBlock, read: ReadonlySet<string>): Warning[] {
  const { names } = detailOf(checked);
  const idle = names.filter((_, i) => !read.has(outputKey({ block: id, output: i }))).map((name) => `"${id}.${name}"`);
  if (idle.length === 0) return [];
  const what = idle.length === 1 ? `the effect ${idle[0]!}` : `the effects ${idle.join(' and ')}`;
  return [{ block: id, message: `block "${id}": the objective does not depend on ${what}` }];
}

const outputKey = ({ block, output }: Link): string => `${output} ${block}`;

/** The outputs that these are computed from, and they. */
function readBy(blocks: CheckedBlocks, links: readonly Link[]): Set<string> {
  const read = new Set<string>();
  const open = [...links];
  for (let link = open.pop(); link; link = open.pop()) {
    if (read.has(outputKey(link))) continue;
    read.add(outputKey(link));
    open.push(...(blocks.get(link.block)?.links.values() ?? []));
  }
  return read;
}

function ofOneGroup(id: string, checked: CheckedBlock): Warning[] {
  const { groups } = detailOf(checked);
  if (groups.length > 1) return [];
  const message = `block "${id}": it has ${groups.length === 1 ? 'one group alone' : 'no group'}, which does not tell how groups differ`;
  return [{ block: id, message }];
}

/** Gathers whose categories are others than those that the effects are of. */
function takenByOthers(id: string, checked: CheckedBlock, blocks: CheckedBlocks): Warning[] {
  const like = checked.links.get('like');
  const own = like && outputAt({ blocks }, like).category;
  if (!own) return [];
  return [...blocks].flatMap(([gather, { node, links }]) => {
    const [from, indices] = [links.get('from'), links.get('indices')];
    if (node.block.kind !== 'gather' || from?.block !== id || !indices) return [];
    const { category } = outputAt({ blocks }, indices);
    if (!category || isStart(category, own)) return [];
    const message = `block "${gather}": "${id}" has an effect for each label of "${like.block}", and is taken by those of "${indices.block}", which are others`;
    return [{ block: gather, message }];
  });
}

/** Whether the labels are the first of these, or these the first of them: then indices mean the same. */
const isStart = (labels: readonly string[], of: readonly string[]): boolean =>
  labels.every((label, i) => i >= of.length || label === of[i]);
