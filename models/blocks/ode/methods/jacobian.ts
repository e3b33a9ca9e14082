/**
 * Where ∂rateᵢ/∂stateⱼ is not zero by its form, and how few directions show all of it: columns that share no row are seen
 * by one directional derivative together (Curtis, Powell & Reid 1974, doi:10.1093/imamat/13.1.117).
 */
import {
  jvpFunction,
  realLiteral,
  scalarFunction,
  simplifyFunction,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../../engine/index.ts';
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

/** Of the parameters of the rates: the entries of the pattern, row by row, each row in its pattern's order. */
export function jacobianFunction(rates: ScalarFunction, roles: readonly Role[], states: number): ScalarFunction {
  const found = functions.get(rates) ?? simplifyFunction(functionOf(rates, roles, states));
  functions.set(rates, found);
  return found;
}

const functions = new WeakMap<ScalarFunction, ScalarFunction>();

function functionOf(rates: ScalarFunction, roles: readonly Role[], states: number): ScalarFunction {
  const pattern = jacobianPattern(rates, roles, states);
  const types = rates.parameters.map(({ type }) => type);
  return scalarFunction(types, (s, ...parameters) => {
    const entries = pattern.map(() => new Map<number, ScalarOperand>());
    for (const columns of columnsApart(pattern)) {
      const own = new Set(columns);
      const moving = roles.map((role) => role.kind === 'state' && own.has(role.state));
      const { function: pushed, active } = jvpFunction(rates, moving);
      const operands = [...parameters, ...moving.filter(Boolean).map(() => realLiteral(1))];
      const moved = s.inline(pushed, operands).slice(active.length);
      const tangents = active.map((moves) => (moves ? moved.shift() : undefined));
      for (const [i, row] of pattern.entries()) for (const j of row) if (own.has(j)) entries[i]!.set(j, tangents[i]!);
    }
    return pattern.flatMap((row, i) => [...row].map((j) => entries[i]!.get(j)!));
  });
}
