/**
 * Which method solves the equations of imported problems. Those of biochemistry are stiff more often than not, and the
 * test by which `auto` leaves the explicit method looks at all states together: the largest, which are slow, hide the others.
 */
import type { ImportedModel } from '../../../models/sbml/import.ts';
import { load } from './load.ts';

/**
 * States of a system with events that `auto` may begin with explicit steps: smaller ones get over, and a rate that ends where an
 * event begins is passed better by them; with more the steps are too many to be kept.
 */
const mostWithEvents = 40;

/** With the method for stiff systems in each `ode` block that names none, has no events or many states, and whose Jacobian allows it. */
export async function withStiffMethods({ document, ...imported }: ImportedModel): Promise<ImportedModel> {
  const blocks = document['blocks'] as readonly Readonly<Record<string, unknown>>[];
  const isOpen = (block: Readonly<Record<string, unknown>>): boolean =>
    block['kind'] === 'ode' &&
    block['method'] === undefined &&
    (block['events'] === undefined || Object.keys(block['state'] ?? {}).length > mostWithEvents);
  const stiffBut = (refused: ReadonlySet<unknown>): ImportedModel['document'] => ({
    ...document,
    blocks: blocks.map((block) => (isOpen(block) && !refused.has(block['id']) ? { ...block, method: 'stiff' } : block)),
  });
  const { problems } = await load(stiffBut(new Set()), undefined);
  const refused = problems.filter(({ port, severity }) => port === 'method' && severity === 'error');
  return { ...imported, document: stiffBut(new Set(refused.map(({ block }) => block))) };
}
