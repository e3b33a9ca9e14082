/** ys = concatenate(xs₀, xs₁, …)  ⇒  ẏs = concatenate(ẋs₀, ẋs₁, …). */
import { zerosLike } from '../layout.ts';
import type { JvpRule } from '../rule.ts';

export const concatenate: JvpRule<'concatenate'> = (b, construct, tangents) => ({
  results: b.emit(construct),
  tangents: b.emit({
    ...construct,
    values: construct.values.map((value, i) => tangents[i] ?? zerosLike(b, value)),
  }),
});
