/** Cells of two whole numbers, `3/20`: so many of so many, or a dilution. */
import { everyCell, withMark, type TextColumn } from './gathered.ts';
import type { SourceColumn } from './source.ts';

const fraction = /^(\d+)\s*([/:])\s*(\d+)$/;

/** The two columns that cells such as `3/20` are together; undefined where some are none. */
export function sharesApart(column: SourceColumn, raw: TextColumn): readonly SourceColumn[] | undefined {
  if (/date|datum|dilution|verdünnung|tit(?:er|re)|ratio/i.test(column.name)) return undefined;
  const isShare = (cell: string): boolean => {
    const [, some, mark, all] = fraction.exec(cell) ?? [];
    return mark === '/' && Number(some) <= Number(all);
  };
  if (!everyCell(raw, isShare) || areOneth(raw)) return undefined;
  const side = (at: 1 | 3): TextColumn => ({ ...raw, cell: (row) => fraction.exec(raw.cell(row))?.[at] ?? '' });
  const name = /^(.*\S)\s*\/\s*\S+$/.exec(column.name)?.[1] ?? column.name;
  return [
    { name, unit: undefined, raw: plainless(side(1)) },
    { name: `total of ${name}`, unit: undefined, raw: plainless(side(3)) },
  ];
}

/** `1/2`, `1:4`, `1:80` of a column of dilutions as 0.5, 0.25, 0.0125; undefined where cells are none. */
export function dilutions(column: SourceColumn, raw: TextColumn): SourceColumn | undefined {
  const isNamed = /dilution|verdünnung|tit(?:er|re)/i.test(column.name);
  if (!areOneth(raw) || !(isNamed || everyCell(raw, (cell) => cell.includes('/')))) return undefined;
  const quotient = (cell: string): string => {
    const [, over = '', , below = ''] = fraction.exec(cell) ?? [];
    return over === '' ? cell : withMark(Number(over) / Number(below), raw.decimal);
  };
  return { ...column, raw: plainless({ ...raw, cell: (row) => quotient(raw.cell(row)) }) };
}

/** Several of 1 over another number each. */
function areOneth(raw: TextColumn): boolean {
  const cells = new Set<string>();
  return everyCell(raw, (cell) => /^1\s*[/:]\s*[1-9]\d*$/.test(cell) && Boolean(cells.add(cell))) && cells.size > 2;
}

/** What cells were before says nothing of them now. */
function plainless({ length, quoted, decimal, cell }: TextColumn): TextColumn {
  return { ...{ kind: 'text', length, quoted, decimal, cell } };
}
