/**
 * Effects of groups that cross (each plate is read with each sample) or meet (each state of a process is made of those
 * before): H is one dense matrix, had column by column,
 *
 *   H·e_j = ∂/∂b (∂E/∂b · e_j)   and   ∂/∂(θ, b) Σ A∘H = Σ_j ∂/∂(θ, b) (e_jᵀ·H·a_j),   a_j the columns of A
 *
 * a product, or a sweep through one, for each column. Columns that have no row in common go together: their sum tells them
 * apart (Curtis, Powell and Reid 1974), so that a process whose states see their neighbours takes three runs (columns.ts).
 * Where the data see effects row by row, H is a sum over rows in the place of all this (rows.ts).
 */
import { adjointName, cotangentName, tangentName } from '../../2-ad/names.ts';
import { vjp } from '../../2-ad/vjp.ts';
import { gradientName, withGradient, type SweepOptions } from '../derivative-programs.ts';
import type { EffectLayout } from '../effects.ts';
import type { FitProblem } from '../problem.ts';
import type { Ask, ComposedQuestion, Result } from '../questions.ts';
import type { Blocks } from './blocks.ts';
import { eachAlone, groupedColumns, type GroupedColumns } from './columns.ts';
import type { AtJoint, Joint, PlainAtJoint, Slopes } from './joint.ts';
import type { JointCurvature } from './modes.ts';
import { withCross } from './programs.ts';
import { hessianName, withRowContraction, withRowCurvature } from './rows.ts';

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

interface Dense {
  readonly curvature: AtJoint<JointCurvature>;
  readonly contraction: AtJoint<Slopes, { seed: number; contracted: Blocks }>;
}

