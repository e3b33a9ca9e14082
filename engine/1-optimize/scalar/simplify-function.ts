/** One pass over a scalar function: literals folded, identities applied, nothing computed twice, nothing in vain. */
import { ById } from '../../0-ir/by-id.ts';
import {
  isLiteral,
  type ScalarApply,
  type ScalarBlock,
  type ScalarFunction,
  type ScalarIf,
  type ScalarOperand,
  type ScalarVariable,
} from '../../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';
import { IrError } from '../../0-ir/types.ts';
import { Computed } from './computed.ts';
import { withoutDeadCode } from './dead-code.ts';
import { fold } from './fold.ts';
import { identity, same, type Algebra } from './identities.ts';
import { mergeBranches } from './merge-branches.ts';
import { keyOf } from './operand-key.ts';
import { sameFunction } from './same-function.ts';

const known = new WeakMap<ScalarFunction, ScalarFunction>();

/** The same function, in every bit; the very object where there is nothing to do. */
export function simplifyFunction(fn: ScalarFunction): ScalarFunction {
  const before = known.get(fn);
  if (before) return before;
  const types = fn.parameters.map((parameter) => parameter.type);
  const { body } = mergeBranches(withoutDeadCode(fn));
  const simplified = scalarFunction(types, (b, ...parameters) => {
    const names = new ById<ScalarOperand>();
    fn.parameters.forEach(({ id }, i) => names.set(id, parameters[i]!));
    return new Simplifier(b).block(body, names);
  });
  const live = withoutDeadCode(simplified);
  // What the simplifier writes is numbered in order, as long as nothing of it goes.
  const renumbered = live === simplified ? live : inOrder(live);
  const result = sameFunction(renumbered, fn) ? fn : renumbered;
  known.set(fn, result);
  return result;
}

function inOrder(fn: ScalarFunction): ScalarFunction {
  return scalarFunction(
    fn.parameters.map((parameter) => parameter.type),
    (b, ...parameters) => b.inline(fn, parameters),
  );
}

class Simplifier implements Algebra {
  private readonly definitions = new ById<ScalarApply>();
  private readonly computed = new Computed();

  constructor(private readonly builder: ScalarBuilder) {}

  block(block: ScalarBlock, names: ById<ScalarOperand>): ScalarOperand[] {
    this.computed.open();
    const resolve = (operand: ScalarOperand): ScalarOperand => {
      if (operand.kind === 'literal') return operand;
      const found = names.get(operand.id);
      if (!found) throw new IrError(`scalar variable ${operand.id} is used before it is defined`);
      return found;
    };
    for (const statement of block.statements) {
      if (statement.kind === 'apply')
        names.set(statement.result.id, this.applied(statement.operation, statement.operands.map(resolve)));
      else {
        const results = this.branch(statement, resolve(statement.condition), names);
        statement.results.forEach((result, i) => names.set(result.id, results[i]!));
      }
    }
    const results = block.results.map(resolve);
    this.computed.close();
    return results;
  }

  definition(operand: ScalarOperand): ScalarApply | undefined {
    return operand.kind === 'variable' ? this.definitions.get(operand.id) : undefined;
  }

  apply(operation: ScalarOperation, ...operands: ScalarOperand[]): ScalarOperand {
    return this.applied(operation, operands);
  }

  private applied(operation: ScalarOperation, operands: readonly ScalarOperand[]): ScalarOperand {
    const simpler = fold(operation, operands) ?? identity(operation, operands, this);
    if (simpler) return simpler;
    return this.computed.once(operation, operands, () => {
      const statement = this.builder.applied(operation, operands);
      this.definitions.set(statement.result.id, statement);
      return statement.result;
    });
  }

  private branch(statement: ScalarIf, condition: ScalarOperand, names: ById<ScalarOperand>): ScalarOperand[] {
    if (condition.kind === 'literal') return this.block(condition.value !== 0 ? statement.then : statement.else, names);
    const isOutside = this.builder.hasBefore();
    let then: ScalarOperand[] = [];
    let otherwise: ScalarOperand[] = [];
    const results = this.builder.branch(
      condition,
      () => (then = this.block(statement.then, names)),
      () => (otherwise = this.block(statement.else, names)),
    );
    const given = new Map<string, ScalarVariable>();
    return results.map((result, i) => {
      const [yes, no] = [then[i]!, otherwise[i]!];
      if (same(yes, no)) return yes;
      if (result.type === 'bool' && isLiteral(yes, 1) && isLiteral(no, 0)) return condition;
      if (result.type === 'bool' && isLiteral(yes, 0) && isLiteral(no, 1)) return this.apply('not', condition);
      // Another `if` on this condition may give the same, and so may this one.
      if (isOutside(yes) && isOutside(no)) return this.computed.once('if', [condition, yes, no], () => result);
      const key = `${keyOf(yes)} ${keyOf(no)}`;
      const before = given.get(key) ?? result;
      given.set(key, before);
      return before;
    });
  }
}
