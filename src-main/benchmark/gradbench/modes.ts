/** Derivatives in the mode that a function's name asks for: of scalar functions and of programs, forward or in reverse. */
import {
  jvp,
  jvpFunction,
  type Program,
  ProgramBuilder,
  realLiteral,
  type ScalarFunction,
  scalarFunction,
  vjp,
  vjpFunction,
} from '../../../engine/index.ts';
import { reals } from './descent.ts';

export type Mode = 'f' | 'r';

/** A function's names: the mode outside, the mode inside. */
export const modePairs = ['ff', 'fr', 'rf', 'rr'] as const;
export const modesOf = (pair: (typeof modePairs)[number]): readonly [Mode, Mode] =>
  [...pair] as unknown as [Mode, Mode];

/** (x…, given…) ↦ f becomes (x…, given…) ↦ (f, ∂f/∂x…) for the first d parameters. */
export function withSlopes(f: ScalarFunction, d: number, mode: Mode): ScalarFunction {
  const wanted = f.parameters.map((_, i) => i < d);
  return scalarFunction(reals(f.parameters.length), (s, ...x) => {
    if (mode === 'r') return [...s.inline(f, x), ...s.inline(vjpFunction(f, [true], wanted), [...x, realLiteral(1)])];
    const forward = jvpFunction(f, wanted).function;
    const units = Array.from({ length: d }, (_, i) =>
      Array.from({ length: d }, (_, j) => realLiteral(i === j ? 1 : 0)),
    );
    return [...s.inline(f, x), ...units.map((unit) => s.inline(forward, [...x, ...unit])[1]!)];
  });
}

/** The same of a program of scalars that has one result. */
export function withProgramSlopes(program: Program, by: readonly string[], mode: Mode): Program {
  const of = program.results.map(({ name }) => name);
  const b = new ProgramBuilder();
  const x = program.parameters.map(({ name, value }) => b.parameter(name, value.type));
  const seeded = (derived: Program) => b.emit({ kind: 'call', program: derived, inputs: [...x, b.literal(1)] });
  const all =
    mode === 'r'
      ? seeded(vjp(program, { of, by }))
      : by.flatMap((name, i) => seeded(jvp(program, { of, by: [name] })).slice(i === 0 ? 0 : 1));
  return b.finish(all.map((value, i) => ({ name: `${i}`, value })));
}
