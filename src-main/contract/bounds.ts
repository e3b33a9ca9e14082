/**
 * What the bounds of DGSM on total Sobol' indices say: an index is at most 1, so that a bound above it says nothing; and a jump of
 * the output, which no derivative sees, breaks them, as it does the scores of active subspaces.
 */
import type { SensitivityReport } from './studies.ts';

type Asked = Pick<SensitivityReport, 'method' | 'indices' | 'jumps'>;

/** Where the output may jump; '' where nothing is to be said. */
export function brokenBounds({ method, jumps = [] }: Pick<Asked, 'method' | 'jumps'>): string {
  if (jumps.length === 0) return '';
  const broken = method === 'dgsm' ? BOUND : method === 'active-subspace' ? SCORE : undefined;
  if (broken === undefined) return '';
  const blocks = jumps.map((id) => `“${id}”`).join(', ');
  return `Conditions or roundings in ${blocks} depend on parameters: where the output jumps there${broken}: take Sobol’ indices.`;
}

const BOUND = ', ST may be above its bound';
const SCORE = ' no gradient sees it, and a score may be too small';

/** A sentence for each thing that is to be said, else ''. */
export function saidOfBounds(report: Asked): string {
  return [brokenBounds(report), emptyBounds(report)].filter((sentence) => sentence !== '').join(' ');
}

function emptyBounds({ method, indices }: Asked): string {
  if (method !== 'dgsm') return '';
  const empty = indices.filter(({ figures }) => typeof figures['bound'] === 'number' && figures['bound'] > 1);
  if (empty.length === 0) return '';
  const which =
    empty.length === indices.length
      ? 'Every bound on ST is'
      : `Of ${empty.map(({ name }) => name).join(', ')} the bound on ST is`;
  return `${which} above 1, which says nothing, since no index is: take Sobol’ indices.`;
}
