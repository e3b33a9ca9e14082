/**
 * The elements of one tile scanned in vectors, where every component is a sum, a minimum or a maximum by itself. Lanes are
 * combined with the lanes before them (Hillis and Steele's steps, CACM 29, 1986), vectors with the last lane of the vector
 * before, a round of several vectors at last with the carry: so the chain from carry to carry has one link a round.
 *
 * Products are not: ∞·0 within a vector would show where one after the other gives 0.
 */
import { componentTypes, type Operator } from '../../../0-ir/operators.ts';
import { sizeMultiply } from '../../../0-ir/sizes.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import type { ScanStep } from '../../../3-plan/plan.ts';
import { read, type Line } from '../walk/access.ts';
import { exactStart, type Accumulator } from '../combine/combining.ts';
import type { Kernel } from '../kernel.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { vectorReaders } from '../walk/vector-access.ts';
import { bytesPerElement } from '../representation.ts';
import { emitFunction } from '../scalar/scalar-function.ts';
import { writeVectorAt } from '../walk/vector-access.ts';
import { laneOf, vectorConstant } from '../scalar/vector.ts';
import { apply, get, i32, shuffle, type Expression, type Local } from '../wasm/expression.ts';

export function scansVectors(step: ScanStep): boolean {
  const starts = exactStart(step.operator, false);
  if (!starts || step.flags) return false;
  const types = componentTypes(step.operator);
  return !types.some((type, i) => type === 'bool' || (type === 'real' && starts[i] === 1));
}

export interface ScanTile {
  readonly step: ScanStep;
  readonly total: Accumulator;
  readonly inputs: readonly Line[];
  /** The epilogue's. */
  readonly after: readonly Line[];
  readonly outputs: readonly Line[];
  readonly outputTypes: readonly ElementType[];
  /** One element, from where the walks stand. */
  point(inputs: readonly Expression[], place: Local): void;
}

/** Vectors in a round. */
const ROUND = 4;

/** `length`: a local. */
export function scanVectors(k: Kernel, tile: ScanTile, length: Expression): void {
  const { f } = k;
  const { step, total, inputs, after, outputs } = tile;
  const lines = [...inputs, ...after, ...outputs];
  const types = componentTypes(step.operator);
  const count = vectorLanes.count(k);
  const many = ROUND * count;
  const readers = vectorReaders(k, inputs);
  const afterReaders = vectorReaders(k, after);
  for (const { item, along } of lines) f.set(along.at, get(item.at));
  const place = f.keep(i32(0));
  const advance = (places: number) => {
    for (const { along, stride } of lines) f.increase(along.at, k.size(sizeMultiply(stride, places), along.unit));
    f.increase(place, i32(places));
  };
  const one = () => {
    tile.point(
      inputs.map(({ along }) => read(k, along)),
      place,
    );
    advance(1);
  };
  const isBelow = (end: Expression) => apply('i32.lt_s', get(place), end);

  // Lanes combine values: an accumulator that is empty takes up its first element by itself.
  if (total.empty) f.if(apply('i32.and', get(total.empty), isBelow(length)), one);
  const carry = total.components.map((local, i) => f.keep(vectorLanes.spread(k, types[i]!, get(local))));
  const end = get(f.keep(apply('i32.sub', length, i32(many - 1))));
  f.if(isBelow(end), () => {
    f.loop((repeat) => {
      const elements = Array.from({ length: ROUND }, (_, vector) => {
        const values = readers.map((reader) => reader(vector * count));
        return kept(k, step.prologue ? emitFunction(k, step.prologue, values, vectorLanes) : values);
      });
      let before = carry.map(get);
      withinRound(k, step.operator, elements).forEach((prefix, vector) => {
        const sums = combined(k, step.operator, carry.map(get), prefix);
        const totals = step.exclusive ? kept(k, moved(k, types, before, sums, 1)) : sums;
        before = sums;
        const beside = afterReaders.map((reader) => reader(vector * count));
        const results = step.epilogue
          ? emitFunction(k, step.epilogue.function, [...totals, ...beside], vectorLanes)
          : totals;
        outputs.forEach(({ along, stride }, i) => {
          const type = tile.outputTypes[i]!;
          writeVectorAt(k, type, get(along.at), stride, results[i]!, vector * count);
        });
      });
      lastLanes(k, types, before).forEach((value, i) => f.set(carry[i]!, value));
      advance(many);
      f.branchIf(repeat, isBelow(end));
    });
  });
  carry.forEach((vector, i) => {
    f.set(total.components[i]!, laneOf(k, types[i]!, get(vector), 0));
  });
  f.if(isBelow(length), () =>
    f.loop((repeat) => {
      one();
      f.branchIf(repeat, isBelow(length));
    }),
  );
}

/** For each vector of a round what its lanes and those before them in the round come to. */
function withinRound(k: Kernel, operator: Operator, elements: readonly Expression[][]): Expression[][] {
  const types = componentTypes(operator);
  const start = (exactStart(operator, false) ?? []).map((value, i) =>
    vectorConstant(k.precision, { type: types[i]!, value }),
  );
  const prefixes: Expression[][] = [];
  for (const element of elements) {
    let prefix = element;
    for (let by = 1; by < vectorLanes.count(k); by *= 2)
      prefix = combined(k, operator, moved(k, types, start, prefix, by), prefix);
    const before = prefixes.at(-1);
    prefixes.push(before ? combined(k, operator, lastLanes(k, types, before), prefix) : prefix);
  }
  return prefixes;
}

function combined(
  k: Kernel,
  operator: Operator,
  left: readonly Expression[],
  right: readonly Expression[],
): Expression[] {
  return emitFunction(k, operator.combine, [...left, ...right], vectorLanes);
}

/** Every lane in the place `by` lanes on; the last lanes of `before` come in. */
function moved(
  k: Kernel,
  types: readonly ElementType[],
  before: readonly Expression[],
  values: readonly Expression[],
  by: number,
): Expression[] {
  const count = vectorLanes.count(k);
  return values.map((value, i) => {
    const lane = (at: number) => (at < by ? count - by + at : 16 + at - by);
    return shuffle(before[i]!, value, lanesOf(k, types[i]!, lane));
  });
}

function lastLanes(k: Kernel, types: readonly ElementType[], values: readonly Expression[]): Expression[] {
  const last = vectorLanes.count(k) - 1;
  return values.map((value, i) =>
    shuffle(
      value,
      value,
      lanesOf(k, types[i]!, () => last),
    ),
  );
}

/** A shuffle's bytes: for each lane one of the first vector, or from 16 on of the second. Half a vector is filled twice. */
function lanesOf(k: Kernel, type: ElementType, lane: (at: number) => number): number[] {
  const bytes = bytesPerElement(k.precision)[type];
  const count = vectorLanes.count(k);
  return Array.from({ length: 16 }, (_, byte) => {
    const from = lane(Math.floor(byte / bytes) % count);
    return from < 16 ? from * bytes + (byte % bytes) : 16 + (from - 16) * bytes + (byte % bytes);
  });
}

function kept(k: Kernel, values: readonly Expression[]): Expression[] {
  return values.map((value) => get(k.f.keep(value)));
}
