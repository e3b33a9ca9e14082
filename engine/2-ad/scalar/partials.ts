/**
 * The partial derivatives of every scalar operation, each as the linear map v ↦ (∂y/∂xᵢ)·v.
 *
 * A linear map rather than a factor, because at a kink the branch not taken must give an exact zero even where v is
 * infinite, and ∞·0 is NaN. `null`: the derivative is zero almost everywhere, or the operand carries none.
 * The edges (ties, zeros, kinks) are those of "Numbers at the edges" in docs/rules.md; each is tested against central
 * differences, since forward and reverse both read this one table.
 */
import { boolLiteral, realLiteral as real, type ScalarOperand } from '../../0-ir/scalar.ts';
import type { ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';

export type LinearMap = ((v: ScalarOperand) => ScalarOperand) | null;

/** `x`: the operands, `y`: the result, all written already. */
type Partials = (
  b: ScalarBuilder,
  x: readonly [ScalarOperand, ScalarOperand, ScalarOperand],
  y: ScalarOperand,
) => readonly LinearMap[];

const none: Partials = () => [];
const identity: LinearMap = (v) => v;

const scaled = (factor: (b: ScalarBuilder, x: ScalarOperand, y: ScalarOperand) => ScalarOperand): Partials => {
  return (b, [x], y) => [(v) => b.apply('mul', v, factor(b, x, y))];
};
const divided = (divisor: (b: ScalarBuilder, x: ScalarOperand, y: ScalarOperand) => ScalarOperand): Partials => {
  return (b, [x], y) => [(v) => b.apply('div', v, divisor(b, x, y))];
};
const square = (b: ScalarBuilder, x: ScalarOperand): ScalarOperand => b.apply('mul', x, x);

/** v where the condition holds, else exactly zero. */
const where = (b: ScalarBuilder, condition: ScalarOperand, v: ScalarOperand): ScalarOperand =>
  b.either(
    condition,
    () => v,
    () => real(0),
  );

/** The first operand takes all on ties and where it is NaN; the second where it alone is NaN. */
const selecting = (firstWins: (b: ScalarBuilder, a: ScalarOperand, c: ScalarOperand) => ScalarOperand): Partials => {
  return (b, [a, c]) => {
    const first = (): ScalarOperand => b.apply('or', b.apply('isnan', a), firstWins(b, a, c));
    return [(v) => where(b, first(), v), (v) => where(b, b.apply('not', first()), v)];
  };
};

const twoOverSqrtPi = real(2 / Math.sqrt(Math.PI));
const gauss = (b: ScalarBuilder, x: ScalarOperand): ScalarOperand =>
  b.apply('mul', twoOverSqrtPi, b.apply('exp', b.apply('neg', square(b, x))));

/** √(1 - x²), formed as √((1-x)(1+x)), which keeps its digits near ±1. */
const cofunction = (b: ScalarBuilder, x: ScalarOperand): ScalarOperand =>
  b.apply('sqrt', b.apply('mul', b.apply('sub', real(1), x), b.apply('add', real(1), x)));

export const partials: { readonly [Op in ScalarOperation]: Partials } = {
  neg: (b) => [(v) => b.apply('neg', v)],
  // 0 at 0, the derivative of neither branch.
  abs: (b, [x]) => [
    (v) =>
      b.either(
        b.apply('eq', x, real(0)),
        () => real(0),
        () => b.apply('mul', v, b.apply('sign', x)),
      ),
  ],
  sign: none,
  add: () => [identity, identity],
  sub: (b) => [identity, (v) => b.apply('neg', v)],
  mul: (b, [x, z]) => [(v) => b.apply('mul', v, z), (v) => b.apply('mul', v, x)],
  div: (b, [, z], y) => [(v) => b.apply('div', v, z), (v) => b.apply('neg', b.apply('div', b.apply('mul', v, y), z))],
  mod: (b, [x, z]) => [identity, (v) => b.apply('neg', b.apply('mul', v, b.apply('floor', b.apply('div', x, z))))],
  pow: (b, [x, z], y) => [(v) => powBase(b, x, z, v), (v) => powExponent(b, x, z, y, v)],
  min: selecting((b, a, c) => b.apply('le', a, c)),
  max: selecting((b, a, c) => b.apply('le', c, a)),
  // At a bound x still takes the derivative; NaN is neither below nor above, so it does too.
  clamp: (b, [x, low, high]) => {
    const below = (): ScalarOperand => b.apply('lt', x, low);
    const above = (): ScalarOperand => b.apply('lt', high, b.apply('max', x, low));
    return [
      (v) => where(b, b.apply('not', b.apply('or', below(), above())), v),
      (v) => where(b, b.apply('and', below(), b.apply('not', above())), v),
      (v) => where(b, above(), v),
    ];
  },

  exp: scaled((_, __, y) => y),
  exp2: scaled((b, _, y) => b.apply('mul', real(Math.LN2), y)),
  expm1: scaled((b, x) => b.apply('exp', x)),
  log: divided((_, x) => x),
  log2: divided((b, x) => b.apply('mul', real(Math.LN2), x)),
  log10: divided((b, x) => b.apply('mul', real(Math.LN10), x)),
  log1p: divided((b, x) => b.apply('add', real(1), x)),
  sqrt: (b, [x], y) => [(v) => b.apply('div', v, b.apply('add', b.apply('mul', real(2), y), still(b, x, v)))],
  cbrt: (b, [x], y) => [
    (v) => b.apply('div', v, b.apply('add', b.apply('mul', real(3), square(b, y)), still(b, x, v))),
  ],
  // At the origin no direction is distinguished: 0.
  hypot: (b, [x, z], y) => {
    const along = (w: ScalarOperand): LinearMap => {
      return (v) =>
        b.either(
          b.apply('eq', y, real(0)),
          () => real(0),
          () => b.apply('mul', v, b.apply('div', w, y)),
        );
    };
    return [along(x), along(z)];
  },
  sin: scaled((b, x) => b.apply('cos', x)),
  cos: scaled((b, x) => b.apply('neg', b.apply('sin', x))),
  tan: scaled((b, _, y) => b.apply('add', real(1), square(b, y))),
  asin: divided(cofunction),
  acos: divided((b, x) => b.apply('neg', cofunction(b, x))),
  atan: divided((b, x) => b.apply('add', real(1), square(b, x))),
  // atan2(x, z): ∂x = z/h², ∂z = -x/h², h = hypot; divided twice so that h² cannot overflow.
  atan2: (b, [x, z]) => {
    const over = (v: ScalarOperand, w: ScalarOperand): ScalarOperand => {
      const h = b.apply('hypot', x, z);
      return b.apply('mul', v, b.apply('div', b.apply('div', w, h), h));
    };
    return [(v) => over(v, z), (v) => b.apply('neg', over(v, x))];
  },
  sinh: scaled((b, x) => b.apply('cosh', x)),
  cosh: scaled((b, x) => b.apply('sinh', x)),
  // 1 - y² as 4·logistic(2x)·logistic(-2x): 1 - y is 0 from 20 on, where the derivative is 2·10⁻¹⁷.
  tanh: scaled((b, x) => {
    const twice = b.apply('mul', real(2), x);
    const sides = b.apply('mul', b.apply('logistic', twice), b.apply('logistic', b.apply('neg', twice)));
    return b.apply('mul', real(4), sides);
  }),
  floor: none,
  ceil: none,
  round: none,
  trunc: none,
  detach: none,
  // The exponent is constant but for its jumps, where m·2ᵉ has none.
  mantissa: (b, [x]) => [(v) => b.apply('scale', v, b.apply('neg', b.apply('exponent', x)))],
  exponent: none,
  scale: (b, [, k]) => [(v) => b.apply('scale', v, k), null],
  erf: scaled(gauss),
  erfc: scaled((b, x) => b.apply('neg', gauss(b, x))),
  lgamma: scaled((b, x) => b.apply('digamma', x)),
  digamma: scaled((b, x) => b.apply('polygamma', real(1), x)),
  polygamma: (b, [m, x]) => [null, (v) => b.apply('mul', v, b.apply('polygamma', b.apply('add', m, real(1)), x))],
  // ∂y is x/y, and 0 for x = 0 even at y = 0, as the value is.
  xlogy: (b, [x, z]) => [
    (v) => b.apply('mul', v, b.apply('log', z)),
    (v) =>
      b.either(
        b.apply('eq', x, real(0)),
        () => real(0),
        () => b.apply('mul', v, b.apply('div', x, z)),
      ),
  ],
  // y(1-y), with 1-y formed as logistic(-x), which does not cancel.
  logistic: scaled((b, x, y) => b.apply('mul', y, b.apply('logistic', b.apply('neg', x)))),
  logaddexp: (b, [a, c]) => [(v) => logaddexpWeight(b, a, c, v), (v) => logaddexpWeight(b, c, a, v)],

  lt: none,
  le: none,
  eq: none,
  ne: none,
  and: none,
  or: none,
  not: none,
  isnan: none,
  real: none,
  int: none,
};

/** 1 where x and v are 0, else 0: added to a divisor or a base that is 0 there, it keeps a v of 0 from 0·∞. */
function still(b: ScalarBuilder, x: ScalarOperand, v: ScalarOperand): ScalarOperand {
  return b.apply('real', b.apply('and', b.apply('eq', x, real(0)), b.apply('eq', v, real(0))));
}

/** z·x^(z-1)·v. At x = 0: 0, 1, ∞, -∞ as z is above 1 (or 0), 1, between 0 and 1, below 0; 0 where v is 0. */
function powBase(b: ScalarBuilder, x: ScalarOperand, z: ScalarOperand, v: ScalarOperand): ScalarOperand {
  if (z.kind === 'literal' && z.value === 0) return real(0);
  if (z.kind === 'literal' && z.value === 1) return v;
  if (z.kind === 'literal' && z.value === 2) return b.apply('mul', v, b.apply('mul', z, x));
  const isFlat = z.kind === 'literal' && z.value > 1;
  // x + 0 turns -0 into 0, whose powers have the sign that the limit from above has.
  const base = (): ScalarOperand => b.apply('add', x, isFlat ? real(0) : still(b, x, v));
  const slope = (): ScalarOperand =>
    b.apply('mul', v, b.apply('mul', z, b.apply('pow', base(), b.apply('sub', z, real(1)))));
  if (z.kind === 'literal') return slope();
  return b.either(b.apply('eq', z, real(0)), () => real(0), slope);
}

/** x^z·log(x)·v, and 0 at x = 0 ≤ z. */
function powExponent(
  b: ScalarBuilder,
  x: ScalarOperand,
  z: ScalarOperand,
  y: ScalarOperand,
  v: ScalarOperand,
): ScalarOperand {
  const origin = b.apply('and', b.apply('eq', x, real(0)), b.apply('eq', z, real(0)));
  return b.either(
    b.apply('or', origin, b.apply('eq', y, real(0))),
    () => real(0),
    () => b.apply('mul', v, b.apply('mul', y, b.apply('log', x))),
  );
}

/** e^a/(e^a + e^c)·v; ½ each where both are ∞, and 0 each where both are -∞. */
function logaddexpWeight(b: ScalarBuilder, a: ScalarOperand, c: ScalarOperand, v: ScalarOperand): ScalarOperand {
  const difference = b.apply('sub', a, c);
  return b.either(
    b.apply('and', b.apply('isnan', difference), b.apply('eq', a, c)),
    () =>
      b.either(
        b.apply('eq', a, real(-Infinity)),
        () => real(0),
        () => b.apply('mul', v, real(0.5)),
      ),
    () => b.apply('mul', v, b.apply('logistic', difference)),
  );
}

/** Unused operands of an operation of smaller arity. */
export const absent = boolLiteral(false);
