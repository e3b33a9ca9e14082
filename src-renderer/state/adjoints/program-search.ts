/** The lines of a text that hold every word of a query, whatever their case; none for an empty query. */
export function findLines(lines: readonly string[], query: string): readonly number[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return lines.flatMap((line, i) => (words.every((word) => line.toLowerCase().includes(word)) ? [i] : []));
}
