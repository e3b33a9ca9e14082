/**
 * Products that neither overflow nor vanish, however they are grouped: as if formed with an unbounded exponent. Rules make
 * them, backends know them again.
 *
 * Factors are carried as (m, d, zeros, s, infinities): m·Bᵈ, B = 2⁶⁴, is the product of those that are neither zero,
 * infinite nor NaN, with the sign of infinite ones; zeros are counted, and s is their sum, through which a change of the one
 * zero of a product is felt. A NaN counts as a zero and an infinity, for 0·∞ is one.
 *
 * m alone may stand for any number, so an element is (x, 0, 0, -0, 0), and while products stay in a window of 64 binary
 * orders, which they nearly always do, they cost one multiplication and a look. Only a product that leaves it – for what
 * it is itself, or for a factor that is no ordinary number – has its factors taken apart. What is looked at is written again
 * where it is used: so the derivative of the side that is not taken is an exact zero, where 0·∞ would be NaN.
 */
import type { Operator } from './operators.ts';
import { intLiteral, realLiteral, type ScalarFunction, type ScalarOperand } from './scalar.ts';
import { scalarFunction, type ScalarBuilder } from './scalar-builder.ts';

export const factorTypes = ['real', 'int', 'int', 'real', 'int'] as const;
export type Factors = [ScalarOperand, ScalarOperand, ScalarOperand, ScalarOperand, ScalarOperand];

/**
 * B = 2⁶⁴: the exponents of a billion numbers of f32 are less than an int holds. The window is [2⁻⁴³, 2²¹): the product of
 * two within is a normal number in f32 too, and none is so large that a backend would doubt it beside a zero.
 */
export const [places, lowest, highest] = [64, -43, 21];
/** x as the only factor. */
export const oneFactor: ScalarFunction = scalarFunction(['real'], (_, x) => [
  x,
  intLiteral(0),
  intLiteral(0),
  realLiteral(-0),
  intLiteral(0),
]);

/** |x| in [2ˡᵒʷ, 2ʰⁱᵍʰ), which a NaN is not; by its square, which is one instruction where the size is several. */
export function within(s: ScalarBuilder, x: ScalarOperand, low: number, high: number): ScalarOperand {
  const square = s.apply('mul', x, x);
  return s.apply(
    'and',
    s.apply('le', realLiteral(2 ** (2 * low)), square),
    s.apply('lt', square, realLiteral(2 ** (2 * high))),
  );
}

/** x taken apart: its m is in the window, or ±1 for a zero, an infinity and a NaN. */
export const takenApart: ScalarFunction = scalarFunction(['real'], (s, x) => {
  const zero = s.apply('eq', x, realLiteral(0));
  const infinite = s.apply('eq', s.apply('abs', x), realLiteral(Infinity));
  const nan = s.apply('isnan', x);
  const count = (condition: ScalarOperand): ScalarOperand =>
    s.apply('add', s.apply('int', condition), s.apply('int', nan));
  const sign = s.either(
    s.apply('and', infinite, s.apply('lt', x, realLiteral(0))),
    () => realLiteral(-1),
    () => realLiteral(1),
  );
  const above = s.apply('sub', s.apply('exponent', x), realLiteral(lowest + 1));
  const power = s.apply('floor', s.apply('mul', above, realLiteral(1 / places)));
  return [
    s.either(
      s.apply('or', zero, s.apply('or', infinite, nan)),
      () => sign,
      () => s.apply('scale', x, s.apply('mul', power, realLiteral(-places))),
    ),
    s.apply('int', power),
    count(zero),
    s.either(
      zero,
      () => x,
      () => realLiteral(-0),
    ),
    count(infinite),
  ];
});

/** All factors of two products together. However they are grouped, nothing overflows or vanishes. */
export const factorsOperator: Operator = {
  combine: scalarFunction([...factorTypes, ...factorTypes], (s, ...operands) => {
    const [left, right] = [operands.slice(0, 5), operands.slice(5)] as [Factors, Factors];
    const product = () => s.apply('mul', left[0], right[0]);
    const rest = ([, ...a]: Factors, [, ...b]: Factors) => a.map((count, i) => s.apply('add', count, b[i]!));
    return s.branch(
      within(s, product(), lowest, highest),
      () => [product(), ...rest(left, right)],
      () => {
        const [a, b] = [left, right].map((factors) => normal(s, factors)) as [Factors, Factors];
        const [d, ...counts] = rest(a, b);
        return [...intoWindow(s, s.apply('mul', a[0], b[0]), d as ScalarOperand), ...counts];
      },
    );
  }),
  neutral: [1, 0, 0, -0, 0],
  commutative: true,
};

/** The same factors with m in the window. */
export function normal(s: ScalarBuilder, [m, ...counts]: Factors): Factors {
  const [own, ...more] = s.inline(takenApart, [m]) as Factors;
  return [own, ...counts.map((count, i) => s.apply('add', count, more[i]!))] as Factors;
}

/** (m, d) of m·Bᵈ, m a product of two of the window. */
function intoWindow(s: ScalarBuilder, m: ScalarOperand, d: ScalarOperand): ScalarOperand[] {
  const by = (power: -1 | 1) => () => [
    s.apply('mul', m, realLiteral(2 ** (-power * places))),
    s.apply('add', d, intLiteral(power)),
  ];
  const size = s.apply('abs', m);
  return s.branch(s.apply('le', realLiteral(2 ** highest), size), by(1), () =>
    s.branch(s.apply('lt', size, realLiteral(2 ** lowest)), by(-1), () => [m, d]),
  );
}
