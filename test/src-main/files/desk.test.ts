/** Two windows and other programs on one document: nobody's work is written over without a word. */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventBody, Location } from '../../../src-main/contract/contract.ts';
import type { FitReport } from '../../../src-main/contract/contract.ts';
import type { StoredStudies } from '../../../src-main/contract/stored-studies.ts';
import { calls } from '../../../src-main/files/calls.ts';
import { createDesk } from '../../../src-main/files/desk.ts';
import { thisProcess } from '../../../src-main/files/owner.ts';
import { createStore } from '../../../src-main/files/store.ts';
import type { Store } from '../../../src-main/files/store.ts';
import { createWatch } from '../../../src-main/files/watch.ts';
import { fitReport } from '../../support/fits/fit-report.ts';
import { bootstrapReport, comparisonReport } from '../../support/fits/study-report.ts';

let folder: string;
let path: string;
let store: Store;
const place = (): Location => ({ kind: 'file', path });
const model = (name: string) => ({ format: 'cotangent/1', name, blocks: [] });
const nameOf = (file: string): unknown => (JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }).name;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-desk-'));
  path = join(folder, 'a.cot.json');
  writeFileSync(path, JSON.stringify(model('first')));
  store = createStore(join(folder, 'state'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

it('opens no JSON of other programs, of which a save would make a model, but documents with faults', async () => {
  const { desk } = openDesk();
  const other = join(folder, 'package.json');
  const text = '{ "name": "package", "version": "1.0.0" }\n';
  writeFileSync(other, text);
  const opened = desk.open({ kind: 'file', path: other }, other);
  await expect(opened).rejects.toThrow(`${other} is no model of Cotangent: "format" is missing`);
  await expect(desk.read({ kind: 'file', path: other }, other)).rejects.toThrow('is no model of Cotangent');
  expect({ text: readFileSync(other, 'utf8'), recent: await store.recent() }).toEqual({ text, recent: [] });
  writeFileSync(path, '{ "format": "cotangent/1", "blocks": 3 }');
  expect((await desk.open(place(), path)).document).toMatchObject({ blocks: 3 });
});

function openDesk(of: Store = store) {
  const ends: (() => void)[] = [];
  const heard: unknown[] = [];
  const all: { readonly name: string; readonly body: unknown }[] = [];
  const emit = (name: string, body: unknown): void => {
    all.push({ name, body });
    if (name === 'files.changed') heard.push(body);
  };
  const told = (event: string) => all.flatMap(({ name, body }) => (name === event ? [body] : []));
  const page = { emit, onEnd: (call: () => void) => void ends.push(call) };
  const desk = createDesk({ store: of, page, mayHave: () => true });
  const save = (name: string, over: Parameters<typeof desk.save>[0]['over'], to = path, fit: FitReport | null = null) =>
    desk.save({ path: to, document: model(name), fit, from: undefined, over });
  return { desk, save, heard, told, end: () => ends.forEach((call) => call()) };
}

const copy = '00000000-0000-4000-8000-000000000001';
const about = (location: Location) => ({ name: 'A', location, edited: true, files: [] });

describe('saving', () => {
  it('writes over what was read, again and again', async () => {
    const { desk, save } = openDesk();
    const { stamp } = await desk.open(place(), path);
    const saved = await save('second', stamp);
    if ('changed' in saved) throw new Error('it was refused');
    expect(await save('third', saved.stamp)).toHaveProperty('savedAt');
    expect(nameOf(path)).toBe('third');
  });

  it('writes nothing where another program has, and then over it when told to', async () => {
    const { desk, save } = openDesk();
    const { stamp } = await desk.open(place(), path);
    writeFileSync(path, JSON.stringify(model('theirs')));
    const refused = await save('mine', stamp);
    expect(refused).toHaveProperty('changed');
    expect(nameOf(path)).toBe('theirs');
    if ('changed' in refused) expect(await save('mine', refused.changed)).toHaveProperty('savedAt');
    expect(nameOf(path)).toBe('mine');
  });

  it('sees a change of the same size and time', async () => {
    const { desk, save } = openDesk();
    utimesSync(path, 1e9, 1e9);
    const { stamp } = await desk.open(place(), path);
    writeFileSync(path, JSON.stringify(model('tsrif')));
    utimesSync(path, 1e9, 1e9);
    expect(await save('mine', stamp)).toHaveProperty('changed');
  });

  it('takes a file that was only touched for the same', async () => {
    const { desk, save } = openDesk();
    const { stamp } = await desk.open(place(), path);
    utimesSync(path, 2e9, 2e9);
    expect(await save('mine', stamp)).toHaveProperty('savedAt');
  });

  it('lets the second of two windows know', async () => {
    const [one, two] = [openDesk(), openDesk(createStore(join(folder, 'state')))];
    const first = await one.desk.open(place(), path);
    const second = await two.desk.open(place(), path);
    expect(await one.save('one', first.stamp)).toHaveProperty('savedAt');
    expect(await two.save('two', second.stamp)).toHaveProperty('changed');
    expect(nameOf(path)).toBe('one');
  });

  it('and opening need no folder of the app’s own: a list of recent files is not the document', async () => {
    const { desk, save } = openDesk(createStore(join(path, 'state')));
    const { stamp } = await desk.open(place(), path);
    expect(await save('second', stamp)).toHaveProperty('savedAt');
    expect(nameOf(path)).toBe('second');
  });

  it('under a new name finds a file that is there', async () => {
    const { save } = openDesk();
    expect(await save('new', null)).toHaveProperty('changed');
    expect(await save('new', null, join(folder, 'b.cot.json'))).toHaveProperty('savedAt');
    rmSync(path);
    expect(await save('again', { size: 1, time: 0, hash: '' })).toHaveProperty('savedAt');
  });
});

/** What another program writes just before or after a call of ours on the file. */
function foreign(call: 'open' | 'rename', when: 'before' | 'after', name: string): void {
  const own = calls[call].bind(calls) as (...args: unknown[]) => Promise<unknown>;
  let done = false;
  vi.spyOn(calls, call).mockImplementation((async (...args: unknown[]) => {
    const ours = call === 'open' ? args[1] === 'wx' && String(args[0]).startsWith(`${folder}/.`) : args[1] === path;
    const write = ours && !done;
    if (write) done = true;
    if (write && when === 'before') writeFileSync(path, JSON.stringify(model(name)));
    const result = await own(...args);
    if (write && when === 'after') writeFileSync(path, JSON.stringify(model(name)));
    return result;
  }) as never);
}

describe('what another program writes while we save', () => {
  it('is not written over, where it comes before our file takes its name', async () => {
    const { desk, save } = openDesk();
    const { stamp } = await desk.open(place(), path);
    foreign('open', 'before', 'theirs');
    expect(await save('mine', stamp)).toHaveProperty('changed');
    expect(nameOf(path)).toBe('theirs');
  });

  it('as a second window or process, waits until the first has replaced the file, and is told', async () => {
    const alias = join(folder, 'alias.cot.json');
    symlinkSync(path, alias);
    const [one, two] = [openDesk(), openDesk(createStore(join(folder, 'state')))];
    const { stamp } = await one.desk.open(place(), path);
    const [rename, open] = [calls.rename.bind(calls), calls.open.bind(calls)];
    let waits: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (waits = resolve));
    vi.spyOn(calls, 'open').mockImplementation((...asked) =>
      open(...asked).catch((error: unknown) => {
        if (asked[0].endsWith('.turn')) waits();
        throw error;
      }),
    );
    let second: ReturnType<typeof two.save> | undefined;
    vi.spyOn(calls, 'rename').mockImplementation(async (from, to) => {
      if (to === path && second === undefined) {
        second = two.save('two', stamp, alias);
        await Promise.race([second, waiting]);
      }
      return rename(from, to);
    });
    expect(await one.save('one', stamp)).toHaveProperty('savedAt');
    expect(await second).toHaveProperty('changed');
    expect(nameOf(path)).toBe('one');
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('does not wait for one that was killed at it, and leaves nothing of it', async () => {
    const { save } = openDesk();
    await save('first', undefined);
    let turn = '';
    const unlink = calls.unlink.bind(calls);
    const spy = vi.spyOn(calls, 'unlink').mockImplementation((at) => {
      if (at.endsWith('.turn')) turn = at;
      return unlink(at);
    });
    await save('second', undefined);
    spy.mockRestore();
    for (const left of ['', JSON.stringify({ ...thisProcess(), mark: 'another' })]) {
      writeFileSync(turn, left);
      if (left === '') utimesSync(turn, 1e9, 1e9);
      await save('third', undefined);
      expect(existsSync(turn)).toBe(false);
    }
  });

  it('is told of and not taken for ours, where it comes after', async () => {
    const { desk, save, heard, end } = openDesk();
    const { stamp } = await desk.open(place(), path);
    foreign('rename', 'after', 'theirs');
    const saved = await save('mine', stamp);
    if ('changed' in saved) throw new Error('it was refused');
    await vi.waitUntil(() => heard.length > 0);
    expect(heard).toMatchObject([{ location: place(), stamp: { size: readFileSync(path).length } }]);
    expect(await save('mine again', saved.stamp)).toHaveProperty('changed');
    expect(nameOf(path)).toBe('theirs');
    // The last save is what we wrote.
    const backups = await desk.handlers['files.backups']({ location: place() });
    const { document } = await desk.handlers['files.backup']({ location: place(), backup: backups[0]!.backup });
    expect(document).toMatchObject({ name: 'mine' });
    end();
  });

  it('is told of where it is there before the file is watched, and where the file is gone by then', async () => {
    const { save, heard, end } = openDesk();
    path = join(folder, 'new.cot.json');
    foreign('rename', 'after', 'theirs');
    await save('mine', null);
    await vi.waitUntil(() => heard.length > 0);
    expect(heard).toMatchObject([{ stamp: { size: readFileSync(path).length } }]);
    end();
  });
});

describe.skipIf(process.platform === 'win32')('what is no file', () => {
  const pipe = () => join(folder, 'pipe.cot.json');
  const sentence = 'it is no file but a pipe, a device or a socket';

  it('is neither read nor written, and nobody waits for it', async () => {
    execFileSync('mkfifo', [pipe()]);
    const { desk, save } = openDesk();
    await expect(desk.open({ kind: 'file', path: pipe() }, pipe())).rejects.toThrow(
      `${pipe()} cannot be opened: ${sentence}.`,
    );
    for (const over of [null, undefined])
      await expect(save('mine', over, pipe())).rejects.toThrow(
        `${pipe()} cannot be written, because ${sentence}: choose`,
      );
    expect(lstatSync(pipe()).isFIFO()).toBe(true);
  });

  it('is no document where it is a socket, a device or a folder', async () => {
    const { desk, save } = openDesk();
    const socket = join(folder, 's.cot.json');
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once('listening', resolve));
    await expect(save('mine', undefined, socket)).rejects.toThrow(sentence);
    expect(lstatSync(socket).isSocket()).toBe(true);
    server.close();
    await expect(desk.open({ kind: 'file', path: '/dev/zero' }, '/dev/zero')).rejects.toThrow(sentence);
    const below = join(folder, 'folder.cot.json');
    mkdirSync(below);
    await expect(save('mine', null, below)).rejects.toThrow('because it is a folder');
  });

  it('costs a document nothing where its fit should be: the document is saved, and its fit said to be missing', async () => {
    const fit = join(folder, 'a.fit.json');
    execFileSync('mkfifo', [fit]);
    const { desk, save } = openDesk();
    const { stamp, fit: read } = await desk.open(place(), path);
    expect(read).toBeNull();
    const saved = await save('second', stamp, path, fitReport);
    expect(saved).toMatchObject({ without: expect.stringContaining(`${fit} cannot be written, because ${sentence}`) });
    expect(nameOf(path)).toBe('second');
    expect(lstatSync(fit).isFIFO()).toBe(true);
    if (!('changed' in saved)) expect(await save('third', saved.stamp)).toHaveProperty('savedAt');
  });
});

describe('a name', () => {
  it.each(['.cot.json', '.json', '.cot'])('of 255 bytes with %s is a name like any other', async (extension) => {
    const long = join(
      folder,
      'ä'.repeat(127).slice(0, 127 - extension.length) + 'x'.repeat(1 + extension.length) + extension,
    );
    const { desk, save } = openDesk();
    const saved = await save('long', null, long, fitReport);
    if ('changed' in saved) throw new Error('it was refused');
    expect(nameOf(long)).toBe('long');
    const opened = await desk.open({ kind: 'file', path: long }, long);
    if (extension === '.cot.json')
      expect([saved.without, opened.fit?.finishedAt]).toEqual([undefined, fitReport.finishedAt]);
    else expect([saved.without, opened.fit]).toEqual([expect.stringMatching(/its name is too long/), null]);
    expect(await save('longer', saved.stamp, long)).not.toHaveProperty('without');
  });

  it('that is longer is refused in words', async () => {
    const { desk, save } = openDesk();
    const long = join(folder, `${'x'.repeat(250)}.cot.json`);
    await expect(save('long', null, long)).rejects.toThrow(/cannot be written, because its name is too long: choose/);
    const none = join(folder, 'a\0b.cot.json');
    await expect(save('none', null, none)).rejects.toThrow(
      /cannot be written, because its name has a character that no name may have: choose another name/,
    );
    await expect(desk.open({ kind: 'file', path: long }, long)).rejects.toThrow(
      /cannot be opened: its name is too long/,
    );
  });
});

describe('a fit of before', () => {
  it('that cannot be removed is told of, and the document is saved', async () => {
    const { desk, save } = openDesk();
    const fit = join(folder, 'a.fit.json');
    const { stamp } = await desk.open(place(), path);
    const saved = await save('second', stamp, path, fitReport);
    if ('changed' in saved) throw new Error('it was refused');
    vi.spyOn(calls, 'unlink').mockImplementation(() => Promise.reject(Object.assign(new Error(), { code: 'EPERM' })));
    const without = await save('third', saved.stamp);
    expect(without).toMatchObject({ without: expect.stringContaining(fit) });
    expect(nameOf(path)).toBe('third');
    expect(existsSync(fit)).toBe(true);
  });

  it('that is read-only stays beside a document that is saved', async () => {
    const { desk, save } = openDesk();
    writeFileSync(join(folder, 'a.fit.json'), '');
    chmodSync(join(folder, 'a.fit.json'), 0o444);
    const { stamp } = await desk.open(place(), path);
    expect(await save('second', stamp, path, fitReport)).toMatchObject({
      without: expect.stringContaining('read-only'),
    });
    expect(nameOf(path)).toBe('second');
  });
});

describe('beside a document', () => {
  const foreign = ['a.fit.json', 'a.studies.json'];
  const none: StoredStudies = { documents: [], studies: [] };
  const at = '2026-01-01T00:00:00Z';
  const some: StoredStudies = { documents: [], studies: [{ report: bootstrapReport(at, 4), parameters: {} }] };
  const put = (to: string, fit: FitReport | null, studies: StoredStudies) =>
    openDesk().desk.save({ path: to, document: model('a'), fit, studies, from: undefined, over: undefined });
  const held = (of: string) => openDesk().desk.read({ kind: 'file', path: of }, of);

  it.each([
    ['another document', JSON.stringify(model('precious'))],
    ['what another program wrote', '{"status": "converged", "x": [1, 2]}'],
  ])('%s that has the name of a side file stays, whatever is saved', async (_what, content) => {
    for (const name of foreign) writeFileSync(join(folder, name), content);
    expect(await put(path, null, none)).not.toHaveProperty('without');
    const saved = await put(path, fitReport, some);
    const why = (name: string): RegExp => new RegExp(`${name} cannot be written, because something else has its name`);
    expect(saved).toMatchObject({
      without: expect.stringMatching(why(foreign[0]!)),
      withoutStudies: expect.stringMatching(why(foreign[1]!)),
    });
    for (const name of foreign) expect(readFileSync(join(folder, name), 'utf8')).toBe(content);
    const read = await held(path);
    expect([read.fit, read.studies]).toEqual([null, undefined]);
  });

  it('what is of a document of the same name with another extension is neither shown, written over nor removed', async () => {
    const other = join(folder, 'a.json');
    await put(path, fitReport, some);
    await put(other, null, none);
    expect(await put(other, { ...fitReport, iterations: 99 }, some)).toMatchObject({
      without: expect.stringMatching(/it is of a\.cot\.json/),
      withoutStudies: expect.stringMatching(/it is of a\.cot\.json/),
    });
    const [mine, others] = [await held(path), await held(other)];
    expect([mine.fit?.iterations, mine.studies?.studies.length]).toEqual([fitReport.iterations, 1]);
    expect([others.fit, others.studies]).toEqual([null, undefined]);
  });

  it('what was renamed or copied with its document is its own', async () => {
    await put(path, fitReport, some);
    const copied = join(folder, 'b.cot.json');
    for (const end of ['.cot.json', '.fit.json', '.studies.json'])
      copyFileSync(join(folder, `a${end}`), join(folder, `b${end}`));
    const renamed = join(folder, 'a.json');
    renameSync(path, renamed);
    for (const of of [copied, renamed]) {
      const { fit, studies } = await held(of);
      expect([fit?.iterations, studies?.studies.length]).toEqual([fitReport.iterations, 1]);
      expect(await put(of, { ...fitReport, iterations: 7 }, some)).not.toHaveProperty('without');
      expect((await held(of)).fit?.iterations).toBe(7);
    }
  });
});

describe('what studies found', () => {
  const studies = (at: string) => ({
    documents: [model('before')],
    studies: [
      { report: bootstrapReport(at, 4), parameters: { k: [NaN, -0] } },
      { report: comparisonReport(at), parameters: {}, document: 0 },
    ],
  });
  const at = '2026-01-01T00:00:00Z';
  const beside = () => join(folder, 'a.studies.json');
  const saveWith = (desk: ReturnType<typeof openDesk>['desk'], found?: StoredStudies, name = 'second') =>
    desk.save({ path, document: model(name), fit: null, studies: found, from: undefined, over: undefined });

  it('comes back with the document, to the bit, and says whether that is still the same', async () => {
    const { desk } = openDesk();
    expect((await desk.open(place(), path)).studies).toBeUndefined();
    await saveWith(desk, studies(at));
    expect((await openDesk().desk.open(place(), path)).studies).toEqual({ ...studies(at), same: true });
    writeFileSync(path, JSON.stringify(model('theirs')));
    expect((await desk.read(place(), path)).studies).toEqual({ ...studies(at), same: false });
    // Who knows nothing of them leaves them; who has none any more does not.
    await saveWith(desk, undefined, 'third');
    expect((await desk.read(place(), path)).studies).toMatchObject({ same: false });
    await saveWith(desk, { documents: [], studies: [] });
    expect(existsSync(beside())).toBe(false);
  });

  it('of two windows is kept for both, whichever saves last, and whatever it saves', async () => {
    const [one, two] = [openDesk().desk, openDesk().desk];
    const asOpen = async (desk: typeof one) => {
      const { stamp } = await desk.open(place(), path);
      await desk.handlers['files.watch']({ location: place(), stamp });
    };
    for (const desk of [one, two]) await asOpen(desk);
    const only = (study: StoredStudies['studies'][number]): StoredStudies => ({ documents: [], studies: [study] });
    const bootstrap = only({ report: bootstrapReport(at, 4), parameters: { k: [1] } });
    const comparison = only({ report: comparisonReport(at), parameters: {} });
    const none: StoredStudies = { documents: [], studies: [] };
    const held = async () => (await openDesk().desk.open(place(), path)).studies;

    await saveWith(one, bootstrap, 'of one');
    await saveWith(two, none, 'of one');
    expect(await held()).toEqual({ ...bootstrap, same: true });
    await saveWith(one, bootstrap, 'of one');
    await saveWith(two, comparison, 'of two');
    const [mine, theirs] = [comparison.studies[0]!, bootstrap.studies[0]!];
    expect(await held()).toEqual({
      documents: [model('of one')],
      studies: [mine, { ...theirs, document: 0 }],
      same: true,
    });
    // The later of each kind, and what a window gives up that it knows of is gone.
    const later = only({ report: bootstrapReport('2026-01-02T00:00:00Z', 4), parameters: { k: [2] } });
    await saveWith(one, later, 'of two');
    await saveWith(two, bootstrap, 'of two');
    expect((await held())?.studies.map(({ parameters }) => parameters)).toEqual([{}, { k: [2] }].reverse());
    await saveWith(two, none, 'of two');
    expect(await held()).toBeUndefined();
  });

  it('costs the document nothing where it cannot be written, and nothing is followed', async () => {
    const { desk } = openDesk();
    writeFileSync(join(folder, 'precious'), 'p');
    symlinkSync(join(folder, 'precious'), beside());
    expect(await desk.open(place(), path)).toMatchObject({ unread: expect.stringContaining(beside()) });
    await saveWith(desk, studies(at));
    expect(lstatSync(beside()).isFile()).toBe(true);
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('p');
    chmodSync(beside(), 0o444);
    const saved = await saveWith(desk, studies('2026-01-02T00:00:00Z'), 'third');
    expect(saved).toMatchObject({ withoutStudies: expect.stringContaining('read-only') });
    expect(saved).not.toHaveProperty('without');
    expect(nameOf(path)).toBe('third');
  });

  it.each(['', '{}', '{"format": "cotangent-studies/2"}', '[', '\u0000'])(
    'is said to be unread where it is %j',
    async (text) => {
      writeFileSync(beside(), text);
      const { unread, studies: none } = await openDesk().desk.open(place(), path);
      expect([unread, none]).toEqual([`What studies found is not shown: ${beside()} cannot be read.`, undefined]);
    },
  );
});

describe('opening', () => {
  it('names the edits that a crash left behind, by whichever name the file is opened', async () => {
    const crashed = openDesk();
    await crashed.desk.handlers['files.keep']({ copy, about: about(place()), from: 0, entries: ['{}'] });
    const other = openDesk();
    expect(await other.desk.open(place(), path)).toMatchObject({ kept: null, elsewhere: true });
    crashed.end();
    const { kept, elsewhere } = await other.desk.open(place(), path);
    expect({ kept: kept?.copy, elsewhere }).toEqual({ kept: copy, elsewhere: false });
    const roundabout = join(folder, '.', 'state', '..', 'a.cot.json');
    expect((await other.desk.open({ kind: 'file', path: roundabout }, roundabout)).kept?.copy).toBe(copy);
    expect((await other.desk.open({ kind: 'example', name: 'a' }, path)).kept).toBeNull();
  });

  it('gives edits to one window alone', async () => {
    const crashed = openDesk();
    await crashed.desk.handlers['files.keep']({ copy, about: about({ kind: 'unsaved' }), from: 0, entries: ['{}'] });
    crashed.end();
    const [one, two] = [openDesk(), openDesk()];
    expect(await one.desk.handlers['files.restore']({ copy })).toMatchObject({ entries: ['{}'] });
    await expect(two.desk.handlers['files.restore']({ copy })).rejects.toThrow('another window');
    expect(await two.desk.handlers['files.kept']({})).toEqual([]);
  });
});

describe('a page whose connection was lost', () => {
  it('is told what happened to its file meanwhile, and after', async () => {
    const before = openDesk();
    const { stamp } = await before.desk.open(place(), path);
    before.end();
    writeFileSync(path, JSON.stringify(model('theirs')));
    const { desk, heard, end } = openDesk();
    await desk.handlers['files.watch']({ location: place(), stamp });
    await vi.waitUntil(() => heard.length === 1);
    rmSync(path);
    await vi.waitUntil(() => heard.length === 2, { timeout: 4000 });
    expect(heard).toMatchObject([{ stamp: { size: JSON.stringify(model('theirs')).length } }, { stamp: null }]);
    end();
  });

  it('and one that only compares with another file keep the watch on their own', async () => {
    const other = join(folder, 'b.cot.json');
    writeFileSync(other, JSON.stringify(model('other')));
    const { desk, heard, end } = openDesk();
    const { stamp } = await desk.open(place(), path);
    await desk.handlers['files.watch']({ location: place(), stamp });
    expect((await desk.read({ kind: 'file', path: other }, other)).document).toMatchObject({ name: 'other' });
    writeFileSync(other, JSON.stringify(model('other again')));
    writeFileSync(path, JSON.stringify(model('theirs')));
    await vi.waitUntil(() => heard.length > 0, { timeout: 4000 });
    expect(heard).toMatchObject([{ location: place() }]);
    end();
  });
});

describe('a watch', () => {
  it('tells of another program’s writing and of nothing else', async () => {
    let tell: (stamp: EventBody<'files.changed'>['stamp']) => void = () => undefined;
    const told = new Promise<EventBody<'files.changed'>['stamp']>((resolve) => (tell = resolve));
    const watch = createWatch((_, stamp) => tell(stamp), 20);
    const { desk, save } = openDesk();
    const { stamp } = await desk.open(place(), path);
    watch.follow(path, stamp);
    const own = await watch.during(() => save('own', stamp));
    if ('changed' in own) throw new Error('it was refused');
    watch.follow(path, own.stamp);
    writeFileSync(path, JSON.stringify(model('theirs')));
    const heard = await told;
    expect(heard?.size).toBe(readFileSync(path).length);
    watch.end();
  });
});

describe('a watch of a page', () => {
  it.each([
    ['a folder in its place', (file: string) => mkdirSync(file, { recursive: true })],
    ['a file in that of its folder', (file: string) => writeFileSync(dirname(file), '')],
  ])('tells that the file is gone where there is %s', async (_, replace) => {
    const inside = join(folder, 'f', 'a.cot.json');
    mkdirSync(dirname(inside));
    copyFileSync(path, inside);
    const told: unknown[] = [];
    const watch = createWatch((_, stamp) => told.push(stamp), 20);
    watch.follow(inside, (await openDesk().desk.open({ kind: 'file', path: inside }, inside)).stamp);
    rmSync(dirname(inside), { recursive: true });
    replace(inside);
    await vi.waitUntil(() => told.length > 0, { timeout: 4000 });
    expect(told).toEqual([null]);
    watch.end();
  });

  it('tells that what lay beside the file was removed', async () => {
    const { desk, save, told, end } = openDesk();
    const { stamp } = await desk.open(place(), path);
    const saved = await save('second', stamp, path, fitReport);
    if (!('stamp' in saved)) throw new Error('not saved');
    await desk.handlers['files.watch']({ location: place(), stamp: saved.stamp });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(told('files.beside')).toEqual([]);
    rmSync(join(folder, 'a.fit.json'));
    await vi.waitUntil(() => told('files.beside').length > 0, { timeout: 5000 });
    expect(told('files.beside')).toEqual([{ location: place(), fit: false, studies: false }]);
    end();
  });

  it('tells of a table that another program writes, and of none outside the folder', async () => {
    const table = join(folder, 'obs.csv');
    writeFileSync(table, 't\n1\n');
    const { desk, told, end } = openDesk();
    await desk.open(place(), path);
    await desk.handlers['files.watchTables']({ location: place(), files: ['obs.csv', '../elsewhere.csv'] });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(told('files.tables')).toEqual([]);
    writeFileSync(table, 't\n1\n2\n');
    await vi.waitUntil(() => told('files.tables').length > 0, { timeout: 5000 });
    expect(told('files.tables')[0]).toEqual({ location: place() });
    end();
  });
});

describe('earlier saves', () => {
  it('are there after the file has been removed, whatever links lead to it', async () => {
    const link = join(folder, 'linked');
    symlinkSync(folder, link);
    const linked = { kind: 'file', path: join(link, 'a.cot.json') } as const;
    const { desk } = openDesk();
    const { stamp } = await desk.open(linked, linked.path);
    await desk.save({ path: linked.path, document: model('second'), fit: null, from: undefined, over: stamp });
    const before = await desk.handlers['files.backups']({ location: linked });
    expect(before).toHaveLength(2);
    rmSync(path);
    expect(await desk.handlers['files.backups']({ location: linked })).toEqual(before);
  });

  it('that cannot be kept are missed aloud, and the document is saved', async () => {
    writeFileSync(join(folder, 'state'), 'a file');
    const { desk, save } = openDesk();
    const { stamp } = await desk.open(place(), path);
    expect(await save('second', stamp)).toMatchObject({ withoutBackup: expect.stringMatching(/earlier saves/) });
    expect(nameOf(path)).toBe('second');
    await expect(desk.handlers['files.backups']({ location: place() })).rejects.toThrow(/cannot be read/);
  });
});

describe('the list of runs of a document', () => {
  it('is there when it is opened again, whatever was saved, and goes with no other', async () => {
    const { desk, save } = openDesk();
    const { stamp, runs } = await desk.open(place(), path);
    expect(runs).toBeUndefined();
    await desk.handlers['files.keepRuns']({ location: place(), runs: 'two runs' });
    await save('second', stamp);
    await store.sweep();
    expect((await openDesk(createStore(join(folder, 'state'))).desk.open(place(), path)).runs?.text).toBe('two runs');
    const other = join(folder, 'b.cot.json');
    copyFileSync(path, other);
    expect(await desk.open({ kind: 'file', path: other }, other)).not.toHaveProperty('runs');
    expect(readdirSync(folder).sort()).toEqual(['a.cot.json', 'b.cot.json', 'state']);
  });

  it('is not written over where another window has written it since', async () => {
    const [{ desk: one }, { desk: other }] = [openDesk(), openDesk(createStore(join(folder, 'state')))];
    const kept = await one.handlers['files.keepRuns']({ location: place(), runs: 'of one', over: null });
    const changed = await other.handlers['files.keepRuns']({ location: place(), runs: 'of the other', over: null });
    expect(changed).toEqual({ changed: { text: 'of one', ...kept } });
    const hash = 'hash' in kept ? kept.hash : '';
    expect(await other.handlers['files.keepRuns']({ location: place(), runs: 'of both', over: hash })).toHaveProperty(
      'hash',
    );
    for (const desk of [one, other])
      expect(await desk.handlers['files.keepRuns']({ location: place(), runs: 'later', over: hash })).toMatchObject({
        changed: { text: 'of both' },
      });
    // What was swept is written again.
    rmSync(join(folder, 'state', 'runs'), { recursive: true });
    expect(await one.handlers['files.keepRuns']({ location: place(), runs: 'again', over: hash })).toHaveProperty(
      'hash',
    );
  });

  it('is kept of two hundred documents', async () => {
    const { desk } = openDesk();
    await desk.handlers['files.keepRuns']({ location: place(), runs: 'of long ago' });
    const runs = join(folder, 'state', 'runs');
    for (const name of readdirSync(runs)) utimesSync(join(runs, name), 1, 1);
    for (let i = 0; i < 200; i++) writeFileSync(join(runs, `${i}.runs`), '');
    await store.sweep();
    expect(readdirSync(runs)).toHaveLength(200);
    expect(await store.runs.read(path)).toBeUndefined();
  });
});
