/** What reduce, scan, segmented-scan, histogram and keyed-scan share. */
import { componentTypes, type Operator } from '../../0-ir/operators.ts';
import type { Epilogue, Value } from '../../0-ir/program.ts';
import type { ScalarFunction } from '../../0-ir/scalar.ts';
import type { Context } from './context.ts';
import { broadcastTo, newValue, type HostValue } from './host-value.ts';
import { mapOver } from './map.ts';
import { compileScalar } from './scalar/compile.ts';

/** One number for each component of the operator. */
export type Tuple = readonly number[];

/** The operator's elements over a domain: the inputs stretched to it, or the prologue's results. */
export function elementsOf(
  c: { readonly prologue?: ScalarFunction; readonly inputs: readonly Value[] },
  shape: readonly number[],
  context: Context,
): HostValue[] {
  const inputs = c.inputs.map(context.value);
  return c.prologue ? mapOver(c.prologue, inputs, shape) : inputs.map((input) => broadcastTo(input, shape));
}

export function tupleAt(components: readonly HostValue[], position: number): Tuple {
  return components.map((component) => component.values[position]!);
}

export function store(components: readonly HostValue[], position: number, tuple: Tuple): void {
  components.forEach((component, k) => (component.values[position] = tuple[k]!));
}

/** left ⊙ right, where an accumulation that has not begun (undefined) is never combined, not even as the neutral element. */
export function combiner(operator: Operator): (left: Tuple | undefined, right: Tuple) => Tuple {
  const combine = compileScalar(operator.combine);
  return (left, right) => (left ? combine([...left, ...right]) : right);
}

/** The components over a domain, or what a scan's epilogue makes of them. */
export function withEpilogue(
  c: { readonly epilogue?: Epilogue },
  components: HostValue[],
  shape: readonly number[],
  context: Context,
): HostValue[] {
  const { epilogue } = c;
  return epilogue
    ? mapOver(epilogue.function, [...components, ...epilogue.inputs.map(context.value)], shape)
    : components;
}

export function newComponents(operator: Operator, shape: readonly number[]): HostValue[] {
  return componentTypes(operator).map((element) => newValue(element, shape));
}