export function denseQuestions(
  { program, energy, objective }: Pick<FitProblem, 'program' | 'energy' | 'objective'>,
  { layout, names, inputs, write, byEffects, byTheta }: Wiring,
  options: SweepOptions,
): Dense {
  const n = layout.length;
  const effects = layout.effects.map(({ name }) => name);
  const all = [...names, ...effects];
  const written = inputs.reduce((total, { initial }) => total + initial.length, 0);
  const beside = (name: (effect: string) => string): PlainAtJoint<unknown>['inputs'] =>
    layout.effects.map(({ name: effect, groups }) => ({
      name: name(effect),
      initial: new Array<number>(groups).fill(0),
    }));

  const gradientRead = (result: Result): Omit<JointCurvature, 'hessian'> => ({
    value: result(energy)[0]!,
    also: new Map([energy, objective].map((name) => [name, result(name)[0]!])),
    gradient: byEffects(result, gradientName),
  });
  const slope: PlainAtJoint<{ byTheta: Float64Array } & Omit<JointCurvature, 'hessian'>> = {
    program: withGradient(program, energy, all, options),
    inputs,
    write,
    read: (result) => ({ ...gradientRead(result), byTheta: byTheta(result, gradientName) }),
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
  const adjointRead = (result: Result): Slopes => ({
    byTheta: byTheta(result, adjointName),
    byEffects: byEffects(result, adjointName),
  });
  const products = effects.map((effect) => tangentName(gradientName(effect)));
  const swept = vjp(columns, { ...options, of: products, by: all });
  const sweep: PlainAtJoint<Slopes, { direction: Float64Array; along: Float64Array }> = {
    program: { ...swept, results: swept.results.slice(columns.results.length) },
    inputs: [...column.inputs, ...beside((effect) => cotangentName(tangentName(gradientName(effect))))],
    write(joint, into, at) {
      column.write(joint, into, at);
      into.set(joint.along, at + written + n);
    },
    read: adjointRead,
  };

  /**
   * As the Hessian was beside the first point, where nothing vanishes that has a derivative; what is more elsewhere shows
   * in a product.
   */
  let known: GroupedColumns | undefined;
  const hessianBy = async (ask: Ask, joint: Joint, { groups }: GroupedColumns): Promise<Blocks> => {
    const hessian = new Float64Array(n * n);
    for (const { direction, column: at } of groups) {
      const found = await ask(column, { ...joint, direction });
      for (let i = 0; i < n; i++) if (at[i]! >= 0) hessian[i * n + at[i]!] = found[i]!;
    }
    return hessian;
  };
  const probe = Float64Array.from({ length: n }, (_, i) => Math.sin(1 + 1.7 * i));
  const isWhole = async (ask: Ask, joint: Joint, hessian: Blocks): Promise<boolean> => {
    const product = await ask(column, { ...joint, direction: probe });
    return product.every((value, i) => {
      let [sum, size] = [0, 0];
      for (let j = 0; j < n; j++) {
        const term = hessian[i * n + j]! * probe[j]!;
        sum += term;
        size += Math.abs(term);
      }
      return !(Math.abs(value - sum) > 1e-9 * (size + Math.abs(value)));
    });
  };
  const hessianAt = async (ask: Ask, joint: Joint): Promise<Blocks> => {
    if (!known) {
      const hessian = await hessianBy(ask, besideJoint(joint), eachAlone(n));
      known = hessian.every(Number.isFinite) ? groupedColumns(n, hessian) : eachAlone(n);
    }
    const hessian = await hessianBy(ask, joint, known);
    if (known.groups.length === n || (await isWhole(ask, joint, hessian))) return hessian;
    const whole = await hessianBy(ask, joint, eachAlone(n));
    if (whole.every(Number.isFinite)) known = groupedColumns(n, whole, known);
    return whole;
  };

  const byRows = withRowCurvature(program, energy, layout, [objective], options);
  const rowCurvature: PlainAtJoint<JointCurvature> | undefined = byRows && {
    ...slope,
    program: byRows,
    read: (result) => ({ ...gradientRead(result), hessian: result(hessianName) }),
  };
  const rowSweep: PlainAtJoint<Slopes, { seed: number; contracted: Blocks }> | undefined = byRows && {
    program: withRowContraction(byRows, energy, all, options),
    inputs: [
      ...inputs,
      { name: cotangentName(energy), initial: [1] },
      { name: cotangentName(hessianName), initial: new Array<number>(n * n).fill(0) },
    ],
    write(joint, into, at) {
      write(joint, into, at);
      into[at + written] = joint.seed;
      into.set(joint.contracted, at + written + 1);
    },
    read: adjointRead,
  };
  /** Whether rows do not meet, so that the sum over them is all of H: looked at beside the first point, and in each product. */
  let areRows = rowCurvature ? undefined : false;
  const rowsAt = async (ask: Ask, joint: Joint): Promise<JointCurvature | undefined> => {
    if (!rowCurvature || areRows === false) return undefined;
    if (areRows === undefined) {
      const beside = besideJoint(joint);
      const { hessian } = await ask(rowCurvature, beside);
      areRows = await isWhole(ask, beside, hessian);
    }
    const found = await ask(rowCurvature, joint);
    areRows &&= await isWhole(ask, joint, found.hessian);
    return areRows ? found : undefined;
  };

  const curvature: ComposedQuestion<Joint, JointCurvature> = {
    parts: [slope, column, ...(rowCurvature ? [rowCurvature] : [])],
    async compose(ask, joint) {
      const byRows = await rowsAt(ask, joint);
      if (byRows) return byRows;
      const { value, also, gradient } = await ask(slope, joint);
      return { value, also, gradient, hessian: await hessianAt(ask, joint) };
    },
  };
  const contraction: ComposedQuestion<Joint & { seed: number; contracted: Blocks }, Slopes> = {
    parts: [slope, sweep, ...(rowSweep ? [rowSweep] : [])],
    async compose(ask, { seed, contracted, ...joint }) {
      if (rowSweep && areRows) return ask(rowSweep, { seed, contracted, ...joint });
      const plain = await ask(slope, joint);
      const total = {
        byTheta: plain.byTheta.map((x) => seed * x),
        byEffects: plain.gradient.map((x) => seed * x),
      };
      for (const { direction, column: at } of (known ?? eachAlone(n)).groups) {
        const along = Float64Array.from(at, (j, i) => (j < 0 ? 0 : contracted[i * n + j]!));
        const found = await ask(sweep, { ...joint, direction, along });
        found.byTheta.forEach((x, i) => (total.byTheta[i] = total.byTheta[i]! + x));
        found.byEffects.forEach((x, i) => (total.byEffects[i] = total.byEffects[i]! + x));
      }
      return total;
    },
  };
  return { curvature, contraction };
}

const besideJoint = ({ point, effects }: Joint): Joint => ({ point: besideOf(point), effects: besideOf(effects) });

/** A little off, in each direction by another share. */
const besideOf = (values: Float64Array): Float64Array =>
  values.map((x, i) => x + 0.01 * (1 + Math.abs(x)) * Math.sin(1 + 1.7 * i));
