/** Infers every block of a graph in order: what each gives, or what is wrong with it. Errors do not cascade. */
import { Fault, type Value } from '../../engine/index.ts';
import type { Block } from '../blocks/block.ts';
import { refuseCodes } from '../blocks/parts/codes.ts';
import { kindOf } from '../blocks/index.ts';
import type { InferContext, LowerContext, Output, Wire } from '../blocks/kind.ts';
import { elementCount, printOutput } from '../blocks/parts/sizes.ts';
import { computeData } from '../graph/data.ts';
import { didYouMean } from '../notation/names.ts';
import { errorProblem, hasErrors, warningProblem, type Problem, type ProblemDetails } from '../notation/problem.ts';
import { printReference } from '../notation/references.ts';
import { withoutRows } from '../tables/excluded.ts';
import type { Table } from '../tables/table.ts';
import { typeColumn, type ColumnFault, type ColumnType, type TypedColumn } from '../tables/type-column.ts';
import { outputIndex, type CheckedBlock, type CheckedBlocks, type Link } from '../graph/checked.ts';
import { isTarget, namesIn, resolve, type Graph, type Node, type Target } from '../graph/graph.ts';
import { goesByRows, oversized } from './memory.ts';
import { topologicalOrder } from '../graph/order.ts';

export interface CheckOptions {
  readonly tables: ReadonlyMap<string, Table>;
  /** Tables that the document names, be they readable or not. */
  readonly tableNames: readonly string[];
  /** Blocks that were left out of the document. */
  readonly broken: ReadonlySet<string>;
  readonly availableBytes: number;
  /** How a column is read where not by its cells: undefined where it is. */
  readonly typed?: (
    table: Table,
    column: string,
    type: ColumnType | undefined,
  ) => TypedColumn | ColumnFault | undefined;
  /** Id → a block of the same kind and wires that stands for the document's. */
  readonly replaced?: ReadonlyMap<string, Block>;
}

export interface Checked {
  /** In an order in which each block stands after what it takes. */
  readonly blocks: CheckedBlocks;
  readonly problems: readonly Problem[];
}

export function checkGraph(graph: Graph, options: CheckOptions): Checked {
  const run = new Check(options);
  const leaves = graph.nodes.filter((node) => node.block.kind !== 'group');
  for (const node of graph.nodes) run.link(node);
  const { sorted, cycles } = topologicalOrder(leaves, (node) => run.dependencies(node));
  for (const cycle of cycles) run.reportCycle(cycle);
  for (const node of sorted) run.infer(node);
  return { blocks: run.blocks, problems: run.problems };
}

class Check {
  readonly blocks = new Map<string, CheckedBlock>();
  readonly problems: Problem[] = [];
  /** Node → where each of its wires leads, in their order; undefined where one leads nowhere. */
  private readonly targets = new Map<Node, (Target | undefined)[]>();
  /** Nodes with a wire at fault, of which nothing more is to be said. */
  private readonly incomplete = new Set<Node>();
  private readonly columns = new Map<string, TypedColumn | ColumnFault>();

  constructor(private readonly options: CheckOptions) {}

  /** Leads every wire of a block to its source. */
  link(node: Node): void {
    const targets: (Target | undefined)[] = [];
    this.targets.set(node, targets);
    const scope = node.scope;
    for (const wire of node.wires) {
      const end = resolve(wire.ref, scope, this.options.broken);
      targets.push(isTarget(end) ? end : undefined);
      if (isTarget(end)) continue;
      if (end.silent) this.incomplete.add(node);
      // The compiler of formulas says it better, at the character.
      else if (wire.implicit !== true) {
        const fix = didYouMean(end.name, end.known);
        this.reportWire(node, wire, end.message, { got: wire.ref, ...(fix !== undefined && { fix }) });
      } else if (end.known.length === 0) this.reportWire(node, wire, end.message, {});
    }
    if (node.block.kind !== 'group' || !node.inner) return;
    for (const [name, ref] of Object.entries(node.block.outputs)) {
      const end = resolve(ref, node.inner, this.options.broken);
      if (isTarget(end) || end.silent) continue;
      const fix = didYouMean(end.name, end.known);
      this.report(node, `its output "${name}": ${end.message} in it`, {
        port: name,
        ...(fix !== undefined && { fix }),
      });
    }
  }

  dependencies(node: Node): Node[] {
    return (this.targets.get(node) ?? []).flatMap((target) => (target ? [target.node] : []));
  }

  reportCycle(cycle: readonly Node[]): void {
    const [first] = cycle;
    if (!first) return;
    const names = [...cycle, first].map((node) => `"${node.id}"`).join(' → ');
    this.report(first, `it depends on itself: ${names}`, {
      got: names,
      fix: 'a recurrence block steps a value on from its last',
    });
  }

