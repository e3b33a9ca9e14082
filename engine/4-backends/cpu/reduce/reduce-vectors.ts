/**
 * The elements of one tile into its total, vectors at a time.
 *
 * *Interleaved*, where every component is a sum, a product, a minimum or a maximum by itself: element j goes to lane
 * j mod (unrolled · lanes). Sums are flushed block by block, so that their rounding error grows with the number of blocks
 * in a tile and of elements of a lane in a block, not with the tile.
 *
 * *Hopefully*, interleaved likewise, where ⊙ commutes and has a side that is seldom needed (likely.ts): block by block, and
 * a block once more where that side was.
 *
 * *In strips*, for any other operator: the tile is cut into neighbouring strips, one for each lane, whose totals are
 * combined in their order at the end. So ⊙ need not commute.
 *
 * Either way the order of combining follows from the tile's length alone. Where strips are in doubt, as at the joins of
 * tiles, the tile is combined again from end to end; and where an interleaved product has underflown on its way, for what
 * the elements between would have made of it is not known.
 */
import { sizeMultiply } from '../../../0-ir/sizes.ts';
import { arity, componentTypes } from '../../../0-ir/operators.ts';
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import { read, type Line } from '../walk/access.ts';
import {
  accumulate,
  advancing,
  elementOf,
  exactStart,
  reset,
  type Accumulator,
  type Combining,
} from '../combine/combining.ts';
import { forLine, minimum } from '../walk/items.ts';
import { areNormal, beyondDoubt } from '../combine/joins.ts';
import type { Kernel } from '../kernel.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { likelyPart } from '../scalar/likely.ts';
import { constant } from '../representation.ts';
import { singly, type Tile } from './tile.ts';
import { findWinner, leastForWinner, winnerOf } from './reduce-winner.ts';
import { emitFunction, functionWork } from '../scalar/scalar-function.ts';
import { blockReaders } from '../walk/strips.ts';
import { vectorReaders } from '../walk/vector-access.ts';
import { laneOf, realShape, vectorConstant } from '../scalar/vector.ts';
import { add, apply, get, i32, type Expression, type Local } from '../wasm/expression.ts';

/** Vectors of each component that are kept at a time, as registers allow. */
const ACCUMULATORS = 8;
const MOST_UNROLLED = 4;
/** More would make code longer than the loop around it is worth. */
const LIGHT = 24;

function unrolled({ operator, prologue }: Combining): 1 | 2 | 4 {
  const work = functionWork(operator.combine) + (prologue ? functionWork(prologue) : 0);
  const most = work > LIGHT ? 1 : Math.min(MOST_UNROLLED, ACCUMULATORS / arity(operator));
  return most >= 4 ? 4 : most >= 2 ? 2 : 1;
}

/** total = x₀ ⊙ … of the `length` elements (a local) from where the lines' items stand; the total has been reset. */
export function reduceVectors(
  k: Kernel,
  step: Combining,
  total: Accumulator,
  inputs: readonly Line[],
  length: Expression,
): void {
  const starts = exactStart(step.operator, false);
  const likely = step.operator.commutative && !starts ? likelyPart(advancing(step)) : undefined;
  const tile = { k, step, total, inputs, length, unrolled: likely ? HOPEFULLY_UNROLLED : unrolled(step) };
  const count = vectorLanes.count(k);
  const winner = winnerOf(step, inputs);
  const enough = winner ? leastForWinner(count) : 2 * tile.unrolled * count * (starts || likely ? 1 : count);
  k.f.if(
    apply('i32.ge_s', length, i32(enough)),
    () => {
      if (starts) interleaved(tile, starts);
      else if (winner) findWinner(tile, winner);
      else if (likely) hopefully(tile, likely);
      else inStrips(tile);
    },
    () => singly(tile, i32(0)),
  );
}

/** Rounds of the inner loop between two flushes of a sum. */
const BLOCK = 32;

