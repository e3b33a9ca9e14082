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
import { absolutes, mirrored, placed, skinned } from './ht-hand.ts';
import { fingers, type Hand, inputs, ofLimb, schema, SHIFT, THETA, TURN, US } from './ht-input.ts';
import { ANGLES, limbsOf } from './ht-order.ts';

/**
 * Where all vertices are, [3, V]: what each limb moves, and their sum. Fingers are parameters of their own, and each limb is of
 * those that bend it, so that a derivative by one of them is one of one limb.
 */
function vertices(b: ProgramBuilder, { data: { model } }: Hand): Value {
  const real = (name: string, shape: readonly number[]): Value => b.parameter(name, arrayType('real', shape));
  const int = (name: string, shape: readonly number[]): Value => b.parameter(name, arrayType('int', shape));
  const bent = fingers.map((name) => real(name, [ANGLES]));
  const positions = real('positions', [4, model.base_positions.length]);
  let roots: Value | undefined;
  const moved = limbsOf(model.parents).map((limb, i) => {
    const { length } = limb.bones;
    const matrices = (name: string): Value => real(ofLimb(i, name), [length, 4, 4]);
    const own = limb.fingers.map((finger) => bent[finger]!);
    const angles =
      own.length === 0 ? undefined : b.gather(b.concatenate(own, 0), int(ofLimb(i, 'angles'), [length, 3]), 'zero');
    const parents = limb.parents.map((level, depth) => int(ofLimb(i, `parents ${depth}`), [level.length]));
    const frames = absolutes(b, { relatives: matrices('relatives'), angles, parents }, roots);
    roots ??= frames;
    const weights = real(ofLimb(i, 'weights'), [length, model.base_positions.length]);
    return skinned(b, b.matmul(frames, matrices('inverses')), weights, positions);
  });
  const all = moved.reduce((sum, each) => b.apply('add', sum, each));
  return placed(b, real(TURN, [3]), real(SHIFT, [3]), model.is_mirrored ? mirrored(b, all) : all);
}

function program(input: Hand): Program {
  const b = new ProgramBuilder();
  const { correspondences, model, points } = input.data;
  const n = correspondences.length;
  const rows = b.transpose(vertices(b, input), [1, 0]);
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
  const byTheta = withJacobian(plain, [VALUE], THETA);
  if (input.us.length === 0) return byTheta;
  const b = new ProgramBuilder();
  const inputs = plain.parameters.map(({ name, value }) => b.parameter(name, value.type));
  const ones = b.replicate(b.literal(1), [input.us.length]);
  const byOwn = US.map((name) => {
    const forward = jvp(plain, { by: [name], of: [VALUE] });
    return b.emit({ kind: 'call', program: forward, inputs: [...inputs, ones] })[1]!;
  });
  const [, ...rest] = b.emit({ kind: 'call', program: byTheta, inputs });
  const names = [...US, ...THETA].map((name) => jacobianName(VALUE, name));
  return b.finish([...byOwn, ...rest].map((value, i) => ({ name: names[i]!, value })));
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
        const columns = [...(input.us.length > 0 ? US : []), ...THETA].flatMap((name) =>
          rowsOf(result(jacobianName(VALUE, name)), length),
        );
        return Array.from({ length }, (_, row) => columns.map((column) => column[row]!));
      },
    }),
  },
});
