/** Two windows and other programs on one document: nobody's work is written over without a word. */
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventBody, Location } from '../../../src-main/contract/contract.ts';
import { createDesk } from '../../../src-main/files/desk.ts';
import { createStore } from '../../../src-main/files/store.ts';
import type { Store } from '../../../src-main/files/store.ts';
import { createWatch } from '../../../src-main/files/watch.ts';

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
afterEach(() => rmSync(folder, { recursive: true }));

function openDesk(of: Store = store) {
  const ends: (() => void)[] = [];
  const page = { emit: () => undefined, onEnd: (call: () => void) => void ends.push(call) };
  const desk = createDesk({ store: of, page, mayHave: () => true });
  const save = (name: string, over: Parameters<typeof desk.save>[0]['over'], to = path) =>
    desk.save({ path: to, document: model(name), fit: null, from: undefined, over });
  return { desk, save, end: () => ends.forEach((call) => call()) };
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
