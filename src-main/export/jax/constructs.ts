/** Every construct as Python on JAX; the file helpers.ts has what takes more than a line. */
import {
  arrayType,
  broadcastShape,
  type Construct,
  type ConstructKind,
  type ConstructOf,
  type Epilogue,
  type Operator,
  type Program,
  readsOf,
  recognise,
  sameShape,
  type ScalarFunction,
  type Shape,
  type Size,
  type Value,
} from '../../../engine/index.ts';
import { history } from '../history.ts';
import { implicit } from '../implicit.ts';
import type { Identifiers } from '../identifiers.ts';
import { definition, pythonNumber, typedLiteral, writeScalar } from './scalar.ts';

/** The text of one body under construction: of the model, of a loop or of a callee. */
export interface Body {
  readonly names: Identifiers;
  /** Value id → what stands for it. */
  readonly known: Map<number, string>;
  readonly lines: string[];
}

interface Place extends Body {
  /** What the statement's names begin with. */
  readonly stem: string;
  value(value: Value): string;
  /** The value stretched to a shape. */
  spread(value: Value, shape: Shape): string;
}

/** An expression for each result, or one for the list of all of them. */
type Results = readonly string[] | { readonly all: string };

const strict = { real: 'jnp.float64', int: 'jnp.int32', bool: 'jnp.bool_' } as const;

/** Sizes are numbers and names of numbers. */
export const pythonSize = (size: Size): string => String(size).replaceAll('ceil(', 'math.ceil(');

export function pythonShape(shape: Shape): string {
  return `(${shape.map(pythonSize).join(', ')}${shape.length === 1 ? ',' : ''})`;
}

const tuple = (items: readonly string[]): string => `(${items.join(', ')}${items.length === 1 ? ',' : ''})`;
const list = (items: readonly string[]): string => `[${items.join(', ')}]`;
const flag = (value: boolean): string => (value ? 'True' : 'False');

