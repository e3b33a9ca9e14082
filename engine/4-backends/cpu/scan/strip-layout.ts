/**
 * How a block lies in strips, and where what is kept of it stands in scratch: rows, one for each place of all strips and each
 * component, those of elements and then those that are shown; then an array for each component, a scalar for each strip.
 */
import { componentTypes } from '../../../0-ir/operators.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import type { ScanStep } from '../../../3-plan/plan.ts';
import { combinablePart, shownComponents, type CarriedPart } from '../combine/carried-part.ts';
import type { Accumulator } from '../combine/combining.ts';
import type { Kernel } from '../kernel.ts';
import { bytesPerElement, type Precision } from '../representation.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { functionWork } from '../scalar/scalar-function.ts';
import { vectorCount } from '../scalar/vector.ts';
import { readVectorAt } from '../walk/vector-access.ts';
import { add, apply, get, i32, type Expression, type Local } from '../wasm/expression.ts';

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

/** Bytes of scratch for each thread. */
export function stripScratch({ strips: { vectors, whole, shown, most } }: StripTile, precision: Precision): number {
  const { regionBytes, arrayBytes } = bytesOfStrips(vectors, most, precision);
  return regionBytes * (whole.kept.length + shown.length) + arrayBytes * whole.kept.length;
}

/** Bytes between two lines of scratch beyond their length: a power of two would put them in one set of the cache. */
const APART = 192;

function bytesOfStrips(vectors: number, places: number, precision: Precision) {
  const count = vectors * vectorCount(precision);
  const rowBytes = 16 * vectors;
  return { count, rowBytes, regionBytes: rowBytes * places + APART, arrayBytes: 8 * (count + 1) };
}

/** An address, and so many elements ahead of it. */
export type Place = readonly [address: Expression, ahead: number];

/** Scratch from `base` on, as a row moves through it. */
export interface StripLayout {
  /** Strips abreast, in `vectors` vectors of `lanes`; bytes of a row. */
  readonly count: number;
  readonly vectors: number;
  readonly lanes: number;
  readonly rowBytes: number;
  typeOf(component: number): ElementType;
  bytesOf(component: number): number;
  /** Where a vector of an element's component, and of what is shown of one, stands in the row. */
  elementAt(component: number, vector: number): Place;
  shownAt(component: number, vector: number): Place;
  element(component: number, vector: number): Expression;
  /** The first row; so many on; and the body for each from so many on. */
  toFirstRow(): void;
  advance(rows: number): void;
  forRows(from: number, each: Expression, body: () => void): void;
  /** An array of one scalar for each strip and component of the whole, and one before the first strip. */
  arrayOf(component: number): Expression;
}

export function layoutOf(k: Kernel, { step, strips }: StripTile, base: Expression, row: Local): StripLayout {
  const { f, precision } = k;
  const { vectors, whole, shown } = strips;
  const lanes = vectorLanes.count(k);
  const { count, rowBytes, regionBytes, arrayBytes } = bytesOfStrips(vectors, strips.most, precision);
  const types = componentTypes(step.operator);
  const typeOf = (component: number) => types[component]!;
  const bytesOf = (component: number) => bytesPerElement(precision)[typeOf(component)];
  const placeIn = (region: number, component: number, vector: number): Place => {
    const offset = region * regionBytes + vector * lanes * bytesOf(component);
    return [get(row), offset / bytesOf(component)];
  };
  const elementAt = (component: number, vector: number) => placeIn(whole.kept.indexOf(component), component, vector);
  const arrays = regionBytes * (whole.kept.length + shown.length) + 8;
  return {
    count,
    vectors,
    lanes,
    rowBytes,
    typeOf,
    bytesOf,
    elementAt,
    shownAt: (component, vector) => placeIn(whole.kept.length + shown.indexOf(component), component, vector),
    element(component, vector) {
      const [address, ahead] = elementAt(component, vector);
      return readVectorAt(k, typeOf(component), address, 1, ahead);
    },
    toFirstRow: () => f.set(row, base),
    advance: (rows) => f.increase(row, i32(rowBytes * rows)),
    forRows(from, each, body) {
      const end = f.keep(add(base, apply('i32.mul', each, i32(rowBytes))));
      f.set(row, add(base, i32(from * rowBytes)));
      f.loop((repeat) => {
        body();
        f.increase(row, i32(rowBytes));
        f.branchIf(repeat, apply('i32.lt_u', get(row), get(end)));
      });
    },
    arrayOf: (component) => add(base, i32(arrays + arrayBytes * whole.kept.indexOf(component))),
  };
}
