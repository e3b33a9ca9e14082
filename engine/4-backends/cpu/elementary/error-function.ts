/**
 * erf x = x + x·Q(x²) for |x| ≤ 1, 1 - erfc x above; erfc x = exp(-x²)·P(t)/(1 + 2x), t = (x - 3)/(x + 3), for x ≥ 1/2, the
 * form of Shepherd and Laframboise (Math. Comp. 36, 1981), where x² is taken in two parts since exp magnifies its error.
 * Polynomials from build/elementary-coefficients.py.
 */
import { get, type Expression } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { fastTwoSum, quotient, upperHalf } from './double-double.ts';
import { exponentialTail, reduceByLog2, scaledBeyond } from './exponential.ts';

/** erf(x)/x - 1 in x² */
const nearDouble = [
  0.12837916709551256, -0.3761263890318347, 0.11283791670943219, -0.026866170643026575, 0.005223977605729029,
  -0.000854832591965114, 0.0001205529346521502, -1.4924712509522804e-5, 1.6447154868122808e-6, -1.6206608356867929e-7,
  1.3712628814674872e-8, -7.783072047256754e-10,
];
const nearSingle = [
  0.12837916612625122, -0.3761262893676758, 0.11283618211746216, -0.026855124160647392, 0.005190725903958082,
  -0.000803065428044647, 7.919901690911502e-5,
];

/** (1 + 2x)·exp(x²)·erfc(x) in t */
const farDouble = [
  1.2530080582697296, -0.1356211061245812, -0.047562294353443654, 0.12964515870276247, -0.11927366341564491,
  0.06830802734396614, -0.023770514911218517, 0.002529391815028131, 0.0018886902665803818, -0.0007798322461268105,
  -0.00010515908286585043, 0.00012509907129645292, 4.945875226020062e-6, -2.0098835663329957e-5, -7.194874070689487e-7,
  3.465811015353643e-6, 3.3050411748259375e-7, -6.007712410396223e-7, -1.0494682186314648e-7, 7.83935459348669e-8,
  1.1980239732423854e-8, 6.17828385094557e-9, 3.0289352453820717e-9, -5.984617937805729e-9,
];
const farSingle = [
  1.2530080080032349, -0.1356210857629776, -0.0475604422390461, 0.12964412569999695, -0.1192929595708847,
  0.06832125037908554, -0.023687591776251793, 0.0024628126993775368, 0.001730673830024898, -0.0006336927763186395,
  7.868980901548639e-6,
];

function erfNear(A: Algebra, x: Expression): Expression {
  const z = A.keep(A.mul(x, x));
  return A.add(x, A.mul(x, A.polynomial(z, A.double ? nearDouble : nearSingle)));
}

/** erfc x for x ≥ 1/2 */
function erfcFar(A: Algebra, size: Expression): Expression {
  // Beyond, erfc is less than half the smallest number. The second is given where either is NaN.
  const x = A.keep(A.min(A.per(28, 11), size));
  const three = A.real(3);
  const t = A.keep(A.div(A.sub(x, three), A.add(x, three)));
  const [first = 0, ...more] = A.double ? farDouble : farSingle;
  const series = fastTwoSum(A, A.real(first), A.keep(A.mul(t, A.polynomial(t, more))));
  const xHigh = A.keep(upperHalf(A, x));
  const squareLow = A.mul(A.sub(x, xHigh), A.add(x, xHigh));
  const { high, low, ...scaling } = reduceByLog2(A, A.keep(A.neg(A.mul(xHigh, xHigh))));
  const taken = A.keep(A.add(low, squareLow));
  const r = A.keep(A.sub(high, taken));
  const lost = A.sub(A.sub(high, r), taken);
  const square = A.keep(A.mul(r, r));
  const minusOne = A.keep(A.add(r, A.add(lost, A.mul(square, exponentialTail(A, r, square)))));
  const product = fastTwoSum(A, series.high, A.keep(A.add(A.mul(series.high, minusOne), series.low)));
  const below = fastTwoSum(A, A.real(1), A.keep(A.add(x, x)));
  return scaledBeyond(A, A.keep(quotient(A, product, { high: below.high, low: below.low })), scaling);
}

export function erf(A: Algebra, x: Expression): Expression {
  const size = A.keep(A.abs(x));
  const result = A.variable(erfNear(A, size));
  A.ifAny(A.not(A.le(size, A.real(1))), () => {
    const far = A.sub(A.real(1), erfcFar(A, size));
    A.set(result, A.select(A.le(size, A.real(1)), get(result), far));
  });
  return A.withSign(get(result), x);
}

export function erfc(A: Algebra, x: Expression): Expression {
  const size = A.keep(A.abs(x));
  const result = A.variable(A.sub(A.real(1), erfNear(A, x)));
  A.ifAny(A.not(A.le(size, A.real(0.5))), () => {
    const far = A.keep(erfcFar(A, size));
    const ofSign = A.select(A.lt(x, A.real(0)), A.sub(A.real(2), far), far);
    A.set(result, A.select(A.le(size, A.real(0.5)), get(result), ofSign));
  });
  return get(result);
}
