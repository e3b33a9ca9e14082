/** Events as an ode block has them. */
import { printExpression } from '../formula/print.ts';
import type { Expression } from '../formula/syntax.ts';
import type { Along } from './along.ts';
import type { SbmlEvent } from './model.ts';
import { refuse } from './refusal.ts';
import { numberIn } from './start.ts';
import { number, over, times } from './syntax.ts';

export interface EventJson {
  readonly when: string;
  readonly set: Record<string, string>;
  readonly delay?: string;
  readonly priority?: string;
  readonly persistent?: false;
  readonly initial?: false;
  readonly values?: 'execution';
  readonly scaled?: Record<string, string>;
}

/** `all`: of the model; of those that one instant triggers each finds what the ones before it have set. */
export function eventOf(along: Along, event: SbmlEvent, all: readonly SbmlEvent[]): EventJson {
  const print = printExpression;
  const { trigger, delay, priority, persistent, initial, atTrigger } = event;
  const wait = delay && along.number(delay);
  const known = wait && numberIn(wait);
  if (known !== undefined && !(known >= 0))
    refuse(`the event "${event.id}" has the delay ${known}, and none may be below 0`);
  const others = all.filter((other) => other !== event).flatMap(({ assignments }) => assignments);
  const sets = setBy(along, event, new Set(others.map(({ variable }) => variable)));
  const scaled = sets.flatMap(({ state, by }) => (by ? [[state, print(by)] as const] : []));
  return {
    when: print(along.translate.truth(trigger, along)),
    set: Object.fromEntries(sets.map(({ state, value }) => [state, print(value)])),
    ...(wait && { delay: print(wait) }),
    ...(priority && { priority: print(along.number(priority)) }),
    ...(!persistent && { persistent: false }),
    ...(!initial && { initial: false }),
    ...(!atTrigger && { values: 'execution' }),
    ...(scaled.length > 0 && { scaled: Object.fromEntries(scaled) }),
  };
}

interface Assigned {
  readonly state: string;
  readonly value: Expression;
  /** What it is multiplied by when it is carried out, as it is then. */
  readonly by?: Expression;
}

/**
 * A species that is kept by its amount is set by it, in the compartment as the event finds it (case 01779 of the suite). `others`:
 * what other events set.
 */
function setBy(along: Along, { assignments, delay, atTrigger }: SbmlEvent, others: ReadonlySet<string>): Assigned[] {
  const { symbols } = along;
  /** Whether any of it may be another when the values are known and when they are set. */
  const later = (...of: readonly string[]): boolean =>
    atTrigger && (delay !== undefined || of.some((id) => others.has(id)));
  const given = new Map(assignments.map(({ variable, math }) => [variable, along.number(math)]));
  const found: Assigned[] = [];
  for (const [id, value] of given) {
    const amount = along.amounts.get(id);
    const species = symbols.species.get(id);
    if (amount !== undefined && species) {
      const by = along.symbol(species.compartment);
      found.push(
        later(species.compartment) ? { state: amount, value, by } : { state: amount, value: times(value, by) },
      );
    } else found.push({ state: along.ids.get(id) ?? id, value });
  }
  // Where a rule gives the rate of a concentration, its amount stays when the compartment jumps.
  for (const species of symbols.species.values()) {
    const jumps = given.get(species.compartment);
    if (!jumps || given.has(species.id) || symbols.isAmount(species) || !symbols.rates.has(species.id)) continue;
    const kept = times(along.symbol(species.id), along.symbol(species.compartment));
    const state = along.ids.get(species.id) ?? species.id;
    const isLater = later(species.id, species.compartment);
    found.push(isLater ? { state, value: over(number(1), jumps), by: kept } : { state, value: over(kept, jumps) });
  }
  return found;
}

/** Whether anything of it is left to do. */
export const doesSomething = ({ set }: EventJson): boolean => Object.keys(set).length > 0;
