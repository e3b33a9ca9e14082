/**
 * The element type of every expression, from the leaves up.
 *
 * int∘int is int for + - * mod min max and unary minus; `/`, `^` and the functions are real; whole literals are int
 * beside an int and real beside a real; floor, ceil, round and trunc can be int where one is wanted.
 */
import type { ElementType } from '../../engine/index.ts';
import { functionNames, isFunctionName, formulaFunctions, signature, type FunctionName } from './functions.ts';
import type { Scope } from './scope.ts';
import { blockInstead, suggestion } from './suggest.ts';
import { chainOf, FormulaFault, type Expression, type ExpressionOf } from './syntax.ts';

export interface Inferred {
  /** `whole`: made of whole literals alone, an int or a real as the context has it. */
  readonly type: ElementType | 'whole';
  /** The part that can only be real; without one, the expression can be an int where one is wanted. */
  readonly realPart?: Expression;
}

export class Inference {
  private readonly known = new Map<Expression, Inferred>();
  private readonly scope: Scope;

  constructor(scope: Scope) {
    this.scope = scope;
  }

  /** Throws a FormulaFault where an operand does not fit. */
  of(expression: Expression): Inferred {
    const known = this.known.get(expression);
    if (known) return known;
    if (expression.kind === 'binary') for (const link of chainOf(expression)) this.known.set(link, this.binary(link));
    const inferred = this.known.get(expression) ?? this.infer(expression);
    this.known.set(expression, inferred);
    return inferred;
  }

  private infer(expression: Expression): Inferred {
    switch (expression.kind) {
      case 'number':
        return expression.whole ? { type: 'whole' } : { type: 'real', realPart: expression };
      case 'boolean':
        return { type: 'bool' };
      case 'name':
        return this.name(expression);
      case 'element': {
        const { type } = this.scope.element(expression);
        return type === 'real' ? { type, realPart: expression } : { type };
      }
      case 'unary':
        return expression.operator === 'not'
          ? this.logical('not', expression.operand)
          : this.number('-', expression.operand);
      case 'binary':
        return this.binary(expression);
      case 'call':
        return this.call(expression);
    }
  }

  private name(expression: ExpressionOf<'name'>): Inferred {
    const meaning = this.scope.name(expression.name, expression);
    if (meaning.kind === 'definition') return this.of(meaning.definition.value);
    const type = meaning.kind === 'constant' ? 'real' : meaning.type;
    return type === 'real' ? { type, realPart: expression } : { type };
  }

  private binary(expression: ExpressionOf<'binary'>): Inferred {
    const { operator, left, right } = expression;
    switch (operator) {
      case '+':
      case '-':
      case '*':
        return join(this.number(operator, left), this.number(operator, right));
      case '/':
      case '^':
        this.number(operator, left);
        this.number(operator, right);
        return { type: 'real', realPart: expression };
      case 'and':
      case 'or':
        this.logical(operator, left);
        return this.logical(operator, right);
      case '==':
      case '!=':
        if (this.of(left).type === 'bool') this.logical(operator, right);
        else if (this.of(right).type === 'bool') this.logical(operator, left);
        return { type: 'bool' };
      default:
        this.number(operator, left);
        this.number(operator, right);
        return { type: 'bool' };
    }
  }

  private call(call: ExpressionOf<'call'>): Inferred {
    const name = checkedCall(call);
    const [first, second, third] = call.operands;
    switch (formulaFunctions[name].typing) {
      case 'real':
        for (const operand of call.operands) this.number(name, operand);
        return { type: 'real', realPart: call };
      case 'arithmetic':
        return call.operands.map((operand) => this.number(name, operand)).reduce(join);
      case 'rounding':
        for (const operand of call.operands) this.number(name, operand);
        return { type: 'real' };
      case 'special':
        if (name === 'length' && first) return this.length(first);
        if (name === 'if' && first && second && third) return this.choice(first, second, third);
        if (first) this.of(first);
        return { type: 'real', realPart: call };
    }
  }

  private length(operand: Expression): Inferred {
    if (operand.kind !== 'name') throw new FormulaFault('length takes the name of an input, as in length(x)', operand);
    this.scope.measured(operand.name, operand);
    return { type: 'int' };
  }

  private choice(condition: Expression, then: Expression, otherwise: Expression): Inferred {
    if (this.of(condition).type !== 'bool')
      throw new FormulaFault(
        `if takes a condition first, such as x > 0; this is ${this.describe(condition)}`,
        condition,
      );
    const [a, b] = [this.of(then), this.of(otherwise)];
    if ((a.type === 'bool') !== (b.type === 'bool'))
      throw new FormulaFault(
        `the branches of an if are both numbers or both conditions; one is ${this.describe(then)}, this ${this.describe(otherwise)}`,
        otherwise,
      );
    return a.type === 'bool' ? a : join(a, b);
  }

  private number(taker: string, operand: Expression): Inferred {
    const inferred = this.of(operand);
    if (inferred.type === 'bool')
      throw new FormulaFault(`'${taker}' takes numbers; this is true or false: write if(…, 1, 0)`, operand);
    return inferred;
  }

  private logical(taker: string, operand: Expression): Inferred {
    const inferred = this.of(operand);
    if (inferred.type !== 'bool')
      throw new FormulaFault(
        `'${taker}' takes a condition here, such as x > 0; this is ${this.describe(operand)}`,
        operand,
      );
    return inferred;
  }

  private describe(expression: Expression): string {
    const { type } = this.of(expression);
    return type === 'bool' ? 'true or false' : type === 'whole' ? 'a number' : `a number (${type})`;
  }
}

/** Of two numbers that meet in + - * mod min max or in the branches of an if. */
function join(a: Inferred, b: Inferred): Inferred {
  const realPart = a.realPart ?? b.realPart;
  const type = a.type === 'real' || b.type === 'real' ? 'real' : a.type === b.type ? a.type : 'int';
  return { type, ...(realPart && { realPart }) };
}

/** The function that a call names, with as many operands as it takes. */
function checkedCall(call: ExpressionOf<'call'>): FunctionName {
  const { name, operands, from } = call;
  if (name === 'delay')
    throw new FormulaFault(`'delay' reads a solution's past, and has a meaning in the formulas of an ode block alone`, {
      from,
      to: from + name.length,
    });
  if (!isFunctionName(name))
    throw new FormulaFault(`'${name}' is not a function${blockInstead(name) || suggestion(name, functionNames)}`, {
      from,
      to: from + name.length,
    });
  const wanted = formulaFunctions[name].parameters.length;
  if (operands.length !== wanted) {
    const block = operands.length === 1 ? blockInstead(name) : '';
    throw new FormulaFault(
      `${name} takes ${wanted} argument${wanted === 1 ? '' : 's'}, ${signature(name)}; here it has ${operands.length}${block}`,
      call,
    );
  }
  return name;
}
