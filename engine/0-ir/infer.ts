/** The types of a construct's results, and what its operands must be. One entry a construct. */
import { componentTypes, type Operator } from './operators.ts';
import type {
  Construct,
  ConstructKind,
  ConstructOf,
  Epilogue,
  HistogramConstruct,
  KeyedScanConstruct,
  Value,
} from './program.ts';
import { parameterTypes, resultTypes, type ScalarFunction } from './scalar.ts';
import { sizeAdd, type Size } from './sizes.ts';
import {
  arrayType,
  broadcastShape,
  broadcastsTo,
  IrError,
  printShape,
  printType,
  sameShape,
  sameType,
  withoutAxis,
  type ArrayType,
  type ElementType,
  type Shape,
} from './types.ts';

const infer: { [K in ConstructKind]: (construct: ConstructOf<K>) => ArrayType[] } = {
  literal: ({ element }) => [arrayType(element)],

  map(c) {
    wantDomain('map', c.inputs, c.shape);
    wantParameters('map', c.function, c.inputs.map(elementOf));
    return resultTypes(c.function).map((element) => arrayType(element, c.shape));
  },

  reduce(c) {
    wantAxis('reduce', c.axis, c.shape);
    return combined('reduce', c).map((element) => arrayType(element, withoutAxis(c.shape, c.axis)));
  },

  scan(c) {
    wantAxis('scan', c.axis, c.shape);
    return scanned('scan', c).map((element) => arrayType(element, c.shape));
  },

  'segmented-scan'(c) {
    wantAxis('segmented-scan', c.axis, c.shape);
    want(elementOf(c.flags) === 'bool', `segmented-scan: flags are ${printType(c.flags.type)}, not bool`);
    wantDomain('segmented-scan', [c.flags], c.shape);
    return scanned('segmented-scan', c).map((element) => arrayType(element, c.shape));
  },

  histogram: (c) => binned('histogram', c),

  'keyed-scan'(c) {
    const shown = scanned('keyed-scan', c).map((element) => arrayType(element, c.shape));
    return [...shown, ...binned('keyed-scan', c)];
  },

  recurrence(c) {
    wantAxis('recurrence', c.axis, c.shape);
    const across = withoutAxis(c.shape, c.axis);
    wantDomain('recurrence', c.inputs, c.shape);
    wantDomain('recurrence', [...c.initial, ...c.invariants], across);
    wantParameters('recurrence', c.step, [...c.initial, ...c.inputs, ...c.invariants].map(elementOf));
    const types = resultTypes(c.step);
    c.initial.forEach((value, i) =>
      want(
        types[i] === elementOf(value),
        `recurrence: carry ${i} begins as ${elementOf(value)} and goes on as ${types[i]}`,
      ),
    );
    return types.map((element, i) => arrayType(element, i < c.initial.length ? across : c.shape));
  },

  history(c) {
    wantAxis('history', c.axis, c.shape);
    const across = withoutAxis(c.shape, c.axis);
    wantDomain('history', [...c.inputs, ...c.places], c.shape);
    wantDomain('history', [...c.initial, ...c.invariants], across);
    want(!(c.asked && (c.backward || c.places.length > 0)), 'history: places are asked for going forward, or given');
    want(
      c.places.every((place) => elementOf(place) === 'int'),
      'history: places are int',
    );
    const places = placesOf(c);
    const reals = (count: number): ElementType[] => new Array<ElementType>(count).fill('real');
    const [read, written] = c.backward ? [c.columns, places * c.columns] : [places * c.columns, c.columns];
    const [initial, inputs, invariants] = [c.initial, c.inputs, c.invariants].map((values) =>
      values.map(elementOf),
    ) as [ElementType[], ElementType[], ElementType[]];
    wantParameters('history', c.step, [...initial, ...inputs, ...reals(read), ...invariants]);
    if (c.asked) wantParameters('history', c.asked, [...initial, ...inputs, ...invariants]);
    const types = resultTypes(c.step);
    const outputs = types.slice(initial.length, types.length - written);
    want(
      sameList(types, [...initial, ...outputs, ...reals(written)]),
      `history: a step gives its carries (${initial.join(', ')}), outputs and ${written} reals, got (${types.join(', ')})`,
    );
    want(
      c.columns > 0 && (!c.asked || resultTypes(c.asked).every((type) => type === 'real')),
      'history: rows have columns, and what is asked is real',
    );
    const found: ElementType[] = c.asked ? new Array<ElementType>(places).fill('int') : [];
    return [
      ...initial.map((element) => arrayType(element, across)),
      ...[...outputs, ...reals(c.columns), ...found].map((element) => arrayType(element, c.shape)),
    ];
  },

  solve(c) {
    wantDomain('solve', [...c.initial, ...c.given], c.shape);
    wantParameters('solve', c.residual, [...c.initial, ...c.given].map(elementOf));
    const types = resultTypes(c.residual);
    want(
      types.length === c.initial.length && [...types, ...c.initial.map(elementOf)].every((type) => type === 'real'),
      `solve: ${c.initial.length} unknowns want as many real equations, got (${types.join(', ')})`,
    );
    return [...types, 'int' as const].map((element) => arrayType(element, c.shape));
  },

  loop(c) {
    const given = [arrayType('int'), ...c.initial.map((v) => v.type), ...c.invariants.map((v) => v.type)];
    const wanted = c.body.parameters.map((p) => p.value.type);
    want(
      given.length === wanted.length && given.every((type, i) => sameType(type, wanted[i]!)),
      `loop: the body takes (${wanted.map(printType).join(', ')}), got (${given.map(printType).join(', ')})`,
    );
    want(
      c.body.results.length === c.initial.length &&
        c.initial.every((value, i) => sameType(value.type, (c.body.results[i] as { value: Value }).value.type)),
      'loop: the body does not give its carries back in their types',
    );
    return c.initial.map((value) => value.type);
  },

  gather(c) {
    const from = c.from.type.shape;
    const indices = c.indices.type.shape;
    want(elementOf(c.indices) === 'int', `gather: indices are ${printType(c.indices.type)}, not int`);
    want(from.length > c.batch, `gather: from ${printType(c.from.type)} has no axis after ${c.batch} batch axes`);
    want(c.outside !== 'nan' || elementOf(c.from) === 'real', 'gather: only a real array can give NaN');
    const batch = batchShape('gather', c.batch, [c.from, c.indices]);
    return [arrayType(elementOf(c.from), [...batch, ...indices.slice(c.batch), ...from.slice(c.batch + 1)])];
  },

  scatter(c) {
    const into = c.into.type.shape;
    const indices = c.indices.type.shape;
    want(elementOf(c.indices) === 'int', `scatter: indices are ${printType(c.indices.type)}, not int`);
    want(into.length > c.batch, `scatter: into ${printType(c.into.type)} has no axis after ${c.batch} batch axes`);
    want(
      indices.length === c.batch + 1,
      `scatter: indices ${printType(c.indices.type)} are not of rank ${c.batch + 1}`,
    );
    want(elementOf(c.values) === elementOf(c.into), 'scatter: values and into are of different types');
    const batch = batchShape('scatter', c.batch, [c.into, c.indices, c.values]);
    const rows = [indices[c.batch]!, ...into.slice(c.batch + 1)];
    want(
      sameShape(c.values.type.shape.slice(c.batch), rows),
      `scatter: values ${printType(c.values.type)} are not ${printShape(rows)} after the batch axes`,
    );
    return [arrayType(elementOf(c.into), [...batch, ...into.slice(c.batch)])];
  },

  'sort-permutation'(c) {
    want(elementOf(c.keys) === 'int', `sort-permutation: keys are ${printType(c.keys.type)}, not int`);
    want(c.keys.type.shape.length > 0, 'sort-permutation: keys are a scalar');
    return [c.keys.type];
  },

  iota: ({ length }) => [arrayType('int', [length])],

  replicate(c) {
    wantDomain('replicate', [c.value], c.shape);
    return [arrayType(elementOf(c.value), c.shape)];
  },

  reverse(c) {
    wantAxis('reverse', c.axis, c.value.type.shape);
    return [c.value.type];
  },

  transpose(c) {
    const shape = c.value.type.shape;
    want(
      c.permutation.length === shape.length && [...c.permutation].sort((a, b) => a - b).every((axis, i) => axis === i),
      `transpose: ${printShape(c.permutation)} is no permutation of the axes of ${printType(c.value.type)}`,
    );
    return [
      arrayType(
        elementOf(c.value),
        c.permutation.map((axis) => shape[axis]!),
      ),
    ];
  },

  reshape: (c) => [arrayType(elementOf(c.value), c.shape)],

  slice(c) {
    wantAxis('slice', c.axis, c.value.type.shape);
    return [
      arrayType(
        elementOf(c.value),
        c.value.type.shape.map((size, axis) => (axis === c.axis ? c.length : size)),
      ),
    ];
  },

  concatenate(c) {
    const [first] = c.values;
    if (!first) throw new IrError('concatenate: no values');
    wantAxis('concatenate', c.axis, first.type.shape);
    for (const value of c.values)
      want(
        elementOf(value) === elementOf(first) &&
          sameShape(withoutAxis(value.type.shape, c.axis), withoutAxis(first.type.shape, c.axis)),
        `concatenate: ${printType(value.type)} does not go with ${printType(first.type)} along axis ${c.axis}`,
      );
    const total = c.values.reduce<Size>((size, value) => sizeAdd(size, value.type.shape[c.axis]!), 0);
    return [
      arrayType(
        elementOf(first),
        first.type.shape.map((size, axis) => (axis === c.axis ? total : size)),
      ),
    ];
  },

  matmul(c) {
    const left = c.left.type.shape;
    const right = c.right.type.shape;
    const batch = left.length - 2;
    want(
      elementOf(c.left) === 'real' &&
        elementOf(c.right) === 'real' &&
        batch >= 0 &&
        right.length === left.length &&
        left[batch + 1] === right[batch],
      `matmul: ${printType(c.left.type)} does not go with ${printType(c.right.type)}`,
    );
    return [arrayType('real', [...batchShape('matmul', batch, [c.left, c.right]), left[batch]!, right[batch + 1]!])];
  },

  call(c) {
    const wanted = c.program.parameters.map((p) => p.value.type);
    want(
      wanted.length === c.inputs.length && wanted.every((type, i) => sameType(type, c.inputs[i]!.type)),
      `call: the program takes (${wanted.map(printType).join(', ')})`,
    );
    return c.program.results.map((result) => result.value.type);
  },
};

