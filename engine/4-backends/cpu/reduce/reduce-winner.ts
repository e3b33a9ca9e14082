/**
 * The lifted minimum and maximum of a tile, (index, value) with the smallest index of all that attain it: first the value
 * alone, then the first element that is it. Where indices ascend, that is the one with the smallest. The second look finds
 * the tile in a cache, and together they cost a fraction of carrying an index beside each value.
 */
import { sizeMultiply } from '../../../0-ir/sizes.ts';
import { restrictFunction } from '../../../1-optimize/scalar/edit-function.ts';
import { read, type Line } from '../walk/access.ts';
import { accumulate, elementOf, type Combining } from '../combine/combining.ts';
import { winnerOperator, type Winner } from '../combine/known-operators.ts';
import { onePoint, vectorLanes } from '../scalar/lanes.ts';
import { singly, type Tile } from './tile.ts';
import { vectorReaders } from '../walk/vector-access.ts';
import { emitFunction } from '../scalar/scalar-function.ts';
import { laneOf, realShape } from '../scalar/vector.ts';
import { apply, get, i32, type Expression, type Local } from '../wasm/expression.ts';

/** Which of them a step is, if it is one and its indices ascend. */
export function winnerOf({ operator, prologue }: Combining, inputs: readonly Line[]): Winner | undefined {
  const which = winnerOperator(operator);
  if (!which) return undefined;
  const result = prologue?.body.results[0];
  const at = prologue ? prologue.parameters.findIndex(({ id }) => result?.kind === 'variable' && result.id === id) : 0;
  const index = inputs[at];
  const ascends = index?.item.element === 'index' && typeof index.stride === 'number' && index.stride > 0;
  return ascends ? which : undefined;
}

/** Vectors in a round. */
const ROUND = 4;

/** Elements that a tile must have. */
export function leastForWinner(count: number): number {
  return ROUND * count;
}

export function findWinner(tile: Tile, which: Winner): void {
  const { k, step, total, inputs, length } = tile;
  const { f } = k;
  const { prologue } = step;
  const count = vectorLanes.count(k);
  const many = ROUND * count;
  const shape = realShape(k.precision);
  const valueOf = prologue && restrictFunction(prologue, [...prologue.parameters.keys()], [1]);
  const readers = vectorReaders(k, valueOf ? inputs : inputs.slice(1));
  const values = (ahead: number): Expression => {
    const read = readers.map((reader) => reader(ahead));
    return get(f.keep((valueOf ? emitFunction(k, valueOf, read, vectorLanes) : read)[0]!));
  };
  const place = f.keep(i32(0));
  const advance = (places: number) => {
    for (const { along, stride } of inputs) f.increase(along.at, k.size(sizeMultiply(stride, places), along.unit));
    f.increase(place, i32(places));
  };
  const better = (a: Local, b: Expression) => f.set(a, vectorLanes.operation(k, which, 'real', [get(a), b]));

  const end = get(f.keep(apply('i32.and', length, i32(-many))));
  for (const { item, along } of inputs) f.set(along.at, get(item.at));
  const best = Array.from({ length: ROUND }, (_, u) => f.keep(values(u * count)));
  advance(many);
  f.block((leave) => {
    f.loop((repeat) => {
      f.branchIf(leave, apply('i32.ge_s', get(place), end));
      best.forEach((one, u) => better(one, values(u * count)));
      advance(many);
      f.branch(repeat);
    });
  });
  const [first, ...others] = best as [Local, ...Local[]];
  for (const other of others) better(first, get(other));
  const lanes = Array.from({ length: count }, (_, lane) => get(f.keep(laneOf(k, 'real', get(first), lane))));
  const winner = lanes.reduce((a, b) => get(f.keep(onePoint.operation(k, which, 'real', [a, b]))));

  // The first that is it, or the first that is no number as it is none.
  const all = get(f.keep(vectorLanes.spread(k, 'real', winner)));
  const isNone = get(f.keep(apply(`${shape}.ne`, all, all)));
  for (const { item, along } of inputs) f.set(along.at, get(item.at));
  f.loop((repeat) => {
    const here = values(0);
    const hit = apply(
      'v128.or',
      apply(`${shape}.eq`, here, all),
      apply('v128.and', isNone, apply(`${shape}.ne`, here, here)),
    );
    f.if(apply('i32.eqz', apply('v128.any_true', hit)), () => {
      advance(count);
      f.branch(repeat);
    });
  });
  const { precision } = k;
  f.loop((repeat) => {
    const element = elementOf(
      k,
      step,
      inputs.map(({ along }) => read(k, along)),
    ).map((value) => get(f.keep(value)));
    const value = element[1]!;
    const hit = apply(
      'i32.or',
      apply(`${precision}.eq`, value, winner),
      apply('i32.and', apply(`${precision}.ne`, winner, winner), apply(`${precision}.ne`, value, value)),
    );
    f.if(
      hit,
      () => accumulate(k, total, element),
      () => {
        advance(1);
        f.branch(repeat);
      },
    );
  });
  singly(tile, end);
}
