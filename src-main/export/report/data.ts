/** What each column holds, in a line. */
import type { Model } from '../../../models/load/model.ts';
import { tableText } from '../../../models/tables/table.ts';
import { table } from '../html.ts';

export function dataTable(model: Model): string {
  const rows = [...model.blocks].flatMap(([id, { node, outputs }]) => {
    const [output] = outputs;
    if (node.block.kind !== 'column' || !output?.data) return [];
    const values = Array.from(output.data).filter((value) => !Number.isNaN(value));
    const missing = output.data.length - values.length;
    const unit = node.block.unit ?? '';
    if (output.category)
      return [[id, node.block.table, output.data.length, missing, unit, `${output.category.length} labels`]];
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const [low, high] = values.reduce(
      ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
      [Infinity, -Infinity],
    );
    return [[id, node.block.table, output.data.length, missing, unit, '', low, mean, high]];
  });
  const titles = ['column', 'table', 'rows', 'missing', 'unit', 'values', 'least', 'mean', 'largest'];
  return rows.length === 0 ? '' : table(titles, rows);
}

/** The rows that count for nothing, and why. */
export function excludedTable({ document, tables }: Model): string {
  const rows = Object.entries(document.tables ?? {}).flatMap(([name, { excluded = [] }]) =>
    excluded.map(({ row, why = '' }) => {
      const read = tables.get(name);
      const cells = read ? tableText(read, row, 1)[0] : undefined;
      const held = [...(read?.columns.keys() ?? [])].map((column, i) => `${column} ${cells?.[i] ?? ''}`);
      return [name, row, why === '' ? 'no reason given' : why, held.join(', ')];
    }),
  );
  return rows.length === 0 ? '' : table(['excluded from', 'row', 'why', 'what it holds'], rows);
}
