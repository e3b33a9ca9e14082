/**
 * How a document writes an operator: the name of one that is built in, or formulas over two tuples.
 */
import * as v from 'valibot';
import { type BuiltinOperator, builtinOperators } from '../../engine/index.ts';
import { formula, identifier, number, oneOf, strict, truth } from '../notation/fields.ts';
import type { DocumentNumber } from '../notation/numbers.ts';

/** [low, high], of one component. */
export type DocumentRange = readonly [DocumentNumber, DocumentNumber];

export interface WrittenOperator {
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly result: readonly string[];
  readonly neutral: readonly DocumentNumber[];
  readonly commutative?: boolean;
  readonly domain?: readonly DocumentRange[];
  /** Over `left`, the total, and `right`, the element taken out. */
  readonly inverse?: readonly string[];
  readonly lift?: WrittenLift;
}

/** `into` is over `left`, `back` over the lifted operator's `left`. */
export interface WrittenLift {
  readonly into: readonly string[];
  readonly operator: WrittenOperator;
  readonly back: readonly string[];
}

export type DocumentOperator = BuiltinOperator | WrittenOperator;

const names = v.pipe(v.array(identifier, 'a list of names'), v.minLength(1, 'at least one name'));
const formulas = v.pipe(v.array(formula, 'a list of formulas'), v.minLength(1, 'at least one formula'));
const range = v.custom<DocumentRange>(
  (value) => Array.isArray(value) && value.length === 2 && value.every((bound) => v.is(number, bound)),
  'a range [low, high]',
);

const written: v.GenericSchema<unknown, WrittenOperator> = strict({
  left: names,
  right: names,
  result: formulas,
  neutral: v.array(number, 'a list of numbers'),
  commutative: v.exactOptional(truth),
  domain: v.exactOptional(v.array(range, 'a list of ranges [low, high], one for each component')),
  inverse: v.exactOptional(formulas),
  lift: v.exactOptional(strict({ into: formulas, operator: v.lazy(() => written), back: formulas })),
});

const builtin = oneOf(Object.keys(builtinOperators) as [BuiltinOperator, ...BuiltinOperator[]]);

export const operatorSchema: v.GenericSchema<unknown, DocumentOperator> = v.lazy((input) =>
  typeof input === 'object' && input !== null ? written : builtin,
);
