/** Events as an ode block has them. */
import { printExpression } from '../formula/print.ts';
import type { Expression } from '../formula/syntax.ts';
import type { Along } from './along.ts';
import type { SbmlEvent } from './model.ts';
import { refuse } from './refusal.ts';
import { over, times } from './syntax.ts';

export interface EventJson {
  readonly when: string;
  readonly set: Record<string, string>;
  readonly delay?: string;
  readonly priority?: string;
  readonly persistent?: false;
  readonly initial?: false;
  readonly values?: 'execution';
}

export function eventOf(along: Along, event: SbmlEvent): EventJson {
  const print = printExpression;
  const { trigger, delay, priority, persistent, initial, atTrigger } = event;
  return {
    when: print(along.translate.truth(trigger, along)),
    set: Object.fromEntries(setBy(along, event).map(([state, value]) => [state, print(value)])),
    ...(delay && { delay: print(along.number(delay)) }),
    ...(priority && { priority: print(along.number(priority)) }),
    ...(!persistent && { persistent: false }),
    ...(!initial && { initial: false }),
    ...(!atTrigger && { values: 'execution' }),
  };
}

/** A species that is kept by its amount is set by it, in the compartment as the event finds it (case 01779 of the suite). */
function setBy(along: Along, { id: event, assignments, delay, atTrigger }: SbmlEvent): [string, Expression][] {
  const { symbols } = along;
  const given = new Map(assignments.map(({ variable, math }) => [variable, along.number(math)]));
  const found: [string, Expression][] = [];
  for (const [id, value] of given) {
    const amount = along.amounts.get(id);
    const species = symbols.species.get(id);
    if (amount !== undefined && delay && atTrigger)
      refuse(`the delayed event "${event}" sets the concentration "${id}" in a compartment that changes meanwhile`);
    if (amount !== undefined && species) found.push([amount, times(value, along.symbol(species.compartment))]);
    else found.push([along.ids.get(id) ?? id, value]);
  }
  // Where a rule gives the rate of a concentration, its amount stays when the compartment jumps.
  for (const species of symbols.species.values()) {
    const jumps = given.get(species.compartment);
    if (!jumps || given.has(species.id) || symbols.isAmount(species) || !symbols.rates.has(species.id)) continue;
    const kept = times(along.symbol(species.id), along.symbol(species.compartment));
    found.push([along.ids.get(species.id) ?? species.id, over(kept, jumps)]);
  }
  return found;
}

/** Whether anything of it is left to do. */
export const doesSomething = ({ set }: EventJson): boolean => Object.keys(set).length > 0;
