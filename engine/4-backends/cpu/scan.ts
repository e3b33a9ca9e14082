import { componentTypes } from '../../0-ir/operators.ts';
import type { ScanStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, sourceCursor, writeAt } from './access.ts';
import { accumulate, elementOf, newAccumulator, reset } from './combining.ts';
import type { Kernel } from './kernel.ts';
import { passAcross, passAlong, runsAcross } from './passes.ts';
import { get } from './wasm/expression.ts';

/** yₜ = x₀ ⊙ … ⊙ xₜ; exclusive: yₜ = x₀ ⊙ … ⊙ xₜ₋₁, the neutral element where that is nothing. Anew at each flag. */
export function emitScan(k: Kernel, step: ScanStep): void {
  const { operator, axis } = step;
  const types = componentTypes(operator);
  const flags = step.flags && lineOf(k, sourceCursor(k, step.flags), axis);
  const outputs = step.outputs.map((access, i) => lineOf(k, accessCursor(k, access, types[i] ?? 'real'), axis));
  const total = newAccumulator(k, operator, step.exclusive);
  const storeTotal = () =>
    total.components.forEach((component, i) => {
      const place = outputs[i]?.along.at;
      if (place) writeAt(k, types[i] ?? 'real', get(place), get(component));
    });
  const pass = runsAcross(step) ? passAcross : passAlong;
  pass(k, step, {
    total,
    inputs: step.inputs.map((source) => lineOf(k, sourceCursor(k, source), axis)),
    others: flags ? [flags, ...outputs] : outputs,
    results: [],
    begin: () => reset(k, total),
    point(inputs) {
      if (flags) k.f.if(read(k, flags.along), () => reset(k, total));
      // Read before anything is written: an output may stand where its input stood.
      const element = elementOf(k, step, inputs).map((value) => get(k.f.keep(value)));
      if (step.exclusive) storeTotal();
      accumulate(k, total, element);
      if (!step.exclusive) storeTotal();
    },
    end: () => {},
  });
}
