/**
 * What a sweep needs of its two scans: one operator whose totals of a stretch serve both, what they have in common once; and what
 * the epilogue reads, from a tile where it is there.
 */
import { arity, flipped, productOperator, componentTypes, type Operator } from '../../../0-ir/operators.ts';
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import { withoutRepeats } from '../../../1-optimize/common-components.ts';
import { readParameters } from '../../../1-optimize/scalar/dead-code.ts';
import { restrictFunction, selectResults } from '../../../1-optimize/scalar/edit-function.ts';
import { keyOf } from '../../../1-optimize/scalar/operand-key.ts';
import type { Source, SweepStep, SweptScan } from '../../../3-plan/plan.ts';
import { elementsOf } from '../../../3-plan/sources.ts';

/** What the epilogue sees of one scan, by the components of the totals; and what it sees where nothing is before. */
export interface SeenScan {
  readonly components: readonly number[];
  readonly types: readonly ElementType[];
  readonly neutral: readonly number[];
  readonly exclusive: boolean;
}

export interface Swept {
  /** Combines totals of neighbouring stretches; elements are prologue(inputs). */
  readonly operator: Operator;
  readonly prologue: ScalarFunction;
  readonly inputs: readonly Source[];
  readonly along: SeenScan;
  readonly against: SeenScan;
  /** Of what is seen along, against, and `beside`: sources, or components of the element. */
  readonly epilogue: ScalarFunction;
  readonly beside: readonly (Source | number)[];
}

export function sweptOf({ along, against, epilogue }: SweepStep): Swept {
  const scans = [along, against] as const;
  const elements = elementsOf(scans);
  const both = productOperator([along.operator, flipped(against.operator)]);
  const { operator, kept, leaders } = withoutRepeats(both, elements.prologue.body.results.map(keyOf));
  const prologue = selectResults(elements.prologue, kept);
  const isRead = readParameters(epilogue.function);
  const d = arity(along.operator);
  const seen = ({ operator: own, exclusive }: SweptScan, before: number) => {
    const read = own.neutral.map((_, c) => c).filter((c) => isRead[before + c]);
    const types = componentTypes(own);
    return {
      components: read.map((c) => kept.indexOf(leaders[before + c]!)),
      types: read.map((c) => types[c]!),
      neutral: read.map((c) => own.neutral[c]!),
      exclusive,
      parameters: read.map((c) => before + c),
    };
  };
  const [first, second] = [seen(along, 0), seen(against, d)];
  const others = epilogue.inputs.map((_, i) => both.neutral.length + i).filter((parameter) => isRead[parameter]);
  const component = (source: Source): number => {
    const slot = elements.inputs.findIndex((input) => JSON.stringify(input) === JSON.stringify(source));
    const parameter = prologue.parameters[slot];
    return prologue.body.results.findIndex((result) => result.kind === 'variable' && result.id === parameter?.id);
  };
  return {
    operator,
    prologue,
    inputs: elements.inputs,
    along: first,
    against: second,
    epilogue: restrictFunction(
      epilogue.function,
      [...first.parameters, ...second.parameters, ...others],
      epilogue.function.body.results.map((_, i) => i),
    ),
    beside: others.map((parameter) => {
      const source = epilogue.inputs[parameter - both.neutral.length]!;
      const known = component(source);
      return known < 0 ? source : known;
    }),
  };
}
