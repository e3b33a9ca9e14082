/** Events that one instant triggers, each by a condition of its own: derivatives where one may be moved and not the other. */
import { it } from 'vitest';
import {
  constant,
  documentOf,
  expectClose,
  json,
  parameter,
  written,
  type PlainBlock,
} from '../../../support/command-line.ts';

type Point = Readonly<Record<string, number>>;

interface Case {
  readonly name: string;
  readonly point: Point;
  readonly ode: PlainBlock;
  readonly of: string;
  readonly closed: (point: Point) => number;
}

const end = 2;
const grows = { initial: 0, rate: '1' };
const fill = 0.7;
/** b of b′ = −0.5b after a time. */
const left = (b: number, time: number): number => b * Math.exp(-0.5 * time);
/** When y of y′ = k·(1 − y) is h. */
const risen = ({ k, h }: Point): number => -Math.log(1 - h!) / k!;

const resets = {
  state: { b: grows, c: grows },
  events: [
    { when: 'time > p', set: { b: 0 } },
    { when: 'time > q', set: { c: 0 } },
  ],
};
const doses = (more: PlainBlock): PlainBlock => ({
  state: { b: { initial: 1, rate: '-0.5*b' } },
  events: ['time > p', 'time >= q'].map((when) => ({ when, set: { b: `b + ${fill}` }, values: 'execution', ...more })),
});
const dosed = ({ p, q, lag = 0 }: Point): number =>
  left(1, end) + left(fill, end - p! - lag) + left(fill, end - q! - lag);
const rises = { initial: 0, rate: 'k*(1 - y)' };

const cases: Case[] = [
  ...['b', 'c'].map((of) => ({
    name: `two resets, ${of}`,
    point: { p: 0.5, q: 0.5 },
    ode: resets,
    of,
    closed: ({ p, q }: Point) => end - (of === 'b' ? p! : q!),
  })),
  { name: 'two doses', point: { p: 0.5, q: 0.5 }, ode: doses({}), of: 'b', closed: dosed },
  {
    name: 'two doses that wait',
    point: { p: 0.5, q: 0.5, lag: 0.3 },
    ode: doses({ delay: 'lag' }),
    of: 'b',
    closed: dosed,
  },
  { name: 'the later first', point: { p: 0.5, q: 0.5 }, ode: doses({ priority: 'time' }), of: 'b', closed: dosed },
  {
    name: 'what one takes down of when it is triggered',
    point: { p: 0.5, q: 0.5, k: 0.9 },
    ode: {
      state: { y: { initial: 1, rate: '-k*y' }, b: { initial: 0, rate: '0' }, c: { initial: 0, rate: '0' } },
      events: [
        { when: 'time > p', set: { b: 'y' } },
        { when: 'time > q', set: { c: 'y + q*time' }, delay: 0.4 },
      ],
    },
    of: 'c',
    closed: ({ q, k }) => Math.exp(-k! * q!) + q! ** 2,
  },
  {
    name: 'a state and the time',
    point: { k: 0.8, h: 1 - Math.exp(-0.4), p: 0.5 },
    ode: {
      state: { y: rises, b: grows, c: grows },
      events: [
        { when: 'time >= p', set: { b: 0 } },
        { when: 'y >= h', set: { c: 0 } },
      ],
      tolerance: { relative: 1e-12, absolute: 1e-14 },
    },
    of: 'c',
    closed: (point) => end - risen(point),
  },
  {
    name: 'one condition of two events',
    point: { k: 0.8, h: 0.3 },
    ode: {
      state: { y: rises, b: grows, c: grows },
      events: ['b', 'c'].map((state) => ({ when: 'y > h', set: { [state]: 0 } })),
    },
    of: 'c',
    closed: (point) => end - risen(point),
  },
  {
    name: 'a rate that jumps, and an event',
    point: { p: 0.5, q: 0.5 },
    ode: {
      state: { y: { initial: 0, rate: 'if(time > p, 3, 1)' }, c: grows },
      events: [{ when: 'time > q', set: { c: 0 } }],
    },
    of: 'c',
    closed: ({ q }) => end - q!,
  },
  {
    name: 'three, of which one has two conditions',
    point: { p: 0.5, q: 0.5, u: 0.5 },
    ode: {
      state: { b: grows, c: grows, d: grows },
      events: [
        { when: 'time > p', set: { b: 0 } },
        { when: 'time > q', set: { c: 0 } },
        { when: 'time > 0.2 and time > u', set: { d: 0 } },
      ],
    },
    of: 'd',
    closed: ({ u }) => end - u!,
  },
  {
    name: 'the echo of the second',
    point: { p: 0.7, q: 0.7, tau: 0.5 },
    ode: {
      state: { c: grows, x: grows, y: { initial: 0, rate: 'delay(x, tau)' } },
      events: [
        { when: 'time > p', set: { c: 0 } },
        { when: 'time > q', set: { x: 0 } },
      ],
    },
    of: 'y',
    closed: ({ q, tau }) => q! ** 2 / 2 + (end - tau! - q!) ** 2 / 2,
  },
  {
    name: 'the echo of what waited until another happens',
    point: { p: 0.7, q: 0.3, lag: 0.4, tau: 0.5 },
    ode: {
      state: { c: grows, x: grows, y: { initial: 0, rate: 'delay(x, tau)' } },
      events: [
        { when: 'time >= p', set: { c: 0 } },
        { when: 'time >= q', set: { x: 0 }, delay: 'lag' },
      ],
    },
    of: 'y',
    closed: ({ q, lag, tau }) => (q! + lag!) ** 2 / 2 + (end - tau! - q! - lag!) ** 2 / 2,
  },
];

it.each(cases.map((each) => [each.name, each] as const))('%s', async (_, { point, ode, of, closed }) => {
  const path = written(
    documentOf([
      ...Object.entries(point).map(([id, value]) => parameter(id, value)),
      constant('t', [end]),
      { id: 'x', kind: 'ode', times: 't', from: 0, tolerance: { relative: 1e-10, absolute: 1e-12 }, ...ode },
      { id: 'last', kind: 'reduce', operator: 'add', values: `x.${of}` },
    ]),
  );
  const { value, adjoints } = (await json('differentiate', path, '--of', 'last')) as {
    value: number;
    adjoints: Record<string, number>;
  };
  expectClose(value, closed(point), 1e-8);
  const moved = (by: Point): number =>
    closed(Object.fromEntries(Object.entries(point).map(([id, x]) => [id, x + (by[id] ?? 0)])));
  const slopes = Object.keys(point).map((id) => (moved({ [id]: 1e-5 }) - moved({ [id]: -1e-5 })) / 2e-5);
  expectClose(
    Object.keys(point).map((id) => adjoints[id] ?? NaN),
    slopes,
    1e-6,
  );
  const { hessian } = (await json('hessian', path, '--of', 'last')) as { hessian: number[][] };
  const d = 1e-4;
  const bends = Object.keys(point).map((a) =>
    Object.keys(point).map((b) => {
      const at = (i: number, j: number): number => moved(a === b ? { [a]: (i + j) * d } : { [a]: i * d, [b]: j * d });
      return (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * d * d);
    }),
  );
  expectClose(hessian.flat(), bends.flat(), 1e-4);
});
