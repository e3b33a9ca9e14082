/** ys = map(f, xs)  ⇒  (ys, ẏs) = map(JVP f, xs, ẋs). */
import type { JvpRule } from '../rule.ts';
import { jvpFunction } from '../scalar/jvp-function.ts';

export const map: JvpRule<'map'> = (b, { function: f, inputs, shape }, tangents) => {
  const pushed = jvpFunction(
    f,
    tangents.map((tangent) => tangent !== undefined),
  );
  const all = b.map(pushed.function, [...inputs, ...tangents.filter((tangent) => tangent !== undefined)], shape);
  let next = f.body.results.length;
  return {
    results: all.slice(0, next),
    tangents: pushed.active.map((active) => (active ? all[next++]! : undefined)),
  };
};
