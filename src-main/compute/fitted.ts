/** A stored fit, and whether it is one of this very model. */
import type { Model } from '../../models/load/model.ts';
import { objectiveMeaning } from '../../models/lower/meaning.ts';
import type { FitReport } from '../contract/contract.ts';
import type { ParameterValues } from './run.ts';

/** Each parameter's elements, in row-major order as they are reported. */
export function fittedValues({
  estimates,
}: {
  readonly estimates: readonly { readonly block: string; readonly value: number }[];
}): ParameterValues {
  const values = new Map<string, number[]>();
  for (const { block, value } of estimates) values.set(block, [...(values.get(block) ?? []), value]);
  return Object.fromEntries(values);
}

/** Null where the fit is of a model that means something else. */
export function fitOf(model: Model, fit: FitReport | null): FitReport | null {
  return fit?.meaning === objectiveMeaning(model) ? fit : null;
}
