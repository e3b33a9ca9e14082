/**
 * Elements of parameters by the labels of the column that they are like, and of quantities that have an element for each of such a
 * parameter's: `IC50[mutant]`, where documents have `IC50[1]`.
 */

/** The labels of those that have an element for each label of a column. */
export type ElementLabels = ReadonlyMap<string, readonly string[]>;

export interface LabelledQuantity {
  readonly id: string;
  /** Of its output. */
  readonly sizes: readonly number[];
  readonly sources: readonly string[];
}

/** With those of quantities, one after the other: one may read another before it. */
export function withQuantities(labels: ElementLabels, quantities: Iterable<LabelledQuantity>): ElementLabels {
  const all = new Map(labels);
  for (const { id, sizes, sources } of quantities) {
    const found = sources.map((source) => all.get(source)).find((each) => each && each.length === sizes[0]);
    if (found && sizes.length === 1) all.set(id, found);
  }
  return all;
}

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
