/** What a slot of a solution with events carries to the next beside the states. */
import type { Trigger } from '../triggers.ts';
import { carried as plainlyCarried, faults } from './adaptive-step.ts';
import { echoCarries } from './echoes.ts';
import { plannedCarries, type PastLayout } from './past.ts';
import { rushCarries } from './rush.ts';
import { waitingCarries } from './waiting.ts';

/**
 * What is carried beside the states, and what it begins with: `happened` is when an event was carried out last; `fault` and
 * `when` as without events; `apart` of each event as in jump.ts, until all that a jump has triggered waits.
 */
export function eventCarries(triggers: readonly Trigger[]): { readonly name: string; readonly start: number }[] {
  const [fault, when] = plainlyCarried.slice(-2);
  return [
    ...['time', 'reach', 'cuts', 'doubts', 'step', 'stiff', 'open', 'draw', 'happened'].map((name) => ({
      name,
      start: name === 'reach' ? Infinity : name === 'happened' ? -Infinity : name === 'draw' ? 1 : 0,
    })),
    { name: fault as string, start: faults.none },
    { name: when as string, start: 0 },
    ...triggers.map((_, i) => ({ name: `apart ${i}`, start: 0 })),
    ...waitingCarries(triggers),
    ...rushCarries(triggers),
  ];
}

/** `eventCarries`, and what a slot that looks back carries beside them. */
export function carriesBack(
  triggers: readonly Trigger[],
  past: PastLayout,
): { readonly name: string; readonly start: number }[] {
  return [
    ...echoCarries(triggers, past).map((name) => ({ name, start: Infinity })),
    ...plannedCarries.map((name) => ({ name, start: 0 })),
  ];
}
