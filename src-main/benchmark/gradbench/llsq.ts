/** `llsq`: ½·Σᵢ (sign(tᵢ) − Σⱼ xⱼ·tᵢʲ)² with tᵢ = −1 + 2i/(n − 1), and its gradient by x. */
import * as v from 'valibot';
import {
  arrayType,
  builtinOperator,
  gradientName,
  type Program,
  ProgramBuilder,
  realLiteral,
  type Value,
  withGradient,
} from '../../../engine/index.ts';
import { evaluation, sum, VALUE, valueOf } from './evaluation.ts';

/** n is an input as well, so that what depends on it alone is computed in each run, as other tools do. */
function program(n: number, m: number): Program {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', [m]));
  const steps = b.parameter('steps', arrayType('real', []));
  const t = b.elementwise([b.iota(n), steps], (s, i, count) =>
    s.apply('sub', s.apply('div', s.apply('mul', realLiteral(2), s.apply('real', i)), count), realLiteral(1)),
  );
  const factors = b.elementwise([b.reshape(t, [n, 1]), b.iota(m)], (s, base, j) =>
    s.either(
      s.apply('eq', s.apply('real', j), realLiteral(0)),
      () => realLiteral(1),
      () => base,
    ),
  );
  const [powers] = b.scan(builtinOperator('multiply'), [factors], 1) as [Value];
  const predicted = sum(b, b.apply('mul', powers, x), 1);
  const squares = b.elementwise([t, predicted], (s, at, p) => {
    const residual = s.apply('sub', s.apply('sign', at), p);
    return s.apply('mul', realLiteral(0.5), s.apply('mul', residual, residual));
  });
  return b.finish(valueOf(sum(b, squares)));
}

const inputs = ({ x, n }: { x: readonly number[]; n: number }) => ({ x, steps: [n - 1] });

export const llsq = evaluation({
  name: 'llsq',
  input: v.object({ x: v.array(v.number()), n: v.pipe(v.number(), v.integer()) }),
  functions: {
    primal: (input) => ({
      program: program(input.n, input.x.length),
      inputs: inputs(input),
      answer: (result) => result(VALUE)[0],
    }),
    gradient: (input) => ({
      program: withGradient(program(input.n, input.x.length), VALUE, ['x']),
      inputs: inputs(input),
      answer: (result) => [...result(gradientName('x'))],
    }),
  },
});
