/** Roles of columns: one x and one group at most, and a σ for each y. */
import type { ColumnRole, ImportColumn } from '../../../src-main/contract/import.ts';

export const roleNames: Readonly<Record<ColumnRole, string>> = {
  x: 'x',
  y: 'y',
  sigma: 'σ of y',
  group: 'group',
  keep: 'keep',
  ignore: 'leave out',
};

/** What a column of this type can be. Labels are no numbers; everything can tell groups apart. */
export function possibleRoles({ type }: Pick<ImportColumn, 'type'>): readonly ColumnRole[] {
  if (type === 'category') return ['group', 'keep', 'ignore'];
  return type === 'date' ? ['x', 'y', 'group', 'keep', 'ignore'] : ['x', 'y', 'sigma', 'group', 'keep', 'ignore'];
}

/** The roles with one changed: what had it before, where there can be one only, is kept in the table. */
export function changeRole(
  roles: readonly ColumnRole[],
  columns: readonly Pick<ImportColumn, 'type'>[],
  column: number,
  role: ColumnRole,
): ColumnRole[] {
  const single = role === 'x' || role === 'group';
  return roles.map((each, j) => {
    if (j === column) return role;
    if (single && each === role) return swapped(roles[column], columns[j]);
    return each;
  });
}

/** x and y change places, so that a table whose y comes first needs one choice and not two. */
function swapped(before: ColumnRole | undefined, column: Pick<ImportColumn, 'type'> | undefined): ColumnRole {
  return before === 'y' && column && possibleRoles(column).includes('y') ? 'y' : 'keep';
}

/** The σ that belongs to a y: the first after it and before the next y. */
export function sigmaOf(roles: readonly ColumnRole[], y: number): number | undefined {
  for (let j = y + 1; j < roles.length && roles[j] !== 'y'; j++) if (roles[j] === 'sigma') return j;
  return undefined;
}
