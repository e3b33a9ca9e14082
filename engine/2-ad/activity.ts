/** Which values carry a derivative: real, dependent on what is differentiated by, and reaching what is differentiated. */
import { operandsOf } from '../0-ir/operands.ts';
import type { Program, Value } from '../0-ir/program.ts';

/** Operands through which a derivative may flow: real ones; keys, indices and flags are not. */
export function carries(value: Value): boolean {
  return value.type.element === 'real';
}

/** Ids of the values that depend, through real values, on one of `sources`. */
export function dependents(program: Program, sources: Iterable<number>): Set<number> {
  const found = new Set(sources);
  for (const { construct, results } of program.statements)
    if (operandsOf(construct).some((operand) => carries(operand) && found.has(operand.id)))
      for (const result of results) if (carries(result)) found.add(result.id);
  return found;
}

/** Ids of the values that are made of data beside missing cells; of whole numbers too, where maps take them. */
export function besideGaps({ parameters, statements }: Program): Set<number> {
  const found = new Set(parameters.flatMap(({ value, missing }) => (missing ? [value.id] : [])));
  for (const { construct, results } of statements) {
    const goesOn = (value: Value): boolean => carries(value) || construct.kind === 'map';
    const begins = construct.kind === 'iota' && construct.missing === true;
    if (begins || operandsOf(construct).some((operand) => found.has(operand.id) && goesOn(operand)))
      for (const result of results) if (begins || goesOn(result)) found.add(result.id);
  }
  return found;
}

/** Ids of the values on which one of `sinks` depends. */
export function contributors(program: Program, sinks: Iterable<number>): Set<number> {
  const found = new Set(sinks);
  for (const { construct, results } of [...program.statements].reverse())
    if (results.some((result) => found.has(result.id)))
      for (const operand of operandsOf(construct)) if (carries(operand)) found.add(operand.id);
  return found;
}

export function isReal(values: readonly Value[]): boolean[] {
  return values.map(carries);
}
