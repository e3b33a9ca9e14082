/**
 * map (x ↦ (f x, g x)) = map f, map g, and likewise for components of operators that do not need each other: one
 * statement for each result, so that what two statements have in common shows (the primal in every forward pass of a
 * Jacobian). Fusion puts together again what belongs together.
 */
import { arity, componentTypes, type Operator } from '../0-ir/operators.ts';
import type { Statement, Value } from '../0-ir/program.ts';
import { pruneResults } from './dead-results.ts';
import { rewriteForward, type Rewrite, type Scope } from './rewrite.ts';
import { readParameters } from './scalar/dead-code.ts';
import { selectResults } from './scalar/edit-function.ts';

/** Results times scalar statements: beyond, looking at each result apart takes too long. */
const sizeLimit = 200_000;

export const takeApart: Rewrite = (program, context) =>
  rewriteForward(program, context, (statement, scope) => {
    const { construct: c, results } = statement;
    if (results.length < 2) return undefined;
    switch (c.kind) {
      case 'map':
        if (results.length * c.function.body.statements.length > sizeLimit) return undefined;
        return separate(
          statement,
          results.map((_, i) => [i]),
          scope,
        );
      case 'reduce':
      case 'scan':
      case 'segmented-scan':
      case 'histogram': {
        if ('epilogue' in c) return undefined;
        const groups = independentComponents(c.operator);
        return groups.length > 1 ? separate(statement, groups, scope) : undefined;
      }
      case 'keyed-scan': {
        if (c.epilogue) return undefined;
        const d = arity(c.operator);
        const groups = independentComponents(c.operator).map((group) => [...group, ...group.map((i) => d + i)]);
        return groups.length > 1 ? separate(statement, groups, scope) : undefined;
      }
      default:
        return undefined;
    }
  });

function separate(statement: Statement, groups: readonly (readonly number[])[], scope: Scope): Value[] {
  const values: Value[] = [];
  for (const group of groups) {
    const { construct } = pruneResults(
      statement,
      statement.results.map((_, i) => group.includes(i)),
      (body) => body,
    );
    scope.emit(construct).forEach((value, i) => (values[group[i]!] = value));
  }
  return values;
}

/** The finest grouping in which no component needs one of another group. */
export function independentComponents(operator: Operator): number[][] {
  const d = arity(operator);
  if (operator.inverse || operator.lift) return [componentTypes(operator).map((_, i) => i)];
  const group = componentTypes(operator).map((_, i) => i);
  for (let i = 0; i < d; i++) {
    const read = readParameters(selectResults(operator.combine, [i]));
    for (let j = 0; j < d; j++)
      if (read[j] || read[d + j]) {
        const [from, to] = [group[j], group[i]!];
        group.forEach((own, k) => own === from && (group[k] = to));
      }
  }
  return [...new Set(group)].map((own) => group.flatMap((other, i) => (other === own ? [i] : [])));
}
