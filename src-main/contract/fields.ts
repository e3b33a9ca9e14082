/** What the contract's schemas are made of. */
import * as v from 'valibot';

/** NaN too, which valibot's own `number` refuses. */
export const number = v.custom<number>((input) => typeof input === 'number', 'wanted a number');
/** Many of them, checked in one go: a slider brings tens of thousands with every move. */
export const numbers = v.custom<readonly number[]>((input) => {
  if (!Array.isArray(input)) return false;
  for (const item of input) if (typeof item !== 'number') return false;
  return true;
}, 'wanted numbers');
export const text = v.string();
/** What is known of a parameter: a word, and one sentence without its full stop. */
export const verdict = v.object({
  status: v.picklist(['determined', 'weak', 'one-sided', 'none']),
  reason: v.string(),
});
/** A shape of the data that an objective's prediction misses: how likely noise does so, and from where to where on the abscissa. */
export const misfit = v.object({
  of: text,
  p: number,
  x: text,
  unit: text,
  /** `key`: of the group; null where there is one only. */
  ranges: v.array(v.object({ key: v.nullable(text), from: number, to: number })),
});
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/**
 * A plain object by name. Valibot's own `record` drops the keys `constructor` and `__proto__`, which here are names like
 * any other; this one passes the object on as it came.
 */
export function record<S extends v.GenericSchema>(values: S) {
  return v.custom<Record<string, v.InferOutput<S>>>(
    (input) =>
      typeof input === 'object' &&
      input !== null &&
      !Array.isArray(input) &&
      Object.values(input).every((value) => v.is(values, value)),
    'wanted an object by name',
  );
}

/**
 * By the id of a parameter or quantity: what its elements were called when a result was found. A result of old has none, and
 * where they have no labels there are none.
 */
export const elementLabels = v.optional(record(v.array(text)));
