/**
 * `gmm`: the log posterior of a Gaussian mixture with Wishart's prior on its precisions, as GradBench defines it, and its
 * gradient. With Q_k lower triangular, its diagonal exp(q_k), below it l_k by columns, and ν = d + m + 1:
 *
 *   F = −N·(½·d·log 2π + log Σ_k exp α_k) + Σ_i log Σ_k exp(α_k + Σ_j q_kj − ½‖Q_k(x_i − μ_k)‖²)
 *       + K·(ν·d·log(γ/√2) − log Γ_d(ν/2)) − ½γ²·Σ_k ‖Q_k‖² + m·Σ_kj q_kj
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
import { evaluation, logSumExp, rowsOf, sum, VALUE, valueOf } from './evaluation.ts';

const matrix = v.array(v.array(v.number()));
const count = v.pipe(v.number(), v.integer());

const schema = v.object({
  ...{ d: count, k: count, n: count, m: count, gamma: v.number() },
  ...{ x: matrix, alpha: v.array(v.number()), mu: matrix, q: matrix, l: matrix },
});

type Mixture = v.InferOutput<typeof schema>;

/** Where the entries of Q lie in l, by rows; −1 for those that are not below the diagonal. */
export function belowDiagonal(d: number): number[] {
  return Array.from({ length: d * d }, (_, at) => {
    const [row, column] = [Math.floor(at / d), at % d];
    return row > column ? column * d - (column * (column + 1)) / 2 + (row - column - 1) : -1;
  });
}

function program({ d, k, n, m, gamma }: Mixture): Program {
  const b = new ProgramBuilder();
  const [x, alpha, mu, q] = (
    [
      ['x', [n, d]],
      ['alpha', [k]],
      ['mu', [k, d]],
      ['q', [k, d]],
    ] as const
  ).map(([name, shape]) => b.parameter(name, arrayType('real', shape))) as [Value, Value, Value, Value];
  const l = b.parameter('l', arrayType('real', [k, (d * (d - 1)) / 2]));
  const below = b.parameter('below', arrayType('int', [k, d * d]));
  const square = (value: Value): Value => b.apply('mul', value, value);
  const scaled = (value: Value, factor: number): Value =>
    b.elementwise([value], (s, each) => s.apply('mul', realLiteral(factor), each));
  const plus = (first: Value, ...others: Value[]): Value =>
    others.reduce((total, each) => b.apply('add', total, each), first);

  const diagonal = b.apply('exp', q);
  const lower = b.reshape(b.gather(l, below, 'zero', 1), [k, d, d]);
  const whole = b.elementwise(
    [lower, b.reshape(diagonal, [k, d, 1]), b.reshape(b.iota(d), [d, 1]), b.iota(d)],
    (s, entry, scale, i, j) =>
      s.either(
        s.apply('eq', i, j),
        () => scale,
        () => entry,
      ),
  );
  // Q·x and Q·μ: one product of matrices, and one that is small.
  const moved = b.reshape(b.matmul(x, b.transpose(b.reshape(whole, [k * d, d]), [1, 0])), [n, k, d]);
  const middle = sum(b, b.apply('mul', whole, b.reshape(mu, [k, 1, d])), 2);
  const distances = sum(b, square(b.apply('sub', moved, middle)), 2);
  const traces = sum(b, q, 1);
  const beta = b.elementwise([b.apply('add', alpha, traces), distances], (s, at, distance) =>
    s.apply('sub', at, s.apply('mul', realLiteral(0.5), distance)),
  );
  const nu = d + m + 1;
  const logGammas = sum(
    b,
    b.elementwise([b.iota(d)], (s, j) =>
      s.apply('lgamma', s.apply('mul', realLiteral(0.5), s.apply('sub', realLiteral(nu), s.apply('real', j)))),
    ),
  );
  const known =
    k * (nu * d * Math.log(gamma / Math.SQRT2) - 0.25 * d * (d - 1) * Math.log(Math.PI)) -
    0.5 * n * d * Math.log(2 * Math.PI);
  return b.finish(
    valueOf(
      plus(
        b.literal(known),
        scaled(logGammas, -k),
        scaled(logSumExp(b, alpha, 0), -n),
        sum(b, logSumExp(b, beta, 1)),
        scaled(sum(b, square(whole)), -0.5 * gamma ** 2),
        scaled(sum(b, traces), m),
      ),
    ),
  );
}

const inputs = ({ d, k, x, alpha, mu, q, l }: Mixture) => ({
  ...{ x: x.flat(), alpha, mu: mu.flat(), q: q.flat(), l: l.flat() },
  below: Array.from({ length: k }, () => belowDiagonal(d)).flat(),
});

export const gmm = evaluation({
  name: 'gmm',
  input: schema,
  functions: {
    objective: (input) => ({ program: program(input), inputs: inputs(input), answer: (result) => result(VALUE)[0] }),
    jacobian: (input) => ({
      program: withGradient(program(input), VALUE, ['alpha', 'mu', 'q', 'l']),
      inputs: inputs(input),
      answer(result) {
        const by = (name: string): Float64Array => result(gradientName(name));
        const l = rowsOf(by('l'), (input.d * (input.d - 1)) / 2);
        return {
          ...{ alpha: [...by('alpha')], mu: rowsOf(by('mu'), input.d), q: rowsOf(by('q'), input.d) },
          l: l.length > 0 ? l : input.l.map(() => []),
        };
      },
    }),
  },
});
