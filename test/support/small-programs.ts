/**
 * Small random programs over every construct, with inputs: what lowering and rewrites are tried on. Sizes are the
 * symbols n and m (0 to 3) and literals; values are few and awkward (−0, ∞, NaN), so that equal means equal in every bit.
 */
import fc from 'fast-check';
import { ProgramBuilder } from '../../engine/0-ir/builder.ts';
import { printProgram } from '../../engine/0-ir/print.ts';
import type { Program, Value } from '../../engine/0-ir/program.ts';
import { sizeProduct, sizeValue, type SizeBinding } from '../../engine/0-ir/sizes.ts';
import { arrayType, type ArrayType } from '../../engine/0-ir/types.ts';
import { ints, reals, type Making, type Pick } from './small-choices.ts';
import { constructs } from './small-constructs.ts';

export interface SmallCase {
  readonly program: Program;
  readonly inputs: ReadonlyMap<string, number[]>;
  readonly sizes: SizeBinding;
}

const parameterTypes = {
  a: arrayType('real'),
  x: arrayType('real', ['n']),
  y: arrayType('real', ['m']),
  z: arrayType('real', ['n', 'm']),
  w: arrayType('real', [2, 'n']),
  k: arrayType('int', ['n']),
  l: arrayType('int', ['n', 'm']),
  f: arrayType('bool', ['n']),
};

/** `steps`: at most so many statements, beside the literals and broadcasts that they need. */
export function smallCase(steps = 8): fc.Arbitrary<SmallCase> {
  return fc.gen().map((g) => {
    const pick = picker(g);
    const sizes = { n: pick([3, 2, 1, 0]), m: pick([2, 3, 1, 0]) };
    const program = smallProgram(pick, steps, Object.entries(parameterTypes));
    const inputs = new Map<string, number[]>();
    for (const { name, value } of program.parameters) {
      const choices = { real: reals, int: ints, bool: [0, 1] }[value.type.element];
      const count = sizeValue(sizeProduct(value.type.shape), sizes);
      inputs.set(
        name,
        Array.from({ length: count }, () => pick(choices)),
      );
    }
    // A counterexample prints as the program's text.
    const text = `n = ${sizes.n}, m = ${sizes.m}\n${printProgram(program)}\n${fc.stringify(inputs)}`;
    return { program, inputs, sizes, [fc.toStringMethod]: () => text };
  });
}

function picker(g: fc.GeneratorValue): Pick {
  return <T>(choices: readonly T[]) => choices[g(fc.nat, { max: choices.length - 1 })] as T;
}

function smallProgram(pick: Pick, steps: number, parameters: readonly (readonly [string, ArrayType])[]): Program {
  const b = new ProgramBuilder();
  const pool: Value[] = parameters.map(([name, type]) => b.parameter(name, type));
  const making: Making = { b, pool, pick, program: (inner) => smallProgram(pick, 3, inner) };
  const count = pick(Array.from({ length: steps }, (_, i) => i + 1));
  for (let i = 0; i < count; i++) pool.push(...pick(constructs)(making));
  const defined = pool.slice(parameters.length);
  const results = [...defined.slice(-2), pick(pool), pick(pool)];
  return b.finish(results.map((value, i) => ({ name: `r${i}`, value })));
}
