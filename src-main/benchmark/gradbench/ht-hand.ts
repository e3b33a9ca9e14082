/** Of `ht`: a hand's limbs, and what is on them. */
import {
  type ProgramBuilder,
  realLiteral,
  type ScalarBuilder,
  type ScalarFunction,
  scalarFunction,
  type ScalarOperand,
  type Value,
} from '../../../engine/index.ts';

/** The operands' values, row by row, as matrices of this shape in the last two axes. */
function matrices(
  b: ProgramBuilder,
  entries: ScalarFunction,
  of: readonly Value[],
  [rows, columns]: readonly [number, number],
): Value {
  const { shape } = of[0]!.type;
  const parts = b.map(entries, of).map((entry) => b.reshape(entry, [...shape, 1]));
  return b.reshape(b.concatenate(parts, shape.length), [...shape, rows, columns]);
}

/** (x, z, y) ↦ the rotation by x about the first axis, then by y, then by z about theirs, as rows of four. */
const eulerRotation = scalarFunction(['real', 'real', 'real'], (s, x, z, y) => {
  const [sx, sy, sz] = [x, y, z].map((angle) => s.apply('sin', angle)) as [ScalarOperand, ScalarOperand, ScalarOperand];
  const [cx, cy, cz] = [x, y, z].map((angle) => s.apply('cos', angle)) as [ScalarOperand, ScalarOperand, ScalarOperand];
  const times = (p: ScalarOperand, q: ScalarOperand): ScalarOperand => s.apply('mul', p, q);
  const [zero, one] = [realLiteral(0), realLiteral(1)];
  const [cross, straight] = [times(sy, sx), times(sy, cx)];
  return [
    ...[
      times(cz, cy),
      s.apply('sub', times(cz, cross), times(sz, cx)),
      s.apply('add', times(cz, straight), times(sz, sx)),
      zero,
    ],
    ...[
      times(sz, cy),
      s.apply('add', times(sz, cross), times(cz, cx)),
      s.apply('sub', times(sz, straight), times(cz, sx)),
      zero,
    ],
    ...[s.apply('neg', sy), times(cy, sx), times(cy, cx), zero],
    ...[zero, zero, zero, one],
  ];
});

/** r ↦ the rotation by ‖r‖ about r, nine entries by rows; none where ‖r‖ < 10⁻⁴, with no derivative either. */
const axisRotation = scalarFunction(['real', 'real', 'real'], (s, ...r) => {
  const square = r.map((each) => s.apply('mul', each, each)).reduce((total, each) => s.apply('add', total, each));
  return s.branch(
    s.apply('lt', s.apply('sqrt', square), realLiteral(1e-4)),
    () => [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => realLiteral(i === j ? 1 : 0))),
    () => turning(s, r, s.apply('sqrt', square)),
  );
});

/** cos θ·1 + sin θ·[n]ₓ + (1 − cos θ)·n·nᵀ, n = r/θ. */
function turning(s: ScalarBuilder, r: readonly ScalarOperand[], angle: ScalarOperand): ScalarOperand[] {
  const n = r.map((each) => s.apply('div', each, angle));
  const [cosine, sine] = [s.apply('cos', angle), s.apply('sin', angle)];
  const versine = s.apply('sub', realLiteral(1), cosine);
  return [0, 1, 2].flatMap((i) =>
    [0, 1, 2].map((j) => {
      const outer = s.apply('mul', versine, s.apply('mul', n[i]!, n[j]!));
      if (i === j) return s.apply('add', cosine, outer);
      const crossed = s.apply('mul', sine, n[3 - i - j]!);
      return s.apply((j - i + 3) % 3 === 1 ? 'sub' : 'add', outer, crossed);
    }),
  );
}

/** Of a limb (ht-order.ts), in the order of its bones. */
export interface Frames {
  /** [bones, 4, 4]: from a bone's frame to its parent's when at rest. */
  readonly relatives: Value;
  /** [bones, 3] about x, z and y; undefined where nothing bends it. */
  readonly angles: Value | undefined;
  /** For each depth: which of those one above its bones hang on. */
  readonly parents: readonly Value[];
}

/** From each bone's frame to the hand's, [bones, 4, 4], the first depth hanging on bones whose frames are `above`. */
export function absolutes(b: ProgramBuilder, { relatives, angles, parents }: Frames, above?: Value): Value {
  const posed = angles ? b.matmul(relatives, rotations(b, angles)) : relatives;
  if (!above) return posed;
  let first = 0;
  const levels = parents.reduce<Value[]>(
    (all, hangingOn) => {
      const length = hangingOn.type.shape[0] as number;
      const own = b.slice(posed, 0, first, length);
      first += length;
      return [...all, b.matmul(b.gather(all.at(-1)!, hangingOn, 'zero'), own)];
    },
    [above],
  );
  return b.concatenate(levels.slice(1), 0);
}

function rotations(b: ProgramBuilder, angles: Value): Value {
  const bones = angles.type.shape[0] as number;
  const columns = [0, 1, 2].map((i) => b.reshape(b.slice(angles, 1, i, 1), [bones]));
  return matrices(b, eulerRotation, columns, [4, 4]);
}

/**
 * Skinning, [3, vertices]: Σ over bones of weight·(transform·position), one product of matrices. Of transforms [bones, 4, 4],
 * weights [bones, vertices], positions [4, vertices].
 */
export function skinned(b: ProgramBuilder, moves: Value, weights: Value, positions: Value): Value {
  const [bones, vertices] = weights.type.shape as [number, number];
  const weighted = b.apply('mul', b.reshape(weights, [bones, 1, vertices]), positions);
  const rows = b.reshape(b.transpose(b.slice(moves, 1, 0, 3), [1, 0, 2]), [3, 4 * bones]);
  return b.matmul(rows, b.reshape(weighted, [4 * bones, vertices]));
}

/** R(turn)·x + shift of columns x: [3, …]. */
export function placed(b: ProgramBuilder, turn: Value, shift: Value, positions: Value): Value {
  const component = (i: number): Value => b.reshape(b.slice(turn, 0, i, 1), []);
  const rotation = matrices(b, axisRotation, [component(0), component(1), component(2)], [3, 3]);
  return b.apply('add', b.matmul(rotation, positions), b.reshape(shift, [3, 1]));
}

/** −x of the first axis. */
export const mirrored = (b: ProgramBuilder, positions: Value): Value =>
  b.concatenate([b.apply('neg', b.slice(positions, 0, 0, 1)), b.slice(positions, 0, 1, 2)], 0);
