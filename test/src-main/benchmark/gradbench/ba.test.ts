import { expect, it } from 'vitest';
import { close, evaluated, slopes, sumOf } from '../../../support/gradbench.ts';

const dot = (x: readonly number[], y: readonly number[]): number => sumOf(x.map((each, i) => each * y[i]!));
const cross = ([x1, x2, x3]: readonly number[], [y1, y2, y3]: readonly number[]): number[] => [
  x2! * y3! - x3! * y2!,
  x3! * y1! - x1! * y3!,
  x1! * y2! - x2! * y1!,
];

/** Rodrigues' formula, in its textbook's form. */
function turned(r: readonly number[], x: readonly number[]): number[] {
  const angle = Math.hypot(...r);
  if (angle === 0) return x.map((each, i) => each + cross(r, x)[i]!);
  const axis = r.map((each) => each / angle);
  return x.map(
    (each, i) =>
      each * Math.cos(angle) + cross(axis, x)[i]! * Math.sin(angle) + axis[i]! * dot(axis, x) * (1 - Math.cos(angle)),
  );
}

/** Of a camera's 11 parameters, a point's 3 and the weight. */
function errors(variables: readonly number[], feature: readonly number[]): number[] {
  const [r, centre, x] = [variables.slice(0, 3), variables.slice(3, 6), variables.slice(11, 14)];
  const [focal, u1, u2, k1, k2] = variables.slice(6, 11) as [number, number, number, number, number];
  const p = turned(
    r,
    x.map((each, i) => each - centre[i]!),
  );
  const q = [p[0]! / p[2]!, p[1]! / p[2]!];
  const stretch = 1 + k1 * dot(q, q) + k2 * dot(q, q) ** 2;
  return q.map((each, i) => variables[14]! * (focal * stretch * each + [u1, u2][i]! - feature[i]!));
}

it.each([
  { turn: 'a turn', r: [0.3, -0.5, 0.7] },
  { turn: 'no turn', r: [0, 0, 0] },
])('ba of cameras with $turn', async ({ r }) => {
  const cam = [...r, 0.2, 0.4, -3, 1.5, 0.1, -0.2, 0.05, 0.01];
  const [x, w, feat] = [[0.5, -0.7, 1.1], 0.8, [0.3, 0.9]];
  const [n, m, p] = [2, 4, 10];
  const input = { n, m, p, cam, x, w, feat };
  const variables = [...cam, ...x, w];

  const found = (await evaluated('ba', 'objective', input)) as Record<string, Record<string, unknown>>;
  close(found.reproj_error!.elements, errors(variables, feat), 12);
  expect(found.reproj_error!.repeated).toBe(p);
  close(found.w_err!.element, [1 - w * w], 12);
  expect(found.w_err!.repeated).toBe(p);

  const { rows, cols, vals } = (await evaluated('ba', 'jacobian', input)) as Record<string, number[]>;
  const last = -2 * w;
  close(vals, [...[0, 1].flatMap((row) => slopes((by) => errors(by, feat)[row]!, variables)), last], 8);
  // Of the first observation: the first camera and point, and its own weight.
  const own = [...variables.keys()].map((j) => (j < 11 ? j : j < 14 ? 11 * n + j - 11 : 11 * n + 3 * m));
  expect(cols).toEqual([...own, ...own, 11 * n + 3 * m + p - 1]);
  const starts = Array.from({ length: 3 * p + 1 }, (_, i) => (i <= 2 * p ? 15 * i : 30 * p + i - 2 * p));
  expect(rows).toEqual([...starts.slice(0, 30), starts.at(-1)]);
});
