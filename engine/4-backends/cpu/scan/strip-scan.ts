/**
 * A block of a scan in strips (strips.ts): lanes carry on side by side what one chain would make element by element, so that
 * no instruction waits for the one before it. ⊙ need not commute.
 *
 *   1. The elements into scratch, a vector for each place of so many strips; those of a strip combined: Tₛ.
 *   2. Pₛ = T₀ ⊙ … ⊙ Tₛ, of which the last and the carry of the tile before make the carry of the tile after (hand-on.ts).
 *   3. Each strip once more, from carry ⊙ Pₛ₋₁ on.
 *
 * Only 3 knows the carry, so that tiles wait for each other no longer than a join takes, and threads share all else. It
 * combines what is carried alone (carried-part.ts).
 *
 * The block does not count, and is gone through element by element, where a join is in doubt (joins.ts), and where anything
 * combined in 1 or carried into 3 is so large that their product could overflow on its way though its end does not show it.
 */
import { componentTypes } from '../../../0-ir/operators.ts';
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import type { ScanStep } from '../../../3-plan/plan.ts';
import { readAt, writeAt, type Line } from '../walk/access.ts';
import { forPlaces, type Written } from '../walk/blocks.ts';
import { combinablePart, shownComponents, type CarriedPart } from '../combine/carried-part.ts';
import { newAccumulator, type Accumulator } from '../combine/combining.ts';
import { doubts } from '../combine/joins.ts';
import type { Kernel } from '../kernel.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { likelyPart, withoutNaNTests } from '../scalar/likely.ts';
import { bytesPerElement, type Precision } from '../representation.ts';
import { emitFunction, functionWork } from '../scalar/scalar-function.ts';
import { blockReaders, blockWriters } from '../walk/strips.ts';
import { readVectorAt, writeVectorAt } from '../walk/vector-access.ts';
import { chosen, laneOf, realShape, vectorConstant, vectorCount } from '../scalar/vector.ts';
import { add, apply, get, i32, i32x4, type Expression, type Local } from '../wasm/expression.ts';

export interface Strips {
  /** Vectors of strips; places of a strip in a block, at most and at least. */
  readonly vectors: number;
  readonly most: number;
  readonly least: number;
  /** What is combined in strips. */
  readonly whole: CarriedPart;
  /** The carried components that are to be seen. */
  readonly shown: readonly number[];
}

/**
 * Bytes that are kept of a block. From the nearest cache it would be no faster than from the next, and tiles would be so short
 * that threads wait for each other more often.
 */
const BYTES = 2 ** 16;
/** Vectors of totals, as registers allow; and operations of ⊙ beyond which one is enough. */
const TOTALS = 8;
const LIGHT = 24;
const LEAST_PLACES = 16;

export function stripsOf(step: ScanStep, part: CarriedPart, precision: Precision): Strips {
  const { operator } = step;
  const whole = combinablePart(operator, part);
  const shown = shownComponents(step, part);
  const lanes = vectorCount(precision);
  const most = functionWork(operator.combine) > LIGHT ? 1 : Math.min(4, TOTALS / whole.kept.length);
  const vectors = most >= 4 ? 4 : most >= 2 ? 2 : 1;
  const scalars = BYTES / bytesPerElement(precision).real / (whole.kept.length + shown.length);
  const fitting = Math.floor(scalars / (vectors * lanes * lanes)) * lanes;
  // Strips that begin a power of two apart would meet in one set of the cache.
  const places = (fitting & (fitting - 1)) === 0 ? fitting - lanes : fitting;
  return { vectors, whole, shown, least: LEAST_PLACES, most: Math.max(2 * LEAST_PLACES, places) };
}

/** Elements of a block, at most. */
export function stripElements({ vectors, most }: Strips, precision: Precision): number {
  return vectors * vectorCount(precision) * most;
}

export interface StripTile {
  readonly step: ScanStep;
  readonly strips: Strips;
  readonly part: CarriedPart;
  readonly total: Accumulator;
}

