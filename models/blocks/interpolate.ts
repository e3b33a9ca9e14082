/**
 * The polyline through (xsⱼ, ysⱼ) at x, constant outside:
 *
 *   c = #{j : xsⱼ ≤ x},  l = max(c − 1, 0),  h = min(c, m − 1)
 *   y = ys_l                                              where l = h
 *   y = ys_l + (x − xs_l)/(xs_h − xs_l)·(ys_h − ys_l)     elsewhere
 *
 * c comes from a binary search. Of equal xs the last counts, so a jump is continuous from the
 * right. Differentiable in x, xs and ys: the derivative of the piece on which x lies.
 */
import * as v from 'valibot';
import {
  builtinOperator,
  type ProgramBuilder,
  realLiteral,
  type ScalarBuilder,
  type ScalarOperand,
  type Value,
} from '../../engine/index.ts';
import { common, ref, strict } from '../notation/fields.ts';
import { asReal, wantNumber } from './parts/convert.ts';
import { expression } from '../objective/expression.ts';
import { blockKind, type AxisSize, type Output } from './kind.ts';
import { ascends, neighbours } from './parts/points.ts';
import { printOutput } from './parts/sizes.ts';

const schema = strict({ kind: v.literal('interpolate'), ...common, x: ref, xs: ref, ys: ref });

export type InterpolateBlock = v.InferOutput<typeof schema>;

interface Detail {
  readonly points: AxisSize;
  /** The order of xs is not known before it runs. */
  readonly unproven: boolean;
}

export const interpolate = blockKind<InterpolateBlock, Detail>({
  kind: 'interpolate',
  schema,
  wires: (block) => [
    { port: 'x', ref: block.x },
    { port: 'xs', ref: block.xs },
    { port: 'ys', ref: block.ys },
  ],

  infer(_, context) {
    const [x, xs, ys] = ['x', 'xs', 'ys'].map((port) => wantNumber(context, port, context.input(port)));
    if (!x || !xs || !ys) return undefined;
    for (const [port, points] of [
      ['xs', xs],
      ['ys', ys],
    ] as const)
      if (points.sizes.length !== 1 || points.sizes[0]?.value === 0)
        return context.fail(`"${port}" wants the coordinates of one point or more, got ${printOutput(points)}`, {
          port,
          wanted: 'an array of rank 1',
          got: printOutput(points),
        });
    const points = xs.sizes[0]!;
    if (points.value !== ys.sizes[0]?.value)
      return context.fail(`"xs" is ${printOutput(xs)} and "ys" is ${printOutput(ys)}: each point wants both`, {
        port: 'ys',
        wanted: printOutput(xs),
        got: printOutput(ys),
      });
    if (!xs.computed && !ascends(context, 'xs')) return undefined;
    const computed = x.computed || xs.computed || ys.computed;
    const output: Output = { name: '', element: 'real', sizes: x.sizes, computed };
    return { outputs: [output], detail: { points, unproven: xs.computed } };
  },

  lower(_, { points, unproven }, context) {
    const b = context.builder;
    const [given, xs, ys] = ['x', 'xs', 'ys'].map((port) => asReal(b, context.input(port))) as [Value, Value, Value];
    const x = unproven ? nanUnlessAscending(b, xs, given) : given;
    const at = (index: Value): Value => b.gather(xs, index, 'nan');
    const { low, high } = neighbours(b, x, at, context.extent(points), points.value);
    const ends = [xs, ys].flatMap((values) => [low, high].map((index) => b.gather(values, index, 'nan')));
    return [b.elementwise([x, low, high, ...ends], (s, ...line) => onLine(s, line as unknown as Line))];
  },
});

type Line = [
  at: ScalarOperand,
  low: ScalarOperand,
  high: ScalarOperand,
  ...ends: [x0: ScalarOperand, x1: ScalarOperand, y0: ScalarOperand, y1: ScalarOperand],
];

function onLine(s: ScalarBuilder, [at, low, high, x0, x1, y0, y1]: Line): ScalarOperand {
  const e = expression(s);
  const share = (): ScalarOperand => e.divide(e.subtract(at, x0), e.subtract(x1, x0));
  const between = (): ScalarOperand => e.add(y0, e.multiply(share(), e.subtract(y1, y0)));
  return e.choose(
    e.apply('isnan', at),
    // Not x itself: what is not a number moves with nothing.
    () => realLiteral(NaN),
    () => e.choose(e.apply('eq', low, high), () => y0, between),
  );
}

/** Points that move with the parameters may lose their order: NaN, then, instead of a line through the wrong ones. */
function nanUnlessAscending(b: ProgramBuilder, xs: Value, x: Value): Value {
  const indices = b.iota(xs.type.shape[0]!);
  const before = b.gather(xs, b.apply('max', b.apply('sub', indices, b.literal(1, 'int')), b.literal(0, 'int')), 'nan');
  const falls = b.elementwise([before, xs], (s, left, right) =>
    s.apply('real', s.apply('not', s.apply('le', left, right))),
  );
  const [fallen] = b.reduce(builtinOperator('max'), [falls], 0);
  return b.elementwise([x, fallen!], (s, at, fell) =>
    expression(s).choose(
      s.apply('lt', realLiteral(0), fell),
      () => realLiteral(NaN),
      () => at,
    ),
  );
}
