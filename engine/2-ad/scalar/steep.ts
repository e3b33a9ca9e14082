/**
 * Operations that are infinitely steep where their first operand is 0. What does not move there moves nothing all the same:
 * of (x/t)^b at x = 0 the derivative by t is 0, whatever b, and ∞·0 would be NaN. That a cotangent or tangent of 0 stays 0 is
 * in the partials; here are the products and quotients through which an infinite adjoint goes on its way to the parameters.
 */
import { realLiteral, type ScalarApply, type ScalarBlock, type ScalarOperand } from '../../0-ir/scalar.ts';
import type { ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';
import type { LinearMap } from './partials.ts';

const isSteep = ({ operation, operands: [, z] }: ScalarApply): boolean =>
  operation === 'sqrt' || operation === 'cbrt' || (operation === 'pow' && !(z?.kind === 'literal' && z.value > 1));

/** Through these an infinite adjoint of the result is one of the operands, and a 0 among the operands may be the result's. */
const passing: ReadonlySet<ScalarOperation> = new Set([
  'add',
  'sub',
  'neg',
  'mul',
  'div',
  'abs',
  'min',
  'max',
  'clamp',
]);

/**
 * The variables of a block whose adjoint may be infinite for that, by id; `results`: which of its results are so already. What an
 * `if` chooses is left to whoever wrote it.
 */
export function steepIn({ statements, results: ends }: ScalarBlock, results: readonly boolean[]): ReadonlySet<number> {
  const steep = new Set<number>();
  const mark = (operand: ScalarOperand | undefined): void => {
    if (operand?.kind === 'variable' && operand.type === 'real') steep.add(operand.id);
  };
  const walk = (all: ScalarBlock['statements']): void => {
    for (const statement of [...all].reverse()) {
      if (statement.kind === 'if') {
        walk(statement.else.statements);
        walk(statement.then.statements);
        continue;
      }
      if (isSteep(statement)) mark(statement.operands[0]);
      if (passing.has(statement.operation) && steep.has(statement.result.id)) statement.operands.forEach(mark);
    }
  };
  ends.forEach((end, i) => results[i] && mark(end));
  walk(statements);
  return steep;
}

/**
 * What operand `i` of a product is multiplied by in its map, and of a quotient its divisor: the other one, and y. Undefined for
 * all else.
 */
export function partnerOf({ operation, operands, result }: ScalarApply, i: number): ScalarOperand | undefined {
  if (operation === 'mul') return operands[1 - i];
  return operation === 'div' && i === 1 ? { kind: 'variable', id: result.id, type: 'real' } : undefined;
}

/** The map of such an operand: 0 where its partner `w` is 0 and `v` infinite, for the product stays 0 along it. */
export function along(
  b: ScalarBuilder,
  w: ScalarOperand,
  v: ScalarOperand,
  map: NonNullable<LinearMap>,
): ScalarOperand {
  const infinite = b.apply('eq', b.apply('abs', v), realLiteral(Infinity));
  return b.either(
    b.apply('and', b.apply('eq', w, realLiteral(0)), infinite),
    () => realLiteral(0),
    () => map(v),
  );
}
