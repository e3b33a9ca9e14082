import { refuse } from '../../sbml/refusal.ts';

/** PEtab's tables: a header, then a line for each row. Throws a refusal for what would tear a row apart. */
export function tsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const torn = rows.flat().find((cell) => /[\t\n\r"]/.test(cell));
  if (torn !== undefined)
    refuse(`${JSON.stringify(torn)} has a tab, a line end or a quote, which PEtab's tables part by`);
  return [header, ...rows].map((row) => `${row.join('\t')}\n`).join('');
}
