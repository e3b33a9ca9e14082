/**
 * The product of all factors but one, as if formed with an unbounded exponent: what both modes need of ×.
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
import type { ProgramBuilder } from '../0-ir/builder.ts';
import type { Operator } from '../0-ir/operators.ts';
import type { HistogramConstruct, ReduceConstruct, Value } from '../0-ir/program.ts';
import { intLiteral, realLiteral, type ScalarFunction, type ScalarOperand } from '../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../0-ir/scalar-builder.ts';

const components = ['real', 'int', 'int', 'real', 'int'] as const;
type Factors = [ScalarOperand, ScalarOperand, ScalarOperand, ScalarOperand, ScalarOperand];

/**
 * B = 2⁶⁴: the exponents of a billion numbers of f32 are less than an int holds. The window is [2⁻⁴³, 2²¹): the product of
 * two within is a normal number in f32 too, and none is so large that a backend would doubt it beside a zero.
 */
const [places, lowest, highest] = [64, -43, 21];
/** Powers of B beyond these make any number of the window, over any factor, infinite or zero. */
const mostPowers = 40;

const element: ScalarFunction = scalarFunction(['real'], (_, x) => [
  x,
  intLiteral(0),
  intLiteral(0),
  realLiteral(-0),
  intLiteral(0),
]);

/** |x| in [2ˡᵒʷ, 2ʰⁱᵍʰ), which a NaN is not; by its square, which is one instruction where the size is several. */
function within(s: ScalarBuilder, x: ScalarOperand, low: number, high: number): ScalarOperand {
  const square = s.apply('mul', x, x);
  return s.apply(
    'and',
    s.apply('le', realLiteral(2 ** (2 * low)), square),
    s.apply('lt', square, realLiteral(2 ** (2 * high))),
  );
}

/** x taken apart: its m is in the window, or ±1 for a zero, an infinity and a NaN. */
const takenApart: ScalarFunction = scalarFunction(['real'], (s, x) => {
  const zero = s.apply('eq', x, realLiteral(0));
  const infinite = s.apply('eq', s.apply('abs', x), realLiteral(Infinity));
  const nan = s.apply('isnan', x);
  const count = (condition: ScalarOperand): ScalarOperand =>
    s.apply('add', s.apply('int', condition), s.apply('int', nan));
  const sign = choose(
    s,
    s.apply('and', infinite, s.apply('lt', x, realLiteral(0))),
    () => realLiteral(-1),
    () => realLiteral(1),
  );
  const above = s.apply('sub', s.apply('exponent', x), realLiteral(lowest + 1));
  const power = s.apply('floor', s.apply('mul', above, realLiteral(1 / places)));
  return [
    choose(
      s,
      s.apply('or', zero, s.apply('or', infinite, nan)),
      () => sign,
      () => s.apply('scale', x, s.apply('mul', power, realLiteral(-places))),
    ),
    s.apply('int', power),
    count(zero),
    choose(
      s,
      zero,
      () => x,
      () => realLiteral(-0),
    ),
    count(infinite),
  ];
});

