/**
 * `ht`: a hand that is to lie on measured points, as ADBench has it (https://github.com/microsoft/ADBench), and its Jacobian. With
 * T_k the transform of bone k, the product of those above it and of its rotation by θ, R(θ) and t(θ) the whole hand's place:
 *
 *   eᵢ = xᵢ − v(i),   v = R·Σ_k w_k·T_k·p + t
 *
 * of vertices p [V, 4], skinning weights w [V, bones], points x [N, 3]. v(i) is vertex number cᵢ, or, where us [N, 2] are given,
 * u₁·v_a + u₂·v_b + (1 − u₁ − u₂)·v_c of the corners of triangle number cᵢ. θ [26]: turn, shift, then for each of five fingers the
 * two angles of its first joint and one of each other. The Jacobian's rows are of e; its columns of us, each row by its own, and θ.
 */
import * as v from 'valibot';
import {
  arrayType,
  jacobianName,
  jvp,
  type Program,
  ProgramBuilder,
  realLiteral,
  type Value,
  withJacobian,
} from '../../../engine/index.ts';
import { evaluation, rowsOf, sum, VALUE, valueOf } from './evaluation.ts';
import { placed, skinned, transforms } from './ht-hand.ts';
import { anglesOf, byDepth } from './ht-order.ts';

const matrix = v.array(v.array(v.number()));
const integers = v.array(v.pipe(v.number(), v.integer()));

const model = v.object({
  ...{ parents: integers, is_mirrored: v.boolean(), triangles: v.array(integers) },
  ...{ base_relatives: v.array(matrix), inverse_base_absolutes: v.array(matrix) },
  ...{ base_positions: matrix, weights: matrix },
});

const schema = v.object({
  theta: v.pipe(v.array(v.number()), v.length(26)),
  data: v.object({ model, correspondences: integers, points: matrix }),
  us: matrix,
});

type Hand = v.InferOutput<typeof schema>;

/** Where all vertices are, [3, V]. */
function vertices(b: ProgramBuilder, theta: Value, { data }: Hand): Value {
  const { parents: bones, base_positions, is_mirrored } = data.model;
  const [count, length] = [bones.length, base_positions.length];
  const real = (name: string, shape: readonly number[]): Value => b.parameter(name, arrayType('real', shape));
  const int = (name: string, shape: readonly number[]): Value => b.parameter(name, arrayType('int', shape));
  const parents = byDepth(bones).parents.map((level, i) => int(PARENTS(i), [level.length]));
  const frames = { relatives: real('relatives', [count, 4, 4]), inverses: real('inverses', [count, 4, 4]), parents };
  const moves = transforms(b, frames, b.gather(theta, int('angles', [count, 3]), 'zero'));
  const shape = skinned(b, moves, real('weights', [count, length]), real('positions', [4, length]));
  const mirrored = b.elementwise([shape, b.reshape(b.iota(3), [3, 1])], (s, x, axis) => {
    const sign = s.apply(
      'sub',
      s.apply('mul', realLiteral(2), s.apply('min', s.apply('real', axis), realLiteral(1))),
      realLiteral(1),
    );
    return s.apply('mul', x, sign);
  });
  return placed(b, b.slice(theta, 0, 0, 3), b.slice(theta, 0, 3, 3), is_mirrored ? mirrored : shape);
}

const PARENTS = (level: number): string => `parents ${level}`;
const US = ['us 0', 'us 1'];

function program(input: Hand): Program {
  const b = new ProgramBuilder();
  const { correspondences, model, points } = input.data;
  const n = correspondences.length;
  const theta = b.parameter('theta', arrayType('real', [26]));
  const rows = b.transpose(vertices(b, theta, input), [1, 0]);
  const at = b.parameter('correspondences', arrayType('int', [n]));
  const measured = b.parameter('points', arrayType('real', [points.length, 3]));
  if (input.us.length === 0) return b.finish(valueOf(b.apply('sub', measured, b.gather(rows, at, 'fault'))));
  const triangles = b.parameter('triangles', arrayType('int', [model.triangles.length, 3]));
  const [u1, u2] = US.map((name) => b.parameter(name, arrayType('real', [n]))) as [Value, Value];
  const u3 = b.elementwise([u1, u2], (s, first, second) =>
    s.apply('sub', s.apply('sub', realLiteral(1), first), second),
  );
  const shares = b.concatenate(
    [u1, u2, u3].map((u) => b.reshape(u, [n, 1, 1])),
    1,
  );
  const corners = b.gather(rows, b.gather(triangles, at, 'fault'), 'fault');
  return b.finish(valueOf(b.apply('sub', measured, sum(b, b.apply('mul', shares, corners), 1))));
}

/** By θ one forward pass for each of its elements; by us two, since a row has no others than its own. */
function jacobian(input: Hand): Program {
  const plain = program(input);
  const byTheta = withJacobian(plain, [VALUE], ['theta']);
  if (input.us.length === 0) return byTheta;
  const b = new ProgramBuilder();
  const inputs = plain.parameters.map(({ name, value }) => b.parameter(name, value.type));
  const ones = b.replicate(b.literal(1), [input.us.length]);
  const columns = US.map((name) => {
    const forward = jvp(plain, { by: [name], of: [VALUE] });
    return {
      name: jacobianName(VALUE, name),
      value: b.emit({ kind: 'call', program: forward, inputs: [...inputs, ones] })[1]!,
    };
  });
  const all = b.emit({ kind: 'call', program: byTheta, inputs });
  return b.finish([...columns, { name: jacobianName(VALUE, 'theta'), value: all[1]! }]);
}

function inputs({ theta, us, data: { model, correspondences, points } }: Hand) {
  const { bones, parents } = byDepth(model.parents);
  const sorted = <T>(of: readonly T[]): T[] => bones.map((bone) => of[bone]!);
  const columns = (of: readonly number[][]): number[][] => (of[0] ?? []).map((_, j) => of.map((row) => row[j]!));
  return {
    ...{ theta, correspondences, points: points.flat() },
    ...Object.fromEntries(parents.map((level, i) => [PARENTS(i), level])),
    ...{ relatives: sorted(model.base_relatives).flat(2), inverses: sorted(model.inverse_base_absolutes).flat(2) },
    ...{ angles: bones.flatMap(anglesOf), positions: columns(model.base_positions).flat() },
    weights: sorted(columns(model.weights)).flat(),
    ...(us.length > 0 && {
      triangles: model.triangles.flat(),
      ...Object.fromEntries(columns(us).map((column, i) => [US[i]!, column])),
    }),
  };
}

export const ht = evaluation({
  name: 'ht',
  input: schema,
  functions: {
    objective: (input) => ({ program: program(input), inputs: inputs(input), answer: (result) => [...result(VALUE)] }),
    jacobian: (input) => ({
      program: jacobian(input),
      inputs: inputs(input),
      answer(result) {
        const length = 3 * input.data.points.length;
        const columns = [...(input.us.length > 0 ? US : []), 'theta'].flatMap((name) =>
          rowsOf(result(jacobianName(VALUE, name)), length),
        );
        return Array.from({ length }, (_, row) => columns.map((column) => column[row]!));
      },
    }),
  },
});
