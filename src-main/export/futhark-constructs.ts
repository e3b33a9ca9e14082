/**
 * Every construct as a Futhark expression. Arrays have the document's own sizes. A domain is a nest of `tabulate`, an
 * axis is worked on line by line, and views are arithmetic on indices: the compiler fuses what this spells out.
 */
import {
  type Construct,
  type ConstructKind,
  type ConstructOf,
  type Epilogue,
  type Operator,
  type Program,
  recognise,
  type ScalarFunction,
  type Shape,
  type Size,
  type Value,
} from '../../engine/index.ts';
import { futharkNumber, futharkScalar, futharkTuple, futharkTypes } from './futhark-scalar.ts';
import type { Identifiers } from './identifiers.ts';

export interface FutharkBody {
  readonly names: Identifiers;
  readonly known: Map<number, string>;
  readonly lines: string[];
  size(size: Size): number;
}

interface Place extends FutharkBody {
  readonly stem: string;
  shape(shape: Shape): number[];
  /** The element of a value at a point of a domain to which it broadcasts. */
  at(value: Value, point: readonly string[]): string;
}

/** An expression for each result, or one for the tuple of all of them. */
type Results = readonly string[] | { readonly tuple: string };

const points = ['i', 'j', 'k', 'l', 'o', 'p', 'q', 'r'];

/** `tabulate 3 (\i -> tabulate 4 (\j -> body))` */
function tabulated(shape: readonly number[], body: (point: readonly string[]) => string): string {
  const names = shape.map((_, axis) => points[axis] ?? `i${axis}`);
  return shape.reduceRight<string>(
    (inner, size, axis) => `tabulate ${size} (\\${names[axis]} -> ${inner})`,
    body(names),
  );
}

const index = (name: string, point: readonly string[]): string =>
  point.length === 0 ? name : `${name}[${point.join(', ')}]`;

/** The k-th results out of an array of tuples of the given rank. */
const projected = (name: string, rank: number, count: number, k: number): string => {
  if (count === 1) return name;
  const field = `(\\t -> t.${k})`;
  if (rank === 0) return `${name}.${k}`;
  const mapped = Array.from({ length: rank - 1 }).reduce<string>((inner) => `(map ${inner})`, field);
  return `map ${mapped} ${name}`;
};

const without = <T>(items: readonly T[], axis: number): T[] => items.filter((_, other) => other !== axis);
const inserted = <T>(items: readonly T[], axis: number, item: T): T[] => [
  ...items.slice(0, axis),
  item,
  ...items.slice(axis),
];

function typeOf(value: Value, place: FutharkBody): string {
  const sizes = value.type.shape.map((size) => `[${place.size(size)}]`).join('');
  return `${sizes}${futharkTypes[value.type.element]}`;
}

/** The operator's tuple at a point. */
function element(
  c: { readonly prologue?: ScalarFunction; readonly inputs: readonly Value[] },
  point: readonly string[],
  place: Place,
): string {
  const given = c.inputs.map((input) => place.at(input, point));
  return c.prologue ? futharkScalar(c.prologue, given, place.names) : futharkTuple(given);
}

const builtins = { add: '(+)', multiply: '(*)' } as const;

function combine({ combine: fn, neutral }: Operator, place: Place): string {
  const [left, right] = ['a', 'b'].map((side) => neutral.map((_, i) => `${side}${i}`)) as [string[], string[]];
  return `(\\${futharkTuple(left)} ${futharkTuple(right)} -> ${futharkScalar(fn, [...left, ...right], place.names)})`;
}

function operator(op: Operator, place: Place): string {
  const name = recognise(op);
  return name === 'add' || name === 'multiply' ? builtins[name] : combine(op, place);
}

const neutral = (op: Operator): string =>
  futharkTuple(op.neutral.map((value, i) => futharkNumber(value, op.combine.parameters[i]?.type ?? 'real')));

