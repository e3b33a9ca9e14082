/**
 * The product of all factors but one, as if formed with an unbounded exponent: what both modes need of ×.
 *
 * Factors are carried as (m, e, zeros, s, infinities): m·2ᵉ is the product of those that are neither zero, infinite nor
 * NaN, with the sign of infinite ones; zeros are counted, and s is their sum, through which a change of the one zero of a
 * product is felt. A NaN counts as a zero and an infinity, for 0·∞ is one.
 */
import type { ProgramBuilder } from '../0-ir/builder.ts';
import type { Operator } from '../0-ir/operators.ts';
import type { HistogramConstruct, ReduceConstruct, Value } from '../0-ir/program.ts';
import { intLiteral, realLiteral, type ScalarFunction, type ScalarOperand } from '../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../0-ir/scalar-builder.ts';
import { workOf } from '../1-optimize/work.ts';

const components = ['real', 'real', 'int', 'real', 'int'] as const;
type Five = [ScalarOperand, ScalarOperand, ScalarOperand, ScalarOperand, ScalarOperand];
type Seven = [...Five, ScalarOperand, ScalarOperand];

const factorsOf: ScalarFunction = scalarFunction(['real'], (s, x) => {
  const zero = s.apply('eq', x, realLiteral(0));
  const infinite = s.apply('eq', s.apply('abs', x), realLiteral(Infinity));
  const nan = s.apply('isnan', x);
  const sign = (): ScalarOperand =>
    either(
      s,
      s.apply('and', infinite, s.apply('lt', x, realLiteral(0))),
      () => realLiteral(-1),
      () => realLiteral(1),
    );
  const count = (condition: ScalarOperand): ScalarOperand =>
    s.apply('add', s.apply('int', condition), s.apply('int', nan));
  return [
    either(s, s.apply('or', zero, s.apply('or', infinite, nan)), sign, () => s.apply('mantissa', x)),
    s.apply('exponent', x),
    count(zero),
    either(
      s,
      zero,
      () => x,
      () => realLiteral(0),
    ),
    count(infinite),
  ];
});

/** m stays within 2⁻ᵖˡᵃᶜᵉˢ … 1, so that the product of two is a normal number in f32 too. */
const places = 60;

const together: Operator = {
  combine: scalarFunction([...components, ...components], (s, m1, e1, z1, s1, i1, m2, e2, z2, s2, i2) => {
    const m = s.apply('mul', m1, m2);
    const e = s.apply('add', e1, e2);
    const scaled = s.branch(
      s.apply('lt', s.apply('abs', m), realLiteral(2 ** -places)),
      () => [s.apply('mul', m, realLiteral(2 ** places)), s.apply('sub', e, realLiteral(places))],
      () => [m, e],
    );
    return [...scaled, s.apply('add', z1, z2), s.apply('add', s1, s2), s.apply('add', i1, i2)];
  }),
  neutral: [1, 0, 0, 0, 0],
  commutative: true,
};

/** (all factors…, x, v) ↦ v · the product of the others than x; an exact 0 for v = 0, where that product is not finite too. */
export const timesOthers: ScalarFunction = scalarFunction([...components, 'real', 'real'], (s, ...operands) => {
  const [m, e, zeros, , infinities, x, v] = operands as Seven;
  const ordinary = s.apply('and', s.apply('eq', zeros, intLiteral(0)), s.apply('eq', infinities, intLiteral(0)));
  const product = either(
    s,
    ordinary,
    () => s.apply('scale', s.apply('div', m, s.apply('mantissa', x)), s.apply('sub', e, s.apply('exponent', x))),
    () => others(s, operands.slice(0, 5), s.inline(factorsOf, [x])),
  );
  return [
    either(
      s,
      s.apply('and', s.apply('eq', v, realLiteral(0)), s.apply('not', finite(s, product))),
      () => realLiteral(0),
      () => s.apply('mul', v, product),
    ),
  ];
});

function others(s: ScalarBuilder, all: readonly ScalarOperand[], own: readonly ScalarOperand[]): ScalarOperand {
  const [m, e, zeros, sum, infinities] = all.map((total, i) =>
    s.apply(i === 0 ? 'div' : 'sub', total, own[i] as ScalarOperand),
  ) as Five;
  const ifEqual = (count: ScalarOperand, is: number, then: () => ScalarOperand, otherwise: () => ScalarOperand) =>
    either(s, s.apply('eq', count, intLiteral(is)), then, otherwise);
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

/** By the bits where a backend's compiler would take it that x - x is 0. */
function finite(s: ScalarBuilder, x: ScalarOperand): ScalarOperand {
  const infinite = s.apply('eq', s.apply('abs', x), realLiteral(Infinity));
  return s.apply('not', s.apply('or', infinite, s.apply('isnan', x)));
}

function either(
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

/** All factors of each product of a reduction, of its result's shape. */
export function reducedFactors(b: ProgramBuilder, { inputs, shape, axis }: ReduceConstruct): Value[] {
  return b.emit({ kind: 'reduce', operator: together, shape, axis, inputs: b.map(factorsOf, inputs, shape) });
}

/** All factors of each bin; what the bin began with is one more. */
export function binnedFactors(b: ProgramBuilder, { initial, ...construct }: HistogramConstruct): Value[] {
  const { inputs, shape } = construct;
  const factors = b.emit({ ...construct, operator: together, inputs: b.map(factorsOf, inputs, shape) });
  if (!initial) return factors;
  const begun = b.map(factorsOf, initial, (factors[0] as Value).type.shape);
  return b.map(together.combine, [...begun, ...factors]);
}

/** Scalar operations per factor, both ways. */
export const factorOperations = [factorsOf, together.combine, timesOthers].reduce(
  (total, fn) => total + workOf(fn),
  0,
);
