/** Steps as short as the usual tolerance asks for there are none in f32: what they are wrong by is what rounding leaves. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderWith, json } from '../../../support/command-line.ts';

const systems = {
  decay: { x: { initial: 1, rate: '-x' } },
  oscillator: { x: { initial: 1, rate: 'v' }, v: { initial: 0, rate: '-x' } },
  Robertson: {
    x: { initial: 1, rate: '-0.04*x + 1e4*b*c' },
    b: { initial: 0, rate: '0.04*x - 1e4*b*c - 3e7*b^2' },
    c: { initial: 0, rate: '3e7*b^2' },
  },
  'van der Pol': { x: { initial: 2, rate: 'v' }, v: { initial: 0, rate: '100*(1 - x^2)*v - x' } },
};

it.each(Object.entries(systems))('%s is solved in f32', async (name, state) => {
  const times = { id: 't', kind: 'constant', value: [0, 1, 2, 10, 40] };
  const blocks = [times, { id: 'o', kind: 'ode', times: 't', state }];
  const document = JSON.stringify({ format: 'cotangent/1', name, blocks });
  const path = join(folderWith({ 'm.cot.json': document }), 'm.cot.json');
  const output = name === 'decay' ? 'o' : 'o.x';
  const solved = async (precision: string): Promise<number[]> => {
    const { values } = (await json('evaluate', path, '--output', output, '--precision', precision)) as {
      values: Record<string, number[]>;
    };
    return values[output]!;
  };
  const [single, double] = [await solved('f32'), await solved('f64')];
  expect(single).toHaveLength(5);
  single.forEach((value, i) => expect(Math.abs(value - double[i]!)).toBeLessThan(2e-5 * Math.abs(double[0]!)));
});
