import { describe, expect, it } from 'vitest';
import type { ChipHome } from '../../../../src-renderer/state/canvas/chips.ts';
import {
  chipRectangle,
  chipTowards,
  chipsHeight,
  chipsOf,
  chipsWidth,
  headerHeight,
  inReadingOrder,
} from '../../../../src-renderer/state/canvas/chips.ts';
import type { BlockDraft, Draft } from '../../../../src-renderer/state/document/draft.ts';
import { portsOf } from '../../../../src-renderer/state/document/ports.ts';
import { overlapping } from '../../../../src-renderer/state/canvas/routing.ts';

const decay: readonly BlockDraft[] = [
  { id: 't', kind: 'column', table: 'd', column: 't' },
  { id: 'k', kind: 'parameter', initial: 0.5 },
  { id: 'A', kind: 'parameter', initial: 2 },
  { id: 'per', kind: 'parameter', initial: [1, 2, 3] },
  { id: 'sized', kind: 'parameter', initial: 1, like: 't' },
  { id: 'two', kind: 'constant', value: 2 },
  { id: 'row', kind: 'range', length: 9 },
  { id: 'idle', kind: 'parameter', initial: 1 },
  { id: 'curve', kind: 'map', formula: 'A * exp(-k * t) + per + sized + row' },
  { id: 'half', kind: 'map', formula: 'log(two) / k' },
];

function found(blocks: readonly BlockDraft[], placed: readonly string[] = []) {
  const draft: Draft = { format: 'cotangent/1', blocks };
  const ports = new Map(blocks.map((block) => [block.id, portsOf(draft, block, undefined, new Map(), [])]));
  return chipsOf(blocks, ports, (id) => placed.includes(id));
}

describe('what is drawn as a chip', () => {
  it('is one number that blocks use, and lives on the first of them', () => {
    const chips = found(decay);
    expect([...chips.keys()]).toEqual(['A', 'k', 'row', 'two']);
    expect(chips.get('k')).toEqual([
      { host: 'curve', port: 'k' },
      { host: 'half', port: 'k' },
    ]);
  });

  it('is nothing that was given a place of its own', () => {
    expect(found(decay, ['k', 'row']).has('k')).toBe(false);
    expect(found(decay, ['k', 'row']).has('A')).toBe(true);
  });

  it('follows its block in the order of reading, and the keys go down through them and back', () => {
    const chips = new Map([...found(decay)].map(([id, [home]]) => [id, home!] as [string, ChipHome]));
    expect(inReadingOrder(decay, chips).map(({ id }) => id)).toEqual([
      ...['t', 'per', 'sized', 'idle'],
      ...['curve', 'A', 'k', 'row', 'half', 'two'],
    ]);
    expect(chipTowards('curve', 'down', chips)).toBe('A');
    expect(chipTowards('k', 'down', chips)).toBe('row');
    expect(chipTowards('A', 'up', chips)).toBe('curve');
    expect(chipTowards('row', 'down', chips)).toBeUndefined();
    expect(chipTowards('curve', 'right', chips)).toBeUndefined();
    expect(chipTowards('curve', 'up', chips)).toBeUndefined();
  });
});

describe('the places of chips', () => {
  const words = (...names: string[]) => names.map((name) => ({ name, unit: '' }));

  it('lie within their block, none on another, however many and however wide it is', () => {
    for (let count = 1; count <= 14; count++)
      for (const wider of [0, 8, 200, 600]) {
        const names = Array.from({ length: count }, (_, i) => ({
          name: i === 2 ? 'scatter_of_hares' : `b${i}`,
          unit: 'mg/L',
        }));
        const width = chipsWidth(names) + wider;
        const chips = names.map((_, i) => chipRectangle(i, names, width));
        expect(overlapping(chips)).toBe(false);
        for (const { x, y, width: wide, height } of chips) {
          expect(x).toBeGreaterThan(0);
          expect(x + wide).toBeLessThan(width);
          expect(y).toBeGreaterThanOrEqual(headerHeight);
          expect(y + height).toBeLessThanOrEqual(headerHeight + chipsHeight(names, width));
        }
      }
  });

  it('are as wide as their unit wants', () => {
    expect(chipsWidth([{ name: 'k', unit: 'µmol/L/min' }])).toBeGreaterThan(chipsWidth(words('k')) + 40);
  });

  it('lie side by side where the block is wide for its formula', () => {
    const rows = (width: number) => new Set([0, 1].map((i) => chipRectangle(i, words('a', 'b'), width).y)).size;
    expect(rows(200)).toBe(2);
    expect(rows(400)).toBe(1);
  });
});
