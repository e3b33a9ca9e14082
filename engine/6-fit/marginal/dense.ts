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
import type { FitProblem } from '../problem.ts';
import type { Ask, ComposedQuestion, Result } from '../questions.ts';
import type { Blocks } from './blocks.ts';
import { eachAlone, groupedColumns, type GroupedColumns } from './columns.ts';
import { besideEffects, writtenBy } from './joint.ts';
import type { AtJoint, Contracted, Direction, Joint, PlainAtJoint, Slopes, Wiring } from './joint.ts';
import type { JointCurvature } from './modes.ts';
import { withCross } from './programs.ts';
import { hessianName, withRowContraction, withRowCurvature } from './rows.ts';

interface Dense {
  readonly curvature: AtJoint<JointCurvature>;
  readonly contraction: AtJoint<Slopes, Contracted>;
}

type Problem = Pick<FitProblem, 'program' | 'energy' | 'objective'>;

export function denseQuestions(problem: Problem, wiring: Wiring, options: SweepOptions): Dense {
  const n = wiring.layout.length;
  const { slope, column, sweep } = slopesAndColumns(problem, wiring, options);
  const hessian = denseHessian(n, column);
  const rows = rowQuestions(problem, wiring, options);
  const rowsAt = rows && rowsWhereApart(rows.curvature, hessian.isWhole);
  const curvature: ComposedQuestion<Joint, JointCurvature> = {
    parts: [slope, column, ...(rows ? [rows.curvature] : [])],
    async compose(ask, joint) {
      const byRows = await rowsAt?.(ask, joint);
      if (byRows) return byRows;
      const { value, also, gradient } = await ask(slope, joint);
      return { value, also, gradient, hessian: await hessian.at(ask, joint) };
    },
  };
  const contraction: ComposedQuestion<Joint & Contracted, Slopes> = {
    parts: [slope, sweep, ...(rows ? [rows.sweep] : [])],
    async compose(ask, { seed, contracted, ...joint }) {
      if (rows && rowsAt?.areApart()) return ask(rows.sweep, { seed, contracted, ...joint });
      const plain = await ask(slope, joint);
      const total = {
        byTheta: plain.byTheta.map((x) => seed * x),
        byEffects: plain.gradient.map((x) => seed * x),
      };
      for (const { direction, column: at } of hessian.columns().groups) {
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

type ByEffects = Omit<JointCurvature, 'hessian'>;
type Slope = ByEffects & { readonly byTheta: Float64Array };
type Column = PlainAtJoint<Float64Array, Direction>;

const energyRead = (result: Result, energy: string, objective: string, byEffects: Wiring['byEffects']): ByEffects => ({
  value: result(energy)[0]!,
  also: new Map([energy, objective].map((name) => [name, result(name)[0]!])),
  gradient: byEffects(result, gradientName),
});

/** E and its slopes; H·e for a direction e; and (∂/∂(θ, b)) aᵀ·H·e for another a, along it. */
function slopesAndColumns({ program, energy, objective }: Problem, wiring: Wiring, options: SweepOptions) {
  const { layout, names, inputs, write, byEffects, byTheta } = wiring;
  const effects = layout.effects.map(({ name }) => name);
  const all = [...names, ...effects];
  const written = writtenBy(wiring);
  const slope: PlainAtJoint<Slope> = {
    program: withGradient(program, energy, all, options),
    inputs,
    write,
    read: (result) => ({
      ...energyRead(result, energy, objective, byEffects),
      byTheta: byTheta(result, gradientName),
    }),
  };
  const columns = withCross(program, energy, layout, effects, options);
  const column: Column = {
    program: columns,
    inputs: [...inputs, ...besideEffects(layout, tangentName)],
    write(joint, into, at) {
      write(joint, into, at);
      into.set(joint.direction, at + written);
    },
    read: (result) => byEffects(result, (effect) => tangentName(gradientName(effect))),
  };
  const products = effects.map((effect) => tangentName(gradientName(effect)));
  const swept = vjp(columns, { ...options, of: products, by: all });
  const sweep: PlainAtJoint<Slopes, Direction & { along: Float64Array }> = {
    program: { ...swept, results: swept.results.slice(columns.results.length) },
    inputs: [...column.inputs, ...besideEffects(layout, (effect) => cotangentName(tangentName(gradientName(effect))))],
    write(joint, into, at) {
      column.write(joint, into, at);
      into.set(joint.along, at + written + layout.length);
    },
    read: (result) => ({ byTheta: byTheta(result, adjointName), byEffects: byEffects(result, adjointName) }),
  };
  return { slope, column, sweep };
}

interface DenseHessian {
  at(ask: Ask, joint: Joint): Promise<Blocks>;
  /** Which of its columns go together, as far as is known. */
  columns(): GroupedColumns;
  /** Whether a product with all of H is as this says. */
  isWhole(ask: Ask, joint: Joint, hessian: Blocks): Promise<boolean>;
}

function denseHessian(n: number, column: Column): DenseHessian {
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
  return {
    columns: () => known ?? eachAlone(n),
    isWhole,
    async at(ask, joint) {
      if (!known) {
        const hessian = await hessianBy(ask, besideJoint(joint), eachAlone(n));
        known = hessian.every(Number.isFinite) ? groupedColumns(n, hessian) : eachAlone(n);
      }
      const hessian = await hessianBy(ask, joint, known);
      if (known.groups.length === n || (await isWhole(ask, joint, hessian))) return hessian;
      const whole = await hessianBy(ask, joint, eachAlone(n));
      if (whole.every(Number.isFinite)) known = groupedColumns(n, whole, known);
      return whole;
    },
  };
}

/** The same where H is a sum over rows; undefined where no program says so. */
function rowQuestions({ program, energy, objective }: Problem, wiring: Wiring, options: SweepOptions) {
  const { layout, names, inputs, write, byEffects, byTheta } = wiring;
  const n = layout.length;
  const written = writtenBy(wiring);
  const byRows = withRowCurvature(program, energy, layout, [objective], options);
  if (!byRows) return undefined;
  const curvature: PlainAtJoint<JointCurvature> = {
    program: byRows,
    inputs,
    write,
    read: (result) => ({ ...energyRead(result, energy, objective, byEffects), hessian: result(hessianName) }),
  };
  const sweep: PlainAtJoint<Slopes, Contracted> = {
    program: withRowContraction(byRows, energy, [...names, ...layout.effects.map(({ name }) => name)], options),
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
    read: (result) => ({ byTheta: byTheta(result, adjointName), byEffects: byEffects(result, adjointName) }),
  };
  return { curvature, sweep };
}

/** Whether rows do not meet, so that the sum over them is all of H: looked at beside the first point, and in each product. */
function rowsWhereApart(curvature: PlainAtJoint<JointCurvature>, isWhole: DenseHessian['isWhole']) {
  let areApart: boolean | undefined;
  const at = async (ask: Ask, joint: Joint): Promise<JointCurvature | undefined> => {
    if (areApart === false) return undefined;
    if (areApart === undefined) {
      const beside = besideJoint(joint);
      areApart = await isWhole(ask, beside, (await ask(curvature, beside)).hessian);
    }
    const found = await ask(curvature, joint);
    areApart &&= await isWhole(ask, joint, found.hessian);
    return areApart ? found : undefined;
  };
  return Object.assign(at, { areApart: () => areApart === true });
}

const besideJoint = ({ point, effects }: Joint): Joint => ({ point: besideOf(point), effects: besideOf(effects) });

/** A little off, in each direction by another share. */
const besideOf = (values: Float64Array): Float64Array =>
  values.map((x, i) => x + 0.01 * (1 + Math.abs(x)) * Math.sin(1 + 1.7 * i));
