/** What is proposed where a reaction names what is no state. */
import { expect, it } from 'vitest';
import { parseReaction } from '../../../models/notation/reaction.ts';

const fix = (text: string, ...species: string[]) => {
  const parsed = parseReaction(text, species);
  return 'fix' in parsed ? parsed.fix : undefined;
};

it('proposes a name that is near, and none that the reaction has already', () => {
  expect(fix('E + S -> complx', 'E', 'S', 'complex')).toBe('did you mean "complex"?');
  expect(fix('E + S -> ES', 'E', 'S')).toBe('its states are E, S');
  expect(fix('A -> y', 'A')).toBe('its state is A');
  expect(fix('A -> y', 'A', 'B')).toBe('its states are A, B');
  expect(fix('A -> b', 'A', 'B')).toBe('did you mean "B"?');
});
