/** Blocks that are right, and where their values come from. */
import type { Output } from '../blocks/kind.ts';
import type { Node } from './graph.ts';

/** A block that is right, with what it needs to be lowered. */
export interface CheckedBlock {
  readonly node: Node;
  readonly outputs: readonly Output[];
  readonly detail: unknown;
  /** Port → where its value comes from. */
  readonly links: ReadonlyMap<string, Link>;
}

/** By id (`g/inner` in a group), each after what it takes. */
export type CheckedBlocks = ReadonlyMap<string, CheckedBlock>;

export interface Link {
  readonly block: string;
  /** Index into the block's outputs. */
  readonly output: number;
}

export function outputAt({ blocks }: { readonly blocks: CheckedBlocks }, link: Link): Output {
  const output = blocks.get(link.block)?.outputs[link.output];
  if (!output) throw new Error(`no output ${link.output} of ${link.block}`);
  return output;
}

/** The blocks that are to be computed for what these wires bring: for what is aside, none. */
export function blocksOf(model: { readonly blocks: CheckedBlocks }, links: Iterable<Link>): string[] {
  return [...links].flatMap((link) => (outputAt(model, link).aside ? [] : [link.block]));
}

/** Those that are listed. */
export const outputsOf = ({ outputs }: Pick<CheckedBlock, 'outputs'>): readonly Output[] =>
  outputs.filter(({ aside }) => aside !== true);

/** -1 where there is none, or several and none is named. */
export function outputIndex(outputs: readonly Output[], name: string | undefined): number {
  if (name === undefined) return outputsOf({ outputs }).length === 1 ? 0 : -1;
  const index = outputs.findIndex((output) => output.name === name);
  // The only component of an operator is `id`, and `id.0` too.
  return index < 0 && name === '0' && outputs.length === 1 && outputs[0]?.name === '' ? 0 : index;
}
