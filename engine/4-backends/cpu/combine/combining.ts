/**
 * What reduce, scan and histogram share: the accumulator of one item.
 *
 * Neutral elements are never combined: a first element stands as it is. For sums, products, min and max a start value s
 * is known with s ⊙ x = x in every bit (-0 for a real sum), which saves asking whether an element is the first.
 */
import { componentOperator } from '../../../0-ir/component-operator.ts';
import { builtinOperator, componentTypes, recognise, type Operator } from '../../../0-ir/operators.ts';
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import { composeFunctions, identityFunction } from '../../../0-ir/scalar-builder.ts';
import { simplifyFunction } from '../../../1-optimize/scalar/simplify-function.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import type { CarriedPart } from './carried-part.ts';
import type { Kernel } from '../kernel.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { constant, stackType } from '../representation.ts';
import { emitFunction } from '../scalar/scalar-function.ts';
import { get, i32, load, type Expression, type Local } from '../wasm/expression.ts';

export interface Combining {
  readonly operator: Operator;
  readonly prologue?: ScalarFunction;
}

export interface Accumulator {
  readonly operator: Operator;
  /** Where only a part of the operator's components is held. */
  readonly part: CarriedPart | undefined;
  readonly types: readonly ElementType[];
  readonly components: readonly Local[];
  readonly start: readonly number[];
  /** Whether it holds nothing; null where it begins with a value that changes nothing. */
  readonly empty: Local | null;
}

/** `shown`: the start is read as the neutral element, so that -0 will not do for 0. It holds nothing until `reset`. */
export function newAccumulator(k: Kernel, operator: Operator, shown: boolean, part?: CarriedPart): Accumulator {
  const start = exactStart(operator, shown);
  const ofKept = <T>(all: readonly T[]): T[] => (part ? part.kept.map((i) => all[i]!) : [...all]);
  const types = ofKept(componentTypes(operator));
  return {
    operator,
    part,
    types,
    components: types.map((type) => k.f.local(stackType(k.precision, type))),
    start: ofKept(start ?? operator.neutral),
    empty: start ? null : k.f.local('i32'),
  };
}

/** Begins anew. */
export function reset(k: Kernel, { types, components, start, empty }: Accumulator): void {
  components.forEach((local, i) => {
    k.f.set(local, constant(k.precision, { type: types[i]!, value: start[i]! }));
  });
  if (empty) k.f.set(empty, i32(1));
}

/** total = total ⊙ element, or the element if there is no total yet. */
export function accumulate(k: Kernel, accumulator: Accumulator, element: readonly Expression[]): void {
  const { empty } = accumulator;
  const combine = () => combineWith(k, accumulator, element);
  if (!empty) combine();
  else k.f.if(get(empty), () => takeFirst(k, accumulator, element), combine);
}

/** total = total ⊙ element, where there is a total. */
export function combineWith(
  k: Kernel,
  { operator, part, components }: Accumulator,
  element: readonly Expression[],
): void {
  const right = part ? part.right.map((i) => element[i]!) : element;
  const combine = part ? part.combine : operator.combine;
  setAll(k, components, emitFunction(k, combine, [...components.map(get), ...right]));
}

/** total = element */
export function takeFirst(k: Kernel, { part, components, empty }: Accumulator, element: readonly Expression[]): void {
  setAll(k, components, part ? part.kept.map((i) => element[i]!) : element);
  if (empty) k.f.set(empty, i32(0));
}

/** `accumulate` on vectors; `isEmpty` tells of all their lanes. */
export function accumulateVectors(
  k: Kernel,
  operator: Operator,
  totals: readonly Local[],
  element: readonly Expression[],
  isEmpty: Expression | null,
): void {
  const kept = element.map((value) => get(k.f.keep(value)));
  const combine = () =>
    setAll(k, totals, emitFunction(k, operator.combine, [...totals.map(get), ...kept], vectorLanes));
  if (isEmpty) k.f.if(isEmpty, () => setAll(k, totals, kept), combine);
  else combine();
}

/** Bytes that an accumulator takes in memory. */
export function slotBytes({ components, empty }: Accumulator): number {
  return 8 * (components.length + (empty ? 1 : 0));
}

/** Into the slot at an address … */
export function spill(k: Kernel, { components, empty }: Accumulator, slot: Local): void {
  components.forEach((local, i) => k.f.store(`${valueType(local)}.store`, get(slot), get(local), 8 * i));
  if (empty) k.f.store('i32.store', get(slot), get(empty), 8 * components.length);
}

/** … and back. */
export function restore(k: Kernel, { components, empty }: Accumulator, slot: Local): void {
  components.forEach((local, i) => k.f.set(local, load(`${valueType(local)}.load`, get(slot), 8 * i)));
  if (empty) k.f.set(empty, load('i32.load', get(slot), 8 * components.length));
}

function valueType({ type }: Local): 'i32' | 'f32' | 'f64' {
  if (type === 'i64' || type === 'v128') throw new TypeError(`an accumulator holds no ${type}`);
  return type;
}

function setAll(k: Kernel, locals: readonly Local[], values: readonly Expression[]): void {
  locals.forEach((local, i) => k.f.set(local, values[i]!));
}

/** The components at a point: the prologue's results, or the inputs. They may be read only once where they are loads. */
export function elementOf(k: Kernel, step: Pick<Combining, 'prologue'>, inputs: readonly Expression[]): Expression[] {
  return step.prologue ? emitFunction(k, step.prologue, inputs) : [...inputs];
}

/**
 * (the components so far, the inputs at a point) ↦ the components after it: prologue and operator in one, so that what the
 * prologue makes of every point alike costs nothing.
 */
export function advancing({ operator, prologue }: Combining): ScalarFunction {
  const types = componentTypes(operator);
  const element = prologue ?? identityFunction(types);
  return simplifyFunction(composeFunctions(operator.combine, [identityFunction(types), element]));
}

export function neutralOf(k: Kernel, operator: Operator): Expression[] {
  return constants(k, operator, operator.neutral);
}

export function constants(k: Kernel, operator: Operator, values: readonly number[]): Expression[] {
  return componentTypes(operator).map((type, i) => constant(k.precision, { type, value: values[i]! }));
}

/** For each component the s with s ⊙ x = x in every bit; undefined where it is not known of all. */
export function exactStart(operator: Operator, shown: boolean): number[] | undefined {
  const starts: number[] = [];
  const types = componentTypes(operator);
  for (const [i, type] of types.entries()) {
    const alone = componentOperator(operator, i);
    const name = alone && recognise(alone);
    if (!name || alone.neutral[0] !== builtinOperator(name, type).neutral[0]) return undefined;
    const sum = name === 'add' && type === 'real';
    // logaddexp(-∞, -0) is +0.
    if (name === 'logaddexp' || (sum && shown)) return undefined;
    starts.push(sum ? -0 : alone.neutral[0]!);
  }
  return starts;
}
