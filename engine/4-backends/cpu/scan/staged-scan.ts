/**
 * A tile scanned with all that does not wait for the element before in vectors. In three stages of a block: the prologue,
 * into scratch; the operator, from scratch to scratch, in strips (strip-scan.ts) or else element by element, which is the only one that
 * needs the carry of the tile before; the epilogue. So the first and the last run beside those of other tiles.
 */
import { arity, componentTypes } from '../../../0-ir/operators.ts';
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import type { Size } from '../../../0-ir/sizes.ts';
import { identityFunction } from '../../../0-ir/scalar-builder.ts';
import { restrictFunction, selectResults } from '../../../1-optimize/scalar/edit-function.ts';
import type { ScanStep } from '../../../3-plan/plan.ts';
import { read, writeAt, type Line } from '../walk/access.ts';
import {
  blockLength,
  directionOf,
  movableLines,
  moveLines,
  scratchBytes,
  scratchLines,
  type Written,
} from '../walk/blocks.ts';
import { mapLine } from '../map/map-line.ts';
import { combinablePart, shownComponents, type CarriedPart } from '../combine/carried-part.ts';
import { accumulate, reset, type Accumulator } from '../combine/combining.ts';
import { forLine, minimum } from '../walk/items.ts';
import type { Kernel } from '../kernel.ts';
import type { TileCarry } from '../combine/passes.ts';
import { constant } from '../representation.ts';
import { stripElements, stripScratch, type Strips } from './strip-layout.ts';
import { stripBlock } from './strip-scan.ts';
import { vectorCount } from '../scalar/vector.ts';
import { add, apply, get, i32, select, type Expression } from '../wasm/expression.ts';

/** The stages beside the operator's: functions, and the components that the first makes and the last reads. */
export interface Stages {
  readonly before: { readonly fn: ScalarFunction; readonly components: readonly number[] };
  readonly after: { readonly fn: ScalarFunction; readonly components: readonly number[] };
  /** Elements in a block. */
  readonly block: number;
}

/** `block`: elements in a block, where that is decided. */
export function stagesOf(step: ScanStep, part: CarriedPart, block?: number): Stages {
  const { operator, outputs } = step;
  const types = componentTypes(operator);
  // Elements go through scratch in any case: memory is fastest from end to end.
  const prologue = step.prologue ?? identityFunction(types);
  const epilogue = step.epilogue?.function ?? selectResults(identityFunction(types), indices(outputs.length));
  const wanted = new Set([...part.kept, ...part.right, ...combinablePart(operator, part).kept]);
  const made = indices(types.length).filter((i) => wanted.has(i));
  const shown = shownComponents(step, part);
  const own = indices(step.epilogue?.inputs.length ?? 0).map((i) => arity(operator) + i);
  return {
    before: { fn: restrictFunction(prologue, indices(prologue.parameters.length), made), components: made },
    after: {
      fn: restrictFunction(epilogue, [...shown, ...own], indices(epilogue.body.results.length)),
      components: shown,
    },
    block: block ?? blockLength(made.length + shown.length),
  };
}