const writers: { [K in ConstructKind]: (construct: ConstructOf<K>, place: Place) => Results } = {
  literal: (c) => [typedLiteral({ type: c.element, value: c.value })],
  map: (c, place) => mapped(c.function, c.inputs, c.shape, place),
  reduce: (c, place) => {
    const xs = elements(c, place);
    const [x = ''] = xs;
    const least = { min: 'argmin', max: 'argmax' } as const;
    const real = c.operator.combine.parameters[0]?.type === 'real';
    const name = recognise(c.operator);
    if (name === 'add') return [`jnp.sum(${x}, axis=${c.axis}${real ? '' : ', dtype=jnp.int32'})`];
    if (name === 'multiply') return [`jnp.prod(${x}, axis=${c.axis}${real ? '' : ', dtype=jnp.int32'})`];
    if (name === 'min' || name === 'max')
      return [`_extreme(${x}, ${c.axis}, jnp.${least[name]}, ${neutral(c.operator).slice(1, -2)})`];
    return { all: `_reduce(${operator(c.operator, place)}, ${neutral(c.operator)}, ${c.axis}, ${xs.join(', ')})` };
  },
  scan: (c, place) => {
    const xs = elements(c, place);
    const real = c.operator.combine.parameters[0]?.type === 'real';
    if (recognise(c.operator) === 'add' && !c.exclusive && !c.reverse && !c.epilogue)
      return [`jnp.cumsum(${xs[0]}, axis=${c.axis}${real ? '' : ', dtype=jnp.int32'})`];
    const form = `${c.axis}, ${flag(c.exclusive)}, ${flag(c.reverse)}`;
    const all = `_scan(${operator(c.operator, place)}, ${neutral(c.operator)}, ${form}, ${xs.join(', ')})`;
    return withEpilogue(c, all, c.shape, place);
  },
  'segmented-scan': (c, place) => {
    const xs = [place.spread(c.flags, c.shape), ...elements(c, place)];
    const form = `${c.axis}, ${flag(c.exclusive)}, ${flag(c.reverse)}`;
    const all = `_segmented_scan(${operator(c.operator, place)}, ${neutral(c.operator)}, ${form}, ${xs.join(', ')})`;
    return withEpilogue(c, all, c.shape, place);
  },
  histogram: (c, place) => {
    const xs = elements(c, place);
    const [keys, bins] = [place.value(c.keys), pythonSize(c.bins)];
    const initial = c.initial?.map(place.value);
    if (recognise(c.operator) === 'add')
      return [`_add_at(${keys}, ${bins}, ${c.batch}, ${xs[0]}, ${initial?.[0] ?? 'None'})`];
    const form = `${bins}, ${c.batch}, ${keys}, ${initial ? list(initial) : 'None'}`;
    return { all: `_histogram(${operator(c.operator, place)}, ${neutral(c.operator)}, ${form}, ${xs.join(', ')})` };
  },
  'keyed-scan': (c, place) => {
    const xs = elements(c, place);
    const initial = c.initial ? list(c.initial.map(place.value)) : 'None';
    const form = `${pythonSize(c.bins)}, ${c.batch}, ${flag(c.exclusive)}, ${flag(c.reverse)}`;
    const given = `${form}, ${place.value(c.keys)}, ${initial}, ${xs.join(', ')}`;
    const all = `_keyed_scan(${operator(c.operator, place)}, ${neutral(c.operator)}, ${given})`;
    return withEpilogue(c, all, c.shape, place);
  },
  recurrence: (c, place) => {
    const step = scalarDefinition(`${place.stem}_step`, c.step, place);
    const given = [c.initial, c.inputs, c.invariants].map((values) => list(values.map(place.value)));
    return {
      all: `_recurrence(${step}, ${pythonShape(c.shape)}, ${c.axis}, ${flag(c.reverse)}, ${given.join(', ')})`,
    };
  },
  history: history('JAX'),
  solve: implicit('JAX'),
  loop: (c, place) => {
    const body = programDefinition(`${place.stem}_body`, c.body, place);
    const given = [c.initial, c.invariants].map((values) => list(values.map(place.value)));
    return { all: `_loop(${body}, ${pythonSize(c.count)}, ${given.join(', ')})` };
  },
  gather: (c, place) => {
    // JAX has no faults: where the engine would stop, a real is NaN.
    const nan = c.outside === 'nan' || (c.outside === 'fault' && c.from.type.element === 'real');
    return [`_gather(${place.value(c.from)}, ${place.value(c.indices)}, ${c.batch}, ${nan ? 'jnp.nan' : '0'})`];
  },
  scatter: (c, place) => {
    const given = [c.into, c.indices, c.values].map(place.value);
    return [`_scatter(${given.join(', ')}, ${c.batch})`];
  },
  'sort-permutation': (c, place) => [`jnp.argsort(${place.value(c.keys)}, axis=-1, stable=True).astype(jnp.int32)`],
  iota: (c) => [`jnp.arange(${pythonSize(c.length)}, dtype=jnp.int32)`],
  replicate: (c, place) => [place.spread(c.value, c.shape)],
  reverse: (c, place) => [`jnp.flip(${place.value(c.value)}, axis=${c.axis})`],
  transpose: (c, place) => [`jnp.transpose(${place.value(c.value)}, ${tuple(c.permutation.map(String))})`],
  reshape: (c, place) => [`jnp.reshape(${place.value(c.value)}, ${pythonShape(c.shape)})`],
  slice: (c, place) => {
    const [value, start, length] = [place.value(c.value), pythonSize(c.start), pythonSize(c.length)];
    if (c.step === 1) return [`lax.slice_in_dim(${value}, ${start}, ${start} + ${length}, axis=${c.axis})`];
    return [`jnp.take(${value}, ${start} + ${c.step} * np.arange(${length}), axis=${c.axis})`];
  },
  concatenate: (c, place) => [`jnp.concatenate(${list(c.values.map(place.value))}, axis=${c.axis})`],
  matmul: (c, place) => [`${place.value(c.left)} @ ${place.value(c.right)}`],
  call: (c, place) => {
    const callee = programDefinition(`${place.stem}_function`, c.program, place);
    return { all: `${callee}(${c.inputs.map(place.value).join(', ')})` };
  },
};

/** Writes the statements of a program, its parameters known already. `nameOf` wishes names for its values. */
export function writeProgram(
  program: Program,
  body: Body,
  nameOf: (value: Value, origin: string | undefined) => string,
  before: (origin: string | undefined) => void = () => {},
): void {
  const { known, names, lines } = body;
  const value = (operand: Value): string => known.get(operand.id)!;
  const spread = (operand: Value, shape: Shape): string =>
    sameShape(operand.type.shape, shape)
      ? value(operand)
      : `jnp.broadcast_to(${value(operand)}, ${pythonShape(shape)})`;
  for (const { construct, results, origin } of program.statements) {
    before(origin);
    const targets = results.map((result) => names.take(nameOf(result, origin)));
    const place: Place = { ...body, stem: targets[0] ?? 'value', value, spread };
    const written = (writers[construct.kind] as (construct: Construct, place: Place) => Results)(construct, place);
    if ('all' in written) lines.push(`${targets.join(', ')}${targets.length === 1 ? ',' : ''} = ${written.all}`);
    else targets.forEach((target, i) => lines.push(`${target} = ${written[i]}`));
    results.forEach((result, i) => known.set(result.id, targets[i]!));
  }
}

/** Elementwise; a result that does not read an input of the domain's full shape is stretched to it. */
function mapped(
  fn: ScalarFunction,
  inputs: readonly Value[],
  shape: Shape,
  place: Place,
  given: readonly string[] = inputs.map(place.value),
): string[] {
  const { lines, results } = writeScalar(fn, given, place);
  place.lines.push(...lines);
  return fn.body.results.map((result, i) => {
    const text = results[i]!;
    if (result.kind === 'literal') return shape.length === 0 ? text : `jnp.full(${pythonShape(shape)}, ${text})`;
    const read = parametersRead(fn, result.id);
    const whole = broadcastShape(...inputs.filter((_, j) => read.has(j)).map(({ type }) => type.shape));
    return whole && sameShape(whole, shape) ? text : `jnp.broadcast_to(${text}, ${pythonShape(shape)})`;
  });
}

