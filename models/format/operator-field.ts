/** The `operator` of reduce, scan and histogram: a name, or one that the model writes. */
import * as v from 'valibot';
import { builtinOperators, type BuiltinOperator } from '../../engine/0-ir/operators.ts';
import { formula, identifier, number, strict, truth } from './fields.ts';
import { nearestName } from './names.ts';

import type { DocumentNumber } from './numbers.ts';

/** It acts on a tuple of scalars; every list has one entry for each component. */
export interface WrittenOperator {
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly result: readonly string[];
  readonly neutral: readonly DocumentNumber[];
  /** Tested where it is not said and must hold. */
  readonly commutative?: boolean;
  /** Over `left`, the total, and `right`, the element taken out. */
  readonly inverse?: readonly string[];
  readonly lift?: WrittenLift;
  /** A range for each component, on which the laws are meant. */
  readonly domain?: readonly (readonly [DocumentNumber, DocumentNumber])[];
}

/** `into` is over `left`, `back` over the lifted operator's `left`. */
export interface WrittenLift {
  readonly into: readonly string[];
  readonly operator: WrittenOperator;
  readonly back: readonly string[];
}

export type OperatorField = BuiltinOperator | WrittenOperator;

export const builtinOperatorNames = Object.keys(builtinOperators) as BuiltinOperator[];

const formulas = v.array(formula, 'a list of formulas');
const names = v.array(identifier, 'a list of names');

const lift: v.GenericSchema<unknown, WrittenLift> = v.lazy(() =>
  strict({ into: formulas, operator: written, back: formulas }),
);

const written: v.GenericSchema<unknown, WrittenOperator> = strict({
  left: names,
  right: names,
  result: formulas,
  neutral: v.array(number, 'a list of numbers'),
  commutative: v.exactOptional(truth),
  inverse: v.exactOptional(formulas),
  lift: v.exactOptional(lift),
  domain: v.exactOptional(v.array(v.tuple([number, number], 'a range [low, high]'), 'a list of ranges [low, high]')),
}) as v.GenericSchema<unknown, WrittenOperator>;

/** A name is told from an object first, so that what is said of a fault is about the one that was meant. */
export const operatorField: v.GenericSchema<unknown, OperatorField> = v.pipe(
  v.unknown(),
  v.rawTransform<unknown, OperatorField>(({ dataset, addIssue, NEVER }) => {
    const input = dataset.value;
    if (typeof input === 'string') {
      if (builtinOperatorNames.includes(input as BuiltinOperator)) return input as BuiltinOperator;
      const nearest = nearestName(input, builtinOperatorNames);
      const list = builtinOperatorNames.map((name) => `"${name}"`).join(', ');
      addIssue({
        message: `one of ${list} or an object that says what it does${nearest ? `; did you mean "${nearest}"?` : ''}`,
      });
      return NEVER;
    }
    const result = v.safeParse(written, input);
    for (const issue of result.issues ?? [])
      addIssue({ message: issue.message, input: issue.input, ...(issue.path && { path: issue.path }) } as never);
    return result.success ? result.output : NEVER;
  }),
);
