/** Problems in the words and by the numbers of what stands beside them in the window. */
import { expect, it } from 'vitest';
import { problemLine, problemText } from '../../../../src-renderer/state/document/problem-text.ts';

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
