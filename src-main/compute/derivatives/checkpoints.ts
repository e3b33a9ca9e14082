/**
 * Room for a reverse sweep: where the device has too little for what the recurrences keep of all their steps, they keep
 * checkpoints alone and run again what lies between (rule `recurrence-checkpointed`).
 */
import { OutOfMemory } from '../../../engine/index.ts';
import type { ForcedRules, OnChoice } from './forced-rules.ts';

const checkpointed = 'recurrence-checkpointed';

/** Of `write`, which differentiates and binds: `rules` are forced, and `onChoice` wants to hear of every choice. */
export async function withRoom<T>(
  rules: ForcedRules,
  write: (rules: ForcedRules, onChoice: OnChoice) => Promise<T>,
): Promise<T> {
  const keeping = new Set<string>();
  try {
    return await write(rules, ({ origin }, { rule }) => {
      if (rule.construct === 'recurrence' && origin !== undefined && !rules.has(origin)) keeping.add(origin);
    });
  } catch (error) {
    if (!(error instanceof OutOfMemory) || keeping.size === 0) throw error;
    const again = [...keeping].map((block) => [block, checkpointed] as const);
    return await write(new Map([...rules, ...again]), () => {});
  }
}
