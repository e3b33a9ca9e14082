/**
 * Steps that read rows of earlier ones, or backward steps that leave something in them: one item after the other, since
 * each looks for rows of its own. Rows are where the results are; a place is looked for by halving.
 */
import { withoutAxis, type ElementType } from '../../0-ir/types.ts';
import type { Access, HistoryStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, readAt, sourceCursor, write, writeAt, type Line } from './walk/access.ts';
import { forEachInRow, forLine, forRows, lineReaders } from './walk/items.ts';
import type { Kernel } from './kernel.ts';
import { constant, stackType } from './representation.ts';
import { emitFunction } from './scalar/scalar-function.ts';
import { add, apply, get, i32, multiply, select, type Expression, type Local } from './wasm/expression.ts';

export function emitHistory(k: Kernel, step: HistoryStep): void {
  const { f } = k;
  const { axis, domain, backward } = step;
  const resultType = (result: number): ElementType => step.step.body.results[result]?.type ?? 'real';
  const line = (access: Access, element: ElementType): Line => lineOf(k, accessCursor(k, access, element), axis);
  const initial = step.initial.map((source) => sourceCursor(k, source));
  const invariants = step.invariants.map((source) => sourceCursor(k, source));
  const [inputs, given] = [step.inputs, step.places].map((sources) =>
    sources.map((source) => lineOf(k, sourceCursor(k, source), axis)),
  ) as [Line[], Line[]];
  const carried = initial.length;
  const finals = wanted(step.finals).map(({ access, at }) => ({ cursor: accessCursor(k, access, resultType(at)), at }));
  const outputs = wanted(step.outputs).map(({ access, at }) => ({
    line: line(access, resultType(carried + at)),
    at: carried + at,
  }));
  const rows = step.rows.map((access) => line(access, 'real'));
  const found = wanted(step.found).map(({ access, at }) => ({ line: line(access, 'int'), at }));
  const firstWritten = carried + step.outputs.length;
  const length = k.size(domain[axis]!);
  const moving = [...inputs, ...given, ...[...outputs, ...found].map((each) => each.line), ...rows];
  const cursors = [...initial, ...invariants, ...finals.map(({ cursor }) => cursor), ...moving.map(({ item }) => item)];
  const carries = initial.map((_, i) => f.local(stackType(k.precision, resultType(i))));
  const zero = constant(k.precision, { type: 'real', value: 0 });

  /** Of a column at a row, which is counted from the axis' own start. */
  const placeOf = ({ item, stride }: Line, row: Expression): Expression => {
    const along = backward ? apply('i32.sub', apply('i32.sub', length, i32(1)), row) : row;
    return add(get(item.at), multiply(along, k.size(stride, item.unit)));
  };
  /** The last of the rows before `here` that begins with no more than `most`, or -1. */
  const lastBefore = (most: Expression, here: Local): Local => {
    const [low, high, middle] = [f.keep(i32(0)), f.keep(get(here)), f.local('i32')];
    const limit = get(f.keep(most));
    f.block((leave) =>
      f.loop((repeat) => {
        f.branchIf(leave, apply('i32.ge_s', get(low), get(high)));
        f.set(middle, apply('i32.shr_u', add(get(low), get(high)), i32(1)));
        const key = readAt(k, 'real', placeOf(rows[0]!, get(middle)));
        f.if(
          apply(`${k.precision}.le`, key, limit),
          () => f.set(low, add(get(middle), i32(1))),
          () => f.set(high, get(middle)),
        );
        f.branch(repeat);
      }),
    );
    return f.keep(apply('i32.sub', get(low), i32(1)));
  };

  const oneItem = (): void => {
    initial.forEach((cursor, i) => f.set(carries[i]!, read(k, cursor)));
    const fixed = invariants.map((cursor) => f.keep(read(k, cursor)));
    if (backward) forLine(k, length, rows, () => rows.forEach(({ along }) => write(k, along, zero)));
    const [readers, placeReaders] = [lineReaders(k, inputs), lineReaders(k, given)];
    forLine(k, length, moving, (s) => {
      const here = backward ? f.keep(apply('i32.sub', apply('i32.sub', length, i32(1)), get(s))) : s;
      const own = readers.map((reader) => f.keep(reader()));
      const asking = [...carries, ...own, ...fixed].map(get);
      const places = step.asked
        ? emitFunction(k, step.asked, asking).map((most) => lastBefore(most, here))
        : placeReaders.map((reader) => f.keep(reader()));
      found.forEach(({ line: { along }, at }) => write(k, along, get(places[at]!)));
      // Unsigned, so that -1 is no row either.
      const there = places.map((place) => {
        const isThere = f.keep(apply('i32.lt_u', get(place), get(here)));
        return { isThere: get(isThere), row: get(f.keep(select(get(place), i32(0), get(isThere)))) };
      });
      const rowRead = backward
        ? rows.map(({ along }) => get(f.keep(read(k, along))))
        : there.flatMap(({ isThere, row }) =>
            rows.map((column) => get(f.keep(select(readAt(k, 'real', placeOf(column, row)), zero, isThere)))),
          );
      const results = emitFunction(k, step.step, [...[...carries, ...own].map(get), ...rowRead, ...fixed.map(get)]);
      outputs.forEach(({ line: { along }, at }) => write(k, along, results[at]!));
      if (!backward) rows.forEach(({ along }, i) => write(k, along, results[firstWritten + i]!));
      else
        there.forEach(({ isThere, row }, q) =>
          f.if(isThere, () =>
            rows.forEach((column, i) => {
              const place = get(f.keep(placeOf(column, row)));
              const left = results[firstWritten + q * rows.length + i]!;
              writeAt(k, 'real', place, apply(`${k.precision}.add`, readAt(k, 'real', place), left));
            }),
          ),
        );
      carries.forEach((carry, i) => f.set(carry, results[i]!));
    });
    finals.forEach(({ cursor, at }) => write(k, cursor, get(carries[at]!)));
  };
  forRows(k, withoutAxis(domain, axis), cursors, (row) => forEachInRow(k, row, cursors, oneItem));
}

function wanted(accesses: readonly (Access | null)[]): { access: Access; at: number }[] {
  return accesses.flatMap((access, at) => (access ? [{ access, at }] : []));
}
