/**
 * The polyline through (xsⱼ, ysⱼ) at x, constant outside:
 *
 *   c = #{j : xsⱼ ≤ x},  l = max(c − 1, 0),  h = min(c, m − 1)
 *   y = ys_l                                              where l = h
 *   y = ys_l + (x − xs_l)/(xs_h − xs_l)·(ys_h − ys_l)     elsewhere
 *
 * c comes from a binary search of ⌈log₂(m + 1)⌉ gathers. Of equal xs the last counts, so a jump is continuous from the
 * right. Differentiable in x, xs and ys: the derivative of the piece on which x lies.
 */
import * as v from 'valibot';
import {
  builtinOperator,
  intLiteral,
  type ProgramBuilder,
  realLiteral,
  type ScalarBuilder,
  type ScalarOperand,
  type Size,
  type Value,
} from '../../engine/index.ts';
import { common, ref, strict } from '../format/fields.ts';
import { asReal, wantNumber } from './convert.ts';
import { expression } from '../objective/expression.ts';
import { blockKind, type AxisSize, type InferContext, type Output } from './kind.ts';
import { printOutput } from './sizes.ts';

const schema = strict({ kind: v.literal('interpolate'), ...common, x: ref, xs: ref, ys: ref });

export type InterpolateBlock = v.InferOutput<typeof schema>;

interface Detail {
  /** Steps of the search. */
  readonly steps: number;
  /** The order of xs is not known before it runs. */
  readonly unproven: boolean;
}

export const interpolate = blockKind<InterpolateBlock, Detail>({
  kind: 'interpolate',
  summary: 'Straight lines between given points.',
  group: 'formulas',
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
    const points = xs.sizes[0]?.value ?? 0;
    if (points !== ys.sizes[0]?.value)
      return context.fail(`"xs" is ${printOutput(xs)} and "ys" is ${printOutput(ys)}: each point wants both`, {
        port: 'ys',
        wanted: printOutput(xs),
        got: printOutput(ys),
      });
    if (!xs.computed && !ascends(context)) return undefined;
    const computed = x.computed || xs.computed || ys.computed;
    const output: Output = { name: '', element: 'real', sizes: x.sizes, computed };
    return { outputs: [output], detail: { steps: Math.ceil(Math.log2(points + 1)), unproven: xs.computed } };
  },

  lower(_, { steps, unproven }, context) {
    const b = context.builder;
    const [given, xs, ys] = ['x', 'xs', 'ys'].map((port) => asReal(b, context.input(port))) as [Value, Value, Value];
    const x = unproven ? nanUnlessAscending(b, xs, given) : given;
    const points = context.extent(context.output('xs').sizes[0] as AxisSize);
    const count = countUpTo(b, x, xs, steps);
    const low = b.apply('max', b.apply('sub', count, b.literal(1, 'int')), b.literal(0, 'int'));
    const high = b.apply('min', count, b.apply('sub', points, b.literal(1, 'int')));
    const ends = [xs, ys].flatMap((values) => [low, high].map((index) => b.gather(values, index, 'nan')));
    return [
      b.elementwise([x, low, high, ...ends], (s, at, l, h, x0, x1, y0, y1) =>
        onLine(s, [at, l, h, x0, x1, y0, y1] as Line),
      ),
    ];
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
    () => at,
    () => e.choose(e.apply('eq', low, high), () => y0, between),
  );
}

/** #{j : xsⱼ ≤ x}, its bits found from the highest down. A place past the end reads NaN, and no x is above NaN. */
function countUpTo(b: ProgramBuilder, x: Value, xs: Value, steps: number): Value {
  let count = b.replicate(b.literal(0, 'int'), x.type.shape);
  for (let bit = 2 ** (steps - 1); bit >= 1; bit /= 2) {
    const tried = b.gather(xs, b.apply('add', count, b.literal(bit - 1, 'int')), 'nan');
    count = b.elementwise([tried, x, count], (s, there, at, c) =>
      s.apply('add', c, s.apply('mul', s.apply('int', s.apply('le', there, at)), intLiteral(bit))),
    );
  }
  return count;
}

/** Points that move with the parameters may lose their order: NaN, then, instead of a line through the wrong ones. */
function nanUnlessAscending(b: ProgramBuilder, xs: Value, x: Value): Value {
  const indices = b.iota(xs.type.shape[0] as Size);
  const before = b.gather(xs, b.apply('max', b.apply('sub', indices, b.literal(1, 'int')), b.literal(0, 'int')), 'nan');
  const falls = b.elementwise([before, xs], (s, left, right) =>
    s.apply('real', s.apply('not', s.apply('le', left, right))),
  );
  const [fallen] = b.reduce(builtinOperator('max'), [falls], 0);
  return b.elementwise([x, fallen as Value], (s, at, fell) =>
    expression(s).choose(
      s.apply('lt', realLiteral(0), fell),
      () => realLiteral(NaN),
      () => at,
    ),
  );
}

function ascends(context: InferContext): boolean {
  const xs = context.compute(['xs'], (lower) => asReal(lower.builder, lower.input('xs')));
  if (!xs) return false;
  for (let i = 0; i < xs.length; i++) {
    const [before, x] = [xs[i - 1] ?? -Infinity, xs[i] as number];
    if (x >= before) continue;
    context.fail(`"xs" wants ascending numbers, and element ${i} is ${x}${i > 0 ? ` after ${before}` : ''}`, {
      port: 'xs',
      wanted: 'ascending numbers',
      got: String(x),
      fix: Number.isNaN(x) ? 'leave rows without a value out by a "filter" block' : 'sort the table by this column',
    });
    return false;
  }
  return true;
}
