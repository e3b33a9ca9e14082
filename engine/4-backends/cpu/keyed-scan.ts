import { arity, componentTypes } from '../../0-ir/operators.ts';
import { resultTypes } from '../../0-ir/scalar.ts';
import { sizeMultiply } from '../../0-ir/sizes.ts';
import { withoutAxis, type ElementType } from '../../0-ir/types.ts';
import { restrictFunction } from '../../1-optimize/scalar/edit-function.ts';
import type { Access, KeyedScanStep, Source } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, sourceCursor, writeAt, type Line } from './walk/access.ts';
import { binTable } from './histogram/bin-table.ts';
import type { Bin } from './histogram/bin-update.ts';
import { carriedPart } from './combine/carried-part.ts';
import { constants, elementOf, exactStart } from './combine/combining.ts';
import { forItems, forLine, lineReaders } from './walk/items.ts';
import type { Kernel } from './kernel.ts';
import { emitFunction } from './scalar/scalar-function.ts';
import { apply, get, type Expression, type Local } from './wasm/expression.ts';

/**
 * One pass over the elements with a table of what stands in each bin: the element's bin is read, shown, and combined with
 * the element.
 */
export function emitKeyedScan(k: Kernel, step: KeyedScanStep): void {
  const { f } = k;
  const { operator, batch, exclusive } = step;
  const types = componentTypes(operator);
  const { kept, right, combine } = carriedPart(
    operator,
    present(step.running),
    step.epilogue?.function,
    present(step.totals),
  );
  const ofKept = <T>(all: readonly T[]): T[] => kept.map((i) => all[i]!);

  const line = (source: Source): Line => lineOf(k, sourceCursor(k, source), batch);
  const inputs = step.inputs.map(line);
  const trailing = step.domain.slice(batch + 1).map(() => 0);
  const keys = line({ ...step.keys, strides: [...step.keys.strides, ...trailing] });
  const initial = step.initial && ofKept(step.initial).map(line);
  const running = runningOutputs(k, step, kept);
  const totals = outputsOf(k, step.totals, types, batch);
  const ofTotals = (contents: readonly Expression[]) => totals.map(({ at }) => contents[kept.indexOf(at)]!);

  // Where less is carried than the operator has, its start values are not those of all that is.
  const start = initial || kept.length < types.length ? undefined : exactStart(operator, true);
  const asked = !initial && !start;
  const table = binTable(k, { types: ofKept(types), bins: step.bins, mark: asked ? 'hot' : 'none' });
  const base = k.scratch(sizeMultiply(step.bins, table.bytes));
  const neutral = ofKept(constants(k, operator, operator.neutral));
  const contentsOf = (bin: Bin) => kept.map((_, i) => get(f.keep(bin.read(i))));
  const fill = (bin: Bin, values: readonly Expression[]) => values.forEach((value, i) => bin.write(i, value));
  const ifFilled = ({ mark }: Bin, then: () => void, otherwise: () => void) =>
    mark ? f.if(mark.is, then, otherwise) : then();

  const clearBin = (at: Local): void => {
    const bin = table.bin(base, at);
    if (initial)
      fill(
        bin,
        initial.map(({ along }) => read(k, along)),
      );
    else if (start) fill(bin, constants(k, operator, start));
    else bin.mark?.set(false);
  };

  const addElement = (key: Local, element: readonly Expression[]): void => {
    const bin = table.bin(base, key);
    const join = (): void => {
      const before = contentsOf(bin);
      if (exclusive) running.show(before);
      const after = emitFunction(k, combine, [...before, ...right.map((i) => element[i]!)]);
      if (!exclusive) running.show(after);
      fill(bin, after);
    };
    const begin = (): void => {
      running.show(exclusive ? neutral : ofKept(element));
      fill(bin, ofKept(element));
      bin.mark?.set();
    };
    ifFilled(bin, join, begin);
  };

  const showBin = (at: Local): void => {
    const bin = table.bin(base, at);
    ifFilled(
      bin,
      () => store(k, totals, ofTotals(contentsOf(bin))),
      () => store(k, totals, ofTotals(neutral)),
    );
  };

  const overElements = [...inputs, keys, ...running.lines];
  const totalLines = totals.map((output) => output.line);
  const lines = [...overElements, ...totalLines, ...(initial ?? [])];
  forItems(
    k,
    withoutAxis(step.domain, batch),
    lines.map(({ item }) => item),
    () => {
      forLine(k, k.size(step.bins), initial ?? [], clearBin);
      const readers = lineReaders(k, inputs);
      forLine(k, k.size(step.domain[batch]!), overElements, () => {
        const key = f.keep(read(k, keys.along));
        const addOwn = (): void => {
          const read = readers.map((reader) => reader());
          // Kept before anything is written: an output may stand where its input stood.
          const element = elementOf(k, step, read).map((value) => get(f.keep(value)));
          addElement(key, element);
        };
        // Unsigned, so that a negative key is out of range too.
        f.if(apply('i32.lt_u', get(key), k.size(step.bins)), addOwn, () => running.show(neutral));
      });
      if (totals.length > 0) forLine(k, k.size(step.bins), totalLines, showBin);
    },
  );
}

function present(accesses: readonly (Access | null)[]): number[] {
  return accesses.flatMap((access, i) => (access ? [i] : []));
}

interface Output {
  readonly line: Line;
  readonly type: ElementType;
  /** Which of the results it is. */
  readonly at: number;
}

/** Those that are wanted. */
function outputsOf(
  k: Kernel,
  accesses: readonly (Access | null)[],
  types: readonly ElementType[],
  batch: number,
): Output[] {
  return accesses.flatMap((access, at) => {
    const type = types[at]!;
    return access ? [{ line: lineOf(k, accessCursor(k, access, type), batch), type, at }] : [];
  });
}

function store(k: Kernel, outputs: readonly Output[], values: readonly Expression[]): void {
  outputs.forEach(({ line, type }, i) => writeAt(k, type, get(line.along.at), values[i]!));
}

/** `show` writes, at the element at hand, the components `kept` or what the epilogue makes of them. */
function runningOutputs(
  k: Kernel,
  { operator, epilogue, running, batch }: KeyedScanStep,
  kept: readonly number[],
): { readonly lines: readonly Line[]; show(contents: readonly Expression[]): void } {
  const types = epilogue ? resultTypes(epilogue.function) : componentTypes(operator);
  const outputs = outputsOf(k, running, types, batch);
  const wanted = outputs.map(({ at }) => at);
  if (!epilogue)
    return {
      lines: outputs.map(({ line }) => line),
      show: (contents) =>
        store(
          k,
          outputs,
          wanted.map((at) => contents[kept.indexOf(at)]!),
        ),
    };
  const after = epilogue.inputs.map((source) => lineOf(k, sourceCursor(k, source), batch));
  const own = after.map((_, i) => arity(operator) + i);
  const fn = restrictFunction(epilogue.function, [...kept, ...own], wanted);
  return {
    lines: [...outputs.map(({ line }) => line), ...after],
    show: (contents) =>
      store(k, outputs, emitFunction(k, fn, [...contents, ...after.map(({ along }) => read(k, along))])),
  };
}
