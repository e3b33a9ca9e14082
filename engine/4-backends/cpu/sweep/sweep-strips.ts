/**
 * A tile of a sweep in strips: lanes carry on side by side what a chain would make element by element.
 *
 *   into rows   elements, and what the epilogue reads beside them, transposed: a vector is one place of all strips.
 *   totals      Tₛ = x ⊙ … ⊙ x of each strip.
 *   there       strip s begins with carry ⊙ T₀ ⊙ … ⊙ Tₛ₋₁; what is seen at each place stays in its row.
 *   back        strip s begins with what comes after it, from the last to the first; at each place the epilogue has all it reads.
 *   out         its results, transposed again.
 *
 * All is speculative as in strip-scan.ts: the strips do not count where a join is in doubt, or where ⊙ or the epilogue took
 * another side than the likely one.
 */
import { componentTypes } from '../../../0-ir/operators.ts';
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import { readParameters } from '../../../1-optimize/scalar/dead-code.ts';
import { sourceElement } from '../../../3-plan/sources.ts';
import type { Accumulator } from '../combine/combining.ts';
import { doubts } from '../combine/joins.ts';
import type { Kernel } from '../kernel.ts';
import { likelyPart } from '../scalar/likely.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { emitFunction } from '../scalar/scalar-function.ts';
import { realShape, vectorConstant } from '../scalar/vector.ts';
import { speculative, type Speculative } from '../scan/speculative.ts';
import { read, readAt, writeAt, type Line } from '../walk/access.ts';
import { forPlaces, type Written } from '../walk/blocks.ts';
import { blockReaders, blockWriters } from '../walk/strips.ts';
import { readVectorAt, writeVectorAt } from '../walk/vector-access.ts';
import { add, apply, get, i32, type Expression, type Local } from '../wasm/expression.ts';
import type { ArrayGroup, SweepForm, SweepRows } from './sweep-rows.ts';
import { type Swept, type SweptPart } from './swept.ts';

export interface SweepStrips {
  /** Elements and what stands beside them (of each of the form's, a line) into rows, and totals. */
  begin(elements: readonly Line[], beside: readonly Line[], each: Expression): void;
  /** The scan along, from what its total holds, which then is what it ends with. */
  there(each: Expression): void;
  /** The scan against, and the epilogue, where no index is at an end. */
  back(epilogue: ScalarFunction, constants: ReadonlyMap<number, Line>, each: Expression): void;
  out(results: readonly Written[], each: Expression): void;
}

interface Parts {
  readonly k: Kernel;
  readonly swept: Swept;
  readonly form: SweepForm;
  readonly rows: SweepRows;
  readonly along: Accumulator;
  readonly against: Accumulator;
  /** Whether the strips count so far. */
  readonly sure: Local;
}

export function sweepStrips(parts: Parts): SweepStrips {
  return {
    begin(elements, beside, each) {
      intoRows(parts, elements, beside, each);
      totals(parts, each);
    },
    there: (each) => there(parts, each),
    back: (epilogue, constants, each) => back(parts, epilogue, constants, each),
    out: (results, each) => out(parts, results, each),
  };
}

function intoRows({ k, form, rows }: Parts, elements: readonly Line[], beside: readonly Line[], each: Expression) {
  const lines = [...elements, ...beside];
  const readers = blockReaders(k, lines, each);
  rows.toFirst();
  forPlaces(k, lines, each, rows.lanes, () => {
    for (let vector = 0; vector < form.vectors; vector++)
      readers.forEach((reader, i) => {
        const isElement = i < elements.length;
        const at = isElement ? i : i - elements.length;
        reader(vector).forEach((value, place) =>
          rows.write(isElement ? 'elements' : 'beside', at, vector, value, place),
        );
      });
    rows.advance(rows.lanes);
  });
}