function indices(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

export interface StagedTile {
  readonly step: ScanStep;
  readonly stages: Stages;
  /** Where blocks may go in strips; and the number of tiles. */
  readonly strips: Strips | undefined;
  readonly tiles: Size;
  readonly part: CarriedPart;
  readonly total: Accumulator;
  readonly flags: Line | undefined;
  readonly inputs: readonly Line[];
  /** The epilogue's. */
  readonly after: readonly Line[];
  readonly outputs: readonly Written[];
}

/** `begin` gives the total what the tile begins with, `end` hands on what it ends with. */
export function scanInStages(k: Kernel, tile: StagedTile, length: Expression, carry: TileCarry): void {
  const { f } = k;
  const { stages, inputs, flags, after, outputs } = tile;
  const stage = chainStage(k, tile);
  const outputLines = outputs.map(({ line }) => line);
  const all = [...inputs, ...(flags ? [flags] : []), ...after, ...outputLines];
  const moving = movableLines(k, all);
  const at = (group: readonly Line[]) => group.map((line) => moving[all.indexOf(line)]!);
  const [ins, beside] = [at(inputs), at(after)];
  const outs = at(outputLines).map((line, i): Written => ({ line, type: outputs[i]!.type }));

  const place = f.keep(i32(0));
  f.block((leave) => {
    f.loop((repeat) => {
      f.branchIf(leave, apply('i32.ge_s', get(place), length));
      const places = get(f.keep(minimum(k, i32(stages.block), apply('i32.sub', length, get(place)))));
      mapLine(k, stages.before.fn, ins, stage.made, places);
      stage.run({
        flags: flags && at([flags])[0],
        places,
        isAtStart: get(f.keep(apply('i32.eqz', get(place)))),
        isAtEnd: get(f.keep(apply('i32.eq', add(get(place), places), length))),
        carry,
      });
      mapLine(k, stages.after.fn, [...stage.shown.map(({ line }) => line), ...beside], outs, places);
      moveLines(k, moving, places);
      f.increase(place, places);
      f.branch(repeat);
    });
  });
}

/** A block of a tile, as the operator's stage sees it. */
interface Block {
  readonly flags: Line | undefined;
  readonly places: Expression;
  readonly isAtStart: Expression;
  readonly isAtEnd: Expression;
  readonly carry: TileCarry;
}

/** The operator's stage, and the lines of scratch around it. */
function chainStage(k: Kernel, tile: StagedTile) {
  const { f } = k;
  const { step, stages, strips, part, total } = tile;
  const types = componentTypes(step.operator);
  const typesOf = (components: readonly number[]) => components.map((i) => types[i]!);
  const before = typesOf(stages.before.components);
  const kept = [...before, ...typesOf(stages.after.components)];
  const stageBytes = scratchBytes(kept.length, stages.block);
  const stripTile = strips && { step, strips, part, total };
  const base = k.scratch(stageBytes + (stripTile ? stripScratch(stripTile, k.precision) : 0));
  const direction = directionOf([...tile.inputs, ...tile.after, ...tile.outputs.map(({ line }) => line)]);
  const scratch = scratchLines(k, kept, stages.block, base, direction);
  const inStrips = stripTile && stripBlock(k, stripTile, add(base, i32(stageBytes)));
  const [made, shown] = [scratch.slice(0, before.length), scratch.slice(before.length)];
  const elements = made.map(({ line }) => line);
  const present = stages.before.components;

  /** Of the places from `from` to `until` one after the other. */
  const singly = ({ flags }: Block, from: Expression, until: Expression) => {
    const lines = [...elements, ...(flags ? [flags] : []), ...shown.map(({ line }) => line)];
    const ahead = movableLines(k, lines);
    moveLines(k, ahead, from);
    forLine(k, get(f.keep(apply('i32.sub', until, from))), ahead, () => {
      if (flags) f.if(read(k, flags.along), () => reset(k, total));
      const values = elements.map(({ along }) => get(f.keep(read(k, along))));
      const show = () =>
        shown.forEach(({ line, type }, i) => {
          const component = stages.after.components[i]!;
          writeAt(k, type, get(line.along.at), get(total.components[part.kept.indexOf(component)]!));
        });
      if (step.exclusive) show();
      // Of components that are not at hand nothing is read.
      accumulate(
        k,
        total,
        types.map((type, i) => values[present.indexOf(i)] ?? constant(k.precision, { type, value: 0 })),
      );
      if (!step.exclusive) show();
    });
  };

  const run = (block: Block) => {
    const { places, isAtStart, isAtEnd, carry } = block;
    if (!strips || !inStrips) {
      f.if(isAtStart, carry.begin);
      singly(block, i32(0), places);
      f.if(isAtEnd, carry.end);
      return;
    }
    const abreast = stripElements(strips, k.precision) / strips.most;
    const lanes = vectorCount(k.precision);
    // Strips go on from what has been combined: the first element of all is taken up by itself.
    const head = get(f.keep(apply('i32.and', isAtStart, carry.isFirst)));
    const each = f.keep(i32(0));
    const sure = f.keep(i32(0));
    const behindHead = (lines: readonly Line[]) => {
      const moved = movableLines(k, lines);
      moveLines(k, moved, head);
      return moved;
    };
    // Strips combine everything twice. Two lanes of f64 gain that back by several threads alone, so not in a single tile.
    const isWorth = lanes > 2 ? i32(1) : apply('i32.gt_s', k.size(tile.tiles), i32(1));
    const isLong = apply('i32.ge_s', apply('i32.sub', places, head), i32(abreast * strips.least));
    f.if(apply('i32.and', isLong, isWorth), () => {
      const fitting = apply('i32.div_u', apply('i32.sub', places, head), i32(abreast * lanes));
      f.set(each, minimum(k, i32(strips.most), apply('i32.mul', fitting, i32(lanes))));
      const ofWhole = strips.whole.kept.map((component) => elements[present.indexOf(component)]!);
      f.set(sure, get(inStrips.combine(behindHead(ofWhole), get(each))));
    });
    f.if(isAtStart, carry.begin);
    const from = f.keep(i32(0));
    const until = f.keep(select(head, places, get(sure)));
    const taken = get(f.keep(apply('i32.mul', get(each), i32(abreast))));
    f.block((leave) => {
      f.loop((repeat) => {
        singly(block, get(from), get(until));
        f.branchIf(leave, apply('i32.ge_s', get(until), places));
        f.set(from, get(until));
        f.set(until, places);
        const isTile = apply('i32.eq', taken, places);
        f.if(apply('i32.and', isTile, apply('i32.and', isAtStart, isAtEnd)), () => {
          const next = inStrips.next();
          f.set(sure, next.isSure);
          f.if(get(sure), () => carry.early?.(next.carry));
        });
        f.if(get(sure), () =>
          f.if(inStrips.carryOn(get(each)), () => {
            f.increase(from, taken);
            inStrips.show(
              behindHead(shown.map(({ line }) => line)).map((line, i) => ({ line, type: shown[i]!.type })),
              get(each),
            );
          }),
        );
        f.branch(repeat);
      });
    });
    f.if(isAtEnd, carry.end);
  };
  return { made, shown, run };
}
