import { componentTypes } from '../../0-ir/operators.ts';
import type { ScalarFunction } from '../../0-ir/scalar.ts';
import { sizeMultiply, type Size } from '../../0-ir/sizes.ts';
import { withoutAxis, type ElementType } from '../../0-ir/types.ts';
import { readParameters } from '../../1-optimize/scalar/dead-code.ts';
import { restrictFunction, selectResults } from '../../1-optimize/scalar/edit-function.ts';
import type { Access, KeyedScanStep, Source } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, readAt, sourceCursor, writeAt, type Line } from './access.ts';
import { constants, elementOf, exactStart } from './combining.ts';
import { forItems, forLine, lineReaders } from './items.ts';
import type { Kernel } from './kernel.ts';
import { bytesPerElement } from './representation.ts';
import { emitFunction } from './scalar-function.ts';
import { add, apply, get, i32, load, multiply, type Expression, type Local } from './wasm/expression.ts';

/**
 * One pass over the elements with a table of what stands in each bin: the element's bin is read, shown, and combined with
 * the element. The components of a bin lie side by side in scratch, so that an element touches one line of the cache.
 */
export function emitKeyedScan(k: Kernel, step: KeyedScanStep): void {
  const { f } = k;
  const { operator, batch, exclusive } = step;
  const types = componentTypes(operator);
  const { kept, right, combine } = carriedPart(step);
  const bins = k.size(step.bins);
  const length = k.size(step.domain[batch] as Size);

  const inputs = step.inputs.map((source) => lineOf(k, sourceCursor(k, source), batch));
  const trailing = step.domain.slice(batch + 1).map(() => 0);
  const keys = lineOf(k, sourceCursor(k, { ...step.keys, strides: [...step.keys.strides, ...trailing] }), batch);
  const initials = step.initial && kept.map((i) => lineOf(k, sourceCursor(k, step.initial?.[i] as Source), batch));
  const written = (accesses: readonly (Access | null)[]): Written[] =>
    accesses.flatMap((access, i) => {
      const type = types[i] as ElementType;
      return access ? [{ line: lineOf(k, accessCursor(k, access, type), batch), type, at: kept.indexOf(i) }] : [];
    });
  const [running, totals] = [written(step.running), written(step.totals)];

  const start = initials || kept.length < types.length ? undefined : exactStart(operator, true);
  const table = binTable(
    k,
    kept.map((i) => types[i] as ElementType),
    step.bins,
    !initials && !start,
  );
  const neutral = constants(k, operator, operator.neutral);
  const neutralKept = kept.map((i) => neutral[i] as Expression);

  const clear = (): void =>
    forLine(k, bins, initials ?? [], (bin) => {
      const slot = table.slot(bin);
      if (initials)
        table.write(
          slot,
          initials.map((line) => read(k, line.along)),
        );
      else if (start)
        table.write(
          slot,
          constants(k, operator, start).filter((_, i) => kept.includes(i)),
        );
      else table.setFilled(slot, 0);
    });

  const addElement = (key: Local): void => {
    const element = elementOf(
      k,
      step,
      readers.map((reader) => reader()),
      // Read before anything is written: an output may stand where its input stood.
    ).map((value) => get(f.keep(value)));
    const slot = table.slot(key);
    const join = (): void => {
      const before = table.read(slot);
      if (exclusive) show(k, running, before);
      const after = emitFunction(k, combine, [...before, ...right.map((i) => element[i] as Expression)]);
      if (!exclusive) show(k, running, after);
      table.write(slot, after);
    };
    const begin = (): void => {
      const first = kept.map((i) => element[i] as Expression);
      show(k, running, exclusive ? neutralKept : first);
      table.write(slot, first);
      table.setFilled(slot, 1);
    };
    if (table.hasFlags) f.if(table.isFilled(slot), join, begin);
    else join();
  };

  let readers: (() => Expression)[] = [];
  const items = [...inputs, keys, ...running.map(({ line }) => line), ...totals.map(({ line }) => line)];
  forItems(
    k,
    withoutAxis(step.domain, batch),
    [...items, ...(initials ?? [])].map((line) => line.item),
    () => {
      clear();
      readers = lineReaders(k, inputs);
      forLine(k, length, [...inputs, keys, ...running.map(({ line }) => line)], () => {
        const key = f.keep(read(k, keys.along));
        // Unsigned, so that a negative key is out of range too.
        f.if(
          apply('i32.lt_u', get(key), bins),
          () => addElement(key),
          () => show(k, running, neutralKept),
        );
      });
      if (totals.length === 0) return;
      forLine(
        k,
        bins,
        totals.map(({ line }) => line),
        (bin) => {
          const slot = table.slot(bin);
          const contents = (): void => show(k, totals, table.read(slot));
          if (table.hasFlags) f.if(table.isFilled(slot), contents, () => show(k, totals, neutralKept));
          else contents();
        },
      );
    },
  );
}

