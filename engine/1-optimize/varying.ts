/** Which values change from run to run: those that depend on a parameter that does. */
import { operandsOf } from '../0-ir/operands.ts';
import type { Program } from '../0-ir/program.ts';

export function varyingValues(program: Program, parameters: ReadonlySet<number>): Set<number> {
  const varying = new Set(parameters);
  for (const { results, construct } of program.statements)
    if (operandsOf(construct).some((operand) => varying.has(operand.id)))
      for (const result of results) varying.add(result.id);
  return varying;
}
