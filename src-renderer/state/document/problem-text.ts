/** Problems as sentences beside the block that they are about: its name need not be said again. */
import type { Problem } from '../../../src-main/contract/contract.ts';

export function problemText({ message, block }: Pick<Problem, 'message' | 'block'>): string {
  const prefix = `block "${block}": `;
  const text = block !== undefined && message.startsWith(prefix) ? message.slice(prefix.length) : message;
  return text === '' ? text : text[0]!.toUpperCase() + text.slice(1);
}
