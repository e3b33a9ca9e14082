/** The writer alone, on a disk that fails and forgets. `SWEEP=long` tries fifty times as many disks. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeFile, writeNamed, writeTogether, writeWhole } from '../../../src-main/files/durable.ts';
import { Refused } from '../../../src-main/refused.ts';
import { Crash, Disk, type DiskOptions, type Fault } from '../../support/disk.ts';

const numRuns = process.env['SWEEP'] === 'long' ? 20_000 : 400;

const path = '/home/decay.cot.json';
const fit = '/home/decay.fit.json';

type Outcome = 'written' | 'refused' | 'crashed';

async function outcomeOf(work: () => Promise<unknown>): Promise<{ outcome: Outcome; message: string }> {
  try {
    await work();
    return { outcome: 'written', message: '' };
  } catch (error) {
    if (error instanceof Crash) return { outcome: 'crashed', message: '' };
    expect(error).toBeInstanceOf(Refused);
    return { outcome: 'refused', message: (error as Refused).message };
  }
}

const unfinished = (files: ReadonlyMap<string, string>): string[] =>
  [...files.keys()].filter((name) => name.endsWith('.part'));

const short = (bytes: number): Fault => ({ kind: 'short', bytes });
const error = (code: string): Fault => ({ kind: 'error', code });
const codes = ['ENOSPC', 'EIO', 'EDQUOT', 'EPERM', 'EROFS', 'EMFILE', 'ESTALE', 'EINTR'];

describe('a file', () => {
  it('is written whole by a disk that takes few bytes at a time', async () => {
    const disk = new Disk({ [path]: 'old' }, { atOnce: 3 });
    await disk.during(() => writeWhole(path, 'a new document, ä', { chosen: true }));
    expect(disk.files()).toEqual(new Map([[path, 'a new document, ä']]));
    expect(disk.afterPowerLoss(() => 0)).toEqual(disk.files());
  });

  it.each(Array.from({ length: 40 }, (_, room) => room))(
    'is as it was where %i bytes are too few for it, and the sentence says so',
    async (room) => {
      const text = 'x'.repeat(40);
      const disk = new Disk({ [path]: 'old' }, { capacity: 3 + room });
      const { outcome, message } = await outcomeOf(() => disk.during(() => writeWhole(path, text, { chosen: true })));
      expect(outcome).toBe('refused');
      expect(message).toBe(
        `${path} cannot be written, because the disk is full: make room on it or choose another place (what it held before is untouched).`,
      );
      expect(disk.files()).toEqual(new Map([[path, 'old']]));
    },
  );

  it('is not replaced where the disk has lost bytes that it had taken', async () => {
    const disk = new Disk({ [path]: 'old' }, { fault: () => ({ kind: 'size', bytes: 2 }) });
    await expect(disk.during(() => writeWhole(path, 'new'))).rejects.toThrow('the disk reports a fault');
    expect(disk.files()).toEqual(new Map([[path, 'old']]));
  });

  it('holds what was written last, in whichever order writes end', async () => {
    const disk = new Disk({ [path]: 'old' }, { atOnce: 1 });
    await disk.during(() => Promise.all(['a longer text', 'b', 'last'].map((text) => writeWhole(path, text))));
    expect(disk.files().get(path)).toBe('last');
  });

  it('with another is written, or neither', async () => {
    const files = [
      { path, content: 'new document', chosen: true },
      { path: fit, content: 'new fit' },
    ];
    const disk = new Disk({ [path]: 'old', [fit]: 'old fit' }, { capacity: 10 + 12 + 3 });
    expect((await outcomeOf(() => disk.during(() => writeTogether(files)))).message).toContain(fit);
    expect(disk.files()).toEqual(
      new Map([
        [path, 'old'],
        [fit, 'old fit'],
      ]),
    );
  });
});

/** Writes of each sort, with what they are to leave. */
const works: Readonly<
  Record<string, { readonly work: () => Promise<unknown>; readonly after: [string, string | null][] }>
