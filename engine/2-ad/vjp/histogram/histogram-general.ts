/**
 * hist = histogram(⊙, keys, vs)  ⇒  v̄ᵢ = ∂(lᵢ ⊙ vᵢ ⊙ rᵢ)/∂vᵢ · hist̄[kᵢ], where lᵢ and rᵢ combine the elements of the same
 * key before and after i. Paper, figure "histo-rule", with its sort and segmented scans replaced by two keyed scans, of
 * which the one for l gives hist as well.
 *
 * Initial contents are to the left of all: l begins with them, and their adjoint is that of an element before the others.
 * A key out of range (below 0, or bins and above: the paper's guard for + misses one) gives an exact zero.
 */
import { arity, flipped } from '../../../0-ir/operators.ts';
import type { Value } from '../../../0-ir/program.ts';
import { sumTo, trailingOnes } from '../../layout.ts';
import { workOf } from '../../../1-optimize/work.ts';
import type { Derivative, VjpRule } from '../../rule.ts';
import { realComponents } from '../../structure.ts';
import { betweenFunction, takesBetween } from '../parts/between.ts';
import { exclusiveScan, hasBefore, keyedScanChain, met } from '../parts/keyed-scan-adjoint.ts';
import { guarded, keysInRange } from '../parts/keys-in-range.ts';

export const histogramGeneral: VjpRule<'histogram'> = {
  name: 'histogram-general',
  construct: 'histogram',
  sweep: 'any',
  example: `program (%0 keys: int[n], %1 vs: real[n]) {
  %2: real[bins] = histogram[n] batch 0 bins [bins] keys %0 operator neutral (0.0) commutative
    (x0: real, x1: real) { x2 = x0 * x1; x3 = x0 + x1; x4 = x3 + x2; yield x4 }
    (%1)
  yield hist = %2
}`,
  matches: ({ operator }) => takesBetween(operator),
  cost: ({ operator, bins }) => ({
    traffic: 7 * arity(operator) + 4,
    operations: 7 * workOf(operator.combine) + 12,
    passes: 3,
    chain: keyedScanChain({ operator, bins }),
  }),
  primal(b, construct) {
    const { running, totals } = exclusiveScan(b, { ...construct, reverse: false });
    return { results: totals, saved: running };
  },
  // Operands: keys, the inputs, the initial contents.
  cotangents(b, construct, { saved: ls = [] }, cotangents) {
    const { operator, keys, inputs, initial, bins, batch, shape } = construct;
    const { initial: _, ...plain } = construct;
    const after = { ...plain, operator: flipped(operator), reverse: true };
    const { running: rs, totals } = exclusiveScan(b, after);
    const seeds = cotangents.filter((cotangent) => cotangent !== undefined);
    const between = betweenFunction(
      operator,
      cotangents.map((cotangent) => cotangent !== undefined),
    );
    const adjoints = b.map(
      guarded(between),
      [
        trailingOnes(b, keysInRange(b, keys, bins), shape.length),
        hasBefore(b, { ...construct, reverse: false }),
        hasBefore(b, after),
        ...ls,
        ...inputs,
        ...rs,
        ...seeds.map((seed) => b.gather(seed, keys, 'zero', batch)),
      ],
      shape,
    );
    const real = realComponents(operator);
    const own = (values: readonly Value[], operands: readonly Value[]): Derivative[] =>
      operands.map((operand, i) => {
        const adjoint = values[real.indexOf(i)];
        return adjoint && sumTo(b, adjoint, operand.type.shape);
      });
    if (!initial) return [undefined, ...own(adjoints, inputs)];
    const occupied = trailingOnes(b, met(b, after).atAll, shape.length);
    // Nothing is to their left, so what stands in for it is not read.
    const begun = b.map(
      between,
      [b.literal(0, 'bool'), occupied, ...initial, ...initial, ...totals, ...seeds],
      seeds[0]?.type.shape,
    );
    return [undefined, ...own(adjoints, inputs), ...own(begun, initial)];
  },
};
