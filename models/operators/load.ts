/**
 * The door for documents: an operator read, its laws tested.
 */
import type { ElementType, Operator } from '../../engine/index.ts';
import type { OperatorError } from './fault.ts';
import type { CounterExample, Law, LawOptions, LawReport } from './law-tester.ts';
import { testLaws } from './laws.ts';
import { testLift } from './lift.ts';
import { readOperator } from './operator.ts';
import type { DocumentOperator } from './schema.ts';

export interface LoadOptions {
  readonly seed?: number;
  /** A histogram wants a commutative operator: commutativity is then tested where the document does not claim it. */
  readonly needsCommutative?: boolean;
}

export type LoadResult =
  | {
      readonly ok: true;
      /** A component may be real where its values are int: those values are to be converted. */
      readonly operator: Operator;
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly errors: readonly OperatorError[] };

/**
 * `elements`: the types of the block's `values`, one for each component. What was loaded before is remembered: a document
 * is checked whenever it is edited, and most of its operators are then as they were.
 */
export function loadOperator(
  document: DocumentOperator,
  elements: readonly ElementType[],
  options: LoadOptions = {},
): LoadResult {
  const key = JSON.stringify([document, elements, options]);
  const known = loaded.get(key);
  if (known) return known;
  const result = load(document, elements, options);
  if (loaded.size >= mostLoaded) loaded.clear();
  loaded.set(key, result);
  return result;
}

const mostLoaded = 100;
const loaded = new Map<string, LoadResult>();

function load(
  document: DocumentOperator,
  elements: readonly ElementType[],
  { seed = 0, needsCommutative = false }: LoadOptions,
): LoadResult {
  if (needsCommutative && typeof document !== 'string' && document.commutative === false) {
    const message = 'a histogram combines elements in any order and wants an operator that is commutative';
    return { ok: false, errors: [{ message, key: 'commutative' }] };
  }
  const read = readOperator(document, elements);
  if (!read.ok) return read;
  if (typeof document === 'string') return { ok: true, operator: read.operator, warnings: [] };
  const operator = { ...read.operator, commutative: read.operator.commutative || needsCommutative };
  const { counterExamples, warnings } = lawsOf(operator, { seed, domain: read.domain });
  if (counterExamples.length > 0) return { ok: false, errors: counterExamples.map(brokenLaw) };
  return { ok: true, operator, warnings };
}

function lawsOf(operator: Operator, options: LawOptions): LawReport {
  const own = testLaws(operator, options);
  if (!own.holds || !operator.lift) return own;
  const lift = testLift(operator, operator.lift, options);
  return { ...lift, warnings: [...own.warnings, ...lift.warnings] };
}

const broken: Record<Law, [key: string, sentence: string]> = {
  associative: ['result', 'the operator is not associative'],
  commutative: ['commutative', 'the operator is not commutative, as it is claimed or needed'],
  neutral: ['neutral', 'the neutral element is wrong'],
  inverse: ['inverse', 'the inverse is wrong'],
  lift: ['lift', 'the lift does not do what the operator does'],
};

function brokenLaw({ law, text }: CounterExample): OperatorError {
  const [key, sentence] = broken[law];
  return { message: `${sentence}: ${text}`, key };
}
