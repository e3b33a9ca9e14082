import { describe, expect, it } from 'vitest';
import { applyCommand } from '../../../../../src-renderer/state/document/commands.ts';
import type { Draft } from '../../../../../src-renderer/state/document/draft.ts';
import { parameterRows, tied, untied } from '../../../../../src-renderer/state/document/fields/parameter-rows.ts';

const draft: Draft = {
  format: 'cotangent/1',
  blocks: [
    { id: 't', kind: 'column', table: 'obs', column: 't' },
    { id: 'curve', kind: 'map', formula: 'a*exp(-k*t)' },
    { id: 'half', kind: 'map', formula: 'log(2)/k2' },
    { id: 'k2', kind: 'map', formula: '2*k' },
    { id: 'a', kind: 'parameter', initial: 1 },
    { id: 'k', kind: 'parameter', initial: 0.1, lower: 0, scale: 'log' },
  ],
};
const shown = (of: Draft) => parameterRows(of).map(({ block, tie }) => [block.id, tie]);

describe('the table of parameters', () => {
  it('has parameters and what depends on nothing else, over several steps', () => {
    expect(shown(draft)).toEqual([
      ['half', 'log(2)/k2'],
      ['k2', '2*k'],
      ['a', undefined],
      ['k', undefined],
    ]);
  });

  it('ties a parameter in its place, and makes it one again', () => {
    const [, , , k] = parameterRows(draft);
    const after = applyCommand(draft, { type: 'change', what: 'Tie k', changes: [tied(k!.block, 'a/10')] });
    expect(after.blocks.at(-1)).toEqual({ id: 'k', kind: 'map', formula: 'a/10' });
    const back = applyCommand(after, { type: 'change', what: 'Untie k', changes: [untied(after.blocks.at(-1)!, 0.1)] });
    expect(back.blocks.at(-1)).toEqual({ id: 'k', kind: 'parameter', initial: 0.1 });
  });
});
