/**
 * The expected information of the effects in the place of the Hessian of −log of the joint density:
 *
 *   H̃ = Σ (∂a/∂b)ᵀ·V(a)·(∂a/∂b) − ∂² log p(b)/∂b²
 *
 * a the arguments of each observation's distribution, V their information. Column by column as `withCurvature` writes H:
 * a tangent of the arguments for one effect of all groups at once, weighed by V, and carried back to the other effects.
 * Wang (2007), equations 14 to 17; Lindstrom and Bates (1990).
 */
import { ProgramBuilder } from '../../0-ir/builder.ts';
import type { Named, Program, Value } from '../../0-ir/program.ts';
import { realLiteral } from '../../0-ir/scalar.ts';
import { inlineProgram, sameParameters } from '../../0-ir/walk.ts';
import { contributors, dependents } from '../../2-ad/activity.ts';
import { jvp } from '../../2-ad/jvp.ts';
import { vjp } from '../../2-ad/vjp.ts';
import type { SweepOptions } from '../derivative-programs.ts';
import { effectPairs, type EffectLayout } from '../effects.ts';
import type { ExpectedInformation } from '../problem.ts';
import { curvatureName, withCurvature } from './programs.ts';

/** Results E, and `curvature by OUTER and INNER`: those of H̃. */
export function withInformation(
  program: Program,
  energy: string,
  layout: EffectLayout,
  { terms, effects: density }: ExpectedInformation,
  options: SweepOptions,
): Program {
  const b = new ProgramBuilder();
  const missing = program.parameters.some((parameter) => parameter.missing);
  const times = (weight: Value, tangent: Value): Value =>
    missing ? whereWeighed(b, weight, tangent) : b.apply('mul', weight, tangent);
  const parameters = sameParameters(b, program);
  const only = (names: readonly string[]): Program => ({
    ...program,
    results: names.map((wanted) => program.results.find(({ name }) => name === wanted)!),
  });
  const of = terms.flatMap((term) => term.arguments);
  const given = only(of);
  const known = new Map<string, Value>();
  const weights = only(terms.flatMap(({ entries }) => entries.map(({ name }) => name)));
  inlineProgram(b, weights, parameters).forEach((value, i) => known.set(weights.results[i]!.name, value));
  const ofEffects = withCurvature(program, density, layout, [], options);
  const own = inlineProgram(b, ofEffects, parameters);
  ofEffects.results.forEach(({ name }, i) => known.set(name, own[i]!));

  const [value] = inlineProgram(b, only([energy]), parameters);
  const results: Named[] = [{ name: energy, value: value! }];
  const pairs = effectPairs(layout);
  for (const { name: outer } of layout.effects) {
    const inner = pairs.filter((pair) => pair.outer.name === outer).map((pair) => pair.inner.name);
    const forward = jvp(given, { by: [outer], of });
    const { shape } = program.parameters.find(({ name }) => name === outer)!.value.type;
    const tangents = inlineProgram(b, forward, [...parameters, b.replicate(b.literal(1), shape)]).slice(of.length);
    const weighed = terms.flatMap(({ arguments: args, entries }) => {
      const tangentOf = (k: number): Value => tangents[of.indexOf(args[k]!)]!;
      return args.map((_, k) => {
        const parts = entries.flatMap(({ by: [i, j], name }) => {
          const other = i === k ? j : j === k ? i : undefined;
          return other === undefined ? [] : [times(known.get(name)!, tangentOf(other))];
        });
        if (parts.length === 0) return b.replicate(b.literal(0), tangentOf(k).type.shape);
        return parts.reduce((sum, part) => b.apply('add', sum, part));
      });
    });
    const back = vjp(given, { ...options, of, by: inner });
    const columns = inlineProgram(b, back, [...parameters, ...weighed]).slice(of.length);
    inner.forEach((name, i) => {
      const entry = curvatureName(outer, name);
      results.push({ name: entry, value: b.apply('add', columns[i]!, known.get(entry)!) });
    });
  }
  return b.finish(results);
}

/** Their product; 0 of an observation that is missing, which tells nothing, where the tangent is NaN with it. */
function whereWeighed(b: ProgramBuilder, weight: Value, tangent: Value): Value {
  return b.elementwise([weight, tangent], (s, w, t) =>
    s.either(
      s.apply('and', s.apply('isnan', t), s.apply('eq', w, realLiteral(0))),
      () => realLiteral(0),
      () => s.apply('mul', w, t),
    ),
  );
}

/** The first argument that depends on the effects, and of which no information is known. */
export function uninformed(
  program: Program,
  effects: readonly string[],
  { terms }: ExpectedInformation,
): { readonly block: string; readonly argument: number } | undefined {
  const sources = program.parameters.filter(({ name }) => effects.includes(name)).map(({ value }) => value.id);
  const moved = dependents(program, sources);
  for (const { block, arguments: args, entries } of terms)
    for (const [argument, result] of args.entries()) {
      const { value } = program.results.find(({ name }) => name === result)!;
      if (moved.has(value.id) && !entries.some(({ by: [i, j] }) => i === argument && j === argument))
        return { block, argument };
    }
  return undefined;
}

/** Which of the program's inputs, by name, one of these results depends on. */
export function readBy(program: Program, results: readonly string[]): Set<string> {
  const sinks = program.results.filter(({ name }) => results.includes(name)).map(({ value }) => value.id);
  const reached = contributors(program, sinks);
  return new Set(program.parameters.filter(({ value }) => reached.has(value.id)).map(({ name }) => name));
}

/** The program with what its inputs hold computed where all effects are 0. */
export function withHeldNoise(
  program: Program,
  effects: readonly string[],
  { held }: Pick<ExpectedInformation, 'held'>,
): Program {
  if (held.length === 0) return program;
  const b = new ProgramBuilder();
  const isHeld = (name: string): boolean => held.some(({ input }) => input === name);
  const given = new Map(
    program.parameters
      .filter(({ name }) => !isHeld(name))
      .map(({ name, value, ...facts }) => [name, b.parameter(name, value.type, facts)]),
  );
  const nothing = ({ value: { type } }: Named): Value => b.replicate(b.literal(0), type.shape);
  const middle = program.parameters.map((parameter) => {
    const { name } = parameter;
    return effects.includes(name) || isHeld(name) ? nothing(parameter) : given.get(name)!;
  });
  const noise = {
    ...program,
    results: held.map(({ value }) => program.results.find(({ name }) => name === value)!),
  };
  const values = inlineProgram(b, noise, middle);
  const parameters = program.parameters.map(
    ({ name }) => given.get(name) ?? values[held.findIndex(({ input }) => input === name)]!,
  );
  const results = inlineProgram(b, program, parameters);
  return b.finish(program.results.map(({ name }, i) => ({ name, value: results[i]! })));
}
