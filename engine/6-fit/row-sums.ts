/**
 * Energies of which batches of rows tell: Σᵢ f(rowᵢ, p) + g(p), where no row looks at another. Then
 *
 *   (n/B)·Σ over B rows drawn at random of f + g,   and its gradient
 *
 * have the energy and its gradient as their expectations (Bottou, Curtis & Nocedal 2018, DOI 10.1137/16M1080173). The same
 * program serves: its row axis is bound to B, and every sum over rows is multiplied by an input, n/B.
 */
import { withoutDeadCode } from '../1-optimize/dead-code.ts';
import { operandsOf } from '../0-ir/operands.ts';
import { recognise } from '../0-ir/operators.ts';
import type { Construct, Program, Statement, Value } from '../0-ir/program.ts';
import { scalarFunction } from '../0-ir/scalar-builder.ts';
import { sizeSymbols } from '../0-ir/sizes.ts';
import { arrayType } from '../0-ir/types.ts';
import { firstFreeId, inlineCalls } from '../0-ir/walk.ts';
import type { FitProblem } from './problem.ts';
import { withResults } from './questions.ts';

export interface RowSums {
  /** With one result, the energy, and the input `weight` beside the problem's. */
  readonly program: Program;
  readonly weight: string;
  /** The size of the row axis. */
  readonly symbol: string;
  readonly rows: number;
  /** Inputs whose first axis is that of the rows. */
  readonly columns: ReadonlySet<string>;
}

/**
 * What a value is of the rows: nothing that depends on them, one entry for each along its first axis, or sums over them
 * to which terms were added.
 */
type Kind = 'still' | 'rows' | 'sum';

const weight = 'weight of rows';
const product = scalarFunction(['real', 'real'], (s, x, y) => [s.apply('mul', x, y)]);

/** A sentence about the problem where it is none of these. */
export function rowSums(problem: FitProblem): RowSums | string {
  const { energy, data, sizes, parameters } = problem;
  const program = withoutDeadCode(inlineCalls(withResults(problem.program, [energy])));
  const axes = new Set(
    program.parameters.flatMap(({ name, value }) => (data.has(name) ? sizeSymbols(value.type.shape[0] ?? 1) : [])),
  );
  const symbol = [...axes].sort((a, b) => sizes[b]! - sizes[a]!)[0];
  if (symbol === undefined) return 'the objective reads no rows';
  const mentions = ({ type: { shape } }: Value): boolean => shape.some((size) => sizeSymbols(size).includes(symbol));
  /** Whether it is an array whose first axis alone is that of the rows. */
  const leads = ({ type }: Value): boolean =>
    type.shape[0] === symbol && !type.shape.slice(1).some((size) => sizeSymbols(size).includes(symbol));

  const kinds = new Map<number, Kind>();
  const free = new Set(parameters.map(({ name }) => name));
  for (const { name, value } of program.parameters) {
    if (mentions(value) && (free.has(name) || !leads(value))) return `"${name}" has an element for each row`;
    kinds.set(value.id, mentions(value) ? 'rows' : 'still');
  }
  const statements: Statement[] = [];
  const factor: Value = { id: firstFreeId(program), type: arrayType('real') };
  let nextId = factor.id + 1;
  for (const statement of program.statements) {
    const { construct, results, origin } = statement;
    const kind = kindOf(construct, results, { kinds, symbol, mentions, leads });
    if (kind === undefined)
      return `${origin === undefined ? 'the objective' : `"${origin}"`} is no sum over rows that stand by themselves (${construct.kind})`;
    for (const result of results) kinds.set(result.id, kind);
    const overRows = operandsOf(construct).some(({ id }) => kinds.get(id) === 'rows');
    if (kind !== 'sum' || !overRows) {
      statements.push(statement);
      continue;
    }
    const sums = results.map((result) => ({ ...result, id: nextId++ }));
    statements.push({ ...statement, results: sums });
    for (const [i, result] of results.entries()) {
      const scaled: Construct = {
        ...{ kind: 'map', function: product, shape: result.type.shape },
        inputs: [sums[i] as Value, factor],
      };
      statements.push({ construct: scaled, results: [result], ...(origin !== undefined && { origin }) });
    }
  }
  const [result] = program.results;
  if (!result || kinds.get(result.value.id) !== 'sum') return 'the objective is no sum over rows';
  const inputs = [...program.parameters, { name: weight, value: factor }];
  const columns = program.parameters.filter(({ value }) => kinds.get(value.id) === 'rows').map(({ name }) => name);
  return {
    program: { ...program, parameters: inputs, statements },
    ...{ weight, symbol, rows: sizes[symbol]!, columns: new Set(columns) },
  };
}

