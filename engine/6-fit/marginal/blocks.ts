/**
 * Symmetric matrices that have a dense block for each outermost group and nothing between two of them: block after block
 * in one array, each row after row, so that ten thousand groups are no ten thousand objects.
 */
import { cholesky } from '../algebra/cholesky.ts';
import { symmetricEigen } from '../algebra/eigen.ts';
import { effectPairs, type EffectLayout, type EffectPair } from '../effects.ts';

/** Block t begins at `layout.corners[t]`. */
export type Blocks = Float64Array;

/** The blocks of a matrix from its entries for each pair of effects, each of the length of the inner one's groups. */
export function blocksOf(layout: EffectLayout, entries: (pair: EffectPair) => Float64Array): Blocks {
  const all = new Float64Array(layout.corners.at(-1) ?? 0);
  for (const pair of effectPairs(layout)) {
    const values = entries(pair);
    for (let g = 0; g < pair.inner.groups; g++) {
      const [at, across] = [placeOf(layout, pair, g, false), placeOf(layout, pair, g, true)];
      all[at] = values[g]!;
      all[across] = values[g]!;
    }
  }
  return all;
}

/** What each entry of a pair counts for in Σ A∘H of such blocks: an entry beside the diagonal stands there twice. */
export function entriesOf(layout: EffectLayout, blocks: Blocks, pair: EffectPair): Float64Array {
  const times = pair.outer === pair.inner ? 1 : 2;
  const entries = new Float64Array(pair.inner.groups);
  for (let g = 0; g < entries.length; g++) entries[g] = times * blocks[placeOf(layout, pair, g, false)]!;
  return entries;
}

/** Where the entry of a pair stands for group g of the inner one, or its mirror image. */
function placeOf(layout: EffectLayout, { outer, inner, around }: EffectPair, g: number, mirrored: boolean): number {
  const own = inner.offset + g;
  const other = outer.offset + (around ? around[g]! : g);
  const block = layout.block[own]!;
  const [i, j] = [layout.row[own]!, layout.row[other]!];
  const width = layout.blocks[block]!.length;
  return layout.corners[block]! + (mirrored ? j * width + i : i * width + j);
}

/** A block by its rows. */
export function rowsOf(layout: EffectLayout, blocks: Blocks, t: number): Float64Array[] {
  const width = layout.blocks[t]!.length;
  const corner = layout.corners[t]!;
  return Array.from({ length: width }, (_, i) => blocks.slice(corner + i * width, corner + (i + 1) * width));
}

/** The elements of a vector of all effects that belong to a block. */
export const taken = (vector: Float64Array, positions: Int32Array): Float64Array =>
  Float64Array.from(positions, (i) => vector[i]!);

/** Of so many effects the eigenvalues are had at the price of a factor; of more all curvatures are raised alike. */
const FEW = 16;

/** The factor of a block with as much on its diagonal as makes it positive definite: by tens, a thousandth of it at first. */
function raised(blocks: Blocks, corner: number, n: number, into: Blocks): void {
  const block = blocks.slice(corner, corner + n * n);
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(block[i * n + i]!));
  const factor = new Float64Array(n * n);
  // Below a sum of a row's sizes, where it ends at the latest: n times the largest entry.
  for (let more = 1e-3 * (largest || 1); more < Infinity; more *= 10) {
    const shifted = block.slice();
    for (let i = 0; i < n; i++) shifted[i * n + i] = shifted[i * n + i]! + more;
    if (!choleskyAt(shifted, 0, n, factor)) continue;
    into.set(factor, corner);
    return;
  }
  into.fill(NaN, corner, corner + n * n);
}

/**
 * The factor L·Lᵀ of block t, written `into` its place. Where it is not positive definite, that of the block with its
 * curvatures turned upward, a direction that descends always, and false; NaN where an entry is not finite.
 */
export function factorBlock(layout: EffectLayout, blocks: Blocks, t: number, into: Blocks): boolean {
  const n = layout.blocks[t]!.length;
  const corner = layout.corners[t]!;
  if (choleskyAt(blocks, corner, n, into)) return true;
  if (n > FEW) {
    raised(blocks, corner, n, into);
    return false;
  }
  const rows = rowsOf(layout, blocks, t);
  const { values, vectors } = symmetricEigen(rows);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const upward = values.map((value) => Math.max(Math.abs(value), 1e-8 * largest));
  const turned = rows.map((_, i) =>
    Float64Array.from(rows, (__, j) => vectors.reduce((sum, v, k) => sum + upward[k]! * v[i]! * v[j]!, 0)),
  );
  const factor = cholesky(turned);
  if (factor) factor.forEach((row, i) => into.set(row, corner + i * n));
  else into.fill(NaN, corner, corner + n * n);
  return false;
}

