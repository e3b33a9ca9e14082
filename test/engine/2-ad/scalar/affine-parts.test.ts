/** f(c, x) = b(x) + A(x)·c where f is affine, and nothing where it is not. */
import { describe, expect, it } from 'vitest';
import {
  intLiteral,
  realLiteral as real,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../../engine/0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../../../engine/0-ir/scalar-builder.ts';
import { affineParts } from '../../../../engine/2-ad/scalar/affine-parts.ts';
import { closedPattern } from '../../../../engine/2-ad/structure.ts';
import { evaluateScalar } from '../../../../engine/4-backends/reference/scalar/evaluate.ts';

type Write = (
  s: ScalarBuilder,
  p: ScalarOperand,
  q: ScalarOperand,
  u: ScalarOperand,
  k: ScalarOperand,
) => ScalarOperand[];
const step = (write: Write): ScalarFunction => scalarFunction(['real', 'real', 'real', 'int'], write);

const positive: Write = (s, p, q, u) => {
  const condition = s.apply('lt', real(0), u);
  return s.branch(
    condition,
    () => [p, s.apply('mul', real(2), q)],
    () => [s.apply('sub', u, q), u],
  );
};

const affine: Readonly<Record<string, Write>> = {
  'sums and products with inputs': (s, p, q, u, k) => [
    s.apply('add', s.apply('mul', s.apply('sin', u), p), s.apply('mul', q, s.apply('real', k))),
    s.apply('sub', s.apply('div', s.apply('add', p, q), s.apply('exp', u)), u),
  ],
  'a negation and a literal': (s, p, q) => [s.apply('neg', q), s.apply('add', p, real(3))],
  'neither carry': (_, __, ___, u) => [u, real(1)],
  'an if on inputs': positive,
  'an if within a sum': (s, p, q, u, k) => {
    const [first, second] = positive(s, p, q, u, k) as [ScalarOperand, ScalarOperand];
    return [s.apply('add', first, q), s.apply('mul', u, second)];
  },
  'an if whose branches agree': (s, p, q, _, k) => [
    s.branch(
      s.apply('eq', k, intLiteral(1)),
      () => [s.apply('mul', p, real(2))],
      () => [s.apply('add', p, p)],
    )[0] as ScalarOperand,
    q,
  ],
};

describe('affine in the carries', () => {
  it.each(Object.entries(affine))('%s', (_, write) => {
    const fn = step(write);
    const parts = affineParts(fn, 2);
    if (!parts) return expect.fail('found not to be affine');
    for (const [p, q, u, k] of [
      [0.3, -1.7, 0.8, 1],
      [-2.5, 4, -0.6, 3],
    ] as const) {
      const b = evaluateScalar(parts.offset, [u, k]);
      const a = evaluateScalar(parts.matrix, [u, k]);
      const found = [0, 1].map((i) => b[i]! + a[2 * i]! * p + a[2 * i + 1]! * q);
      evaluateScalar(fn, [p, q, u, k]).forEach((value, i) => expect(found[i]).toBeCloseTo(value, 12));
    }
  });

  it.each(
    Object.entries({
      'a product of carries': (s, p, q, u) => [s.apply('mul', p, q), u],
      'a function of a carry': (s, p, q) => [s.apply('sin', p), q],
      'a quotient by a carry': (s, p, q, u) => [s.apply('div', u, p), q],
      // Their derivatives do not depend on the carry, yet they are not affine.
      'a step function': (s, p, q) => [s.apply('floor', p), q],
      'an if on a carry': (s, p, q, u) => [
        ...s.branch(
          s.apply('lt', p, real(0)),
          () => [u],
          () => [real(1)],
        ),
        q,
      ],
    } satisfies Record<string, Write>),
  )('not %s', (_, write) => expect(affineParts(step(write as Write), 2)).toBeUndefined());

  it('not with a carry that is no real number', () =>
    expect(
      affineParts(
        scalarFunction(['int', 'real'], (_, k) => [k]),
        1,
      ),
    ).toBeUndefined());

  it('whatever is computed beside the next carries', () =>
    expect(
      affineParts(
        step((s, p, q) => [q, p, s.apply('mul', p, q)]),
        2,
      ),
    ).toBeDefined());

  it('stores two classes of rotations, of four, and none of a sum', () => {
    const rotation = affineParts(
      step((s, p, q, u) => [
        s.apply('sub', s.apply('mul', s.apply('cos', u), p), s.apply('mul', s.apply('sin', u), q)),
        s.apply('add', s.apply('mul', s.apply('sin', u), p), s.apply('mul', s.apply('cos', u), q)),
      ]),
      2,
    );
    const total = affineParts(
      scalarFunction(['real', 'real'], (s, p, u) => [s.apply('add', p, u)]),
      1,
    );
    if (!rotation || !total) return expect.fail('found not to be affine');
    expect(closedPattern(rotation.matrix, 2).representatives).toHaveLength(2);
    expect(closedPattern(total.matrix, 1).representatives).toHaveLength(0);
  });
});
