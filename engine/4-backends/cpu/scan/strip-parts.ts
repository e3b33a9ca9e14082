/** What the sweeps of a block in strips share: its layout, both combinations, and whether the block counts so far. */
import type { CarriedPart } from '../combine/carried-part.ts';
import { doubts } from '../combine/joins.ts';
import type { Kernel } from '../kernel.ts';
import { apply, get, type Expression, type Local } from '../wasm/expression.ts';
import { speculative, type Speculative } from './speculative.ts';
import { layoutOf, type StripLayout, type StripTile } from './strip-layout.ts';

export interface StripParts extends StripTile {
  readonly k: Kernel;
  readonly layout: StripLayout;
  /** What is combined in strips, which holds what is carried. */
  readonly whole: CarriedPart;
  readonly combineWhole: Speculative;
  readonly combinePart: Speculative;
  readonly doubt: ReturnType<typeof doubts>;
  readonly sure: Local;
  alsoSure(condition: Expression): void;
  vectorsOf<T>(make: (vector: number) => T): T[];
  keepAll(values: readonly Expression[]): Local[];
  setAll(locals: readonly Local[], values: readonly Expression[]): void;
}

/** `base`: so many bytes of scratch (strip-layout.ts). */
export function stripParts(k: Kernel, tile: StripTile, base: Expression): StripParts {
  const { f } = k;
  const { whole, vectors } = tile.strips;
  const sure = f.local('i32');
  const layout = layoutOf(k, tile, base, f.local('i32'));
  return {
    ...tile,
    k,
    layout,
    whole,
    combineWhole: speculative(k, whole.combine),
    combinePart: speculative(k, tile.part.combine),
    doubt: doubts(k, tile.step.operator),
    sure,
    alsoSure: (condition) => f.set(sure, apply('i32.and', get(sure), condition)),
    vectorsOf: (make) => Array.from({ length: vectors }, (_, v) => make(v)),
    keepAll: (values) => values.map((value) => f.keep(value)),
    setAll: (locals, values) => locals.forEach((local, i) => f.set(local, values[i]!)),
  };
}
