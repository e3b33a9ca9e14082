/**
 * Echoes of events, in scalar code: where a state jumps by an event, it jumps once more for who looks back at it. A step ends
 * there, which moves with the event.
 */
import type { ScalarOperand } from '../../../../engine/index.ts';
import type { Trigger } from '../triggers.ts';
import type { Logic } from './logic.ts';
import type { PastLayout } from './past.ts';

/** How many may be waited for, of each lag. */
const mostEchoes = 8;

/** When each comes, infinite where none does. */
export function echoCarries(triggers: readonly Trigger[], past: PastLayout | undefined): string[] {
  if (!past || triggers.length === 0) return [];
  return Array.from({ length: past.lags * mostEchoes }, (_, i) => `echo ${i}`);
}

export interface Echoes {
  readonly entries: readonly ScalarOperand[];
  /** Whether there was no place for one; undefined where there are none. */
  readonly crowded: ScalarOperand | undefined;
}

/**
 * After an event that `happens` each lag has an echo of it, in the first place that is free. What happens together has one,
 * which moves with what `tells`: sets a state that is looked back at.
 */
export function echoing(
  { e, real, never, detach, and, or, not, either }: Logic,
  echoes: readonly ScalarOperand[],
  lags: readonly ScalarOperand[],
  { time, happens, tells }: { time: ScalarOperand; happens: ScalarOperand; tells: ScalarOperand },
): Echoes {
  const entries = [...echoes];
  if (echoes.length === 0) return { entries, crowded: undefined };
  let full = never;
  for (const [lag, own] of lags.entries()) {
    const at = e.add(time, own);
    const range = Array.from({ length: mostEchoes }, (_, q) => lag * mostEchoes + q);
    let toPlace: ScalarOperand = happens;
    for (const q of range) {
      const isThere = e.apply('eq', detach(echoes[q]!), detach(at));
      entries[q] = either(and(and(happens, tells), isThere), at, entries[q]!);
      toPlace = and(toPlace, not(isThere));
    }
    for (const q of range) {
      const free = e.apply('eq', entries[q]!, real(Infinity));
      entries[q] = either(and(toPlace, free), at, entries[q]!);
      toPlace = and(toPlace, not(free));
    }
    full = or(full, toPlace);
  }
  return { entries, crowded: full };
}
