/**
 * Which results of a function are alike where parameters are: by operations and operands alone, without algebra, so that it
 * says so of no two that differ, and takes a small part of the time in which the function is simplified.
 */
import { ById } from '../../0-ir/by-id.ts';
import type { ScalarBlock, ScalarFunction, ScalarOperand } from '../../0-ir/scalar.ts';
import { Computed } from './computed.ts';
import { same } from './identities.ts';

/** What stands for each result, the same for those that are alike; `leaders[i]` is the first parameter that is like the i-th. */
export function representatives(fn: ScalarFunction, leaders: readonly number[]): readonly ScalarOperand[] {
  const names = new ById<ScalarOperand>();
  fn.parameters.forEach(({ id }, i) => names.set(id, fn.parameters[leaders[i] ?? i]!));
  return inBlock(fn.body, names, new Computed());
}

function inBlock(block: ScalarBlock, names: ById<ScalarOperand>, computed: Computed): ScalarOperand[] {
  const name = (operand: ScalarOperand): ScalarOperand =>
    operand.kind === 'literal' ? operand : names.get(operand.id)!;
  computed.open();
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const { operation, operands, result } = statement;
      names.set(
        result.id,
        computed.once(operation, operands.map(name), () => result),
      );
      continue;
    }
    const [then, otherwise] = [statement.then, statement.else].map((side) => inBlock(side, names, computed));
    statement.results.forEach((result, i) => names.set(result.id, same(then![i], otherwise![i]) ? then![i]! : result));
  }
  const results = block.results.map(name);
  computed.close();
  return results;
}
