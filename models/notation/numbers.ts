/** Numbers as documents write them: JSON's, and strings for the three that JSON lacks. */
export type DocumentNumber = number | 'NaN' | 'Infinity' | '-Infinity';

/** A number, or arrays of them in arrays. */
export type Nested = DocumentNumber | readonly Nested[];

export function isDocumentNumber(value: unknown): value is DocumentNumber {
  return typeof value === 'number' || value === 'NaN' || value === 'Infinity' || value === '-Infinity';
}

export function toNumber(value: DocumentNumber): number {
  return typeof value === 'number' ? value : Number(value);
}

export function fromNumber(value: number): DocumentNumber {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

export interface DenseNumbers {
  readonly shape: readonly number[];
  /** Row-major. */
  readonly values: readonly number[];
}

/** A nested array as a dense one; a sentence where its rows differ in length or depth, or its rank exceeds 3. */
export function denseNumbers(nested: Nested): DenseNumbers | string {
  const shape: number[] = [];
  for (let level: Nested | undefined = nested; Array.isArray(level); level = (level as readonly Nested[])[0])
    shape.push(level.length);
  if (shape.length > 3) return `an array of rank ${shape.length}, and 3 is the highest`;
  const values: number[] = [];
  const fault = collect(nested, shape, 0, '', values);
  return fault ?? { shape, values };
}

function collect(
  nested: Nested,
  shape: readonly number[],
  axis: number,
  place: string,
  values: number[],
): string | undefined {
  if (!Array.isArray(nested)) {
    if (axis < shape.length) return `a number at ${place || 'the top'} where its neighbours are arrays`;
    values.push(toNumber(nested as DocumentNumber));
    return undefined;
  }
  if (axis >= shape.length) return `an array at ${place} where its neighbours are numbers`;
  if (nested.length !== shape[axis])
    return `a ragged array: ${nested.length} elements at ${place}, and ${shape[axis]} before it`;
  for (const [i, element] of nested.entries()) {
    const fault = collect(element as Nested, shape, axis + 1, `${place}[${i}]`, values);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The inverse of `denseNumbers`. */
export function nestNumbers(values: ArrayLike<number>, shape: readonly number[]): Nested {
  const build = (axis: number, from: number, stride: number): Nested => {
    if (axis === shape.length) return fromNumber(values[from]!);
    const size = shape[axis]!;
    const inner = size === 0 ? 0 : stride / size;
    return Array.from({ length: size }, (_, i) => build(axis + 1, from + i * inner, inner));
  };
  return build(0, 0, values.length);
}
