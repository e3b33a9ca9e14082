/** What the interpreter of a construct is given. */
import type { Program, Value } from '../../0-ir/program.ts';
import type { Size } from '../../0-ir/sizes.ts';
import type { HostValue } from './host-value.ts';

export interface Context {
  /** What an operand holds. */
  value(value: Value): HostValue;
  /** A size with its symbols bound. */
  size(size: Size): number;
  /** Runs a loop's body or a callee. */
  run(program: Program, args: readonly HostValue[]): HostValue[];
  /** The block of the document that the statement came from. */
  readonly origin: string | undefined;
}

export function sizesOfShape(context: Context, shape: readonly Size[]): number[] {
  return shape.map((size) => context.size(size));
}