/** Lines of tuples as the arrays of a domain: `lines` over the domain without `axis`, then along it. */
function alongAxis(
  expression: string,
  op: { readonly count: number; readonly axis: number; readonly shape: readonly number[] },
  place: Place,
  at: (t: string) => string = (t) => t,
): string[] {
  const lines = place.names.take(`${place.stem}_lines`);
  place.lines.push(`let ${lines} = ${expression}`);
  return Array.from({ length: op.count }, (_, k) =>
    tabulated(op.shape, (point) => {
      const line = [...without(point, op.axis), at(point[op.axis] as string)];
      return op.count === 1 ? index(lines, line) : `(${index(lines, line)}).${k}`;
    }),
  );
}

function scanned(c: ConstructOf<'scan'> | ConstructOf<'segmented-scan'>, place: Place): string[] {
  const shape = place.shape(c.shape);
  const n = shape[c.axis] as number;
  const turned = (t: string): string => (c.reverse ? `${n - 1} - ${t}` : t);
  const [op, ne] = [operator(c.operator, place), neutral(c.operator)];
  const line = (across: readonly string[]): string => {
    const pointAt = (t: string): string[] => inserted(across, c.axis, turned(t));
    if (c.kind === 'scan') return `scan ${op} ${ne} (tabulate ${n} (\\t -> ${element(c, pointAt('t'), place)}))`;
    const flagged = `(\\(f, x) (g, y) -> (f || g, if g then y else ${combine(c.operator, place)} x y))`;
    const elements = `tabulate ${n} (\\t -> (${place.at(c.flags, pointAt('t'))}, ${element(c, pointAt('t'), place)}))`;
    return `map (\\s -> s.1) (scan ${flagged} (false, ${ne}) (${elements}))`;
  };
  const whole = tabulated(without(shape, c.axis), line);
  if (!c.exclusive) return alongAxis(whole, { count: c.operator.neutral.length, axis: c.axis, shape }, place, turned);
  const shifted = tabulated(without(shape, c.axis), (across) => {
    const pointAt = (t: string): string[] => inserted(across, c.axis, turned(t));
    const begins = c.kind === 'scan' ? 't == 0' : `t == 0 || ${place.at(c.flags, pointAt('t'))}`;
    return `(let s = ${line(across)} in tabulate ${n} (\\t -> if ${begins} then ${ne} else s[t - 1]))`;
  });
  return alongAxis(shifted, { count: c.operator.neutral.length, axis: c.axis, shape }, place, turned);
}

/** What a scan gives, or what the map that was fused onto it makes of that. */
function withEpilogue(
  c: { readonly epilogue?: Epilogue; readonly shape: Shape },
  given: string[],
  place: Place,
): Results {
  const { epilogue } = c;
  if (!epilogue) return given;
  const running = given.map((text) => {
    const name = place.names.take(`${place.stem}_running`);
    place.lines.push(`let ${name} = ${text}`);
    return name;
  });
  const shape = place.shape(c.shape);
  const whole = place.names.take(`${place.stem}_whole`);
  const text = tabulated(shape, (point) => {
    const args = [
      ...running.map((name) => index(name, point)),
      ...epilogue.inputs.map((input) => place.at(input, point)),
    ];
    return futharkScalar(epilogue.function, args, place.names);
  });
  place.lines.push(`let ${whole} = ${text}`);
  const count = epilogue.function.body.results.length;
  return Array.from({ length: count }, (_, k) => projected(whole, shape.length, count, k));
}

/** The keys' part of a point: without the trailing axes. */
const keyAt = (c: { readonly keys: Value; readonly batch: number }, point: readonly string[], place: Place): string =>
  place.at(c.keys, point.slice(0, c.batch + 1));

