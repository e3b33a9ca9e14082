/**
 * What a sweep needs of its two scans: of each the components that are carried and seen, and one operator whose totals of a
 * stretch serve both, what they have in common once.
 */
import { arity, flipped, productOperator, type Operator, withLaws } from '../../../0-ir/operators.ts';
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import { withoutRepeats } from '../../../1-optimize/common-components.ts';
import { readParameters } from '../../../1-optimize/scalar/dead-code.ts';
import { restrictFunction, selectResults } from '../../../1-optimize/scalar/edit-function.ts';
import { keyOf } from '../../../1-optimize/scalar/operand-key.ts';
import type { Source, SweepStep, SweptScan } from '../../../3-plan/plan.ts';
import { elementsOf } from '../../../3-plan/sources.ts';
import { carriedPart, combinablePart, type CarriedPart } from '../combine/carried-part.ts';

export interface SweptPart {
  readonly scan: SweptScan;
  readonly part: CarriedPart;
  /** The components that the epilogue reads. */
  readonly shown: readonly number[];
  /** Where each component is found among the totals'; those that nobody asks for are nowhere. */
  readonly at: readonly (number | undefined)[];
}

export interface Swept {
  /** Combines totals of neighbouring stretches; elements are prologue(inputs). */
  readonly operator: Operator;
  readonly prologue: ScalarFunction;
  readonly inputs: readonly Source[];
  readonly along: SweptPart;
  readonly against: SweptPart;
  /** Of (what `along` shows…, what `against` shows…, inputs…). */
  readonly epilogue: SweepStep['epilogue'];
}

export function sweptOf({ along, against, epilogue }: SweepStep): Swept {
  const [d1, d2] = [arity(along.operator), arity(against.operator)];
  const isRead = readParameters(epilogue.function);
  const shown = [numbers(d1), numbers(d2)].map((components, i) => components.filter((c) => isRead[i * d1 + c]));
  const [first, second] = [partOf(along, shown[0] ?? []), partOf(against, shown[1] ?? [])];
  const both = productOperator([
    narrowed(along.operator, first.whole),
    flipped(narrowed(against.operator, second.whole)),
  ]);
  const elements = elementsOf([along, against], [first.whole, second.whole]);
  const { operator, kept, leaders } = withoutRepeats(both, elements.prologue.body.results.map(keyOf));
  const places = (whole: readonly number[], before: number, d: number) =>
    numbers(d).map((c) => (whole.includes(c) ? kept.indexOf(leaders[before + whole.indexOf(c)]!) : undefined));
  const own = numbers(epilogue.inputs.length);
  return {
    operator,
    prologue: selectResults(elements.prologue, kept),
    inputs: elements.inputs,
    along: { scan: along, part: first.part, shown: first.shown, at: places(first.whole, 0, d1) },
    against: {
      scan: against,
      part: second.part,
      shown: second.shown,
      at: places(second.whole, first.whole.length, d2),
    },
    epilogue: {
      function: restrictFunction(
        epilogue.function,
        [...first.shown, ...second.shown.map((c) => d1 + c), ...own.map((i) => d1 + d2 + i)],
        numbers(epilogue.function.body.results.length),
      ),
      inputs: epilogue.inputs,
    },
  };
}

function partOf({ operator }: SweptScan, shown: readonly number[]) {
  const part = carriedPart(operator, shown);
  // A carry begins as an element does, so all that is carried is wanted of one.
  const { kept } = combinablePart(operator, { ...part, right: [...new Set([...part.kept, ...part.right])] });
  return { part, shown, whole: kept };
}

/** The operator on some components, which need no others. */
function narrowed(operator: Operator, kept: readonly number[]): Operator {
  const d = arity(operator);
  return withLaws(
    operator,
    restrictFunction(operator.combine, [...kept, ...kept.map((i) => d + i)], kept),
    kept.map((i) => operator.neutral[i]!),
  );
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
