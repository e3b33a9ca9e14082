/**
 * Where F(y, x) = 0 says y, and yet not its derivative: at x² − p = 0 with p = 0 two roots fall together, and no −F_y⁻¹·F_x is
 * the slope of either. What is computed there is a number that says how far rounding or underflow let the search come.
 *
 *   δ = |F_y⁻¹|·(u·ε + least) + u·|y|: as far as y is known;   ½·|F_y(y + δ)·δ − F_y(y)·δ|: what F_y's change makes of it
 *
 * A derivative is one where F_y stays nearly what it is within δ. One that does not is none, but where what is given leaves
 * the root where it is: k·d, of x² − k·d at d = 0, as k moves.
 */
import { realLiteral as real, type ScalarFunction } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { roundingFunction } from '../scalar/rounding-function.ts';
import { Arithmetic, byPrecision, rounding, type Operand } from './arithmetic.ts';
import { factored } from './elimination.ts';
import { linearized } from './jacobian.ts';

/** What underflow may have lost, and products of it are no less than what underflows. */
const least = { f64: 2 ** -1022, f32: 2 ** -126 };
/** In units of rounding: how far a search may end from its root. */
const ulps = 16;
/** How much of F_y may change within δ. */
const steady = 0.05;
/** By how much what is given is moved to see whether the root moves with it. */
const nudge = 1e-3;

/**
 * (y…, x…) ↦ for each unknown 1 where its derivative is none at the root y, else 0. `moving`: which of x… a derivative may be
 * taken by.
 */
export function turningFunction(residual: ScalarFunction, d: number, moving: readonly boolean[]): ScalarFunction {
  return scalarFunction(
    residual.parameters.map(({ type }) => type),
    (s, ...operands) => {
      const m = new Arithmetic(s);
      const [y, given] = [operands.slice(0, d), operands.slice(d)];
      const known = residual.parameters.map((_, i) => i < d);
      const errors = s.inline(roundingFunction(residual, known), operands);
      const unit = byPrecision(m, m.apply('add', m.sum(y.map(m.size)), real(1)), rounding);
      const lost = byPrecision(m, m.apply('add', m.sum(y.map(m.size)), real(1)), least);
      const { jacobian } = linearized(s, residual, y, given);
      const solution = factored(s, jacobian);
      const off = solution(errors.map((each) => m.apply('add', m.times(unit, each), lost))).map(m.size);
      const own = y.map((each) => m.times(m.times(real(ulps), unit), m.size(each)));
      const reach = off.map((each, j) => m.apply('add', each, own[j]!));
      const beside = linearized(
        s,
        residual,
        y.map((each, j) => m.apply('add', each, reach[j]!)),
        given,
      ).jacobian;
      const change = solution(
        m.product(beside, reach).map((each, i) => m.apply('sub', each, m.product(jacobian, reach)[i]!)),
      );
      const moved = solution(s.inline(residual, [...y, ...nudged(m, given, moving)]));
      return y.map((_, j) => {
        const isSteady = m.apply('le', m.size(change[j]!), m.times(real(steady), reach[j]!));
        const stays = m.apply('le', m.size(moved[j]!), reach[j]!);
        const isKnown = m.apply('lt', reach[j]!, real(Infinity));
        return m.either(m.apply('and', isKnown, m.apply('or', isSteady, stays)), real(0), real(1));
      });
    },
  );
}

/** Each by another share, that they make up for one another nowhere. */
function nudged(m: Arithmetic, given: readonly Operand[], moving: readonly boolean[]): Operand[] {
  return given.map((each, i) => {
    if (!moving[i]) return each;
    const size = m.orOne(m.size(each));
    return m.apply('add', each, m.times(real(nudge * (1 + ((i * 0.618) % 1))), size));
  });
}
