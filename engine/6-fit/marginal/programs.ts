/**
 * The programs behind a marginal likelihood. E(θ, b) is the −log of the joint density of data and effects b; its Hessian
 * H by b has a block for each group, so one direction that is 1 in all groups gives a column of every block at once.
 *
 *   curvature     E, ∂E/∂b and the blocks of H
 *   contraction   ∂(E + Σ A∘H)/∂θ and /∂b for given A: third derivatives contracted, never formed
 *   cross         (∂²E/∂θ∂b)·q for given q
 */
import { ProgramBuilder } from '../../0-ir/builder.ts';
import type { Named, Program } from '../../0-ir/program.ts';
import { inlineProgram, sameParameters } from '../../0-ir/walk.ts';
import { jvp } from '../../2-ad/jvp.ts';
import { vjp } from '../../2-ad/vjp.ts';
import { gradientName, withGradient, type SweepOptions } from '../derivative-programs.ts';
import { effectPairs, type EffectLayout } from '../effects.ts';

export const curvatureName = (outer: string, inner: string): string => `curvature by ${outer} and ${inner}`;

/** Results `also`, E, `gradient by EFFECT`, and `curvature by OUTER and INNER` of the inner's shape. */
export function withCurvature(
  program: Program,
  energy: string,
  layout: EffectLayout,
  also: readonly string[],
  options: SweepOptions,
): Program {
  const names = layout.effects.map(({ name }) => name);
  const b = new ProgramBuilder();
  const parameters = sameParameters(b, program);
  const slope = withGradient(program, energy, names, options);
  const plain = inlineProgram(b, slope, parameters);
  const kept = { ...program, results: program.results.filter(({ name }) => also.includes(name) && name !== energy) };
  const results: Named[] = [
    ...inlineProgram(b, kept, parameters).map((value, i) => ({ name: kept.results[i]!.name, value })),
    ...slope.results.map(({ name }, i) => ({ name, value: plain[i]! })),
  ];
  const pairs = effectPairs(layout);
  for (const { name: outer } of layout.effects) {
    const of = pairs.filter((pair) => pair.outer.name === outer).map(({ inner }) => inner.name);
    const forward = jvp(slope, { by: [outer], of: of.map(gradientName) });
    const { shape } = program.parameters.find(({ name }) => name === outer)!.value.type;
    const direction = b.replicate(b.literal(1), shape);
    const columns = inlineProgram(b, forward, [...parameters, direction]).slice(slope.results.length);
    of.forEach((inner, i) => results.push({ name: curvatureName(outer, inner), value: columns[i]! }));
  }
  return b.finish(results);
}

/** Of `withCurvature`: parameters `cotangent of RESULT` for E and each curvature, results `adjoint of` each of `by`. */
export function withContraction(
  curvature: Program,
  energy: string,
  layout: EffectLayout,
  by: readonly string[],
  options: SweepOptions,
): Program {
  const of = [energy, ...effectPairs(layout).map(({ outer, inner }) => curvatureName(outer.name, inner.name))];
  const only = { ...curvature, results: curvature.results.filter(({ name }) => of.includes(name)) };
  const whole = vjp(only, { ...options, of, by });
  return { ...whole, results: whole.results.slice(only.results.length) };
}

/** Parameters `tangent of EFFECT`, results `tangent of gradient by` each of `by`. */
export function withCross(
  program: Program,
  energy: string,
  layout: EffectLayout,
  by: readonly string[],
  options: SweepOptions,
): Program {
  const slope = withGradient(program, energy, by, options);
  const names = layout.effects.map(({ name }) => name);
  const moved = jvp(slope, { by: names, of: by.map(gradientName) });
  return { ...moved, results: moved.results.slice(slope.results.length) };
}
