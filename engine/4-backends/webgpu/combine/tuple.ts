/** The components that an operator combines, as one WGSL struct, and how elements along an axis become one. */
import { componentTypes, type Operator } from '../../../0-ir/operators.ts';
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import type { Size } from '../../../0-ir/sizes.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import { removeAxis } from '../../../3-plan/coalesce.ts';
import type { Access, Source } from '../../../3-plan/plan.ts';
import { readSource, sourceBase, type KernelWriter } from '../wgsl/kernel-writer.ts';
import { wgslType } from '../scalar/literal.ts';
import type { Space } from '../wgsl/space.ts';

/** Workgroup memory that every adapter has. */
export const workgroupBytes = 16384;

export class Tuple {
  readonly types: readonly ElementType[];

  /** Declares the struct `Tuple` and `combine(a, b)`. */
  constructor(
    private readonly writer: KernelWriter,
    private readonly operator: Operator,
  ) {
    this.types = componentTypes(operator);
    writer.declare(`struct Tuple { ${this.types.map((type, i) => `c${i}: ${wgslType(type)}`).join(', ')} }`);
    const call = writer.function('operate', operator.combine);
    const operands = ['a', 'b'].flatMap((side) => this.types.map((_, i) => `${side}.c${i}`));
    writer.declare(`fn combine(a: Tuple, b: Tuple) -> Tuple {
  let y = ${call(operands)};
  return ${this.from('y')};
}`);
  }

  /** A tuple of what a scalar function has returned. */
  private from(results: string): string {
    return `Tuple(${this.types.length === 1 ? results : this.types.map((_, i) => `${results}.r${i}`).join(', ')})`;
  }

  get neutral(): string {
    return `Tuple(${this.types.map((type, i) => this.writer.literal(type, this.operator.neutral[i] ?? 0)).join(', ')})`;
  }

  /** From words of the arena at these places. */
  load(places: readonly string[]): string {
    return `Tuple(${this.types.map((type, i) => this.writer.load(type, places[i] ?? '')).join(', ')})`;
  }

  store(places: readonly string[], value: string): string[] {
    return this.types.map((type, i) => this.writer.store(type, places[i] ?? '', `${value}.c${i}`));
  }

  /** Component after component in scratch, `stride` words apart, from `base` on. */
  packed(base: string, stride: string): string[] {
    return this.types.map((_, i) => (i === 0 ? base : `${base} + ${i} * ${stride}`));
  }

  /**
   * Declares `element(at, …)`: the inputs at a place along an axis, through the prologue. `bases` are the places where
   * the axis begins, to be declared once; `call` reads.
   */
  elements(
    inputs: readonly Source[],
    prologue: ScalarFunction | undefined,
    bases: readonly string[],
    strides: readonly Size[],
  ): { declarations: string[]; call: (at: string) => string } {
    const { writer } = this;
    const operands = inputs.map((input, i) =>
      readSource(writer, input, `x${i} + at * ${writer.size(strides[i] ?? 0)}`),
    );
    const names = inputs.map((_, i) => `x${i}`);
    const body = prologue
      ? `let y = ${writer.function('prologue', prologue)(operands)};\n  return ${this.from('y')};`
      : `return Tuple(${operands.join(', ')});`;
    writer.declare(`fn element(${['at', ...names].map((name) => `${name}: i32`).join(', ')}) -> Tuple {\n  ${body}\n}`);
    return {
      declarations: bases.map((base, i) => `let x${i} = ${base};`),
      call: (at) => `element(${[at, ...names].join(', ')})`,
    };
  }
}

/** `Tuple.elements` along an axis of a domain whose other axes are `space`. */
export function elementsAlong(
  tuple: Tuple,
  writer: KernelWriter,
  space: Space,
  axis: number,
  inputs: readonly Source[],
  prologue: ScalarFunction | undefined,
): { declarations: string[]; call: (at: string) => string } {
  return tuple.elements(
    inputs,
    prologue,
    inputs.map((input) => placeAlong(writer, space, axis, input)),
    inputs.map((input) => input.strides[axis]!),
  );
}

/** Where the axis begins in a source over the domain. */
export function placeAlong(writer: KernelWriter, space: Space, axis: number, source: Source): string {
  return space.address(sourceBase(writer, source), removeAxis(source, axis).strides);
}

/** Outputs over the domain: declarations of their beginnings, and their places at a position along the axis. */
export function outputsAlong(
  writer: KernelWriter,
  space: Space,
  axis: number,
  outputs: readonly (Access | null)[],
): { declarations: string[]; places: (at: string) => string[] } {
  return {
    declarations: outputs.flatMap((output, i) =>
      output ? [`let y${i} = ${space.address(writer.place(output), removeAxis(output, axis).strides)};`] : [],
    ),
    places: (at) => outputs.map((output, i) => `y${i} + ${at} * ${writer.size(output?.strides[axis] ?? 0)}`),
  };
}

/**
 * Threads that can keep so many words each in workgroup memory: a power of two, at most 64. More would gain little on a
 * GPU, and software drivers take a time to compile that grows with the lanes (SwiftShader: 1 s for 256 of 2×2 matrices).
 */
export function cooperatingLanes(wordsEach: number): number {
  let lanes = 64;
  while (lanes > 1 && lanes * wordsEach * 4 > workgroupBytes) lanes /= 2;
  return lanes;
}
