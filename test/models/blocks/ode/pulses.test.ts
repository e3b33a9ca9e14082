/** Pulses of the time in a rate, shorter than the steps around them, against closed forms. */
import { describe, expect, it } from 'vitest';
import { constant, documentOf, expectClose, json, parameter, written } from '../../../support/command-line.ts';

async function lastOf(rate: string, end: number, method: string): Promise<number> {
  const state = { x: { initial: 0, rate }, z: { initial: 0, rate: '1' } };
  const blocks = [constant('t', [end]), { id: 'x', kind: 'ode', times: 't', from: 0, state, method }];
  const { values } = (await json('evaluate', written(documentOf(blocks)), '--output', 'x.x')) as {
    values: Record<string, [number]>;
  };
  return values['x.x']?.[0] ?? NaN;
}

const bell = '1000*exp(-((time - 31.7)/0.005)^2)';
const area = 5 * Math.sqrt(Math.PI);

describe('a rate', () => {
  it.each([
    [bell, 'auto', area],
    [bell, 'stiff', area],
    [`${bell} - 0.01*x`, 'auto', area * Math.exp(-0.01 * (100 - 31.7))],
    [`z*${bell}`, 'explicit', 31.7 * area],
    ['1/(1 + ((time - 31.7)/0.001)^2)', 'auto', 0.001 * (Math.atan(68.3e3) + Math.atan(31.7e3))],
    // Where the exponentials overflow.
    ['1/(1 + exp(-(time - 31.7)/0.005)) - 1/(1 + exp(-(time - 31.8)/0.005))', 'explicit', 0.1],
    ['max(0, 1 - abs(time - 31.7)*100)', 'auto', 0.01],
  ])('is not stepped over: %s, %s', async (rate, method, wanted) => {
    expectClose(await lastOf(rate, 100, method), wanted, 1e-6);
  });

  it('has the derivatives of its pulse', async () => {
    const path = written(
      documentOf([
        parameter('height', 1000),
        parameter('at', 31.7),
        constant('t', [100]),
        {
          ...{ id: 'x', kind: 'ode', times: 't', from: 0 },
          state: { x: { initial: 0, rate: 'height*exp(-((time - at)/0.005)^2) - 0.01*x' } },
        },
        { id: 'last', kind: 'reduce', operator: 'add', values: 'x.x' },
      ]),
    );
    const { adjoints } = (await json('differentiate', path, '--of', 'last')) as { adjoints: Record<string, number> };
    const last = area * Math.exp(-0.01 * (100 - 31.7));
    expectClose(adjoints, { height: last / 1000, at: 0.01 * last }, 1e-5);
  });
});

it('that swings takes the steps that it took', async () => {
  expectClose(await lastOf('sin(time)', 100, 'explicit'), 1 - Math.cos(100), 1e-7);
  expectClose(await lastOf('sqrt(time)', 50, 'explicit'), (2 / 3) * 50 ** 1.5, 1e-7);
  expect(await lastOf('time*exp(-time)', 50, 'auto')).toBeCloseTo(1, 7);
});
