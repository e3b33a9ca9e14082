/**
 * What reactions leave as it is: ℓ with ℓᵀ·N = 0 for the stoichiometry N [states, reactions], so that ℓ·amounts is the same
 * at all times. Each law is reduced until it has a state of its own, whose equation says nothing that the others do not.
 */
import { reactionsOf, stateNames, type OdeBlock } from './schema.ts';
import { isReactionFault, parseReaction } from '../../notation/reaction.ts';

export interface ConservationLaw {
  /** The state that no other law has. */
  readonly state: number;
  /** Of each state's amount. */
  readonly weights: readonly number[];
}

/** Smaller entries have cancelled: stoichiometries are small numbers. */
const cancelled = 1e-9;

export function conservationLaws(block: OdeBlock): ConservationLaw[] {
  const states = stateNames(block);
  const columns = reactionsOf(block).flatMap(({ reaction }) => {
    const parsed = parseReaction(reaction, states);
    return isReactionFault(parsed) ? [] : [states.map((name) => parsed.get(name) ?? 0)];
  });
  // What has a rate of its own is changed by something that no other is.
  const own = states.flatMap((name, i) =>
    (block.state[name]?.rate ?? '0').trim() === '0' ? [] : [states.map((_, j) => (i === j ? 1 : 0))],
  );
  const all = [...columns, ...own];
  const matrix = states.map((_, i) => all.map((column) => column[i]!));
  const identity = states.map((_, i) => states.map((__, j) => (i === j ? 1 : 0)));
  const left = eliminated(
    matrix.map((row, i) => [...row, ...identity[i]!]),
    all.length,
  );
  // Rows without anything in front are combinations of states that nothing changes.
  const laws = left.rows.slice(left.pivots.length).map((row) => row.slice(all.length));
  const reduced = eliminated(laws, states.length);
  return reduced.pivots.map((state, i) => ({ state, weights: reduced.rows[i]! }));
}

/** Gauss–Jordan over the first columns: rows with pivots first, each pivot 1 and alone in its column. */
function eliminated(
  given: readonly (readonly number[])[],
  columns: number,
): { readonly rows: number[][]; readonly pivots: number[] } {
  const rows = given.map((row) => [...row]);
  const pivots: number[] = [];
  for (let column = 0; column < columns && pivots.length < rows.length; column++) {
    const at = pivots.length;
    let best = at;
    for (let i = at; i < rows.length; i++) if (Math.abs(rows[i]![column]!) > Math.abs(rows[best]![column]!)) best = i;
    const size = rows[best]![column]!;
    if (Math.abs(size) < cancelled) continue;
    const pivot = rows[best]!.map((value) => value / size);
    rows[best] = rows[at]!;
    rows[at] = pivot;
    for (const [i, row] of rows.entries())
      if (i !== at && Math.abs(row[column]!) > 0) {
        const factor = row[column]!;
        rows[i] = row.map((value, j) => clean(value - factor * pivot[j]!));
      }
    pivots.push(column);
  }
  return { rows, pivots };
}

const clean = (value: number): number => (Math.abs(value) < cancelled ? 0 : value);
