import { componentTypes } from '../../0-ir/operators.ts';
import type { ScalarFunction, ScalarOperand } from '../../0-ir/scalar.ts';
import type { Size } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import { readParameters } from '../../1-optimize/scalar/dead-code.ts';
import { selectResults } from '../../1-optimize/scalar/edit-function.ts';
import type { HistogramStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, readAt, sourceCursor, writeAt } from './access.ts';
import { advancing, constants, elementOf, exactStart } from './combining.ts';
import { emitTables, histogramTiling } from './histogram-tables.ts';
import { forItems, forLine, lineReaders } from './items.ts';
import type { Kernel } from './kernel.ts';
import { likelyPart } from './likely.ts';
import type { Phases } from './phases.ts';
import { constant } from './representation.ts';
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

  const whole = advancing(step);
  const likely = likelyPart(whole);

  const addElement = (key: Local, values: readonly Expression[]) => {
    const places = outputs.map(({ item, stride }) =>
      f.keep(add(get(item.at), apply('i32.mul', get(key), k.size(stride, item.unit)))),
    );
    const store = (which: readonly number[], results: readonly Expression[]) =>
      which.forEach((i, at) => writeAt(k, types[i] ?? 'real', get(places[i] as Local), results[at] as Expression));
    /** Of the contents, only what is read is loaded, and only what may change is written. */
    const advance = (fn: ScalarFunction) => {
      const changed = places.flatMap((_, i) => (sameVariable(fn.body.results[i], fn.parameters[i]) ? [] : [i]));
      const last = fn.body.results.length > places.length ? [places.length] : [];
      const needed = selectResults(fn, [...changed, ...last]);
      const isRead = readParameters(needed);
      const contents = places.map((place, i) => {
        const type = types[i] ?? 'real';
        return isRead[i] ? readAt(k, type, get(place)) : constant(k.precision, { type, value: 0 });
      });
      const results = emitFunction(k, needed, [...contents, ...values]);
      return { right: results[changed.length], store: () => store(changed, results) };
    };
    const combine = () => {
      const hoped = likely && advance(likely);
      if (hoped?.right) f.if(hoped.right, hoped.store, () => advance(whole).store());
      else advance(whole).store();
    };
    if (!filled) return combine();
    const flag = f.keep(add(filled, get(key)));
    f.if(load('i32.load8_u', get(flag)), combine, () => {
      f.store('i32.store8', get(flag), i32(1));
      store([...places.keys()], elementOf(k, step, values));
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
          addElement(
            key,
            readers.map((reader) => get(f.keep(reader()))),
          );
        });
      });
    },
  );
}

function sameVariable(a: ScalarOperand | undefined, b: ScalarOperand | undefined): boolean {
  return a?.kind === 'variable' && b?.kind === 'variable' && a.id === b.id;
}
