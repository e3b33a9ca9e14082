/**
 * Of a recurrence's output o of n = K·S steps, of which reshape(o, [K, S, …])[:, 0] alone is read, the K that are read are
 * given, and the others written nowhere: what a solver emits at the S slots between two knots is wanted at the knots. Axes
 * before that of the steps, as those of lanes, stay what they are.
 *
 * The last rewrite of all, since none before it knows of `every`.
 */
import { mapNestedPrograms } from '../0-ir/construct-parts.ts';
import type { Program, RecurrenceConstruct, Statement, Thinned, Value } from '../0-ir/program.ts';
import { sizeMultiply } from '../0-ir/sizes.ts';
import { usesOf, type Use } from '../0-ir/walk.ts';

type Uses = ReadonlyMap<number, readonly Use[]>;

export function thinOutputs(program: Program): Program {
  const nested = { ...program, statements: program.statements.map(withThinBodies) };
  const uses = usesOf(nested);
  const thin = new Map<number, Value>();
  const statements = nested.statements.map((statement): Statement => {
    const { construct, results } = statement;
    if (construct.kind !== 'recurrence') return statement;
    const carries = construct.initial.length;
    const every = results.slice(carries).map((value) => everyOf(nested, construct, value, uses));
    if (every.every((each) => each === undefined)) return statement;
    const given = results.map((value, i): Value => {
      const found = i < carries ? undefined : every[i - carries];
      if (!found) return value;
      const shape = value.type.shape.with(construct.axis, found.count);
      const narrow = { ...value, type: { ...value.type, shape } };
      for (const reshaped of found.reshaped) thin.set(reshaped, narrow);
      return narrow;
    });
    return { ...statement, construct: { ...construct, every }, results: given };
  });
  if (thin.size === 0) return nested;
  return {
    ...nested,
    statements: statements.flatMap((statement): Statement[] => {
      const { construct, results } = statement;
      if (construct.kind === 'reshape' && thin.has(results[0]!.id)) return [];
      const value = construct.kind === 'slice' ? thin.get(construct.value.id) : undefined;
      if (!value) return [statement];
      return [{ ...statement, construct: { kind: 'reshape', value, shape: results[0]!.type.shape } }];
    }),
  };
}

function withThinBodies(statement: Statement): Statement {
  const construct = mapNestedPrograms(statement.construct, thinOutputs);
  return construct === statement.construct ? statement : { ...statement, construct };
}

interface Thin extends Thinned {
  /** The values of the reshapes that go. */
  readonly reshaped: readonly number[];
}

/** Undefined where anything else is read of it. */
function everyOf(
  { statements }: Program,
  { axis, reverse }: RecurrenceConstruct,
  output: Value,
  uses: Uses,
): Thin | undefined {
  if (reverse) return undefined;
  const { shape } = output.type;
  const statementsOf = (value: Value): readonly (Statement | undefined)[] =>
    (uses.get(value.id) ?? []).map((use) => (use.kind === 'result' ? undefined : statements[use.statement]));
  const found: (Thinned & { readonly reshaped: number })[] = [];
  for (const reader of statementsOf(output)) {
    if (reader?.construct.kind !== 'reshape') return undefined;
    const parted = reader.construct.shape;
    const [count, steps] = parted.slice(axis);
    if (parted.length !== shape.length + 1 || count === undefined || steps === undefined) return undefined;
    const whole = parted.toSpliced(axis, 2, sizeMultiply(count, steps));
    if (whole.some((size, i) => size !== shape[i])) return undefined;
    const value = reader.results[0]!;
    const isFirst = (each: Statement | undefined): boolean =>
      each?.construct.kind === 'slice' &&
      each.construct.axis === axis + 1 &&
      each.construct.start === 0 &&
      each.construct.length === 1;
    if (!statementsOf(value).every(isFirst)) return undefined;
    found.push({ steps, count, reshaped: value.id });
  }
  const [first] = found;
  if (!first || first.steps === 1 || found.some(({ steps }) => steps !== first.steps)) return undefined;
  return { steps: first.steps, count: first.count, reshaped: found.map(({ reshaped }) => reshaped) };
}
