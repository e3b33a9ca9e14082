/**
 * The least that programs must move to and from memory: arrays as long as the data, counted once for each pass that must
 * read or write them. A tile that fits in a cache may be read again for nothing, so prefixes inside of a tile are
 * computed twice and never stored, and bins, reduced values and what is kept for each tile count as nothing.
 */
import type { DeviceKind } from '../../../engine/index.ts';

export type Combining = 'reduce' | 'scan' | 'histogram';

/** How often the elements (all components of one), and the keys, pass. */
export interface Passes {
  readonly read: number;
  readonly written: number;
  readonly keys: number;
}

export const primalPasses: { readonly [C in Combining]: Passes } = {
  reduce: { read: 1, written: 0, keys: 0 },
  scan: { read: 1, written: 1, keys: 0 },
  histogram: { read: 1, written: 0, keys: 1 },
};

/** Elements once for the value; once more with the value known, and the adjoints written. */
const twice: Passes = { read: 2, written: 1, keys: 0 };
/** Elements for the results; elements and cotangents the other way round for the adjoints. */
const thereAndBack: Passes = { read: 3, written: 2, keys: 0 };

/** Of primal and derivative together, by the rule that writes them. */
export const rulePasses: Readonly<Record<string, Passes>> = {
  // What is written does not depend on the elements, or (min, max) but in one place.
  'reduce-add': { read: 1, written: 1, keys: 0 },
  'reduce-min-max': { read: 1, written: 1, keys: 0 },
  'reduce-multiply': twice,
  'reduce-invertible': twice,
  'reduce-lifted': twice,
  // Prefixes of tiles from the first pass, suffixes carried along by the second.
  'reduce-structured': twice,
  'reduce-general': twice,
  'reduce-ppad': twice,
  // Only cotangents are read on the way back.
  'scan-add': { read: 2, written: 2, keys: 0 },
  'scan-structured': thereAndBack,
  'scan-general': thereAndBack,
  'scan-ppad': thereAndBack,
  'histogram-add': { read: 1, written: 1, keys: 1 },
  'histogram-min-max': { read: 1, written: 1, keys: 1 },
  'histogram-multiply': { ...twice, keys: 2 },
  'histogram-invertible': { ...twice, keys: 2 },
  'histogram-lifted': { ...twice, keys: 2 },
  // The order of the keys is data, prepared; it is read in place of the keys.
  'histogram-sorted-structured': { ...twice, keys: 2 },
  'histogram-sorted-general': { ...twice, keys: 2 },
  'histogram-structured': { ...twice, keys: 2 },
  'histogram-general': { ...twice, keys: 2 },
};

/** A cache fetches the line that is written to. A GPU's does not. */
export const writeCounts: { readonly [K in DeviceKind]: number } = { reference: 1, cpu: 2, webgpu: 1 };

const keyBytes = 4;

/** For each element of `size` bytes. */
function bytes({ read, written, keys }: Passes, size: number, device: DeviceKind): number {
  return (read + writeCounts[device] * written) * size + keys * keyBytes;
}

/** How many times the primal's bytes the differentiated program moves at least; null for a rule without passes. */
export function floorOf(construct: Combining, rule: string, size: number, device: DeviceKind): number | null {
  const passes = rulePasses[rule];
  return passes ? bytes(passes, size, device) / bytes(primalPasses[construct], size, device) : null;
}

/** Bytes of a primal by the paper's count, which has keys of eight bytes, and values that histograms read and write. */
export function paperBytes(construct: Combining, n: number, size: number): number {
  return { reduce: n * size, scan: 2 * n * size, histogram: 3 * n * size + 8 * n }[construct];
}
