/** The writer alone, on a disk that fails and forgets. `SWEEP=long` tries fifty times as many disks. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeResult as writeCheckpoint } from '../../../src-main/cli/fit/checkpoint.ts';
import { writeDocument } from '../../../src-main/files/documents.ts';
import { makeFolder, removeFile, writeNamed, writeTogether, writeWhole } from '../../../src-main/files/durable.ts';
import { writeEnsemble, writeResult } from '../../../src-main/files/ensembles.ts';
import { createStore } from '../../../src-main/files/store.ts';
import { writeTable } from '../../../src-main/files/table-files.ts';
import { Refused } from '../../../src-main/refused.ts';
import { fitReport } from '../../support/fits/fit-report.ts';
import { bootstrapReport } from '../../support/fits/study-report.ts';
import { Crash, Disk, type DiskOptions, type Fault } from '../../support/files/disk.ts';

const isLong = process.env['SWEEP'] === 'long';
const numRuns = isLong ? 20_000 : 400;

const path = '/home/decay.cot.json';
const fit = '/home/decay.fit.json';

// What is written says when: on every disk at the same time.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01') }));
afterAll(() => void vi.useRealTimers());

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

const document = { format: 'cotangent/1', blocks: [] };
const copy = '00000000-0000-4000-8000-000000000001';
const aboutCopy = { name: 'A', location: { kind: 'unsaved' as const }, edited: true, files: [] };
const manifest = '/home/ensemble/ensemble.json';

/** All that the project writes, by what writes it. */
const studies = { documents: [], studies: [{ report: bootstrapReport('2026-01-01T00:00:00Z', 3), parameters: {} }] };

const works: Readonly<Record<string, () => Promise<unknown>>> = {
  'a file that is there': () => writeWhole(path, 'new document'),
  'a file that is chosen': () => writeWhole(path, ['new ', 'document'], { chosen: true }),
  'a file that is not there': () => writeWhole('/home/new', 'new'),
  'two files': () =>
    writeTogether([
      { path, content: 'new document', chosen: true },
      { path: fit, content: 'new fit' },
    ]),
  'a file that its content names': () => writeNamed('/home', ['x\n', '1\n'], () => 'table.csv', 'The table'),
  'a file that goes': () => removeFile(fit),
  'a file in new folders': async () => {
    await makeFolder('/home/a/b');
    await writeWhole('/home/a/b/c', 'new');
  },
  'a document': () => writeDocument(path, document, null),
  'a document and its fit': () => writeDocument(path, document, fitReport),
  'a document with all that is beside it': () => writeDocument(path, document, fitReport, { studies }),
  'a copy of unsaved edits': () => createStore('/state').copies.keep({}, copy, aboutCopy, 0, ['{}']),
  'the list of recent files': () => createStore('/state').addRecent(path),
  'an imported table': () => writeTable('/home/tables', 'doses', ['x\n', '1\n']),
  'a checkpoint': () => writeCheckpoint({ path: '/home/out.json', chosen: true }, { status: 'running' }),
  'an ensemble': () =>
    writeEnsemble(
      '/home/ensemble',
      ensemble,
      [
        { path: 'm.cot.json', bytes: '{}' },
        { path: 'data/a.csv', bytes: Buffer.from('x\n1\n') },
      ],
      path,
    ),
  'a shard': () =>
    writeResult('/home/ensemble', 0, 2, {
      schema: 'cotangent-ensemble-result/1',
      kind: 'replicates',
      ensemble: '0',
      from: 0,
      to: 1,
      replicates: [[1]],
    }),
};
const ensemble = {
  version: '0',
  study: 'bootstrap',
  samples: 2,
  shards: 2,
  seed: 0,
  device: 'cpu',
  precision: 'f64',
} as const;
const before: Readonly<Record<string, string>> = { [path]: 'old', [fit]: 'old fit', '/home/other': 'another' };

const carryOut = (name: string): Promise<unknown> => works[name]?.() ?? Promise.reject(new Error(`no work ${name}`));

