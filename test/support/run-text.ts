import { parseProgram } from '../../engine/0-ir/parse.ts';
import type { SizeBinding } from '../../engine/0-ir/sizes.ts';
import { verify } from '../../engine/0-ir/verify.ts';
import { interpret } from '../../engine/4-backends/reference/interpret.ts';

/**
 * Runs the body of a program written as text: `parameters` as in `%0 x: real[n]`, statements, and what they yield.
 * Results by name, as nested arrays of the result's shape.
 */
export function runText(
  parameters: string,
  body: string,
  inputs: Readonly<Record<string, readonly number[]>>,
  sizes: SizeBinding = {},
): Record<string, unknown> {
  const program = parseProgram(`program (${parameters}) { ${body} }`);
  verify(program);
  const results = interpret(program, new Map(Object.entries(inputs)), sizes);
  return Object.fromEntries([...results].map(([name, { shape, values }]) => [name, nested([...values], shape)]));
}

function nested(values: readonly number[], shape: readonly number[]): unknown {
  const [size, ...rest] = shape;
  if (size === undefined) return values[0];
  const each = rest.reduce((product, other) => product * other, 1);
  return Array.from({ length: size }, (_, i) => nested(values.slice(i * each, (i + 1) * each), rest));
}
