/** What stands at an axis for a block: its label; else the name of the column that its id was made of; else its id. */
import type { Block } from '../blocks/block.ts';
import { asId } from '../formula/names.ts';

/** `id`: as it is referred to. An id that somebody chose, `girth` for the column `circumference`, says more than the column does. */
export function axisLabel(block: Block | undefined, id: string, unit: string): string {
  if (block?.label !== undefined) return block.label;
  return block?.kind === 'column' && isMadeOf(block.id, block.column) ? withoutUnit(block.column, unit) : id;
}

/** `length_` of `length`, which no id may be, and `dose2` where there was a `dose`. */
function isMadeOf(id: string, column: string): boolean {
  const plain = asId(column);
  return id.startsWith(plain) && /^_?\d*$/.test(id.slice(plain.length));
}

/** The unit stands beside it. */
function withoutUnit(column: string, unit: string): string {
  const [, name = '', inBrackets] = /^(.*\S)\s*[([]([^()[\]]*)[)\]]$/.exec(column) ?? [];
  return unit !== '' && inBrackets?.trim() === unit.trim() ? name : column;
}
