/** Scalar statements that no result needs are left out, and so are results of `if` that nobody reads. */
import { IdSet } from '../../0-ir/by-id.ts';
import type { ScalarBlock, ScalarFunction, ScalarOperand, ScalarStatement } from '../../0-ir/scalar.ts';

/** The very object where all of it is needed. */
export function withoutDeadCode(fn: ScalarFunction): ScalarFunction {
  const body = liveBlock(fn.body, new IdSet());
  return body === fn.body ? fn : { parameters: fn.parameters, body };
}

/** `live`: ids that are read later; those that the block reads are added. */
function liveBlock(block: ScalarBlock, live: IdSet): ScalarBlock {
  const read = (operand: ScalarOperand): void => {
    if (operand.kind === 'variable') live.add(operand.id);
  };
  block.results.forEach(read);
  const statements: ScalarStatement[] = [];
  let changed = false;
  for (let at = block.statements.length - 1; at >= 0; at--) {
    const statement = block.statements[at]!;
    if (statement.kind === 'apply') {
      if (!live.has(statement.result.id)) {
        changed = true;
        continue;
      }
      statement.operands.forEach(read);
      statements.push(statement);
      continue;
    }
    const kept = statement.results.map((result) => live.has(result.id));
    if (!kept.includes(true)) {
      changed = true;
      continue;
    }
    read(statement.condition);
    const isWhole = !kept.includes(false);
    const narrow = (branch: ScalarBlock): ScalarBlock =>
      liveBlock(isWhole ? branch : { ...branch, results: branch.results.filter((_, i) => kept[i]) }, live);
    const [then, otherwise] = [narrow(statement.then), narrow(statement.else)];
    if (isWhole && then === statement.then && otherwise === statement.else) statements.push(statement);
    else {
      changed = true;
      statements.push({ ...statement, results: statement.results.filter((_, i) => kept[i]), then, else: otherwise });
    }
  }
  return changed ? { statements: statements.reverse(), results: block.results } : block;
}

const known = new WeakMap<ScalarFunction, readonly boolean[]>();

/** The parameters that the function reads. */
export function readParameters(fn: ScalarFunction): readonly boolean[] {
  const before = known.get(fn);
  if (before) return before;
  const live = new IdSet();
  liveBlock(fn.body, live);
  const isRead = fn.parameters.map((parameter) => live.has(parameter.id));
  known.set(fn, isRead);
  return isRead;
}
