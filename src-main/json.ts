/** JSON with the numbers that it lacks as the strings "NaN", "Infinity" and "-Infinity". */

export function stringify(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, item: unknown) => {
      if (typeof item === 'number' && !Number.isFinite(item)) return String(item);
      return ArrayBuffer.isView(item) ? Array.from(item as Float64Array) : item;
    },
    indent,
  );
}

/** The strings "NaN", "Infinity" and "-Infinity" as the numbers that they stand for, anywhere in a parsed JSON value. */
export function reviveNumbers(value: unknown): unknown {
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  if (Array.isArray(value)) return value.map(reviveNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reviveNumbers(item)]));
}
