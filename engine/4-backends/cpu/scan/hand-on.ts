/**
 * A scan of several tiles, in one pass over memory: a chained scan, which looks back at one tile. A tile takes up the carry of
 * the one before it, which stands in the step's shared scratch, and leaves its own there. Threads take tiles in order, so
 * the one waited for is being worked on.
 *
 * Where the operator costs next to nothing, a tile is first reduced (which brings it into the cache), so that its
 * successor can begin while it is being scanned. One in strips (strip-scan.ts) knows its total before it is carried on, too.
 * Otherwise the carry comes from the scan itself. Which it is does not depend on the number of threads, and so no result does.
 */
import type { ScanStep } from '../../../3-plan/plan.ts';
import { read, type Line } from '../walk/access.ts';
import {
  accumulate,
  elementOf,
  newAccumulator,
  reset,
  restore,
  slotBytes,
  spill,
  type Accumulator,
} from '../combine/combining.ts';
import { status } from '../fault.ts';
import { beyondDoubt, isSimple, slotBefore, slotCursor, tileSlots } from '../combine/joins.ts';
import type { Kernel } from '../kernel.ts';
import { STOP_AT } from '../parameters.ts';
import { elementsAlong, tileExtent, type Pass } from '../combine/passes.ts';
import type { Phases } from '../phases.ts';
import { reduceVectors } from '../reduce/reduce-vectors.ts';
import type { Tiling } from '../tiles.ts';
import { add, apply, get, i32, i64, load, type Expression, type Local } from '../wasm/expression.ts';

interface HandOn {
  readonly step: ScanStep;
  readonly tiling: Tiling;
  readonly flags: Line | undefined;
  /** Whether items go one by one, so that a tile can be reduced ahead. */
  readonly isAlong: boolean;
}

export function handOn(phases: Phases, k: Kernel, pass: Pass, { step, tiling, flags, isAlong }: HandOn): Pass {
  const { f } = k;
  const { total } = pass;
  const { operator } = step;
  const readyAt = slotBytes(total);
  const slots = tileSlots(phases, step.domain, step.axis, tiling, readyAt + 8);
  k.cleared = slots.cleared;
  const slot = slotCursor(k, slots);
  const extent = tileExtent(k, step, tiling);
  const joinsAhead = isAlong && isSimple(operator);
  k.sharing = joinsAhead || pass.staged ? 'ascending' : 'in turn';

  const takeUp = () => restore(k, total, slotBefore(k, slot));
  const publish = (carry: Accumulator = total) => {
    spill(k, carry, slot.at);
    f.store('i32.atomic.store', get(slot.at), i32(1), readyAt);
    f.keep(apply('memory.atomic.notify', add(get(slot.at), i32(readyAt)), i32(1)));
  };
  const begin = () => {
    pass.begin();
    f.if(get(extent.first.at), () => {
      waitFor(k, slotBefore(k, slot), readyAt);
      takeUp();
    });
  };
  const results = [...pass.results, slot, extent.first];
  const published = f.local('i32');
  if (pass.staged)
    return {
      ...pass,
      results,
      begin() {
        f.set(published, i32(0));
        begin();
      },
      early(carry) {
        publish(carry);
        f.set(published, i32(1));
      },
      end: () => f.if(apply('i32.eqz', get(published)), () => publish()),
    };
  if (!joinsAhead) return { ...pass, results, begin, end: () => publish() };

  const ahead = reduceAhead(k, step, pass, flags, extent);
  return {
    ...pass,
    results,
    begin() {
      ahead.reduce();
      begin();
      f.set(published, ahead.join());
      f.if(get(published), () => publish());
      pass.begin();
      f.if(get(extent.first.at), takeUp);
    },
    end: () => f.if(apply('i32.eqz', get(published)), () => publish()),
  };
}

interface Ahead {
  reduce(): void;
  /** Combines the carry in the pass's total with the tile; whether the result counts. */
  join(): Expression;
}

function reduceAhead(
  k: Kernel,
  step: ScanStep,
  { total, inputs }: Pass,
  flags: Line | undefined,
  extent: Parameters<typeof elementsAlong>[2],
): Ahead {
  const { f } = k;
  const { operator } = step;
  const part = newAccumulator(k, operator, false);
  /** Whether a flag within the tile keeps the carry from its end. */
  const cut = flags && f.local('i32');
  return {
    reduce() {
      reset(k, part);
      if (!flags) {
        reduceVectors(k, step, part, inputs, get(f.keep(extent.length())));
        return;
      }
      if (cut) f.set(cut, i32(0));
      elementsAlong(
        k,
        {
          inputs,
          others: flags ? [flags] : [],
          point(values) {
            if (flags && cut)
              f.if(read(k, flags.along), () => {
                reset(k, part);
                f.set(cut, i32(1));
              });
            accumulate(k, part, elementOf(k, step, values));
          },
        },
        extent,
      );
    },
    join() {
      if (cut) f.if(get(cut), () => reset(k, total));
      const carry = total.components.map((component) => f.keep(get(component)));
      accumulate(k, total, part.components.map(get));
      return beyondDoubt(k, operator, [carry, part.components, total.components]) ?? i32(1);
    },
  };
}

/**
 * Looks so often, as long as a tile or two take, before it lets go of the processor, which the thread waited for may need.
 * To be woken takes longer than to look; of the pauses, so many nanoseconds each, most end sooner. After a minute it gives up.
 */
const LOOKS = 4096;
const PAUSE = 1_000_000;
const MOST_PAUSES = 60e9 / PAUSE;

/** Until the word is set; leaves the kernel where the run is being stopped, or the thread waited for must have died. */
function waitFor(k: Kernel, address: Local, offset: number): void {
  const { f } = k;
  const [looks, pauses] = [f.keep(i32(0)), f.keep(i32(0))];
  const isReady = () => load('i32.atomic.load', get(address), offset);
  const pause = () => {
    const isStopped = load('i32.atomic.load', i32(STOP_AT));
    const isLost = apply('i32.gt_s', get(pauses), i32(MOST_PAUSES));
    f.if(apply('i32.or', isStopped, isLost), () => f.return(i32(status.stopped)));
    f.keep(apply('memory.atomic.wait32', add(get(address), i32(offset)), i32(0), i64(BigInt(PAUSE))));
    f.increase(pauses);
    f.set(looks, i32(0));
  };
  f.block((leave) => {
    f.loop((repeat) => {
      f.branchIf(leave, isReady());
      f.increase(looks);
      f.if(apply('i32.gt_s', get(looks), i32(LOOKS)), pause);
      f.branch(repeat);
    });
  });
}
