/**
 * `if c { A } … if c { B }` becomes `if c { A; B }`, where B needs nothing that is computed between: so what both compute
 * is found to be the same, and is computed once. Fusion writes such pairs, one `if` for each result.
 */
import { ById } from '../../0-ir/by-id.ts';
import type { ScalarBlock, ScalarFunction, ScalarIf, ScalarOperand, ScalarStatement } from '../../0-ir/scalar.ts';

/** The very object where there is nothing to do. */
export function mergeBranches(fn: ScalarFunction): ScalarFunction {
  const body = mergeBlock(fn.body);
  return body === fn.body ? fn : { ...fn, body };
}

function mergeBlock(block: ScalarBlock): ScalarBlock {
  if (!block.statements.some(({ kind }) => kind === 'if')) return block;
  let changed = false;
  const statements = block.statements.map((statement) => {
    const merged = statement.kind === 'if' ? mergeInside(statement) : statement;
    changed ||= merged !== statement;
    return merged;
  });
  const joint = comesAgain(statements) ? mergeAlong(statements) : undefined;
  if (joint) return { ...block, statements: joint };
  return changed ? { ...block, statements } : block;
}

/** Whether a condition does: nothing else need be looked at, in functions of many thousand statements. */
function comesAgain(statements: readonly ScalarStatement[]): boolean {
  const seen = new Set<number>();
  for (const statement of statements) {
    if (statement.kind !== 'if' || statement.condition.kind !== 'variable') continue;
    if (seen.has(statement.condition.id)) return true;
    seen.add(statement.condition.id);
  }
  return false;
}

/** Undefined where there is nothing to do. */
function mergeAlong(statements: readonly ScalarStatement[]): ScalarStatement[] | undefined {
  const out: ScalarStatement[] = [];
  /** Where in `out` a variable of this block is defined. */
  const places = new ById<number>();
  /** The last `if` on each condition. */
  const byCondition = new Map<number, number>();
  for (const statement of statements) {
    const condition = statement.kind === 'if' && statement.condition.kind === 'variable' && statement.condition.id;
    if (statement.kind === 'if' && condition !== false) {
      const at = byCondition.get(condition);
      const earlier = at === undefined ? undefined : (out[at] as ScalarIf);
      if (at !== undefined && earlier && mayMove(statement, earlier, at, places)) {
        out[at] = joined(earlier, statement);
        for (const { id } of statement.results) places.set(id, at);
        continue;
      }
      byCondition.set(condition, out.length);
    }
    for (const { id } of statement.kind === 'if' ? statement.results : [statement.result]) places.set(id, out.length);
    out.push(statement);
  }
  return out.length < statements.length ? out : undefined;
}

function mergeInside(statement: ScalarIf): ScalarIf {
  const [then, otherwise] = [mergeBlock(statement.then), mergeBlock(statement.else)];
  return then === statement.then && otherwise === statement.else ? statement : { ...statement, then, else: otherwise };
}

/** Whether all that the later one reads is there before the earlier one, or is a result of that. */
function mayMove(later: ScalarIf, earlier: ScalarIf, at: number, places: ById<number>): boolean {
  const own = new Set(earlier.results.map(({ id }) => id));
  return [...readBy(later.then), ...readBy(later.else)].every((id) => (places.get(id) ?? -1) < at || own.has(id));
}

/** Results of the earlier one that the later one reads are, in a branch, what that branch gives. */
function joined(earlier: ScalarIf, later: ScalarIf): ScalarIf {
  const side = (first: ScalarBlock, second: ScalarBlock): ScalarBlock => {
    const given = new Map(earlier.results.map(({ id }, i) => [id, first.results[i]!]));
    const { statements, results } = renamed(second, given);
    return { statements: [...first.statements, ...statements], results: [...first.results, ...results] };
  };
  return {
    ...earlier,
    results: [...earlier.results, ...later.results],
    then: side(earlier.then, later.then),
    else: side(earlier.else, later.else),
  };
}

function renamed(block: ScalarBlock, names: ReadonlyMap<number, ScalarOperand>): ScalarBlock {
  const name = (operand: ScalarOperand): ScalarOperand =>
    (operand.kind === 'variable' ? names.get(operand.id) : undefined) ?? operand;
  const statements = block.statements.map((statement): ScalarStatement =>
    statement.kind === 'apply'
      ? { ...statement, operands: statement.operands.map(name) }
      : {
          ...statement,
          condition: name(statement.condition),
          then: renamed(statement.then, names),
          else: renamed(statement.else, names),
        },
  );
  return { statements, results: block.results.map(name) };
}

/** Ids that a block reads, those that it defines itself among them. */
function readBy(block: ScalarBlock, found = new Set<number>()): Set<number> {
  const read = (operand: ScalarOperand): void => {
    if (operand.kind === 'variable') found.add(operand.id);
  };
  for (const statement of block.statements)
    if (statement.kind === 'apply') statement.operands.forEach(read);
    else {
      read(statement.condition);
      readBy(statement.then, found);
      readBy(statement.else, found);
    }
  block.results.forEach(read);
  return found;
}
