/** An entry of `tables`: a file beside the document, or columns written in it. */
import * as v from 'valibot';
import { count, named, oneOf, strict, text, truth } from './fields.ts';

const cells = v.custom<readonly (number | string | boolean | null)[]>(
  (value) => Array.isArray(value) && value.every((cell) => cell === null || typeof cell !== 'object'),
  'a list of numbers, strings and nulls',
);

/** Rows that count for nothing, as counted from 0, and why. */
const excluded = v.exactOptional(
  v.array(
    strict({ row: count('a row, counted from 0'), why: v.exactOptional(text) }),
    'a list of rows, as [{"row": 3, "why": "…"}]',
  ),
);

export const fileEntry = strict({
  file: text,
  /** One character; found where it is not said. */
  delimiter: v.exactOptional(v.pipe(v.string('one character'), v.length(1, 'one character'))),
  decimal: v.exactOptional(oneOf(['.', ','])),
  /** Whether the first row names the columns. */
  header: v.exactOptional(truth),
  excluded,
});

export const columnsEntry = strict({ columns: named(cells, 'columns by name'), excluded });

export type TableEntry = v.InferOutput<typeof fileEntry> | v.InferOutput<typeof columnsEntry>;
