/** What the tests of GradBench's evaluations share: answers by the protocol, numbers that look drawn, differences. */
import { expect } from 'vitest';
import { cpuDevice } from '../../engine/index.ts';
import { respond } from '../../src-main/benchmark/gradbench/respond.ts';

export const device = cpuDevice({ threads: 1 });

export async function evaluated(module: string, name: string, input: unknown): Promise<unknown> {
  const { success, output, error } = await respond(device, { id: 1, kind: 'evaluate', module, function: name, input });
  expect(error).toBeUndefined();
  expect(success).toBe(true);
  return output;
}

/** Numbers that look drawn, between −1 and 1. */
export const drawn = (seed: number, length: number): number[] =>
  Array.from({ length }, (_, i) => Math.sin(100 * (seed + 1) * (i + 1) ** 2));
export const matrix = (seed: number, rows: number, columns: number): number[][] =>
  Array.from({ length: rows }, (_, i) => drawn(seed + 10 * i, columns));

/** A matrix of what is stored by rows. */
export const rowsOf = (flat: readonly number[], width: number): number[][] =>
  Array.from({ length: flat.length / width }, (_, i) => flat.slice(i * width, (i + 1) * width));

/** ∂f/∂x by central differences. */
export const slopes = (f: (x: number[]) => number, x: readonly number[]): number[] =>
  columnsOfSlopes((at) => [f(at)], x).flat();

/** For each element of x: ∂f/∂x of all that f gives. */
export function columnsOfSlopes(f: (x: number[]) => number[], x: readonly number[]): number[][] {
  const h = 1e-5;
  return x.map((each, j) => {
    const below = f(x.with(j, each - h));
    return f(x.with(j, each + h)).map((above, i) => (above - below[i]!) / (2 * h));
  });
}

export function close(found: unknown, wanted: readonly number[], digits = 6): void {
  const flat = [found].flat(3) as number[];
  expect(flat).toHaveLength(wanted.length);
  flat.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, digits));
}

export const square = (x: number): number => x * x;
export const sumOf = (x: readonly number[]): number => x.reduce((sum, each) => sum + each, 0);
