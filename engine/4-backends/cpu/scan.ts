import { componentTypes } from '../../0-ir/operators.ts';
import type { Size } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { ScanStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, sourceCursor, writeAt } from './access.ts';
import { accumulate, elementOf, newAccumulator, reset } from './combining.ts';
import { forItems, forLine, lineReaders } from './items.ts';
import type { Kernel } from './kernel.ts';
import { get, type Expression } from './wasm/expression.ts';

/** yₜ = x₀ ⊙ … ⊙ xₜ; exclusive: yₜ = x₀ ⊙ … ⊙ xₜ₋₁, the neutral element where that is nothing. Anew at each flag. */
export function emitScan(k: Kernel, step: ScanStep): void {
  const { operator, axis } = step;
  const types = componentTypes(operator);
  const inputs = step.inputs.map((source) => lineOf(k, sourceCursor(k, source), axis));
  const flags = step.flags && lineOf(k, sourceCursor(k, step.flags), axis);
  const outputs = step.outputs.map((access, i) => lineOf(k, accessCursor(k, access, types[i] ?? 'real'), axis));
  const lines = [...inputs, ...(flags ? [flags] : []), ...outputs];
  const total = newAccumulator(k, operator, step.exclusive);
  forItems(
    k,
    withoutAxis(step.domain, axis),
    lines.map((line) => line.item),
    () => {
      reset(k, total);
      const readers = lineReaders(k, inputs);
      forLine(k, k.size(step.domain[axis] as Size), lines, () => {
        if (flags) k.f.if(read(k, flags.along), () => reset(k, total));
        // Read before anything is written: an output may stand where its input stood.
        const element = elementOf(
          k,
          step,
          readers.map((reader) => reader()),
        ).map((value) => get(k.f.keep(value)));
        const store = (values: readonly Expression[]) =>
          outputs.forEach(({ along }, i) => writeAt(k, types[i] ?? 'real', get(along.at), values[i] as Expression));
        const before = () => total.components.map(get);
        if (step.exclusive) store(before());
        accumulate(k, total, element);
        if (!step.exclusive) store(before());
      });
    },
  );
}