const writers: { [K in ConstructKind]: (construct: ConstructOf<K>, place: Place) => Results } = {
  literal: (c) => [futharkNumber(c.value, c.element)],
  map: (c, place) => {
    const shape = place.shape(c.shape);
    const count = c.function.body.results.length;
    const body = (point: readonly string[]): string =>
      futharkScalar(
        c.function,
        c.inputs.map((input) => place.at(input, point)),
        place.names,
      );
    if (count === 1) return [tabulated(shape, body)];
    const whole = place.names.take(`${place.stem}_whole`);
    place.lines.push(`let ${whole} = ${tabulated(shape, body)}`);
    return Array.from({ length: count }, (_, k) => projected(whole, shape.length, count, k));
  },
  reduce: (c, place) => {
    const shape = place.shape(c.shape);
    const across = without(shape, c.axis);
    const count = c.operator.neutral.length;
    const whole = tabulated(across, (point) => {
      const line = `tabulate ${shape[c.axis]} (\\t -> ${element(c, inserted(point, c.axis, 't'), place)})`;
      return `reduce ${operator(c.operator, place)} ${neutral(c.operator)} (${line})`;
    });
    if (count === 1) return [whole];
    if (across.length === 0) return { tuple: whole };
    const name = place.names.take(`${place.stem}_whole`);
    place.lines.push(`let ${name} = ${whole}`);
    return Array.from({ length: count }, (_, k) => projected(name, across.length, count, k));
  },
  scan: (c, place) => withEpilogue(c, scanned(c, place), place),
  'segmented-scan': (c, place) => withEpilogue(c, scanned(c, place), place),
  histogram: (c, place) => {
    const shape = place.shape(c.shape);
    const [n, bins] = [shape[c.batch] as number, place.size(c.bins)];
    const [op, ne] = [operator(c.operator, place), neutral(c.operator)];
    const whole = tabulated(without(shape, c.batch), (across) => {
      const pointAt = (t: string): string[] => inserted(across, c.batch, t);
      const keys = `(tabulate ${n} (\\t -> i64.i32 ${keyAt(c, pointAt('t'), place)}))`;
      const hist = `hist ${op} ${ne} ${bins} ${keys} (tabulate ${n} (\\t -> ${element(c, pointAt('t'), place)}))`;
      if (!c.initial) return hist;
      const initial = futharkTuple(c.initial.map((value) => place.at(value, pointAt('t'))));
      return `map2 ${op} (tabulate ${bins} (\\t -> ${initial})) (${hist})`;
    });
    return alongAxis(
      whole,
      { count: c.operator.neutral.length, axis: c.batch, shape: shape.with(c.batch, bins) },
      place,
    );
  },
  'keyed-scan': (c, place) => {
    const shape = place.shape(c.shape);
    const [n, bins] = [shape[c.batch] as number, place.size(c.bins)];
    const ne = neutral(c.operator);
    const turned = (t: string): string => (c.reverse ? `${n - 1} - ${t}` : t);
    const lines = place.names.take(`${place.stem}_lines`);
    const text = tabulated(without(shape, c.batch), (across) => {
      const pointAt = (t: string): string[] => inserted(across, c.batch, t);
      const initial = c.initial ? futharkTuple(c.initial.map((value) => place.at(value, pointAt('t')))) : ne;
      const here = pointAt(turned('t'));
      const updated = `${combine(c.operator, place)} old ${element(c, here, place)}`;
      const shown = c.exclusive ? 'old' : 'new';
      return (
        `(loop (held, shown) = (tabulate ${bins} (\\t -> ${initial}), replicate ${n} ${ne}) for t < ${n} do ` +
        `let key = i64.i32 ${keyAt(c, here, place)} in if key >= 0 && key < ${bins} ` +
        `then (let old = copy held[key] let new = ${updated} in (held with [key] = new, shown with [t] = ${shown})) ` +
        `else (held, shown))`
      );
    });
    place.lines.push(`let ${lines} = ${text}`);
    const count = c.operator.neutral.length;
    const out = (part: 0 | 1, full: readonly number[], at: (t: string) => string): string[] =>
      Array.from({ length: count }, (_, k) =>
        tabulated(full, (point) => {
          const line = `(${index(lines, without(point, c.batch))}).${part}[${at(point[c.batch] as string)}]`;
          return count === 1 ? line : `(${line}).${k}`;
        }),
      );
    const running = withEpilogue(c, out(1, shape, turned), place);
    return [...(running as readonly string[]), ...out(0, shape.with(c.batch, bins), (t) => t)];
  },
  recurrence: (c, place) => {
    const shape = place.shape(c.shape);
    const n = shape[c.axis] as number;
    const carries = c.initial.length;
    const outputs = c.step.body.results.slice(carries);
    const turned = (t: string): string => (c.reverse ? `${n - 1} - ${t}` : t);
    const lines = place.names.take(`${place.stem}_lines`);
    const inside = place.names.inner();
    const names = Array.from({ length: carries }, (_, i) => inside.take(`c${i}`));
    const none = futharkTuple(outputs.map(({ type }) => futharkNumber(0, type)));
    const text = tabulated(without(shape, c.axis), (across) => {
      const here = inserted(across, c.axis, turned('t'));
      const args = [
        ...names,
        ...c.inputs.map((input) => place.at(input, here)),
        ...c.invariants.map((input) => place.at(input, across)),
      ];
      const nexts = names.map((name) => inside.take(`${name}_next`));
      const ys = outputs.map((_, i) => inside.take(`y${i}`));
      const initial = futharkTuple(c.initial.map((value) => place.at(value, across)));
      const step = `let ${futharkTuple([...nexts, ...ys])} = ${futharkScalar(c.step, args, inside)}`;
      return (
        `(loop (${futharkTuple(names)}, emitted) = (${initial}, replicate ${n} ${none}) for t < ${n} do ` +
        `${step} in (${futharkTuple(nexts)}, emitted with [t] = ${futharkTuple(ys)}))`
      );
    });
    place.lines.push(`let ${lines} = ${text}`);
    const last = names.map((_, k) =>
      tabulated(without(shape, c.axis), (across) => {
        const whole = `(${index(lines, across)}).0`;
        return carries === 1 ? whole : `(${whole}).${k}`;
      }),
    );
    const stacked = outputs.map((_, k) =>
      tabulated(shape, (point) => {
        const whole = `(${index(lines, without(point, c.axis))}).1[${turned(point[c.axis] as string)}]`;
        return outputs.length === 1 ? whole : `(${whole}).${k}`;
      }),
    );
    return [...last, ...stacked];
  },
  loop: (c, place) => {
    const names = place.names.inner();
    const [t = null, ...rest] = c.body.parameters;
    const carried = rest.slice(0, c.initial.length);
    const known = new Map<number, string>();
    if (t) known.set(t.value.id, '(i32.i64 t)');
    const carries = carried.map(({ value }) => {
      const name = names.take('carry');
      known.set(value.id, name);
      return name;
    });
    rest.slice(carried.length).forEach(({ value }, i) => known.set(value.id, place.at(c.invariants[i] as Value, [])));
    const initial = futharkTuple(c.initial.map((value) => place.known.get(value.id) as string));
    const body = futharkBody(c.body, { names, known, size: (size) => place.size(size) });
    return { tuple: `loop ${futharkTuple(carries)} = ${initial} for t < ${place.size(c.count)} do (${body})` };
  },
  gather: (c, place) => {
    const { batch } = c;
    const [from, indices] = [place.shape(c.from.type.shape), place.shape(c.indices.type.shape)];
    const lead = from.slice(0, batch).map((size, axis) => (size === 1 ? (indices[axis] as number) : size));
    const shape = [...lead, ...indices.slice(batch), ...from.slice(batch + 1)];
    const rows = from[batch] as number;
    // Where the engine would stop, a real is NaN.
    const nan = c.from.type.element === 'real' && c.outside !== 'zero';
    return [
      tabulated(shape, (point) => {
        const key = place.at(c.indices, point.slice(0, indices.length));
        const value = place.at(c.from, [...point.slice(0, batch), 'row', ...point.slice(indices.length)]);
        const none = futharkNumber(nan ? NaN : 0, c.from.type.element);
        return `(let row = i64.i32 ${key} in if row >= 0 && row < ${rows} then ${value} else ${none})`;
      }),
    ];
  },
  scatter: (c, place) => {
    const [into, indices] = [place.shape(c.into.type.shape), place.shape(c.indices.type.shape)];
    const values = place.shape(c.values.type.shape);
    const lead = [into, indices, values].reduce<number[]>(
      (found, shape) => found.map((size, axis) => (size === 1 ? (shape[axis] as number) : size)),
      into.slice(0, c.batch),
    );
    const full = [...lead, ...into.slice(c.batch)];
    const [rows, n] = [into[c.batch] as number, indices[c.batch] as number];
    const whole = tabulated(without(full, c.batch), (across) => {
      const pointAt = (t: string): string[] => inserted(across, c.batch, t);
      const target = `tabulate ${rows} (\\t -> ${place.at(c.into, pointAt('t'))})`;
      const keys = `tabulate ${n} (\\t -> i64.i32 ${place.at(c.indices, pointAt('t').slice(0, c.batch + 1))})`;
      return `scatter (${target}) (${keys}) (tabulate ${n} (\\t -> ${place.at(c.values, pointAt('t'))}))`;
    });
    return alongAxis(whole, { count: 1, axis: c.batch, shape: full }, place);
  },
  'sort-permutation': (c, place) => {
    const shape = place.shape(c.keys.type.shape);
    const n = shape.at(-1) as number;
    return [
      tabulated(
        shape.slice(0, -1),
        (across) => `argsort (tabulate ${n} (\\t -> ${place.at(c.keys, [...across, 't'])}))`,
      ),
    ];
  },
  iota: (c, place) => [`tabulate ${place.size(c.length)} (\\i -> i32.i64 i)`],
  replicate: (c, place) => [tabulated(place.shape(c.shape), (point) => place.at(c.value, point))],
  reverse: (c, place) => {
    const shape = place.shape(c.value.type.shape);
    const n = shape[c.axis] as number;
    return [tabulated(shape, (point) => place.at(c.value, point.with(c.axis, `${n - 1} - ${point[c.axis]}`)))];
  },
  transpose: (c, place) => {
    const shape = place.shape(c.value.type.shape);
    const result = c.permutation.map((axis) => shape[axis] as number);
    return [
      tabulated(result, (point) => {
        const own = shape.map((_, axis) => point[c.permutation.indexOf(axis)] as string);
        return place.at(c.value, own);
      }),
    ];
  },
  reshape: (c, place) => {
    const [from, to] = [place.shape(c.value.type.shape), place.shape(c.shape)];
    return [
      tabulated(to, (point) => {
        const flat = point.reduce((sum, i, axis) => (axis === 0 ? i : `(${sum}) * ${to[axis]} + ${i}`), '0');
        const own = from.map((size, axis) => {
          const inner = from.slice(axis + 1).reduce((product, each) => product * each, 1);
          return size === 1 ? '0' : `(${flat}) / ${Math.max(inner, 1)} % ${Math.max(size, 1)}`;
        });
        return place.at(c.value, own);
      }),
    ];
  },
  slice: (c, place) => {
    const shape = place.shape(c.value.type.shape).with(c.axis, place.size(c.length));
    const start = place.size(c.start);
    return [
      tabulated(shape, (point) => place.at(c.value, point.with(c.axis, `${start} + ${point[c.axis]} * ${c.step}`))),
    ];
  },
  concatenate: (c, place) => {
    const parts = c.values.map((value) => place.shape(value.type.shape)[c.axis] as number);
    const shape = place.shape((c.values[0] as Value).type.shape).with(
      c.axis,
      parts.reduce((sum, part) => sum + part, 0),
    );
    return [
      tabulated(shape, (point) => {
        const i = point[c.axis] as string;
        let start = 0;
        const pieces = c.values.map((value, k) => {
          const text = place.at(value, point.with(c.axis, `${i} - ${start}`));
          start += parts[k] as number;
          return k === c.values.length - 1 ? text : `if ${i} < ${start} then ${text} else `;
        });
        return `(${pieces.join('')})`;
      }),
    ];
  },
  matmul: (c, place) => {
    const [left, right] = [place.shape(c.left.type.shape), place.shape(c.right.type.shape)];
    const batch = left.length - 2;
    const lead = left.slice(0, batch).map((size, axis) => (size === 1 ? (right[axis] as number) : size));
    const shape = [...lead, left[batch] as number, right[batch + 1] as number];
    return [
      tabulated(shape, (point) => {
        const [across, i, j] = [point.slice(0, batch), point[batch] as string, point[batch + 1] as string];
        const product = `${place.at(c.left, [...across, i, 't'])} * ${place.at(c.right, [...across, 't', j])}`;
        return `f64.sum (tabulate ${left[batch + 1]} (\\t -> ${product}))`;
      }),
    ];
  },
  call: (c, place) => {
    const known = new Map(
      c.program.parameters.map(
        ({ value }, i) => [value.id, place.known.get((c.inputs[i] as Value).id) as string] as const,
      ),
    );
    const text = futharkBody(c.program, { names: place.names.inner(), known, size: (size) => place.size(size) });
    return { tuple: `(${text})` };
  },
};

