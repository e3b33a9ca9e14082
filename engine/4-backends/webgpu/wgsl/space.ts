/** The points of a shape in row-major order, as index arithmetic in WGSL. */
import { sizeProduct, type Size } from '../../../0-ir/sizes.ts';
import type { Shape } from '../../../0-ir/types.ts';
import { isDense } from '../../../3-plan/view.ts';
import type { KernelWriter } from './kernel-writer.ts';

export class Space {
  private readonly wanted = new Set<number>();

  constructor(
    private readonly writer: KernelWriter,
    readonly shape: Shape,
    /** The i32 variable that counts the points. */
    private readonly linear: string,
    /** Coordinates are named after it. */
    private readonly prefix = 'i',
  ) {}

  coordinate(axis: number): string {
    if (this.shape[axis] === 1) return '0';
    this.wanted.add(axis);
    return `${this.prefix}${axis}`;
  }

  /** base + Σ coordinateₐ·strideₐ. A dense array needs no coordinates. */
  address(base: string, strides: readonly Size[]): string {
    if (isDense(this.shape, strides)) return `${base} + ${this.linear}`;
    const terms = [base];
    strides.forEach((stride, axis) => {
      if (stride === 0 || this.shape[axis] === 1) return;
      const coordinate = this.coordinate(axis);
      terms.push(stride === 1 ? coordinate : `${coordinate} * ${this.writer.size(stride)}`);
    });
    return terms.join(' + ');
  }

  /** Declares the coordinates that have been asked for; call it last, write it first. */
  declarations(): string[] {
    if (this.wanted.size === 0) return [];
    const lines: string[] = [];
    const first = Math.min(...this.wanted);
    const rest = `${this.prefix}_rest`;
    lines.push(`var ${rest} = ${this.linear};`);
    for (let axis = this.shape.length - 1; axis >= first; axis--) {
      const size = this.writer.size(this.shape[axis]!);
      if (this.wanted.has(axis)) lines.push(`let ${this.prefix}${axis} = ${axis === 0 ? rest : `${rest} % ${size}`};`);
      if (axis > first) lines.push(`${rest} /= ${size};`);
    }
    return lines;
  }

  get count(): Size {
    return sizeProduct(this.shape);
  }
}
