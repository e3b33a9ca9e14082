/** Run on a small disk: fills it but for some bytes, writes what may not fit, and prints what became of it. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fitReport } from '../fits/fit-report.ts';
import { comparisonReport } from '../fits/study-report.ts';
import { writeDocument } from '../../../src-main/files/documents.ts';
import { writeWhole } from '../../../src-main/files/durable.ts';
import { writeResult } from '../../../src-main/files/ensembles.ts';
import { createStore } from '../../../src-main/files/store.ts';
import { bringTables, writeTable } from '../../../src-main/files/table-files.ts';
import { Refused } from '../../../src-main/refused.ts';

const disk = process.argv[2] ?? '';
const at = (...names: string[]): string => join(disk, 'work', ...names);
const filler = join(disk, 'filler');

/** What a document, a list or a table says of itself: `a` is what is there before, `b` what is written. */
const filled = (letter: string, size: number) => ({ letter, filler: letter.repeat(size), end: letter });

interface Work {
  /** With `a`, while there is room, and then with `b`. */
  readonly write: (letter: string, size: number) => Promise<unknown>;
  /** The files of which each must hold one or the other. */
  readonly files: () => string[];
}

const copy = '00000000-0000-4000-8000-000000000001';
const aboutCopy = { name: 'A', location: { kind: 'unsaved' as const }, edited: true, files: [] };

const below = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];

const works: Readonly<Record<string, Work>> = {
  'a document': {
    write: (letter, size) => writeDocument(at('m.cot.json'), filled(letter, size), null),
    files: () => [at('m.cot.json')],
  },
  'a document with its fit': {
    write: (letter, size) =>
      writeDocument(at('m.cot.json'), filled(letter, 100), {
        ...fitReport,
        reason: JSON.stringify(filled(letter, size)),
      }),
    files: () => [at('m.cot.json'), at('m.fit.json')],
  },
  'a document with studies': {
    write: (letter, size) =>
      writeDocument(at('m.cot.json'), filled(letter, 100), null, {
        studies: { documents: [filled(letter, size)], studies: [{ report: comparisonReport(letter), parameters: {} }] },
      }),
    files: () => [at('m.cot.json'), at('m.studies.json')],
  },
  'a copy of unsaved edits': {
    write: (letter, size) =>
      createStore(at('state')).copies.keep({}, copy, aboutCopy, 0, [JSON.stringify(filled(letter, size))]),
    files: () => below(at('state', 'kept')),
  },
  'the list of recent files': {
    write: (letter, size) => createStore(at('state')).addRecent(`/${JSON.stringify(filled(letter, size))}.cot.json`),
    files: () => below(at('state', 'recent')),
  },
  'a result': {
    write: (letter, size) => writeWhole(at('out.json'), JSON.stringify(filled(letter, size)), { chosen: true }),
    files: () => [at('out.json')],
  },
  'a shard': {
    write: (letter, size) =>
      writeResult(at('ensemble'), 0, 1, {
        schema: 'cotangent-ensemble-result/1',
        ensemble: JSON.stringify(filled(letter, size)),
        from: 0,
        to: 0,
        kind: 'replicates',
        replicates: [],
      }),
    files: () => below(at('ensemble', 'results')),
  },
  'an imported table': {
    write: (letter, size) => writeTable(at('tables'), letter, [`"${letter}`, letter.repeat(size), letter, '"\n']),
    files: () => below(at('tables')),
  },
  'a table that comes along': {
    async write(letter, size) {
      mkdirSync(at('from'), { recursive: true });
      if (letter === 'a') await writeWhole(at('from', 'b.csv'), JSON.stringify(filled('b', size)));
      else await bringTables({ tables: { t: { file: 'b.csv' } } }, at('from'), at('to'));
    },
    files: () => below(at('to')),
  },
};

/** `b` where it is there whole (a list keeps `a` beside it), else `a`, or neither. */
function letterOf(text: string): string | undefined {
  const plain = text.replaceAll('\\', '');
  for (const letter of ['b', 'a']) {
    const inner = new RegExp(`"letter": ?"${letter}", ?\\s*"filler": ?"${letter}+", ?\\s*"end": ?"${letter}"`);
    if (inner.test(plain) && /[}\]"]\s*$/.test(plain)) return letter;
    if (new RegExp(`^"${letter}+"\\n$`).test(text)) return letter;
  }
  return undefined;
}

/** Leaves `free` bytes and what the disk rounds up. */
function fill(free: number): void {
  const file = openSync(filler, 'w');
  let size = 0;
  for (const chunk of [65_536, 1024])
    try {
      for (;;) size += writeSync(file, Buffer.alloc(chunk, 'x'));
    } catch {
      // It is full.
    }
  fsyncSync(file);
  ftruncateSync(file, Math.max(0, size - free));
  fsyncSync(file);
  closeSync(file);
}

async function tried(name: string, { write, files }: Work, free: number, size: number) {
  for (const path of [filler, at()]) rmSync(path, { recursive: true, force: true });
  mkdirSync(at(), { recursive: true });
  await write('a', name === 'a table that comes along' ? size : 5000);
  const before = files().length;
  fill(free);
  let outcome = 'written';
  let message = '';
  try {
    await write('b', size);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    [outcome, message] = ['refused', error.message];
  }
  const letters = files()
    .filter((path) => !path.endsWith('.part'))
    .map((path) => letterOf(readFileSync(path, 'utf8')));
  const news = letters.filter((letter) => letter === 'b').length;
  const olds = letters.filter((letter) => letter === 'a').length;
  // A table has its own name: it is added to what was there.
  const added = news + olds > before;
  const isNew = news > 0 && (olds === 0 || added) && news + olds === letters.length;
  const isOld = news === 0 && olds === letters.length && olds === before;
  const [document] = name.startsWith('a document with') ? letters : [];
  const isAlone = news === 1 && olds === 1 && document === 'b';
  const everything = readdirSync(at(), { recursive: true }) as string[];
  return {
    what: `${name}, ${size} bytes where ${free} are free`,
    outcome,
    message,
    found: isNew ? 'new' : isOld ? 'old' : isAlone ? 'document alone' : 'torn',
    unfinished: everything.filter((path) => path.endsWith('.part')).length,
  };
}

const tries: unknown[] = [];
for (const [name, work] of Object.entries(works))
  for (const free of [0, 4096, 12_288, 32_768])
    for (const size of [10, 3000, 4000, 9000, 20_000, 40_000]) tries.push(await tried(name, work, free, size));
process.stdout.write(JSON.stringify(tries));
