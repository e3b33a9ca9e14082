import { expect, it } from 'vitest';
import { limbsOf } from '../../../../src-main/benchmark/gradbench/ht-order.ts';
import { close, columnsOfSlopes, drawn, evaluated, matrix, rowsOf, sumOf } from '../../../support/gradbench.ts';

type Matrix = readonly (readonly number[])[];

const product = (x: Matrix, y: Matrix): number[][] =>
  x.map((row) => y[0]!.map((_, j) => sumOf(row.map((each, k) => each * y[k]![j]!))));
const about = (axis: number, angle: number): number[][] => {
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
  const turn: number[][] = [0, 1, 2, 3].map((row) => [0, 1, 2, 3].map((column) => (row === column ? 1 : 0)));
  turn[i]![i] = turn[j]![j] = Math.cos(angle);
  turn[j]![i] = Math.sin(angle);
  turn[i]![j] = -Math.sin(angle);
  return turn;
};

/** By the angle-axis of r, with the matrix of its cross product and that matrix's square. */
function turned(r: readonly number[], x: readonly number[]): number[] {
  const angle = Math.hypot(...r);
  if (angle < 1e-4) return [...x];
  const [a, b, c] = r.map((each) => each / angle) as [number, number, number];
  const across: Matrix = [
    [0, -c, b],
    [c, 0, -a],
    [-b, a, 0],
  ];
  const column = x.map((each) => [each]);
  const once = product(across, column);
  const twice = product(across, once);
  return x.map((each, i) => each + Math.sin(angle) * once[i]![0]! + (1 - Math.cos(angle)) * twice[i]![0]!);
}

/** A wrist and fingers of four bones that hang one on the other. */
const bones = 13;
const parents = Array.from({ length: bones }, (_, i) => (i === 0 ? -1 : i % 4 === 1 ? 0 : i - 1));
const affine = (seed: number): number[][] => [...matrix(seed, 3, 4), [0, 0, 0, 1]];
const hand = (is_mirrored: boolean) => ({
  ...{ parents, is_mirrored, bone_names: parents.map(String) },
  base_relatives: parents.map((_, i) => affine(i)),
  inverse_base_absolutes: parents.map((_, i) => affine(i + 40)),
  base_positions: matrix(7, 6, 3).map((row) => [...row, 1]),
  weights: matrix(8, 6, bones),
  triangles: [
    [0, 1, 2],
    [5, 3, 1],
  ],
});

/** Bone by bone, vertex by vertex. */
function vertices(theta: readonly number[], model: ReturnType<typeof hand>): number[][] {
  const absolutes: number[][][] = [];
  parents.forEach((parent, i) => {
    const finger = Math.floor((i - 2) / 4);
    const joint = (i - 2) % 4;
    const bent = i >= 2 && finger < 5 && joint < 3;
    const x = bent ? theta[6 + 4 * finger + (joint === 0 ? 0 : joint + 1)]! : 0;
    const z = bent && joint === 0 ? theta[7 + 4 * finger]! : 0;
    const own = product(model.base_relatives[i]!, product(about(2, z), about(0, x)));
    absolutes.push(parent < 0 ? own : product(absolutes[parent]!, own));
  });
  const transforms = absolutes.map((absolute, k) => product(absolute, model.inverse_base_absolutes[k]!));
  return model.base_positions.map((position, vertex) => {
    const column = position.map((each) => [each]);
    const moved = transforms.map((transform) => product(transform, column));
    const place = [0, 1, 2].map((i) => sumOf(moved.map((each, k) => model.weights[vertex]![k]! * each[i]![0]!)));
    if (model.is_mirrored) place[0]! *= -1;
    return turned(theta.slice(0, 3), place).map((each, i) => each + theta[3 + i]!);
  });
}

const theta = drawn(9, 26);
const points = matrix(10, 3, 3);

it('tells limbs, and the parameters that bend them', () => {
  const [roots, first, second] = limbsOf([2, 0, -1, 2, 0, 1, 3]);
  expect(roots).toEqual({ bones: [2], parents: [], fingers: [0], angles: [0, 1, -1] });
  expect(first).toEqual({
    ...{ bones: [0, 1, 4, 5], parents: [[0], [0, 0], [0]], fingers: [0] },
    angles: [...[-1, -1, -1, -1, -1, -1], ...[3, -1, -1, -1, -1, -1]],
  });
  expect(second).toEqual({ bones: [3, 6], parents: [[0], [0]], fingers: [0, 1], angles: [2, -1, -1, 4, 5, -1] });
});

it.each([
  { place: 'turned', start: theta },
  { place: 'not turned', start: [0, 0, 0, ...theta.slice(3)] },
])('ht with corresponding vertices, $place', async ({ start }) => {
  const input = { theta: start, us: [], data: { model: hand(true), correspondences: [5, 0, 2], points } };
  const errors = (by: readonly number[]): number[] => {
    const places = vertices(by, input.data.model);
    return points.flatMap((point, i) => point.map((x, j) => x - places[input.data.correspondences[i]!]![j]!));
  };
  close(await evaluated('ht', 'objective', input), errors(start), 10);
  const columns = columnsOfSlopes(errors, start);
  const rows = errors(start).map((_, row) => columns.map((column) => column[row]!));
  // No turn has no derivative either, where differences see one.
  const known = (row: readonly number[]): readonly number[] => (start[0] === 0 ? row.slice(3) : row);
  close(((await evaluated('ht', 'jacobian', input)) as number[][]).map(known), rows.flatMap(known), 6);
});

it('ht with points of triangles', async () => {
  const us = rowsOf(drawn(11, 6), 2);
  const input = { theta, us, data: { model: hand(false), correspondences: [1, 0, 1], points } };
  const errors = (by: readonly number[]): number[] => {
    const places = vertices(by.slice(6), input.data.model);
    return points.flatMap((point, i) => {
      const corners = input.data.model.triangles[input.data.correspondences[i]!]!.map((at) => places[at]!);
      const [u1, u2] = by.slice(2 * i, 2 * i + 2) as [number, number];
      return point.map((x, j) => x - sumOf([u1, u2, 1 - u1 - u2].map((u, k) => u * corners[k]![j]!)));
    });
  };
  const all = [...us.flat(), ...theta];
  close(await evaluated('ht', 'objective', input), errors(all), 10);
  const columns = columnsOfSlopes(errors, all);
  const wanted = errors(all).flatMap((_, row) => {
    const slope = columns.map((column) => column[row]!);
    const own = 2 * Math.floor(row / 3);
    return [...slope.slice(own, own + 2), ...slope.slice(6)];
  });
  close(await evaluated('ht', 'jacobian', input), wanted, 6);
});
