/**
 * The carry of a block in strips: what the block makes of the one it is given, known before anything is carried on, and each
 * strip from carry ⊙ Pₛ₋₁ on.
 */
import { newAccumulator, type Accumulator } from '../combine/combining.ts';
import { vectorLanes } from '../scalar/lanes.ts';
import { chosen, laneOf } from '../scalar/vector.ts';
import { readAt } from '../walk/access.ts';
import { readVectorAt, writeVectorAt } from '../walk/vector-access.ts';
import { add, apply, get, i32, i32x4, type Expression, type Local } from '../wasm/expression.ts';
import type { StripParts } from './strip-parts.ts';

/** carry ⊙ the block, the carry being the total's; whether it counts. */
export function nextCarry(parts: StripParts): { readonly carry: Accumulator; readonly isSure: Expression } {
  const { k, step, part, total, layout, doubt, combinePart, setAll } = parts;
  const { f } = k;
  const carry = newAccumulator(k, step.operator, step.exclusive, part);
  const last = part.right.map((component) => {
    const ahead = i32((layout.count - 1) * layout.bytesOf(component));
    return readAt(k, layout.typeOf(component), add(layout.arrayOf(component), ahead));
  });
  const right = f.keep(i32(1));
  setAll(carry.components, combinePart.values([...total.components.map(get), ...last], right));
  if (carry.empty) f.set(carry.empty, i32(0));
  const inDoubt = (of: Accumulator) => doubt.among(part.kept).map((i) => get(of.components[i]!));
  const within = apply('i32.and', doubt.areSmall(inDoubt(total)), doubt.areModerate(inDoubt(carry)));
  return { carry, isSure: apply('i32.and', get(right), within) };
}

/** What each strip begins with: carry ⊙ Pₛ₋₁, the first with the carry. */
function startsOfStrips(parts: StripParts, right: Local | undefined): Local[][] {
  const { k, part, total, layout, doubt, combinePart, alsoSure, vectorsOf, keepAll, setAll } = parts;
  const { f, precision } = k;
  const { typeOf, bytesOf, arrayOf, lanes } = layout;
  const spread = part.kept.map((component, i) =>
    get(f.keep(vectorLanes.spread(k, typeOf(component), get(total.components[i]!)))),
  );
  const first = get(f.keep(precision === 'f32' ? i32x4(-1, 0, 0, 0) : i32x4(-1, -1, 0, 0)));
  return vectorsOf((vector) => {
    const before = part.right.map((component) =>
      readVectorAt(k, typeOf(component), add(arrayOf(component), i32(-bytesOf(component))), 1, vector * lanes),
    );
    const made = keepAll(combinePart.vectors([...spread, ...before], right));
    alsoSure(doubt.vectorsAreModerate(doubt.among(part.kept).map((i) => get(made[i]!))));
    if (vector === 0)
      setAll(
        made,
        part.kept.map((component, i) => chosen(k, typeOf(component), spread[i]!, get(made[i]!), first)),
      );
    return made;
  });
}

/** Whether the block counts. The total then holds what the block ends with, and scratch what is shown of each place. */
export function carryOn(parts: StripParts, each: Expression): Expression {
  const { k, step, strips, part, total, layout, doubt, combinePart, sure, alsoSure, setAll } = parts;
  const { f } = k;
  const right = combinePart.watch();
  const sets = startsOfStrips(parts, right);
  layout.forRows(0, each, () => {
    sets.forEach((set, vector) => {
      const show = () => {
        for (const component of strips.shown) {
          const [address, ahead] = layout.shownAt(component, vector);
          const value = get(set[part.kept.indexOf(component)]!);
          writeVectorAt(k, layout.typeOf(component), address, 1, value, ahead);
        }
      };
      if (step.exclusive) show();
      const values = part.right.map((component) => layout.element(component, vector));
      setAll(set, combinePart.vectors([...set.map(get), ...values], right));
      if (!step.exclusive) show();
    });
  });
  alsoSure(combinePart.wasRight(right));
  for (const set of sets) alsoSure(doubt.vectorsAreModerate(doubt.among(part.kept).map((i) => get(set[i]!))));
  f.if(get(sure), () => {
    const last = sets.at(-1)!;
    setAll(
      total.components,
      part.kept.map((component, i) => laneOf(k, layout.typeOf(component), get(last[i]!), layout.lanes - 1)),
    );
  });
  return get(sure);
}
