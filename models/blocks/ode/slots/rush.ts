/**
 * Events that follow each other ever faster, without end before a time that is finite, in scalar code: a ball that bounces
 * to rest. What numbers can tell apart ends there, and the event is missed, so that the ball falls through the floor; a
 * solution is stopped before (Zhang et al. 2001, doi:10.1002/rnc.592).
 */
import type { ScalarOperand } from '../../../../engine/index.ts';
import type { Trigger } from '../triggers.ts';
import type { Logic } from './logic.ts';

/** Each wait is shorter than the one before, and longer than this share of it: what happens together by chance is no rush. */
const leastShare = 1e-3;
/** A rush is without end once its waits are this share of its first. */
const endlessShare = 1e-6;

/** The last wait from event to event, and that from which on each was shorter. */
export function rushCarries(triggers: readonly Trigger[]): { readonly name: string; readonly start: number }[] {
  return triggers.length > 0 ? ['wait', 'widest'].map((name) => ({ name, start: 0 })) : [];
}

export interface Rush {
  readonly entries: readonly ScalarOperand[];
  readonly endless: ScalarOperand;
}

/** `rush`: as carried; `wait`: since the event before one that `happens`, infinite where it is the first. */
export function rushing(
  { e, real, never, detach, and, less, either }: Logic,
  rush: readonly ScalarOperand[],
  { wait, happens }: { wait: ScalarOperand; happens: ScalarOperand },
): Rush {
  const [last, widest] = rush.map(detach);
  if (!last || !widest) return { entries: [], endless: never };
  const next = and(happens, less(real(0), wait));
  const shrinks = and(less(wait, last), less(e.multiply(real(leastShare), last), wait));
  const from = either(shrinks, widest, wait);
  return {
    entries: [either(next, wait, last), either(next, from, widest)].map(detach),
    endless: and(next, less(wait, e.multiply(real(endlessShare), from))),
  };
}
