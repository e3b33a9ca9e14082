/** The rules of scalar functions and operators. */
import { printLiteral } from './print-scalar.ts';
import type { Operator } from './operators.ts';
import {
  parameterTypes,
  resultTypes,
  type ScalarBlock,
  type ScalarFunction,
  type ScalarLiteral,
  type ScalarOperand,
  type ScalarVariable,
} from './scalar.ts';
import { operationType } from './scalar-operations.ts';
import { IrError, type ElementType } from './types.ts';

/** Throws an `IrError`, which begins with `where`, unless variables are unique, defined above their uses and well typed. */
export function verifyScalarFunction(fn: ScalarFunction, where = 'scalar function'): void {
  const all = new Set<number>();
  const known = new Map<number, ElementType>();
  for (const parameter of fn.parameters) define(parameter, known, all, where);
  verifyBlock(fn.body, known, all, where);
}

/** An operator's functions are well formed, and the types of their parameters and results fit together. */
export function verifyOperator(operator: Operator, where = 'operator'): void {
  const { combine, neutral, inverse, lift } = operator;
  verifyScalarFunction(combine, where);
  const components = parameterTypes(combine).slice(0, neutral.length);
  wantTypes(parameterTypes(combine), [...components, ...components], `${where}: two tuples of ${neutral.length}`);
  wantTypes(resultTypes(combine), components, `${where}: results`);
  neutral.forEach((value, i) =>
    verifyLiteral({ kind: 'literal', type: components[i]!, value }, `${where}: neutral element`),
  );
  if (inverse) {
    verifyScalarFunction(inverse, `${where}: inverse`);
    wantTypes(parameterTypes(inverse), [...components, ...components], `${where}: parameters of the inverse`);
    wantTypes(resultTypes(inverse), components, `${where}: results of the inverse`);
  }
  if (lift) {
    verifyOperator(lift.operator, `${where}: lifted operator`);
    const lifted = parameterTypes(lift.operator.combine).slice(0, lift.operator.neutral.length);
    verifyScalarFunction(lift.into, `${where}: lift into`);
    verifyScalarFunction(lift.back, `${where}: lift back`);
    wantTypes(parameterTypes(lift.into), components, `${where}: parameters of lift into`);
    wantTypes(resultTypes(lift.into), lifted, `${where}: results of lift into`);
    wantTypes(parameterTypes(lift.back), lifted, `${where}: parameters of lift back`);
    wantTypes(resultTypes(lift.back), components, `${where}: results of lift back`);
  }
}

/** A bool literal is 0 or 1; an int one is a whole number of 32 bits. */
export function verifyLiteral({ type, value }: ScalarLiteral, where: string): void {
  const fits = type === 'real' || (type === 'bool' ? value === 0 || value === 1 : Object.is(value | 0, value));
  if (!fits) throw new IrError(`${where}: ${printLiteral({ type: 'real', value })} is no ${type}`);
}

function verifyBlock(block: ScalarBlock, known: Map<number, ElementType>, all: Set<number>, where: string): void {
  const check = (operand: ScalarOperand) => {
    if (operand.kind === 'literal') return verifyLiteral(operand, where);
    const type = known.get(operand.id);
    if (type === undefined) throw new IrError(`${where}: x${operand.id} is used before it is defined`);
    if (type !== operand.type) throw new IrError(`${where}: x${operand.id} is ${type}, and used as ${operand.type}`);
  };
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const { operation, operands, result } = statement;
      operands.forEach(check);
      const types = operands.map((operand) => operand.type);
      const type = operationType(operation, types);
      if (!type) throw new IrError(`${where}: ${operation} does not take (${types.join(', ')})`);
      wantTypes([result.type], [type], `${where}: ${operation}`);
      define(result, known, all, where);
    } else {
      const { condition, results } = statement;
      check(condition);
      wantTypes([condition.type], ['bool'], `${where}: the condition of an if`);
      for (const branch of [statement.then, statement.else]) {
        verifyBlock(branch, new Map(known), all, where);
        wantTypes(
          branch.results.map((result) => result.type),
          results.map((result) => result.type),
          `${where}: a branch of an if`,
        );
      }
      for (const result of results) define(result, known, all, where);
    }
  }
  block.results.forEach(check);
}

function define({ id, type }: ScalarVariable, known: Map<number, ElementType>, all: Set<number>, where: string): void {
  if (all.has(id)) throw new IrError(`${where}: x${id} is defined twice`);
  all.add(id);
  known.set(id, type);
}

function wantTypes(got: readonly ElementType[], wanted: readonly ElementType[], what: string): void {
  if (got.length !== wanted.length || got.some((type, i) => type !== wanted[i]))
    throw new IrError(`${what}: wanted (${wanted.join(', ')}), got (${got.join(', ')})`);
}
