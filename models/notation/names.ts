/** Identifiers, and the name that somebody probably meant. */

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function isIdentifier(text: string): boolean {
  return identifier.test(text);
}

/** Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(rows, i - 1, j) + 1, row[j - 1]! + 1, at(rows, i - 1, j - 1) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(rows, i - 2, j - 2) + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return at(rows, a.length, b.length);
}

function at(rows: readonly (readonly number[])[], i: number, j: number): number {
  return rows[i]![j]!;
}

/** The known name nearest to `name`, if one is near: a third of its letters may differ, case counts for little. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  // Nobody's typing error is this long, and the distance is quadratic.
  if (name.length > 60) return undefined;
  // One letter is near to every other.
  if (name.length === 1)
    return [...known].find((other) => other !== name && other.toLowerCase() === name.toLowerCase());
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 3)) + 0.5;
  for (const candidate of known) {
    if (candidate === name || Math.abs(candidate.length - name.length) > 20) continue;
    const sameLetters = candidate.toLowerCase() === name.toLowerCase();
    const d = sameLetters ? 0.5 : distance(name.toLowerCase(), candidate.toLowerCase());
    if (d < least) [best, least] = [candidate, d];
  }
  return best;
}

/** `did you mean "values"?`, or undefined where nothing is near. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const nearest = nearestName(name, known);
  return nearest === undefined ? undefined : `did you mean "${nearest}"?`;
}
