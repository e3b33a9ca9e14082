/** Symmetric matrices that have a dense block for each outermost group and nothing between two of them. */
import { cholesky, choleskyInverse, choleskySolve } from '../algebra/cholesky.ts';
import { symmetricEigen } from '../algebra/eigen.ts';
import { effectPairs, type EffectLayout, type EffectPair } from '../effects.ts';

/** One block for each outermost group, by rows. */
export type Blocks = readonly (readonly Float64Array[])[];

/** The blocks of a matrix from its entries for each pair of effects, each of the length of the inner one's groups. */
export function blocksOf(layout: EffectLayout, entries: (pair: EffectPair) => Float64Array): Blocks {
  const all = layout.blocks.map(({ length }) => Array.from({ length }, () => new Float64Array(length)));
  for (const pair of effectPairs(layout)) {
    const values = entries(pair);
    for (let g = 0; g < pair.inner.groups; g++) {
      const [i, j, block] = placeOf(layout, pair, g);
      const rows = all[block] as Float64Array[];
      (rows[i] as Float64Array)[j] = values[g] as number;
      (rows[j] as Float64Array)[i] = values[g] as number;
    }
  }
  return all;
}

/** What each entry of a pair counts for in Σ A∘H of such blocks: an entry beside the diagonal stands there twice. */
export function entriesOf(layout: EffectLayout, blocks: Blocks, pair: EffectPair): Float64Array {
  const times = pair.outer === pair.inner ? 1 : 2;
  return Float64Array.from({ length: pair.inner.groups }, (_, g) => {
    const [i, j, block] = placeOf(layout, pair, g);
    return times * (blocks[block]?.[i]?.[j] as number);
  });
}

function placeOf(
  { row, block }: EffectLayout,
  { outer, inner, around }: EffectPair,
  g: number,
): readonly [number, number, number] {
  const [i, j] = [inner.offset + g, outer.offset + (around ? (around[g] as number) : g)];
  return [row[i] as number, row[j] as number, block[i] as number];
}

/** The elements of a vector of all effects that belong to a block, and back. */
export const taken = (vector: Float64Array, positions: Int32Array): Float64Array =>
  Float64Array.from(positions, (i) => vector[i] as number);

export function put(into: Float64Array, positions: Int32Array, values: Float64Array): void {
  for (let k = 0; k < positions.length; k++) into[positions[k] as number] = values[k] as number;
}

/** x with H·x = v, block by block. */
export function solved(layout: EffectLayout, factors: Blocks, v: Float64Array): Float64Array {
  const x = new Float64Array(layout.length);
  layout.blocks.forEach((positions, t) => put(x, positions, choleskySolve(factors[t] ?? [], taken(v, positions))));
  return x;
}

/** log det H, from the factors of its blocks. */
export function logDeterminant(factors: Blocks): number {
  let total = 0;
  for (const rows of factors) for (const [i, row] of rows.entries()) total += 2 * Math.log(row[i] as number);
  return total;
}

export const inverses = (factors: Blocks): Blocks => factors.map(choleskyInverse);

/** The factor of a block, or of what is left of it with its curvatures turned upward: a direction that descends always. */
export function descending(rows: readonly Float64Array[]): {
  readonly factor: Float64Array[];
  readonly convex: boolean;
} {
  const factor = cholesky(rows);
  if (factor) return { factor, convex: true };
  const { values, vectors } = symmetricEigen(rows);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const upward = values.map((value) => Math.max(Math.abs(value), 1e-8 * largest));
  const turned = rows.map((_, i) =>
    Float64Array.from(rows, (__, j) =>
      vectors.reduce((sum, v, k) => sum + (upward[k] as number) * (v[i] as number) * (v[j] as number), 0),
    ),
  );
  return { factor: cholesky(turned) as Float64Array[], convex: false };
}
