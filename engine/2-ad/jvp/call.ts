/** y = P(x)  ⇒  (y, ẏ) = (JVP P)(x, ẋ). */
import type { JvpRule } from '../rule.ts';

export const call: JvpRule<'call'> = (b, { program, inputs }, tangents, recursion) => {
  const pushed = recursion.jvp(
    program,
    tangents.map((tangent) => tangent !== undefined),
  );
  const present = tangents.filter((tangent) => tangent !== undefined);
  const all = b.emit({ kind: 'call', program: pushed.program, inputs: [...inputs, ...present] });
  let next = pushed.active.length;
  return { results: all.slice(0, next), tangents: pushed.active.map((active) => (active ? all[next++] : undefined)) };
};
