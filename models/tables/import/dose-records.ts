/** Tables of NONMEM, told by their names: rows are readings and doses, one below the other. */
const wanted = ['ID', 'TIME', 'AMT', 'DV'] as const;

/** `ID` of `id`, `#ID` and `ID`. */
export const itemName = (column: string): string => column.replace(/^#/, '').toUpperCase();

export function hasDoseRecords(columns: readonly { readonly name: string }[]): boolean {
  const names = new Set(columns.map(({ name }) => itemName(name)));
  return wanted.every((name) => names.has(name));
}

export const dosesNote =
  'These are the columns of a NONMEM table, in which rows are readings and doses. Taken as columns alone they lose the doses; the command cotangent import gives each reading those behind it.';
