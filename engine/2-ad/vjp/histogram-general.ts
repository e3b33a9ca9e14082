/**
 * hist = histogram(⊙, keys, vs)  ⇒  v̄ᵢ = ∂(lᵢ ⊙ vᵢ ⊙ rᵢ)/∂vᵢ · hist̄[kᵢ], where lᵢ and rᵢ combine the elements of the same
 * key before and after i: sort by key, two segmented exclusive scans, a map, and back. Paper, figure "histo-rule".
 *
 * Initial contents are decoupled first (section 4): hist = initial ⊙ xs, and where a bin is empty, initial itself.
 * A key out of range (below 0, or bins and above: the paper's guard for + misses one) gives an exact zero.
 */
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import { combine, componentTypes, flipped, builtinOperator, type Operator } from '../../0-ir/operators.ts';
import type { HistogramConstruct, Value } from '../../0-ir/program.ts';
import { intLiteral, realLiteral, type ScalarFunction, type ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import type { Shape } from '../../0-ir/types.ts';
import { shiftBackward, shiftForward, sumTo } from '../layout.ts';
import { operationCount } from '../operation-count.ts';
import type { Derivative, VjpRule } from '../rule.ts';
import { vjpFunction } from '../scalar/vjp-function.ts';
import { betweenFunction } from './between.ts';

export const histogramGeneral: VjpRule<'histogram'> = {
  name: 'histogram-general',
  construct: 'histogram',
  matches: () => true,
  cost: ({ operator }) => ({
    // The sort reads and writes keys and payload once for each of some two digits.
    traffic: 16 * operator.neutral.length + 16,
    operations: 7 * operationCount(operator.combine) + 40,
    passes: 12,
  }),
  primal(b, construct) {
    const { initial, ...plain } = construct;
    if (!initial) return { results: b.emit(construct) };
    const contents = b.emit(plain);
    const occupied = occupancy(b, construct);
    const results = b.map(decoupled(construct.operator), [occupied, ...initial, ...contents]);
    return { results, saved: [occupied, ...contents] };
  },
  // Operands: keys, the inputs, the initial contents.
  cotangents(b, construct, { results, saved = [] }, cotangents) {
    const { initial, inputs, operator } = construct;
    const [occupied, ...contents] = saved;
    if (!initial || !occupied) return [undefined, ...valueAdjoints(b, construct, cotangents)];
    const seeded = cotangents.map((cotangent) => cotangent !== undefined);
    const real = componentTypes(operator).map((type) => type === 'real');
    const pulled = b.map(
      vjpFunction(decoupled(operator), seeded, [false, ...real, ...real]),
      [occupied, ...initial, ...contents, ...cotangents.filter((cotangent) => cotangent !== undefined)],
      (results[0] as Value).type.shape,
    );
    let next = 0;
    const take = (): Derivative[] => real.map((isReal) => (isReal ? pulled[next++] : undefined));
    const initialAdjoints = take();
    const values = valueAdjoints(b, { ...construct, inputs }, take());
    return [
      undefined,
      ...values,
      ...initial.map((value, i) => {
        const adjoint = initialAdjoints[i];
        return adjoint && sumTo(b, adjoint, value.type.shape);
      }),
    ];
  },
};

/** Whether a bin has an element, over [batch…, bins] with the literal 1 for trailing axes. */
function occupancy(b: ProgramBuilder, { keys, bins, batch, shape }: HistogramConstruct): Value {
  const domain = shape.slice(0, batch + 1);
  const ones = b.replicate(b.literal(1, 'int'), domain);
  const counter = builtinOperator('add', 'int');
  const [count] = b.emit({ kind: 'histogram', operator: counter, keys, bins, batch, shape: domain, inputs: [ones] });
  const occupied = b.elementwise([count as Value], (s, n) => s.apply('lt', intLiteral(0), n));
  return trailingOnes(b, occupied, shape.length);
}

function trailingOnes(b: ProgramBuilder, value: Value, rank: number): Value {
  const shape = value.type.shape;
  return b.reshape(value, [...shape, ...Array.from({ length: rank - shape.length }, () => 1)]);
}

/** (occupied, initial…, contents…) ↦ occupied ? initial ⊙ contents : initial. */
function decoupled(operator: Operator): ScalarFunction {
  const types = componentTypes(operator);
  return scalarFunction(['bool', ...types, ...types], (s, occupied, ...operands) => {
    const initial = operands.slice(0, types.length);
    return s.branch(
      occupied,
      () => combine(s, operator, initial, operands.slice(types.length)),
      () => initial,
    );
  });
}

function valueAdjoints(
  b: ProgramBuilder,
  construct: HistogramConstruct,
  cotangents: readonly Derivative[],
): Derivative[] {
  const { operator, keys, inputs, bins, batch, shape } = construct;
  const axis = batch;
  const types = componentTypes(operator);
  const order = b.sortPermutation(keys);
  const sortedKeys = b.gather(keys, order, 'zero', batch);
  const sorted = inputs.map((input) => b.gather(b.replicate(input, shape), order, 'zero', batch));

  const begins = boundary(b, sortedKeys, axis, shiftForward);
  const ends = boundary(b, sortedKeys, axis, shiftBackward);
  const rank = shape.length;
  const scan = { operator, shape, axis, inputs: sorted, exclusive: true } as const;
  const flags = { begins: trailingOnes(b, begins, rank), ends: trailingOnes(b, ends, rank) };
  const ls = b.emit({ ...scan, kind: 'segmented-scan', flags: flags.begins, reverse: false });
  const rs = b.emit({ ...scan, kind: 'segmented-scan', operator: flipped(operator), flags: flags.ends, reverse: true });

  const seeded = cotangents.map((cotangent) => cotangent !== undefined);
  const present = cotangents.filter((cotangent) => cotangent !== undefined);
  const atKeys = present.map((cotangent) => b.gather(cotangent, sortedKeys, 'zero', batch));
  const inRange = b.elementwise([sortedKeys, sizeAsValue(b, bins)], (s, k, w) =>
    s.apply('and', s.apply('le', intLiteral(0), k), s.apply('lt', k, w)),
  );
  const adjoints = b.map(
    guarded(betweenFunction(operator, seeded), types.filter((type) => type === 'real').length),
    [
      trailingOnes(b, inRange, rank),
      b.apply('not', flags.begins),
      b.apply('not', flags.ends),
      ...ls,
      ...sorted,
      ...rs,
      ...atKeys,
    ],
    shape,
  );
  let next = 0;
  return inputs.map((input, i) => {
    if (types[i] !== 'real') return undefined;
    const adjoint = adjoints[next++] as Value;
    const unsorted = b.scatter(b.zeros(adjoint.type), order, adjoint, { batch });
    return sumTo(b, unsorted, input.type.shape);
  });
}

/** Where a key differs from its neighbour in one direction; true at that end of the axis. */
function boundary(b: ProgramBuilder, keys: Value, axis: number, shift: typeof shiftForward): Value {
  const inside = shift(b, b.replicate(b.literal(1, 'int'), keys.type.shape), axis, 0);
  return b.elementwise([inside, shift(b, keys, axis, 0), keys], (s, hasNeighbour, neighbour, key) =>
    s.apply('or', s.apply('eq', hasNeighbour, intLiteral(0)), s.apply('ne', neighbour, key)),
  );
}

/** A size as an int scalar: the number of ones in an array of that length. */
function sizeAsValue(b: ProgramBuilder, size: Shape[number]): Value {
  if (typeof size === 'number') return b.literal(size, 'int');
  return b.reduce(builtinOperator('add', 'int'), [b.replicate(b.literal(1, 'int'), [size])], 0)[0] as Value;
}

/** (inRange, …) ↦ inRange ? fn(…) : zeros. */
function guarded(fn: ScalarFunction, results: number): ScalarFunction {
  const types = fn.parameters.map((parameter) => parameter.type);
  return scalarFunction(['bool', ...types], (s, inRange, ...operands) =>
    s.branch(
      inRange,
      () => s.inline(fn, operands),
      (): ScalarOperand[] => Array.from({ length: results }, () => realLiteral(0)),
    ),
  );
}
