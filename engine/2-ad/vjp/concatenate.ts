/** ys = concatenate(xs₀, xs₁, …)  ⇒  x̄sⱼ = the stretch of ȳs that came from xsⱼ. */
import { sizeAdd, type Size } from '../../0-ir/sizes.ts';
import type { VjpRule } from '../rule.ts';

export const concatenate: VjpRule<'concatenate'> = {
  name: 'concatenate',
  construct: 'concatenate',
  example: `program (%0 xs: real[n], %1 zs: real[m]) {
  %2: real[m + n] = concatenate (%0, %1) along 0
  yield ys = %2
}`,
  matches: () => true,
  cost: () => ({ traffic: 4, operations: 0, passes: 1 }),
  cotangents(b, { values, axis }, _, [cotangent]) {
    let start: Size = 0;
    return values.map((value) => {
      const length = value.type.shape[axis]!;
      const from = start;
      start = sizeAdd(start, length);
      return cotangent && b.slice(cotangent, axis, from, length);
    });
  },
};
