/** `benchmark`: what it refuses, and the JSON of its rows. Sizes are tiny and no time is judged. */
import { describe, expect, it } from 'vitest';
import { cotangent } from '../support/command-line.ts';
import { runProcess } from '../support/process.ts';

async function refused(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await cotangent('benchmark', ...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^cotangent: [^\n]+\n$/);
  return stderr;
}

async function rows(...args: readonly string[]): Promise<Record<string, unknown>[]> {
  const { status, stdout } = await runProcess([
    'benchmark',
    ...args,
    '--elements',
    '1000',
    '--device',
    'cpu',
    '--json',
  ]);
  expect(status).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>[];
}

describe('benchmark', () => {
  it('refuses what it does not have', async () => {
    expect(await refused('nothing')).toContain('paper, primitives');
    expect(await refused('paper', '--only', 'none')).toContain('begins with "none"');
    expect(await refused('paper', '--size', 'D3')).toContain('D1, D2, D1/10');
    expect(await refused('paper', '--precision', 'f16')).toContain('f64, f32');
  });

  it('gives an object for each row and number of bins', async () => {
    const found = await rows('paper', '--only', 'histogram sumOfProd', '--size', 'D1/10');
    expect(found.map(({ row, bins }) => [row, bins])).toEqual(
      ['histogram sumOfProd', 'histogram sumOfProd invertible'].flatMap((row) =>
        [31, 401, 50_000].map((bins) => [row, bins]),
      ),
    );
    for (const row of found) {
      expect(Object.keys(row)).toEqual([
        'row',
        'dataset',
        'n',
        'bins',
        'device',
        'precision',
        'runs',
        'primalMs',
        'gradientMs',
        'overhead',
        'primalGBs',
        'rule',
        'paperOverhead',
        'competitorOverhead',
        'floor',
      ]);
      expect(row).toMatchObject({
        dataset: 'D1/10',
        n: 100,
        device: 'cpu',
        precision: 'f32',
        competitorOverhead: null,
      });
      expect(row['overhead']).toBeCloseTo((row['gradientMs'] as number) / (row['primalMs'] as number), 12);
    }
    expect(found[0]).toMatchObject({ paperOverhead: 29.4 });
    expect(found[3]).toMatchObject({ rule: 'histogram-invertible', paperOverhead: 1.8 });
  });

  it('runs the competitor, in f64 too', async () => {
    const [row, ...more] = await rows('paper', '--only', 'scan map2(×)', '--precision', 'f64', '--size', 'D2');
    expect(more).toEqual([]);
    expect(row).toMatchObject({ dataset: 'D2', n: 1000, bins: null, precision: 'f64', paperOverhead: 0.43 });
    expect(row?.['competitorOverhead']).toBeGreaterThan(0);
  });

  it('stops on Ctrl-C with the rows so far', async () => {
    const { status, stdout } = await runProcess(['benchmark', 'paper', '--device', 'cpu', '--json'], {
      interruptAfter: 3000,
    });
    expect(status).toBe(130);
    expect(JSON.parse(stdout)).toBeInstanceOf(Array);
  });
});
