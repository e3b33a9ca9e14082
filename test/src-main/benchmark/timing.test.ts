/** Timing: how often a run is repeated, and what is made of the samples. No time is judged. */
import { describe, expect, it } from 'vitest';
import { datasets, elementsOf, smaller } from '../../../src-main/benchmark/datasets.ts';
import { draw } from '../../../src-main/benchmark/draw.ts';
import { count, figure } from '../../../src-main/benchmark/shown.ts';
import { median, timed } from '../../../src-main/benchmark/timing.ts';

describe('timing', () => {
  it('takes the median', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('runs as often as it is told, and at least so often when there is no time', async () => {
    const { runs, milliseconds } = await timed(() => {}, { runs: 5, seconds: 100, least: 3 });
    expect(runs).toBe(5);
    expect(milliseconds).toBeGreaterThanOrEqual(0);
    let count = 0;
    expect((await timed(async () => void count++, { runs: 25, seconds: 0, least: 3 })).runs).toBe(3);
    expect(count).toBeGreaterThan(3);
  });
});

describe('data', () => {
  it('are the same for the same name, and lie in their range', () => {
    const values = draw('x', 'real', 1000, [0.999, 1.001]);
    expect(values).toEqual(draw('x', 'real', 1000, [0.999, 1.001]));
    expect(values).not.toEqual(draw('y', 'real', 1000, [0.999, 1.001]));
    for (const value of values) expect(Math.abs(value - 1)).toBeLessThan(0.00101);
    const keys = draw('keys', 'int', 1000, [0, 31]);
    expect([Math.min(...keys), Math.max(...keys)]).toEqual([0, 30]);
  });

  it('grow and shrink by ten', () => {
    expect(datasets.map((dataset) => elementsOf(dataset, 1e7))).toEqual([1e7, 1e8, 1e6]);
    expect(datasets.map((dataset) => smaller[dataset])).toEqual(['D1/10', 'D1', undefined]);
  });
});

describe('figures', () => {
  it('have three digits', () => {
    expect([0, 0.001234, 1.234, 12.34, 123.4, 12345].map(figure)).toEqual([
      '0',
      '0.00123',
      '1.23',
      '12.3',
      '123',
      '12345',
    ]);
    expect([1000, 1e7, 1234567, 100].map(count)).toEqual(['10³', '10⁷', '1 234 567', '100']);
  });
});
