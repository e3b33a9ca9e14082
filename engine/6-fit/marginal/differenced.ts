/**
 * A Hessian from exact gradients, by differences of fourth order in units of the function's own curvature: with steps of
 * h = 0.02/√Hⱼⱼ what is left of the truncation is of the order h⁴, and of the gradients' rounding 10⁻¹⁰/h.
 */
import type { Quadratic } from '../expansion.ts';
import type { Slope } from '../stationary.ts';

const STEP = 0.02;

/** Of f′ at a point, by f there and at h, 2h, 3h and 4h to one side. */
const ONE_SIDED = [-25, 48, -36, 16, -3] as const;

/**
 * No point lies outside the bounds: beside one the differences are of one side. `scales`: 1/√Hⱼⱼ as far as it is known; 0
 * where it is not. It is brought up to date.
 */
export async function differencedHessian(
  slope: (u: Float64Array) => Promise<Slope>,
  point: Float64Array,
  scales: Float64Array,
  all: readonly Bounds[],
): Promise<Quadratic> {
  const here = await slope(point);
  const at = async (j: number, h: number): Promise<Float64Array> => {
    const u = point.slice();
    u[j] = (u[j] as number) + h;
    return (await slope(u)).gradient;
  };
  const columns: Float64Array[] = [];
  for (const j of point.keys()) {
    const widest = Math.max(1, Math.abs(point[j] as number));
    const { lower, upper } = all[j] as Bounds;
    const [below, above] = [(point[j] as number) - lower, upper - (point[j] as number)];
    let scale = scales[j] as number;
    if (!(scale > 0)) {
      const h = (above > below ? 1 : -1) * Math.min(1e-3 * widest, Math.max(below, above));
      const slope = (await at(j, h))[j] as number;
      scale = 1 / Math.sqrt(Math.abs((slope - (here.gradient[j] as number)) / h));
    }
    if (!(scale < widest)) scale = widest;
    const h = STEP * scale;
    const isInside = Math.min(below, above) >= 2 * h;
    const column = isInside
      ? await centralColumn((d) => at(j, d), h)
      : await oneSidedColumn(
          (d) => at(j, d),
          here.gradient,
          (above > below ? 1 : -1) * Math.min(h, Math.max(below, above) / 4),
        );
    columns.push(column);
    const curvature = column[j] as number;
    scales[j] = curvature > 0 ? 1 / Math.sqrt(curvature) : 0;
  }
  const hessian = columns.map((column, i) =>
    Float64Array.from(column, (_, j) => ((columns[i]?.[j] as number) + (columns[j]?.[i] as number)) / 2),
  );
  return { ...here, hessian };
}

interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

type Beside = (d: number) => Promise<Float64Array>;

async function centralColumn(at: Beside, h: number): Promise<Float64Array> {
  const [one, minusOne, two, minusTwo] = [await at(h), await at(-h), await at(2 * h), await at(-2 * h)];
  return one.map(
    (_, i) =>
      (8 * ((one[i] as number) - (minusOne[i] as number)) - ((two[i] as number) - (minusTwo[i] as number))) / (12 * h),
  );
}

async function oneSidedColumn(at: Beside, here: Float64Array, h: number): Promise<Float64Array> {
  const slopes = [here];
  for (const k of [1, 2, 3, 4]) slopes.push(await at(k * h));
  return here.map((_, i) => ONE_SIDED.reduce((sum, c, k) => sum + c * (slopes[k]?.[i] as number), 0) / (12 * h));
}