function totals(parts: Parts, each: Expression): void {
  const { k, swept, form, rows } = parts;
  const { f, precision } = k;
  const { operator } = swept;
  const types = componentTypes(operator);
  const doubt = doubts(k, operator);
  const combine = speculative(k, operator.combine);
  const element = (vector: number) => types.map((_, i) => rows.read('elements', i, vector));
  const inDoubt = doubt.among(types.map((_, i) => i));
  const sizes = inDoubt.map(() => f.keep(vectorConstant(precision, { type: 'real', value: 0 })));
  const right = combine.watch();
  rows.toFirst();
  const sets = vectorsOf(form, (vector) => element(vector).map((value) => f.keep(value)));
  rows.forUp(1, each, () => {
    sets.forEach((set, vector) => {
      setAll(k, set, combine.vectors([...set.map(get), ...element(vector)], right));
      inDoubt.forEach((at, i) => {
        const [most, size] = [sizes[i]!, apply(`${realShape(precision)}.abs`, get(set[at]!))];
        f.set(most, apply(`${realShape(precision)}.pmax`, get(most), size));
      });
    });
  });
  alsoSure(parts, combine.wasRight(right));
  alsoSure(parts, doubt.vectorsAreModerate(sizes.map(get)));
  types.forEach((type, i) =>
    sets.forEach((set, vector) =>
      writeVectorAt(k, type, rows.arrayOf('totals', i), 1, get(set[i]!), vector * rows.lanes),
    ),
  );
}

function there(parts: Parts, each: Expression): void {
  const { k, swept, rows, along } = parts;
  const strips = carriedStrips(parts, 'along', along);
  const { scan, part, shown } = swept.along;
  rows.forUp(0, each, () => {
    strips.sets.forEach((set, vector) => {
      const show = () =>
        shown.forEach((component, i) => rows.write('there', i, vector, get(set[part.kept.indexOf(component)]!)));
      if (scan.exclusive) show();
      setAll(k, set, strips.next(set, vector));
      if (!scan.exclusive) show();
    });
  });
  strips.end();
}

function back(parts: Parts, epilogue: ScalarFunction, constants: ReadonlyMap<number, Line>, each: Expression): void {
  const { k, swept, form, rows, against } = parts;
  const { f } = k;
  const strips = carriedStrips(parts, 'against', against);
  const { scan, part, shown } = swept.against;
  const inputs = swept.epilogue.inputs;
  const spread = new Map(
    [...constants].map(([i, line]) => {
      const element = line.item.element === 'index' ? 'int' : line.item.element;
      return [i, get(f.keep(vectorLanes.spread(k, element, read(k, line.item))))] as const;
    }),
  );
  const likely = likelyPart(epilogue, true);
  const hoped = likely && f.keep(vectorConstant(k.precision, { type: 'bool', value: 1 }));
  const isRead = readParameters(likely ?? epilogue).slice(swept.along.shown.length + shown.length);
  const inputOf = (i: number, vector: number): Expression => {
    const known = isRead[i] ? spread.get(i) : vectorLanes.constant(k, { type: sourceElement(inputs[i]!), value: 0 });
    if (known) return known;
    const component = form.same.get(i);
    if (component !== undefined) return rows.read('elements', component, vector);
    return rows.read('beside', form.beside.indexOf(i), vector);
  };
  rows.forDown(each, () => {
    strips.sets.forEach((set, vector) => {
      const next = scan.exclusive ? undefined : strips.next(set, vector).map((value) => f.keep(value));
      const held = next ?? set;
      const results = emitFunction(
        k,
        likely ?? epilogue,
        [
          ...swept.along.shown.map((_, i) => rows.read('there', i, vector)),
          ...shown.map((component) => get(held[part.kept.indexOf(component)]!)),
          ...inputs.map((_, i) => inputOf(i, vector)),
        ],
        vectorLanes,
      );
      if (hoped) f.set(hoped, apply('v128.and', get(hoped), results.pop()!));
      results.forEach((value, i) => rows.write('results', i, vector, value));
      setAll(k, set, next ? next.map(get) : strips.next(set, vector));
    });
  });
  strips.end();
  if (hoped) alsoSure(parts, apply('i32x4.all_true', get(hoped)));
}

