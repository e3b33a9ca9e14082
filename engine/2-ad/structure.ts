/**
 * The structure of an operator's Jacobians: which entries of C = (∂(r ⊙ a)/∂r)ᵀ must be stored for a scan with lin_o.
 *
 * Entries are put into classes: constants, and one class for each different expression, equal up to sign. The pattern is
 * refined until it is closed under the matrix product: an entry of a product of two matrices of the pattern is a
 * polynomial in (class of the left factor, class of the right factor); where a constant's polynomial is not that
 * constant, it becomes a class; where two entries of one class have different polynomials, the class splits. One scalar
 * for each remaining class is stored and multiplied.
 *
 * The paper's special cases are corollaries (section 5.3): + (no class left), block-diagonal Jacobians (zeros off the
 * blocks), repeated blocks (equal classes in every block).
 */
import { componentTypes, type Operator } from '../0-ir/operators.ts';
import { realLiteral, type ScalarFunction, type ScalarOperand } from '../0-ir/scalar.ts';
import { scalarFunction } from '../0-ir/scalar-builder.ts';
import { simplifyFunction } from '../1-optimize/scalar/simplify-function.ts';
import { vjpFunction } from './scalar/vjp-function.ts';

export type Entry =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'class'; readonly index: number; readonly sign: 1 | -1 };

export interface Structure {
  /** Number of real components: C is d × d. */
  readonly d: number;
  /** Row by row. */
  readonly entries: readonly Entry[];
  /** For each class, the position of an entry of sign 1. */
  readonly representatives: readonly number[];
}

/** Every entry a class of its own: the paper's general rule. */
export function wholeStructure(operator: Operator): Structure {
  const d = realComponents(operator).length;
  const positions = Array.from({ length: d * d }, (_, at) => at);
  return { d, entries: positions.map((index) => ({ kind: 'class', index, sign: 1 })), representatives: positions };
}

const known = new WeakMap<Operator, Structure>();

export function closedStructure(operator: Operator): Structure {
  const before = known.get(operator);
  if (before) return before;
  const structure = closedPattern(transposedJacobian(operator), realComponents(operator).length);
  known.set(operator, structure);
  return structure;
}

/** Of the d × d matrices that a function gives row by row. */
export function closedPattern(matrix: ScalarFunction, d: number): Structure {
  let entries = numbered(initialEntries(matrix));
  for (;;) {
    const refined = numbered(refine(entries, d));
    if (classCount(refined) === classCount(entries)) break;
    entries = refined;
  }
  return { d, entries, representatives: representativesOf(entries) };
}

/** Positions of the components that carry derivatives. */
export function realComponents(operator: Operator): number[] {
  return componentTypes(operator).flatMap((type, i) => (type === 'real' ? [i] : []));
}

const jacobians = new WeakMap<Operator, ScalarFunction>();

/**
 * (r…, a…) ↦ C row by row: row j holds the derivatives of every real result by the j-th real component of r. Simplified.
 */
export function transposedJacobian(operator: Operator): ScalarFunction {
  const before = jacobians.get(operator);
  if (before) return before;
  const types = componentTypes(operator);
  const real = realComponents(operator);
  const wanted = [...types.map((type) => type === 'real'), ...types.map(() => false)];
  const jacobian = scalarFunction([...types, ...types], (s, ...operands) => {
    const rows = real.map((k) => {
      const seeded = types.map((_, i) => i === k);
      return s.inline(vjpFunction(operator.combine, seeded, wanted), [...operands, realLiteral(1)]);
    });
    return real.flatMap((_, j) => rows.map((row) => row[j]!));
  });
  const simplified = simplifyFunction(jacobian);
  jacobians.set(operator, simplified);
  return simplified;
}

/** A label for each entry: equal labels, equal expressions. A class's label is text, of any form. */
type Labelled =
  Exclude<Entry, { kind: 'class' }> | { readonly kind: 'class'; readonly label: string; readonly sign: 1 | -1 };

function initialEntries(matrix: ScalarFunction): Labelled[] {
  const { body } = simplifyFunction(matrix);
  const negations = new Map<number, ScalarOperand>();
  for (const statement of body.statements)
    if (statement.kind === 'apply' && statement.operation === 'neg')
      negations.set(statement.result.id, statement.operands[0]!);
  return body.results.map((result): Labelled => {
    if (result.kind === 'literal') return { kind: 'constant', value: result.value };
    const negated = negations.get(result.id);
    if (negated?.kind === 'variable') return { kind: 'class', label: `x${negated.id}`, sign: -1 };
    return { kind: 'class', label: `x${result.id}`, sign: 1 };
  });
}

function refine(entries: readonly Entry[], d: number): Labelled[] {
  return entries.map((entry, at): Labelled => {
    const product = productPolynomial(entries, d, Math.floor(at / d), at % d);
    if (entry.kind === 'constant') {
      const stays = product === polynomialText(new Map([['·', entry.value]]), 1);
      return stays ? entry : { kind: 'class', label: `constant ${entry.value}: ${product}`, sign: 1 };
    }
    const normal = productPolynomial(entries, d, Math.floor(at / d), at % d, entry.sign);
    return { kind: 'class', label: `${entry.index}: ${normal}`, sign: entry.sign };
  });
}

/** Entry (i, j) of the product of two matrices of the pattern, times `sign`, in one canonical text. */
function productPolynomial(entries: readonly Entry[], d: number, i: number, j: number, sign: 1 | -1 = 1): string {
  const terms = new Map<string, number>();
  for (let k = 0; k < d; k++) {
    const left = factor(entries[i * d + k]!);
    const right = factor(entries[k * d + j]!);
    const monomial = `${left.symbol}·${right.symbol}`;
    terms.set(monomial, (terms.get(monomial) ?? 0) + left.coefficient * right.coefficient);
  }
  return polynomialText(terms, sign);
}

function factor(entry: Entry): { coefficient: number; symbol: string } {
  return entry.kind === 'constant'
    ? { coefficient: entry.value, symbol: '' }
    : { coefficient: entry.sign, symbol: `${entry.index}` };
}

function polynomialText(terms: ReadonlyMap<string, number>, sign: 1 | -1): string {
  return [...terms]
    .filter(([, coefficient]) => coefficient !== 0)
    .map(([monomial, coefficient]) => `${sign * coefficient} ${monomial}`)
    .sort()
    .join(' + ');
}

/** Classes numbered in the order of their first entries, whose sign becomes 1. */
function numbered(entries: readonly Labelled[]): Entry[] {
  const classes = new Map<string, { index: number; sign: 1 | -1 }>();
  return entries.map((entry): Entry => {
    if (entry.kind === 'constant') return entry;
    const first = classes.get(entry.label) ?? { index: classes.size, sign: entry.sign };
    classes.set(entry.label, first);
    return { kind: 'class', index: first.index, sign: entry.sign === first.sign ? 1 : -1 };
  });
}

function classCount(entries: readonly Entry[]): number {
  return representativesOf(entries).length;
}

function representativesOf(entries: readonly Entry[]): number[] {
  const found: number[] = [];
  entries.forEach((entry, at) => {
    if (entry.kind === 'class') found[entry.index] ??= at;
  });
  return found;
}
