/** The programs of the joint density of data and effects: what a marginal likelihood is composed of (marginal.ts). */
import { adjointName, cotangentName, tangentName } from '../../2-ad/names.ts';
import type { Coordinate } from '../coordinates.ts';
import { gradientName, withGradient, type SweepOptions } from '../derivative-programs.ts';
import { effectLayout, effectPairs, type EffectLayout, type EffectPair } from '../effects.ts';
import type { ByGroup, FitProblem } from '../problem.ts';
import { withResults, writeValues, type Result } from '../questions.ts';
import { blocksOf, entriesOf, type Blocks } from './blocks.ts';
import { denseQuestions } from './dense.ts';
import { withInformation } from './information.ts';
import { besideEffects, writtenBy } from './joint.ts';
import type { AtJoint, Contracted, Direction, PlainAtJoint, Slopes, Wiring } from './joint.ts';
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
  readonly contraction: AtJoint<Slopes, Contracted>;
  /** (∂²E/∂θ∂b)·v */
  readonly cross: PlainAtJoint<Float64Array, Direction>;
  /** (∂²E/∂b²)·v, all of it: compiled once it is wanted. */
  readonly product: () => AtJoint<Float64Array, Direction>;
  readonly groupwise: Groupwise | undefined;
  /** All that these are made of. */
  readonly parts: readonly object[];
}

type Blockwise = (of: EffectPair) => Float64Array;

export function jointQuestions(problem: FitProblem, all: readonly Coordinate[], options: SweepOptions): JointQuestions {
  const layout = effectLayout(problem.effects ?? [], problem.together);
  const wiring = wiringOf(problem, all, layout);
  const dense = layout.dense ? denseQuestions(problem, wiring, options) : undefined;
  const sparse = blockQuestions(problem, wiring, options);
  const curvature = dense?.curvature ?? sparse.curvature;
  const contraction = dense?.contraction ?? sparse.contraction();
  const { information } = sparse;
  const { names, byEffects, byTheta } = wiring;
  const cross = crossWith(problem, wiring, options, names, (result) =>
    byTheta(result, (name) => tangentName(gradientName(name))),
  );
  const effects = layout.effects.map(({ name }) => name);
  const product: JointQuestions['product'] = () =>
    crossWith(problem, wiring, options, effects, (result) =>
      byEffects(result, (name) => tangentName(gradientName(name))),
    );
  const groupwise = problem.byGroup && groupwiseOf(problem, problem.byGroup, wiring, options);
  const asked = [curvature, contraction, cross, ...(information ? [information] : [])];
  const parts = [
    ...asked.flatMap((question): readonly object[] => ('parts' in question ? question.parts : [question])),
    ...(groupwise ? [groupwise.energies, groupwise.slopes] : []),
  ];
  return { layout, curvature, information, contraction, cross, product, groupwise, parts };
}

function wiringOf({ parameters }: FitProblem, all: readonly Coordinate[], layout: EffectLayout): Wiring {
  const free = parameters.filter(({ fixed }) => !fixed);
  return {
    layout,
    names: free.map(({ name }) => name),
    inputs: [...free, ...besideEffects(layout, (name) => name)],
    write({ point, effects }, into, at) {
      writeValues(all, point, into, at);
      into.set(effects, at + all.length);
    },
    byEffects(result, name) {
      const values = new Float64Array(layout.length);
      for (const { name: effect, offset } of layout.effects) values.set(result(name(effect)), offset);
      return values;
    },
    byTheta: (result, name) =>
      Float64Array.from(all, ({ parameter, element }) => result(name(parameter.name))[element]!),
  };
}

/** H block by block: by itself, with E and its gradient, and contracted. */
function blockQuestions(problem: FitProblem, wiring: Wiring, options: SweepOptions) {
  const { program, energy, objective } = problem;
  const { layout, names, inputs, write, byEffects, byTheta } = wiring;
  const pairs = effectPairs(layout);
  const entriesRead = (result: Result): Blockwise => {
    const entries = new Map(
      pairs.map(({ outer, inner }) => {
        const name = curvatureName(outer.name, inner.name);
        return [name, result(name)] as const;
      }),
    );
    return ({ outer, inner }) => entries.get(curvatureName(outer.name, inner.name))!;
  };
  const curvature: PlainAtJoint<JointCurvature> = {
    program: withCurvature(program, energy, layout, [objective], options),
    inputs,
    write,
    read: (result) => ({
      value: result(energy)[0]!,
      also: new Map([energy, objective].map((name) => [name, result(name)[0]!])),
      gradient: byEffects(result, gradientName),
      hessian: blocksOf(layout, entriesRead(result)),
    }),
  };
  const information: PlainAtJoint<Blocks> | undefined = problem.information && {
    program: withInformation(program, energy, layout, problem.information, options),
    inputs,
    write,
    read: (result) => blocksOf(layout, entriesRead(result)),
  };
  const written = writtenBy(wiring);
  const contraction = (): PlainAtJoint<Slopes, Contracted> => ({
    program: withContraction(
      (information ?? curvature).program,
      energy,
      layout,
      [...names, ...layout.effects.map(({ name }) => name)],
      options,
    ),
    inputs: [
      ...inputs,
      { name: cotangentName(energy), initial: [1] },
      ...pairs.map(({ outer, inner }) => ({
        name: cotangentName(curvatureName(outer.name, inner.name)),
        initial: new Array<number>(inner.groups).fill(0),
      })),
    ],
    write(joint, into, at) {
      write(joint, into, at);
      let next = at + written;
      into[next++] = joint.seed;
      for (const pair of pairs) {
        into.set(entriesOf(layout, joint.contracted, pair), next);
        next += pair.inner.groups;
      }
    },
    read: (result) => ({ byTheta: byTheta(result, adjointName), byEffects: byEffects(result, adjointName) }),
  });
  return { curvature, information, contraction };
}

/** (∂²E/∂x∂b)·v, x the inputs `of`. */
function crossWith(
  { program, energy }: FitProblem,
  wiring: Wiring,
  options: SweepOptions,
  of: readonly string[],
  read: (result: Result) => Float64Array,
): PlainAtJoint<Float64Array, Direction> {
  const { layout, inputs, write } = wiring;
  const written = writtenBy(wiring);
  return {
    program: withCross(program, energy, layout, of, options),
    inputs: [...inputs, ...besideEffects(layout, tangentName)],
    write(joint, into, at) {
      write(joint, into, at);
      into.set(joint.direction, at + written);
    },
    read,
  };
}

function groupwiseOf(
  { program }: FitProblem,
  { weighted, weights }: ByGroup,
  wiring: Wiring,
  options: SweepOptions,
): Groupwise {
  const { layout, names, inputs, write, byEffects, byTheta } = wiring;
  const of = [...names, ...layout.effects.map(({ name }) => name)];
  const written = writtenBy(wiring);
  const energies: Groupwise['energies'] = {
    program: withResults(withGradient(program, weighted, [weights], options), [gradientName(weights)]),
    inputs,
    write,
    read: (result) => result(gradientName(weights)),
  };
  const slopes: Groupwise['slopes'] = {
    program: withResults(withGradient(program, weighted, of, options), of.map(gradientName)),
    inputs: [...inputs, { name: weights, initial: new Array<number>(layout.blocks.length).fill(1) }],
    write(joint, into, at) {
      write(joint, into, at);
      into.set(joint.weights, at + written);
    },
    read: (result) => ({ byTheta: byTheta(result, gradientName), byEffects: byEffects(result, gradientName) }),
  };
  return { energies, slopes };
}