interface Written {
  readonly line: Line;
  readonly type: ElementType;
  /** Which of the carried components it is. */
  readonly at: number;
}

function show(k: Kernel, outputs: readonly Written[], values: readonly Expression[]): void {
  for (const { line, type, at } of outputs) writeAt(k, type, get(line.along.at), values[at] as Expression);
}

/**
 * What must be carried from element to element, which is less than what an associative operator combines: of
 * (b₁, C₁) ∘ (b₂, C₂) = (b₂ + C₂·b₁, C₂ × C₁), where nobody reads C, only b, though elements bring both.
 * `combine` is on (the components `kept` of the left, those `right` of the right).
 */
function carriedPart({ operator, running, totals }: KeyedScanStep): {
  kept: number[];
  right: number[];
  combine: ScalarFunction;
} {
  const d = operator.neutral.length;
  const carried = new Set(running.flatMap((access, i) => (access || totals[i] ? [i] : [])));
  // A set visits what is added to it while it is walked.
  for (const component of carried) {
    const reads = readParameters(selectResults(operator.combine, [component]));
    for (let i = 0; i < d; i++) if (reads[i]) carried.add(i);
  }
  const kept = [...carried].sort((a, b) => a - b);
  const reads = readParameters(selectResults(operator.combine, kept));
  const right = operator.neutral.flatMap((_, i) => (reads[d + i] ? [i] : []));
  return { kept, right, combine: restrictFunction(operator.combine, [...kept, ...right.map((i) => d + i)], kept) };
}

interface BinTable {
  /** Whether a bin knows if it holds an element yet. */
  readonly hasFlags: boolean;
  slot(bin: Local): Local;
  isFilled(slot: Local): Expression;
  setFilled(slot: Local, filled: 0 | 1): void;
  read(slot: Local): Expression[];
  write(slot: Local, values: readonly Expression[]): void;
}

/** Bins in scratch: reals first, so that each is aligned. */
function binTable(k: Kernel, types: readonly ElementType[], bins: Size, hasFlags: boolean): BinTable {
  const { f } = k;
  const { real, int } = bytesPerElement(k.precision);
  const reals = types.filter((type) => type === 'real').length;
  const offsets = types.map((type, i) => {
    const before = types.slice(0, i).filter((other) => (other === 'real') === (type === 'real')).length;
    return type === 'real' ? real * before : real * reals + int * before;
  });
  const flagAt = real * reals + int * (types.length - reals);
  const bytes = Math.ceil((flagAt + (hasFlags ? int : 0)) / real) * real;
  const base = k.scratch(sizeMultiply(bins, bytes));
  return {
    hasFlags,
    slot: (bin) => f.keep(add(base, multiply(get(bin), i32(bytes)))),
    isFilled: (slot) => load('i32.load', get(slot), flagAt),
    setFilled: (slot, filled) => f.store('i32.store', get(slot), i32(filled), flagAt),
    read: (slot) => types.map((type, i) => get(f.keep(readAt(k, type, add(get(slot), i32(offsets[i] as number)))))),
    write: (slot, values) =>
      types.forEach((type, i) => writeAt(k, type, add(get(slot), i32(offsets[i] as number)), values[i] as Expression)),
  };
}
