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
          expect(readJournal(text).entries).toEqual(all);
          const torn = Buffer.from(text).subarray(0, Math.floor(at * Buffer.byteLength(text)));
          const read = readJournal(torn.toString()).entries;
          expect(read).toEqual(all.slice(0, read.length));
          // No more is lost than the line that was not finished.
          const whole = torn.toString().split('\n').length - 1 - opening.length;
          expect(read).toHaveLength(Math.max(0, whole));
        },
      ),
    );
  });

  it('ends before the first entry that is not as it was written, whichever byte has changed', () => {
    const all = ['{"a":1}', '{"b":2}', '{"c":3}'];
    const head: Line[] = [...opening, { kind: 'order', order: 1 }];
    const { text } = journalText([...head, ...all.map((entry): Line => ({ kind: 'entry', entry }))]);
    const order = text.indexOf(' n1\n') + 1;
    for (let at = 0; at < text.length; at++) {
      const changed = text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1);
      const { entries, damaged } = readJournal(changed);
      const line = text.slice(0, at).split('\n').length - 1 - head.length;
      // Lines before the entries are no entries; two that have become one may be one.
      const whole = line < 0 && text[at] !== '\n' && at !== order ? all.length : Math.max(0, line);
      if (line < 0 && text[at] === '\n') expect([0, all.length], String(at)).toContain(entries.length);
      else expect(entries, String(at)).toEqual(all.slice(0, whole));
      // The last line may not have been finished.
      expect(damaged, String(at)).toBe(at < text.length - 1);
    }
  });

  it('knows a line that is missing in the middle, and one of another journal', () => {
    const { text, chain } = journalText(lines(['1', '2', '3']));
    const split = text.split('\n');
    split.splice(3, 1);
    expect(readJournal(split.join('\n')).entries).toEqual(['1']);
    const more = journalText([{ kind: 'entry', entry: '4' }], chain).text;
    expect(readJournal(text + more).entries).toEqual(['1', '2', '3', '4']);
    const other = journalText([{ kind: 'entry', entry: '4' }], 'of another').text;
    expect(readJournal(text + other + more).entries).toEqual(['1', '2', '3']);
  });

  it('has what was last said about it, and whether its page has ended', () => {
    const { text, chain } = journalText(lines(['1']));
    const renamed = journalText([{ kind: 'about', about: { ...about, name: 'Growth' } }, { kind: 'left' }], chain);
    expect(readJournal(text)).toMatchObject({ about: { name: 'Decay' }, left: false, owner });
    expect(readJournal(text + renamed.text)).toMatchObject({ about: { name: 'Growth' }, left: true });
    const back = journalText([{ kind: 'entry', entry: '2' }], renamed.chain);
    expect(readJournal(text + renamed.text + back.text)).toMatchObject({ left: false, entries: ['1', '2'] });
  });

  it('is damaged without a whole first entry', () => {
    for (const text of ['', '{"half', journalText(opening).text])
      expect(readJournal(text)).toMatchObject({ entries: [], damaged: true });
    const torn = journalText(lines(['1', '2'])).text.slice(0, -1);
    expect(readJournal(torn)).toMatchObject({ entries: ['1'], damaged: false });
  });

  it('has what was said after a line that is not as it was written, but for the entries', () => {
    const { text, chain } = journalText(lines(['1', '2']));
    const more = journalText([{ kind: 'about', about: { ...about, name: 'Growth' } }, { kind: 'left' }], chain).text;
    expect(readJournal(text.replace('e1', 'e7') + more)).toEqual({
      ...{ owner, about: { ...about, name: 'Growth' }, entries: [], left: true, order: 0, damaged: true },
    });
    expect(readJournal(text.replace('"process":1', '"process":2'))).toMatchObject({ owner: null, entries: ['1', '2'] });
  });
});
