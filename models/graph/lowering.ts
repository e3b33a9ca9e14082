/** Values of blocks as they are lowered, each with all that it takes. */
import {
  arrayType,
  type ElementType,
  type HostArray,
  ProgramBuilder,
  sameShape,
  type Shape,
  type Size,
  type Value,
} from '../../engine/index.ts';
import { kindOf } from '../blocks/index.ts';
import type { AxisSize, LowerContext, Output, Sizes } from '../blocks/kind.ts';
import { stretches } from '../blocks/parts/sizes.ts';
import { DocumentError } from '../notation/problem.ts';
import type { ParameterInfo } from '../objective/parameter-info.ts';
import { blocksOf, outputAt, outputsOf, type CheckedBlock, type CheckedBlocks, type Link } from './checked.ts';
import { SizeTable } from './sizes.ts';

/** Block → port → its value. */
export type Wires = Map<string, Map<string, Value>>;

export interface ProgramInput {
  /** Row-major. */
  readonly values: HostArray;
  readonly shape: readonly number[];
}

export class Lowering {
  readonly builder = new ProgramBuilder();
  readonly inputs = new Map<string, ProgramInput>();
  private readonly parameters = new Map<string, Value>();
  private readonly values = new Map<string, readonly Value[]>();
  private entered: ReadonlySet<string> | undefined;
  private gaps: boolean | undefined;

  /**
   * With `wires` each port's value is one of its own, so that derivatives can be taken by it apart from its trunk. Of a block
   * that is `opaque` the outputs are values of their types, and no program computes them.
   */
  constructor(
    private readonly blocks: CheckedBlocks,
    readonly sizes: SizeTable = new SizeTable(),
    private readonly wires?: Wires,
    private readonly opaque?: (checked: CheckedBlock) => boolean,
  ) {}