interface Rows {
  readonly kinds: ReadonlyMap<number, Kind>;
  readonly symbol: string;
  readonly mentions: (value: Value) => boolean;
  readonly leads: (value: Value) => boolean;
}

/** Undefined where a row would look at another, or at how many there are. */
function kindOf(
  construct: Construct,
  results: readonly Value[],
  { kinds, symbol, mentions, leads }: Rows,
): Kind | undefined {
  const operands = operandsOf(construct);
  const has = (kind: Kind): boolean => operands.some(({ id }) => kinds.get(id) === kind);
  if (has('sum')) return !has('rows') && isAffine(construct) ? 'sum' : undefined;
  if (!has('rows'))
    return results.every((result) => !mentions(result)) && !countsRows(construct, symbol) ? 'still' : undefined;
  /** Every operand that has rows has them where the domain has, or stretches over them. */
  const aligned = (rank: number): boolean =>
    operands.every((operand) => !mentions(operand) || (leads(operand) && operand.type.shape.length === rank));
  switch (construct.kind) {
    case 'map':
      return aligned(construct.shape.length) && results.every(leads) ? 'rows' : undefined;
    case 'reduce':
      if (!aligned(construct.shape.length)) return undefined;
      if (construct.axis > 0) return 'rows';
      return recognise(construct.operator) === 'add' && !construct.prologue ? 'sum' : undefined;
    case 'scan':
      return construct.axis > 0 && !construct.epilogue && aligned(construct.shape.length) ? 'rows' : undefined;
    case 'gather':
      return construct.batch === 0 && kinds.get(construct.from.id) === 'still' && leads(construct.indices)
        ? 'rows'
        : undefined;
    case 'matmul':
      return construct.left.type.shape.length === 2 && leads(construct.left) && !mentions(construct.right)
        ? 'rows'
        : undefined;
    case 'reshape':
    case 'replicate':
      return results.every(leads) && (construct.kind === 'reshape' || aligned(construct.shape.length))
        ? 'rows'
        : undefined;
    case 'transpose':
      return construct.permutation[0] === 0 ? 'rows' : undefined;
    default:
      return undefined;
  }
}

/** Whether sums stay sums of as much weight: what is added to them is of no row, and no two are multiplied. */
function isAffine(construct: Construct): boolean {
  switch (construct.kind) {
    case 'reshape':
    case 'replicate':
    case 'transpose':
      return true;
    case 'reduce':
      return recognise(construct.operator) === 'add' && !construct.prologue;
    case 'map':
      return construct.function.body.statements.every((statement) => {
        if (statement.kind !== 'apply') return false;
        const { operation, operands } = statement;
        const literals = operands.map((operand) => operand.kind === 'literal');
        if (operation === 'mul') return literals.some(Boolean);
        return operation === 'div' ? literals[1] === true : ['add', 'sub', 'neg'].includes(operation);
      });
    default:
      return false;
  }
}

/** Whether a size of the construct is a number of rows: all texts in one are sizes, but for words that are no symbols. */
function countsRows(construct: Construct, symbol: string): boolean {
  return Object.values(construct)
    .flat()
    .some((entry) => typeof entry === 'string' && sizeSymbols(entry).includes(symbol));
}