/**
 * `algebra/cholesky.ts` in place. A row of the factor begins where the matrix's does: before it all is 0, and of a process
 * whose states see their neighbours next to nothing is left to do. Nor is it of effects that cross but do not meet
 * themselves: in the columns of those that come first a row has what the matrix has.
 */
function choleskyAt(a: Float64Array, corner: number, n: number, l: Float64Array): boolean {
  const starts = rowStarts(a, corner, n);
  const alone = starts ? leadingDiagonal(starts) : 0;
  for (let i = 0; i < n; i++) {
    const row = corner + i * n;
    const begin = starts ? starts[i]! : 0;
    const seen = i < alone ? [] : entriesBefore(a, row, alone);
    for (let j = 0; j <= i; j++) {
      const other = corner + j * n;
      if (i !== j) l[other + i] = 0;
      if (j < begin) {
        l[row + j] = 0;
        continue;
      }
      let value = a[row + j]!;
      if (j >= alone) for (const k of seen) value -= l[row + k]! * l[other + k]!;
      const from = Math.max(begin, starts ? starts[j]! : 0, alone);
      for (let k = from; k < j; k++) value -= l[row + k]! * l[other + k]!;
      if (i !== j) l[row + j] = value / l[other + j]!;
      else if (value > 0 && Number.isFinite(value)) l[row + i] = Math.sqrt(value);
      else return false;
    }
  }
  return true;
}

/** The first entry of each row that is not 0; of few effects it is not worth while. */
function rowStarts(a: Float64Array, corner: number, n: number): Int32Array | undefined {
  if (n <= FEW) return undefined;
  return Int32Array.from({ length: n }, (_, i) => {
    let k = 0;
    while (k < i && a[corner + i * n + k] === 0) k++;
    return k;
  });
}

/** How many rows come first that see none before them. */
function leadingDiagonal(starts: Int32Array): number {
  const first = starts.findIndex((start, i) => start < i);
  return first < 0 ? starts.length : first;
}

/** Where a row is not 0 in the first columns. */
function entriesBefore(a: Float64Array, row: number, columns: number): number[] {
  const found: number[] = [];
  for (let k = 0; k < columns; k++) if (a[row + k] !== 0) found.push(k);
  return found;
}

