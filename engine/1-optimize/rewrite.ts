/** What all rewrites of array programs share: their type, and a walk that replaces statements from first to last. */
import { heed } from '../0-ir/errors.ts';
import { mapOperands, operandsOf } from '../0-ir/operands.ts';
import { inferTypes } from '../0-ir/infer.ts';
import type { Construct, Program, Statement, Value } from '../0-ir/program.ts';
import { firstFreeId } from '../0-ir/walk.ts';
import type { ArrayType } from '../0-ir/types.ts';

export interface RewriteContext {
  /** Ids of values that every rewrite must leave defined. */
  readonly keep: ReadonlySet<number>;
  /** Ids of the parameters that change from run to run. */
  readonly varying: ReadonlySet<number>;
  /** Polled from statement to statement. */
  readonly cancel?: Int32Array | undefined;
}

/** A program that computes the same results; the very object where there is nothing to do. */
export type Rewrite = (program: Program, context: RewriteContext) => Program;

export interface Scope {
  /** The rewritten statement that defines a value; undefined for parameters. */
  definition(value: Value): Statement | undefined;
  /** Writes a statement in front of the one at hand; its results. */
  emit(construct: Construct): Value[];
}

/**
 * A statement's replacement: another construct with the same results, or values that are its results already. The
 * statement's operands have been replaced before. Values of other ids cannot stand for kept ones, so there a list of
 * values is declined.
 */
export type Rule = (statement: Statement, scope: Scope) => Construct | readonly Value[] | undefined;

export function rewriteForward(program: Program, { keep, cancel }: RewriteContext, rule: Rule): Program {
  const definitions = new Map<number, Statement>();
  const names = new Map<number, Value>();
  const statements: Statement[] = [];
  let next = firstFreeId(program);
  let changed = false;

  const push = (statement: Statement): void => {
    statements.push(statement);
    for (const result of statement.results) definitions.set(result.id, statement);
  };
  const resolve = (value: Value): Value => names.get(value.id) ?? value;

  for (const original of program.statements) {
    heed(cancel);
    const { results, origin } = original;
    const isStale = names.size > 0 && operandsOf(original.construct).some((operand) => names.has(operand.id));
    // What has not changed stays the same object, so that what is known about it stays known.
    const statement = isStale ? { ...original, construct: mapOperands(original.construct, resolve) } : original;
    const emitted: Statement[] = [];
    const replacement = rule(statement, {
      definition: (value) => definitions.get(value.id) ?? emitted.find((s) => s.results.some((r) => r.id === value.id)),
      emit(construct) {
        const fresh = inferTypes(construct).map((type: ArrayType): Value => ({ id: next++, type }));
        emitted.push({ results: fresh, construct, ...(origin !== undefined && { origin }) });
        return fresh;
      },
    });
    const isKept = results.some((result) => keep.has(result.id));
    if (replacement === undefined || (isList(replacement) && isKept)) {
      push(statement);
      continue;
    }
    changed = true;
    emitted.forEach(push);
    if (isList(replacement)) results.forEach((result, i) => names.set(result.id, replacement[i]!));
    else push({ ...statement, construct: replacement });
  }
  if (!changed) return program;
  return {
    parameters: program.parameters,
    statements,
    results: program.results.map(({ name, value }) => ({ name, value: resolve(value) })),
  };
}

function isList(replacement: Construct | readonly Value[]): replacement is readonly Value[] {
  return Array.isArray(replacement);
}
