import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../src-main/contract/contract.ts';
import { applyCommand } from '../../../../src-renderer/state/document/commands.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { remediesOf } from '../../../../src-renderer/state/document/remedies.ts';

const draft: Draft = {
  format: 'cotangent/1',
  blocks: [
    { id: 'time', kind: 'column', table: 'obs', column: 't' },
    { id: 'z', kind: 'column', table: 'obs', column: 'z' },
    { id: 'f', kind: 'map', formula: 'exp(-tme)' },
    { id: 'h', kind: 'histogram', operator: 'add', keys: 'z', values: 'z', bins: 3 },
    { id: 'r', kind: 'reduce', operator: 'add', values: 'zz', axs: 0 },
    { id: 's', kind: 'quantity', formula: 'sum (z)/3' },
    { id: 'l', kind: 'map', formula: 'ln(z)' },
  ],
  view: { positions: { f: [10, 200] } },
};

/** The fixes that are offered, and the blocks that the first of them gives. */
function mended(problem: Omit<Problem, 'severity'>) {
  const remedies = remediesOf(draft, { severity: 'error', ...problem });
  const [first] = remedies;
  const blocks = first ? applyCommand(draft, first.command).blocks : draft.blocks;
  return { titles: remedies.map(({ title }) => title), block: (id: string) => blocks.find((block) => block.id === id) };
}

describe('one-click fixes', () => {
  it('are the engine’s where it knows what to change, of several blocks at once', () => {
    const changes = [
      { block: 'f', keys: { formula: '1' } },
      { block: 'h', keys: { bins: 4 } },
    ];
    const { titles, block } = mended({ message: 'no range', remedy: { title: 'Vary', changes } });
    expect(titles).toEqual(['Vary']);
    expect([block('f'), block('h')]).toMatchObject([{ formula: '1' }, { bins: 4 }]);
  });

  it('spell a name in a formula, or make the parameter that it may have meant', () => {
    const message = "'tme' is not known here: did you mean 'time'?";
    const { titles, block } = mended({ block: 'f', message, span: [5, 8] });
    expect(titles).toEqual(['Write time', 'Add parameter tme']);
    expect(block('f')).toMatchObject({ formula: 'exp(-time)' });
  });

  it('make no parameter of a name that is called', () => {
    expect(mended({ block: 's', message: "'sum' is not a function", span: [0, 3] }).titles).toEqual([]);
    const message = "'ln' is not a function: did you mean 'log'?";
    expect(mended({ block: 'l', message, span: [0, 2] }).titles).toEqual(['Write log']);
  });

  it('wire the block that has nearly the name', () => {
    const problem = {
      block: 'r',
      port: 'values',
      got: 'zz',
      fix: 'did you mean "z"?',
      message: 'there is no block "zz"',
    };
    const { titles, block } = mended(problem);
    expect(titles).toEqual(['Wire z instead']);
    expect(block('r')).toMatchObject({ values: 'z' });
  });

  it('take away a key that does not belong', () => {
    const { titles, block } = mended({ block: 'r', port: 'axs', got: 'axs', message: 'block "r": unknown key "axs"' });
    expect(titles).toEqual(['Take axs away']);
    expect(block('r')).not.toHaveProperty('axs');
  });

  it('take away a wire that brings what is not wanted', () => {
    const problem = { block: 'h', port: 'keys', wanted: 'int', got: 'real [4]', message: '"keys" wants int' };
    const { titles, block } = mended(problem);
    expect(titles).toEqual(['Take the wire away']);
    expect(block('h')).not.toHaveProperty('keys');
  });

  it('take no wire away where a key holds a word that is none', () => {
    const problem = {
      block: 'z',
      port: 'column',
      wanted: 'a number like most cells',
      got: '"xyz"',
      message: 'has "xyz"',
    };
    expect(mended(problem).titles).toEqual([]);
  });

  it('offer nothing where nothing is known', () => {
    expect(mended({ message: 'the document names no objective' }).titles).toEqual([]);
    expect(mended({ block: 'f', message: 'there is a cycle' }).titles).toEqual([]);
  });
});
