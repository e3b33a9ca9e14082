import { expect, it } from 'vitest';
import { LeastRecentlyUsed } from '../../../engine/5-runtime/least-recently-used.ts';

function letters(limit: number) {
  const dropped: string[] = [];
  const map = new LeastRecentlyUsed<string>(limit, (value) => dropped.push(value));
  return { map, dropped, get: (key: string) => map.get(key, () => key.toUpperCase()) };
}

it('drops what was not asked for longest, whichever way the others were asked for', () => {
  const { map, dropped, get } = letters(3);
  for (const key of ['a', 'b', 'c', 'a']) get(key);
  expect(map.find('b')).toBe('B');
  get('d');
  expect(dropped).toEqual(['C']);
  expect(['a', 'b', 'c', 'd'].map((key) => map.find(key))).toEqual(['A', 'B', undefined, 'D']);
});

it('does not find what was never kept, was forgotten or was cleared', () => {
  const { map, dropped, get } = letters(3);
  expect(map.find('a')).toBeUndefined();
  for (const key of ['a', 'b']) get(key);
  map.forget('a');
  expect([map.find('a'), dropped]).toEqual([undefined, []]);
  map.clear();
  expect([map.find('b'), dropped]).toEqual([undefined, ['B']]);
});
