import { expect, it } from 'vitest';
import { availableOf, memoryNow, memoryWarner } from '../../../src-main/faults/memory.ts';

const GB = 1e9;

it('warns once before the memory is full, and again after there was enough', () => {
  const warn = memoryWarner();
  const at = (available: number) => warn({ available: available * GB, total: 16 * GB, ours: 9 * GB });
  expect([8, 3, 1.4].map(at)).toEqual([undefined, undefined, undefined]);
  expect(at(1.2)).toMatch(/1\.2 GB of 16\.0 GB are left, and the engine holds 9\.0 GB/);
  expect([1.0, 1.5, 0.5].map(at)).toEqual([undefined, undefined, undefined]);
  expect(at(4)).toBeUndefined();
  expect(at(0.5)).toContain('0.5 GB');
});

it('reads what could be had, which is more than what is free', () => {
  expect(availableOf('MemTotal: 100 kB\nMemFree: 1 kB\nMemAvailable:      42 kB\n')).toBe(42 * 1024);
  expect(availableOf('')).toBeUndefined();
  const { available, total, ours } = memoryNow();
  expect(available).toBeLessThanOrEqual(total);
  expect(ours).toBeGreaterThan(0);
});