/** What the work leaves on a sound disk, by file, null where a file is gone. */
async function changesOf(
  name: string,
): Promise<{ readonly changed: ReadonlyMap<string, string | null>; readonly calls: number }> {
  const disk = new Disk(before);
  await disk.during(() => carryOut(name));
  const files = disk.files();
  const all = new Set([...Object.keys(before), ...files.keys()]);
  const changed = [...all].flatMap((file): [string, string | null][] =>
    files.get(file) === before[file] ? [] : [[file, files.get(file) ?? null]],
  );
  expect(unfinished(files)).toEqual([]);
  expect(disk.afterPowerLoss(() => 0)).toEqual(files);
  return { changed: new Map(changed), calls: disk.made.length };
}

it('names the folder in which another cannot be made, and not one that is still to come', async () => {
  const said = async (files: Record<string, string>, path: string, code: string): Promise<string> => {
    const disk = new Disk(files, { fault: (_, name) => (name === 'mkdir' ? error(code) : undefined) });
    return (await outcomeOf(() => disk.during(() => makeFolder(path)))).message;
  };
  expect(await said({ '/home/x': '' }, '/home/a/b/c', 'EACCES')).toContain('you may not write to the folder /home:');
  expect(await said({ '/home/x': '' }, '/home/x', 'EACCES')).toContain('because /home/x is no folder:');
  expect(await said({ '/home/x': '' }, '/home/x/b/c', 'EACCES')).toContain('because /home/x is no folder:');
});

/** One run on a disk with faults, and all that must hold after it, also where the power goes then. */
async function judge(
  name: string,
  changed: ReadonlyMap<string, string | null>,
  options: DiskOptions,
  keeps: () => number,
): Promise<Outcome> {
  const disk = new Disk(before, options);
  const said = await outcomeOf(() => disk.during(() => carryOut(name)));
  const { outcome, message } = disk.crashed ? { outcome: 'crashed' as const, message: '' } : said;
  for (const files of [disk.files(), disk.afterPowerLoss(keeps)]) {
    for (const file of new Set([...Object.keys(before), ...changed.keys()])) {
      const text = files.get(file) ?? null;
      const old = before[file] ?? null;
      const wanted = changed.get(file);
      expect([old, wanted === undefined ? old : wanted], `${file} after ${outcome}`).toContain(text);
      if (outcome === 'written' && wanted !== undefined) expect(text, `${file} was written`).toBe(wanted);
    }
    // An ensemble is one once all of it is there.
    if (files.has(manifest)) for (const [file, text] of changed) expect(files.get(file)).toBe(text);
  }
  if (outcome !== 'crashed' && !disk.failed.includes('unlink')) expect(unfinished(disk.files())).toEqual([]);
  if (outcome === 'refused') expect(message).toMatch(/^[^\n]+\.$/);
  for (const [file, text] of Object.entries(before))
    if (message.startsWith(file) && message.includes('untouched')) expect(disk.files().get(file)).toBe(text);
  return outcome;
}

describe.each(Object.keys(works))('%s, with a fault at each call in turn,', (name) => {
  it('is old or new, whole, and new where that is reported', async () => {
    const { changed, calls } = await changesOf(name);
    const seen = new Set<Outcome>();
    for (let at = 0; at < calls; at++) {
      const faults: Fault[] = [
        ...codes.map(error),
        short(1),
        short(0),
        { kind: 'crash', when: 'before' },
        { kind: 'crash', when: 'after' },
      ];
      for (const fault of faults)
        for (const share of [0, 0.4, 0.99])
          seen.add(await judge(name, changed, { fault: (call) => (call === at ? fault : undefined) }, () => share));
    }
    expect([...seen].sort()).toEqual(['crashed', 'refused', 'written']);
  });
});

it(
  'any work with any faults leaves every file old or new, whole',
  async () => {
    const fault: fc.Arbitrary<Fault> = fc.oneof(
      fc.constantFrom(...codes).map(error),
      fc.nat(5).map(short),
      fc.constantFrom('before' as const, 'after' as const).map((when): Fault => ({ kind: 'crash', when })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(works)),
        fc.array(fc.tuple(fc.nat(60), fault), { maxLength: 4 }),
        fc.option(fc.integer({ min: 0, max: 2000 }), { nil: undefined }),
        fc.integer({ min: 1, max: 20 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        async (name, placed, capacity, atOnce, shares) => {
          const faults = new Map(placed);
          const { changed } = await changesOf(name);
          await judge(
            name,
            changed,
            { fault: (call) => faults.get(call), capacity, atOnce },
            () => shares.next().value as number,
          );
        },
      ),
      { numRuns },
    );
  },
  isLong ? 1_200_000 : 60_000,
);