export interface StripBlock {
  /** 1 and 2, of the elements on these lines, one of each component of the whole: whether they count so far, a local. */
  combine(elements: readonly Line[], each: Expression): Local;
  /** carry ⊙ the block, the carry being the total's; whether it counts. */
  next(): { readonly carry: Accumulator; readonly isSure: Expression };
  /** 3: whether the block counts. The total then holds what the block ends with. */
  carryOn(each: Expression): Expression;
  /** What is carried at each place, to these lines, one of each component shown. */
  show(lines: readonly Written[], each: Expression): void;
}

/** `base`: so many bytes of scratch. */
export function stripScratch({ strips: { vectors, whole, shown, most } }: StripTile, precision: Precision): number {
  const { regionBytes, arrayBytes } = layoutOf(vectors, most, precision);
  return regionBytes * (whole.kept.length + shown.length) + arrayBytes * whole.kept.length;
}

/** Bytes between two lines of scratch beyond their length: a power of two would put them in one set of the cache. */
const APART = 192;

function layoutOf(vectors: number, places: number, precision: Precision) {
  const count = vectors * vectorCount(precision);
  const rowBytes = 16 * vectors;
  return { count, rowBytes, regionBytes: rowBytes * places + APART, arrayBytes: 8 * (count + 1) };
}

