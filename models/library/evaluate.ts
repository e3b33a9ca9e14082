/** A shape's formula over many x at once: operation by operation over whole columns, for start values and pictures. */
import { meaningOf, type ScalarBlock, type ScalarOperand } from '../../engine/index.ts';
import { compileFormulas } from '../formula/compile.ts';

/** One number for all rows, or one for each. */
export type Column = number | Float64Array;

/** The formula at `rows` rows, written `into` what is given; a name that is not among the values is NaN. */
export type Evaluate = (values: ReadonlyMap<string, Column>, rows: number, into?: Float64Array) => Float64Array;

const compiled = new Map<string, Evaluate>();

/** Throws where the formula is none: those of the library are tested. */
export function evaluator(formula: string): Evaluate {
  let known = compiled.get(formula);
  if (!known) compiled.set(formula, (known = compile(formula)));
  return known;
}

/** One operation over columns: what is an operand is a number, or the slot of an earlier result. */
interface Step {
  readonly apply: (...values: number[]) => number;
  readonly operands: readonly { readonly slot: number; readonly literal: number }[];
  readonly slot: number;
}

/** No slot: the operand is its literal. */
const none = -1;

function compile(formula: string): Evaluate {
  const found = compileFormulas([{ output: 'y', text: formula, want: 'real' }], () => 'real');
  if (!found.ok) throw new Error(`${formula}: ${found.errors[0]?.message}`);
  const { function: fn, ports } = found;
  const names = ports.map((port) => (port.kind === 'name' ? port.name : ''));
  const slots = new Map(fn.parameters.map(({ id }, i) => [id, i]));
  const steps: Step[] = [];
  const [result] = stepsOf(fn.body, slots, steps, names.length);
  const columns = new Array<Column>(names.length + steps.length).fill(NaN);
  // Results of steps, kept from one evaluation to the next.
  const rooms = steps.map(() => new Float64Array());
  return (values, rows, into = new Float64Array(rows)) => {
    names.forEach((name, i) => (columns[i] = values.get(name) ?? NaN));
    steps.forEach((step, i) => {
      if (rooms[i]!.length !== rows) rooms[i] = new Float64Array(rows);
      columns[step.slot] = overRows(step, columns, rooms[i]!);
    });
    const last = result === undefined ? NaN : result.slot === none ? result.literal : columns[result.slot]!;
    if (typeof last === 'number') into.fill(last);
    else into.set(last);
    return into;
  };
}

/** Both branches of an `if` are evaluated and one is taken row by row: nothing here has an effect. */
function stepsOf(block: ScalarBlock, slots: Map<number, number>, steps: Step[], inputs: number): Step['operands'] {
  const operandOf = (operand: ScalarOperand): Step['operands'][number] =>
    operand.kind === 'literal'
      ? { slot: none, literal: operand.value }
      : { slot: slots.get(operand.id) ?? none, literal: NaN };
  const add = (id: number, apply: Step['apply'], operands: Step['operands']): void => {
    const slot = inputs + steps.length;
    steps.push({ apply, operands, slot });
    slots.set(id, slot);
  };
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const meaning = meaningOf(statement.operation, statement.operands[0]?.type ?? 'real');
      add(statement.result.id, meaning, statement.operands.map(operandOf));
      continue;
    }
    const condition = operandOf(statement.condition);
    const [then, otherwise] = [statement.then, statement.else].map((branch) => stepsOf(branch, slots, steps, inputs));
    statement.results.forEach(({ id }, i) =>
      add(id, (c = 0, a = NaN, b = NaN) => (c !== 0 ? a : b), [condition, then![i]!, otherwise![i]!]),
    );
  }
  return block.results.map(operandOf);
}

/** With as many arguments as there are operands: some meanings take any number. */
function overRows({ apply, operands }: Step, columns: readonly Column[], room: Float64Array): Column {
  const [a = NaN, b, c] = operands.map(({ slot, literal }) => (slot === none ? literal : columns[slot]!));
  const rows = room.length;
  if (b === undefined) {
    if (typeof a === 'number') return apply(a);
    for (let row = 0; row < rows; row++) room[row] = apply(a[row]!);
  } else if (c !== undefined) {
    const at = (column: Column, row: number): number => (typeof column === 'number' ? column : column[row]!);
    for (let row = 0; row < rows; row++) room[row] = apply(at(a, row), at(b, row), at(c, row));
  } else if (typeof a === 'number') {
    if (typeof b === 'number') return apply(a, b);
    for (let row = 0; row < rows; row++) room[row] = apply(a, b[row]!);
  } else if (typeof b === 'number') for (let row = 0; row < rows; row++) room[row] = apply(a[row]!, b);
  else for (let row = 0; row < rows; row++) room[row] = apply(a[row]!, b[row]!);
  return room;
}
