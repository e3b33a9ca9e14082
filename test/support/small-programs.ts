/**
 * Small random programs over every construct, with inputs: what lowering and rewrites are tried on. Sizes are the
 * symbols n and m (0 to 3) and literals; values are few and awkward (−0, ∞, NaN), so that equal means equal in every bit.
 */
import fc from 'fast-check';
import { ProgramBuilder } from '../../engine/0-ir/builder.ts';
import { builtinOperator, productOperator, type Operator } from '../../engine/0-ir/operators.ts';
import { printProgram } from '../../engine/0-ir/print.ts';
import type { Program, Value } from '../../engine/0-ir/program.ts';
import {
  boolLiteral,
  intLiteral,
  realLiteral,
  type ScalarFunction,
  type ScalarOperand,
} from '../../engine/0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../engine/0-ir/scalar-builder.ts';
import { sizeCeilDivide, sizeProduct, sizeSubtract, sizeValue, type Size } from '../../engine/0-ir/sizes.ts';
import {
  arrayType,
  broadcastShape,
  broadcastsTo,
  withAxis,
  withoutAxis,
  type ElementType,
  type Shape,
} from '../../engine/0-ir/types.ts';

export interface SmallCase {
  readonly program: Program;
  readonly inputs: ReadonlyMap<string, number[]>;
  readonly sizes: { readonly n: number; readonly m: number };
}

type Generator = fc.GeneratorValue;

const parameterTypes = {
  a: arrayType('real'),
  x: arrayType('real', ['n']),
  y: arrayType('real', ['m']),
  z: arrayType('real', ['n', 'm']),
  w: arrayType('real', [2, 'n']),
  k: arrayType('int', ['n']),
  l: arrayType('int', ['n', 'm']),
  f: arrayType('bool', ['n']),
};

const reals = [0, -0, 1, -1, 2, 0.5, 3, Infinity, NaN];
const ints = [-1, 0, 1, 2, 3];

/** `steps`: at most so many statements, beside the literals and broadcasts that they need. */
export function smallCase(steps = 8): fc.Arbitrary<SmallCase> {
  return fc.gen().map((g) => {
    const pick = picker(g);
    const sizes = { n: pick([3, 2, 1, 0]), m: pick([2, 3, 1, 0]) };
    const program = smallProgram(g, steps, Object.entries(parameterTypes));
    const inputs = new Map<string, number[]>();
    for (const { name, value } of program.parameters) {
      const choices = { real: reals, int: ints, bool: [0, 1] }[value.type.element];
      const count = sizeValue(sizeProduct(value.type.shape), sizes);
      inputs.set(
        name,
        Array.from({ length: count }, () => pick(choices)),
      );
    }
    // A counterexample prints as the program's text.
    const text = `n = ${sizes.n}, m = ${sizes.m}\n${printProgram(program)}\n${fc.stringify(inputs)}`;
    return { program, inputs, sizes, [fc.toStringMethod]: () => text };
  });
}

function picker(g: Generator): <T>(choices: readonly T[]) => T {
  return <T>(choices: readonly T[]) => choices[g(fc.nat, { max: choices.length - 1 })] as T;
}

function smallProgram(
  g: Generator,
  steps: number,
  parameters: readonly (readonly [string, ReturnType<typeof arrayType>])[],
): Program {
  const pick = picker(g);
  const b = new ProgramBuilder();
  const pool: Value[] = parameters.map(([name, type]) => b.parameter(name, type));
  const count = 1 + g(fc.nat, { max: steps - 1 });
  for (let i = 0; i < count; i++) pool.push(...pick(constructs)({ b, pool, pick, g }));
  const defined = pool.slice(parameters.length);
  const results = [...defined.slice(-2), pick(pool), pick(pool)];
  return b.finish(results.map((value, i) => ({ name: `r${i}`, value })));
}

interface Making {
  readonly b: ProgramBuilder;
  readonly pool: readonly Value[];
  readonly pick: <T>(choices: readonly T[]) => T;
  readonly g: Generator;
}

