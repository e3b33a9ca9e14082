/** Problems in the words and by the numbers of what stands beside them in the window. */
import { expect, it } from 'vitest';
import { inWords, problemLine, problemText } from '../../../../src-renderer/state/document/problem-text.ts';

it('counts rows as the grid does, and reactions and events as the editor of equations does', () => {
  const of = (message: string) => problemText({ message, block: 'b' });
  expect(of('block "b": its column "y" has in row 3 (index 2): "xyz"')).toBe('Its column "y" has in row 2: "xyz"');
  expect(of('block "b": reaction 0 has "y", which is no state')).toBe('Reaction 1 has "y", which is no state');
  expect(of('block "b": event 1 sets "c", which is no state')).toBe('Event 2 sets "c", which is no state');
});

it('says what is wrong and how it is mended with a stop between', () => {
  const message = 'block "b": it has "ES", which is no state';
  expect(problemLine({ message, block: 'b' })).toBe('It has "ES", which is no state');
  expect(problemLine({ message, block: 'b', fix: 'did you mean "ED"?' })).toBe(
    'It has "ES", which is no state: did you mean "ED"?',
  );
});

it.each([
  [
    'say "type": "real", where other text counts as missing, or "type": "category"',
    'set type to real, where other text counts as missing, or type to category',
  ],
  [
    'if these numbers are labels, say "type": "category" on their column',
    'if these numbers are labels, set type to category on their column',
  ],
  ['say "decimal": "," on its table', 'set decimal to , on its table'],
  ['"method": "rk4" takes any number', 'method rk4 takes any number'],
  ['"objective": ["a","b"]', 'objective a, b'],
  ['say "fit": {"marginal": false}', 'set marginal of fit to false'],
  ['say "fit": {"agq": n} for another count', 'set agq of fit to n for another count'],
  [
    'take it out of "inputs": any other name is the same at every step',
    'take it out of "inputs": any other name is the same at every step',
  ],
  ['did you mean "ED"?', 'did you mean "ED"?'],
  ['by too few points; take {"agq": 15}', 'by too few points; take agq 15'],
])('says what is set in place of keys of a document: %s', (json, words) => {
  expect(inWords(json)).toBe(words);
});
