/**
 * The sides of a profile, each a march outward from the fit with steps from the slope of τ (profile.ts), the others
 * optimised again from a start extrapolated along the profile, then the Illinois method for the crossing. Each side is a
 * lane, and all lanes advance as one batch. A side depends on the fit alone, so that any of them may be followed anywhere.
 */
import { Cancelled } from '../../0-ir/errors.ts';
import type { Device } from '../../5-runtime/device.ts';
import { clamp, coordinateSlopes, type Coordinate } from '../../6-fit/coordinates.ts';
import { levenbergMarquardt, type Linearisation } from '../../6-fit/levenberg-marquardt.ts';
import { newton, type Quadratic } from '../../6-fit/newton.ts';
import { isCancelled } from '../../6-fit/problem.ts';
import { batchedLinearisation, batchedQuadratic } from '../../6-fit/ensembles/batched-objective.ts';
import { inLanes } from '../../6-fit/ensembles/lanes.ts';
import type { Part } from '../../6-fit/ensembles/parts.ts';
import { criticalValue, type Fitted, type MethodOptions } from './problem.ts';

type Expansion = Linearisation | Quadratic;

interface Side {
  readonly j: number;
  readonly direction: 1 | -1;
}

interface Optimum {
  readonly energy: number;
  readonly point: Float64Array;
}

/** Where a side ended, in the optimiser's coordinate. */
export interface End {
  readonly u: number;
  readonly kind: 'crossing' | 'bound' | 'infinite' | 'edge' | 'cancelled';
  /** u and τ of what was optimised, from the fit outward. */
  readonly path: readonly (readonly [u: number, root: number])[];
  readonly lowest: number;
}

/** Of one element. */
export type Sides = readonly [below: End, above: End];

const innerIterations = 60;
/** Further than so many times the value (or e^±30 of it on a log scale) nobody looks. */
const reach = 1e5;
const logReach = 30;

/** Of the elements from..to, in their order. */
export async function followProfiles(
  fitted: Fitted,
  device: Device,
  { from, to }: Part,
  { level, cancel, onProgress }: Pick<MethodOptions, 'level' | 'cancel' | 'onProgress'>,
): Promise<Sides[]> {
  const { problem, all } = fitted;
  const critical = criticalValue(fitted, level);
  const elements = Array.from({ length: to - from }, (_, i) => from + i);
  const sides = elements.flatMap((j): Side[] => [
    { j, direction: -1 },
    { j, direction: 1 },
  ]);
  const expand = await (problem.residuals.length > 0 ? batchedLinearisation : batchedQuadratic)(
    problem,
    device,
    all,
    cancel,
  );
  let ended = 0;
  const ends = await inLanes<Side, Float64Array, Expansion, End>(
    sides,
    (points) => expand.at(points),
    async (side, ask) => {
      const end = Number.isNaN(critical)
        ? { u: NaN, kind: 'edge' as const, path: [], lowest: Infinity }
        : await followSide(fitted, side, critical, ask, cancel);
      onProgress?.(++ended / sides.length);
      return end;
    },
  ).finally(expand.release);
  return elements.map((_, i) => [ends[2 * i] as End, ends[2 * i + 1] as End]);
}

async function followSide(
  fitted: Fitted,
  { j, direction }: Side,
  critical: number,
  ask: (u: Float64Array) => Promise<Expansion>,
  cancel: Int32Array | undefined,
): Promise<End> {
  const { all, point, errors, result, variance, problem } = fitted;
  const coordinate = all[j] as Coordinate;
  const start = point[j] as number;
  const scale = problem.residuals.length > 0 ? 1 / variance : 2;
  let lowest = result.energy;
  const path: [number, number][] = [[start, 0]];
  const end = (kind: End['kind'], u: number): End => ({ kind, u, path, lowest });
  /** τ without its sign; the others begin at `from`. */
  const rootAt = async (u: number, from: Float64Array): Promise<{ root: number; optimum: Optimum }> => {
    const optimum = await optimiseOthers(fitted, j, u, from, ask, cancel);
    lowest = Math.min(lowest, optimum.energy);
    const root = Math.sqrt(Math.max(0, optimum.energy - result.energy) * scale);
    if (Number.isFinite(root)) path.push([u, direction * root]);
    return { root, optimum };
  };

  const error = (errors[j] as number) / coordinateSlopes(coordinate, start)[0];
  const bound = direction > 0 ? coordinate.upper : coordinate.lower;
  const size = Math.max(Math.abs(start), Number.isFinite(error) ? error : 0) || 1;
  const limit = coordinate.parameter.scale === 'linear' ? reach * size : logReach;
  let step = Number.isFinite(error) && error > 0 ? Math.min(error * critical, limit) / 2 : 0.1 * Math.min(size, limit);
  let inner = { u: start, root: 0, point };
  let previous: typeof inner | undefined;
  let failures = 0;
  try {
    if (start === bound) return end('bound', bound);
    // Without residuals every other value is excluded.
    if (variance === 0) return end('crossing', start);
    for (;;) {
      if (isCancelled(cancel)) return end('cancelled', NaN);
      const u = clamp(inner.u + direction * step, coordinate);
      const { root, optimum } = await rootAt(u, extrapolated(previous, inner, u));
      if (!Number.isFinite(root)) {
        // The model has no value there: nearer, down to where it ends.
        if (++failures > 12) return end('edge', NaN);
        step /= 4;
        continue;
      }
      if (root >= critical) {
        const crossing = await crossingBetween(inner, { u, root, point: optimum.point }, critical, rootAt);
        return end('crossing', crossing);
      }
      previous = inner;
      inner = { u, root, point: optimum.point };
      if (u === bound) return end('bound', bound);
      if (Math.abs(u - start) >= limit) return end('infinite', direction * Infinity);
      // To the crossing, as the slope of τ from the fit has it, and a little beyond.
      const wanted = (Math.abs(u - start) * critical * 1.1) / root - Math.abs(u - start);
      step = Math.min(Math.max(wanted, step / 4), 4 * Math.max(step, Math.abs(u - start) / 2), limit);
    }
  } catch (caught) {
    if (!(caught instanceof Cancelled)) throw caught;
    return end('cancelled', NaN);
  }
}