function out({ k, form, rows }: Parts, results: readonly Written[], each: Expression): void {
  const { f } = k;
  const writers = blockWriters(k, results, each);
  rows.toFirst();
  forPlaces(
    k,
    results.map(({ line }) => line),
    each,
    rows.lanes,
    () => {
      for (let vector = 0; vector < form.vectors; vector++)
        writers.forEach((writer, i) => {
          const places = Array.from({ length: rows.lanes }, (_, place) =>
            get(f.keep(rows.read('results', i, vector, place))),
          );
          writer(vector, places);
        });
      rows.advance(rows.lanes);
    },
  );
}

/** What each strip begins with in a direction, and how it goes on; the total is then what the last one ends with. */
function carriedStrips(parts: Parts, direction: 'along' | 'against', total: Accumulator) {
  const { k, swept, form, rows } = parts;
  const { part, scan }: SweptPart = swept[direction];
  const types = part.kept.map((component) => componentTypes(scan.operator)[component]!);
  const combine: Speculative = speculative(k, part.combine);
  const doubt = doubts(k, scan.operator);
  const inDoubt = <T>(values: readonly T[]) => doubt.among(part.kept).map((i) => values[i]!);
  const placeOf = (component: number) => swept[direction].at[component]!;
  beginnings(parts, direction, total, combine);
  const sets = vectorsOf(form, (vector) =>
    types.map((type, i) => k.f.keep(readVectorAt(k, type, rows.arrayOf(direction, i), 1, vector * rows.lanes))),
  );
  const right = combine.watch();
  return {
    sets,
    next: (set: readonly Local[], vector: number) =>
      combine.vectors(
        [...set.map(get), ...part.right.map((component) => rows.read('elements', placeOf(component), vector))],
        right,
      ),
    end() {
      alsoSure(parts, combine.wasRight(right));
      for (const set of sets) alsoSure(parts, doubt.vectorsAreModerate(inDoubt(set).map(get)));
    },
  };
}

/** carry ⊙ the totals before each strip, one strip after the other, there being few. */
function beginnings(parts: Parts, direction: 'along' | 'against', total: Accumulator, combine: Speculative): void {
  const { k, swept, rows, sure } = parts;
  const { f } = k;
  const { part, scan, at } = swept[direction];
  const all = componentTypes(scan.operator);
  const doubt = doubts(k, scan.operator);
  const held = () => doubt.among(part.kept).map((i) => get(total.components[i]!));
  const bytesOf = (type: ElementType) => (type === 'real' && k.precision === 'f64' ? 8 : 4);
  const [first, step] = direction === 'along' ? [0, 1] : [rows.count - 1, -1];
  const strip = f.keep(i32(first));
  const place = (group: ArrayGroup, index: number, type: ElementType) =>
    add(rows.arrayOf(group, index), apply('i32.mul', get(strip), i32(bytesOf(type))));
  f.loop((repeat) => {
    total.components.forEach((local, i) => {
      const type = all[part.kept[i]!]!;
      writeAt(k, type, place(direction, i, type), get(local));
    });
    alsoSure(parts, doubt.areSmall(held()));
    const totals = part.right.map((component) => {
      const type = all[component]!;
      return readAt(k, type, place('totals', at[component]!, type));
    });
    setAll(k, total.components, combine.values([...total.components.map(get), ...totals], sure));
    alsoSure(parts, doubt.areModerate(held()));
    f.increase(strip, i32(step));
    f.branchIf(repeat, apply('i32.lt_u', get(strip), i32(rows.count)));
  });
}

function vectorsOf<T>({ vectors }: SweepForm, make: (vector: number) => T): T[] {
  return Array.from({ length: vectors }, (_, vector) => make(vector));
}

function alsoSure({ k, sure }: Parts, condition: Expression): void {
  k.f.set(sure, apply('i32.and', get(sure), condition));
}

function setAll(k: Kernel, locals: readonly Local[], values: readonly Expression[]): void {
  locals.forEach((local, i) => k.f.set(local, values[i]!));
}
