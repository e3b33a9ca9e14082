import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { journalText, readJournal } from '../../../src-main/files/journal.ts';
import type { Line } from '../../../src-main/files/journal.ts';

const owner = { machine: 'm', process: 1, mark: '' };
const about = { name: 'Decay', location: { kind: 'unsaved' as const }, edited: true, files: [] };
const opening: Line[] = [
  { kind: 'owner', owner },
  { kind: 'about', about },
];
const lines = (entries: readonly string[]): Line[] => [
  ...opening,
  ...entries.map((entry): Line => ({ kind: 'entry', entry })),
];
const entry = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\r\n]/.test(text));

describe('a journal', () => {
  it('gives back what was written, wherever the writing was interrupted', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, at) => {
          const { text } = journalText(lines(all));
          expect(readJournal(text)?.entries).toEqual(all);
          const torn = Buffer.from(text).subarray(0, Math.floor(at * Buffer.byteLength(text)));
          const read = readJournal(torn.toString())?.entries ?? [];
          expect(read).toEqual(all.slice(0, read.length));
          // No more is lost than the line that was not finished.
          const whole = torn.toString().split('\n').length - 1 - opening.length;
          expect(read).toHaveLength(Math.max(0, whole));
        },
      ),
    );
  });

  it('ends before the first line that is not as it was written, whichever byte has changed', () => {
    const all = ['{"a":1}', '{"b":2}', '{"c":3}'];
    const { text } = journalText(lines(all));
    for (let at = 0; at < text.length; at++) {
      const changed = text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1);
      const read = readJournal(changed)?.entries ?? [];
      const line = text.slice(0, at).split('\n').length - 1 - opening.length;
      expect(read, String(at)).toEqual(all.slice(0, Math.max(0, line)));
    }
  });

  it('knows a line that is missing in the middle, and one of another journal', () => {
    const { text, chain } = journalText(lines(['1', '2', '3']));
    const split = text.split('\n');
    split.splice(3, 1);
    expect(readJournal(split.join('\n'))?.entries).toEqual(['1']);
    const more = journalText([{ kind: 'entry', entry: '4' }], chain).text;
    expect(readJournal(text + more)?.entries).toEqual(['1', '2', '3', '4']);
    const other = journalText([{ kind: 'entry', entry: '4' }], 'of another').text;
    expect(readJournal(text + other + more)?.entries).toEqual(['1', '2', '3']);
  });

  it('has what was last said about it, and whether its page has ended', () => {
    const { text, chain } = journalText(lines(['1']));
    const renamed = journalText([{ kind: 'about', about: { ...about, name: 'Growth' } }, { kind: 'left' }], chain);
    expect(readJournal(text)).toMatchObject({ about: { name: 'Decay' }, left: false, owner });
    expect(readJournal(text + renamed.text)).toMatchObject({ about: { name: 'Growth' }, left: true });
    const back = journalText([{ kind: 'entry', entry: '2' }], renamed.chain);
    expect(readJournal(text + renamed.text + back.text)).toMatchObject({ left: false, entries: ['1', '2'] });
  });

  it('is none without a whole first entry', () => {
    expect(readJournal('')).toBeNull();
    expect(readJournal('{"half')).toBeNull();
    expect(readJournal(journalText(opening).text)).toBeNull();
  });
});
