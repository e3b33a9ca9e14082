/**
 * "did you mean …?" for a name that is not known.
 */

/** Names that other languages use for what formulas have. */
const elsewhere = new Map([
  ['ln', 'log'],
  ['arcsin', 'asin'],
  ['arccos', 'acos'],
  ['arctan', 'atan'],
  ['arctan2', 'atan2'],
  ['sigmoid', 'logistic'],
  ['expit', 'logistic'],
  ['fabs', 'abs'],
  ['power', 'pow'],
  ['ceiling', 'ceil'],
  ['sgn', 'sign'],
  ['loggamma', 'lgamma'],
  ['gammaln', 'lgamma'],
  ['psi', 'digamma'],
  ['clip', 'clamp'],
  ['where', 'if'],
  ['ifelse', 'if'],
  ['float', 'real'],
  ['minimum', 'min'],
  ['maximum', 'max'],
  ['infinity', 'inf'],
]);

/** `: did you mean 'x'?`, or nothing where no name is near. */
export function suggestion(name: string, known: Iterable<string>): string {
  const candidates = [...known];
  const plain = name.toLowerCase();
  const same = elsewhere.get(plain);
  const nearest = candidates
    .map((candidate) => ({ candidate, distance: distance(plain, candidate.toLowerCase()) }))
    .filter(({ distance: d }) => d <= (name.length < 4 ? 1 : 2) && d < name.length)
    .sort((a, b) => a.distance - b.distance)[0]?.candidate;
  const best = same !== undefined && candidates.includes(same) ? same : nearest;
  return best === undefined ? '' : `: did you mean '${best}'?`;
}

/** Insertions, deletions and replacements between two short words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