/** How many rows each step of a history reads, or leaves something for. */
export function placesOf({ asked, places }: ConstructOf<'history'>): number {
  return asked ? resultTypes(asked).length : places.length;
}

const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, i) => each === b[i]);

/** Throws an `IrError` where operands do not fit. */
export function inferTypes(construct: Construct): ArrayType[] {
  return (infer[construct.kind] as (construct: Construct) => ArrayType[])(construct);
}

function combined(
  kind: ConstructKind,
  c: { operator: Operator; prologue?: ScalarFunction; shape: Shape; inputs: readonly Value[] },
): ElementType[] {
  wantDomain(kind, c.inputs, c.shape);
  const components = componentTypes(c.operator);
  wantParameters(kind, c.operator.combine, [...components, ...components]);
  const types = resultTypes(c.operator.combine);
  want(
    types.length === components.length && types.every((type, i) => type === components[i]),
    `${kind}: the operator takes (${components.join(', ')}) and gives (${types.join(', ')})`,
  );
  if (c.prologue) wantParameters(kind, c.prologue, c.inputs.map(elementOf));
  const given = c.prologue ? resultTypes(c.prologue) : c.inputs.map(elementOf);
  want(
    given.length === components.length && given.every((type, i) => type === components[i]),
    `${kind}: the operator takes (${components.join(', ')}), got (${given.join(', ')})`,
  );
  return components;
}

