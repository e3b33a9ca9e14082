/**
 * The up-sweep of a block in strips: Tₛ = x ⊙ … ⊙ x over each strip, all strips abreast, then Pₛ = T₀ ⊙ … ⊙ Tₛ, one after the
 * other, there being few. It knows no carry.
 */
import { readAt, writeAt, type Line } from '../walk/access.ts';
import { forPlaces } from '../walk/blocks.ts';
import { blockReaders } from '../walk/strips.ts';
import { writeVectorAt } from '../walk/vector-access.ts';
import { realShape, vectorConstant } from '../scalar/vector.ts';
import { add, apply, get, i32, type Expression } from '../wasm/expression.ts';
import type { StripParts } from './strip-parts.ts';

/** Of the elements on these lines, one of each component of the whole. */
export function upSweep(parts: StripParts, elements: readonly Line[], each: Expression): void {
  intoStrips(parts, elements, each);
  totalsOfStrips(parts, each);
  prefixesOfTotals(parts);
}

function intoStrips({ k, layout, whole }: StripParts, lines: readonly Line[], each: Expression): void {
  const readers = blockReaders(k, lines, each);
  layout.toFirstRow();
  forPlaces(k, lines, each, layout.lanes, () => {
    for (let vector = 0; vector < layout.vectors; vector++)
      readers.forEach((reader, i) => {
        const component = whole.kept[i]!;
        reader(vector).forEach((value, place) => {
          const [address, ahead] = layout.elementAt(component, vector);
          const at = add(address, i32(place * layout.rowBytes));
          writeVectorAt(k, layout.typeOf(component), at, 1, value, ahead);
        });
      });
    layout.advance(layout.lanes);
  });
}

function totalsOfStrips(
  { k, layout, whole, doubt, combineWhole, sure, vectorsOf, keepAll, setAll }: StripParts,
  each: Expression,
): void {
  const { f, precision } = k;
  layout.toFirstRow();
  const sets = vectorsOf((vector) => keepAll(whole.kept.map((component) => layout.element(component, vector))));
  const inDoubt = doubt.among(whole.kept);
  const sizes = inDoubt.map(() => f.keep(vectorConstant(precision, { type: 'real', value: 0 })));
  const right = combineWhole.watch();
  layout.forRows(1, each, () => {
    sets.forEach((set, vector) => {
      const values = whole.right.map((component) => layout.element(component, vector));
      setAll(set, combineWhole.vectors([...set.map(get), ...values], right));
      inDoubt.forEach((at, i) => {
        const [most, size] = [sizes[i]!, apply(`${realShape(precision)}.abs`, get(set[at]!))];
        f.set(most, apply(`${realShape(precision)}.pmax`, get(most), size));
      });
    });
  });
  f.set(sure, apply('i32.and', combineWhole.wasRight(right), doubt.vectorsAreModerate(sizes.map(get))));
  whole.kept.forEach((component, i) =>
    sets.forEach((set, vector) => {
      const total = get(set[i]!);
      writeVectorAt(k, layout.typeOf(component), layout.arrayOf(component), 1, total, vector * layout.lanes);
    }),
  );
}

/** Tₛ becomes Pₛ. */
function prefixesOfTotals({
  k,
  layout,
  whole,
  doubt,
  combineWhole,
  sure,
  alsoSure,
  keepAll,
  setAll,
}: StripParts): void {
  const { f } = k;
  const { typeOf, bytesOf, arrayOf } = layout;
  const strip = f.keep(i32(0));
  const at = (component: number) => add(arrayOf(component), apply('i32.mul', get(strip), i32(bytesOf(component))));
  const prefix = keepAll(whole.kept.map((component) => readAt(k, typeOf(component), arrayOf(component))));
  // What stands before the first strip is replaced by the carry.
  whole.kept.forEach((component, i) => {
    const before = add(arrayOf(component), i32(-bytesOf(component)));
    writeAt(k, typeOf(component), before, get(prefix[i]!));
  });
  const inDoubt = () => doubt.among(whole.kept).map((i) => get(prefix[i]!));
  f.loop((repeat) => {
    f.increase(strip);
    alsoSure(doubt.areSmall(inDoubt()));
    const right = whole.right.map((component) => readAt(k, typeOf(component), at(component)));
    setAll(prefix, combineWhole.values([...prefix.map(get), ...right], sure));
    whole.kept.forEach((component, i) => writeAt(k, typeOf(component), at(component), get(prefix[i]!)));
    f.branchIf(repeat, apply('i32.lt_s', get(strip), i32(layout.count - 1)));
  });
  alsoSure(doubt.areModerate(inDoubt()));
}
