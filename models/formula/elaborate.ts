/**
 * Expression to Typed: each operation at the type that its context wants, conversions written out.
 */
import { boolLiteral, type ElementType, intLiteral, realLiteral, type ScalarOperation } from '../../engine/index.ts';
import { formulaFunctions, type FunctionName } from './functions.ts';
import { Inference } from './infer.ts';
import type { Scope } from './scope.ts';
import { chainOf, FormulaFault, type Definition, type Expression, type ExpressionOf, type Formula } from './syntax.ts';
import { apply, type Typed, type TypedFormula } from './typed.ts';

type NumberType = 'real' | 'int';

const arithmetic = { '+': 'add', '-': 'sub', '*': 'mul' } as const;
const smallestInt = -(2 ** 31);
const largestInt = 2 ** 31 - 1;

/** At the type `want`, or the formula's own where nothing is wanted. Throws a FormulaFault. */
export function elaborate(formula: Formula, scope: Scope, want?: ElementType): TypedFormula {
  const inference = new Inference(scope);
  // A definition that nothing uses is checked all the same.
  for (const definition of formula.definitions) inference.of(definition.value);
  const elaboration = new Elaboration(inference, scope);
  const { type, realPart } = inference.of(formula.result);
  const result = elaboration.at(formula.result, want ?? (type === 'whole' ? 'real' : type));
  return { definitions: elaboration.definitions, result, realPart };
}

class Elaboration {
  readonly definitions: Typed[] = [];
  private readonly known = new Map<string, Typed>();
  /** Left operands of the chain that is followed. */
  private readonly within = new Map<Expression, Typed>();
  private readonly inference: Inference;
  private readonly scope: Scope;

  constructor(inference: Inference, scope: Scope) {
    this.inference = inference;
    this.scope = scope;
  }

  at(expression: Expression, want: ElementType): Typed {
    const known = this.within.get(expression);
    if (known) return known;
    if (expression.kind === 'binary') return this.chain(chainOf(expression), want);
    this.demand(expression, want);
    return this.alone(expression, want);
  }

  /** The last of the links, after those that it has within it. */
  private chain(links: readonly ExpressionOf<'binary'>[], want: ElementType): Typed {
    const wants = new Map<Expression, ElementType>();
    let wanted = want;
    for (const link of links.toReversed()) {
      this.demand(link, wanted);
      wants.set(link, wanted);
      wanted = this.wantedLeft(link, wanted);
    }
    let result: Typed | undefined;
    for (const link of links) {
      if (result) this.within.set(link.left, result);
      result = this.alone(link, wants.get(link) ?? want);
      // It was asked for by the operation whose left operand it is, and by nobody else.
      this.within.delete(link.left);
    }
    if (!result) throw new Error('a chain has a link');
    return result;
  }

  private wantedLeft(link: ExpressionOf<'binary'>, want: ElementType): ElementType {
    switch (link.operator) {
      case '+':
      case '-':
      case '*':
        return want === 'real' && this.inference.of(link).type === 'int' ? 'int' : want;
      case '/':
      case '^':
        return 'real';
      case 'and':
      case 'or':
        return 'bool';
      default:
        return this.comparedAt(link.left, link.right);
    }
  }

  /** Throws a FormulaFault where an expression cannot be of the type that is wanted. */
  private demand(expression: Expression, want: ElementType): void {
    const { type, realPart } = this.inference.of(expression);
    if (type === want && type === 'bool') return;
    if (want === 'bool' || type === 'bool')
      throw new FormulaFault(
        want === 'bool'
          ? 'a condition is wanted here, such as x > 0; this is a number'
          : `a number${want === 'int' ? ' (int)' : ''} is wanted here; this is true or false: write if(…, 1, 0)`,
        expression,
      );
    if (want === 'int' && realPart)
      throw new FormulaFault('an int is wanted here, and this is real: write floor, ceil, round or trunc', realPart);
  }

  private alone(expression: Expression, want: ElementType): Typed {
    if (want === 'bool') return this.condition(expression);
    if (want === 'real' && this.inference.of(expression).type === 'int')
      return apply('real', this.numeric(expression, 'int'));
    return this.numeric(expression, want);
  }

  private numeric(expression: Expression, type: NumberType): Typed {
    switch (expression.kind) {
      case 'number':
        return this.literal(expression, expression.value, type);
      case 'name':
        return this.name(expression, type);
      case 'element':
        return this.element(expression);
      case 'unary':
        if (expression.operand.kind === 'number') return this.literal(expression, -expression.operand.value, type);
        return apply('neg', this.at(expression.operand, type));
      case 'binary':
        return this.arithmetic(expression, type);
      case 'call':
        return this.call(expression, type);
      case 'boolean':
        throw new Error('a truth value was taken for a number');
    }
  }

  private literal(expression: Expression, value: number, type: NumberType): Typed {
    if (type === 'real') return realLiteral(value);
    if (value < smallestInt || value > largestInt)
      throw new FormulaFault(`${value} does not fit the 32 bits of an int: write ${value}.0 for a real`, expression);
    return intLiteral(value === 0 ? 0 : value);
  }

  private name(expression: ExpressionOf<'name'>, type: ElementType): Typed {
    const meaning = this.scope.name(expression.name, expression);
    if (meaning.kind === 'constant') return realLiteral(meaning.value);
    if (meaning.kind === 'port') return { kind: 'port', port: meaning.port, type: meaning.type };
    return this.definition(meaning.definition, type);
  }

  private element(expression: ExpressionOf<'element'>): Typed {
    const { port, type } = this.scope.element(expression);
    return { kind: 'port', port, type };
  }