export function stripBlock(k: Kernel, tile: StripTile, base: Expression): StripBlock {
  const { f, precision } = k;
  const { step, strips, part, total } = tile;
  const { vectors, whole, shown } = strips;
  const lanes = vectorLanes.count(k);
  const { count, rowBytes, regionBytes, arrayBytes } = layoutOf(vectors, strips.most, precision);
  const types = componentTypes(step.operator);
  const typeOf = (component: number) => types[component] as ElementType;
  const bytesOf = (component: number) => bytesPerElement(precision)[typeOf(component)];
  const doubt = doubts(k, step.operator);
  const vectorsOf = <T>(make: (vector: number) => T): T[] => Array.from({ length: vectors }, (_, v) => make(v));
  const keepAll = (values: readonly Expression[]) => values.map((value) => f.keep(value));
  const setAll = (locals: readonly Local[], values: readonly Expression[]) =>
    locals.forEach((local, i) => f.set(local, values[i] as Expression));
  const sure = f.local('i32');
  const alsoSure = (condition: Expression) => f.set(sure, apply('i32.and', get(sure), condition));

  /** Scratch: a row of strips for each place and component, those of elements and then those that are shown. */
  const row = f.local('i32');
  const rowOf = (region: number, component: number, vector: number) => {
    const offset = region * regionBytes + vector * lanes * bytesOf(component);
    return [get(row), offset / bytesOf(component)] as const;
  };
  const element = (component: number, vector: number): Expression => {
    const [address, ahead] = rowOf(whole.kept.indexOf(component), component, vector);
    return readVectorAt(k, typeOf(component), address, 1, ahead);
  };
  const shownAt = (component: number, vector: number) =>
    rowOf(whole.kept.length + shown.indexOf(component), component, vector);
  const forRows = (from: number, each: Expression, body: () => void) => {
    const end = f.keep(add(base, apply('i32.mul', each, i32(rowBytes))));
    f.set(row, add(base, i32(from * rowBytes)));
    f.loop((repeat) => {
      body();
      f.increase(row, i32(rowBytes));
      f.branchIf(repeat, apply('i32.lt_u', get(row), get(end)));
    });
  };
  /** An array of one scalar for each strip and component of the whole, and one before the first strip. */
  const arrayOf = (component: number) =>
    add(base, i32(regionBytes * (whole.kept.length + shown.length) + arrayBytes * whole.kept.indexOf(component) + 8));

  const [combineWhole, combinePart] = [whole, part].map(({ combine }) => hopefully(k, combine)) as [Hopeful, Hopeful];

  const intoStrips = (lines: readonly Line[], each: Expression) => {
    const readers = blockReaders(k, lines, each);
    f.set(row, base);
    forPlaces(k, lines, each, lanes, () => {
      for (let vector = 0; vector < vectors; vector++)
        readers.forEach((reader, i) => {
          const component = whole.kept[i] as number;
          reader(vector).forEach((value, place) => {
            const [address, ahead] = rowOf(i, component, vector);
            writeVectorAt(k, typeOf(component), add(address, i32(place * rowBytes)), 1, value, ahead);
          });
        });
      f.increase(row, i32(rowBytes * lanes));
    });
  };

  const totalsOfStrips = (each: Expression) => {
    f.set(row, base);
    const sets = vectorsOf((vector) => keepAll(whole.kept.map((component) => element(component, vector))));
    const inDoubt = doubt.among(whole.kept);
    const sizes = inDoubt.map(() => f.keep(vectorConstant(precision, { type: 'real', value: 0 })));
    const right = combineWhole.watch();
    forRows(1, each, () => {
      sets.forEach((set, vector) => {
        const values = whole.right.map((component) => element(component, vector));
        setAll(set, combineWhole.vectors([...set.map(get), ...values], right));
        inDoubt.forEach((at, i) => {
          const [most, size] = [sizes[i] as Local, apply(`${realShape(precision)}.abs`, get(set[at] as Local))];
          f.set(most, apply(`${realShape(precision)}.pmax`, get(most), size));
        });
      });
    });
    f.set(sure, apply('i32.and', combineWhole.wasRight(right), doubt.vectorsAreModerate(sizes.map(get))));
    whole.kept.forEach((component, i) =>
      sets.forEach((set, vector) =>
        writeVectorAt(k, typeOf(component), arrayOf(component), 1, get(set[i] as Local), vector * lanes),
      ),
    );
  };

  /** Tₛ becomes Pₛ. */
  const prefixes = () => {
    const strip = f.keep(i32(0));
    const at = (component: number) => add(arrayOf(component), apply('i32.mul', get(strip), i32(bytesOf(component))));
    const prefix = keepAll(whole.kept.map((component) => readAt(k, typeOf(component), arrayOf(component))));
    // What stands before the first strip is replaced by the carry.
    whole.kept.forEach((component, i) => {
      const before = add(arrayOf(component), i32(-bytesOf(component)));
      writeAt(k, typeOf(component), before, get(prefix[i] as Local));
    });
    const inDoubt = () => doubt.among(whole.kept).map((i) => get(prefix[i] as Local));
    f.loop((repeat) => {
      f.increase(strip);
      alsoSure(doubt.areSmall(inDoubt()));
      const right = whole.right.map((component) => readAt(k, typeOf(component), at(component)));
      setAll(prefix, combineWhole.values([...prefix.map(get), ...right], sure));
      whole.kept.forEach((component, i) => writeAt(k, typeOf(component), at(component), get(prefix[i] as Local)));
      f.branchIf(repeat, apply('i32.lt_s', get(strip), i32(count - 1)));
    });
    alsoSure(doubt.areModerate(inDoubt()));
  };

  const next = () => {
    const carry = newAccumulator(k, step.operator, step.exclusive, part);
    const last = part.right.map((component) =>
      readAt(k, typeOf(component), add(arrayOf(component), i32((count - 1) * bytesOf(component)))),
    );
    const right = f.keep(i32(1));
    setAll(carry.components, combinePart.values([...total.components.map(get), ...last], right));
    if (carry.empty) f.set(carry.empty, i32(0));
    const inDoubt = (of: Accumulator) => doubt.among(part.kept).map((i) => get(of.components[i] as Local));
    const within = apply('i32.and', doubt.areSmall(inDoubt(total)), doubt.areModerate(inDoubt(carry)));
    return { carry, isSure: apply('i32.and', get(right), within) };
  };

  /** What each strip begins with: carry ⊙ Pₛ₋₁, the first with the carry. */
  const starts = (right: Local | undefined): Local[][] => {
    const spread = part.kept.map((component, i) =>
      get(f.keep(vectorLanes.spread(k, typeOf(component), get(total.components[i] as Local)))),
    );
    const first = get(f.keep(precision === 'f32' ? i32x4(-1, 0, 0, 0) : i32x4(-1, -1, 0, 0)));
    return vectorsOf((vector) => {
      const before = part.right.map((component) =>
        readVectorAt(k, typeOf(component), add(arrayOf(component), i32(-bytesOf(component))), 1, vector * lanes),
      );
      const made = keepAll(combinePart.vectors([...spread, ...before], right));
      alsoSure(doubt.vectorsAreModerate(doubt.among(part.kept).map((i) => get(made[i] as Local))));
      if (vector === 0)
        setAll(
          made,
          part.kept.map((component, i) =>
            chosen(k, typeOf(component), spread[i] as Expression, get(made[i] as Local), first),
          ),
        );
      return made;
    });
  };

  const carryOn = (each: Expression): Expression => {
    const right = combinePart.watch();
    const sets = starts(right);
    forRows(0, each, () => {
      sets.forEach((set, vector) => {
        const show = () => {
          for (const component of shown) {
            const [address, ahead] = shownAt(component, vector);
            writeVectorAt(k, typeOf(component), address, 1, get(set[part.kept.indexOf(component)] as Local), ahead);
          }
        };
        if (step.exclusive) show();
        const values = part.right.map((component) => element(component, vector));
        setAll(set, combinePart.vectors([...set.map(get), ...values], right));
        if (!step.exclusive) show();
      });
    });
    alsoSure(combinePart.wasRight(right));
    for (const set of sets) alsoSure(doubt.vectorsAreModerate(doubt.among(part.kept).map((i) => get(set[i] as Local))));
    f.if(get(sure), () => {
      const last = sets.at(-1) as Local[];
      setAll(
        total.components,
        part.kept.map((component, i) => laneOf(k, typeOf(component), get(last[i] as Local), lanes - 1)),
      );
    });
    return get(sure);
  };

  const show = (outputs: readonly Written[], each: Expression) => {
    const writers = blockWriters(k, outputs, each);
    f.set(row, base);
    const lines = outputs.map(({ line }) => line);
    forPlaces(k, lines, each, lanes, () => {
      for (let vector = 0; vector < vectors; vector++)
        shown.forEach((component, i) => {
          const places = Array.from({ length: lanes }, (_, place) => {
            const [address, ahead] = shownAt(component, vector);
            return get(f.keep(readVectorAt(k, typeOf(component), add(address, i32(place * rowBytes)), 1, ahead)));
          });
          writers[i]?.(vector, places);
        });
      f.increase(row, i32(rowBytes * lanes));
    });
  };

  return {
    combine(elements, each) {
      intoStrips(elements, each);
      totalsOfStrips(each);
      prefixes();
      return sure;
    },
    next,
    carryOn,
    show,
  };
}

