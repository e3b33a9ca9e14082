/** Inputs of GradBench's `ba` and `ht`, as the files of its checkout have them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const lines = (file) => readFileSync(file, 'utf8').trim().split('\n');
const numbers = (text, by = /\s+/) => text.trim().split(by).map(Number);
const beginning = (folder, start) =>
  join(
    folder,
    readdirSync(folder).find((name) => name.startsWith(start)),
  );

export function bundle(checkout, number) {
  const [sizes, cam, x, w, feat] = lines(beginning(join(checkout, 'evals/ba/data'), `ba${number}_`)).map((line) =>
    numbers(line),
  );
  const [n, m, p] = sizes;
  return { size: `p = ${p}`, input: { n, m, p, cam, x, w: w[0], feat } };
}

/** Bones: name, parent, then two matrices of 4 × 4. Vertices: place at 0, at 8 how many bones, then pairs of bone and weight. */
function handModel(folder) {
  const bones = lines(join(folder, 'bones.txt')).map((line) => line.split(':'));
  const vertices = lines(join(folder, 'vertices.txt')).map((line) => numbers(line, ':'));
  const square = (row, first) => [0, 4, 8, 12].map((at) => row.slice(first + at, first + at + 4).map(Number));
  const weightsOf = (row) => {
    const weights = bones.map(() => 0);
    for (let i = 0; i < row[8]; i++) weights[row[9 + 2 * i]] = row[10 + 2 * i];
    return weights;
  };
  return {
    ...{
      bone_count: bones.length,
      bone_names: bones.map(([name]) => name),
      parents: bones.map((row) => Number(row[1])),
    },
    base_relatives: bones.map((row) => square(row, 2)),
    inverse_base_absolutes: bones.map((row) => square(row, 18)),
    base_positions: vertices.map((row) => [...row.slice(0, 3), 1]),
    weights: vertices.map(weightsOf),
    triangles: lines(join(folder, 'triangles.txt')).map((line) => numbers(line, ':')),
    is_mirrored: false,
  };
}

export function hand(checkout, kind, number) {
  const folder = join(checkout, 'evals/ht/data', `complicated_${kind}`);
  const [[n], ...rows] = lines(beginning(folder, `hand${number}_`)).map((line) => numbers(line));
  const model = handModel(join(folder, 'model'));
  const data = {
    model,
    correspondences: rows.slice(0, n).map(([at]) => at),
    points: rows.slice(0, n).map(([, ...point]) => point),
  };
  return {
    size: `${model.base_positions.length} vertices, ${n} points`,
    input: { data, us: rows.slice(n, 2 * n), theta: rows.slice(2 * n).map(([each]) => each) },
  };
}
