/** The constructs that compute, each from operands of the pool. */
import type { Value } from '../../engine/0-ir/program.ts';
import type { Size } from '../../engine/0-ir/sizes.ts';
import {
  arrayType,
  broadcastShape,
  broadcastsTo,
  withoutAxis,
  type ElementType,
  type Shape,
} from '../../engine/0-ir/types.ts';
import { broadcastable, elementTypes, some, type Make, type Making } from './small-choices.ts';
import { operatorFor, scalarCode } from './small-functions.ts';
import { concatenate, literal, reshape, shapeOperation } from './small-shapes.ts';

/** Repeated where they should come up more often. */
export const constructs: readonly Make[] = [
  literal,
  map,
  map,
  map,
  map,
  reduce,
  scan,
  scan,
  histogram,
  recurrence,
  loop,
  gather,
  scatter,
  sort,
  shapeOperation,
  shapeOperation,
  shapeOperation,
  reshape,
  concatenate,
  matmul,
  call,
];

function map(making: Making): Value[] {
  const { inputs, shape } = broadcastable(making, making.pick([1, 2, 3]));
  const results = making.pick<ElementType[]>([
    ['real'],
    ['real'],
    ['int'],
    ['bool'],
    ['real', 'int'],
    ['real', 'real'],
  ]);
  return making.b.map(scalarCode(making.pick, elementTypes(inputs), results), inputs, shape);
}

function combining(making: Making, least: number) {
  const { inputs, shape } = broadcastable(making, making.pick([1, 1, 2]));
  const operator = operatorFor(making.pick, elementTypes(inputs));
  if (!operator || shape.length < least || inputs.length === 0) return undefined;
  return { inputs, shape, operator, axis: making.pick(shape.map((_, axis) => axis)) };
}

function reduce(making: Making): Value[] {
  const c = combining(making, 1);
  return c ? making.b.reduce(c.operator, c.inputs, c.axis) : [];
}

function scan(making: Making): Value[] {
  const c = combining(making, 1);
  if (!c) return [];
  const options = { exclusive: making.pick([false, true]), reverse: making.pick([false, true]) };
  const flags = some(making, (v) => v.type.element === 'bool' && broadcastsTo(v.type.shape, c.shape));
  return flags && making.pick([false, true])
    ? making.b.segmentedScan(c.operator, flags, c.inputs, c.axis, options)
    : making.b.scan(c.operator, c.inputs, c.axis, options);
}

const isInt = (value: Value) => value.type.element === 'int';

function histogram(making: Making): Value[] {
  const c = combining(making, 1);
  if (!c) return [];
  const batch = c.axis;
  const keyShape = c.shape.slice(0, batch + 1);
  const keys = some(
    making,
    (v) => isInt(v) && v.type.shape.length === batch + 1 && broadcastsTo(v.type.shape, keyShape),
  );
  if (!keys) return [];
  const bins = making.pick<Size>([3, 'm', 1]);
  const shape = [...c.shape.slice(0, batch), bins, ...c.shape.slice(batch + 1)];
  const initial = c.inputs.map(({ type }) =>
    some(making, (v) => v.type.element === type.element && broadcastsTo(v.type.shape, shape)),
  );
  const complete = initial.every((value) => value !== undefined) && making.pick([true, false]);
  return making.b.histogram(c.operator, keys, c.inputs, bins, {
    batch,
    ...(complete && { initial: initial }),
  });
}

function recurrence(making: Making): Value[] {
  const { b, pick } = making;
  const { inputs, shape } = broadcastable(making, pick([1, 2]));
  if (shape.length === 0) return [];
  const axis = pick(shape.map((_, i) => i));
  const across = withoutAxis(shape, axis);
  const initial = broadcastable(making, pick([1, 2]), across).inputs;
  const invariants = broadcastable(making, pick([0, 1, 2]), across).inputs;
  const types = elementTypes([...initial, ...inputs, ...invariants]);
  const step = scalarCode(making.pick, types, [
    ...elementTypes(initial),
    ...pick<ElementType[]>([[], ['real'], ['int', 'real']]),
  ]);
  return b.emit({ kind: 'recurrence', step, shape, axis, reverse: pick([false, true]), initial, inputs, invariants });
}