/** Each makes one construct from values of the pool, or nothing where none fits. */
const constructs: readonly ((making: Making) => Value[])[] = [
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

function literal({ b, pick }: Making): Value[] {
  const element = pick<ElementType>(['real', 'real', 'int', 'bool']);
  return [b.literal(pick({ real: reals, int: ints, bool: [0, 1] }[element]), element)];
}

function some({ pool, pick }: Making, holds: (value: Value) => boolean): Value | undefined {
  const fit = pool.filter(holds);
  return fit.length > 0 ? pick(fit) : undefined;
}

/** Up to `count` values that broadcast together, with their domain. */
function broadcastable(making: Making, count: number, base?: Shape): { inputs: Value[]; shape: Shape } {
  let shape: Shape = base ?? [];
  const inputs: Value[] = [];
  for (let i = 0; i < count; i++) {
    const value = some(making, (v) =>
      base ? broadcastsTo(v.type.shape, base) : broadcastShape(shape, v.type.shape) !== undefined,
    );
    if (!value) continue;
    inputs.push(value);
    shape = broadcastShape(shape, value.type.shape) as Shape;
  }
  return { inputs, shape };
}

function scalarCode({ pick }: Making, types: readonly ElementType[], results: readonly ElementType[]): ScalarFunction {
  return scalarFunction(types, (s, ...parameters) => {
    const known: ScalarOperand[] = [...parameters];
    const of = (type: ElementType): ScalarOperand => {
      const fit = known.filter((operand) => operand.type === type);
      if (fit.length > 0 && pick([true, true, true, false])) return pick(fit);
      if (type === 'real') return realLiteral(pick(reals));
      return type === 'int' ? intLiteral(pick(ints)) : boolLiteral(pick([true, false]));
    };
    const writeOne = (): ScalarOperand[] => scalarStatement(s, pick, of);
    for (let i = pick([0, 1, 2, 3, 4]); i > 0; i--) known.push(...writeOne());
    if (pick([false, true])) {
      const [type, other] = [pick<ElementType>(['real', 'int']), pick<ElementType>(['real', 'bool'])];
      const branch = () => {
        const own = writeOne();
        return [own.find((result) => result.type === type) ?? of(type), of(other)];
      };
      known.push(...s.branch(of('bool'), branch, branch));
    }
    return results.map(of);
  });
}

function scalarStatement(
  s: ScalarBuilder,
  pick: Making['pick'],
  of: (type: ElementType) => ScalarOperand,
): ScalarOperand[] {
  switch (pick(['real', 'real', 'unary', 'int', 'compare', 'bool', 'convert'] as const)) {
    case 'real':
      return [s.apply(pick(['add', 'sub', 'mul', 'div', 'min', 'max', 'pow'] as const), of('real'), of('real'))];
    case 'unary':
      return [s.apply(pick(['neg', 'abs', 'exp', 'sqrt', 'floor'] as const), of('real'))];
    case 'int':
      return [s.apply(pick(['add', 'sub', 'mul', 'min', 'mod'] as const), of('int'), of('int'))];
    case 'compare':
      return [
        s.apply(
          pick(['lt', 'le', 'eq', 'ne'] as const),
          ...(pick([true, false]) ? [of('real'), of('real')] : [of('int'), of('int')]),
        ),
      ];
    case 'bool':
      return pick([true, false])
        ? [s.apply('not', of('bool'))]
        : [s.apply(pick(['and', 'or'] as const), of('bool'), of('bool'))];
    case 'convert':
      return pick([true, false]) ? [s.apply('real', of('int'))] : [s.apply('int', of('bool'))];
  }
}

const elementTypes = (values: readonly Value[]): ElementType[] => values.map((value) => value.type.element);

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
  return making.b.map(scalarCode(making, elementTypes(inputs), results), inputs, shape);
}

/** Operators on the elements of one or two components, some of which do not commute. */
function operatorFor(pick: Making['pick'], types: readonly ElementType[]): Operator | undefined {
  if (types.includes('bool')) return undefined;
  if (types.length === 2 && types.every((type) => type === 'real') && pick([true, false])) {
    const combine = scalarFunction(['real', 'real', 'real', 'real'], (s, a, b, c, d) => [
      s.apply('mul', a, c),
      s.apply('add', s.apply('mul', b, c), d),
    ]);
    return { combine, neutral: [1, 0], commutative: false };
  }
  return productOperator(types.map((type) => builtinOperator(pick(['add', 'max', 'min', 'multiply'] as const), type)));
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
    ...(complete && { initial: initial as Value[] }),
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
  const step = scalarCode(making, types, [
    ...elementTypes(initial),
    ...pick<ElementType[]>([[], ['real'], ['int', 'real']]),
  ]);
  return b.emit({ kind: 'recurrence', step, shape, axis, reverse: pick([false, true]), initial, inputs, invariants });
}

function loop(making: Making): Value[] {
  const { b, pick, g } = making;
  const initial = [pick(making.pool), pick(making.pool)].slice(0, pick([1, 2]));
  const invariants = [pick(making.pool)];
  const parameters = [['t', arrayType('int')] as const].concat(
    [...initial, ...invariants].map((value, i) => [`v${i}`, value.type] as never),
  );
  const inner = smallProgram(g, 3, parameters);
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

function shapeOperation(making: Making): Value[] {
  const { b, pick } = making;
  const value = pick(making.pool);
  const { shape } = value.type;
  const kind = pick(['iota', 'replicate', 'reverse', 'transpose', 'slice', 'slice'] as const);
  if (kind === 'iota') return [b.iota(pick<Size>(['n', 'm', 3]))];
  if (kind === 'replicate') return [b.replicate(value, withAxis(shape, 0, pick<Size>(['n', 2])))];
  if (shape.length === 0) return [];
  const axis = pick(shape.map((_, i) => i));
  if (kind === 'reverse') return [b.reverse(value, axis)];
  if (kind === 'transpose')
    return [
      b.transpose(
        value,
        shape.map((_, i) => (i + 1) % shape.length),
      ),
    ];
  const length = shape[axis] as Size;
  return pick([true, false])
    ? [b.slice(value, axis, 0, sizeCeilDivide(length, 2), 2)]
    : typeof length === 'number' && length > 0
      ? [b.slice(value, axis, length - 1, 1)]
      : [b.slice(value, axis, 0, sizeSubtract(length, 0), 1)];
}

function reshape(making: Making): Value[] {
  const { b, pick } = making;
  const value = pick(making.pool);
  const { shape } = value.type;
  const choices: Shape[] = [[sizeProduct(shape)], [...shape, 1], [1, ...shape], [...shape].reverse()];
  if (shape.length > 1) choices.push([sizeProduct(shape.slice(0, 2)), ...shape.slice(2)]);
  return [b.reshape(value, pick(choices))];
}

function concatenate(making: Making): Value[] {
  const { b, pick } = making;
  const first = some(making, (v) => v.type.shape.length > 0);
  if (!first) return [];
  const axis = pick(first.type.shape.map((_, i) => i));
  const fits = (v: Value) =>
    v.type.element === first.type.element &&
    v.type.shape.length === first.type.shape.length &&
    v.type.shape.every((size, i) => i === axis || size === first.type.shape[i]);
  return [b.concatenate([first, some(making, fits) as Value], axis)];
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
  const { b, g } = making;
  const argument = making.pick(making.pool);
  const program = smallProgram(g, 3, [['p', argument.type]]);
  return b.emit({ kind: 'call', program, inputs: [argument] });
}
