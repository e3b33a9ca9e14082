/** Groups of statements that may become one: none waits for another by way of a statement outside the group. */
import { operandsOf } from '../0-ir/operands.ts';
import type { Program, Statement } from '../0-ir/program.ts';
import { inOrder } from './order.ts';

export interface Merging {
  /** Only statements of one key come together; without a key a statement stays alone. */
  key(statement: Statement): string | undefined;
  /** Whether one may read another's results. */
  readonly chained: boolean;
  /** Whether a statement goes well with those. */
  suits(members: readonly Statement[], statement: Statement): boolean;
  merge(members: readonly Statement[]): Statement;
}

interface Node {
  readonly members: Statement[];
  readonly key: string | undefined;
  /** Nodes whose results its members read. */
  readonly sources: Set<Node>;
}

/** The program with its clusters merged; each statement joins the first group that it may. */
export function mergeClusters(program: Program, merging: Merging): Program {
  const nodes = new Set<Node>();
  const defining = new Map<number, Node>();
  const byKey = new Map<string, Node[]>();
  for (const statement of program.statements) {
    const sources = new Set<Node>();
    for (const { id } of operandsOf(statement.construct)) {
      const source = defining.get(id);
      if (source) sources.add(source);
    }
    const key = merging.key(statement);
    const peers = key === undefined ? [] : (byKey.get(key) ?? []);
    const partner = peers.find(
      (peer) => mayJoin(peer, sources, merging.chained) && merging.suits(peer.members, statement),
    );
    const node = partner ?? { members: [], key, sources: new Set<Node>() };
    node.members.push(statement);
    for (const source of sources) if (source !== node) node.sources.add(source);
    for (const { id } of statement.results) defining.set(id, node);
    nodes.add(node);
    if (key !== undefined && !partner) byKey.set(key, [...peers, node]);
  }
  if ([...nodes].every((node) => node.members.length === 1)) return program;
  const statements = [...nodes].map((node) =>
    node.members.length === 1 ? node.members[0]! : merging.merge(node.members),
  );
  return { ...program, statements: inOrder(statements) };
}

function mayJoin(peer: Node, sources: ReadonlySet<Node>, chained: boolean): boolean {
  const others = [...sources].filter((source) => source !== peer);
  return (chained || others.length === sources.size) && !reaches(others, peer);
}

/** Whether any of these nodes waits for the target. */
function reaches(from: readonly Node[], target: Node): boolean {
  const seen = new Set<Node>(from);
  // A set visits what is added to it while it is walked.
  for (const node of seen) {
    if (node === target) return true;
    for (const source of node.sources) seen.add(source);
  }
  return false;
}
