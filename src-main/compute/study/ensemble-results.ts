/** What the shards of an ensemble found, put together row by row. */
import type { Part, RowShape, Shard, StartEnding, StudyRows } from '../../../engine/index.ts';
import type {
  ReplicatesResult,
  ProfilesResult,
  RunsResult,
  ShardResult,
  StartsResult,
} from '../../files/ensemble-manifest.ts';
import { Refused } from '../../refused.ts';

/** Rows that no earlier result has. */
export interface Taken {
  readonly part: Part;
  readonly result: ShardResult;
}

/** By rising rows; of rows that several results have, those of the one that begins first. */
export function disjoint<R extends Part>(results: readonly R[]): { readonly part: Part; readonly result: R }[] {
  let next = 0;
  return [...results]
    .sort((a, b) => a.from - b.from || b.to - a.to)
    .flatMap((result) => {
      const part = { from: Math.max(next, result.from), to: result.to };
      if (part.from >= part.to) return [];
      next = part.to;
      return [{ part, result }];
    });
}

/** By rising numbers. */
export function endingsOf(taken: readonly Taken[]): StartEnding[] {
  return taken.flatMap(({ part, result }) => (result.kind === 'starts' ? endingsIn(result, part) : wrongKind(result)));
}

export function evaluationsOf(taken: readonly Taken[]): number {
  return taken.reduce((sum, { result }) => sum + ('evaluations' in result ? result.evaluations : 0), 0);
}

export function shardsOf(taken: readonly Taken[], shape: RowShape): Shard[] {
  return taken.map(({ part, result }) => ({
    part,
    runs: result.kind === 'runs' ? runsIn(result, part, shape) : wrongKind(result),
  }));
}

export function replicatesOf(taken: readonly Taken[]): StudyRows['bootstrap'] {
  return taken.flatMap(({ part, result }) =>
    result.kind === 'replicates' ? rowsIn(result, result.replicates, part) : wrongKind(result),
  );
}

/** By element, of which there are so many; undefined where no shard has followed it. */
export function sidesOf(taken: readonly Taken[], elements: number): StudyRows['profile'] {
  const sides = Array.from({ length: elements }, (): StudyRows['profile'][number] => undefined);
  for (const { part, result } of taken) {
    const found = result.kind === 'profiles' ? rowsIn(result, result.sides, part) : wrongKind(result);
    sides.splice(part.from, found.length, ...found);
  }
  return sides;
}

function wrongKind({ from, to, kind }: ShardResult): never {
  throw new Refused(`the result of ${from} to ${to} holds ${kind}, which this study is not made of`);
}

function rowsIn<T>(
  { from, to, kind }: ReplicatesResult | ProfilesResult,
  rows: readonly T[],
  part: Part,
): readonly T[] {
  if (rows.length !== to - from)
    throw new Refused(`the result of ${from} to ${to} holds ${rows.length} ${kind}: run its shard --again`);
  return rows.slice(part.from - from, part.to - from);
}

function endingsIn({ endings, from, to }: StartsResult, part: Part): StartEnding[] {
  if (endings.length !== to - from || endings.some(({ start }, i) => start !== from + i))
    throw new Refused(`the result of the starts ${from} to ${to} holds other starts: run its shard --again`);
  return endings
    .slice(part.from - from, part.to - from)
    .map((ending) => ({ ...ending, point: Float64Array.from(ending.point) }));
}

function runsIn({ values, faults, from, to }: RunsResult, part: Part, shape: RowShape): Shard['runs'] {
  const each = shape.runs * shape.values;
  if (values.length !== (to - from) * each)
    throw new Refused(
      `the result of the rows ${from} to ${to} holds ${values.length} values instead of ${(to - from) * each}: run its shard --again`,
    );
  const [first, end] = [part.from - from, part.to - from];
  return {
    values: Float64Array.from(values.slice(first * each, end * each)),
    faults: faults
      .filter(({ member }) => member >= first * shape.runs && member < end * shape.runs)
      .map((fault) => ({ ...fault, member: fault.member - first * shape.runs })),
  };
}
