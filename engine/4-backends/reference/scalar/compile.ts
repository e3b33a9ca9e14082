/** A scalar function as a closure: each statement becomes a step over one array of slots, chosen once instead of per call. */
import type { ScalarBlock, ScalarFunction, ScalarOperand, ScalarStatement } from '../../../0-ir/scalar.ts';
import { IrError } from '../../../0-ir/types.ts';
import { meaningOf } from './meaning.ts';

type Step = (slots: number[]) => void;
type Read = (slots: number[]) => number;
type Slots = Map<number, number>;

/** As `evaluateScalar(fn, args)`, faster from the second call on. */
export function compileScalar(fn: ScalarFunction): (args: ArrayLike<number>) => number[] {
  const slotOf: Slots = new Map();
  fn.parameters.forEach((parameter, i) => slotOf.set(parameter.id, i));
  const { steps, results } = compileBlock(fn.body, slotOf);
  const count = fn.parameters.length;
  const slots = new Array<number>(slotOf.size).fill(0);
  return (args) => {
    if (args.length !== count) throw new IrError(`a function of ${count} parameters got ${args.length} arguments`);
    for (let i = 0; i < count; i++) slots[i] = args[i]!;
    for (const step of steps) step(slots);
    return results.map((read) => read(slots));
  };
}

function compileBlock(block: ScalarBlock, slotOf: Slots): { steps: Step[]; results: Read[] } {
  const steps = block.statements.map((statement) => compileStatement(statement, slotOf));
  return { steps, results: block.results.map((result) => compileRead(result, slotOf)) };
}

function compileStatement(statement: ScalarStatement, slotOf: Slots): Step {
  if (statement.kind === 'if') return compileIf(statement, slotOf);
  const { operation, operands } = statement;
  const meaning = meaningOf(operation, operands[0]?.type ?? 'real');
  const [first, second, third] = operands.map((operand) => compileRead(operand, slotOf));
  const target = allocate(statement.result.id, slotOf);
  if (!first) throw new IrError(`${operation} has no operands`);
  if (!second) return (slots) => void (slots[target] = meaning(first(slots)));
  if (!third) return (slots) => void (slots[target] = meaning(first(slots), second(slots)));
  return (slots) => void (slots[target] = meaning(first(slots), second(slots), third(slots)));
}

function compileIf(statement: ScalarStatement & { kind: 'if' }, slotOf: Slots): Step {
  const condition = compileRead(statement.condition, slotOf);
  const then = compileBlock(statement.then, slotOf);
  const otherwise = compileBlock(statement.else, slotOf);
  const targets = statement.results.map((result) => allocate(result.id, slotOf));
  return (slots) => {
    const { steps, results } = condition(slots) !== 0 ? then : otherwise;
    for (const step of steps) step(slots);
    results.forEach((read, i) => (slots[targets[i]!] = read(slots)));
  };
}

function compileRead(operand: ScalarOperand, slotOf: Slots): Read {
  if (operand.kind === 'literal') {
    const { value } = operand;
    return () => value;
  }
  const slot = slotOf.get(operand.id);
  if (slot === undefined) throw new IrError(`scalar variable ${operand.id} is used before it is defined`);
  return (slots) => slots[slot]!;
}

function allocate(id: number, slotOf: Slots): number {
  const slot = slotOf.size;
  slotOf.set(id, slot);
  return slot;
}
