/**
 * The blocks of a document as one graph: groups taken apart, every wire led to the block that it comes from.
 *
 * A scope is the document or the inside of a group. Inside a group, its input ports stand for what is wired to them;
 * from outside, its outputs stand for what they name within.
 */
import type { Block } from '../blocks/block.ts';
import type { GroupBlock } from '../blocks/block.ts';
import { kindOf } from '../blocks/index.ts';
import type { Wire } from '../blocks/kind.ts';
import type { Document } from '../format/document.ts';
import { parseReference } from '../notation/references.ts';

export interface Scope {
  /** `g/` in front of the ids inside. */
  readonly path: string;
  readonly blocks: Map<string, Node>;
  readonly group: { readonly node: Node; readonly block: GroupBlock } | undefined;
}

export interface Node {
  /** With the path of its groups: `g/inner`. */
  readonly id: string;
  readonly block: Block;
  readonly scope: Scope;
  readonly wires: readonly Wire[];
  /** The inside of a group. */
  readonly inner: Scope | undefined;
}

/** Where a reference leads: an output of a block that is no group (undefined: it names none, and there may be one). */
export interface Target {
  readonly node: Node;
  readonly output: string | undefined;
}

/** A reference that leads nowhere: a sentence, or `silent` where its reason has been told already. */
export interface DeadEnd {
  readonly silent: boolean;
  readonly message: string;
  /** Names that were possible. */
  readonly known: readonly string[];
  readonly name: string;
}

export interface Graph {
  readonly top: Scope;
  /** Every node, groups too, in the order of the document. */
  readonly nodes: readonly Node[];
  /** Further names of outputs, and the references for which they stand. */
  readonly names: ReadonlyMap<string, string>;
}

export function buildGraph(document: Document): Graph {
  const nodes: Node[] = [];
  const build = (blocks: readonly Block[], path: string, group: Scope['group']): Scope => {
    const scope: Scope = { path, blocks: new Map(), group };
    for (const block of blocks) {
      const base = { id: `${path}${block.id}`, block, scope, wires: kindOf(block).wires(block) };
      const node: { -readonly [K in keyof Node]: Node[K] } = { ...base, inner: undefined };
      nodes.push(node);
      scope.blocks.set(block.id, node);
      if (block.kind === 'group') node.inner = build(block.blocks, `${node.id}/`, { node, block });
    }
    return scope;
  };
  const names = Object.entries(document.names ?? {}).flatMap(([name, found]) =>
    typeof found === 'string' ? [[name, found] as const] : [],
  );
  return { top: build(document.blocks, '', undefined), nodes, names: new Map(names) };
}

const names = new WeakMap<Scope, readonly string[]>();

/** The names that a wire may take in a scope of a graph that is built. */
export function namesIn(scope: Scope): readonly string[] {
  const known = names.get(scope);
  if (known) return known;
  const found = [...Object.keys(scope.group?.block.inputs ?? {}), ...scope.blocks.keys()];
  names.set(scope, found);
  return found;
}

/** `broken` are blocks that were left out of the document, since they are at fault themselves. */
export function resolve(reference: string, scope: Scope, broken: ReadonlySet<string>): Target | DeadEnd {
  // Most references lead straight to their block, and pass nothing.
  let passed: Set<string> | undefined;
  let [at, within]: [string, Scope] = [reference, scope];
  for (; ; passed ??= new Set()) {
    if (passed) {
      const place = `${within.path}${at}`;
      if (passed.has(place)) return deadEnd(`"${reference}" leads back to itself through a group`, reference);
      passed.add(place);
    }
    const found = parseReference(at);
    if (!found) return deadEnd(`"${at}" is no reference`, at);
    const port = within.group && own(within.group.block.inputs, found.block);
    if (within.group && port !== undefined) {
      [at, within] = [join(port, found.output), within.group.node.scope];
      continue;
    }
    const node = within.blocks.get(found.block);
    if (!node) {
      // What goes wrong in another scope, on the way through a group, is said of the group.
      const silent = within !== scope || broken.has(`${within.path}${found.block}`);
      return { silent, message: `there is no block "${found.block}"`, known: namesIn(within), name: found.block };
    }
    if (node.block.kind !== 'group' || !node.inner) return { node, output: found.output };
    const outputs = node.block.outputs;
    const names = Object.keys(outputs);
    const name = found.output ?? (names.length === 1 ? names[0] : undefined);
    if (name === undefined) {
      const list = names.map((output) => `"${found.block}.${output}"`).join(', ');
      const what = names.length === 0 ? 'no outputs' : `several outputs: say which of ${list}`;
      return {
        silent: false,
        message: `the group "${found.block}" has ${what}`,
        known: [],
        name: '',
      };
    }
    const source = own(outputs, name);
    if (source === undefined)
      return { silent: false, message: `the group "${found.block}" has no output "${name}"`, known: names, name };
    [at, within] = [source, node.inner];
  }
}

export function isTarget(end: Target | DeadEnd): end is Target {
  return 'node' in end;
}

function own(record: Readonly<Record<string, string>> | undefined, key: string): string | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A port that stands for `id`, asked for its output b, is `id.b`; a reference that names its output has no further ones. */
function join(reference: string, output: string | undefined): string {
  return output === undefined || reference.includes('.') ? reference : `${reference}.${output}`;
}

function deadEnd(message: string, name: string): DeadEnd {
  return { silent: false, message, known: [], name };
}
