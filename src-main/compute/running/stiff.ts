/**
 * Which method solves the equations of imported problems. Those of biochemistry are stiff more often than not, and the
 * test by which `auto` leaves the explicit method looks at all states together: the largest, which are slow, hide the others.
 */
import type { ImportedModel } from '../../../models/sbml/import.ts';
import { load } from './load.ts';

/** With the method for stiff systems in each `ode` block that names none, has no events, and whose Jacobian allows it. */
export async function withStiffMethods({ document, ...imported }: ImportedModel): Promise<ImportedModel> {
  const blocks = document['blocks'] as readonly Readonly<Record<string, unknown>>[];
  const isOpen = (block: Readonly<Record<string, unknown>>): boolean =>
    block['kind'] === 'ode' && block['method'] === undefined && block['events'] === undefined;
  const stiffBut = (refused: ReadonlySet<unknown>): ImportedModel['document'] => ({
    ...document,
    blocks: blocks.map((block) => (isOpen(block) && !refused.has(block['id']) ? { ...block, method: 'stiff' } : block)),
  });
  const { problems } = await load(stiffBut(new Set()), undefined);
  const refused = problems.filter(({ port, severity }) => port === 'method' && severity === 'error');
  return { ...imported, document: stiffBut(new Set(refused.map(({ block }) => block))) };
}
