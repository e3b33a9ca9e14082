/**
 * Builds scalar functions.
 *
 *     const square = scalarFunction(['real'], (b, x) => [b.apply('mul', x, x)]);
 *
 * The builder writes what it is told: simplification is a rewrite of its own (1-optimize/scalar-simplify.ts).
 */
import { ById } from './by-id.ts';
import type {
  ScalarApply,
  ScalarBlock,
  ScalarFunction,
  ScalarOperand,
  ScalarStatement,
  ScalarVariable,
} from './scalar.ts';
import { operationType, type ScalarOperation } from './scalar-operations.ts';
import { IrError, type ElementType } from './types.ts';

export class ScalarBuilder {
  private next = 0;
  private statements: ScalarStatement[] = [];

  variable(type: ElementType): ScalarVariable {
    return { kind: 'variable', id: this.next++, type };
  }

  apply(operation: ScalarOperation, ...operands: ScalarOperand[]): ScalarVariable {
    return this.applied(operation, operands).result;
  }

  /** As `apply`: the statement that it writes. */
  applied(operation: ScalarOperation, operands: readonly ScalarOperand[]): ScalarApply {
    const types = operands.map((operand) => operand.type);
    const type = operationType(operation, types);
    if (!type) throw new IrError(`${operation} does not take (${types.join(', ')})`);
    return this.write(operation, operands, type);
  }

  private write(operation: ScalarOperation, operands: readonly ScalarOperand[], type: ElementType): ScalarApply {
    const statement: ScalarApply = { kind: 'apply', result: this.variable(type), operation, operands };
    this.statements.push(statement);
    return statement;
  }

  /** Tells, however much is written from here on, of literals and of variables that were there before. */
  hasBefore(): (operand: ScalarOperand) => boolean {
    const { next } = this;
    return (operand) => operand.kind === 'literal' || operand.id < next;
  }

  /** `if`: each branch writes its own statements and gives its results, of equal types. */
  branch(condition: ScalarOperand, then: () => ScalarOperand[], otherwise: () => ScalarOperand[]): ScalarVariable[] {
    return this.choose(condition, this.block(then), this.block(otherwise));
  }

  /** `if` of one result. */
  either(condition: ScalarOperand, then: () => ScalarOperand, otherwise: () => ScalarOperand): ScalarVariable {
    const [result] = this.branch(
      condition,
      () => [then()],
      () => [otherwise()],
    );
    return result!;
  }

  /** As `branch`, of two blocks that this builder has written: what one side gives may depend on what the other does. */
  choose(condition: ScalarOperand, yes: ScalarBlock, no: ScalarBlock): ScalarVariable[] {
    if (condition.type !== 'bool') throw new IrError(`if wants a bool condition, got ${condition.type}`);
    if (yes.results.length !== no.results.length || yes.results.some((r, i) => r.type !== no.results[i]?.type))
      throw new IrError('the branches of an if give results of different types');
    const results = yes.results.map((result) => this.variable(result.type));
    this.statements.push({ kind: 'if', results, condition, then: yes, else: no });
    return results;
  }

  /** Runs another function's body here, on these operands. */
  inline(fn: ScalarFunction, operands: readonly ScalarOperand[]): ScalarOperand[] {
    if (operands.length !== fn.parameters.length)
      throw new IrError(`a function of ${fn.parameters.length} parameters got ${operands.length} operands`);
    const known = new ById<ScalarOperand>();
    fn.parameters.forEach((parameter, i) => {
      const operand = operands[i];
      if (operand?.type !== parameter.type)
        throw new IrError(`operand ${i} is ${operand?.type}, not ${parameter.type}`);
      known.set(parameter.id, operand);
    });
    return this.copy(fn.body, known);
  }

  /** Statements written by `write`, as a block of their own. */
  block(write: () => ScalarOperand[]): ScalarBlock {
    const outer = this.statements;
    this.statements = [];
    const results = write();
    const block = { statements: this.statements, results };
    this.statements = outer;
    return block;
  }

  private copy(block: ScalarBlock, known: ById<ScalarOperand>): ScalarOperand[] {
    const resolve = (operand: ScalarOperand): ScalarOperand => {
      if (operand.kind === 'literal') return operand;
      const value = known.get(operand.id);
      if (!value) throw new IrError(`scalar variable ${operand.id} is used before it is defined`);
      return value;
    };
    for (const statement of block.statements) {
      if (statement.kind === 'apply') {
        // Operands of the same types give a result of the same.
        const { result } = this.write(statement.operation, statement.operands.map(resolve), statement.result.type);
        known.set(statement.result.id, result);
      } else {
        const results = this.branch(
          resolve(statement.condition),
          () => this.copy(statement.then, known),
          () => this.copy(statement.else, known),
        );
        statement.results.forEach((result, i) => known.set(result.id, results[i]!));
      }
    }
    return block.results.map(resolve);
  }
}

export function scalarFunction(
  parameters: readonly ElementType[],
  write: (builder: ScalarBuilder, ...parameters: ScalarVariable[]) => ScalarOperand[],
): ScalarFunction {
  const builder = new ScalarBuilder();
  const variables = parameters.map((type) => builder.variable(type));
  return { parameters: variables, body: builder.block(() => write(builder, ...variables)) };
}

/** The function that gives its arguments back. */
export function identityFunction(types: readonly ElementType[]): ScalarFunction {
  return scalarFunction(types, (_, ...parameters) => parameters);
}

/** x ↦ outer(inner₀(x₀…), inner₁(x₁…), …): the inner functions' parameters one after the other, their results likewise. */
export function composeFunctions(outer: ScalarFunction, inner: readonly ScalarFunction[]): ScalarFunction {
  return scalarFunction(
    inner.flatMap((fn) => fn.parameters.map((p) => p.type)),
    (builder, ...operands) => {
      let at = 0;
      const middle = inner.flatMap((fn) => builder.inline(fn, operands.slice(at, (at += fn.parameters.length))));
      return builder.inline(outer, middle);
    },
  );
}