function loop(making: Making): Value[] {
  const { b, pick } = making;
  const initial = [pick(making.pool), pick(making.pool)].slice(0, pick([1, 2]));
  const invariants = [pick(making.pool)];
  const parameters = [['t', arrayType('int')] as const].concat(
    [...initial, ...invariants].map((value, i) => [`v${i}`, value.type] as never),
  );
  const inner = making.program(parameters);
  // Any value of a carry's type will do as its next one; the carries themselves always are.
  const values = [...inner.parameters.map((p) => p.value), ...inner.statements.flatMap((s) => s.results)];
  const results = initial.map(({ type }, i) => {
    const fit = values.filter(
      (v) =>
        v.type.element === type.element &&
        v.type.shape.join() === type.shape.join() &&
        v.type.shape.length === type.shape.length,
    );
    return { name: `c${i}`, value: pick([...fit].reverse()) };
  });
  return b.emit({ kind: 'loop', count: pick<Size>([2, 'n', 0]), body: { ...inner, results }, initial, invariants });
}

function gather(making: Making): Value[] {
  const { b, pick } = making;
  const from = some(making, (v) => v.type.shape.length > 0);
  if (!from) return [];
  const batch = pick(from.type.shape.map((_, axis) => axis));
  const own = from.type.shape.slice(0, batch);
  const indices = some(making, (v) => isInt(v) && agree(own, v.type.shape, batch));
  if (!indices) return [];
  return [b.gather(from, indices, from.type.element === 'real' ? pick(['nan', 'zero']) : 'zero', batch)];
}

function agree(batchShape: Shape, shape: Shape, batch: number): boolean {
  return shape.length >= batch && broadcastShape(batchShape, shape.slice(0, batch)) !== undefined;
}

function scatter(making: Making): Value[] {
  const { b, pick } = making;
  const into = some(making, (v) => v.type.shape.length > 0 && v.type.element !== 'bool');
  if (!into) return [];
  const batch = pick(into.type.shape.map((_, axis) => axis));
  const own = into.type.shape.slice(0, batch);
  const trailing = into.type.shape.slice(batch + 1);
  const rows = pick<Size>(['n', 'm', 2]);
  // The order of a sort never repeats an index.
  const source = some(making, (v) => isInt(v) && broadcastsTo(v.type.shape, [...own, rows]));
  if (!source) return [];
  const indices = b.emit({ kind: 'sort-permutation', keys: b.replicate(source, [...own, rows]) });
  const values = some(
    making,
    (v) => v.type.element === into.type.element && broadcastsTo(v.type.shape, [...own, rows, ...trailing]),
  );
  if (!values) return [];
  const options = { batch, checked: pick([true, false]) };
  return [b.scatter(into, indices[0] as Value, b.replicate(values, [...own, rows, ...trailing]), options)];
}

function sort(making: Making): Value[] {
  const keys = some(making, (v) => isInt(v) && v.type.shape.length > 0);
  return keys ? [making.b.sortPermutation(keys)] : [];
}

function matmul(making: Making): Value[] {
  const { b } = making;
  const left = some(making, (v) => v.type.element === 'real' && v.type.shape.length >= 2);
  if (!left) return [];
  const rank = left.type.shape.length;
  const right = some(
    making,
    (v) =>
      v.type.element === 'real' &&
      v.type.shape.length === rank &&
      v.type.shape[rank - 2] === left.type.shape[rank - 1] &&
      broadcastShape(left.type.shape.slice(0, -2), v.type.shape.slice(0, -2)) !== undefined,
  );
  return [
    b.matmul(left, right ?? b.transpose(left, [...left.type.shape.slice(2).map((_, i) => i), rank - 1, rank - 2])),
  ];
}

function call(making: Making): Value[] {
  const { b } = making;
  const argument = making.pick(making.pool);
  const program = making.program([['p', argument.type]]);
  return b.emit({ kind: 'call', program, inputs: [argument] });
}
