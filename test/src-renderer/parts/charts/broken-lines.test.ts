import { expect, test } from 'vitest';
import { brokenLines } from '../../../../src-renderer/parts/charts/broken-lines.ts';

test('a caption is broken between words where its line is full', () => {
  const broken = (text: string): string[] => brokenLines(text, 10, ({ length }) => length);
  expect(broken('')).toEqual([]);
  expect(broken('dose 4')).toEqual(['dose 4']);
  expect(broken('conc: 6 censored: more')).toEqual(['conc: 6', 'censored:', 'more']);
  expect(broken('a phosphofructokinase b')).toEqual(['a', 'phosphofructokinase', 'b']);
});
