/**
 * What a kernel reads for a scalar function at a point, each thing once: the rows of several tables by one index, and a row
 * that only a branch needs in that branch, so that a rare case costs nothing where it is none.
 */
import type { ScalarBlock, ScalarFunction, ScalarOperand } from '../../../0-ir/scalar.ts';
import type { Source } from '../../../3-plan/plan.ts';
import { readSource, sourceBase, type KernelWriter } from './kernel-writer.ts';
import { scalarBodyText } from '../scalar.ts';
import type { Space } from './space.ts';

/** The function's body at a point of the space, with what it reads; its results. */
export function evaluated(
  writer: KernelWriter,
  space: Space,
  fn: ScalarFunction,
  inputs: readonly Source[],
): { lines: string[]; results: string[] } {
  const homes = homesOf(fn);
  const names = new Map<string, string>();
  const first: string[] = [];
  const rows = new Map<ScalarBlock, string[]>();
  /** Read before all else, unless it has been. */
  const once = (text: string): string => {
    const name = names.get(text) ?? `read${names.size}`;
    if (!names.has(text)) first.push(`let ${name} = ${text};`);
    names.set(text, name);
    return name;
  };
  inputs.forEach((input, i) => {
    const parameter = fn.parameters[i];
    const home = parameter && homes.get(parameter.id);
    if (!home) return;
    const at = space.address(sourceBase(writer, input), input.strides);
    if (input.kind !== 'gathered') {
      first.push(`let v${parameter.id} = ${once(readSource(writer, input, at))};`);
      return;
    }
    const row = once(writer.load('int', at));
    const column = space.address(writer.place(input.table), input.table.strides);
    const lines = rows.get(home) ?? [];
    rows.set(home, [...lines, `let v${parameter.id} = ${writer.row(input, row, column)};`]);
  });
  const { lines, results } = scalarBodyText(fn, writer.use, (block) => rows.get(block) ?? []);
  return { lines: [...first, ...lines.map((line) => line.slice(2))], results };
}

/** The innermost block that holds all that needs a parameter; none of one that nothing needs. */
function homesOf({ body }: ScalarFunction): Map<number, ScalarBlock> {
  const homes = new Map<number, ScalarBlock>();
  const visit = (block: ScalarBlock): Set<number> => {
    const inside = new Set<number>();
    const needs = (id: number): void => {
      if (inside.has(id)) homes.set(id, block);
      inside.add(id);
    };
    const here = (operand: ScalarOperand): void => {
      if (operand.kind === 'literal') return;
      inside.add(operand.id);
      homes.set(operand.id, block);
    };
    for (const statement of block.statements) {
      if (statement.kind === 'apply') statement.operands.forEach(here);
      else {
        for (const branch of [statement.then, statement.else]) visit(branch).forEach(needs);
        here(statement.condition);
      }
    }
    block.results.forEach(here);
    return inside;
  };
  visit(body);
  return homes;
}
