/**
 * map f (scan ⊙ xs, ys) = scan ⊙ xs, f ys: where one map is all that reads a scan, what the scan gives is never written,
 * only what the map makes of it. And of a scan whose components need each other, only those are written that are read.
 */
import { arity, componentTypes } from '../0-ir/operators.ts';
import type { Construct, ConstructOf, Epilogue, Statement, Value } from '../0-ir/program.ts';
import { identityFunction } from '../0-ir/scalar-builder.ts';
import { sameShape } from '../0-ir/types.ts';
import { definitionsOf, usesOf } from '../0-ir/walk.ts';
import type { Rewrite } from './rewrite.ts';
import { bindParameters, selectResults } from './scalar/edit-function.ts';
import { varyingValues } from './varying.ts';

type ScanStatement = Statement & { readonly construct: ConstructOf<'scan' | 'segmented-scan' | 'keyed-scan'> };

export const fuseEpilogue: Rewrite = (program, context) => {
  const varying = varyingValues(program, context.varying);
  const definitions = definitionsOf(program);
  const uses = usesOf(program);
  const taken = new Set<Statement>();

  const readOnlyBy = (scan: ScanStatement, at: number): boolean =>
    shownBy(scan).every(
      ({ id }) =>
        !context.keep.has(id) && (uses.get(id) ?? []).every((use) => use.kind === 'operand' && use.statement === at),
    );
  // The scan moves to where the map is.
  const isReadAfter = (scan: ScanStatement, at: number): boolean =>
    contentsOf(scan).every(({ id }) =>
      (uses.get(id) ?? []).every((use) => use.kind === 'result' || use.statement > at),
    );
  const scanBefore = ({ construct, results }: Statement, at: number): ScanStatement | undefined => {
    if (construct.kind !== 'map') return undefined;
    const changes = varying.has(results[0]!.id);
    return construct.inputs
      .map(({ id }) => definitions.get(id))
      .find((scan): scan is ScanStatement => {
        if (!scan || !isPlain(scan)) return false;
        const isAlike = sameShape(scan.construct.shape, construct.shape);
        return isAlike && varying.has(scan.results[0]!.id) === changes && readOnlyBy(scan, at) && isReadAfter(scan, at);
      });
  };

  const fused = program.statements.map((statement, at): Statement => {
    const scan = scanBefore(statement, at);
    if (!scan) return statement;
    taken.add(scan);
    return {
      ...scan,
      ...statement,
      results: [...statement.results, ...contentsOf(scan)],
      construct: withEpilogue(scan, statement.construct as ConstructOf<'map'>),
    };
  });
  const isRead = ({ id }: Value): boolean => context.keep.has(id) || uses.has(id);
  const statements = fused.flatMap((statement) =>
    taken.has(statement) ? [] : [writesUnread(statement, isRead) ? onlyRead(statement, isRead) : statement],
  );
  const changed = statements.some((statement, i) => statement !== program.statements[i]);
  return changed ? { ...program, statements } : program;
};

function isPlain(statement: Statement): statement is ScanStatement {
  const { construct: c } = statement;
  return (c.kind === 'scan' || c.kind === 'segmented-scan' || c.kind === 'keyed-scan') && !c.epilogue;
}

/** What a scan shows at each point, and of a keyed one the contents of the bins, which come after. */
function shownBy({ construct, results }: ScanStatement): readonly Value[] {
  return results.slice(0, arity(construct.operator));
}

function contentsOf({ construct, results }: ScanStatement): readonly Value[] {
  return results.slice(arity(construct.operator));
}

function withEpilogue({ construct, results }: ScanStatement, map: ConstructOf<'map'>): Construct {
  const d = arity(construct.operator);
  const places = new Map(results.map(({ id }, i) => [id, i]));
  const inputs: Value[] = [];
  const place = map.inputs.map((input) => places.get(input.id) ?? d + inputs.push(input) - 1);
  const types = [...componentTypes(construct.operator), ...inputs.map((input) => input.type.element)];
  const fn = bindParameters(map.function, types, (i, given) => given[place[i]!]!);
  return { ...construct, epilogue: { function: fn, inputs } };
}

/** A plan leaves out by itself what nobody reads of a keyed scan. */
function writesUnread(statement: Statement, isRead: (value: Value) => boolean): boolean {
  if (!isPlain(statement) || statement.construct.kind === 'keyed-scan') return false;
  return statement.results.some(isRead) && !statement.results.every(isRead);
}

function onlyRead(statement: Statement, isRead: (value: Value) => boolean): Statement {
  const { operator } = (statement as ScanStatement).construct;
  const kept = statement.results.flatMap((result, i) => (isRead(result) ? [i] : []));
  const epilogue: Epilogue = { function: selectResults(identityFunction(componentTypes(operator)), kept), inputs: [] };
  return {
    ...statement,
    construct: { ...(statement as ScanStatement).construct, epilogue },
    results: statement.results.filter(isRead),
  };
}
