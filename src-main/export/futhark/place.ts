/**
 * What every construct needs to be written as a Futhark expression. A domain is a nest of `tabulate`, an axis is worked on
 * line by line, and views are arithmetic on indices: the compiler fuses what this spells out.
 */
import {
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
} from '../../../engine/index.ts';
import { futharkNumber, futharkScalar, futharkTuple, futharkTypes } from './scalar.ts';
import type { Identifiers } from '../identifiers.ts';

export interface FutharkBody {
  readonly names: Identifiers;
  readonly known: Map<number, string>;
  readonly lines: string[];
  size(size: Size): number;
}

export interface Place extends FutharkBody {
  readonly stem: string;
  /** A program as one expression, for constructs that hold one. */
  body(program: Program, scope: Omit<FutharkBody, 'lines'>): string;
  shape(shape: Shape): number[];
  /** The element of a value at a point of a domain to which it broadcasts. */
  at(value: Value, point: readonly string[]): string;
}

/** An expression for each result, or one for the tuple of all of them. */
export type Results = readonly string[] | { readonly tuple: string };

export type Writer<K extends ConstructKind> = (construct: ConstructOf<K>, place: Place) => Results;

const points = ['i', 'j', 'k', 'l', 'o', 'p', 'q', 'r'];

/** `tabulate 3 (\i -> tabulate 4 (\j -> body))` */
export function tabulated(shape: readonly number[], body: (point: readonly string[]) => string): string {
  const names = shape.map((_, axis) => points[axis] ?? `i${axis}`);
  return shape.reduceRight<string>(
    (inner, size, axis) => `tabulate ${size} (\\${names[axis]} -> ${inner})`,
    body(names),
  );
}

export const index = (name: string, point: readonly string[]): string =>
  point.length === 0 ? name : `${name}[${point.join(', ')}]`;

/** The k-th results out of an array of tuples of the given rank. */
export const projected = (name: string, rank: number, count: number, k: number): string => {
  if (count === 1) return name;
  const field = `(\\t -> t.${k})`;
  if (rank === 0) return `${name}.${k}`;
  const mapped = Array.from({ length: rank - 1 }).reduce<string>((inner) => `(map ${inner})`, field);
  return `map ${mapped} ${name}`;
};

export const without = <T>(items: readonly T[], axis: number): T[] => items.filter((_, other) => other !== axis);
export const inserted = <T>(items: readonly T[], axis: number, item: T): T[] => [
  ...items.slice(0, axis),
  item,
  ...items.slice(axis),
];

export function typeOf(value: Value, place: FutharkBody): string {
  const sizes = value.type.shape.map((size) => `[${place.size(size)}]`).join('');
  return `${sizes}${futharkTypes[value.type.element]}`;
}

/** The operator's tuple at a point. */
export function element(
  c: { readonly prologue?: ScalarFunction; readonly inputs: readonly Value[] },
  point: readonly string[],
  place: Place,
): string {
  const given = c.inputs.map((input) => place.at(input, point));
  return c.prologue ? futharkScalar(c.prologue, given, place.names) : futharkTuple(given);
}

const builtins = { add: '(+)', multiply: '(*)' } as const;

export function combine({ combine: fn, neutral }: Operator, place: Place): string {
  const [left, right] = ['a', 'b'].map((side) => neutral.map((_, i) => `${side}${i}`)) as [string[], string[]];
  return `(\\${futharkTuple(left)} ${futharkTuple(right)} -> ${futharkScalar(fn, [...left, ...right], place.names)})`;
}

export function operator(op: Operator, place: Place): string {
  const name = recognise(op);
  return name === 'add' || name === 'multiply' ? builtins[name] : combine(op, place);
}

export const neutral = (op: Operator): string =>
  futharkTuple(op.neutral.map((value, i) => futharkNumber(value, op.combine.parameters[i]?.type ?? 'real')));

/** Lines of tuples as the arrays of a domain: `lines` over the domain without `axis`, then along it. */
export function alongAxis(
  expression: string,
  op: { readonly count: number; readonly axis: number; readonly shape: readonly number[] },
  place: Place,
  at: (t: string) => string = (t) => t,
): string[] {
  const lines = place.names.take(`${place.stem}_lines`);
  place.lines.push(`let ${lines} = ${expression}`);
  return Array.from({ length: op.count }, (_, k) =>
    tabulated(op.shape, (point) => {
      const line = [...without(point, op.axis), at(point[op.axis]!)];
      return op.count === 1 ? index(lines, line) : `(${index(lines, line)}).${k}`;
    }),
  );
}

/** What a scan gives, or what the map that was fused onto it makes of that. */
export function withEpilogue(
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
export const keyAt = (
  c: { readonly keys: Value; readonly batch: number },
  point: readonly string[],
  place: Place,
): string => place.at(c.keys, point.slice(0, c.batch + 1));
