/**
 * A Hessian from exact gradients, by differences of fourth order in units of the function's own curvature: with steps of
 * h = 0.02/√Hⱼⱼ what is left of the truncation is of the order h⁴, and of the gradients' rounding 10⁻¹⁰/h. On the way down
 * one of first order will do, at a quarter of the gradients; and none is formed anew where the last one was.
 */
import { cholesky } from '../algebra/cholesky.ts';
import type { Bounds } from '../coordinates.ts';
import type { Quadratic } from '../expansion.ts';
import { isHeld, type Slope } from '../stationary/stationary.ts';

const STEP = 0.02;
/** In units of the curvature, a way on which a Hessian is taken to stay what it was. */
const SAME = 1e-8;
/** So long a first-order step is that its second-order remainder is held for the Hessian's: a tenth of a deviation. */
const WIDE = 0.1;
/** Least pivot of a Hessian with a unit diagonal that first-order differences are trusted with. */
const BENT = 0.05;

/** Of f′ at a point, by f there and at h, 2h, 3h and 4h to one side. */
const ONE_SIDED = [-25, 48, -36, 16, -3] as const;

type SlopeAt = (u: Float64Array) => Promise<Slope>;

/** Hessians of one function at one point after the other. */
export interface Differences {
  /** `begin` is called where one is formed. */
  whole(slope: SlopeAt, point: Float64Array, begin?: () => Promise<void>): Promise<Quadratic>;
  /** The same near a stationary point, and where the function does not curve upward; some two digits elsewhere. */
  descent(slope: SlopeAt, point: Float64Array, begin?: () => Promise<void>): Promise<Quadratic>;
}

/** `scales`: 1/√Hⱼⱼ as far as it is known; 0 where it is not. It is brought up to date. */
export function differences(all: readonly Bounds[], scales = new Float64Array(all.length)): Differences {
  let last: { readonly point: Float64Array; readonly hessian: Float64Array[] } | undefined;
  const known = (point: Float64Array): Float64Array[] | undefined => {
    const isSame = last?.point.every((u, j) => Math.abs(u - point[j]!) <= SAME * scales[j]!);
    return isSame ? last?.hessian : undefined;
  };
  const formed = async (slope: SlopeAt, point: Float64Array, here: Slope): Promise<Quadratic> => {
    const hessian = await differencedHessian(slope, point, here, scales, all);
    if (hessian.every((row) => row.every(Number.isFinite))) last = { point: point.slice(), hessian };
    return { ...here, hessian };
  };
  return {
    async whole(slope, point, begin) {
      const hessian = known(point);
      if (!hessian) await begin?.();
      const here = await slope(point);
      return hessian ? { ...here, hessian } : formed(slope, point, here);
    },
    async descent(slope, point, begin) {
      const hessian = known(point);
      if (!hessian) await begin?.();
      const here = await slope(point);
      if (hessian) return { ...here, hessian };
      const rough = await roughHessian(slope, point, here, scales, all);
      // gᵀH⁻¹g ≥ gⱼ²/Hⱼⱼ: whatever the others do, the way left is as long.
      const isFar = rough.some((row, j) => {
        const way = Math.abs(here.gradient[j]!) / Math.sqrt(row[j]!);
        return way > SAME && !isHeld(point, here.gradient, all, j);
      });
      return isFar && curvesUp(rough) ? { ...here, hessian: rough } : formed(slope, point, here);
    },
  };
}

function curvesUp(hessian: readonly Float64Array[]): boolean {
  const roots = hessian.map((row, i) => Math.sqrt(row[i]!));
  const unit = hessian.map((row, i) => row.map((x, j) => x / (roots[i]! * roots[j]!)));
  return cholesky(unit)?.every((row, i) => row[i]! ** 2 > BENT) ?? false;
}

