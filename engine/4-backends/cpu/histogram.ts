import { componentTypes } from '../../0-ir/operators.ts';
import { sizeAdd } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { HistogramStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, readAt, sourceCursor, writeAt } from './walk/access.ts';
import { binUpdate, type Bin } from './histogram/bin-update.ts';
import { constants, exactStart } from './combine/combining.ts';
import { emitTables, histogramTiling, wantsTables } from './histogram/histogram-tables.ts';
import { forItems, forLine } from './walk/items.ts';
import { keyedElementBytes, keyedElements } from './histogram/keyed-elements.ts';
import type { Kernel } from './kernel.ts';
import type { Phases } from './phases.ts';
import { add, apply, get, i32, load, type Local } from './wasm/expression.ts';

/**
 * outputs[key] = initial[key] ⊙ x ⊙ …, over the elements with that key in their order. The bins are the accumulators;
 * without initial contents a byte for each says whether it has an element yet.
 */
export function emitHistogram(phases: Phases, step: HistogramStep): void {
  const tiling = histogramTiling(phases, step);
  const always = wantsTables(phases.precision, step);
  if (tiling.count === 1 && !always) return emitWhole(phases.next(), step);
  const doubtAt = emitTables(phases, step, tiling);
  if (always) return;
  const whole = phases.next();
  if (doubtAt === undefined) {
    whole.only = { tiles: tiling.count, are: 'one' };
    emitWhole(whole, step);
    return;
  }
  const isOne = apply('i32.eq', whole.size(tiling.count), i32(1));
  const isDoubtful = load('i32.load', whole.shared(doubtAt));
  whole.f.if(apply('i32.or', isOne, isDoubtful), () => emitWhole(whole, step));
}

function emitWhole(k: Kernel, step: HistogramStep): void {
  const { f } = k;
  const { operator, batch, initial } = step;
  const types = componentTypes(operator);
  const bins = k.size(step.bins);
  const inputs = step.inputs.map((source) => lineOf(k, sourceCursor(k, source), batch));
  // Keys do not know the trailing axes.
  const trailing = step.domain.slice(batch + 1).map(() => 0);
  const keySource = { ...step.keys, strides: [...step.keys.strides, ...trailing] };
  const keys = lineOf(k, sourceCursor(k, keySource), batch);
  const outputs = step.outputs.map((access, i) => lineOf(k, accessCursor(k, access, types[i] ?? 'real'), batch));
  const initials = (initial ?? []).map((source) => lineOf(k, sourceCursor(k, source), batch));
  const start = initial ? undefined : exactStart(operator, true);
  const bytesOfElements = keyedElementBytes(step);
  const scratch = k.scratch(sizeAdd(bytesOfElements, initial || start ? 0 : step.bins));
  const elements = keyedElements(k, step, inputs, bytesOfElements > 0 ? scratch : undefined);
  const filled = initial || start ? undefined : add(scratch, i32(bytesOfElements));
  const lines = [...inputs, keys, ...outputs, ...initials];

  const clearBins = () =>
    forLine(k, bins, [...outputs, ...initials], (bin) => {
      const contents = initial
        ? initials.map((line) => read(k, line.along))
        : constants(k, operator, start ?? operator.neutral);
      outputs.forEach(({ along }, i) => writeAt(k, types[i] ?? 'real', get(along.at), contents[i]!));
      if (filled) f.store('i32.store8', add(filled, get(bin)), i32(0));
    });

  const binOf = (key: Local): Bin => {
    const places = outputs.map(({ item, stride }) =>
      f.keep(add(get(item.at), apply('i32.mul', get(key), k.size(stride, item.unit)))),
    );
    const typeOf = (i: number) => types[i] ?? 'real';
    const flag = filled && f.keep(add(filled, get(key)));
    return {
      read: (i) => readAt(k, typeOf(i), get(places[i]!)),
      write: (i, value) => writeAt(k, typeOf(i), get(places[i]!), value),
      mark: flag ? { is: load('i32.load8_u', get(flag)), set: () => f.store('i32.store8', get(flag), i32(1)) } : null,
    };
  };
  const update = binUpdate(k, elements.taken, filled !== undefined);

  forItems(
    k,
    withoutAxis(step.domain, batch),
    lines.map((line) => line.item),
    () => {
      clearBins();
      const length = k.size(step.domain[batch]!);
      elements.forEach({ length, keys, bins, bin: binOf }, update);
    },
  );
}
