import { expect, it } from 'vitest';
import type { WireAdjoint } from '../../../../src-renderer/state/adjoints/nan-origins.ts';
import { nanOrigins, nanSources } from '../../../../src-renderer/state/adjoints/nan-origins.ts';

const wire = (block: string, port: string, missing: number): WireAdjoint => ({
  block,
  port,
  shape: [3],
  largest: 1,
  norm: 1,
  effect: 1,
  missing,
  ...(missing > 0 && { firstMissing: 1 }),
  sample: [1, 1, 1],
});
const sourceOf = (_: string, port: string) => port;

it('finds the wire at which NaN begins, not those that it spreads to', () => {
  // a, b → root → curve → loss
  const wires = [wire('loss', 'curve', 0), wire('curve', 'root', 0), wire('root', 'a', 1), wire('root', 'b', 0)];
  expect(nanOrigins(wires, sourceOf)).toEqual([wires[2]]);
  const spread = [wire('loss', 'curve', 0), wire('curve', 'root', 2), wire('root', 'a', 3)];
  expect(nanOrigins(spread, sourceOf)).toEqual([spread[1]]);
  const atOnce = [wire('loss', 'curve', 3), wire('curve', 'root', 3)];
  expect(nanOrigins(atOnce, sourceOf)).toEqual([atOnce[0]]);
});

it('finds outputs of a block of several by the block', () => {
  const wires = [wire('loss', 'decay.slow', 1), wire('decay', 'k', 1)];
  expect(nanOrigins(wires, sourceOf)).toEqual([wires[0]]);
});

it('follows a NaN that the value has already to where it arises', () => {
  const inputs: Record<string, string[]> = {
    loss: ['curve', 'y'],
    curve: ['root', 'k'],
    root: ['x'],
    x: [],
    k: [],
    y: [],
  };
  const spoilt = new Set(['curve', 'root']);
  const find = (reference: string) =>
    nanSources(
      reference,
      (at) => spoilt.has(at),
      (block) => inputs[block] ?? [],
    );
  expect(find('curve')).toEqual(['root']);
  expect(find('y')).toEqual([]);
});
