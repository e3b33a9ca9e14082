/** What is checked of data before a fit stands on them. */
import type { Observed, Range } from '../../facts/families.ts';
import { parseUnit, ratio, sameUnit } from '../../units/unit.ts';
import type { InferContext, Output } from '../kind.ts';
import { knownValues } from './known.ts';

const kinds: { readonly [K in Observed]: { readonly wanted: string; readonly holds: (y: number) => boolean } } = {
  number: { wanted: 'a number', holds: () => true },
  positive: { wanted: 'a number above 0', holds: (y) => y > 0 },
  share: { wanted: 'a number between 0 and 1, without its ends', holds: (y) => y > 0 && y < 1 },
  count: { wanted: 'a count: 0, 1, 2, …', holds: (y) => y >= 0 && Number.isInteger(y) },
};

/**
 * Warns of missing values; reports observations that the family cannot give, and returns false. What lies below a limit is
 * often written as 0 (`censored`).
 */
export function checkObserved(context: InferContext, observed: Output, kind: Observed, censored = false): boolean {
  if (observed.category) {
    const details = { port: 'observed', wanted: 'numbers', got: 'a category' };
    context.fail('"observed" is a category, whose codes are no measurements', details);
    return false;
  }
  if (observed.computed)
    context.warn('"observed" depends on a parameter: a fit may change what it is compared with', { port: 'observed' });
  const data = kind === 'number' ? observed.data : knownValues(context, 'observed', observed);
  if (!data) return true;
  const { wanted, holds } = kinds[kind];
  let missing = 0;
  for (let i = 0; i < data.length; i++) {
    const y = data[i]!;
    missing += Number(Number.isNaN(y));
    if (Number.isNaN(y) || holds(y) || (censored && y === 0)) continue;
    context.fail(`element ${i} of "observed" is ${y}, and this family wants ${wanted}`, {
      port: 'observed',
      wanted,
      got: String(y),
    });
    return false;
  }
  if (missing > 0)
    context.warn(`${missing} of ${data.length} values of "observed" are missing and left out`, { port: 'observed' });
  return true;
}

/** Reports data that are not above 0 (with `zero`, below 0), and returns false. */
export function wantPositive(context: InferContext, port: string, output: Output, zero = false): boolean {
  const data = knownValues(context, port, output);
  if (!data) return true;
  for (let i = 0; i < data.length; i++) {
    const x = data[i]!;
    if (Number.isNaN(x) || x > 0 || (zero && x === 0)) continue;
    const wanted = zero ? '0 or more' : 'a number above 0';
    const which = output.sizes.length === 0 ? `"${port}" is ${x}` : `element ${i} of "${port}" is ${x}`;
    context.fail(`${which}, and it wants ${wanted}`, { port, wanted, got: String(x) });
    return false;
  }
  return true;
}

/** Reports data of an argument that lie out of its range, and returns false. */
export function checkRange(context: InferContext, port: string, output: Output, range: Range): boolean {
  if (range === 'any') return true;
  if (!wantPositive(context, port, output, range !== 'positive')) return false;
  if (range !== 'share') return true;
  const data = Array.from(knownValues(context, port, output) ?? []);
  const row = data.findIndex((x) => x > 1);
  if (row < 0) return true;
  const [x, wanted] = [String(data[row]), 'a number from 0 to 1'];
  const which = output.sizes.length === 0 ? `"${port}" is ${x}` : `element ${row} of "${port}" is ${x}`;
  context.fail(`${which}, and it wants ${wanted}`, { port, wanted, got: x });
  return false;
}

/** Reports trials that are no counts, or fewer than the successes observed, and returns false. */
export function checkTrials(context: InferContext, observed: Output, trials: Output): boolean {
  const [successes, counts] = [knownValues(context, 'observed', observed), knownValues(context, 'trials', trials)];
  if (!counts) return true;
  // Of two arrays that broadcast otherwise than row by row, only the counts are looked at.
  const aligned = successes !== undefined && (counts.length === 1 || counts.length === successes.length);
  for (let i = 0; i < Math.max(counts.length, aligned ? successes.length : 0); i++) {
    const n = counts[counts.length === 1 ? 0 : i]!;
    const y = aligned ? successes[i]! : NaN;
    if (!(n < 0 || y > n) && (Number.isInteger(n) || Number.isNaN(n))) continue;
    const got = y > n ? `${y} successes in ${n} trials` : String(n);
    context.fail(`element ${i} of "trials" is ${n}, and it wants a count that "observed" does not exceed, got ${got}`, {
      port: 'trials',
      wanted: 'a count, at least "observed"',
      got,
    });
    return false;
  }
  return true;
}

/** Units are free text: two that are given and differ are worth a look, and change no number. */
export function compareUnits(context: InferContext, prediction: Output, observed: Output): void {
  const [wanted, got] = [observed.unit?.trim(), prediction.unit?.trim()];
  if (wanted === undefined || got === undefined || wanted === got) return;
  const [left, right] = [parseUnit(got), parseUnit(wanted)];
  if (left && right && sameUnit(left, right)) return;
  const times = left && right && ratio(left, right);
  const factor = times === undefined ? '' : `, of which one of the former is ${Number(times.toPrecision(6))}`;
  context.warn(`the prediction is in "${got}" and what was observed in "${wanted}"${factor}`, {
    wanted,
    got,
    port: 'prediction',
  });
}
