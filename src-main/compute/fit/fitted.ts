/** A stored fit, and whether it is one of this very model. */
import type { Model } from '../../../models/load/model.ts';
import { objectiveMeaning } from '../../../models/lower/meaning.ts';
import type { FitReport } from '../../contract/contract.ts';
import type { ParameterValues } from '../running/run.ts';

/** Each parameter's elements, in row-major order as they are reported, and the modes of random effects. */
export function fittedValues({
  estimates,
  random = {},
}: Pick<FitReport, 'random'> & {
  readonly estimates: readonly { readonly block: string; readonly value: number }[];
}): ParameterValues {
  const values = new Map<string, number[]>();
  for (const [block, { effects }] of Object.entries(random))
    for (const [name, { value }] of Object.entries(effects)) values.set(`${block}.${name}`, value);
  for (const { block, value } of estimates) values.set(block, [...(values.get(block) ?? []), value]);
  return Object.fromEntries(values);
}

/** Null where the fit is of a model that means something else. */
export function fitOf(model: Model, fit: FitReport | null): FitReport | null {
  return fit?.meaning === objectiveMeaning(model) ? fit : null;
}