> = {
  'a file that is there': { work: () => writeWhole(path, 'new document'), after: [[path, 'new document']] },
  'a file that is chosen': {
    work: () => writeWhole(path, ['new ', 'document'], { chosen: true }),
    after: [[path, 'new document']],
  },
  'a file that is not there': { work: () => writeWhole('/home/new', 'new'), after: [['/home/new', 'new']] },
  'two files': {
    work: () =>
      writeTogether([
        { path, content: 'new document', chosen: true },
        { path: fit, content: 'new fit' },
      ]),
    after: [
      [path, 'new document'],
      [fit, 'new fit'],
    ],
  },
  'a file that its content names': {
    work: () => writeNamed('/home', ['x\n', '1\n'], () => 'table.csv', 'The table'),
    after: [['/home/table.csv', 'x\n1\n']],
  },
  'a file that goes': { work: () => removeFile(fit), after: [[fit, null]] },
};
const before: Readonly<Record<string, string>> = { [path]: 'old', [fit]: 'old fit', '/home/other': 'another' };

/** One run on a disk with faults, and all that must hold after it, also where the power goes then. */
async function judge(name: string, options: DiskOptions, keeps: () => number): Promise<Outcome> {
  const { work, after } = works[name] ?? { work: () => Promise.resolve(), after: [] };
  const disk = new Disk(before, options);
  const { outcome, message } = await outcomeOf(() => disk.during(work));
  const changed = new Map(after);
  for (const files of [disk.files(), disk.afterPowerLoss(keeps)]) {
    for (const file of new Set([...Object.keys(before), ...changed.keys()])) {
      const text = files.get(file) ?? null;
      const allowed = new Set([before[file] ?? null, changed.has(file) ? changed.get(file) : (before[file] ?? null)]);
      expect(allowed, `${file} after ${outcome}`).toContain(text);
      if (outcome === 'written' && changed.has(file)) expect(text, `${file} was written`).toBe(changed.get(file));
    }
  }
  if (outcome !== 'crashed' && !disk.failed.includes('unlink')) expect(unfinished(disk.files())).toEqual([]);
  if (outcome === 'refused') expect(message).toMatch(/^[^\n]+\.$/);
  for (const [file, text] of Object.entries(before))
    if (message.startsWith(file) && message.includes('untouched')) expect(disk.files().get(file)).toBe(text);
  return outcome;
}

describe.each(Object.keys(works))('%s, with a fault at each call in turn,', (name) => {
  it('is old or new, whole, and new where that is reported', async () => {
    const sound = new Disk(before);
    await sound.during(works[name]?.work ?? (() => Promise.resolve()));
    const seen = new Set<Outcome>();
    for (let at = 0; at < sound.made.length; at++) {
      const faults: Fault[] = [
        ...codes.map(error),
        short(1),
        short(0),
        { kind: 'crash', when: 'before' },
        { kind: 'crash', when: 'after' },
      ];
      for (const fault of faults)
        for (const share of [0, 0.4, 0.99])
          seen.add(await judge(name, { fault: (call) => (call === at ? fault : undefined) }, () => share));
    }
    expect([...seen].sort()).toEqual(['crashed', 'refused', 'written']);
  });
});

it('any work with any faults leaves every file old or new, whole', async () => {
  const fault: fc.Arbitrary<Fault> = fc.oneof(
    fc.constantFrom(...codes).map(error),
    fc.nat(5).map(short),
    fc.constantFrom('before' as const, 'after' as const).map((when): Fault => ({ kind: 'crash', when })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(works)),
      fc.array(fc.tuple(fc.nat(30), fault), { maxLength: 4 }),
      fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
      fc.integer({ min: 1, max: 20 }),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      async (name, placed, capacity, atOnce, shares) => {
        const faults = new Map(placed);
        await judge(name, { fault: (call) => faults.get(call), capacity, atOnce }, () => shares.next().value as number);
      },
    ),
    { numRuns },
  );
});
