/** Roles of columns as the window offers them: which a column can have, and what changes with one of them. */
import type { ColumnRole, ImportColumn } from '../../../src-main/contract/import.ts';

export const roleNames: Readonly<Record<ColumnRole, string>> = {
  x: 'x',
  y: 'y',
  sigma: 'σ of y',
  repeats: 'readings in a mean',
  weight: 'weight',
  group: 'group',
  dose: 'dose',
  condition: 'condition',
  control: 'control',
  trials: 'trials',
  limit: 'limit',
  censored: 'censored',
  event: 'event seen',
  exclude: 'exclude',
  keep: 'keep',
  ignore: 'leave out',
};

const labels = ['group', 'condition', 'control', 'censored', 'event', 'exclude', 'keep', 'ignore'] as const;
const dates = ['x', 'y', 'group', 'keep', 'ignore'] as const;
const numbers = [
  'x',
  'y',
  'sigma',
  'repeats',
  'weight',
  'group',
  'dose',
  'condition',
  'trials',
  'limit',
  'censored',
  'event',
  'exclude',
  'keep',
  'ignore',
] as const;

/** What a column of this type can be. Labels are no numbers; everything can tell groups apart. */
export function possibleRoles({ type }: Pick<ImportColumn, 'type'>): readonly ColumnRole[] {
  return type === 'category' ? labels : type === 'date' ? dates : numbers;
}

/** What a row of the file says of others, or of what was read in it. */
const rearranging: ReadonlySet<ColumnRole> = new Set(['exclude', 'limit', 'censored', 'event', 'repeats', 'control']);

/** Whether readings stand otherwise in a document than in the file: the file's columns alone would not say what was chosen. */
export function rearranges(roles: readonly ColumnRole[], byControls: boolean): boolean {
  return (
    roles.includes('y') &&
    (byControls || roles.filter((role) => role === 'y').length > 1 || roles.some((role) => rearranging.has(role)))
  );
}

/** Of which there can be several. */
const several: ReadonlySet<ColumnRole> = new Set(['y', 'sigma', 'group', 'keep', 'ignore']);

/** The roles with one changed: what had it before, where there can be one only, is kept in the table. */
export function changeRole(
  roles: readonly ColumnRole[],
  columns: readonly Pick<ImportColumn, 'type'>[],
  column: number,
  role: ColumnRole,
): ColumnRole[] {
  return roles.map((each, j) => {
    if (j === column) return role;
    if (!several.has(role) && each === role) return swapped(roles[column], columns[j]);
    return each;
  });
}

/** x and y change places, so that a table whose y comes first needs one choice and not two. */
function swapped(before: ColumnRole | undefined, column: Pick<ImportColumn, 'type'> | undefined): ColumnRole {
  return before === 'y' && column && possibleRoles(column).includes('y') ? 'y' : 'keep';
}
