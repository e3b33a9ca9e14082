/**
 * How a tile of a sweep lies in scratch. First lines, a place each: its elements, what is seen of both scans. Then rows, where
 * strips (neighbouring stretches of the tile, as many as the lanes of some vectors) advance abreast: a vector for each place of
 * all strips, of elements, of what is seen of the first scan, of what else the epilogue reads, of what it gives. Then arrays,
 * a scalar for each strip: totals, and what each strip begins with from either end.
 */
import { arity, componentTypes } from '../../../0-ir/operators.ts';
import { resultTypes } from '../../../0-ir/scalar.ts';
import { sizeAdd, sizeMultiply, type Size } from '../../../0-ir/sizes.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import type { SweepStep } from '../../../3-plan/plan.ts';
import { sourceElement } from '../../../3-plan/sources.ts';
import type { Kernel } from '../kernel.ts';
import { bytesPerElement, type Precision } from '../representation.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { functionWork } from '../scalar/scalar-function.ts';
import { vectorCount } from '../scalar/vector.ts';
import type { Line } from '../walk/access.ts';
import type { Written } from '../walk/blocks.ts';
import { readVectorAt, writeVectorAt } from '../walk/vector-access.ts';
import { add, apply, get, i32, type Expression } from '../wasm/expression.ts';
import { type Swept } from './swept.ts';

export interface SweepForm {
  /** Vectors of strips; places of a strip at most; elements of a tile. */
  readonly vectors: number;
  readonly most: number;
  readonly elements: number;
  /** The epilogue's inputs that have rows of their own. */
  readonly beside: readonly number[];
  /** Of those that are elements as they are read, which component. */
  readonly same: ReadonlyMap<number, number>;
}

/** Bytes of a tile's rows: two threads' stay in the second-level cache. */
const BYTES = 2 ** 17;
const TOTALS = 8;
const LIGHT = 24;
/** Places of a strip, and of one in a tile that is not the last at the least. */
export const LEAST_PLACES = 16;
/** Bytes between neighbours in scratch beyond their length: a power of two would put them in one set of the cache. */
const APART = 192;

export function sweepForm(step: SweepStep, swept: Swept, precision: Precision): SweepForm {
  const { operator, prologue, inputs, along, epilogue } = swept;
  const lanes = vectorCount(precision);
  const slots = inputs.map((source) => JSON.stringify(source));
  const parameters = prologue.parameters.map(({ id }) => id);
  const same = new Map<number, number>();
  const beside: number[] = [];
  epilogue.inputs.forEach((source, i) => {
    const parameter = parameters[slots.indexOf(JSON.stringify(source))];
    const component = prologue.body.results.findIndex((r) => r.kind === 'variable' && r.id === parameter);
    if (parameter !== undefined && component >= 0) same.set(i, component);
    else if (source.strides[step.axis] !== 0) beside.push(i);
  });
  const most = functionWork(operator.combine) > LIGHT ? 1 : Math.min(4, TOTALS / arity(operator));
  const vectors = most >= 4 ? 4 : most >= 2 ? 2 : 1;
  const scalars = arity(operator) + along.shown.length + beside.length + step.outputs.length;
  const bytes = scalars * vectors * lanes * bytesPerElement(precision).real;
  // An odd number of blocks, so that strips do not begin a power of two apart.
  const blocks = 2 * Math.floor(BYTES / bytes / lanes / 2) - 1;
  const places = lanes * Math.max(blocks, Math.ceil(LEAST_PLACES / lanes) + 1);
  // An axis of less than two tiles is one.
  return { vectors, most: 2 * places, elements: vectors * lanes * places, beside, same };
}

export interface SweepRows {
  /** A line for each element's component, for what is seen of the scan along, and of the one against. */
  readonly elements: readonly Written[];
  readonly there: readonly Written[];
  readonly back: readonly Written[];
  readonly lanes: number;
  /** Strips abreast. */
  readonly count: number;
  /** Vectors of the row at hand, or `ahead` rows on; of components as they stand in that group. */
  read(group: RowGroup, at: number, vector: number, ahead?: number): Expression;
  write(group: RowGroup, at: number, vector: number, value: Expression, ahead?: number): void;
  typeIn(group: RowGroup, at: number): ElementType;
  toFirst(): void;
  advance(rows: number): void;
  /** Rows from so many on, of which there are some. */
  forUp(from: number, each: Expression, body: () => void): void;
  forDown(each: Expression, body: () => void): void;
  /** The address of an array's first scalar. */
  arrayOf(group: ArrayGroup, at: number): Expression;
}

