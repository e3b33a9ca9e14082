/**
 * How far an output of random effects moves and varies about their modes b̂(θ), by differences of what is evaluated alone:
 *
 *   f(θ + h·v, b̂(θ + h·v)) along v,   (∂f/∂b)·H⁻¹·(∂f/∂b)ᵀ,   H = ∂²E/∂b²
 *
 * with the energy E of the data and the effects together. The inner maxima are Newton's, from where one says they are.
 */
import { gradientName, withGradient, type Device, type Instance } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import { lowerModel, type Lowered } from '../../models/lower/lower.ts';
import { startInstance, writeParameters } from '../../src-main/compute/running/run.ts';

export type Values = Record<string, number[]>;

const isEffect = ({ effect }: Lowered['parameters'][number]): boolean => effect !== undefined;
const flat = (values: Values): number[] => Object.values(values).flat();

/** The numbers in the shape of `like`. */
function shaped(like: Values, numbers: readonly number[]): Record<string, number[]> {
  let at = 0;
  return Object.fromEntries(
    Object.entries(like).map(([id, own]) => [id, numbers.slice(at, (at += own.length))] as const),
  );
}

/** The solution of a·x = b by elimination with pivots. */
function solved(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  const rows = a.map((row, i) => [...row, b[i]!]);
  rows.forEach((_, k) => {
    const pivot = rows
      .slice(k)
      .reduce((best, row, i) => (Math.abs(row[k]!) > Math.abs(rows[best]![k]!) ? k + i : best), k);
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    for (let i = 0; i < rows.length; i++) {
      const factor = i === k ? 0 : rows[i]![k]! / rows[k][k]!;
      if (factor !== 0) rows[i] = rows[i]!.map((x, j) => x - factor * rows[k]![j]!);
    }
  });
  return rows.map((row, i) => row.at(-1)! / row[i]!);
}

export interface AroundModes {
  readonly modes: Values;
  /** By element of the output. */
  readonly moved: readonly number[];
  readonly variance: readonly number[];
}

/** Undefined where Newton's method finds no mode by `near`. `rows` is the model that is asked, over other rows if one likes. */
export async function aroundModes(
  [model, rows]: readonly [Model, Model],
  { of, along, near }: { readonly of: string; readonly along: Values; readonly near: Values },
  device: Device,
): Promise<AroundModes | undefined> {
  const joint = lowerModel(model, { objective: 'residuals' });
  const asked = lowerModel(rows, { outputs: [of] });
  const ids = joint.parameters.filter(isEffect).map(({ id }) => id);
  const energy = await startInstance(device, joint, withGradient(joint.program, 'joint', ids));
  const output = await startInstance(device, asked);
  const run = async (
    instance: Instance,
    lowered: Lowered,
    values: Values,
    names: readonly string[],
  ): Promise<number[]> => {
    writeParameters(instance, lowered, values);
    await instance.run();
    const read: number[] = [];
    for (const name of names) read.push(...(await instance.read(name)));
    return read;
  };
  const initial = Object.fromEntries(joint.parameters.map((parameter) => [parameter.id, [...parameter.initial]]));
  const theta = (h: number): Values =>
    Object.fromEntries(
      Object.entries(along).map(([id, v]) => [id, v.map((x, i) => (initial[id]?.[i] ?? NaN) + h * x)]),
    );
  const gradient = (at: Values, b: readonly number[]): Promise<number[]> =>
    run(energy, joint, { ...at, ...shaped(near, b) }, ids.map(gradientName));
  const value = (at: Values, b: readonly number[]): Promise<number[]> =>
    run(output, asked, { ...at, ...shaped(near, b) }, [of]);
  const curvature = async (at: Values, b: readonly number[]): Promise<number[][]> => {
    const columns: number[][] = [];
    for (const i of b.keys()) columns.push(await slope((h) => gradient(at, b.with(i, b[i]! + h))));
    return columns;
  };
  const modeAt = async (at: Values, from: readonly number[]): Promise<number[] | undefined> => {
    let b = [...from];
    for (let step = 0; step < 30; step++) {
      const move = solved(await curvature(at, b), await gradient(at, b));
      b = b.map((x, i) => x - move[i]!);
      if (!b.every(Number.isFinite)) return undefined;
      if (move.every((x, i) => Math.abs(x) <= 1e-10 * (1 + Math.abs(b[i]!)))) return b;
    }
    return undefined;
  };
  try {
    const b = await modeAt(theta(0), flat(near));
    if (!b) return undefined;
    const moved = await slope(async (h) => {
      const mode = await modeAt(theta(h), b);
      return mode ? value(theta(h), mode) : [];
    });
    const by: number[][] = [];
    for (const i of b.keys()) by.push(await slope((step) => value(theta(0), b.with(i, b[i]! + step))));
    const hessian = await curvature(theta(0), b);
    const variance = moved.map((_, row) => {
      const own = by.map((column) => column[row]!);
      return solved(hessian, own).reduce((sum, x, i) => sum + x * own[i]!, 0);
    });
    return { modes: shaped(near, b), moved, variance };
  } finally {
    energy.release();
    output.release();
  }
}

/** Of a function of one number at 0, element by element, to the fourth order; NaN across a kink, where the orders differ. */
async function slope(f: (h: number) => Promise<number[]>): Promise<number[]> {
  const h = 1e-3;
  const [a, b, c, d] = [await f(-2 * h), await f(-h), await f(h), await f(2 * h)];
  return a.map((x, i) => {
    const [narrow, wide] = [(c[i]! - b[i]!) / (2 * h), (d[i]! - x) / (4 * h)];
    return Math.abs(narrow - wide) > 1e-3 * (1 + Math.abs(narrow)) ? NaN : (4 * narrow - wide) / 3;
  });
}
