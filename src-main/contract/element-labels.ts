/** Elements of parameters by the labels of the column that they are like: `IC50[mutant]`, where documents have `IC50[1]`. */

/** The labels of those parameters that have an element for each label of a column. */
export type ElementLabels = ReadonlyMap<string, readonly string[]>;

/** A text that is read. Not for what is looked up by its name. */
export function spoken(text: string, labels: ElementLabels): string {
  return text.replace(/([\p{L}_][\p{L}\p{N}_.]*)\[(\d+)\]/gu, (whole, base: string, place: string) => {
    const label = labels.get(base)?.[Number(place)];
    return label === undefined ? whole : `${base}[${label}]`;
  });
}

/** The same of all texts in plain data, whose keys stay. */
export function allSpoken<T>(data: T, labels: ElementLabels): T {
  const told = (value: unknown): unknown => {
    if (typeof value === 'string') return spoken(value, labels);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) return value.map(told);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, told(inner)]));
  };
  return labels.size === 0 ? data : (told(data) as T);
}
