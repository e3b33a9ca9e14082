/**
 * A Hessian from exact gradients, by differences of fourth order in units of the function's own curvature: with steps of
 * h = 0.02/√Hⱼⱼ what is left of the truncation is of the order h⁴, and of the gradients' rounding 10⁻¹⁰/h.
 */
import type { Quadratic } from '../expansion.ts';
import type { Slope } from '../stationary.ts';

const STEP = 0.02;

/** `scales`: 1/√Hⱼⱼ as far as it is known; 0 where it is not. It is brought up to date. */
export async function differencedHessian(
  slope: (u: Float64Array) => Promise<Slope>,
  point: Float64Array,
  scales: Float64Array,
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
    let scale = scales[j] as number;
    if (!(scale > 0)) {
      const h = 1e-3 * widest;
      const [up, down] = [await at(j, h), await at(j, -h)];
      const curvature = Math.abs(((up[j] as number) - (down[j] as number)) / (2 * h));
      scale = 1 / Math.sqrt(curvature);
    }
    if (!(scale < widest)) scale = widest;
    const h = STEP * scale;
    const [one, minusOne, two, minusTwo] = [await at(j, h), await at(j, -h), await at(j, 2 * h), await at(j, -2 * h)];
    const column = one.map(
      (_, i) =>
        (8 * ((one[i] as number) - (minusOne[i] as number)) - ((two[i] as number) - (minusTwo[i] as number))) /
        (12 * h),
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