/** Which parameters a result surely reads, by position: those of the statements that it is made of. */
function parametersRead(fn: ScalarFunction, result: number): Set<number> {
  const positions = new Map(fn.parameters.map(({ id }, i) => [id, new Set([i])] as const));
  for (const statement of fn.body.statements) {
    const operands = statement.kind === 'apply' ? statement.operands : [statement.condition];
    const read = new Set<number>();
    for (const operand of operands)
      if (operand.kind === 'variable') for (const i of positions.get(operand.id) ?? []) read.add(i);
    if (statement.kind === 'apply') positions.set(statement.result.id, read);
    else {
      for (const branch of [statement.then, statement.else])
        for (const id of readsOf(branch).keys()) for (const i of positions.get(id) ?? []) read.add(i);
      for (const each of statement.results) positions.set(each.id, read);
    }
  }
  return positions.get(result) ?? new Set();
}

/** The operator's components over the domain, a map that was fused in written out. */
function elements(
  c: { readonly prologue?: ScalarFunction; readonly inputs: readonly Value[]; readonly shape: Shape },
  place: Place,
): string[] {
  if (!c.prologue) return c.inputs.map((input) => place.spread(input, c.shape));
  return mapped(c.prologue, c.inputs, c.shape, place).map((text) => {
    const name = place.names.take(`${place.stem}_element`);
    place.lines.push(`${name} = ${text}`);
    return name;
  });
}

function withEpilogue(
  c: { readonly operator: Operator; readonly epilogue?: Epilogue },
  all: string,
  shape: Shape,
  place: Place,
): Results {
  const { epilogue } = c;
  if (!epilogue) return { all };
  const running = c.operator.neutral.map(() => place.names.take(`${place.stem}_running`));
  const rest = place.names.take(`${place.stem}_rest`);
  place.lines.push(`${running.join(', ')}, *${rest} = ${all}`);
  const components = c.operator.combine.parameters.slice(0, running.length);
  const inputs = [
    ...components.map(({ type }): Value => ({ id: -1, type: arrayType(type, shape) })),
    ...epilogue.inputs,
  ];
  const given = [...running, ...epilogue.inputs.map(place.value)];
  return { all: `[${mapped(epilogue.function, inputs, shape, place, given).join(', ')}, *${rest}]` };
}

function neutral(operator: Operator): string {
  const types = operator.combine.parameters.map(({ type }) => type);
  return tuple(
    operator.neutral.map((value, i) =>
      types[i] === 'real' ? pythonNumber(value) : types[i] === 'int' ? String(value) : flag(value !== 0),
    ),
  );
}

function operator({ combine }: Operator, place: Place): string {
  return scalarDefinition(`${place.stem}_operator`, combine, place);
}

function scalarDefinition(wanted: string, fn: ScalarFunction, place: Place): string {
  const name = place.names.take(wanted);
  const names = place.names.inner();
  const parameters = fn.parameters.map((_, i) => names.take(`x${i}`));
  place.lines.push(...definition(name, parameters, writeScalar(fn, parameters, { names, stem: 'v' })));
  return name;
}

function programDefinition(wanted: string, program: Program, place: Place): string {
  const name = place.names.take(wanted);
  place.lines.push(...writeFunction(name, program, place.names.inner()));
  return name;
}

/** A program as a function of its parameters, in their order, that gives a tuple of its results. */
export function writeFunction(name: string, program: Program, names: Identifiers): string[] {
  const parameters = program.parameters.map((parameter) => names.take(parameter.name));
  const known = new Map(program.parameters.map(({ value }, i) => [value.id, parameters[i]!] as const));
  const body: Body = { names, known, lines: [] };
  writeProgram(program, body, (_, origin) => origin ?? 'v');
  const results = program.results.map(({ value }) => known.get(value.id)!);
  return definition(name, parameters, { lines: body.lines, results });
}

/** Elements as a constant of the module. */
export function pythonArray(
  element: 'real' | 'int' | 'bool',
  values: ArrayLike<number>,
  shape: readonly number[],
): string {
  const numbers = Array.from(values, (value) =>
    element === 'real' ? pythonNumber(value) : element === 'int' ? String(value) : flag(value !== 0),
  );
  if (shape.length === 0) return `${strict[element]}(${numbers[0]})`;
  const rows: string[] = [];
  for (let i = 0; i < numbers.length; i += 12) rows.push(`    ${numbers.slice(i, i + 12).join(', ')},`);
  const flat = numbers.length <= 12 ? `[${numbers.join(', ')}]` : `[\n${rows.join('\n')}\n]`;
  const reshaped = shape.length === 1 ? '' : `.reshape(${tuple(shape.map(String))})`;
  return `jnp.array(${flat}, ${strict[element]})${reshaped}`;
}
