/** Which doses each reading has behind it: what is linear in its doses is the sum of what each leaves. */
import { TableError } from '../../tables/table.ts';
import type { Dose, Reading } from './records.ts';

/** A dose behind a reading. */
export interface Exposure {
  /** Which of the readings, from 0. */
  readonly reading: number;
  readonly amount: number;
  readonly lasting: number;
  /** How long before the reading it was given, or begun. */
  readonly since: number;
}

/** More than these make a document that is slow to open. */
const most = 2_000_000;

/**
 * In the order of readings, then of time. At one time the order of the rows decides, and additional doses have no row:
 * where that matters (`jumps`: a dose is seen at once) it is refused. Throws `TableError`.
 */
export function exposuresOf(doses: readonly Dose[], readings: readonly Reading[], jumps: boolean): Exposure[] {
  const bySubject = new Map<string, Dose[]>();
  for (const dose of doses) bySubject.set(dose.subject, [...(bySubject.get(dose.subject) ?? []), dose]);
  const exposures: Exposure[] = [];
  for (const [reading, { row, subject, time }] of readings.entries()) {
    const own: Exposure[] = [];
    for (const dose of bySubject.get(subject) ?? []) {
      if (dose.row > row) continue;
      const { amount, lasting, more, every } = dose;
      for (let k = 0; k <= more; k++) {
        const since = time - (dose.time + k * every);
        if (since < 0) break;
        if (k > 0 && since === 0 && jumps && lasting === 0)
          throw new TableError(
            `row ${row + 1} (ID ${subject}) is read at the very time of an additional dose of row ${dose.row + 1}, and which comes first is not said: give that dose a row of its own`,
          );
        own.push({ reading, amount, lasting, since });
        if (exposures.length + own.length > most)
          throw new TableError(`its readings have more than ${most} doses behind them: fewer are understood`);
      }
    }
    exposures.push(...own.sort((a, b) => b.since - a.since));
  }
  return exposures;
}