interface Reached {
  readonly u: number;
  readonly root: number;
  readonly point: Float64Array;
}

/** The others' start at u, along the line through the last two points. */
function extrapolated(previous: Reached | undefined, last: Reached, u: number): Float64Array {
  if (!previous || last.u === previous.u) return last.point;
  const share = (u - last.u) / (last.u - previous.u);
  return last.point.map((value, i) => value + share * (value - (previous.point[i] as number)));
}

/** Illinois: false position whose kept end is weighed down, so that both ends come in. τ is close to a line. */
async function crossingBetween(
  inside: Reached,
  outside: Reached,
  critical: number,
  rootAt: (u: number, from: Float64Array) => Promise<{ root: number; optimum: Optimum }>,
): Promise<number> {
  let [a, b] = [inside, outside];
  let [fa, fb] = [a.root - critical, b.root - critical];
  let kept = 0;
  for (let k = 0; k < 60; k++) {
    const u = (a.u * fb - b.u * fa) / (fb - fa);
    if (!Number.isFinite(u) || u === a.u || u === b.u) break;
    const nearer = Math.abs(u - a.u) < Math.abs(u - b.u) ? a : b;
    const { root, optimum } = await rootAt(u, nearer.point);
    const f = root - critical;
    if (!Number.isFinite(f)) break;
    if (Math.abs(f) < 1e-10 * critical) return u;
    const reached = { u, root, point: optimum.point };
    if (f < 0) {
      [a, fa] = [reached, f];
      if (kept === -1) fb /= 2;
      kept = -1;
    } else {
      [b, fb] = [reached, f];
      if (kept === 1) fa /= 2;
      kept = 1;
    }
    if (Math.abs(b.u - a.u) <= 1e-12 * Math.abs(b.u)) break;
  }
  return Math.abs(fa) < Math.abs(fb) ? a.u : b.u;
}

/** The least energy with coordinate j held at u. */
async function optimiseOthers(
  { all, problem }: Fitted,
  j: number,
  held: number,
  from: Float64Array,
  ask: (u: Float64Array) => Promise<Expansion>,
  cancel: Int32Array | undefined,
): Promise<Optimum> {
  const others = all.filter((_, i) => i !== j);
  const without = <T>(list: readonly T[]): T[] => list.filter((_, i) => i !== j);
  const whole = (v: Float64Array): Float64Array =>
    Float64Array.from(all, (_, i) => (i === j ? held : (v[i < j ? i : i - 1] as number)));
  const start = Float64Array.from(others, (other, i) => clamp(from[i < j ? i : i + 1] as number, other));
  const options = { maxIterations: innerIterations, ...(cancel && { cancel }) };
  if (others.length === 0) {
    const found = await ask(whole(start));
    const energy = 'residuals' in found ? found.residuals.reduce((sum, r) => sum + r * r, 0) : found.value;
    return { energy, point: whole(start) };
  }
  const ending =
    problem.residuals.length > 0
      ? await levenbergMarquardt(
          async (v) => {
            const found = (await ask(whole(v))) as Linearisation;
            return { residuals: found.residuals, jacobian: without(found.jacobian) };
          },
          others,
          start,
          options,
        )
      : await newton(
          async (v) => {
            const { value, gradient, hessian } = (await ask(whole(v))) as Quadratic;
            return {
              value,
              gradient: Float64Array.from(without([...gradient])),
              hessian: without(hessian).map((row) => Float64Array.from(without([...row]))),
            };
          },
          others,
          start,
          options,
        );
  if (ending.status === 'cancelled') throw new Cancelled();
  const energy = ending.status === 'failed' ? NaN : (ending.history.at(-1) as number);
  return { energy, point: whole(ending.point) };
}