  infer(placed: Node): void {
    const links = this.linkOutputs(placed);
    if (!links) return;
    const other = this.options.replaced?.get(placed.id);
    const node = other ? { ...placed, block: other } : placed;
    const kind = kindOf(node.block);
    const before = this.problems.length;
    const context = this.context(node, links);
    refuseCodes(node.block, links.keys(), context);
    const inferred = kind.infer(node.block, context);
    const failed = hasErrors(this.problems.slice(before));
    if (!inferred || failed) return;
    const unit = node.block.unit;
    const outputs = unit === undefined ? inferred.outputs : inferred.outputs.map((output) => ({ ...output, unit }));
    for (const output of outputs) {
      if (goesByRows(output.sizes, this.options.tables)) continue;
      const fault = oversized(output.element, elementCount(output.sizes), this.options.availableBytes);
      if (fault === undefined) continue;
      this.report(
        node,
        `${printReference('it', output.name)} is ${printOutput(output)} and ${fault.message}`,
        fault.details,
      );
      return;
    }
    this.blocks.set(node.id, { node, outputs, detail: inferred.detail, links });
  }

  /** Which output each wire takes; undefined where the block cannot be inferred for want of one. */
  private linkOutputs(node: Node): Map<string, Link> | undefined {
    if (this.incomplete.has(node)) return undefined;
    const links = new Map<string, Link>();
    let complete = true;
    const targets = this.targets.get(node) ?? [];
    for (const [i, wire] of node.wires.entries()) {
      const target = targets[i];
      if (!target) continue;
      const source = this.blocks.get(target.node.id);
      if (!source) {
        complete = false;
        continue;
      }
      const index = outputIndex(source.outputs, target.output);
      if (index >= 0) {
        links.set(wire.port, { block: target.node.id, output: index });
        continue;
      }
      complete = false;
      this.reportOutput(node, wire, source, target.output);
    }
    return complete ? links : undefined;
  }

  private reportOutput(node: Node, wire: Wire, source: CheckedBlock, output: string | undefined): void {
    const id = source.node.block.id;
    const names = source.outputs.map((other) => other.name);
    const list = names.filter((name) => name !== '').map((name) => `"${id}.${name}"`);
    if (output !== undefined) {
      const fix =
        didYouMean(output, names) ?? (list.length > 0 ? `its outputs are ${list.join(', ')}` : `write "${id}"`);
      this.reportWire(node, wire, `"${id}" has no output "${output}"`, { got: `${id}.${output}`, fix });
      return;
    }
    const fix = wire.implicit === true ? `"inputs": { "${wire.port}": ${list[0] ?? ''} }` : `write ${list[0] ?? ''}`;
    this.reportWire(node, wire, `"${id}" has several outputs: say which of ${list.join(', ')}`, { got: id, fix });
  }

  private reportWire(node: Node, wire: Wire, message: string, details: ProblemDetails): void {
    const subject = wire.implicit === true ? message : `"${wire.port}": ${message}`;
    this.incomplete.add(node);
    this.report(node, subject, {
      port: wire.port,
      ...(wire.output !== undefined && wire.output !== '' && { output: wire.output }),
      ...(wire.span && { span: wire.span }),
      ...details,
    });
  }

  private report(node: Node, message: string, details: ProblemDetails): void {
    this.problems.push(errorProblem(`block "${node.id}": ${message}`, { block: node.id, ...details }));
  }

  private context(node: Node, links: ReadonlyMap<string, Link>): InferContext {
    const input = (port: string): Output | undefined => {
      const link = links.get(port);
      return link && this.blocks.get(link.block)?.outputs[link.output];
    };
    return {
      id: node.id,
      input,
      inputs(ports) {
        const outputs = ports.map(input).filter((output) => output !== undefined);
        return outputs.length === ports.length ? outputs : undefined;
      },
      compute: (ports, write) =>
        this.compute(node, new Map([...links].filter(([port]) => ports.includes(port))), write),
      names: () => namesIn(node.scope),
      table: (name) => this.options.tables.get(name),
      tableNames: () => [...this.options.tableNames],
      column: (table, name, type) => this.column(table, name, type),
      fail: (message, details = {}) => {
        this.report(node, message, details);
        return undefined;
      },
      warn: (message, details = {}) => {
        this.problems.push(warningProblem(`block "${node.id}": ${message}`, { block: node.id, ...details }));
      },
    };
  }

  private compute(
    node: Node,
    links: ReadonlyMap<string, Link>,
    write: (context: LowerContext) => Value,
  ): ArrayLike<number> | undefined {
    try {
      return computeData(this.blocks, node.id, links, write);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.report(node, `its data are at fault: ${error.message}`, {});
      return undefined;
    }
  }

  /** Several blocks may take one column: its cells are read once. */
  private column(table: Table, name: string, type: ColumnType | undefined): TypedColumn | ColumnFault {
    const key = JSON.stringify([table.name, name, type]);
    const known = this.columns.get(key);
    if (known) return known;
    const raw = table.columns.get(name);
    if (!raw) throw new Error(`the table ${table.name} has no column ${name}`);
    const typed = this.options.typed?.(table, name, type) ?? withoutRows(typeColumn(raw, type), table.excluded ?? []);
    this.columns.set(key, typed);
    return typed;
  }
}
