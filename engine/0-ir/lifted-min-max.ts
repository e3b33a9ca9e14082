/** The minimum and the maximum that know who attains them (paper, section 3.2.2): rules make them, backends know them again. */
import type { Operator } from './operators.ts';
import { scalarFunction } from './scalar-builder.ts';

/** The neutral element's index: past all, so that an element wins a tie against it. */
const none = 2147483647;

/** (index, value) pairs: the smaller (larger) value wins, then the smaller index; a NaN beats all that is none. */
export function liftedMinMax(which: 'min' | 'max'): Operator {
  const combine = scalarFunction(['int', 'real', 'int', 'real'], (s, i, x, j, y) => {
    const nanX = s.apply('isnan', x);
    const nanY = s.apply('isnan', y);
    const beats = which === 'min' ? s.apply('lt', x, y) : s.apply('lt', y, x);
    const ties = s.apply('or', s.apply('eq', x, y), s.apply('and', nanX, nanY));
    const better = s.apply('or', beats, s.apply('and', nanX, s.apply('not', nanY)));
    const first = s.apply('or', better, s.apply('and', ties, s.apply('le', i, j)));
    return s.branch(
      first,
      () => [i, x],
      () => [j, y],
    );
  });
  return { combine, neutral: [none, which === 'min' ? Infinity : -Infinity], commutative: true };
}
