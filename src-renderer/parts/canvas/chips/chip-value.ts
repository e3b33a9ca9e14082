/** What a chip says beside its name. */
import type { BlockDraft } from '../../../state/document/draft.ts';
import { flatNumbers } from '../../../state/document/draft.ts';
import { formatNumber } from '../../../state/words/number-format.ts';

/** `point` is where the fit or the sliders stand; `shape` tells how long a range is. */
export function chipValue(block: BlockDraft, point: readonly number[] | undefined, shape = ''): string {
  if (block.kind === 'range') return `0, 1, … ${shape}`;
  const [number] = (block.kind === 'parameter' ? point : flatNumbers(block['value'])) ?? [];
  return number === undefined ? '' : formatNumber(number);
}
