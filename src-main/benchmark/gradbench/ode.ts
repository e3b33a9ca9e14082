/**
 * `ode`: y(2) of yᵢ′ = xᵢ·yᵢ₋₁ from y(0) = 0, where y₋₁ = 1, by s steps of the classical Runge–Kutta method (an_ode of
 * cmpad, https://github.com/bradbell/cmpad), and the gradient of its last element by x. x, y: [n].
 */
import * as v from 'valibot';
import {
  arrayType,
  gradientName,
  type Program,
  ProgramBuilder,
  realLiteral,
  type Value,
  withGradient,
} from '../../../engine/index.ts';
import { evaluation, VALUE, valueOf } from './evaluation.ts';

/** y + h·slope, elementwise. */
const moved = (b: ProgramBuilder, y: Value, h: Value, slope: Value): Value =>
  b.elementwise([y, h, slope], (s, from, step, by) => s.apply('add', from, s.apply('mul', step, by)));

/** y ↦ y after one step of length h. */
function stepBody(n: number): Program {
  const b = new ProgramBuilder();
  b.parameter('t', arrayType('int', []));
  const y = b.parameter('y', arrayType('real', [n]));
  const x = b.parameter('x', arrayType('real', [n]));
  const h = b.parameter('h', arrayType('real', []));
  const half = b.elementwise([h], (s, step) => s.apply('mul', realLiteral(0.5), step));
  const before = b.replicate(b.literal(1), [1]);
  const slope = (at: Value): Value => b.apply('mul', x, b.concatenate([before, b.slice(at, 0, 0, n - 1)], 0));
  const k1 = slope(y);
  const k2 = slope(moved(b, y, half, k1));
  const k3 = slope(moved(b, y, half, k2));
  const k4 = slope(moved(b, y, h, k3));
  const mean = b.elementwise([k1, k2, k3, k4], (s, first, second, third, fourth) => {
    const middle = s.apply('mul', realLiteral(2), s.apply('add', second, third));
    return s.apply('div', s.apply('add', s.apply('add', first, middle), fourth), realLiteral(6));
  });
  return b.finish({ y: moved(b, y, h, mean) });
}

function solution(b: ProgramBuilder, n: number, steps: number): Value {
  const x = b.parameter('x', arrayType('real', [n]));
  const h = b.parameter('h', arrayType('real', []));
  const initial = [b.zeros(arrayType('real', [n]))];
  return b.emit({ kind: 'loop', count: steps, body: stepBody(n), initial, invariants: [x, h] })[0]!;
}

function primal(n: number, steps: number): Program {
  const b = new ProgramBuilder();
  return b.finish(valueOf(solution(b, n, steps)));
}

function last(n: number, steps: number): Program {
  const b = new ProgramBuilder();
  return b.finish(valueOf(b.reshape(b.slice(solution(b, n, steps), 0, n - 1, 1), [])));
}

const inputs = ({ x, s }: { x: readonly number[]; s: number }) => ({ x, h: [2 / s] });

export const ode = evaluation({
  name: 'ode',
  input: v.object({ x: v.pipe(v.array(v.number()), v.minLength(1)), s: v.pipe(v.number(), v.integer()) }),
  functions: {
    primal: (input) => ({
      program: primal(input.x.length, input.s),
      inputs: inputs(input),
      answer: (result) => [...result(VALUE)],
    }),
    gradient: (input) => ({
      program: withGradient(last(input.x.length, input.s), VALUE, ['x']),
      inputs: inputs(input),
      answer: (result) => [...result(gradientName('x'))],
    }),
  },
});
