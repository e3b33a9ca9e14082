/** What can be asked of a problem whose effects are integrated out: its answers are composed of those at joint points. */
import type { Coordinate } from '../coordinates.ts';
import type { SweepOptions } from '../derivative-programs.ts';
import { profiles } from '../../2-ad/cost.ts';
import type { EffectLayout } from '../effects.ts';
import type { Quadratic } from '../expansion.ts';
import type { FitProblem } from '../problem.ts';
import type { Ask, AtPoint, ComposedQuestion } from '../questions.ts';
import type { Slope } from '../stationary/stationary.ts';
import { areApart } from './apart.ts';
import { inverses, solved, type Blocks } from './blocks.ts';
import { differences, type Differences } from './differenced.ts';
import { firstOrder } from './first-order.ts';
import type { Likelihood } from './joint.ts';
import { jointQuestions, type JointQuestions } from './joint-questions.ts';
import { keptModes } from './kept-modes.ts';
import { integralOf, integrated, slopeAt, wantedByGroup } from './laplace.ts';
import type { Modes, NoMode } from './modes.ts';
import { restricted, unrestricted, type Unrestricted } from './restricted.ts';

/** A point, and how often each group counts. */
interface AtCounts {
  readonly point: Float64Array;
  readonly counts: Float64Array;
}

/** What can be asked of a problem whose effects are integrated out. */
export interface Marginal {
  readonly scalars: (results: readonly string[]) => AtPoint<readonly number[]>;
  /** Of the energy, as is the Hessian. */
  readonly slope: AtPoint<Slope>;
  readonly quadratic: AtPoint<Quadratic>;
  /** What a method asks that descends by Hessians: to all digits at the end alone (differenced.ts). */
  readonly descent: AtPoint<Quadratic>;
  /** The modes of the effects at a point, or the group that has none. */
  readonly modes: AtPoint<Modes | NoMode>;
  /** What is known of the effects at a point. */
  readonly spread: AtPoint<EffectSpread | NoMode>;
  /**
   * Whether no group meets another at a point: the blocks of H are then all of it, and with quadrature each group's
   * energy is its own. True where H is not finite.
   */
  readonly apart: AtPoint<boolean>;
  /** A parameter that is to be integrated out and cannot. */
  readonly unrestricted: AtPoint<Unrestricted | undefined>;
  /** The energy where each group counts so often, priors once: of a problem with `byGroup` alone. */
  readonly counted: {
    readonly slope: ComposedQuestion<AtCounts, Slope>;
    readonly descent: ComposedQuestion<AtCounts, Quadratic>;
    /** The groups of which anything was observed. */
    readonly observed: AtPoint<readonly number[]>;
  };
  readonly layout: EffectLayout;
}

/** How effects vary about their modes at given parameters, and how the modes move with these. */
export interface EffectSpread {
  readonly layout: EffectLayout;
  readonly effects: Float64Array;
  /** H⁻¹, block by block. */
  readonly covariance: Blocks;
  /** ∂b̂/∂p for each coordinate, by the parameter itself. */
  readonly slopes: readonly Float64Array[];
}

/** What rounding may leave of a group's −log density without data. */
const NOTHING = 1e-12;
/** One for a problem, so that all questions share what is compiled and begin at the last modes. */
const known = new WeakMap<FitProblem, Marginal>();

export function marginalOf(problem: FitProblem, all: readonly Coordinate[]): Marginal {
  const made = known.get(problem) ?? openMarginal(problem, all, { profile: profiles.cpu, ...problem.sweep });
  known.set(problem, made);
  return made;
}

function openMarginal(problem: FitProblem, all: readonly Coordinate[], options: SweepOptions): Marginal {
  const questions = jointQuestions(problem, all, options);
  const { layout, parts } = questions;
  const modes = keptModes(layout, questions.curvature);
  const integral = integralOf(problem, all, questions, modes);
  const whole = byMiddle(problem, all, questions) ?? integrated(integral);
  const fixed = problem.restricted ?? [];
  const { values, slope } = fixed.length > 0 ? restricted(whole, fixed, all) : whole;
  const scales = new Float64Array(all.length);
  const curvatures = differences(all, scales);
  const composed = <Q, A>(compose: ComposedQuestion<Q, A>['compose']): ComposedQuestion<Q, A> => ({ parts, compose });
  const differenced = (how: 'whole' | 'descent'): AtPoint<Quadratic> =>
    composed((ask, point) =>
      curvatures[how](
        (u) => slope(ask, u),
        point,
        () => modes.highest(ask, point),
      ),
    );
  /** Of the counts that were asked last. */
  let ofCounts: { readonly counts: Float64Array; readonly curvatures: Differences } | undefined;
  return {
    layout,
    scalars: (results) => composed((ask, point) => values(ask, point, results)),
    slope: composed(slope),
    quadratic: differenced('whole'),
    descent: differenced('descent'),
    counted: {
      slope: composed((ask, { point, counts }) => slopeAt(integral, ask, point, counts)),
      descent: composed((ask, { point, counts }) => {
        if (ofCounts?.counts !== counts) ofCounts = { counts, curvatures: differences(all, scales.slice()) };
        return ofCounts.curvatures.descent((u) => slopeAt(integral, ask, u, counts), point);
      }),
      observed: composed((ask, point) => observedGroups(questions, ask, point)),
    },
    unrestricted: composed((ask, point) => unrestricted(whole, fixed, all, ask, point)),
    modes: composed(modes.found),
    spread: composed(async (ask, point) => {
      const found = await modes.found(ask, point);
      return 'why' in found ? found : spreadAt(questions, all, ask, point, found);
    }),
    apart: composed((ask, point) => areApart(questions, ask, point)),
  };
}

/** Where the problem asks for it. */
function byMiddle(
  { firstOrder: wanted, energy }: FitProblem,
  all: readonly Coordinate[],
  { layout, curvature, information, contraction, cross }: JointQuestions,
): Likelihood | undefined {
  if (!wanted || !information) return undefined;
  return firstOrder(layout, { curvature, information, contraction, cross }, all, energy);
}

/** The groups of which anything was observed. */
async function observedGroups(questions: JointQuestions, ask: Ask, point: Float64Array): Promise<number[]> {
  const { layout } = questions;
  // Where all effects are 0 nothing but the constants of their own density is left of the others.
  const own = await ask(wantedByGroup(questions).energies, { point, effects: new Float64Array(layout.length) });
  const least = layout.blocks.map(({ length }) => (length / 2) * Math.log(2 * Math.PI));
  return [...own.keys()].filter((t) => Math.abs(own[t]! - least[t]!) > NOTHING);
}

async function spreadAt(
  { layout, cross }: JointQuestions,
  all: readonly Coordinate[],
  ask: Ask,
  point: Float64Array,
  { effects, factors }: Modes,
): Promise<EffectSpread> {
  // ∂²E/∂θ∂b, an effect at a time.
  const mixed = all.map(() => new Float64Array(layout.length));
  for (let i = 0; i < layout.length; i++) {
    const direction = new Float64Array(layout.length);
    direction[i] = 1;
    const column = await ask(cross, { point, effects, direction });
    mixed.forEach((row, j) => (row[i] = column[j]!));
  }
  return {
    ...{ layout, effects, covariance: inverses(layout, factors) },
    slopes: mixed.map((row) => solved(layout, factors, row).map((x) => -x)),
  };
}
