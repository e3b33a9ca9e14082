/** What is known of a document's blocks, for people: types, shapes with their names and numbers, labels. */
import type { ElementType } from '../../engine/index.ts';
import type { Output } from '../blocks/kind.ts';
import { goesAsInt } from '../blocks/parts/convert.ts';
import { parseReference } from '../notation/references.ts';
import { outputIndex, outputsOf, type CheckedBlock } from '../graph/checked.ts';
import { isTarget, resolve, type Graph, type Node } from '../graph/graph.ts';

export interface OutputReport {
  name: string;
  element: ElementType;
  /** For people: the name of an axis where it has one, else its number. */
  shape: (string | number)[];
  sizes: number[];
  /** A real that goes where an int is wanted. */
  whole?: true;
  labels?: string[];
}

export interface BlockReport {
  id: string;
  kind: string;
  /** In the order in which ports are drawn. */
  inputs: { port: string; source?: string }[];
  /** Empty where the block has errors. */
  outputs: OutputReport[];
  /** What is had of it by a full name alone: `sd.b` of effects. */
  aside?: OutputReport[];
}

/** Groups come before the blocks inside them. */
export function reportBlocks(
  graph: Graph,
  blocks: ReadonlyMap<string, CheckedBlock>,
  broken: ReadonlySet<string>,
): BlockReport[] {
  return graph.nodes.map((node) => ({
    id: node.id,
    kind: node.block.kind,
    inputs: node.wires.map((wire) => {
      const known = wire.implicit !== true || isTarget(resolve(wire.ref, node.scope, broken));
      return known ? { port: wire.port, source: wire.ref } : { port: wire.port };
    }),
    ...(node.block.kind === 'group' ? { outputs: groupOutputs(node, blocks, broken) } : valuesOf(blocks.get(node.id))),
  }));
}

function valuesOf(checked: CheckedBlock | undefined): Pick<BlockReport, 'outputs' | 'aside'> {
  const told = (outputs: readonly Output[]): OutputReport[] => outputs.map((output) => report(output, output.name));
  const { outputs = [] } = checked ?? {};
  const aside = outputs.filter((output) => output.aside);
  return { outputs: told(outputsOf({ outputs })), ...(aside.length > 0 && { aside: told(aside) }) };
}

function groupOutputs(
  node: Node,
  blocks: ReadonlyMap<string, CheckedBlock>,
  broken: ReadonlySet<string>,
): OutputReport[] {
  if (node.block.kind !== 'group' || !node.inner) return [];
  const inner = node.inner;
  return Object.entries(node.block.outputs).flatMap(([name, ref]) => {
    const end = parseReference(ref) && resolve(ref, inner, broken);
    if (!end || !isTarget(end)) return [];
    const outputs = blocks.get(end.node.id)?.outputs ?? [];
    const output = outputs[outputIndex(outputs, end.output)];
    return output ? [report(output, name)] : [];
  });
}

function report(output: Output, name: string): OutputReport {
  const labels = output.category ?? output.dates;
  return {
    name,
    element: output.element,
    shape: output.sizes.map((size) => size.name ?? size.value),
    sizes: output.sizes.map((size) => size.value),
    ...(output.element === 'real' && goesAsInt(output) && { whole: true }),
    ...(labels && { labels: [...labels] }),
  };
}
