/** What is carried at each place of a block in strips, out of scratch to where it is to be seen. */
import { forPlaces, type Written } from '../walk/blocks.ts';
import { blockWriters } from '../walk/strips.ts';
import { readVectorAt } from '../walk/vector-access.ts';
import { add, get, i32, type Expression } from '../wasm/expression.ts';
import type { StripParts } from './strip-parts.ts';

/** To these lines, one of each component shown. */
export function showStrips({ k, strips, layout }: StripParts, outputs: readonly Written[], each: Expression): void {
  const { f } = k;
  const writers = blockWriters(k, outputs, each);
  layout.toFirstRow();
  const lines = outputs.map(({ line }) => line);
  forPlaces(k, lines, each, layout.lanes, () => {
    for (let vector = 0; vector < layout.vectors; vector++)
      strips.shown.forEach((component, i) => {
        const places = Array.from({ length: layout.lanes }, (_, place) => {
          const [address, ahead] = layout.shownAt(component, vector);
          const at = add(address, i32(place * layout.rowBytes));
          return get(f.keep(readVectorAt(k, layout.typeOf(component), at, 1, ahead)));
        });
        writers[i]?.(vector, places);
      });
    layout.advance(layout.lanes);
  });
}