function interleaved(tile: Tile, starts: readonly number[]): void {
  const { k, step, inputs, length } = tile;
  const { f } = k;
  const types = componentTypes(step.operator);
  const count = vectorLanes.count(k);
  const many = tile.unrolled * count;
  const isSum = starts.map((start) => Object.is(start, -0));
  const start = starts.map((value, i) => vectorConstant(k.precision, { type: types[i]!, value }));
  const [first, ...others] = Array.from({ length: tile.unrolled }, () => start.map((value) => f.keep(value))) as [
    Local[],
    ...Local[][],
  ];
  const blocks = start.map((value, i) => (isSum[i] ? f.keep(value) : undefined));
  const lows = starts.map((value, i) => (value === 1 && types[i] === 'real' ? f.keep(start[i]!) : undefined));
  /** What a product has been at least. */
  const watch = (set: readonly Local[]) =>
    lows.forEach((low, i) => {
      const size = apply(`${realShape(k.precision)}.abs`, get(set[i]!));
      if (low) f.set(low, apply(`${realShape(k.precision)}.pmin`, get(low), size));
    });
  const combine = (into: readonly Local[], values: readonly Expression[]) =>
    setAll(k, into, emitFunction(k, step.operator.combine, [...into.map(get), ...values], vectorLanes));
  const advance = advanceBy(k, step);
  const flush = () => {
    for (const set of others) {
      combine(first, set.map(get));
      watch(first);
      setAll(k, set, start);
    }
    first.forEach((local, i) => {
      const block = blocks[i];
      if (!block) return;
      f.set(block, apply(`${realShape(k.precision)}.add`, get(block), get(local)));
      f.set(local, start[i]!);
    });
  };

  const readers = vectorReaders(k, inputs);
  const place = f.keep(i32(0));
  const end = f.keep(apply('i32.sub', length, i32(many - 1)));
  f.loop((nextBlock) => {
    const blockEnd = f.keep(minimum(k, add(get(place), i32(BLOCK * many)), get(end)));
    f.loop((repeat) => {
      [first, ...others].forEach((set, u) => {
        advance(
          set,
          readers.map((reader) => reader(u * count)),
        );
        watch(set);
      });
      for (const { along, stride } of inputs) f.increase(along.at, k.size(sizeMultiply(stride, many), along.unit));
      f.increase(place, i32(many));
      f.branchIf(repeat, apply('i32.lt_s', get(place), get(blockEnd)));
    });
    flush();
    f.branchIf(nextBlock, apply('i32.lt_s', get(place), get(end)));
  });
  const lanes = lanesOf(
    k,
    types,
    first.map((local, i) => blocks[i] ?? local),
  );
  const least = lanesOf(
    k,
    types,
    lows.map((low, i) => low ?? first[i]!),
  );
  join(tile, lanes, get(place), (sums) => areNormal(k, step.operator, [...least, ...sums]));
  settleZeros(tile, starts);
}

export function vectorElement(k: Kernel, { prologue }: Combining, inputs: readonly Expression[]): Expression[] {
  return prologue ? emitFunction(k, prologue, inputs, vectorLanes) : inputs.map((input) => get(k.f.keep(input)));
}

/** The values that a vector of each component holds, lane by lane. */
function lanesOf(k: Kernel, types: readonly ElementType[], vectors: readonly Local[]): Local[][] {
  return Array.from({ length: vectorLanes.count(k) }, (_, lane) =>
    vectors.map((vector, i) => k.f.keep(laneOf(k, types[i]!, get(vector), lane))),
  );
}

/** Combines the element at so many points into vectors of totals. */
function advanceBy(k: Kernel, step: Combining): (totals: readonly Local[], inputs: readonly Expression[]) => void {
  const fn = advancing(step);
  return (totals, inputs) => setAll(k, totals, emitFunction(k, fn, [...totals.map(get), ...inputs], vectorLanes));
}

function setAll(k: Kernel, locals: readonly Local[], values: readonly Expression[]): void {
  locals.forEach((local, i) => k.f.set(local, values[i]!));
}

function zero(k: Kernel): Expression {
  return constant(k.precision, { type: 'real', value: 0 });
}

/**
 * The lanes in their order, then the elements from `first` on; if anything is in doubt, all elements from end to end.
 * `certain`: of the lanes, and of the totals up to each.
 */
function join(
  tile: Tile,
  lanes: readonly (readonly Local[])[],
  first: Expression,
  isCertain: (sums: readonly (readonly Local[])[]) => Expression | undefined,
): void {
  const { k, total } = tile;
  const sums = lanes.map((values) => {
    accumulate(k, total, values.map(get));
    return total.components.map((component) => k.f.keep(get(component)));
  });
  singly(tile, first);
  const certain = isCertain(sums);
  if (!certain) return;
  k.f.if(apply('i32.eqz', certain), () => {
    reset(k, total);
    singly(tile, i32(0));
  });
}

/** Of neighbouring strips: each join by itself. */
function stripsAreCertain({ k, step }: Tile, strips: readonly (readonly Local[])[]) {
  return (sums: readonly (readonly Local[])[]): Expression | undefined =>
    sums
      .slice(1)
      .map((sum, i) => beyondDoubt(k, step.operator, [sums[i] ?? [], strips[i + 1] ?? [], sum]))
      .reduce((all, next) => all && next && apply('i32.and', all, next));
}

