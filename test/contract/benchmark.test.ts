/** `benchmark`: what it refuses, and the JSON of its rows. Sizes are tiny and no time is judged. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cotangent, folderWith } from '../support/command-line.ts';
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
    expect(await refused('nothing')).toContain('paper, primitives, fits, starts, stop, edits, sliders, pytorch, rules');
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

  it('holds primitives against a copy', async () => {
    const found = await rows('primitives');
    expect(found.map(({ row }) => row)).toEqual(['copy', 'map', 'reduce', 'scan', 'histogram', 'sort']);
    expect(Object.keys(found[0] ?? {})).toEqual(['row', 'n', 'device', 'precision', 'runs', 'ms', 'GBs', 'ofCopy']);
    expect(found[0]).toMatchObject({ n: 1000, ofCopy: 1 });
  });

  it('times iterations of fits on more and more data', async () => {
    const found = await rows('fits', '--only', 'exponential');
    expect(found.map(({ quantity, n }) => [quantity, n])).toEqual(
      ['loss', 'gradient', 'normal equations'].flatMap((quantity) => [100, 1000].map((n) => [quantity, n])),
    );
    expect(found[0]).toMatchObject({ row: 'exponential decay', growth: null });
    expect(found[1]?.['growth']).toBeGreaterThan(0);
  });

  it('times many starts beside one', async () => {
    const found = await rows('starts', '--precision', 'f64');
    expect(found.map(({ starts }) => starts)).toEqual([1, 8, 64, 256]);
    for (const { iterations, microseconds, perIteration, times } of found as Record<string, number>[]) {
      expect(perIteration).toBeCloseTo(microseconds! / iterations!, 12);
      expect(times).toBeGreaterThan(0);
    }
  });

  it('times edits of a document', async () => {
    const found = (await rows('edits', '--only', 'the first', '--precision', 'f64')) as Record<string, number>[];
    expect(found).toMatchObject([{ row: 'the first', blocks: 30, n: 30, runs: 1 }]);
    const { milliseconds, readMs, differentiateMs, compileMs, runMs } = found[0]!;
    const stages = [readMs, differentiateMs, compileMs, runMs] as number[];
    expect(milliseconds).toBeCloseTo(
      stages.reduce((sum, stage) => sum + stage),
      9,
    );
  });

  it('times the moves of a slider', async () => {
    const found = (await rows('sliders', '--only', '5 curves of 12', '--precision', 'f64')) as Record<string, number>[];
    expect(found).toMatchObject([{ row: '5 curves of 12', curves: 5, n: 12 }]);
    for (const stage of ['valuesMs', 'plotsMs', 'checkMs', 'copyMs'])
      expect(found[0]![stage]).toBeLessThan(found[0]!['milliseconds']!);
  });

  it('sets PyTorch beside its own', async () => {
    const times = [
      { row: 'cumsum', n: 1000, forwardMs: 1, totalMs: 4 },
      { row: 'cumprod', n: 7, forwardMs: 1, totalMs: 4 },
    ];
    const file = join(folderWith({ 'pytorch.json': JSON.stringify(times) }), 'pytorch.json');
    const [sum, product] = await rows('pytorch', '--only', 'cum', '--pytorch', file);
    expect(sum).toMatchObject({ row: 'cumsum', pytorchForwardMs: 1, pytorchTotalMs: 4 });
    expect(sum?.['times']).toBeCloseTo(4 / (sum?.['totalMs'] as number), 12);
    expect(product).toMatchObject({ row: 'cumprod', pytorchTotalMs: null, times: null });
    const broken = join(folderWith({ 'pytorch.json': '[{"row": "sum"}]' }), 'pytorch.json');
    expect(await refused('pytorch', '--pytorch', broken)).toContain('build/benchmarks/pytorch.py');
  });

  it('forces every rule that applies', async () => {
    const found = await rows('rules', '--only', 'scan linFnComp');
    expect(found.map(({ rule }) => rule).sort()).toEqual(['scan-general', 'scan-ppad', 'scan-structured']);
    expect(found.filter(({ chosen }) => chosen).length).toBe(1);
    for (const { estimatedNs } of found) expect(estimatedNs).toBeGreaterThan(0);
  });

  it('stops on Ctrl-C with the rows so far', async () => {
    const { status, stdout } = await runProcess(['benchmark', 'paper', '--device', 'cpu', '--json'], {
      interruptAfter: 3000,
    });
    expect(status).toBe(130);
    expect(JSON.parse(stdout)).toBeInstanceOf(Array);
  });
});