/** By one gradient beside the point for each coordinate, on the side that has more room. */
async function roughHessian(
  slope: SlopeAt,
  point: Float64Array,
  here: Slope,
  scales: Float64Array,
  all: readonly Bounds[],
): Promise<Float64Array[]> {
  const columns: Float64Array[] = [];
  for (const j of point.keys()) {
    const { widest, room, side } = placeOf(point, j, all);
    const column = async (length: number): Promise<Float64Array> => {
      const h = side * Math.min(length, room);
      const { gradient } = await slope(beside(point, j, h));
      return gradient.map((g, i) => (g - here.gradient[i]!) / h);
    };
    const scale = scales[j]!;
    const first = scale > 0 ? STEP * Math.min(scale, widest) : 1e-3 * widest;
    let found = await column(first);
    scales[j] = scaleOf(found[j]!);
    if (first > WIDE * scales[j] && scales[j] !== 0) {
      found = await column(STEP * scales[j]);
      scales[j] = scaleOf(found[j]!);
    }
    columns.push(found);
  }
  return symmetric(columns);
}

/** No point lies outside the bounds: beside one the differences are of one side. */
async function differencedHessian(
  slope: SlopeAt,
  point: Float64Array,
  here: Slope,
  scales: Float64Array,
  all: readonly Bounds[],
): Promise<Float64Array[]> {
  const at = async (j: number, h: number): Promise<Float64Array> => (await slope(beside(point, j, h))).gradient;
  const columns: Float64Array[] = [];
  for (const j of point.keys()) {
    const { widest, room, side, isBetween } = placeOf(point, j, all);
    let scale = scales[j]!;
    if (!(scale > 0)) {
      const h = side * Math.min(1e-3 * widest, room);
      const slope = (await at(j, h))[j]!;
      scale = 1 / Math.sqrt(Math.abs((slope - here.gradient[j]!) / h));
    }
    if (!(scale < widest)) scale = widest;
    const h = STEP * scale;
    const column = isBetween(2 * h)
      ? await centralColumn((d) => at(j, d), h)
      : await oneSidedColumn((d) => at(j, d), here.gradient, side * Math.min(h, room / 4));
    columns.push(column);
    scales[j] = scaleOf(column[j]!);
  }
  return symmetric(columns);
}

const scaleOf = (curvature: number): number => (curvature > 0 ? 1 / Math.sqrt(curvature) : 0);

/** The size of a coordinate, and how far it may go to the side that has more room. */
function placeOf(point: Float64Array, j: number, all: readonly Bounds[]) {
  const u = point[j]!;
  const { lower, upper } = all[j]!;
  const [below, above] = [u - lower, upper - u];
  return {
    widest: Math.max(1, Math.abs(u)),
    room: Math.max(below, above),
    side: above > below ? 1 : -1,
    isBetween: (h: number) => Math.min(below, above) >= h,
  };
}

function beside(point: Float64Array, j: number, h: number): Float64Array {
  const u = point.slice();
  u[j] = u[j]! + h;
  return u;
}

const symmetric = (columns: readonly Float64Array[]): Float64Array[] =>
  columns.map((column, i) => Float64Array.from(column, (_, j) => (columns[i]![j]! + columns[j]![i]!) / 2));

type Beside = (d: number) => Promise<Float64Array>;

async function centralColumn(at: Beside, h: number): Promise<Float64Array> {
  const [one, minusOne, two, minusTwo] = [await at(h), await at(-h), await at(2 * h), await at(-2 * h)];
  return one.map((_, i) => (8 * (one[i]! - minusOne[i]!) - (two[i]! - minusTwo[i]!)) / (12 * h));
}

async function oneSidedColumn(at: Beside, here: Float64Array, h: number): Promise<Float64Array> {
  const slopes = [here];
  for (const k of [1, 2, 3, 4]) slopes.push(await at(k * h));
  return here.map((_, i) => ONE_SIDED.reduce((sum, c, k) => sum + c * slopes[k]![i]!, 0) / (12 * h));
}