export type RowGroup = 'elements' | 'there' | 'beside' | 'results';
export type ArrayGroup = 'totals' | 'along' | 'against';

/** `places` of a line: those of the longest tile. */
export function sweepRows(k: Kernel, swept: Swept, form: SweepForm, places: Size): SweepRows {
  const { f, precision } = k;
  const { along, against, epilogue } = swept;
  const seen = ({ scan, shown }: Swept['along']) => shown.map((i) => componentTypes(scan.operator)[i]!);
  const types: Record<RowGroup, readonly ElementType[]> = {
    elements: componentTypes(swept.operator),
    there: seen(along),
    beside: form.beside.map((i) => sourceElement(epilogue.inputs[i]!)),
    results: resultTypes(epilogue.function),
  };
  const lineTypes = [...types.elements, ...types.there, ...seen(against)];
  const lanes = vectorLanes.count(k);
  const count = form.vectors * lanes;
  const rowBytes = 16 * form.vectors;
  const regionBytes = rowBytes * form.most + APART;
  const groups = Object.keys(types) as RowGroup[];
  const firstOf = (group: RowGroup) =>
    groups.slice(0, groups.indexOf(group)).reduce((sum, each) => sum + types[each].length, 0);
  const regions = firstOf('results') + types.results.length;
  const arrays: Record<ArrayGroup, number> = {
    totals: types.elements.length,
    along: along.part.kept.length,
    against: against.part.kept.length,
  };
  const arrayBytes = 8 * count;
  const arraysBytes = arrayBytes * (arrays.totals + arrays.along + arrays.against);
  const lineBytes = sizeAdd(sizeMultiply(places, 8), APART);
  const fixed = regionBytes * regions + arraysBytes;
  // Rows and arrays first, whose places are known.
  const base = k.scratch(sizeAdd(sizeMultiply(lineBytes, lineTypes.length), fixed));
  const lines = lineTypes.map((type, i): Written => {
    const unit = bytesPerElement(precision)[type];
    const start = add(base, add(k.size(sizeMultiply(lineBytes, i)), i32(fixed)));
    const item: Line['item'] = { at: f.keep(start), start, strides: [], unit, element: type };
    return { line: { item, along: { ...item, at: f.local('i32') }, stride: 1 }, type };
  });
  const row = f.local('i32');
  const typeIn = (group: RowGroup, at: number) => types[group][at]!;
  const ahead = (group: RowGroup, at: number, vector: number) => {
    const bytes = bytesPerElement(precision)[typeIn(group, at)];
    return ((firstOf(group) + at) * regionBytes + vector * lanes * bytes) / bytes;
  };
  const last = (each: Expression) => add(base, apply('i32.mul', apply('i32.sub', each, i32(1)), i32(rowBytes)));
  return {
    elements: lines.slice(0, types.elements.length),
    there: lines.slice(types.elements.length, types.elements.length + types.there.length),
    back: lines.slice(types.elements.length + types.there.length),
    lanes,
    count,
    typeIn,
    read: (group, at, vector, rows = 0) =>
      readVectorAt(k, typeIn(group, at), add(get(row), i32(rows * rowBytes)), 1, ahead(group, at, vector)),
    write: (group, at, vector, value, rows = 0) =>
      writeVectorAt(k, typeIn(group, at), add(get(row), i32(rows * rowBytes)), 1, value, ahead(group, at, vector)),
    toFirst: () => f.set(row, base),
    advance: (rows) => f.increase(row, i32(rows * rowBytes)),
    forUp(from, each, body) {
      const end = f.keep(last(each));
      f.set(row, add(base, i32(from * rowBytes)));
      f.loop((repeat) => {
        body();
        f.increase(row, i32(rowBytes));
        f.branchIf(repeat, apply('i32.le_u', get(row), get(end)));
      });
    },
    forDown(each, body) {
      f.set(row, last(each));
      f.loop((repeat) => {
        body();
        f.increase(row, i32(-rowBytes));
        f.branchIf(repeat, apply('i32.ge_u', get(row), base));
      });
    },
    arrayOf(group, at) {
      const before = group === 'totals' ? 0 : group === 'along' ? arrays.totals : arrays.totals + arrays.along;
      return add(base, i32(regionBytes * regions + arrayBytes * (before + at)));
    },
  };
}
