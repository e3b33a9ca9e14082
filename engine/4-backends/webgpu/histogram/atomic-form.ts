/**
 * Operators whose results native 32-bit atomics form, in any order with the same bits: sums of ints, minima and maxima,
 * components of these side by side, and the lifted minimum and maximum, which know the winner's index. Sums of reals are
 * none of them: they would differ from run to run.
 */
import { componentOperator } from '../../../0-ir/component-operator.ts';
import { liftedMinMax } from '../../../0-ir/lifted-min-max.ts';
import { builtinOperator, componentTypes, recognise, type Operator } from '../../../0-ir/operators.ts';
import { sameOperator } from '../../../1-optimize/scalar/same-operator.ts';

export interface AtomicRound {
  readonly component: number;
  readonly combination: 'add' | 'min' | 'max';
  /** Only elements that attain what that component has come to by the passes before. */
  readonly winnersOf?: number;
}

/** Passes over the elements, each of rounds that do not depend on each other. */
export type AtomicForm = readonly (readonly AtomicRound[])[];

export function atomicForm(operator: Operator): AtomicForm | undefined {
  return liftedForms.find(({ lifted }) => sameOperator(operator, lifted))?.form ?? componentForm(operator);
}

/** The value first; then the smallest index that attains it. */
const liftedForms = (['min', 'max'] as const).map((which) => ({
  lifted: liftedMinMax(which),
  form: [[{ component: 1, combination: which }], [{ component: 0, combination: 'min', winnersOf: 1 }]] as AtomicForm,
}));

function componentForm(operator: Operator): AtomicForm | undefined {
  const rounds = componentTypes(operator).map((type, component): AtomicRound | undefined => {
    const alone = componentOperator(operator, component);
    const name = alone && recognise(alone);
    if (!alone || !name || type === 'bool' || alone.neutral[0] !== builtinOperator(name, type).neutral[0])
      return undefined;
    if (name === 'min' || name === 'max' || (name === 'add' && type === 'int')) return { component, combination: name };
    return undefined;
  });
  return rounds.every((round) => round !== undefined) ? [rounds] : undefined;
}
