/**
 * What a formula says, as a tree. Every node knows the characters [from, to) that it was read from.
 */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** One sentence, and the characters that it is about. */
export interface FormulaError extends Span {
  readonly message: string;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '^';
export type ComparisonOperator = '<' | '<=' | '>' | '>=' | '==' | '!=';
export type BinaryOperator = ArithmeticOperator | ComparisonOperator | 'and' | 'or';

export type Expression = Span &
  (
    | { readonly kind: 'number'; readonly value: number; readonly whole: boolean }
    | { readonly kind: 'boolean'; readonly value: boolean }
    /** A constant, `index`, a name that the formula defines, or an input. */
    | { readonly kind: 'name'; readonly name: string }
    /** Of an array that is an input: by its place from 0, or by its label. `nameSpan` covers the name. */
    | { readonly kind: 'element'; readonly name: string; readonly nameSpan: Span; readonly at: number | string }
    /** `if` is a call too. */
    | { readonly kind: 'call'; readonly name: string; readonly operands: readonly Expression[] }
    | { readonly kind: 'unary'; readonly operator: '-' | 'not'; readonly operand: Expression }
    | {
        readonly kind: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
  );

export type ExpressionOf<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/** A line `name = value`; `nameSpan` covers the name. */
export interface Definition {
  readonly name: string;
  readonly nameSpan: Span;
  readonly value: Expression;
}

export interface Formula {
  readonly definitions: readonly Definition[];
  readonly result: Expression;
}

/** Thrown inside this folder, and returned as a FormulaError by its doors. */
export class FormulaFault extends Error {
  override readonly name = 'FormulaFault';
  readonly span: Span;

  constructor(message: string, { from, to }: Span) {
    super(message);
    this.span = { from, to };
  }

  get error(): FormulaError {
    return { message: this.message, ...this.span };
  }
}

export function children(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'call':
      return expression.operands;
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    default:
      return [];
  }
}

/**
 * The operation and those within it that are each the left operand of the one before, the innermost first: a + b - c is
 * (a + b) - c. Chains can be longer than any stack is deep, so that readers of the tree go along them in a loop.
 */
export function chainOf(expression: ExpressionOf<'binary'>): readonly ExpressionOf<'binary'>[] {
  const links = [expression];
  for (let { left } = expression; left.kind === 'binary'; { left } = left) links.push(left);
  return links.reverse();
}

/** The expression and all that is in it, in the order of the text. */
export function* walk(expression: Expression): Generator<Expression> {
  const pending = [expression];
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next;
    const parts = children(next);
    for (let i = parts.length; i-- > 0;) pending.push(parts[i]!);
  }
}