/** Combines hopefully, and notes where hope was wrong, unless what comes of it shows that. */
interface Hopeful {
  /** The note of vectors, undefined where none is needed; and what it says at the end. */
  watch(): Local | undefined;
  wasRight(note: Local | undefined): Expression;
  vectors(operands: readonly Expression[], note: Local | undefined): Expression[];
  /** Of one point; `note` becomes 0 where hope was wrong. */
  values(operands: readonly Expression[], note: Local): Expression[];
}

function hopefully(k: Kernel, combine: ScalarFunction): Hopeful {
  const { f } = k;
  const plain = withoutNaNTests(combine);
  const likely = plain ? undefined : likelyPart(combine, true);
  const run = plain ?? likely ?? combine;
  const note = (results: Expression[], into: Local | undefined, and: 'i32.and' | 'v128.and') => {
    if (!likely || !into) return results;
    f.set(into, apply(and, get(into), results.at(-1) as Expression));
    return results.slice(0, -1);
  };
  return {
    watch: () => likely && f.keep(vectorConstant(k.precision, { type: 'bool', value: 1 })),
    wasRight: (into) => (into ? apply('i32x4.all_true', get(into)) : i32(1)),
    vectors: (operands, into) => note(emitFunction(k, run, operands, vectorLanes), into, 'v128.and'),
    values: (operands, into) => note(emitFunction(k, run, operands), into, 'i32.and'),
  };
}
