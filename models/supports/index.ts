/** What a parameter may be: `support` in a document. `positive` is a lower bound of 0 on a log scale. */
import type { SupportName } from '../facts/supports.ts';
import { correlation } from './correlation.ts';
import { ordered } from './ordered.ts';
import { simplex } from './simplex.ts';
import type { Support } from './support.ts';

/** Those of which something else is varied. */
export const supports = { simplex, ordered, correlation } as const satisfies Readonly<Record<string, Support>>;

export type FreedName = keyof typeof supports;
export const isFreed = (name: SupportName | undefined): name is FreedName =>
  name !== undefined && Object.hasOwn(supports, name);
