/**
 * What a program computes, as text that is short: equal for programs that differ in names of values and sizes, in the
 * order of their statements, in what is computed twice or for nothing, and in the blocks that they come from.
 *
 *     fingerprint(result) = hash(construct, sizes of the types, fingerprints of its operands)
 */
import { mapNestedPrograms } from './construct-parts.ts';
import { hashText } from './hash.ts';
import { mapOperands } from './operands.ts';
import { printConstruct } from './print.ts';
import type { Named, Program, Value } from './program.ts';
import { printType } from './types.ts';
import { renumber } from './walk.ts';

/** Of each result, by its name. `leaf` says what a parameter of the program stands for. */
export function fingerprints(program: Program, leaf: (parameter: Named) => string): ReadonlyMap<string, string> {
  const known = new Map<number, string>();
  for (const parameter of program.parameters)
    known.set(
      parameter.value.id,
      hashText(`${printType(parameter.value.type)}${parameter.missing ? ' missing' : ''} ${leaf(parameter)}`),
    );
  for (const { construct, results } of program.statements) {
    const operands: string[] = [];
    const placed = mapOperands(construct, (value): Value => {
      operands.push(known.get(value.id)!);
      return { id: operands.length - 1, type: value.type };
    });
    const text = hashText(`${printConstruct(mapNestedPrograms(placed, renumber))} ${operands.join(' ')}`);
    results.forEach(({ id }, i) => known.set(id, `${text}${i}`));
  }
  return new Map(program.results.map(({ name, value }) => [name, known.get(value.id)!]));
}