/** Writes the statements of a program, its parameters known already, a `let` for each value. */
export function writeFuthark(
  program: Program,
  body: FutharkBody,
  nameOf: (value: Value, origin: string | undefined) => string,
  before: (origin: string | undefined) => void = () => {},
): void {
  const shape = (sizes: Shape): number[] => sizes.map((size) => body.size(size));
  const at = (value: Value, point: readonly string[]): string => {
    const own = value.type.shape;
    const offset = point.length - own.length;
    // Only the literal 1 stretches, but an axis of one element has no other index.
    const indices = own.map((size, axis) => (size === 1 ? '0' : (point[axis + offset] as string)));
    return index(body.known.get(value.id) as string, indices);
  };
  for (const { construct, results, origin } of program.statements) {
    before(origin);
    const targets = results.map((result) => body.names.take(nameOf(result, origin)));
    const place: Place = { ...body, stem: targets[0] ?? 'value', shape, at };
    const written = (writers[construct.kind] as (construct: Construct, place: Place) => Results)(construct, place);
    if ('tuple' in written) body.lines.push(`let ${futharkTuple(targets)} = ${written.tuple}`);
    else
      targets.forEach((target, i) =>
        body.lines.push(`let ${target}: ${typeOf(results[i] as Value, body)} = ${written[i]}`),
      );
    results.forEach((result, i) => body.known.set(result.id, targets[i] as string));
  }
}

function futharkBody(program: Program, scope: Omit<FutharkBody, 'lines'>): string {
  const body: FutharkBody = { ...scope, lines: [] };
  writeFuthark(program, body, (_, origin) => origin ?? 'v');
  const results = futharkTuple(program.results.map(({ value }) => scope.known.get(value.id) as string));
  return body.lines.length === 0 ? results : `${body.lines.join(' ')} in ${results}`;
}

/** Stable, digit by digit. */
export const argsort = `def argsort [n] (keys: [n]i32): [n]i32 =
  let digits = map (\\key -> u32.i32 key ^ 0x80000000u32) keys
  in loop order = map i32.i64 (iota n) for bit < 32 do
    let ones = map (\\i -> i64.u32 ((digits[i] >> u32.i32 bit) & 1u32)) order
    let zeros = map (\\one -> 1 - one) ones
    let before = map2 (-) (scan (+) 0 zeros) zeros
    let after = map2 (-) (scan (+) 0 ones) ones
    let low = i64.sum zeros
    let places = map3 (\\one b a -> if one == 0 then b else low + a) ones before after
    in scatter (copy order) places order`;