  /** Lowers these blocks and all that they take, in the model's order. */
  lowerBlocks(ids: readonly string[]): void {
    const needed = new Set<string>();
    const pending = [...ids];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      if (needed.has(id)) continue;
      needed.add(id);
      pending.push(...blocksOf({ blocks: this.blocks }, this.block(id).links.values()));
    }
    for (const [id, checked] of this.blocks) if (needed.has(id)) this.lowerBlock(id, checked);
  }

  /** The ids of the blocks that have been lowered. */
  lowered(): string[] {
    return [...this.values.keys()];
  }

  value(link: Link): Value {
    const value = this.values.get(link.block)?.[link.output];
    if (value) return value;
    if (outputAt({ blocks: this.blocks }, link).aside) return this.aside(link);
    throw new Error(`${link.block} has not been lowered`);
  }

  /** An input where it is read, and nothing where it is not. */
  private aside({ block, output }: Link): Value {
    return this.within(block, ({ node, detail, outputs }, context) => {
      const value = kindOf(node.block).lowerAside?.(detail, context, outputs[output]!.name);
      if (!value) throw new Error(`${block} has no output ${output}`);
      return this.settle(value, outputs[output]!);
    });
  }

  /** Runs `write` with the context of a block, its id stamped on the statements. */
  within<T>(id: string, write: (checked: CheckedBlock, context: LowerContext) => T): T {
    const checked = this.block(id);
    const around = this.builder.origin;
    this.builder.origin = id;
    const result = write(checked, this.context(id, checked.links));
    this.builder.origin = around;
    return result;
  }

  /** An input for a parameter that no block has lowered. */
  parameter({ id, shape, initial }: ParameterInfo): Value {
    const sizes = shape.map((value): AxisSize => ({ value, literal: true }));
    return this.source(id, 'real', sizes, () => initial);
  }

  shape(sizes: Sizes): Shape {
    return sizes.map((size) => this.sizes.size(size));
  }

  private block(id: string): CheckedBlock {
    const checked = this.blocks.get(id);
    if (!checked) throw new DocumentError([{ severity: 'error', message: `there is no block "${id}"`, block: id }]);
    return checked;
  }

  private lowerBlock(id: string, checked: CheckedBlock): void {
    const { outputs } = checked;
    if (this.opaque?.(checked)) {
      const valueOf = ({ element, sizes }: Output, i: number): Value =>
        this.handedOn(this.source(`output ${id} ${i}`, element, sizes, () => []));
      this.values.set(id, outputsOf({ outputs }).map(valueOf));
      return;
    }
    const values = this.within(id, ({ node, detail }, context) =>
      kindOf(node.block)
        .lower(node.block, detail, context)
        .map((value, i) => this.settle(value, outputs[i]!)),
    );
    this.values.set(id, values);
  }

  /** The value in the very sizes that its type says: a sum of two symbols may be spelt as a third of the same value. */
  private settle(value: Value, output: Output): Value {
    const shape = this.shape(output.sizes);
    if (value.type.element !== output.element) throw new Error(`${output.name} was lowered as ${value.type.element}`);
    return sameShape(value.type.shape, shape) ? value : this.builder.reshape(value, shape);
  }

  context(id: string, links: CheckedBlock['links']): LowerContext {
    const link = (port: string): Link => {
      const found = links.get(port);
      if (!found) throw new Error(`${id} has no wire at ${port}`);
      return found;
    };
    return {
      id,
      builder: this.builder,
      input: (port) => this.wire(id, port, this.value(link(port))),
      output: (port) => outputAt({ blocks: this.blocks }, link(port)),
      size: (size): Size => this.sizes.size(size),
      growing: (name, value) => this.sizes.growing(name, value),
      shape: (sizes) => this.shape(sizes),
      extent: (size) => this.extent(size),
      index: (size) => this.builder.iota(this.sizes.size(size), this.hasGaps() ? { missing: true } : {}),
      source: (name, element, sizes, values) => this.source(name, element, sizes, values),
    };
  }

  private wire(block: string, port: string, value: Value): Value {
    if (!this.wires) return value;
    const known = this.wires.get(block)?.get(port);
    if (known) return known;
    const handedOn = this.handedOn(value);
    const ports = this.wires.get(block) ?? new Map<string, Value>();
    this.wires.set(block, ports.set(port, handedOn));
    return handedOn;
  }

  /** As it is: a use that can be told from others of the same value. */
  private handedOn(value: Value): Value {
    const [result] = this.builder.emit({ kind: 'reshape', value, shape: value.type.shape });
    return result!;
  }

  /** A size is no value of the IR: it comes in as an input, bound along with the symbol. */
  private extent(size: AxisSize): Value {
    if (stretches(size)) return this.builder.literal(1, 'int');
    return this.source(`length ${this.sizes.size(size)}`, 'int', [], () => [size.value]);
  }

  /** The blocks of which something else is made than what is observed: rows that miss that are left out by the misfits themselves. */
  private entering(): ReadonlySet<string> {
    this.entered ??= new Set(
      [...this.blocks.values()].flatMap(({ links }) =>
        [...links].flatMap(([port, { block }]) => (port === 'observed' ? [] : [block])),
      ),
    );
    return this.entered;
  }

  /**
   * Whether rows are left out, as where an observation is missing or its weight is 0: what is made of the cells beside it need be no
   * number.
   */
  private hasGaps(): boolean {
    this.gaps ??= [...this.blocks.values()].some(
      ({ outputs, links }) => outputs.some(({ data }) => data && hasMissing(data)) || this.weighsNothing(links),
    );
    return this.gaps;
  }

  /** Weights that a formula makes of data may be 0. */
  private weighsNothing(links: CheckedBlock['links']): boolean {
    const link = links.get('weights');
    if (!link) return false;
    const { data, computed } = outputAt({ blocks: this.blocks }, link);
    return data?.includes(0) ?? !computed;
  }

  private source(name: string, element: ElementType, sizes: Sizes, values: () => ArrayLike<number>): Value {
    const known = this.parameters.get(name);
    if (known) return known;
    const data = hostArray(element, values());
    const isData = this.blocks.get(name)?.outputs.every(({ computed }) => !computed) ?? false;
    const missing = element !== 'bool' && isData && this.entering().has(name) && this.hasGaps();
    const type = arrayType(element, this.shape(sizes));
    const parameter = this.builder.parameter(name, type, missing ? { missing } : {});
    this.parameters.set(name, parameter);
    this.inputs.set(name, { values: data, shape: sizes.map((size) => size.value) });
    return parameter;
  }
}

/** Data are never written to, so that columns of millions of rows are taken as they are. */
function hostArray(element: ElementType, values: ArrayLike<number>): HostArray {
  if (element === 'real') return values instanceof Float64Array ? values : new Float64Array(values);
  if (element === 'int') return values instanceof Int32Array ? values : new Int32Array(values);
  return values instanceof Uint8Array ? values : new Uint8Array(values);
}

/** A loop, for columns have millions of rows. */
function hasMissing(data: HostArray): boolean {
  for (let i = 0; i < data.length; i++) if (Number.isNaN(data[i])) return true;
  return false;
}
