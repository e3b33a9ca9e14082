/**
 * Where ∂rateᵢ/∂stateⱼ is not zero by its form, and how few directions show all of it: columns that share no row are seen
 * by one directional derivative together (Curtis, Powell & Reid 1974, doi:10.1093/imamat/13.1.117).
 */
import { jvpFunction, type ScalarFunction } from '../../../../engine/index.ts';
import type { Role } from './role.ts';

/** Row by row, the columns of entries that may be other than zero. */
export type Pattern = readonly ReadonlySet<number>[];

const known = new WeakMap<ScalarFunction, Pattern>();

export function jacobianPattern(rates: ScalarFunction, roles: readonly Role[], states: number): Pattern {
  const found = known.get(rates) ?? patternOf(rates, roles, states);
  known.set(rates, found);
  return found;
}

function patternOf(rates: ScalarFunction, roles: readonly Role[], states: number): Pattern {
  const rows = Array.from({ length: states }, () => new Set<number>());
  for (let j = 0; j < states; j++) {
    const { active } = jvpFunction(
      rates,
      roles.map((role) => role.kind === 'state' && role.state === j),
    );
    for (const [i, row] of rows.entries()) if (active[i]) row.add(j);
  }
  return rows;
}

/** Groups of columns of which no two have an entry in one row; each column goes to the first that has room for it. */
export function columnsApart(pattern: Pattern): number[][] {
  const groups: { readonly columns: number[]; readonly rows: Set<number> }[] = [];
  for (let j = 0; j < pattern.length; j++) {
    const rows = pattern.flatMap((row, i) => (row.has(j) ? [i] : []));
    if (rows.length === 0) continue;
    const group = groups.find((each) => !rows.some((row) => each.rows.has(row)));
    if (group) {
      group.columns.push(j);
      for (const row of rows) group.rows.add(row);
    } else groups.push({ columns: [j], rows: new Set(rows) });
  }
  return groups.map(({ columns }) => columns);
}
