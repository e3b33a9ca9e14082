/**
 * Initial contents of a histogram, decoupled (paper, section 4): hist = initial ⊙ xs with xs a histogram of its own, and
 * where a bin is empty, initial itself, since neutral elements are never combined. A rule then knows the plain one alone.
 */
import type { ProgramBuilder } from '../../../0-ir/builder.ts';
import { builtinOperator, combine, componentTypes, type Operator } from '../../../0-ir/operators.ts';
import type { HistogramConstruct, Value } from '../../../0-ir/program.ts';
import { intLiteral, type ScalarFunction } from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import { sumTo, trailingOnes } from '../../layout.ts';
import type { Derivative, Primal, Recursion, VjpRule } from '../../rule.ts';
import { vjpFunction } from '../../scalar/vjp-function.ts';

/** A histogram without initial contents. */
export type PlainHistogram = Omit<HistogramConstruct, 'initial'>;

export interface PlainRule {
  primal?(b: ProgramBuilder, construct: PlainHistogram): Primal;
  /** An adjoint for each input. */
  values(
    b: ProgramBuilder,
    construct: PlainHistogram,
    primal: Primal,
    cotangents: readonly Derivative[],
    recursion: Pick<Recursion, 'vjp'>,
  ): readonly Derivative[];
}

/** The rule for histograms with initial contents and without, from one for those without. */
export function decoupled(rule: PlainRule): Required<Pick<VjpRule<'histogram'>, 'primal' | 'cotangents'>> {
  const plainPrimal = (b: ProgramBuilder, plain: PlainHistogram): Primal =>
    rule.primal?.(b, plain) ?? { results: b.emit(plain) };
  return {
    primal(b, construct) {
      const { initial, ...plain } = construct;
      const { results: contents, saved = [] } = plainPrimal(b, plain);
      if (!initial) return { results: contents, saved };
      const occupied = occupancy(b, construct);
      const results = b.map(initialFirst(construct.operator), [occupied, ...initial, ...contents]);
      return { results, saved: [occupied, ...contents, ...saved] };
    },
    // Operands: keys, the inputs, the initial contents.
    cotangents(b, construct, { results, saved = [] }, cotangents, _, recursion) {
      const { initial, ...plain } = construct;
      if (!initial) return [undefined, ...rule.values(b, plain, { results, saved }, cotangents, recursion)];
      const types = componentTypes(construct.operator);
      const contents = saved.slice(1, 1 + types.length);
      const real = types.map((type) => type === 'real');
      const seeded = cotangents.map((cotangent) => cotangent !== undefined);
      const pulled = b.map(
        vjpFunction(initialFirst(construct.operator), seeded, [false, ...real, ...real]),
        [saved[0]!, ...initial, ...contents, ...cotangents.filter((cotangent) => cotangent !== undefined)],
        results[0]!.type.shape,
      );
      let next = 0;
      const take = (): Derivative[] => real.map((isReal) => (isReal ? pulled[next++] : undefined));
      const initialAdjoints = take();
      const primal = { results: contents, saved: saved.slice(1 + types.length) };
      return [
        undefined,
        ...rule.values(b, plain, primal, take(), recursion),
        ...initial.map((value, i) => {
          const adjoint = initialAdjoints[i];
          return adjoint && sumTo(b, adjoint, value.type.shape);
        }),
      ];
    },
  };
}

/** Whether a bin has an element, over [batch…, bins] with the literal 1 for trailing axes. */
export function occupancy(b: ProgramBuilder, { keys, bins, batch, shape }: PlainHistogram): Value {
  const domain = shape.slice(0, batch + 1);
  const ones = b.replicate(b.literal(1, 'int'), domain);
  const counter = builtinOperator('add', 'int');
  const [count] = b.emit({ kind: 'histogram', operator: counter, keys, bins, batch, shape: domain, inputs: [ones] });
  const occupied = b.elementwise([count!], (s, n) => s.apply('lt', intLiteral(0), n));
  return trailingOnes(b, occupied, shape.length);
}

/** (occupied, initial…, contents…) ↦ occupied ? initial ⊙ contents : initial. */
function initialFirst(operator: Operator): ScalarFunction {
  const types = componentTypes(operator);
  return scalarFunction(['bool', ...types, ...types], (s, occupied, ...operands) => {
    const initial = operands.slice(0, types.length);
    return s.branch(
      occupied,
      () => combine(s, operator, initial, operands.slice(types.length)),
      () => initial,
    );
  });
}
