/** `kmeans`: Σᵢ minⱼ ‖Cⱼ − Pᵢ‖², and J/H, its gradient by C over the diagonal of its Hessian, which has no more. */
import * as v from 'valibot';
import {
  arrayType,
  builtinOperator,
  gradientName,
  type Program,
  productName,
  ProgramBuilder,
  tangentName,
  type Value,
  withHessianProduct,
} from '../../../engine/index.ts';
import { evaluation, rowsOf, sum, VALUE, valueOf } from './evaluation.ts';

const matrix = v.pipe(v.array(v.array(v.number())), v.minLength(1));

interface Clusters {
  readonly points: readonly (readonly number[])[];
  readonly centroids: readonly (readonly number[])[];
}

const widthOf = ({ points }: Clusters): number => points[0]?.length ?? 0;

function program(input: Clusters): Program {
  const [n, k, d] = [input.points.length, input.centroids.length, widthOf(input)];
  const b = new ProgramBuilder();
  const points = b.parameter('points', arrayType('real', [n, d]));
  const centroids = b.parameter('centroids', arrayType('real', [k, d]));
  const squares = b.elementwise([b.reshape(points, [n, 1, d]), centroids], (s, p, c) => {
    const apart = s.apply('sub', c, p);
    return s.apply('mul', apart, apart);
  });
  const [nearest] = b.reduce(builtinOperator('min'), [sum(b, squares, 2)], 1) as [Value];
  return b.finish(valueOf(sum(b, nearest)));
}

const inputs = ({ points, centroids }: Clusters) => ({ points: points.flat(), centroids: centroids.flat() });

export const kmeans = evaluation({
  name: 'kmeans',
  input: v.object({ points: matrix, centroids: matrix }),
  functions: {
    cost: (input) => ({ program: program(input), inputs: inputs(input), answer: (result) => result(VALUE)[0] }),
    // H times ones is the diagonal of a diagonal matrix.
    dir: (input) => ({
      program: withHessianProduct(program(input), VALUE, ['centroids']),
      inputs: { ...inputs(input), [tangentName('centroids')]: input.centroids.flatMap((c) => c.map(() => 1)) },
      answer(result) {
        const diagonal = result(productName('centroids'));
        const step = result(gradientName('centroids')).map((slope, i) => slope / diagonal[i]!);
        return rowsOf(step, widthOf(input));
      },
    }),
  },
});
