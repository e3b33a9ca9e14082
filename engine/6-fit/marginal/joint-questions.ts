/** The programs of the joint density of data and effects: what a marginal likelihood is composed of (marginal.ts). */
import { adjointName, cotangentName, tangentName } from '../../2-ad/names.ts';
import type { Coordinate } from '../coordinates.ts';
import { gradientName, withGradient, type SweepOptions } from '../derivative-programs.ts';
import { effectLayout, effectPairs, type EffectLayout, type EffectPair } from '../effects.ts';
import type { ByGroup, FitProblem } from '../problem.ts';
import { withResults, writeValues } from '../questions.ts';
import { blocksOf, entriesOf, type Blocks } from './blocks.ts';
import { denseQuestions } from './dense.ts';
import { withInformation } from './information.ts';
import type { AtJoint, Joint, PlainAtJoint, Slopes } from './joint.ts';
import type { JointCurvature } from './modes.ts';
import { curvatureName, withContraction, withCross, withCurvature } from './programs.ts';

/** What is asked group by group: every one's energy, and the slopes of the energies with a weight for each group. */
export interface Groupwise {
  readonly energies: PlainAtJoint<Float64Array>;
  readonly slopes: PlainAtJoint<Slopes, { weights: Float64Array }>;
}

export interface JointQuestions {
  readonly layout: EffectLayout;
  /** E, its gradient and H = ∂²E/∂b². */
  readonly curvature: AtJoint<JointCurvature>;
  /** The expected information in the place of H, where the problem has one. */
  readonly information: AtJoint<Blocks> | undefined;
  /** The slopes of seed·E + A∘H, A held; of the information in the place of H, where there is one. */
  readonly contraction: AtJoint<Slopes, { seed: number; contracted: Blocks }>;
  /** (∂²E/∂θ∂b)·v */
  readonly cross: PlainAtJoint<Float64Array, { direction: Float64Array }>;
  /** (∂²E/∂b²)·v, all of it: compiled once it is wanted. */
  readonly product: () => AtJoint<Float64Array, { direction: Float64Array }>;
  readonly groupwise: Groupwise | undefined;
  /** All that these are made of. */
  readonly parts: readonly object[];
}

