import * as v from 'valibot';
import { common, oneOf, strict, text } from '../notation/fields.ts';
import { didYouMean } from '../notation/names.ts';
import { place, type TypedColumn } from '../tables/type-column.ts';
import { blockKind, type Sizes } from './kind.ts';

const schema = strict({
  kind: v.literal('column'),
  ...common,
  table: text,
  column: text,
  type: v.exactOptional(oneOf(['real', 'int', 'category'])),
});

export type ColumnBlock = v.InferOutput<typeof schema>;

export const column = blockKind<ColumnBlock, { typed: TypedColumn; sizes: Sizes }>({
  kind: 'column',
  schema,
  wires: () => [],

  infer(block, context) {
    const table = context.table(block.table);
    if (!table) {
      if (context.tableNames().includes(block.table)) return undefined;
      const fix = didYouMean(block.table, context.tableNames());
      return context.fail(`there is no table ${JSON.stringify(block.table)}`, { port: 'table', ...(fix && { fix }) });
    }
    if (!table.columns.has(block.column)) {
      const names = [...table.columns.keys()];
      const fix =
        didYouMean(block.column, names) ??
        `its columns are ${names
          .slice(0, 12)
          .map((n) => JSON.stringify(n))
          .join(', ')}`;
      return context.fail(`the table ${JSON.stringify(block.table)} has no column ${JSON.stringify(block.column)}`, {
        port: 'column',
        fix,
      });
    }
    const typed = context.column(table, block.column, block.type);
    if ('row' in typed)
      return context.fail(
        `the column ${JSON.stringify(block.column)} wants ${typed.wanted}, and has ${place(typed.row, typed.cell)}`,
        { port: 'column', wanted: typed.wanted, got: typed.cell, ...(typed.fix && { fix: typed.fix }) },
      );
    if (typed.warning !== undefined) context.warn(`the column ${JSON.stringify(block.column)}: ${typed.warning}`);
    const sizes = [{ value: typed.values.length, name: table.name, literal: false }];
    const { element, values: data, category, dates } = typed;
    const output = {
      name: '',
      element,
      sizes,
      computed: false,
      data,
      ...(category && { category }),
      ...(dates && { dates }),
    };
    return { outputs: [output], detail: { typed, sizes } };
  },

  lower: (_, { typed, sizes }, context) => [context.source(context.id, typed.element, sizes, () => typed.values)],
});
