/** Derivatives by the times of jumps that come soon, start at their threshold, or come by a method with long steps. */
import { expect, it } from 'vitest';
import {
  constant,
  documentOf,
  expectClose,
  json,
  parameter,
  written,
  type PlainBlock,
} from '../../../support/command-line.ts';

type Point = Record<string, number>;

interface Case {
  readonly name: string;
  readonly point: Point;
  readonly ode: PlainBlock;
  readonly end: number;
  readonly of: string;
  readonly closed: (point: Point) => number;
}

/** Where a function that is below 0 first comes to 0. */
function root(f: (t: number) => number, low: number, high: number): number {
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return high;
}

const fall = '1 - 0.5*y';
/** y of y′ = 1 − y/2. */
const risen = (y: number, t: number): number => 2 - (2 - y) * Math.exp(-t / 2);

const cases: Case[] = [
  {
    // Steps are as short as the clock tells by then, where y − h is known to the rounding of y alone.
    name: 'an event soon after the start, by a difference',
    point: { h: 0.6888, c: 0.7846 },
    ode: {
      state: { y: { initial: 'c', rate: fall }, b: { initial: 0, rate: '1' } },
      events: [{ when: 'y - h > 0.1', set: { b: 0 } }],
      method: 'explicit',
    },
    end: 5.505,
    of: 'b',
    closed: ({ h, c }) => 5.505 - root((t) => risen(c!, t) - h! - 0.1, 0, 5),
  },
  ...['auto', 'stiff'].map((method) => ({
    name: `a rate that jumps by what it drives, ${method}`,
    point: { k: 0.4281 },
    ode: {
      state: { z: { initial: 0, rate: 'if(z*b > 0.1, 1, k)' }, b: { initial: 1, rate: '1' } },
      method,
    },
    end: 2.83,
    of: 'z',
    closed: ({ k }: Point) => {
      const at = root((t) => k! * t * (1 + t) - 0.1, 0, 2);
      return k! * at + 2.83 - at;
    },
  })),
  {
    name: 'a start at a threshold, and a jump after it',
    point: { h: 0.4, k: 0.9 },
    ode: {
      state: {
        y: { initial: 'h', rate: fall },
        z: { initial: 0.3, rate: 'if(y > h, k, -0.2*z)' },
        b: { initial: 1, rate: 'if(y*z > k, 1 + 0.1*b, -0.1*b)' },
      },
      method: 'explicit',
    },
    end: 4,
    of: 'b',
    closed: ({ h, k }) => {
      const at = root((t) => risen(h!, t) * (0.3 + k! * t) - k!, 0, 4);
      return (Math.exp(-0.1 * at) + 10) * Math.exp(0.1 * (4 - at)) - 10;
    },
  },
  {
    name: 'what another jump sets going from its threshold',
    point: { a: 1.3, k: 0.7 },
    ode: {
      state: {
        z: { initial: 0.5, rate: 'if(time > a, k, 0)' },
        b: { initial: 0, rate: 'if(z > 0.5, 3*k, 0.2)' },
      },
    },
    end: 4,
    of: 'b',
    closed: ({ a, k }) => 0.2 * a! + 3 * k! * (4 - a!),
  },
  {
    name: 'a state that stops at its threshold',
    point: { h: 0.8, k: 0.7 },
    ode: { state: { y: { initial: 0, rate: 'if(y < h, k, 0)' }, b: { initial: 0, rate: 'y' } } },
    end: 4,
    of: 'b',
    closed: ({ h, k }) => h! * (4 - h! / k!) + h! ** 2 / (2 * k!),
  },
  {
    name: 'events again and again, stiff',
    point: { h: 0.4669 },
    ode: {
      state: { y: { initial: 0.2976, rate: fall } },
      events: [{ when: 'h < y', set: { y: 0.1 } }],
      method: 'stiff',
    },
    end: 4.784,
    of: 'y',
    closed: ({ h }) => {
      const [once, again] = [0.2976, 0.1].map((from) => 2 * Math.log((2 - from) / (2 - h!))) as [number, number];
      return risen(0.1, (4.784 - once) % again);
    },
  },
];

it.each(cases.map((each) => [each.name, each] as const))('%s', async (_, { point, ode, end, of, closed }) => {
  const names = Object.keys(point);
  const path = written(
    documentOf([
      ...names.map((id) => parameter(id, point[id])),
      constant('t', [end]),
      { id: 'x', kind: 'ode', times: 't', from: 0, tolerance: { relative: 1e-10, absolute: 1e-12 }, ...ode },
      { id: 'last', kind: 'reduce', operator: 'add', values: `x.${of}` },
    ]),
  );
  const { value, adjoints } = (await json('differentiate', path, '--of', 'last')) as {
    value: number;
    adjoints: Record<string, number>;
  };
  expectClose(value, closed(point), 1e-7);
  for (const id of names) {
    const moved = (by: number): number => closed({ ...point, [id]: point[id]! + by });
    const difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
    expect(Math.abs(adjoints[id]! - difference), `${id}: ${adjoints[id]} and ${difference}`).toBeLessThan(
      1e-6 * Math.max(1, Math.abs(difference)),
    );
  }
});