export function jointQuestions(problem: FitProblem, all: readonly Coordinate[], options: SweepOptions): JointQuestions {
  const { program, energy, objective, effects: levels = [], together } = problem;
  const layout = effectLayout(levels, together);
  const pairs = effectPairs(layout);
  const free = problem.parameters.filter(({ fixed }) => !fixed);
  const names = free.map(({ name }) => name);
  const effects = layout.effects.map(({ name, groups }) => ({ name, initial: new Array<number>(groups).fill(0) }));
  const inputs = [...free, ...effects];
  const write = ({ point, effects: values }: Joint, into: Float64Array, at: number): void => {
    writeValues(all, point, into, at);
    into.set(values, at + all.length);
  };
  const gather = (result: (name: string) => Float64Array, name: (effect: string) => string): Float64Array => {
    const all = new Float64Array(layout.length);
    for (const { name: effect, offset } of layout.effects) all.set(result(name(effect)), offset);
    return all;
  };
  const curvatureProgram = withCurvature(program, energy, layout, [objective], options);
  const informationProgram =
    problem.information && withInformation(program, energy, layout, problem.information, options);
  const entriesRead = (result: (name: string) => Float64Array) => {
    const entries = new Map(
      pairs.map(({ outer, inner }) => {
        const name = curvatureName(outer.name, inner.name);
        return [name, result(name)] as const;
      }),
    );
    return ({ outer, inner }: EffectPair): Float64Array => entries.get(curvatureName(outer.name, inner.name))!;
  };
  const columns = layout.dense
    ? denseQuestions(
        problem,
        { layout, names, inputs, write, byEffects: gather, byTheta: (result, name) => ofTheta(all, result, name) },
        options,
      )
    : undefined;
  const curvature: AtJoint<JointCurvature> = columns?.curvature ?? {
    program: curvatureProgram,
    inputs,
    write,
    read: (result) => ({
      value: result(energy)[0]!,
      also: new Map([energy, objective].map((name) => [name, result(name)[0]!])),
      gradient: gather(result, gradientName),
      hessian: blocksOf(layout, entriesRead(result)),
    }),
  };
  const information: AtJoint<Blocks> | undefined = informationProgram && {
    program: informationProgram,
    inputs,
    write,
    read: (result) => blocksOf(layout, entriesRead(result)),
  };
  const seeds = [energy, ...pairs.map(({ outer, inner }) => curvatureName(outer.name, inner.name))];
  const contraction: AtJoint<Slopes, { seed: number; contracted: Blocks }> = columns?.contraction ?? {
    program: withContraction(
      informationProgram ?? curvatureProgram,
      energy,
      layout,
      [...names, ...layout.effects.map(({ name }) => name)],
      options,
    ),
    inputs: [
      ...inputs,
      { name: cotangentName(energy), initial: [1] },
      ...pairs.map(({ inner }, i) => ({
        name: cotangentName(seeds[i + 1]!),
        initial: new Array<number>(inner.groups).fill(0),
      })),
    ],
    write(joint, into, at) {
      write(joint, into, at);
      let next = at + all.length + layout.length;
      into[next++] = joint.seed;
      for (const pair of pairs) {
        into.set(entriesOf(layout, joint.contracted, pair), next);
        next += pair.inner.groups;
      }
    },
    read: (result) => ({
      byTheta: ofTheta(all, result, adjointName),
      byEffects: gather(result, adjointName),
    }),
  };
  const cross: PlainAtJoint<Float64Array, { direction: Float64Array }> = {
    program: withCross(program, energy, layout, names, options),
    inputs: [...inputs, ...effects.map(({ name, initial }) => ({ name: tangentName(name), initial }))],
    write(joint, into, at) {
      write(joint, into, at);
      into.set(joint.direction, at + all.length + layout.length);
    },
    read: (result) => ofTheta(all, result, (name) => tangentName(gradientName(name))),
  };

  const product = (): AtJoint<Float64Array, { direction: Float64Array }> => {
    const of = layout.effects.map(({ name }) => name);
    return {
      program: withCross(program, energy, layout, of, options),
      inputs: [...inputs, ...effects.map(({ name, initial }) => ({ name: tangentName(name), initial }))],
      write: cross.write,
      read: (result) => gather(result, (name) => tangentName(gradientName(name))),
    };
  };

  const byGroup = ({ weighted, weights }: ByGroup): Groupwise => {
    const groups = layout.blocks.length;
    const withWeights = [...inputs, { name: weights, initial: new Array<number>(groups).fill(1) }];
    const of = [...names, ...layout.effects.map(({ name }) => name)];
    const energies: Groupwise['energies'] = {
      program: withResults(withGradient(program, weighted, [weights], options), [gradientName(weights)]),
      inputs,
      write,
      read: (result) => result(gradientName(weights)),
    };
    const slopes: Groupwise['slopes'] = {
      program: withResults(withGradient(program, weighted, of, options), of.map(gradientName)),
      inputs: withWeights,
      write(joint, into, at) {
        write(joint, into, at);
        into.set(joint.weights, at + all.length + layout.length);
      },
      read: (result) => ({ byTheta: ofTheta(all, result, gradientName), byEffects: gather(result, gradientName) }),
    };
    return { energies, slopes };
  };
  const groupwise = problem.byGroup && byGroup(problem.byGroup);
  const asked = [curvature, contraction, cross, ...(information ? [information] : [])];
  const parts = [
    ...asked.flatMap((question): readonly object[] => ('parts' in question ? question.parts : [question])),
    ...(groupwise ? [groupwise.energies, groupwise.slopes] : []),
  ];
  return { layout, curvature, information, contraction, cross, product, groupwise, parts };
}

/** The elements of a result for each parameter, coordinate by coordinate. */
function ofTheta(
  all: readonly Coordinate[],
  result: (name: string) => Float64Array,
  name: (parameter: string) => string,
): Float64Array {
  return Float64Array.from(all, ({ parameter, element }) => result(name(parameter.name))[element]!);
}
