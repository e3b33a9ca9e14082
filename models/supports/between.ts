/**
 * A parameter whose bounds depend on others: p = l + v, p = h − v with v ≥ 0, or p = l + (h − l)·σ(v)
 * between both, so that it lies strictly inside wherever the bounds go. At v = 0 it is at its bound, where the slope says whether it
 * is held there.
 */
import {
  builtinOperator,
  type ProgramBuilder,
  type ScalarBuilder,
  sizeProduct,
  type Value,
} from '../../engine/index.ts';
import type { Written } from './support.ts';

export function writeBetween(b: ProgramBuilder, v: Value, lower: Value | undefined, upper: Value | undefined): Written {
  const write = lower && upper ? inside : beyond;
  const [value, terms] = write(b, v, lower, upper);
  const [logJacobian] =
    terms.type.shape.length === 0
      ? [terms]
      : b.reduce(builtinOperator('add'), [b.reshape(terms, [sizeProduct(terms.type.shape)])], 0);
  return { value, logJacobian: logJacobian! };
}

/** v of a value between these; not finite where it does not lie strictly there. */
export function freeBetween(value: number, lower: number, upper: number): number {
  if (lower !== -Infinity && upper !== Infinity) return Math.log((value - lower) / (upper - value));
  const gap = upper === Infinity ? value - lower : upper - value;
  return gap >= 0 ? gap : NaN;
}

type Write = (b: ProgramBuilder, v: Value, lower?: Value, upper?: Value) => [value: Value, logSlopes: Value];

const beyond: Write = (b, v, lower, upper) => [
  lower ? b.apply('add', lower, v) : b.apply('sub', upper!, v),
  b.apply('sub', v, v),
];

const inside: Write = (b, v, lower, upper) => {
  const width = b.apply('sub', upper!, lower!);
  const share = b.apply('logistic', v);
  const logShare = (s: ScalarBuilder, x: Parameters<ScalarBuilder['apply']>[1]) =>
    s.apply('neg', s.apply('logaddexp', x, s.apply('sub', x, x)));
  const terms = b.elementwise([width, v], (s, w, x) =>
    s.apply('add', s.apply('log', w), s.apply('add', logShare(s, x), logShare(s, s.apply('neg', x)))),
  );
  return [b.apply('add', lower!, b.apply('mul', width, share)), terms];
};
