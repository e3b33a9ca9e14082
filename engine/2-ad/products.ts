/** The product of all factors but one, which both modes need of ×; how factors are carried is told in `0-ir/factors.ts`. */
import type { ProgramBuilder } from '../0-ir/builder.ts';
import {
  factorsOperator,
  factorTypes,
  normal,
  oneFactor,
  places,
  takenApart,
  within,
  type Factors,
} from '../0-ir/factors.ts';
import type { HistogramConstruct, ReduceConstruct, Value } from '../0-ir/program.ts';
import { intLiteral, realLiteral, type ScalarFunction, type ScalarOperand } from '../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../0-ir/scalar-builder.ts';

/** Powers of B beyond these make any number of the window, over any factor, infinite or zero. */
const mostPowers = 40;

/** (m, d, zeros, s, infinities) ↦ (m in the window, the exponent of 2 that belongs to it, zeros, s, infinities). */
const normalised: ScalarFunction = scalarFunction(factorTypes, (s, ...factors) => {
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
    s.either(
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
      return s.either(
        s.apply('and', s.apply('eq', v, realLiteral(0)), s.apply('isnan', change)),
        () => realLiteral(0),
        () => change,
      );
    };
    // An ordinary quotient is what the division should give, however odd x may be.
    return [s.either(within(s, quotient(), -reach, reach), () => s.apply('mul', quotient(), seed), oddly)];
  },
);

function others(s: ScalarBuilder, [all, exponent, ...counts]: Factors, x: ScalarOperand): ScalarOperand {
  const [own, d, ...ownCounts] = s.inline(takenApart, [x]) as Factors;
  const m = s.apply('div', all, own);
  const e = s.apply('sub', exponent, s.apply('mul', s.apply('real', d), realLiteral(places)));
  const [zeros, sum, infinities] = counts.map((count, i) => s.apply('sub', count, ownCounts[i]!)) as [
    ScalarOperand,
    ScalarOperand,
    ScalarOperand,
  ];
  const ifEqual = (count: ScalarOperand, is: number, then: () => ScalarOperand, otherwise: () => ScalarOperand) =>
    s.either(s.apply('eq', count, intLiteral(is)), then, otherwise);
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

/** All factors of each product of a reduction, of its result's shape, as `seeded` takes them. */
export function reducedFactors(b: ProgramBuilder, { inputs, shape, axis }: ReduceConstruct): Value[] {
  return b.map(
    normalised,
    b.emit({ kind: 'reduce', operator: factorsOperator, shape, axis, inputs: b.map(oneFactor, inputs, shape) }),
  );
}

/** All factors of each bin; what the bin began with is one more. */
export function binnedFactors(b: ProgramBuilder, { initial, ...construct }: HistogramConstruct): Value[] {
  const { inputs, shape } = construct;
  const factors = b.emit({ ...construct, operator: factorsOperator, inputs: b.map(oneFactor, inputs, shape) });
  if (!initial) return b.map(normalised, factors);
  const begun = b.map(oneFactor, initial, factors[0]!.type.shape);
  return b.map(normalised, b.map(factorsOperator.combine, [...begun, ...factors]));
}

/** Scalar operations per factor, both ways, where it is an ordinary number: a product, a quotient, and looks at both. */
export const factorOperations = 20;
