/**
 * ys = gather(from, is)  ⇒  ẏs = gather(froṁ, is). An index out of range gives a constant, whose tangent is zero.
 */
import type { JvpRule } from '../rule.ts';

export const gather: JvpRule<'gather'> = (b, construct, [tangent]) => ({
  results: b.emit(construct),
  tangents: tangent ? b.emit({ ...construct, from: tangent, outside: 'zero' }) : [],
});
