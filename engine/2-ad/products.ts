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
import { operationCount } from './operation-count.ts';

const components = ['real', 'real', 'int', 'real', 'int'] as const;

/** m·2ᵉ = 1 */
const one = [realLiteral(0.5), realLiteral(1)] as const;

const factorsOf: ScalarFunction = scalarFunction(['real'], (s, x) =>
  s.branch(
    s.apply('eq', x, realLiteral(0)),
    () => [...one, intLiteral(1), x, intLiteral(0)],
    () =>
      s.branch(
        finite(s, x),
        () => [s.apply('mantissa', x), s.apply('exponent', x), intLiteral(0), realLiteral(0), intLiteral(0)],
        () => {
          const half = s.branch(
            s.apply('lt', x, realLiteral(0)),
            () => [realLiteral(-0.5)],
            () => [realLiteral(0.5)],
          );
          return [...half, one[1], s.apply('int', s.apply('isnan', x)), realLiteral(0), intLiteral(1)];
        },
      ),
  ),
);

const together: Operator = {
  combine: scalarFunction([...components, ...components], (s, m1, e1, z1, s1, i1, m2, e2, z2, s2, i2) => {
    const m = s.apply('mul', m1, m2);
    return [
      s.apply('mantissa', m),
      s.apply('add', s.apply('add', e1, e2), s.apply('exponent', m)),
      s.apply('add', z1, z2),
      s.apply('add', s1, s2),
      s.apply('add', i1, i2),
    ];
  }),
  neutral: [0.5, 1, 0, 0, 0],
  commutative: true,
};

/** (all factors…, x, v) ↦ v · the product of the others than x; an exact 0 for v = 0, where that product is not finite too. */
export const timesOthers: ScalarFunction = scalarFunction([...components, 'real', 'real'], (s, ...operands) => {
  const [x, v] = operands.slice(5) as [ScalarOperand, ScalarOperand];
  const product = others(s, operands.slice(0, 5), s.inline(factorsOf, [x]));
  return s.branch(
    s.apply('and', s.apply('eq', v, realLiteral(0)), s.apply('not', finite(s, product))),
    () => [realLiteral(0)],
    () => [s.apply('mul', v, product)],
  );
});

function others(s: ScalarBuilder, all: readonly ScalarOperand[], own: readonly ScalarOperand[]): ScalarOperand {
  const [m, e, zeros, sum, infinities] = all.map((total, i) =>
    s.apply(i === 0 ? 'div' : 'sub', total, own[i] as ScalarOperand),
  ) as [ScalarOperand, ScalarOperand, ScalarOperand, ScalarOperand, ScalarOperand];
  const ifZeros = (count: number, then: () => ScalarOperand, otherwise: () => ScalarOperand): ScalarOperand =>
    s.branch(
      s.apply('eq', zeros, intLiteral(count)),
      () => [then()],
      () => [otherwise()],
    )[0] as ScalarOperand;
  return s.branch(
    s.apply('eq', infinities, intLiteral(0)),
    () => [
      ifZeros(
        0,
        () => s.apply('scale', m, e),
        // The one zero among them is their sum.
        () =>
          ifZeros(
            1,
            () => s.apply('scale', s.apply('mul', m, sum), e),
            () => realLiteral(0),
          ),
      ),
    ],
    () => [
      ifZeros(
        0,
        () => s.apply('mul', m, realLiteral(Infinity)),
        () => realLiteral(NaN),
      ),
    ],
  )[0] as ScalarOperand;
}

/** By the bits where a backend's compiler would take it that x - x is 0. */
function finite(s: ScalarBuilder, x: ScalarOperand): ScalarOperand {
  const infinite = s.apply('eq', s.apply('abs', x), realLiteral(Infinity));
  return s.apply('not', s.apply('or', infinite, s.apply('isnan', x)));
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
  (total, fn) => total + operationCount(fn),
  0,
);
