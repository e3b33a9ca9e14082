/** What a comparison's measure is made of, at its rows: the columns that were read, and of each row the values. */
import type { Drawing } from '../../../models/plots/drawing.ts';
import { limitedBy, type Limited } from '../../../models/objective/limited.ts';

export type Read = (name: string) => ArrayLike<number>;

export interface Arguments {
  readonly columns: readonly ArrayLike<number>[];
  /** Whether every row takes the whole of it. */
  readonly isList: (argument: number) => boolean;
  readonly valuesAt: (row: number) => number[];
}

/** `read` gives `argument 0`, `argument 1`, … of the drawing's comparison. */
export function argumentsOf({ comparison }: Drawing, read: Read): Arguments {
  const { measure } = comparison;
  const columns = comparison.arguments.map((argument, j) =>
    typeof argument === 'number' ? [argument] : read(`argument ${j}`),
  );
  const isList = (j: number): boolean => measure.shared === true && j === columns.length - 1;
  const list = columns.flatMap((column, j) => (isList(j) ? Array.from(column) : []));
  const single = columns.filter((_, j) => !isList(j));
  const steps = single.map((column) => (column.length === 1 ? 0 : 1));
  // A slider asks it of every row at every move.
  const valuesAt = (row: number): number[] => {
    const values: number[] = [];
    for (let j = 0; j < single.length; j++) values.push(single[j]![row * steps[j]!]!);
    return list.length > 0 ? values.concat(list) : values;
  };
  return { columns, isList, valuesAt };
}

/** Of a row and its observation what is known of it, if that is a limit alone. `read` gives `limit 0`, `limit 1`, …. */
export function limitedAt({ comparison: { limits } }: Drawing, read: Read) {
  const columns = limits.map(({ at }, k) => (typeof at === 'number' ? [at] : read(`limit ${k}`)));
  return (row: number, y: number): Limited | undefined =>
    limits.length === 0 ? undefined : limitedBy(limits, y, (k) => columns[k]![columns[k]!.length === 1 ? 0 : row]!);
}
