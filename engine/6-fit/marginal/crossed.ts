/**
 * Effects of groups that cross (each plate is read with each sample): H is one dense matrix, had column by column,
 *
 *   H·e_j = ∂/∂b (∂E/∂b · e_j)   and   ∂/∂(θ, b) Σ A∘H = Σ_j ∂/∂(θ, b) (e_jᵀ·H·a_j),   a_j the columns of A
 *
 * a product, or a sweep through one, for each effect of each group.
 */
import { adjointName, cotangentName, tangentName } from '../../2-ad/names.ts';
import { vjp } from '../../2-ad/vjp.ts';
import { gradientName, withGradient, type SweepOptions } from '../derivative-programs.ts';
import type { EffectLayout } from '../effects.ts';
import type { FitProblem } from '../problem.ts';
import type { ComposedQuestion } from '../questions.ts';
import type { Blocks } from './blocks.ts';
import type { AtJoint, Joint, PlainAtJoint, Slopes } from './joint.ts';
import type { JointCurvature } from './modes.ts';
import { withCross } from './programs.ts';

/** What the programs take, and how their results are put together. */
export interface Wiring {
  readonly layout: EffectLayout;
  /** The parameters that vary. */
  readonly names: readonly string[];
  readonly inputs: PlainAtJoint<unknown>['inputs'];
  readonly write: (joint: Joint, into: Float64Array, at: number) => void;
  readonly byEffects: (result: (name: string) => Float64Array, name: (effect: string) => string) => Float64Array;
  readonly byTheta: (result: (name: string) => Float64Array, name: (parameter: string) => string) => Float64Array;
}

interface Crossed {
  readonly curvature: AtJoint<JointCurvature>;
  readonly contraction: AtJoint<Slopes, { seed: number; contracted: Blocks }>;
}

export function crossedQuestions(
  { program, energy, objective }: Pick<FitProblem, 'program' | 'energy' | 'objective'>,
  { layout, names, inputs, write, byEffects, byTheta }: Wiring,
  options: SweepOptions,
): Crossed {
  const n = layout.length;
  const effects = layout.effects.map(({ name }) => name);
  const all = [...names, ...effects];
  const written = inputs.reduce((total, { initial }) => total + initial.length, 0);
  const beside = (name: (effect: string) => string): PlainAtJoint<unknown>['inputs'] =>
    layout.effects.map(({ name: effect, groups }) => ({
      name: name(effect),
      initial: new Array<number>(groups).fill(0),
    }));

  const slope: PlainAtJoint<Slopes & Pick<JointCurvature, 'value' | 'also'>> = {
    program: withGradient(program, energy, all, options),
    inputs,
    write,
    read: (result) => ({
      value: result(energy)[0] as number,
      also: new Map([energy, objective].map((name) => [name, result(name)[0] as number])),
      byTheta: byTheta(result, gradientName),
      byEffects: byEffects(result, gradientName),
    }),
  };
  const columns = withCross(program, energy, layout, effects, options);
  const column: PlainAtJoint<Float64Array, { direction: Float64Array }> = {
    program: columns,
    inputs: [...inputs, ...beside(tangentName)],
    write(joint, into, at) {
      write(joint, into, at);
      into.set(joint.direction, at + written);
    },
    read: (result) => byEffects(result, (effect) => tangentName(gradientName(effect))),
  };
  const products = effects.map((effect) => tangentName(gradientName(effect)));
  const swept = vjp(columns, { ...options, of: products, by: all });
  const sweep: PlainAtJoint<Slopes, { direction: Float64Array; along: Float64Array }> = {
    program: { ...swept, results: swept.results.slice(columns.results.length) },
    inputs: [...column.inputs, ...beside((effect) => cotangentName(tangentName(gradientName(effect))))],
    write(joint, into, at) {
      column.write(joint, into, at);
      into.set(joint.along, at + written + n);
    },
    read: (result) => ({ byTheta: byTheta(result, adjointName), byEffects: byEffects(result, adjointName) }),
  };
  const unit = (j: number): Float64Array => new Float64Array(n).fill(1, j, j + 1);

  const curvature: ComposedQuestion<Joint, JointCurvature> = {
    parts: [slope, column],
    async compose(ask, joint) {
      const { value, also, byEffects: gradient } = await ask(slope, joint);
      const hessian = new Float64Array(n * n);
      for (let j = 0; j < n; j++) hessian.set(await ask(column, { ...joint, direction: unit(j) }), j * n);
      return { value, also, gradient, hessian };
    },
  };
  const contraction: ComposedQuestion<Joint & { seed: number; contracted: Blocks }, Slopes> = {
    parts: [slope, sweep],
    async compose(ask, { seed, contracted, ...joint }) {
      const plain = await ask(slope, joint);
      const total = {
        byTheta: plain.byTheta.map((x) => seed * x),
        byEffects: plain.byEffects.map((x) => seed * x),
      };
      for (let j = 0; j < n; j++) {
        const direction = contracted.slice(j * n, (j + 1) * n);
        const found = await ask(sweep, { ...joint, direction, along: unit(j) });
        found.byTheta.forEach((x, i) => (total.byTheta[i] = (total.byTheta[i] as number) + x));
        found.byEffects.forEach((x, i) => (total.byEffects[i] = (total.byEffects[i] as number) + x));
      }
      return total;
    },
  };
  return { curvature, contraction };
}
