/** A program as Futhark: a `let` for each value, every construct by its own writer. Arrays have the document's own sizes. */
import type { Construct, ConstructKind, Program, Shape, Value } from '../../../engine/index.ts';
import { futharkTuple } from './scalar.ts';
import { literal } from './literal.ts';
import { map } from './map.ts';
import { reduce } from './reduce.ts';
import { scan } from './scan.ts';
import { segmentedScan } from './segmented-scan.ts';
import { histogram } from './histogram.ts';
import { keyedScan } from './keyed-scan.ts';
import { recurrence } from './recurrence.ts';
import { history } from '../history.ts';
import { implicit } from '../implicit.ts';
import { loop } from './loop.ts';
import { gather } from './gather.ts';
import { scatter } from './scatter.ts';
import { sortPermutation } from './sort-permutation.ts';
import { iota } from './iota.ts';
import { replicate } from './replicate.ts';
import { reverse } from './reverse.ts';
import { transpose } from './transpose.ts';
import { reshape } from './reshape.ts';
import { slice } from './slice.ts';
import { concatenate } from './concatenate.ts';
import { matmul } from './matmul.ts';
import { call } from './call.ts';
import { type FutharkBody, index, type Place, type Results, typeOf, type Writer } from './place.ts';

const writers: { readonly [K in ConstructKind]: Writer<K> } = {
  literal,
  map,
  reduce,
  scan,
  'segmented-scan': segmentedScan,
  histogram,
  'keyed-scan': keyedScan,
  recurrence,
  history: history('Futhark'),
  solve: implicit('Futhark'),
  loop,
  gather,
  scatter,
  'sort-permutation': sortPermutation,
  iota,
  replicate,
  reverse,
  transpose,
  reshape,
  slice,
  concatenate,
  matmul,
  call,
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
    const indices = own.map((size, axis) => (size === 1 ? '0' : point[axis + offset]!));
    return index(body.known.get(value.id)!, indices);
  };
  for (const { construct, results, origin } of program.statements) {
    before(origin);
    const targets = results.map((result) => body.names.take(nameOf(result, origin)));
    const place: Place = { ...body, stem: targets[0] ?? 'value', shape, at, body: futharkBody };
    const written = (writers[construct.kind] as (construct: Construct, place: Place) => Results)(construct, place);
    if ('tuple' in written) body.lines.push(`let ${futharkTuple(targets)} = ${written.tuple}`);
    else targets.forEach((target, i) => body.lines.push(`let ${target}: ${typeOf(results[i]!, body)} = ${written[i]}`));
    results.forEach((result, i) => body.known.set(result.id, targets[i]!));
  }
}

function futharkBody(program: Program, scope: Omit<FutharkBody, 'lines'>): string {
  const body: FutharkBody = { ...scope, lines: [] };
  writeFuthark(program, body, (_, origin) => origin ?? 'v');
  const results = futharkTuple(program.results.map(({ value }) => scope.known.get(value.id)!));
  return body.lines.length === 0 ? results : `${body.lines.join(' ')} in ${results}`;
}
