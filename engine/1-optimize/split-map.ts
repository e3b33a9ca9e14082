/**
 * map (x, k ↦ … exp k …) over n points computes exp k once, not n times: what a function computes from inputs that
 * stretch over the domain, or from inputs that do not change from run to run, is taken out into a map of its own when
 * it holds at least a division. (The other way round fuse-vertical.ts takes in less than that only.)
 */
import type { Construct, ConstructOf, Value } from '../0-ir/program.ts';
import type { ScalarFunction, ScalarOperand, ScalarStatement, ScalarVariable } from '../0-ir/scalar.ts';
import { sizeProduct } from '../0-ir/sizes.ts';
import { broadcastShape, printShape, type Shape } from '../0-ir/types.ts';
import { rewriteForward, type Rewrite, type Scope } from './rewrite.ts';
import { readParameters } from './scalar/dead-code.ts';
import { restrictFunction } from './scalar/edit-function.ts';
import { varyingValues } from './varying.ts';
import { workOf, workOfOperation } from './work.ts';

const leastWork = workOfOperation('div');

export const splitMap: Rewrite = (program, context) => {
  const varying = varyingValues(program, context.varying);
  return rewriteForward(program, context, ({ construct: c }, scope): Construct | undefined => {
    switch (c.kind) {
      case 'map': {
        const split = splitFunction(c.function, c, varying, scope);
        return split && { ...c, ...split };
      }
      case 'reduce':
      case 'scan':
      case 'segmented-scan':
      case 'histogram':
      case 'keyed-scan': {
        const split = c.prologue && splitFunction(c.prologue, c, varying, scope);
        return split && { ...c, prologue: split.function, inputs: split.inputs };
      }
      default:
        return undefined;
    }
  });
};

type Domain = Pick<ConstructOf<'map'>, 'shape' | 'inputs'>;

/** What a scalar value depends on: the smallest domain on which it can be computed, and whether it changes. */
interface Extent {
  readonly shape: Shape;
  readonly varying: boolean;
  /** Whether that is less than the whole domain, or than every run. */
  readonly part: boolean;
}

function splitFunction(
  fn: ScalarFunction,
  { shape, inputs }: Domain,
  varying: ReadonlySet<number>,
  scope: Scope,
): { function: ScalarFunction; inputs: Value[] } | undefined {
  if (workOf(fn) < leastWork) return undefined;
  const extents = extentsOf(fn, { shape, inputs }, varying);
  const groups = new Map<string, { extent: Extent; values: ScalarVariable[] }>();
  for (const value of frontier(fn, (id) => extents.get(id)!.part)) {
    if (workOf(restrictTo(fn, [value]).function) < leastWork) continue;
    const extent = extents.get(value.id)!;
    const key = `${extent.varying} ${printShape(extent.shape)}`;
    const group = groups.get(key) ?? { extent, values: [] };
    group.values.push(value);
    groups.set(key, group);
  }
  if (groups.size === 0) return undefined;

  const apart: ScalarVariable[] = [];
  const computed: Value[] = [];
  for (const { extent, values } of groups.values()) {
    const { function: part, read } = restrictTo(fn, values);
    computed.push(
      ...scope.emit({
        kind: 'map',
        function: part,
        shape: extent.shape,
        inputs: read.map((i) => inputs[i]!),
      }),
    );
    apart.push(...values);
  }
  return { function: without(fn, apart), inputs: [...inputs, ...computed] };
}

/** Statements of the outermost block only: what stands in a branch may never be wanted. */
function extentsOf(fn: ScalarFunction, domain: Domain, varying: ReadonlySet<number>): Map<number, Extent> {
  const points = sizeProduct(domain.shape);
  const changes = domain.inputs.some((input) => varying.has(input.id));
  const extent = (shape: Shape, vary: boolean): Extent => {
    const isSmaller = shape !== domain.shape && sizeProduct(shape) !== points;
    return { shape: isSmaller ? shape : domain.shape, varying: vary, part: isSmaller || (changes && !vary) };
  };
  const extents = new Map<number, Extent>();
  fn.parameters.forEach(({ id }, i) => {
    const input = domain.inputs[i]!;
    extents.set(id, extent(input.type.shape, varying.has(input.id)));
  });
  for (const statement of fn.body.statements) {
    const read = [...readBy(statement)].flatMap((id) => extents.get(id) ?? []);
    const whole = read.some((one) => one.shape === domain.shape);
    const shape = whole ? domain.shape : broadcastShape(...read.map((one) => one.shape))!;
    const own = extent(
      shape,
      read.some((one) => one.varying),
    );
    for (const { id } of resultsOf(statement)) extents.set(id, own);
  }
  return extents;
}

/** Values that are part of the whole, and are read by what is not: the last that can be computed apart. */
function frontier(fn: ScalarFunction, isPart: (id: number) => boolean): ScalarVariable[] {
  const wanted = new Set(fn.body.results.flatMap((result) => (result.kind === 'variable' ? [result.id] : [])));
  for (const statement of fn.body.statements)
    if (!isPart(resultsOf(statement)[0]!.id)) for (const id of readBy(statement)) wanted.add(id);
  return fn.body.statements.flatMap(resultsOf).filter(({ id }) => wanted.has(id) && isPart(id));
}

function resultsOf(statement: ScalarStatement): readonly ScalarVariable[] {
  return statement.kind === 'apply' ? [statement.result] : statement.results;
}

/** Ids that a statement reads, in its branches too; those defined there are among them and do no harm. */
function readBy(statement: ScalarStatement, found = new Set<number>()): Set<number> {
  const read = (operand: ScalarOperand): void => {
    if (operand.kind === 'variable') found.add(operand.id);
  };
  if (statement.kind === 'apply') {
    statement.operands.forEach(read);
    return found;
  }
  read(statement.condition);
  for (const branch of [statement.then, statement.else]) {
    branch.statements.forEach((inner) => readBy(inner, found));
    branch.results.forEach(read);
  }
  return found;
}

function restrictTo(
  fn: ScalarFunction,
  values: readonly ScalarVariable[],
): { function: ScalarFunction; read: number[] } {
  const giving = { parameters: fn.parameters, body: { statements: fn.body.statements, results: values } };
  const read = readParameters(giving).flatMap((isRead, i) => (isRead ? [i] : []));
  return {
    function: restrictFunction(
      giving,
      read,
      values.map((_, i) => i),
    ),
    read,
  };
}

/** The function that is given some of its values as further parameters. */
function without(fn: ScalarFunction, values: readonly ScalarVariable[]): ScalarFunction {
  const given = new Set(values.map((value) => value.id));
  const isGiven = ({ id }: ScalarVariable): boolean => given.has(id);
  let next = 1 + Math.max(...fn.parameters.map(({ id }) => id), ...fn.body.statements.flatMap(idsOf));
  const statements = fn.body.statements.flatMap((statement): ScalarStatement[] => {
    const results = resultsOf(statement);
    if (results.every(isGiven)) return [];
    if (statement.kind === 'apply' || !results.some(isGiven)) return [statement];
    // The `if` stays for its other results.
    return [{ ...statement, results: results.map((result) => (isGiven(result) ? { ...result, id: next++ } : result)) }];
  });
  return { parameters: [...fn.parameters, ...values], body: { statements, results: fn.body.results } };
}

function idsOf(statement: ScalarStatement): number[] {
  const own = resultsOf(statement).map(({ id }) => id);
  if (statement.kind === 'apply') return own;
  return [...own, ...[statement.then, statement.else].flatMap((branch) => branch.statements.flatMap(idsOf))];
}
