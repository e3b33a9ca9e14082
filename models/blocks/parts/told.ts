/**
 * Whether `left` or `right` of a likelihood is a limit, which an observation that lies at it or beyond has reached, or marks of
 * the rows that are: bools, or a list of 0 and 1 alone. One of 0 alone or 1 alone is read as what does not censor every row.
 */
import type { Told } from '../../objective/observation.ts';
import type { InferContext, Output } from '../kind.ts';
import { knownValues } from './known.ts';

const fix = 'write a limit of all rows as a number, and marks as a condition, such as "flag == 1"';

/** `output`: undefined of a number. Undefined where nobody can tell, which has been said. */
export function toldBy(
  context: InferContext,
  side: 'left' | 'right',
  output: Output | undefined,
  observed: Output,
): Told | undefined {
  const port = `censored.${side}`;
  if (output?.element === 'bool') return 'mark';
  if (output?.category)
    return context.fail(`"${port}" is a category, whose codes are neither limits nor marks`, {
      ...{ port, wanted: 'limits, or a condition', got: 'a category', fix },
    });
  if (!output || output.sizes.length === 0 || output.computed) return 'limit';
  const values = knownValues(context, port, output);
  if (!values) return undefined;
  const found = new Set<number>();
  for (let i = 0; i < values.length; i++) found.add(values[i]!);
  const isMissing = found.delete(NaN);
  if (found.size === 0 || [...found].some((x) => x !== 0 && x !== 1)) return 'limit';
  if (found.size === 1) return ofOneValue(context, side, Array.from(values), observed);
  if (isMissing)
    return context.fail(
      `"${port}" holds 0, 1 and missing cells: if these are marks, they leave open which rows are censored`,
      { port, wanted: 'limits, or a mark of every row', fix },
    );
  context.warn(`"${port}" holds 0 and 1 alone and is read as marks: 1 where the observation is a limit`, { port });
  return 'mark';
}

/** `limits`: 0 alone or 1 alone, and NaN of missing cells. */
function ofOneValue(
  context: InferContext,
  side: 'left' | 'right',
  limits: readonly number[],
  observed: Output,
): Told | undefined {
  const port = `censored.${side}`;
  const [value, isMissing] = [limits.includes(1) ? 1 : 0, limits.some(Number.isNaN)];
  const read = (told: Told, as: string): Told => {
    context.warn(`"${port}" holds ${value} alone and is read as ${as}: ${fix}`, { port });
    return told;
  };
  const all = Array.from(knownValues(context, 'observed', observed) ?? []);
  const isAtLimit = (limit: number, row: number): boolean => Number.isNaN(limit) || all[row] === limit;
  if (value === 1) {
    // Where the observation stands at it, a limit and a mark say the same.
    if (limits.every(isAtLimit)) return 'limit';
    return isMissing
      ? read('limit', 'a limit of the rows that have it, and no mark of them')
      : read('limit', 'limits, for as marks it would censor every row');
  }
  const ys = all.filter((y) => !Number.isNaN(y));
  const reached = ys.filter((y) => (side === 'left' ? y <= 0 : y >= 0)).length;
  if (reached === 0) return 'limit';
  if (reached === ys.length) return read('mark', 'marks of no row, for as limits it would censor every row');
  return context.fail(
    `"${port}" holds 0 alone: as marks it censors no row, and as limits ${reached} of ${ys.length} observations`,
    { port, wanted: 'a number, or a condition', fix },
  );
}
