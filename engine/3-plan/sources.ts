/** What scalar functions read: of which element each source is, and sources one after the other, each once. */
import { componentTypes } from '../0-ir/operators.ts';
import { parameterTypes, type ScalarFunction, type ScalarOperand } from '../0-ir/scalar.ts';
import { identityFunction, scalarFunction } from '../0-ir/scalar-builder.ts';
import type { ElementType } from '../0-ir/types.ts';
import { selectResults } from '../1-optimize/scalar/edit-function.ts';
import { simplifyFunction } from '../1-optimize/scalar/simplify-function.ts';
import type { Source, SweptScan } from './plan.ts';

/** Index arithmetic is of ints. */
export function sourceElement(source: Source): ElementType {
  return source.kind === 'index' ? 'int' : source.element;
}

export interface SourceSlots {
  readonly inputs: Source[];
  /** Where a source stands among the inputs; it comes to them where it does not. */
  slotOf(source: Source): number;
}

export function sourceSlots(): SourceSlots {
  const inputs: Source[] = [];
  const slots = new Map<string, number>();
  return {
    inputs,
    slotOf(source) {
      const key = JSON.stringify(source);
      const slot = slots.get(key) ?? inputs.push(source) - 1;
      slots.set(key, slot);
      return slot;
    },
  };
}

/** The wanted components of all scans' elements, scan by scan, from what all read; all of them unless said. */
export function elementsOf(
  scans: readonly SweptScan[],
  wanted?: readonly (readonly number[])[],
): { readonly prologue: ScalarFunction; readonly inputs: readonly Source[] } {
  const { inputs, slotOf } = sourceSlots();
  const slots = scans.map((scan) => scan.inputs.map(slotOf));
  const prologue = scalarFunction(inputs.map(sourceElement), (s, ...given) =>
    scans.flatMap(({ prologue: own, operator }, i) => {
      const whole = own ?? identityFunction(componentTypes(operator));
      const components = wanted?.[i];
      const made = components ? selectResults(whole, components) : whole;
      const taken = (slots[i] ?? []).map((slot) => given[slot] as ScalarOperand);
      return s.inline(made, taken.slice(0, parameterTypes(made).length));
    }),
  );
  return { prologue: simplifyFunction(prologue), inputs };
}