  /** Elaborated once for each type at which it is used; a literal is written in place. */
  private definition({ name, value }: Definition, type: ElementType): Typed {
    const key = `${type} ${name}`;
    const known = this.known.get(key);
    if (known) return known;
    const typed = this.at(value, type);
    const result = typed.kind === 'literal' ? typed : this.share(typed);
    this.known.set(key, result);
    return result;
  }

  private share(value: Typed): Typed {
    return { kind: 'local', definition: this.definitions.push(value) - 1, type: value.type };
  }

  private arithmetic({ operator, left, right }: ExpressionOf<'binary'>, type: NumberType): Typed {
    if (operator === '/') return this.quotient(left, right);
    if (operator === '^') return apply('pow', this.at(left, 'real'), this.at(right, 'real'));
    if (operator === '+' || operator === '-' || operator === '*')
      return apply(arithmetic[operator], this.at(left, type), this.at(right, type));
    throw new Error(`${operator} was taken for arithmetic`);
  }

  /**
   * a/(1 + exp(u)) = a·logistic(−u): where exp(u) overflows the quotient is 0, and so are its derivatives, which would be
   * 0·∞ by those of a quotient.
   */
  private quotient(left: Expression, right: Expression): Typed {
    const exponent = exponentOfSigmoid(right);
    if (!exponent) return apply('div', this.at(left, 'real'), this.at(right, 'real'));
    const isNegated = exponent.kind === 'unary' && exponent.operator === '-';
    const sigmoid = apply(
      'logistic',
      isNegated ? this.at(exponent.operand, 'real') : apply('neg', this.at(exponent, 'real')),
    );
    return isOne(left) ? sigmoid : apply('mul', this.at(left, 'real'), sigmoid);
  }

  private call(call: ExpressionOf<'call'>, type: NumberType): Typed {
    const name = call.name as Exclude<FunctionName, 'if' | 'length'>;
    const operands = call.operands as [Expression, Expression, Expression];
    switch (formulaFunctions[call.name as FunctionName].typing) {
      case 'real':
        return apply(name, ...operands.map((operand) => this.at(operand, 'real')));
      case 'arithmetic':
        return apply(name, ...operands.map((operand) => this.at(operand, type)));
      case 'rounding':
        return type === 'int' ? this.roundedInt(name, operands[0]) : apply(name, this.at(operands[0], 'real'));
      case 'special':
        if (call.name === 'if') return this.choice(operands, type);
        if (call.name === 'length') return this.length(operands[0]);
        return this.made(operands[0]);
    }
  }

  private made(operand: Expression): Typed {
    return this.inference.of(operand).type === 'bool'
      ? apply('real', this.at(operand, 'bool'))
      : this.at(operand, 'real');
  }

  private length(operand: Expression): Typed {
    if (operand.kind !== 'name') throw new Error('length of what is no name');
    return { kind: 'port', port: this.scope.measured(operand.name, operand), type: 'int' };
  }

  /**
   * NaN becomes the smallest int: as a key or an index it is then out of range and ignored, where the 0 of a plain
   * conversion would count a missing value in the first bin.
   */
  private roundedInt(operation: ScalarOperation, operand: Expression): Typed {
    if (this.inference.of(operand).type === 'int') return this.at(operand, 'int');
    const rounded = this.share(apply(operation, this.at(operand, 'real')));
    const missing = apply('int', apply('isnan', rounded));
    return apply('add', apply('int', rounded), apply('mul', missing, intLiteral(smallestInt)));
  }

  private choice([condition, then, otherwise]: [Expression, Expression, Expression], type: ElementType): Typed {
    return {
      kind: 'if',
      condition: this.at(condition, 'bool'),
      then: this.at(then, type),
      otherwise: this.at(otherwise, type),
      type,
    };
  }

  private condition(expression: Expression): Typed {
    switch (expression.kind) {
      case 'boolean':
        return boolLiteral(expression.value);
      case 'name':
        return this.name(expression, 'bool');
      case 'element':
        return this.element(expression);
      case 'unary':
        return apply('not', this.at(expression.operand, 'bool'));
      case 'binary':
        return this.comparison(expression);
      case 'call':
        return this.choice(expression.operands as [Expression, Expression, Expression], 'bool');
      case 'number':
        throw new Error('a number was taken for a truth value');
    }
  }

  private comparison({ operator, left, right }: ExpressionOf<'binary'>): Typed {
    if (operator === 'and' || operator === 'or') return apply(operator, this.at(left, 'bool'), this.at(right, 'bool'));
    const type = this.comparedAt(left, right);
    const [a, b] = [this.at(left, type), this.at(right, type)];
    switch (operator) {
      case '<':
        return apply('lt', a, b);
      case '<=':
        return apply('le', a, b);
      case '>':
        return apply('lt', b, a);
      case '>=':
        return apply('le', b, a);
      case '==':
        return apply('eq', a, b);
      case '!=':
        return apply('ne', a, b);
      default:
        throw new Error(`${operator} was taken for a comparison`);
    }
  }

  private comparedAt(left: Expression, right: Expression): ElementType {
    const [a, b] = [this.inference.of(left).type, this.inference.of(right).type];
    if (a === 'bool') return 'bool';
    return a === 'real' || b === 'real' || (a === b && a === 'whole') ? 'real' : 'int';
  }
}

/** The u of 1 + exp(u). */
function exponentOfSigmoid(expression: Expression): Expression | undefined {
  if (expression.kind !== 'binary' || expression.operator !== '+') return undefined;
  const { left, right } = expression;
  const [one, power] = left.kind === 'call' ? [right, left] : [left, right];
  return isOne(one) && power.kind === 'call' && power.name === 'exp' ? power.operands[0] : undefined;
}

const isOne = (expression: Expression): boolean => expression.kind === 'number' && expression.value === 1;
