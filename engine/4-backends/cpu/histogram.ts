import { componentTypes } from '../../0-ir/operators.ts';
import type { Size } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { HistogramStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, readAt, sourceCursor, writeAt } from './access.ts';
import { constants, elementOf, exactStart } from './combining.ts';
import { emitTables, histogramTiling } from './histogram-tables.ts';
import { forItems, forLine, lineReaders } from './items.ts';
import type { Kernel } from './kernel.ts';
import type { Phases } from './phases.ts';
import { emitFunction } from './scalar-function.ts';
import { add, apply, get, i32, load, type Expression, type Local } from './wasm/expression.ts';

/**
 * outputs[key] = initial[key] ⊙ x ⊙ …, over the elements with that key in their order. The bins are the accumulators;
 * without initial contents a byte for each says whether it has an element yet.
 */
export function emitHistogram(phases: Phases, step: HistogramStep): void {
  const tiling = histogramTiling(phases, step);
  const whole = phases.next();
  emitWhole(whole, step);
  if (tiling.count === 1) return;
  whole.only = { tiles: tiling.count, are: 'one' };
  emitTables(phases, step, tiling);
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
  const filled = initial || start ? undefined : k.scratch(step.bins);
  const lines = [...inputs, keys, ...outputs, ...initials];

  const clearBins = () =>
    forLine(k, bins, [...outputs, ...initials], (bin) => {
      const contents = initial
        ? initials.map((line) => read(k, line.along))
        : constants(k, operator, start ?? operator.neutral);
      outputs.forEach(({ along }, i) => writeAt(k, types[i] ?? 'real', get(along.at), contents[i] as Expression));
      if (filled) f.store('i32.store8', add(filled, get(bin)), i32(0));
    });

  const addElement = (key: Local, values: readonly Expression[]) => {
    const places = outputs.map(({ item, stride }) =>
      f.keep(add(get(item.at), apply('i32.mul', get(key), k.size(stride, item.unit)))),
    );
    const store = (results: readonly Expression[]) =>
      places.forEach((place, i) => writeAt(k, types[i] ?? 'real', get(place), results[i] as Expression));
    const combine = () => {
      const contents = places.map((place, i) => readAt(k, types[i] ?? 'real', get(place)));
      store(emitFunction(k, operator.combine, [...contents, ...values]));
    };
    if (!filled) return combine();
    const flag = f.keep(add(filled, get(key)));
    f.if(load('i32.load8_u', get(flag)), combine, () => {
      f.store('i32.store8', get(flag), i32(1));
      store(values);
    });
  };

  forItems(
    k,
    withoutAxis(step.domain, batch),
    lines.map((line) => line.item),
    () => {
      clearBins();
      const readers = lineReaders(k, inputs);
      forLine(k, k.size(step.domain[batch] as Size), [...inputs, keys], () => {
        const key = f.keep(read(k, keys.along));
        // Unsigned, so that a negative key is out of range too.
        f.if(apply('i32.lt_u', get(key), bins), () => {
          const element = elementOf(
            k,
            step,
            readers.map((reader) => reader()),
          );
          addElement(key, element);
        });
      });
    },
  );
}