/** What stands at each point: the components, or the epilogue's results. */
function scanned(kind: ConstructKind, c: Parameters<typeof combined>[1] & { epilogue?: Epilogue }): ElementType[] {
  const components = combined(kind, c);
  if (!c.epilogue) return components;
  wantDomain(kind, c.epilogue.inputs, c.shape);
  wantParameters(kind, c.epilogue.function, [...components, ...c.epilogue.inputs.map(elementOf)]);
  return resultTypes(c.epilogue.function);
}

/** The contents of the bins, [batch…, bins, trailing…] each. */
function binned(kind: ConstructKind, c: HistogramConstruct | KeyedScanConstruct): ArrayType[] {
  const keyShape = c.shape.slice(0, c.batch + 1);
  want(c.shape.length > c.batch, `${kind}: the domain ${printShape(c.shape)} has no axis after ${c.batch} batch axes`);
  want(elementOf(c.keys) === 'int', `${kind}: keys are ${printType(c.keys.type)}, not int`);
  want(
    c.keys.type.shape.length === keyShape.length && broadcastsTo(c.keys.type.shape, keyShape),
    `${kind}: keys ${printType(c.keys.type)} do not fit ${printShape(keyShape)}`,
  );
  const shape = [...c.shape.slice(0, c.batch), c.bins, ...c.shape.slice(c.batch + 1)];
  const types = combined(kind, c).map((element) => arrayType(element, shape));
  if (c.initial) {
    want(
      c.initial.length === types.length,
      `${kind}: ${c.initial.length} initial contents for ${types.length} components`,
    );
    wantDomain(`${kind} initial`, c.initial, shape);
    c.initial.forEach((value, i) =>
      want(elementOf(value) === types[i]?.element, `${kind}: initial ${i} is of another type`),
    );
  }
  return types;
}

function batchShape(kind: ConstructKind, batch: number, operands: readonly Value[]): Shape {
  want(
    operands.every((operand) => operand.type.shape.length >= batch),
    `${kind}: an operand lacks some of the ${batch} batch axes`,
  );
  const shape = broadcastShape(...operands.map((operand) => operand.type.shape.slice(0, batch)));
  if (!shape) throw new IrError(`${kind}: the batch axes do not agree`);
  return shape;
}

function wantParameters(kind: ConstructKind, fn: ScalarFunction, given: readonly ElementType[]): void {
  const wanted = parameterTypes(fn);
  want(
    wanted.length === given.length && wanted.every((type, i) => type === given[i]),
    `${kind}: a function takes (${wanted.join(', ')}), got (${given.join(', ')})`,
  );
}

function wantDomain(kind: string, values: readonly Value[], shape: Shape): void {
  for (const value of values)
    want(
      broadcastsTo(value.type.shape, shape),
      `${kind}: ${printType(value.type)} does not broadcast to ${printShape(shape)}`,
    );
}

function wantAxis(kind: ConstructKind, axis: number, shape: Shape): void {
  want(Number.isInteger(axis) && axis >= 0 && axis < shape.length, `${kind}: ${printShape(shape)} has no axis ${axis}`);
}

function want(holds: boolean, message: string): asserts holds {
  if (!holds) throw new IrError(message);
}

function elementOf(value: Value): ElementType {
  return value.type.element;
}
