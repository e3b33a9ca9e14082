/** Of `ba`: where the entries of its Jacobian stand, a sparse matrix by rows. */
import { intLiteral, type ProgramBuilder, type ScalarOperand, type Value } from '../../../engine/index.ts';

/** Of a camera, of a point, and of an observation: these and its weight. */
export const [CAMERA, POINT, COLUMNS] = [11, 3, 15] as const;

/**
 * The column of each entry, [31p]: of n cameras first, then of m points, then of the weights. `camera` and `point`, [p], say
 * which the observations are of.
 */
export function columnsOf(b: ProgramBuilder, [n, m]: readonly [number, number], camera: Value, point: Value): Value {
  const p = camera.type.shape[0] as number;
  const [points, weights] = [CAMERA * n, CAMERA * n + POINT * m];
  const own = b.elementwise([b.iota(p)], (s, i) => s.apply('add', intLiteral(weights), i));
  const across = [camera, point, own].map((index) => b.reshape(index, [p, 1, 1]));
  const both = b.elementwise(
    [...across, b.iota(COLUMNS)],
    (s, ofCamera, ofPoint, ofWeight, j) => {
      const below = (most: number, first: number, width: number, index: ScalarOperand, above: () => ScalarOperand) =>
        s.either(
          s.apply('lt', j, intLiteral(most)),
          () => s.apply('add', s.apply('add', j, intLiteral(first)), s.apply('mul', intLiteral(width), index)),
          above,
        );
      return below(CAMERA, 0, CAMERA, ofCamera, () =>
        below(CAMERA + POINT, points - CAMERA, POINT, ofPoint, () => ofWeight),
      );
    },
    [p, 2, COLUMNS],
  );
  return b.concatenate([b.reshape(both, [2 * COLUMNS * p]), own], 0);
}

/** Where the entries of each row begin, and those of the last end, [3p + 1]: 2p rows of 15, then p of one. */
export const rowStarts = (b: ProgramBuilder, p: number): Value =>
  b.elementwise([b.iota(3 * p + 1)], (s, row) =>
    s.either(
      s.apply('le', row, intLiteral(2 * p)),
      () => s.apply('mul', intLiteral(COLUMNS), row),
      () => s.apply('add', intLiteral(2 * p * (COLUMNS - 1)), row),
    ),
  );
