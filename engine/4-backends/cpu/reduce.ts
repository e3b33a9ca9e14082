import { componentTypes } from '../../0-ir/operators.ts';
import type { ReduceStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, sourceCursor, write, type Cursor } from './walk/access.ts';
import {
  accumulate,
  accumulateVectors,
  elementOf,
  neutralOf,
  newAccumulator,
  reset,
  restore,
  slotBytes,
  spill,
  type Accumulator,
} from './combine/combining.ts';
import { forItems } from './walk/items.ts';
import { beyondDoubt, slotBefore, slotCursor, tileSlots, type TileSlots } from './combine/joins.ts';
import { areLongSums, joinSums } from './reduce/join-sums.ts';
import type { Kernel } from './kernel.ts';
import {
  elementsAlong,
  passAcross,
  passAlong,
  runsAcross,
  tiledItems,
  tiledLine,
  tiledShape,
  tileExtent,
  tilesOf,
  type Pass,
} from './combine/passes.ts';
import type { Phases } from './phases.ts';
import { reduceVectors, vectorElement } from './reduce/reduce-vectors.ts';
import type { Tiling } from './tiles.ts';
import { apply, get, i32, select, type Expression } from './wasm/expression.ts';

/** Elements of a tile: a multiple of the blocks in which sums are added up. */
const TILE = 128 * 128;

/**
 * outputs[item] = x₀ ⊙ x₁ ⊙ … ⊙ xₙ₋₁, the neutral element for n = 0. Tiles of a long axis are reduced in any order, then
 * joined in theirs.
 */
export function emitReduce(phases: Phases, step: ReduceStep): void {
  const tiling = tilesOf(phases, step, TILE);
  const k = phases.next(tiledShape(phases, step, tiling));
  const total = newAccumulator(k, step.operator, false);
  const slots = tileSlots(phases, step.domain, step.axis, tiling, slotBytes(total));
  emitTiles(k, step, tiling, slots, total);
  if (tiling.count !== 1) emitJoins(phases.next(tiledShape(phases, step, tiling)), step, tiling, slots);
}

function emitTiles(k: Kernel, step: ReduceStep, tiling: Tiling, slots: TileSlots, total: Accumulator): void {
  const results = resultCursors(k, step);
  const slot = slotCursor(k, slots);
  const pass: Pass = {
    total,
    inputs: inputLines(k, step, tiling),
    others: [],
    results: tiling.count === 1 ? results : [...results, slot],
    begin: () => reset(k, total),
    point: (inputs) => accumulate(k, total, elementOf(k, step, inputs)),
    end() {
      const finish = () => writeTotal(k, step, results, total);
      if (tiling.count === 1) finish();
      else k.f.if(apply('i32.eq', k.size(tiling.count), i32(1)), finish, () => spill(k, total, slot.at));
    },
  };
  if (runsAcross(step))
    passAcross(k, step, tiling, {
      ...pass,
      points: (totals, inputs, isEmpty) =>
        accumulateVectors(k, step.operator, totals, vectorElement(k, step, inputs), isEmpty),
    });
  else
    passAlong(k, step, tiling, {
      ...pass,
      tile: (length) => reduceVectors(k, step, pass.total, pass.inputs, length),
    });
}

/** Each slot becomes the total up to its tile; the last is the result. */
function emitJoins(k: Kernel, step: ReduceStep, tiling: Tiling, slots: TileSlots): void {
  const { f } = k;
  const { operator } = step;
  k.sharing = 'one';
  k.only = { tiles: tiling.count, are: 'several' };
  const results = resultCursors(k, step);
  if (areLongSums(k.precision, operator)) return joinSums(k, step, tiling, slots, results);
  const slot = slotCursor(k, slots);
  const [carry, part, total] = [0, 1, 2].map(() => newAccumulator(k, operator, false)) as [
    Accumulator,
    Accumulator,
    Accumulator,
  ];
  const inputs = inputLines(k, step, tiling);
  const extent = tileExtent(k, step, tiling);
  const combine = (element: readonly Expression[]) => accumulate(k, total, element);

  const join = () => {
    const before = slotBefore(k, slot);
    restore(k, part, slot.at);
    restore(k, carry, before);
    restore(k, total, before);
    combine(part.components.map(get));
    const certain = beyondDoubt(k, operator, [carry.components, part.components, total.components]);
    if (certain)
      f.if(apply('i32.eqz', certain), () => {
        restore(k, total, before);
        elementsAlong(k, { inputs, others: [], point: (values) => combine(elementOf(k, step, values)) }, extent);
      });
    spill(k, total, slot.at);
  };
  const cursors = [...inputs.map((line) => line.item), ...results, slot, extent.first];
  forItems(k, tiledItems(step, tiling), cursors, () => {
    f.if(get(extent.first.at), join, () => restore(k, total, slot.at));
    const end = apply('i32.add', get(extent.first.at), k.size(tiling.length));
    f.if(apply('i32.ge_s', end, k.size(tiling.axis)), () => writeTotal(k, step, results, total));
  });
}

function writeTotal(k: Kernel, step: ReduceStep, results: readonly Cursor[], total: Accumulator): void {
  const isEmpty = apply('i32.eqz', k.size(step.domain[step.axis]!));
  neutralOf(k, step.operator).forEach((neutral, i) => {
    write(k, results[i]!, select(neutral, get(total.components[i]!), isEmpty));
  });
}

/** Results do not know the tiles. */
function resultCursors(k: Kernel, step: ReduceStep): Cursor[] {
  const types = componentTypes(step.operator);
  return step.outputs.map((access, i) =>
    accessCursor(k, { ...access, strides: [0, ...access.strides] }, types[i] ?? 'real'),
  );
}

function inputLines(k: Kernel, step: ReduceStep, tiling: Tiling) {
  return step.inputs.map((source) => tiledLine(lineOf(k, sourceCursor(k, source), step.axis), tiling));
}
