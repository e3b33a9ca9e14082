import { ExternalTokenizer } from '@lezer/lr';
import { newline } from './terms.generated.ts';

const lineFeed = 10;
const blanks = new Set([9, 10, 13, 32]);

/**
 * A newline separates lines only where a line can end: after a complete definition or the last expression. Elsewhere
 * (after an operator, inside parentheses, at the start) it is white space like any other.
 */
export const newlineTokenizer = new ExternalTokenizer(
  (input, stack) => {
    if (input.next !== lineFeed || !stack.canShift(newline)) return;
    do input.advance();
    while (blanks.has(input.next));
    input.acceptToken(newline);
  },
  { contextual: true },
);
