/** The state of one lowering: the buffers so far, and the blocks of steps, of which `prepare` is outermost. */
import type { Construct, Program, Value } from '../0-ir/program.ts';
import { intLiteral, parameterTypes, type ScalarFunction, type ScalarOperand } from '../0-ir/scalar.ts';
import { identityFunction, scalarFunction, type ScalarBuilder } from '../0-ir/scalar-builder.ts';
import { sizeProduct } from '../0-ir/sizes.ts';
import type { ElementType, Shape } from '../0-ir/types.ts';
import { simplifyFunction } from '../1-optimize/scalar/simplify-function.ts';
import { coalesce } from './coalesce.ts';
import type { Access, BufferId, PlanBuffer, Source, Step } from './plan.ts';
import { sourceElement, sourceSlots } from './sources.ts';
import {
  accessOf,
  broadcastView,
  denseStrides,
  isDense,
  sourceOf,
  type Block,
  type Constant,
  type Gathered,
  type Located,
  type View,
} from './view.ts';

export class Lowering {
  readonly buffers: Omit<PlanBuffer, 'lifetime'>[] = [];
  readonly prepare: Block = { depth: 0, steps: [] };
  readonly run: Block = { depth: 1, steps: [] };
  /** Views and constants that a kernel could only read from memory, once written there. */
  private readonly copies = new Map<Located, View>();
  private readonly constants = new Map<string, View>();

  buffer(element: ElementType, shape: Shape, role: PlanBuffer['role'] = 'temporary'): BufferId {
    return this.buffers.push({ element, length: sizeProduct(shape), role }) - 1;
  }

  /** A fresh dense array that steps of `home` will fill. */
  allocate(element: ElementType, shape: Shape, home: Block, role: PlanBuffer['role'] = 'temporary'): View {
    const base = this.buffer(element, shape, role);
    return { kind: 'view', element, shape, home, base, offset: 0, strides: denseStrides(shape) };
  }

  constant(element: ElementType, value: number, shape: Shape = []): Constant {
    return { kind: 'constant', element, value, shape, home: this.prepare };
  }

  /** The value as an array in a buffer, copied where it is none. */
  inMemory(located: Located): View {
    if (located.kind === 'view' && located.base !== 'index') return located;
    if (located.kind === 'constant') {
      const key = `${located.element} ${Object.is(located.value, -0) ? '-0' : located.value}`;
      const cell = this.constants.get(key) ?? this.copy({ ...located, shape: [] });
      this.constants.set(key, cell);
      return broadcastView(cell, located.shape) as View;
    }
    return this.dense(located);
  }

  /** The value in row-major order from the start of a buffer of its own length. */
  dense(located: Located): View & { readonly base: BufferId } {
    const at = located.kind === 'view' && located.base !== 'index' ? this.buffers[located.base] : undefined;
    const is =
      located.kind === 'view' &&
      at?.length === sizeProduct(located.shape) &&
      located.offset === 0 &&
      isDense(located.shape, located.strides);
    return (is ? located : this.copy(located)) as View & { readonly base: BufferId };
  }

  private copy(located: Located): View {
    const known = this.copies.get(located);
    if (known) return known;
    const target = this.allocate(located.element, located.shape, located.home);
    this.write(located.home, located, accessOf(target));
    this.copies.set(located, target);
    return target;
  }

  /** target[point] = located[point] */
  write(block: Block, located: Located, target: Access, origin?: string): void {
    this.map(block, located.shape, identityFunction([located.element]), [located], [target], origin);
  }

  map(
    block: Block,
    domain: Shape,
    fn: ScalarFunction,
    operands: readonly Located[],
    outputs: readonly Access[],
    origin?: string,
  ): void {
    const folded = this.fold(fn, operands, domain);
    const coalesced = coalesce(domain, [], [...folded.inputs, ...outputs]);
    block.steps.push({
      kind: 'map',
      domain: coalesced.domain,
      inputs: folded.inputs.map(coalesced.over),
      function: folded.function,
      outputs: outputs.map(coalesced.over),
      ...(origin !== undefined && { origin }),
    });
  }

  source(located: Located, shape: Shape): Source {
    if (located.kind === 'extended' || located.kind === 'gathered') return this.source(this.inMemory(located), shape);
    const over = broadcastView(located, shape);
    if (over.kind === 'view') return sourceOf(over);
    return over.kind === 'constant' && over.element === 'int'
      ? { kind: 'index', offset: over.value, strides: shape.map(() => 0) }
      : sourceOf(this.inMemory(over));
  }

  /**
   * The function and what it reads, constants written into it, edges chosen in it, and nothing read twice. Its first
   * parameters, where they are more than the operands, are given otherwise and stay.
   */
  fold(
    fn: ScalarFunction,
    operands: readonly Located[],
    shape: Shape,
  ): { function: ScalarFunction; inputs: Source[]; changed: boolean } {
    const { inputs, slotOf } = sourceSlots();
    type Read = (b: ScalarBuilder, read: readonly ScalarOperand[]) => ScalarOperand;
    const reader = (located: Located): Read => {
      if (located.kind === 'constant') return () => ({ kind: 'literal', type: located.element, value: located.value });
      if (located.kind === 'view' || located.kind === 'gathered') {
        const slot = slotOf(
          located.kind === 'gathered'
            ? sourceOf(broadcastView(located, shape) as Gathered)
            : this.source(located, shape),
        );
        return (_, read) => read[slot]!;
      }
      const [inner, index, edge] = [located.inner, located.index, located.edge].map(reader) as [Read, Read, Read];
      return (b, read) => {
        const isEdge = b.apply('eq', index(b, read), intLiteral(0));
        return b.either(
          isEdge,
          () => edge(b, read),
          () => inner(b, read),
        );
      };
    };
    const readers = operands.map(reader);
    const isPlain =
      inputs.length === operands.length && operands.every(({ kind }) => kind === 'view' || kind === 'gathered');
    if (isPlain) return { function: fn, inputs, changed: false };
    const before = parameterTypes(fn).slice(0, fn.parameters.length - operands.length);
    const types = [...before, ...inputs.map(sourceElement)];
    const folded = scalarFunction(types, (b, ...given) => {
      const read = given.slice(before.length);
      return b.inline(fn, [...given.slice(0, before.length), ...readers.map((one) => one(b, read))]);
    });
    return { function: simplified(folded), inputs, changed: true };
  }
}

/** Edges of several lists are chosen by the same test: first the tests become one, then the branches. */
function simplified(fn: ScalarFunction): ScalarFunction {
  return simplifyFunction(simplifyFunction(fn));
}

/** What the rule of a construct sees: its operands, and where its steps go. */
export interface Site {
  readonly lowering: Lowering;
  readonly home: Block;
  readonly origin: string | undefined;
  at(value: Value): Located;
  /** Whether anything reads result i. */
  wanted(result: number): boolean;
  /** What reads result i; undefined where that is a result of the program too. */
  readers(result: number): readonly Construct[] | undefined;
  /** Whether the result may stand where the array stands that it updates: nobody else reads either. */
  readonly inPlace: boolean;
  emit(step: Step): void;
  /** A fresh dense array that this site's steps fill. */
  allocate(element: ElementType, shape: Shape): View;
  source(located: Located, shape: Shape): Source;
  /** An array in memory, broadcast. */
  access(located: Located, shape: Shape): Access;
  /**
   * Lowers a program on these parameters; its steps go to `floor` or, where they depend on less, further out. `updated`:
   * values of it that may stand in place of what they update.
   */
  program(program: Program, parameters: readonly Located[], floor?: Block, updated?: ReadonlySet<number>): Located[];
}
