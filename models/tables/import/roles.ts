/** What a column is for, guessed from its name and its cells: the abscissa, what was observed, its error, a group. */
import type { ImportedColumn } from './type-column.ts';

export const roles = ['x', 'y', 'sigma', 'group', 'keep', 'ignore'] as const;
/** `keep`: in the table, and not in the model; `ignore`: not in the table either. */
export type Role = (typeof roles)[number];

export interface NamedColumn extends ImportedColumn {
  readonly name: string;
}

const errorName =
  /(?:^|[^a-z])(?:σ|sigma|s\.?d\.?|std|stdev|s\.?e\.?m?\.?|err|errors?|unc|uncertainty|±|\+\/-|standard (?:deviation|error))(?:[^a-z]|$)|^(?:e_|d(?=[xy]$)|δ)/i;
const groupName =
  /(?:^|[^a-z])(?:subject|patient|animal|id|group|series|set|plate|run|batch|replicate|site|plot|tree|chick|species|treatment|arm|cohort)(?:[^a-z]|$)/i;
const xName =
  /^(?:t|x|time|times|day|days|date|hour|hours|h|min|minutes|seconds|s|dose|conc|concentration|age|temperature|temp|distance|depth|energy|channel|frequency|f|wavelength|angle|position|voltage|year|n|index)(?:[_ ].*)?$/i;

/** A category of this many labels for each row, or more, tells rows apart and groups nothing. */
const labelsShare = 0.5;

/** One x, one y with its σ, at most one group; the others are kept in the table. */
export function findRoles(columns: readonly NamedColumn[], rows: number): Role[] {
  const found = columns.map((column): Role => (column.missing === rows && rows > 0 ? 'ignore' : 'keep'));
  const isNumbers = (column: NamedColumn): boolean => column.type !== 'category' && column.missing < rows;
  const isGroup = (column: NamedColumn): boolean =>
    column.type === 'category'
      ? (column.labels ?? 0) > 1 && (column.labels ?? 0) <= labelsShare * rows
      : groupName.test(column.name) && repeats(column, rows);
  const group = columns.findIndex(isGroup);
  if (group >= 0) found[group] = 'group';
  const numbers = columns.flatMap((column, j) => (j !== group && isNumbers(column) ? [j] : []));
  const nameOf = (j: number): string => (columns[j] as NamedColumn).name;
  const measured = numbers.filter((j) => !errorName.test(nameOf(j)) && !isRowNumber(columns[j] as NamedColumn, j));
  // What varies is what a curve can be drawn of.
  const able = measured.length > 1 ? measured : numbers;
  const [only] = able;
  if (only === undefined) return found;
  const x = able.find((j) => columns[j]?.type === 'date') ?? able.find((j) => xName.test(nameOf(j))) ?? only;
  const y = able.find((j) => j > x) ?? able.find((j) => j !== x);
  found[x] = y === undefined ? 'y' : 'x';
  if (y === undefined) return found;
  found[y] = 'y';
  const sigma = numbers.find((j) => j > y && errorName.test(nameOf(j)) && positive(columns[j] as NamedColumn));
  if (sigma !== undefined) found[sigma] = 'sigma';
  return found;
}

/** R's and pandas's column of row names: unnamed, and counting. */
function isRowNumber({ name, values }: NamedColumn, at: number): boolean {
  if (at !== 0 || !/^(?:column1|Unnamed: 0|rownames?|row)$/i.test(name) || !values || values.length < 2) return false;
  const start = values[0] as number;
  return (start === 0 || start === 1) && values.every((value, i) => value === start + i);
}

function repeats({ values }: NamedColumn, rows: number): boolean {
  const distinct = new Set(values);
  return distinct.size > 1 && distinct.size <= labelsShare * rows;
}

function positive({ values }: NamedColumn): boolean {
  return values !== undefined && values.every((value) => Number.isNaN(value) || value > 0);
}
