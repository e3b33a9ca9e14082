import { expect, it } from 'vitest';
import { findLines } from '../../../../src-renderer/state/adjoints/program-search.ts';

it('finds the lines with every word of the query', () => {
  const lines = ['%1 = exp %0', '%2 = Scan mul %1', 'return %2'];
  expect(findLines(lines, 'scan %1')).toEqual([1]);
  expect(findLines(lines, '%2')).toEqual([1, 2]);
  expect(findLines(lines, '  ')).toEqual([]);
});
