/** Roles as `import --roles` has them, by the names of columns: read into those that were found, and written out. */
import { didYouMean } from '../notation/names.ts';
import type { ExperimentColumn } from './find-roles.ts';
import {
  columnRoles,
  fullLabel,
  noises,
  saysNo,
  singleRoles,
  togethers,
  zeroLabel,
  type ColumnRole,
  type Noise,
  type Roles,
} from './roles.ts';

export type SaidRoles = Readonly<Record<string, unknown>>;

/** Roles that cannot be, in one sentence. */
export class RoleError extends Error {
  override readonly name = 'RoleError';
}

const sayable: readonly string[] = columnRoles.filter((role) => role !== 'keep');

/** What is said takes the place of what was found for that role; null says that no column has it. Throws `RoleError`. */
export function withSaidRoles(
  found: Roles,
  said: SaidRoles,
  columns: readonly ExperimentColumn[],
  rows: number,
): Roles {
  const roles = [...found.columns];
  const placeOf = (name: unknown, role: string): number => {
    const place = columns.findIndex((column) => column.name === name);
    if (place >= 0) return place;
    const known = columns.map((column) => column.name);
    const fix = typeof name === 'string' ? didYouMean(name, known) : undefined;
    const got = typeof name === 'string' ? `"${name}"` : JSON.stringify(name);
    throw new RoleError(
      `the table has no column ${got} for the role ${role}${fix === undefined ? `: its columns are ${known.join(', ')}` : ` (${fix})`}`,
    );
  };
  let { together, controls, noise } = found;
  if ('y' in said) together = 'replicates';
  for (const [role, value] of Object.entries(said)) {
    if (role === 'columns') {
      const known = togethers.find((each) => each === value);
      if (!known)
        throw new RoleError(
          `"columns" says what several columns of y are: ${togethers.map((each) => `"${each}"`).join(', ')}`,
        );
      together = known;
      continue;
    }
    if (role === 'noise') {
      noise = noises.find((each) => each === value);
      if (!noise && value !== null)
        throw new RoleError(`"noise" says how readings scatter: ${noises.map((each) => `"${each}"`).join(', ')}`);
      continue;
    }
    if (!sayable.includes(role)) {
      const fix = didYouMean(role, [...sayable, 'columns', 'noise']);
      throw new RoleError(
        `there is no role "${role}"${fix === undefined ? '' : ` (${fix})`}: there are ${sayable.join(', ')}`,
      );
    }
    if (role === 'control' && value === null) controls = undefined;
    const of = role as ColumnRole;
    const places = (value === null ? [] : Array.isArray(value) ? value : [value]).map((name) => placeOf(name, role));
    if (singleRoles.has(of) && places.length > 1) throw new RoleError(`one column at most is ${role}`);
    roles.forEach((each, j) => {
      if (each === of && !places.includes(j)) roles[j] = 'keep';
    });
    for (const j of places) roles[j] = of;
  }
  for (const [j, role] of roles.entries()) demandNumbers(columns[j]!, role, rows);
  const own = roles.indexOf('control');
  if ('control' in said && own >= 0) {
    const labels = [...new Set(Array.from({ length: rows }, (_, row) => columns[own]!.text(row)?.trim() ?? ''))];
    const of = (pattern: RegExp): string[] => labels.filter((label) => pattern.test(label));
    const [full, zero] = [of(fullLabel), of(zeroLabel)];
    if (full.length === 0 || zero.length === 0)
      throw new RoleError(
        `the column "${columns[own]!.name}" has no control of ${full.length === 0 ? '100 %' : '0 %'}: its labels are ${labels
          .filter((label) => !saysNo.test(label))
          .slice(0, 6)
          .join(', ')}`,
      );
    controls = { column: own, full, zero };
  }
  if (controls && roles[controls.column] !== 'group' && roles[controls.column] !== 'control') controls = undefined;
  return { columns: roles, together, controls, noise };
}

const numeric: ReadonlySet<ColumnRole> = new Set(['x', 'y', 'sigma', 'repeats', 'weight', 'dose', 'trials', 'limit']);

function demandNumbers(column: ExperimentColumn, role: ColumnRole, rows: number): void {
  if (!numeric.has(role)) return;
  if (column.type === 'category' || column.values === undefined)
    throw new RoleError(`the column "${column.name}" has labels, and ${role} wants numbers`);
  if (column.missing - column.limits.size === rows)
    throw new RoleError(`the column "${column.name}" is empty, and ${role} wants numbers`);
}

/** A name where one column has the role, a list where several have; and how readings scatter, where that is unusual. */
export function rolesByName(
  roles: Roles,
  columns: readonly { readonly name: string }[],
  noise: Noise = 'constant',
): Record<string, unknown> {
  const entries = columnRoles
    .filter((role) => role !== 'keep')
    .flatMap((role): [string, unknown][] => {
      const names = roles.columns.flatMap((each, j) => (each === role ? [columns[j]!.name] : []));
      const [only] = names;
      return names.length === 0 ? [] : [[role, names.length === 1 && role !== 'y' ? only : names]];
    });
  const observed = roles.columns.filter((role) => role === 'y').length;
  const { controls } = roles;
  return Object.fromEntries([
    ...entries.map(([role, names]): [string, unknown] => [
      role,
      role === 'y' && observed === 1 ? (names as string[])[0] : names,
    ]),
    ...(observed > 1 ? [['columns', roles.together] as const] : []),
    ...(noise === 'constant' ? [] : [['noise', noise] as const]),
    ...(controls
      ? [['controls', { column: columns[controls.column]!.name, full: controls.full, zero: controls.zero }] as const]
      : []),
  ]);
}