/** Of minima and maxima that are zero, the first zero of the tile: -0 and 0 tie, and lanes do not know which was first. */
function settleZeros({ k, step, total, inputs, length }: Tile, starts: readonly number[]): void {
  const { f } = k;
  const types = componentTypes(step.operator);
  const isZero = (value: Expression) => apply(`${k.precision}.eq`, value, zero(k));
  starts.forEach((start, i) => {
    if (types[i] !== 'real' || Number.isFinite(start)) return;
    const component = total.components[i]!;
    f.if(isZero(get(component)), () =>
      f.block((found) =>
        forLine(k, length, inputs, () => {
          const values = inputs.map(({ along }) => read(k, along));
          const value = get(f.keep(elementOf(k, step, values)[i]!));
          f.if(isZero(value), () => {
            f.set(component, value);
            f.branch(found);
          });
        }),
      ),
    );
  });
}

/** Two totals of two components hide what a multiplication takes. */
const HOPEFULLY_UNROLLED = 2;
/** Rounds of the inner loop between two looks at what was hoped for. */
const HOPEFUL_BLOCK = 64;

function hopefully(tile: Tile, likely: ScalarFunction): void {
  const { k, step, inputs, length, unrolled } = tile;
  const { f } = k;
  const types = componentTypes(step.operator);
  const count = vectorLanes.count(k);
  const many = unrolled * count;
  const readers = vectorReaders(k, inputs);
  const vector = (u: number) => readers.map((reader) => reader(u * count));
  const sets = Array.from({ length: unrolled }, (_, u) =>
    vectorElement(k, step, vector(u)).map((each) => f.keep(each)),
  );
  const place = f.keep(i32(0));
  const onward = () => {
    for (const { along, stride } of inputs) f.increase(along.at, k.size(sizeMultiply(stride, many), along.unit));
    f.increase(place, i32(many));
  };
  onward();
  const walk = [...sets.flat(), place, ...inputs.map(({ along }) => along.at)];
  const end = f.keep(apply('i32.sub', length, i32(many - 1)));
  const advance = advanceBy(k, step);

  f.loop((nextBlock) => {
    const before = walk.map((local) => get(f.keep(get(local))));
    const blockEnd = f.keep(minimum(k, add(get(place), i32(HOPEFUL_BLOCK * many)), get(end)));
    const rounds = (combine: (set: readonly Local[], values: readonly Expression[]) => void) =>
      f.loop((repeat) => {
        sets.forEach((set, u) => combine(set, vector(u)));
        onward();
        f.branchIf(repeat, apply('i32.lt_s', get(place), get(blockEnd)));
      });
    const right = f.keep(vectorConstant(k.precision, { type: 'bool', value: 1 }));
    rounds((set, values) => {
      const results = emitFunction(k, likely, [...set.map(get), ...values], vectorLanes);
      setAll(k, set, results.slice(0, -1));
      f.set(right, apply('v128.and', get(right), results.at(-1)!));
    });
    f.if(apply('i32.eqz', apply('i32x4.all_true', get(right))), () => {
      setAll(k, walk, before);
      rounds(advance);
    });
    f.branchIf(nextBlock, apply('i32.lt_s', get(place), get(end)));
  });
  const lanes = sets.flatMap((set) => lanesOf(k, types, set));
  join(tile, lanes, get(place), stripsAreCertain(tile, lanes));
}

function inStrips(tile: Tile): void {
  const { k, step, inputs, length, unrolled } = tile;
  const { f } = k;
  const types = componentTypes(step.operator);
  const count = vectorLanes.count(k);
  const strips = unrolled * count;
  const blocks = f.keep(apply('i32.shr_u', length, i32(Math.log2(strips * count))));
  const each = get(f.keep(apply('i32.mul', get(blocks), i32(count))));
  const readers = blockReaders(k, inputs, each);
  /** What the inputs are at the places of a block. */
  const block = (vector: number): Expression[][] => {
    const columns = readers.map((reader) => reader(vector));
    return Array.from({ length: count }, (_, place) => columns.map((column) => column[place]!));
  };
  const onward = () => {
    for (const { along, stride } of inputs) f.increase(along.at, k.size(sizeMultiply(stride, count), along.unit));
  };
  const advance = advanceBy(k, step);

  const sets = Array.from({ length: unrolled }, (_, vector) => {
    const [first, ...rest] = block(vector) as [Expression[], ...Expression[][]];
    const set = vectorElement(k, step, first).map((value) => f.keep(value));
    for (const values of rest) advance(set, values);
    return set;
  });
  onward();
  const left = f.keep(apply('i32.sub', get(blocks), i32(1)));
  f.loop((repeat) => {
    sets.forEach((set, vector) => block(vector).forEach((values) => advance(set, values)));
    onward();
    f.increase(left, i32(-1));
    f.branchIf(repeat, get(left));
  });
  const lanes = sets.flatMap((set) => lanesOf(k, types, set));
  join(tile, lanes, apply('i32.mul', each, i32(strips)), stripsAreCertain(tile, lanes));
}
