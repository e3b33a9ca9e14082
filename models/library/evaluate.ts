/** A shape's formula over many x at once: operation by operation over whole columns, for start values and pictures. */
import { meaningOf, type ScalarBlock, type ScalarOperand } from '../../engine/index.ts';
import { compileFormulas } from '../formula/compile.ts';

/** One number for all rows, or one for each. */
export type Column = number | Float64Array;

/** The formula at `rows` rows; a name that is not among the values is NaN. */
export type Evaluate = (values: ReadonlyMap<string, Column>, rows: number) => Float64Array;

const compiled = new Map<string, Evaluate>();

/** Throws where the formula is none: those of the library are tested. */
export function evaluator(formula: string): Evaluate {
  let known = compiled.get(formula);
  if (!known) compiled.set(formula, (known = compile(formula)));
  return known;
}

function compile(formula: string): Evaluate {
  const found = compileFormulas([{ output: 'y', text: formula, want: 'real' }], () => 'real');
  if (!found.ok) throw new Error(`${formula}: ${found.errors[0]?.message}`);
  const { function: fn, ports } = found;
  const names = ports.map((port) => (port.kind === 'name' ? port.name : ''));
  return (values, rows) => {
    const columns = new Map<number, Column>();
    fn.parameters.forEach(({ id }, i) => columns.set(id, values.get(names[i] ?? '') ?? NaN));
    const [result = NaN] = evaluateBlock(fn.body, columns, rows);
    return typeof result === 'number' ? new Float64Array(rows).fill(result) : result;
  };
}

/** Both branches of an `if` are evaluated and one is taken row by row: nothing here has an effect. */
function evaluateBlock(block: ScalarBlock, columns: Map<number, Column>, rows: number): Column[] {
  const valueOf = (operand: ScalarOperand): Column =>
    operand.kind === 'literal' ? operand.value : (columns.get(operand.id) ?? NaN);
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const meaning = meaningOf(statement.operation, statement.operands[0]?.type ?? 'real');
      columns.set(statement.result.id, overRows(meaning, statement.operands.map(valueOf), rows));
      continue;
    }
    const condition = valueOf(statement.condition);
    const branches = [statement.then, statement.else].map((branch) => evaluateBlock(branch, columns, rows));
    statement.results.forEach(({ id }, i) => {
      const [then = NaN, otherwise = NaN] = branches.map((branch) => branch[i] ?? NaN);
      columns.set(
        id,
        overRows((c = 0, a = NaN, b = NaN) => (c !== 0 ? a : b), [condition, then, otherwise], rows),
      );
    });
  }
  return block.results.map(valueOf);
}

function overRows(f: (...values: number[]) => number, operands: readonly Column[], rows: number): Column {
  const at = (column: Column | undefined, row: number): number =>
    typeof column === 'number' ? column : (column?.[row] ?? NaN);
  if (operands.every((operand) => typeof operand === 'number')) return f(...operands);
  const result = new Float64Array(rows);
  const [a, b, c] = operands;
  if (operands.length === 1) for (let row = 0; row < rows; row++) result[row] = f(at(a, row));
  else if (operands.length === 2) for (let row = 0; row < rows; row++) result[row] = f(at(a, row), at(b, row));
  else for (let row = 0; row < rows; row++) result[row] = f(at(a, row), at(b, row), at(c, row));
  return result;
}
