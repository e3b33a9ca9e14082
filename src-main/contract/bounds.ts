/** What the bounds of DGSM on total Sobol' indices say: an index is at most 1, so that a bound above it says nothing. */
import type { SensitivityReport } from './studies.ts';

/** One sentence where some of them are empty, else ''. */
export function emptyBounds({ method, indices }: Pick<SensitivityReport, 'method' | 'indices'>): string {
  if (method !== 'dgsm') return '';
  const empty = indices.filter(({ figures }) => typeof figures['bound'] === 'number' && figures['bound'] > 1);
  if (empty.length === 0) return '';
  const which =
    empty.length === indices.length
      ? 'Every bound on ST is'
      : `Of ${empty.map(({ name }) => name).join(', ')} the bound on ST is`;
  return `${which} above 1, which says nothing, since no index is: take Sobol’ indices.`;
}