/** x with H·x = v in block t, both vectors of all effects; `starts` of the factor's rows, where they are known. */
export function solveBlock(
  layout: EffectLayout,
  factors: Blocks,
  t: number,
  v: Float64Array,
  x: Float64Array,
  starts?: Int32Array,
): void {
  const at = layout.blocks[t]!;
  const n = at.length;
  const corner = layout.corners[t]!;
  for (let i = 0; i < n; i++) {
    const row = corner + i * n;
    let value = v[at[i]!]!;
    for (let k = starts ? starts[i]! : 0; k < i; k++) value -= factors[row + k]! * x[at[k]!]!;
    x[at[i]!] = value / factors[row + i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    const row = corner + i * n;
    const value = x[at[i]!]! / factors[row + i]!;
    x[at[i]!] = value;
    for (let k = starts ? starts[i]! : 0; k < i; k++) x[at[k]!] = x[at[k]!]! - factors[row + k]! * value;
  }
}

/** The factors of all blocks, and the first that is not positive definite. */
export function factored(layout: EffectLayout, blocks: Blocks): { readonly factors: Blocks; readonly saddle?: number } {
  const factors = new Float64Array(blocks.length);
  let saddle: number | undefined;
  for (let t = 0; t < layout.blocks.length; t++) if (!factorBlock(layout, blocks, t, factors)) saddle ??= t;
  return { factors, ...(saddle !== undefined && { saddle }) };
}

/** x with H·x = v. */
export function solved(layout: EffectLayout, factors: Blocks, v: Float64Array): Float64Array {
  const x = new Float64Array(layout.length);
  for (let t = 0; t < layout.blocks.length; t++) solveBlock(layout, factors, t, v, x);
  return x;
}

/** log det H, from the factors of its blocks. */
export function logDeterminant(layout: EffectLayout, factors: Blocks): number {
  let total = 0;
  for (const t of layout.blocks.keys()) total += blockLogDeterminant(layout, factors, t);
  return total;
}

/** Of one block. */
export function blockLogDeterminant({ blocks, corners }: EffectLayout, factors: Blocks, t: number): number {
  const { length } = blocks[t]!;
  let total = 0;
  for (let i = 0; i < length; i++) total += 2 * Math.log(factors[corners[t]! + i * length + i]!);
  return total;
}

/** Each block times a number of its own. */
export function timesBlocks({ blocks, corners }: EffectLayout, of: Blocks, times: Float64Array): Blocks {
  const scaled = of.slice();
  for (const t of blocks.keys()) for (let k = corners[t]!; k < corners[t + 1]!; k++) scaled[k] = scaled[k]! * times[t]!;
  return scaled;
}

/** H⁻¹, from the factors of its blocks. */
export function inverses(layout: EffectLayout, factors: Blocks): Blocks {
  const inverse = new Float64Array(factors.length);
  const [unit, column] = [new Float64Array(layout.length), new Float64Array(layout.length)];
  for (const [t, { length }] of layout.blocks.entries()) {
    const starts = rowStarts(factors, layout.corners[t]!, length);
    const alone = starts ? leadingDiagonal(starts) : 0;
    if (starts && (2 * alone > length || isFull(starts)))
      invertFull(factors, layout.corners[t]!, length, alone, inverse);
    else invertByColumns({ layout, factors, t, starts }, unit, column, inverse);
  }
  return inverse;
}

/** Whether two solutions with each unit vector cost more than the factor's own inverse and its square. */
const isFull = (starts: Int32Array): boolean =>
  starts.reduce((entries, start, i) => entries + i - start + 1, 0) * 2 > starts.length ** 2 / 3;

interface Factor {
  readonly layout: EffectLayout;
  readonly factors: Blocks;
  readonly t: number;
  readonly starts: Int32Array | undefined;
}

/** `unit` is 0, and is left so; `column` is room for a solution. */
function invertByColumns(
  { layout, factors, t, starts }: Factor,
  unit: Float64Array,
  column: Float64Array,
  into: Blocks,
): void {
  const positions = layout.blocks[t]!;
  const n = positions.length;
  const corner = layout.corners[t]!;
  for (let i = 0; i < n; i++) {
    unit[positions[i]!] = 1;
    solveBlock(layout, factors, t, unit, column, starts);
    unit[positions[i]!] = 0;
    for (let k = 0; k < n; k++) into[corner + i * n + k] = column[positions[k]!]!;
  }
}

/**
 * With D the diagonal of what comes first and sees none of its own, S = L₂·L₂ᵀ what is left when that is eliminated, and
 * W = B·D⁻¹ of a few entries a row:
 *
 *   [ D  Bᵀ ]⁻¹   [ D⁻¹ + Wᵀ·S⁻¹·W   −Wᵀ·S⁻¹ ]
 *   [ B  C  ]   = [     −S⁻¹·W          S⁻¹  ]
 */
function invertFull(factors: Blocks, corner: number, n: number, alone: number, into: Blocks): void {
  invertTrailing(factors, corner, n, alone, into);
  const w = Array.from({ length: n - alone }, (_, i) => {
    const row = corner + (alone + i) * n;
    return entriesBefore(factors, row, alone).map((k) => ({
      k,
      w: factors[row + k]! / factors[corner + k * (n + 1)]!,
    }));
  });
  for (const [i, entries] of w.entries())
    for (const { k, w: times } of entries) {
      const [to, from] = [corner + k * n, corner + (alone + i) * n];
      for (let j = alone; j < n; j++) into[to + j] = into[to + j]! - times * into[from + j]!;
    }
  for (let k = 0; k < alone; k++) {
    const row = corner + k * n;
    into[row + k] = 1 / factors[row + k]! ** 2;
    for (const [j, entries] of w.entries()) {
      const times = into[row + alone + j]!;
      for (const { k: m, w: entry } of entries) into[row + m] = into[row + m]! - times * entry;
    }
    for (let j = alone; j < n; j++) into[corner + j * n + k] = into[row + j]!;
  }
}

/** S⁻¹: X = L₂⁻¹ row by row, and Xᵀ·X as a sum over its rows, all along rows, a sixth of a cube each. */
function invertTrailing(factors: Blocks, corner: number, n: number, alone: number, into: Blocks): void {
  const q = n - alone;
  const from = corner + alone * n + alone;
  const x = new Float64Array(q * q);
  for (let i = 0; i < q; i++) {
    const own = i * q;
    for (let k = 0; k < i; k++) {
      const times = factors[from + i * n + k]!;
      for (let j = 0; j <= k; j++) x[own + j] = x[own + j]! - times * x[k * q + j]!;
    }
    x[own + i] = 1;
    const diagonal = factors[from + i * n + i]!;
    for (let j = 0; j <= i; j++) x[own + j] = x[own + j]! / diagonal;
  }
  for (let k = 0; k < q; k++)
    for (let i = 0; i <= k; i++) {
      const [times, row] = [x[k * q + i]!, from + i * n];
      for (let j = 0; j <= i; j++) into[row + j] = into[row + j]! + times * x[k * q + j]!;
    }
  for (let i = 0; i < q; i++) for (let j = 0; j < i; j++) into[from + j * n + i] = into[from + i * n + j]!;
}
