/** The limits that a likelihood has of its observations. */
import { seenOf, type LikelihoodBlock } from '../blocks/likelihood.ts';
import type { CheckedBlock, Link } from '../graph/checked.ts';
import { isDocumentNumber, toNumber } from '../notation/numbers.ts';
import { censoredSides, type LimitKind } from '../objective/limited.ts';

export interface Limit extends LimitKind {
  readonly at: Link | number;
}

export function limitsOf({ node, links, detail }: CheckedBlock): Limit[] {
  const { censored } = node.block as LikelihoodBlock;
  if (!censored) return [];
  const seen = seenOf(detail);
  return censoredSides.flatMap((side): Limit[] => {
    const written = censored[side];
    if (written === undefined) return [];
    const at = isDocumentNumber(written) ? toNumber(written) : links.get(`censored.${side}`);
    return at === undefined ? [] : [{ side, at, told: side === 'interval' ? undefined : seen[side] }];
  });
}
