/**
 * sin, cos, tan: x = h·π/2 + r, |r| ≤ π/4, by quarter-turns.ts; sin r and cos r by polynomials of
 * build/elementary-coefficients.py, of which h selects one, or a quotient.
 */
import { apply, get, i32, type Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { fastTwoSum, quotient, type Pair } from './double-double.ts';
import { nearestWhole } from './exponential.ts';
import { byQuadrant, takeManyTurns, takeTurns, withinReach, type Turns } from './quarter-turns.ts';
import type { ElementaryOperation } from './operation.ts';

/** (sin r - r)/r³ and (cos r - 1 + r²/2)/r⁴ in r² for |r| ≤ π/4. */
const sinDouble = [
  -0.1666666666666663, 0.008333333333321952, -0.00019841269829493365, 2.7557313594887686e-6, -2.5050744213234213e-8,
  1.5896043924702034e-10,
];
const sinSingle = [-0.16666655242443085, 0.008332191035151482, -0.0001951858284883201];
const cosDouble = [
  0.041666666666666595, -0.001388888888887344, 2.4801587289095944e-5, -2.7557314249373846e-7, 2.0875710166175568e-9,
  -1.1359005168200183e-11,
];
const cosSingle = [0.04166664555668831, -0.0013887312961742282, 2.4432949430774897e-5];

export function sin(A: Algebra, x: Expression): Expression {
  const { s, c, odd, carrier } = waves(A, x);
  const wave = A.flippedBy(A.select(odd, c.high, s.high), halfTurns(A, carrier));
  const value = A.select(A.eq(x, A.real(0)), x, wave);
  return beyondReach(A, 'sin', x, value, ({ s: { high: s }, c: { high: c } }, quadrant) => {
    return A.flippedBy(byQuadrant(quadrant, [s, c, A.neg(s), A.neg(c)]), A.signOf(x));
  });
}

/** sin(x + π/2) */
export function cos(A: Algebra, x: Expression): Expression {
  const { s, c, odd, carrier } = waves(A, x);
  const value = A.flippedBy(A.select(odd, s.high, c.high), halfTurns(A, A.add(carrier, A.real(1))));
  return beyondReach(A, 'cos', x, value, ({ s: { high: s }, c: { high: c } }, quadrant) => {
    return byQuadrant(quadrant, [c, A.neg(s), A.neg(c), s]);
  });
}

export function tan(A: Algebra, x: Expression): Expression {
  const near = waves(A, x);
  const value = A.select(A.eq(x, A.real(0)), x, tangent(A, near, near.odd));
  return beyondReach(A, 'tan', x, value, (far, quadrant) => {
    return A.flippedBy(tangent(A, far, A.keep(apply('i32.and', quadrant, i32(1)))), A.signOf(x));
  });
}

/** s/c, or where odd -c/s */
function tangent(A: Algebra, { s, c }: Waves, odd: Expression): Expression {
  const choose = (a: Expression, b: Expression) => A.keep(A.select(odd, a, b));
  const above = { high: choose(A.neg(c.high), s.high), low: choose(A.neg(c.low), s.low) };
  return quotient(A, above, { high: choose(s.high, c.high), low: choose(s.low, c.low) });
}

/** sin r and cos r where |x| is within reach, whether h is odd, and a number whose lowest bits are those of h. */
function waves(A: Algebra, x: Expression) {
  const { k, carrier } = nearestWhole(A, A.mul(x, A.real(2 / Math.PI)));
  const odd = A.keep(A.lt(A.withSignBit(A.real(1), carrier), A.real(0)));
  return { ...sinAndCos(A, takeTurns(A, x, k)), odd, carrier };
}

function sinAndCos(A: Algebra, turns: Turns): Waves {
  return { s: sinNear(A, turns), c: cosNear(A, turns) };
}

/** sin r and cos r, each in two parts. */
interface Waves {
  readonly s: Pair;
  readonly c: Pair;
}

/** -0 where h, of which the carrier has the lowest bits, makes an odd number of half turns; else 0. */
function halfTurns(A: Algebra, carrier: Expression): Expression {
  return A.signOf(A.fromBits(A.shiftLeft(A.bitsOf(carrier), A.double ? 62 : 30)));
}

/** The value, but where |x| is large: there lanes are taken one by one, in f64. */
function beyondReach(
  A: Algebra,
  operation: ElementaryOperation,
  x: Expression,
  value: Expression,
  ofHuge: (waves: Waves, quadrant: Expression) => Expression,
): Expression {
  const result = A.variable(value);
  const scalar = () => {
    const { quadrant, ...turns } = takeManyTurns(A, x);
    return A.select(A.lt(A.abs(x), A.real(Infinity)), ofHuge(sinAndCos(A, turns), quadrant), A.real(NaN));
  };
  const byLanes = () =>
    A.double
      ? A.eachLane((lane, own) => lane.call(operation, own), x)
      : A.throughDouble((double, own) => double.call(operation, own), x);
  A.ifAny(A.not(A.le(A.abs(x), withinReach(A))), () => {
    const near = A.le(A.abs(x), withinReach(A));
    A.set(result, A.select(near, get(result), A.shape === 'f64' ? scalar() : byLanes()));
  });
  return get(result);
}

/** sin r for |r| ≤ π/4 */
function sinNear(A: Algebra, { high, low }: Turns): Pair {
  const z = A.keep(A.mul(high, high));
  const tail = A.mul(A.mul(high, z), A.polynomial(z, A.double ? sinDouble : sinSingle));
  const byLow = A.mul(low, A.sub(A.real(1), A.mul(A.real(0.5), z)));
  return fastTwoSum(A, high, A.keep(A.add(tail, byLow)));
}

/** cos r for |r| ≤ π/4 */
function cosNear(A: Algebra, { high, low }: Turns): Pair {
  const one = A.real(1);
  const z = A.keep(A.mul(high, high));
  const half = A.keep(A.mul(A.real(0.5), z));
  const upper = A.keep(A.sub(one, half));
  const tail = A.mul(A.mul(z, z), A.polynomial(z, A.double ? cosDouble : cosSingle));
  const rest = A.add(A.sub(A.sub(one, upper), half), A.sub(tail, A.mul(high, low)));
  return fastTwoSum(A, upper, A.keep(rest));
}