/** All factors of two products together. However they are grouped, nothing overflows or vanishes. */
export const factorsOperator: Operator = {
  combine: scalarFunction([...components, ...components], (s, ...operands) => {
    const [left, right] = [operands.slice(0, 5), operands.slice(5)] as [Factors, Factors];
    const product = () => s.apply('mul', left[0], right[0]);
    const rest = ([, ...a]: Factors, [, ...b]: Factors) =>
      a.map((count, i) => s.apply('add', count, b[i] as ScalarOperand));
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
function normal(s: ScalarBuilder, [m, ...counts]: Factors): Factors {
  const [own, ...more] = s.inline(takenApart, [m]) as Factors;
  return [own, ...counts.map((count, i) => s.apply('add', count, more[i] as ScalarOperand))] as Factors;
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

/** (m, d, zeros, s, infinities) ↦ (m in the window, the exponent of 2 that belongs to it, zeros, s, infinities). */
const normalised: ScalarFunction = scalarFunction(components, (s, ...factors) => {
  const [m, d, ...counts] = normal(s, factors as Factors);
  const powers = s.apply('clamp', d, intLiteral(-mostPowers), intLiteral(mostPowers));
  return [m, s.apply('mul', s.apply('real', powers), realLiteral(places)), ...counts];
});
const normalTypes = ['real', 'real', 'int', 'real', 'int'] as const;

/** What is divided and multiplied where all is ordinary stays between 2⁻⁶⁰ and 2⁶⁰, so that nothing leaves f32. */
const reach = 60;

/**
 * (all factors…, v) ↦ (m, V, all factors…, v) where (m / x)·V, V = v·2ᵉ, is v · the product of the others than an ordinary x;
 * m is 0 where a factor is zero, infinite or NaN, or V is no ordinary number and not 0 either.
 */
export const seeded: ScalarFunction = scalarFunction([...normalTypes, 'real'], (s, ...operands) => {
  const [m, e, zeros, , infinities, v] = operands as [...Factors, ScalarOperand];
  const seed = s.apply('scale', v, e);
  const finite = s.apply('le', s.apply('abs', e), realLiteral(reach));
  const still = s.apply('and', s.apply('eq', v, realLiteral(0)), finite);
  const none = s.apply('and', s.apply('eq', zeros, intLiteral(0)), s.apply('eq', infinities, intLiteral(0)));
  const ordinary = s.apply('and', none, s.apply('or', still, within(s, seed, -reach, reach)));
  return [
    choose(
      s,
      ordinary,
      () => m,
      () => realLiteral(0),
    ),
    seed,
    ...operands,
  ];
});

/** (what `seeded` gives…, x) ↦ v · the product of the others than x; an exact 0 for v = 0, where that product is not finite too. */
export const timesOthers: ScalarFunction = scalarFunction(
  ['real', 'real', ...normalTypes, 'real', 'real'],
  (s, divided, seed, ...operands) => {
    const all = operands.slice(0, 5) as Factors;
    const [v, x] = operands.slice(5) as [ScalarOperand, ScalarOperand];
    const quotient = () => s.apply('div', divided, x);
    const oddly = (): ScalarOperand => {
      const change = s.apply('mul', v, others(s, all, x));
      return choose(
        s,
        s.apply('and', s.apply('eq', v, realLiteral(0)), s.apply('isnan', change)),
        () => realLiteral(0),
        () => change,
      );
    };
    // An ordinary quotient is what the division should give, however odd x may be.
    return [choose(s, within(s, quotient(), -reach, reach), () => s.apply('mul', quotient(), seed), oddly)];
  },
);

function others(s: ScalarBuilder, [all, exponent, ...counts]: Factors, x: ScalarOperand): ScalarOperand {
  const [own, d, ...ownCounts] = s.inline(takenApart, [x]) as Factors;
  const m = s.apply('div', all, own);
  const e = s.apply('sub', exponent, s.apply('mul', s.apply('real', d), realLiteral(places)));
  const [zeros, sum, infinities] = counts.map((count, i) => s.apply('sub', count, ownCounts[i] as ScalarOperand)) as [
    ScalarOperand,
    ScalarOperand,
    ScalarOperand,
  ];
  const ifEqual = (count: ScalarOperand, is: number, then: () => ScalarOperand, otherwise: () => ScalarOperand) =>
    choose(s, s.apply('eq', count, intLiteral(is)), then, otherwise);
  const zero = (): ScalarOperand => realLiteral(0);
  // The one zero among them is their sum.
  const ofOneZero = (): ScalarOperand => s.apply('scale', s.apply('mul', m, sum), e);
  return ifEqual(
    infinities,
    0,
    () =>
      ifEqual(
        zeros,
        0,
        () => s.apply('scale', m, e),
        () => ifEqual(zeros, 1, ofOneZero, zero),
      ),
    () =>
      ifEqual(
        zeros,
        0,
        () => s.apply('mul', m, realLiteral(Infinity)),
        () => realLiteral(NaN),
      ),
  );
}

function choose(
  s: ScalarBuilder,
  condition: ScalarOperand,
  then: () => ScalarOperand,
  otherwise: () => ScalarOperand,
): ScalarOperand {
  return s.branch(
    condition,
    () => [then()],
    () => [otherwise()],
  )[0] as ScalarOperand;
}

/** All factors of each product of a reduction, of its result's shape, as `seeded` takes them. */
export function reducedFactors(b: ProgramBuilder, { inputs, shape, axis }: ReduceConstruct): Value[] {
  return b.map(
    normalised,
    b.emit({ kind: 'reduce', operator: factorsOperator, shape, axis, inputs: b.map(element, inputs, shape) }),
  );
}

/** All factors of each bin; what the bin began with is one more. */
export function binnedFactors(b: ProgramBuilder, { initial, ...construct }: HistogramConstruct): Value[] {
  const { inputs, shape } = construct;
  const factors = b.emit({ ...construct, operator: factorsOperator, inputs: b.map(element, inputs, shape) });
  if (!initial) return b.map(normalised, factors);
  const begun = b.map(element, initial, (factors[0] as Value).type.shape);
  return b.map(normalised, b.map(factorsOperator.combine, [...begun, ...factors]));
}

/** Scalar operations per factor, both ways, where it is an ordinary number: a product, a quotient, and looks at both. */
export const factorOperations = 20;
