/**
 * Rows that a formula leaves out: `t > 10`, or `abs(y - curve) > 3 * 0.1` of what the model says of each row. The model is
 * asked once, with a map block that its document never holds; what is kept are the rows and why, as if each had been clicked.
 */
import type { ArrayValue } from '../../../src-main/contract/contract.ts';
import { applyCommand } from './commands.ts';
import { derivedColumn } from './derived-columns.ts';
import type { Draft } from './draft.ts';
import { freshId } from './draft.ts';

export interface RowQuestion {
  /** The model with the question in it. */
  readonly draft: Draft;
  /** The block that answers. */
  readonly id: string;
  readonly formula: string;
  /** What stands as the reason beside each row. */
  readonly why: string;
}

/** Of `t > 10; the stirrer stopped`: a formula, and a reason where there is a better one. A sentence where it is none. */
export function rowQuestion(
  draft: Draft,
  table: string,
  columns: readonly string[],
  text: string,
): RowQuestion | string {
  const [, formula = '', reason = ''] = /^\s*([^;]*?)\s*(?:;\s*(.*?)\s*)?$/s.exec(text) ?? [];
  if (formula === '') return 'Wanted a formula, as "t > 10".';
  const id = freshId(new Set(draft.blocks.map((block) => block.id)), 'excluding');
  const command = derivedColumn(draft, table, columns, `${id} = ${formula}`);
  if (typeof command === 'string') return command;
  return { draft: applyCommand(draft, command), id, formula, why: reason === '' ? formula : reason };
}

/** The rows of which it is true, of the table's `total`; those that are excluded already are not asked. A sentence where it is no such answer. */
export function rowsWhere(
  { formula }: RowQuestion,
  answer: ArrayValue,
  total: number,
  excluded: ReadonlyMap<number, string>,
): readonly number[] | string {
  if (answer.element !== 'bool') return `${formula} is a number: wanted what is true of some rows, as "t > 10".`;
  const counted = Array.from({ length: total }, (_, row) => row).filter((row) => !excluded.has(row));
  if (answer.shape.length !== 1 || answer.shape[0] !== counted.length)
    return `${formula} is not one answer for each row of the table.`;
  const rows = counted.filter((_, i) => answer.values[i] === 1);
  return rows.length > 0 ? rows : `${formula} is true of no row.`;
}
