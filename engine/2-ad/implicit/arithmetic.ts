/** Sums, products and choices of scalar code that is written out, and the precision that it runs in. */
import { realLiteral as real, type ScalarOperand } from '../../0-ir/scalar.ts';
import type { ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import type { Matrix } from './elimination.ts';

export type Operand = ScalarOperand;

/** The unit of rounding. */
export const rounding = { f64: 2 ** -53, f32: 2 ** -24 };

export class Arithmetic {
  constructor(readonly s: ScalarBuilder) {}
  apply: ScalarBuilder['apply'] = (operation, ...operands) => this.s.apply(operation, ...operands);
  sum = (terms: readonly Operand[]): Operand =>
    terms.length === 0 ? real(0) : terms.reduce((a, b) => this.apply('add', a, b));
  most = (terms: readonly Operand[]): Operand => terms.reduce((a, b) => this.apply('max', a, b));
  times = (a: Operand, b: Operand): Operand => this.apply('mul', a, b);
  over = (a: Operand, b: Operand): Operand => this.apply('div', a, b);
  size = (a: Operand): Operand => this.apply('abs', a);
  /** Σ a² */
  square = (terms: readonly Operand[]): Operand => this.sum(terms.map((each) => this.times(each, each)));
  either = (condition: Operand, yes: Operand, no: Operand): Operand =>
    this.s.either(
      condition,
      () => yes,
      () => no,
    );
  orOne = (a: Operand): Operand => this.either(this.apply('lt', real(0), a), a, real(1));
  /** A·v, entries that are zero by their form left out. */
  product = (matrix: Matrix, v: readonly Operand[]): Operand[] =>
    matrix.map((row) => this.sum(row.flatMap((entry, j) => (entry ? [this.times(entry, v[j]!)] : []))));
}

/** Whether this is computed in f32; `one` is a number above 0. */
const isSingle = (m: Arithmetic, one: Operand): Operand =>
  m.apply('eq', m.apply('add', one, m.times(real(1e-11), one)), one);

/** Of two constants that for the precision that this is computed in; `of` is any number that the program does not know. */
export const byPrecision = (m: Arithmetic, of: Operand, { f64, f32 }: typeof rounding): Operand =>
  m.either(isSingle(m, m.orOne(of)), real(f32), real(f64));
