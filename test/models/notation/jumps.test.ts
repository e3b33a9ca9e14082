/** A jump is found by asking more closely, wherever it is; what is only steep stays as it is. */
import { expect, it } from 'vitest';
import { closerTimes, suspectedIn, withJumps, worstOf } from '../../../models/notation/jumps.ts';

/** As the window does it: coarse first, then closer where something may jump. */
function drawn(f: (x: number) => number): { x: number; y: number }[] {
  let x = Array.from({ length: 241 }, (_, i) => i / 24);
  for (let round = 0; round < 2; round++) x = [...new Set([...x, ...closerTimes(x, [x.map(f)])])].sort((a, b) => a - b);
  return withJumps(x.map((at) => ({ x: at, y: f(at) })));
}
const instants = (points: readonly { readonly x: number }[]): number[] =>
  points.flatMap(({ x }, i) => (points[i + 1]?.x === x ? [x] : []));

it('finds jumps between and at the points, two in a row, and small ones beside large', () => {
  const sawtooth = (x: number) => Math.exp(-(x % Math.PI)) + (x >= 7.7 ? 0.02 : 0);
  const found = instants(drawn(sawtooth));
  expect(found).toHaveLength(4);
  [Math.PI, 2 * Math.PI, 7.7, 3 * Math.PI].forEach((at, i) => expect(Math.abs(found[i]! - at)).toBeLessThan(2e-4));
  expect(instants(drawn((x) => (x >= 5 ? 1 : 0)))).toHaveLength(1);
});

it('takes nothing for a jump that is steep or bent', () => {
  for (const f of [Math.sin, (x: number) => Math.tanh(50 * (x - 5.01)), (x: number) => Math.abs(x - 3.3), () => 1])
    expect(instants(drawn(f))).toEqual([]);
});

it('of more than are wanted takes those in which most changes', () => {
  const x = Array.from({ length: 101 }, (_, i) => i);
  const y = x.map((at) => (at >= 20 ? 1 : 0) + (at >= 50 ? 7 : 0) + (at >= 80 ? 3 : 0));
  const suspected = suspectedIn(x, y);
  expect(worstOf(suspected, 9).map(({ from }) => from)).toEqual([19, 49, 79]);
  expect(worstOf([...suspected, ...suspected], 2).map(({ from }) => from)).toEqual([49, 79]);
});
