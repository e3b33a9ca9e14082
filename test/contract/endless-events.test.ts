/** Events that come to no end before a finite time: a ball that bounces to rest. */
import { expect, it } from 'vitest';
import { column, cotangent, documentOf, json, parameter, written } from '../support/command-line.ts';

const fallen = (times: readonly number[], restitution: number): string =>
  written(
    documentOf(
      [
        column('t'),
        parameter('g', 9.81),
        {
          ...{ id: 'ball', kind: 'ode', times: 't', from: 0 },
          state: { h: { initial: 1, rate: 'v' }, v: { initial: 0, rate: '-g' } },
          events: [{ when: 'h <= 0', set: { v: `${-restitution}*v` } }],
        },
      ],
      { tables: { T: { columns: { t: times } } } },
    ),
  );

/** Its height in closed form: parabolas, each shorter by the restitution. */
function height(t: number, restitution: number): number {
  const g = 9.81;
  let [begun, v] = [Math.sqrt(2 / g), restitution * Math.sqrt(2 * g)];
  if (t < begun) return 1 - (g / 2) * t * t;
  while (t > begun + (2 * v) / g) [begun, v] = [begun + (2 * v) / g, restitution * v];
  return v * (t - begun) - (g / 2) * (t - begun) ** 2;
}

it.each([0.1, 0.5, 0.8, 0.95])(
  'a ball of restitution %s is right up to where its bounces come to no end',
  async (e) => {
    const rest = Math.sqrt(2 / 9.81) * ((1 + e) / (1 - e));
    const times = [0.2, 0.6, 0.9, 0.99, 0.9999].map((share) => share * rest);
    const { values } = (await json('evaluate', fallen(times, e), '--output', 'ball.h')) as {
      values: { 'ball.h': number[] };
    };
    for (const [i, t] of times.entries()) expect(values['ball.h'][i]).toBeCloseTo(height(t, e), 5);
    const { status, stderr } = await cotangent('evaluate', fallen([...times, 1.5 * rest], e), '--output', 'ball.h');
    expect(status).toBe(3);
    expect(stderr).toMatch(/"ball" is not finite: it stops at \S+, before which events follow each other ever faster/);
    expect(Number(/stops at (\S+),/.exec(stderr)?.[1])).toBeCloseTo(rest, 4);
  },
);

it('events that come together by chance are no rush', async () => {
  const document = documentOf(
    [
      column('t'),
      {
        ...{ id: 'm', kind: 'ode', times: 't', from: 0, state: { x: { initial: 0, rate: '0' } } },
        // Ever shorter waits, and in the end two that rounding alone keeps apart.
        events: ['5', '9', '12', '14', '14.000000000001'].map((at) => ({ when: `time >= ${at}`, set: { x: 'x + 1' } })),
      },
    ],
    { tables: { T: { columns: { t: [6, 20] } } } },
  );
  expect(await json('evaluate', written(document), '--output', 'm')).toMatchObject({ values: { m: [1, 5] } });
});

it('an event that rounding puts on either side of an output is told of', async () => {
  const document = documentOf(
    [
      column('t'),
      {
        ...{ id: 'm', kind: 'ode', times: 't', from: 0, state: { x: { initial: 0, rate: '1' } } },
        events: [{ when: 'x >= 1', set: { x: 0 } }],
      },
    ],
    { tables: { T: { columns: { t: [1, 2] } } } },
  );
  const { status, stderr } = await cotangent('evaluate', written(document), '--output', 'm');
  expect({ status, stderr }).toMatchObject({ status: 3, stderr: expect.stringContaining('ask for one beside it') });
});

it('a solution that ends where a root has no value says what to do there', async () => {
  const document = documentOf(
    [
      column('t'),
      { id: 'tank', kind: 'ode', times: 't', from: 0, state: { h: { initial: 1, rate: '-2*sqrt(h) - 0.1' } } },
    ],
    { tables: { T: { columns: { t: [0.5, 3] } } } },
  );
  const { status, stderr } = await cotangent('evaluate', written(document), '--output', 'tank');
  expect(status).toBe(3);
  expect(stderr).toContain('if(x > 0, sqrt(x), 0)');
});
