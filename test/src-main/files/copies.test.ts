import { describe, expect, it } from 'vitest';
import type { AboutCopy, Location } from '../../../src-main/contract/keeping.ts';
import { createCopies } from '../../../src-main/files/copies.ts';
import type { JournalFiles } from '../../../src-main/files/shelf.ts';
import type { Owner } from '../../../src-main/files/journal.ts';
import { Refused } from '../../../src-main/refused.ts';

const file: Location = { kind: 'file', path: '/data/a.cot.json' };
const about = (more: Partial<AboutCopy> = {}): AboutCopy => ({
  ...{ name: 'A', location: file, edited: true, files: [] },
  ...more,
});
const [one, two, three] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [string, string, string];

/** A folder that processes share; `tear` is how many bytes the next write gets onto the disk before it fails. */
function createDisk() {
  const contents = new Map<string, { text: string; changedAt: Date }>();
  let clock = 0;
  const disk = {
    contents,
    tear: null as number | null,
    text: (copy: string) => contents.get(`${copy}.journal`)?.text,
    /** As somebody sets the clock back by an hour. */
    setBack: () => void (clock -= 3600_000),
  };
  const put = (name: string, text: string): void => void contents.set(name, { text, changedAt: new Date(clock++) });
  const failing = (): number | null => {
    const { tear } = disk;
    disk.tear = null;
    return tear;
  };
  const files: JournalFiles = {
    list: () => Promise.resolve([...contents].map(([name, { changedAt }]) => ({ name, changedAt }))),
    read: (name) => Promise.resolve(contents.get(name)?.text ?? ''),
    replace: (name, text) => {
      if (failing() !== null) return Promise.reject(new Error('no space left'));
      put(name, text);
      return Promise.resolve();
    },
    append: (name, text) => {
      if (!contents.has(name)) return Promise.reject(new Error('no such file'));
      const tear = failing();
      put(name, (contents.get(name)?.text ?? '') + text.slice(0, tear ?? text.length));
      return tear === null ? Promise.resolve() : Promise.reject(new Error('no space left'));
    },
    remove: (name) => {
      contents.delete(name);
      return Promise.resolve();
    },
    setAside: (name, as) => {
      contents.set(as, contents.get(name)!);
      contents.delete(name);
      return Promise.resolve();
    },
    pathOf: (name) => `/kept/${name}`,
  };
  return { disk, files };
}

/** Processes on one disk; `kill` ends one without a word. */
function createMachine() {
  const { disk, files } = createDisk();
  const living = new Set<number>();
  let next = 1;
  const isAlive = ({ machine, process }: Owner) => (machine === 'here' ? living.has(process) : undefined);
  return {
    disk,
    start(machine = 'here') {
      const number = next++;
      living.add(number);
      const owner = { machine, process: number, mark: '' };
      const copies = createCopies({ files, owner, isAlive });
      return { copies, kill: () => void living.delete(number) };
    },
  };
}

describe('copies', () => {
  it('come back after a kill with every entry, to whoever opens them next', async () => {
    const { start } = createMachine();
    const killed = start();
    const page = {};
    await killed.copies.keep(page, one, about(), 0, ['opening', 'first']);
    await killed.copies.keep(page, one, about({ name: 'B' }), 2, ['second']);
    killed.kill();
    const { copies } = start();
    expect(await copies.kept()).toMatchObject([{ copy: one, name: 'B', location: file }]);
    expect(await copies.take({}, one)).toMatchObject({ entries: ['opening', 'first', 'second'] });
  });

  it('are one for each document that was never saved, in one process and in several', async () => {
    const { start } = createMachine();
    const [a, b] = [start(), start()];
    const unsaved = about({ location: { kind: 'unsaved' } });
    await a.copies.keep({}, one, unsaved, 0, ['A']);
    await a.copies.keep({}, two, unsaved, 0, ['B']);
    await b.copies.keep({}, three, unsaved, 0, ['C']);
    a.kill();
    b.kill();
    const { copies } = start();
    const kept = await copies.kept();
    const entries = await Promise.all(kept.map(({ copy }) => copies.take({}, copy)));
    expect(entries.map((taken) => taken?.entries[0]).sort()).toEqual(['A', 'B', 'C']);
  });

  it('take in what a page sent as it went, and are nobody’s then, here and for other processes', async () => {
    const { start } = createMachine();
    const [a, b] = [start(), start()];
    const page = {};
    await a.copies.keep(page, one, about(), 0, ['opening']);
    const sent = [
      a.copies.keep(page, one, about(), 1, ['first']),
      a.copies.keep(page, one, about(), 2, ['second']),
      // What is sent again is there once.
      a.copies.keep(page, one, about(), 2, ['second', 'third']),
      a.copies.keep(page, two, about(), 0, ['another']),
    ];
    await a.copies.leave(page);
    expect(await Promise.all(sent)).toEqual([true, true, true, true]);
    for (const { copies } of [a, b]) {
      expect(await copies.isOpenElsewhere({}, file)).toBe(false);
      expect((await copies.kept()).map(({ copy }) => copy).sort()).toEqual([one, two]);
    }
    expect(await b.copies.take({}, one)).toMatchObject({ entries: ['opening', 'first', 'second', 'third'] });
  });

  it('are nobody else’s while they are open, here or in another process', async () => {
    const { start } = createMachine();
    const [a, b] = [start(), start()];
    const page = {};
    await a.copies.keep(page, one, about(), 0, ['A']);
    for (const { copies } of [a, b]) {
      expect(await copies.kept()).toEqual([]);
      await expect(copies.take({}, one)).rejects.toThrow(Refused);
      expect(await copies.isOpenElsewhere({}, file)).toBe(true);
      expect(await copies.isOpenElsewhere({}, { kind: 'file', path: '/data/b.cot.json' })).toBe(false);
    }
    expect(await a.copies.isOpenElsewhere(page, file)).toBe(false);
  });

  it('are free once their page has left them, though it goes on with something else', async () => {
    const { start } = createMachine();
    const [{ copies }, other] = [start(), start()];
    const page = {};
    await copies.keep(page, one, about(), 0, ['A']);
    await copies.release({}, one);
    expect([await copies.kept(), await other.copies.kept()]).toEqual([[], []]);
    await copies.release(page, one);
    expect([await copies.kept(), await other.copies.kept()]).toMatchObject([[{ copy: one }], [{ copy: one }]]);
    expect(await copies.take(page, one)).toMatchObject({ entries: ['A'] });
  });

  it('are free once their page has ended, and its own again when it comes back', async () => {
    const { start } = createMachine();
    const [a, b] = [start(), start()];
    const page = {};
    await a.copies.keep(page, one, about(), 0, ['1']);
    await a.copies.leave(page);
    expect(await a.copies.kept()).toHaveLength(1);
    expect(await b.copies.kept()).toHaveLength(1);
    const back = {};
    expect(await a.copies.keep(back, one, about(), 1, ['2'])).toBe(true);
    expect(await b.copies.kept()).toEqual([]);
    a.kill();
    expect(await b.copies.take({}, one)).toMatchObject({ entries: ['1', '2'] });
  });

  it('that were taken are not added to as they lie: their page begins them again', async () => {
    const { start, disk } = createMachine();
    const killed = start();
    await killed.copies.keep({}, one, about(), 0, ['1', '2']);
    disk.contents.get(`${one}.journal`)!.text += 'torn';
    killed.kill();
    const { copies } = start();
    const page = {};
    const own = (await copies.take(page, one))!.copy;
    const asCrashed = disk.text(one);
    expect(await copies.keep(page, own, about(), 2, ['3'])).toBe(false);
    expect(disk.text(one)).toBe(asCrashed);
    expect(await copies.keep(page, own, about(), 0, ['1 and 2', '3'])).toBe(true);
    expect(disk.text(one)).toBeUndefined();
    await copies.leave(page);
    expect(await copies.kept()).toHaveLength(1);
    expect(await copies.take({}, own)).toMatchObject({ entries: ['1 and 2', '3'] });
  });

  it.each([
    ['one process', false],
    ['another process', true],
  ])('that a page of %s took while theirs was cut off are kept beside what that page goes on with', async (_, two) => {
    const { start } = createMachine();
    const one_ = start();
    const other = two ? start() : one_;
    const [cutOff, taker, back] = [{}, {}, {}];
    await one_.copies.keep(cutOff, one, about(), 0, ['1']);
    await one_.copies.leave(cutOff);
    const own = (await other.copies.take(taker, one))!.copy;
    await other.copies.keep(taker, own, about(), 0, ['1 taken']);
    if (!(await one_.copies.keep(back, one, about(), 1, ['2']).catch(() => false)))
      await one_.copies.keep(back, one, about(), 0, ['1', '2']);
    await other.copies.keep(taker, own, about(), 1, ['3 taken']);
    await one_.copies.keep(back, one, about(), 2, ['4']);
    one_.kill();
    other.kill();
    const { copies } = start();
    const kept = await Promise.all((await copies.kept()).map(({ copy }) => copies.take({}, copy)));
    expect(kept.map((taken) => taken?.entries).sort()).toEqual([
      ['1 taken', '3 taken'],
      ['1', '2', '4'],
    ]);
  });

  it('that were taken and come back to before their taker has begun are not removed by it', async () => {
    const { start } = createMachine();
    const { copies } = start();
    const [cutOff, taker, back] = [{}, {}, {}];
    await copies.keep(cutOff, one, about(), 0, ['1']);
    await copies.leave(cutOff);
    const own = (await copies.take(taker, one))!.copy;
    expect(await copies.keep(back, one, about(), 1, ['2'])).toBe(false);
    await copies.keep(back, one, about(), 0, ['1', '2']);
    await copies.keep(taker, own, about(), 0, ['1 taken']);
    await copies.leave(back);
    expect(await copies.take({}, one)).toMatchObject({ entries: ['1', '2'] });
  });

  it('are ordered by what was edited last, whatever the clock says', async () => {
    const { start, disk } = createMachine();
    const first = start();
    await first.copies.keep({}, one, about(), 0, ['1']);
    await first.copies.keep({}, two, about(), 0, ['1']);
    const order = async (copies = first.copies) => (await copies.kept()).map(({ copy }) => copy);
    first.kill();
    disk.setBack();
    const second = start();
    const page = {};
    await second.copies.keep(page, three, about(), 0, ['1']);
    await second.copies.leave(page);
    expect(await order(second.copies)).toEqual([three, two, one]);
    const [own, again] = [(await second.copies.take(page, one))!.copy, {}];
    await second.copies.keep(page, own, about(), 0, ['1']);
    const also = (await second.copies.take(again, three))!.copy;
    await second.copies.keep(again, also, about(), 0, ['1']);
    disk.setBack();
    await second.copies.keep(page, own, about(), 1, ['2']);
    second.kill();
    expect(await order(start().copies)).toEqual([own, also, two]);
  });

  it('lose nothing to a write that failed half way', async () => {
    const { start, disk } = createMachine();
    const { copies, kill } = start();
    const page = {};
    await copies.keep(page, one, about(), 0, ['1']);
    disk.tear = 10;
    await expect(copies.keep(page, one, about(), 1, ['2'])).rejects.toThrow('no space');
    // What followed a torn line could not be read: nothing may.
    expect(await copies.keep(page, one, about(), 1, ['2'])).toBe(false);
    disk.tear = 0;
    await expect(copies.keep(page, one, about(), 0, ['1', '2'])).rejects.toThrow('no space');
    kill();
    expect(await start().copies.take({}, one)).toMatchObject({ entries: ['1'] });
  });

  it('take entries that come twice once, and ask again where some are missing', async () => {
    const { start } = createMachine();
    const { copies } = start();
    const page = {};
    expect(await copies.keep(page, one, about(), 3, ['4'])).toBe(false);
    await copies.keep(page, one, about(), 0, ['1']);
    await copies.keep(page, one, about(), 1, ['2', '3']);
    expect(await copies.keep(page, one, about(), 1, ['2', '3', '4'])).toBe(true);
    expect(await copies.keep(page, one, about(), 9, ['10'])).toBe(false);
    await copies.leave(page);
    expect(await copies.take({}, one)).toMatchObject({ entries: ['1', '2', '3', '4'] });
  });

  it('without anything unsaved are not offered, and forgotten ones are gone', async () => {
    const { start } = createMachine();
    const { copies } = start();
    const page = {};
    await copies.keep(page, one, about({ edited: false }), 0, ['1']);
    await copies.keep(page, two, about(), 0, ['1']);
    await copies.forget(two);
    await copies.leave(page);
    expect(await copies.kept()).toEqual([]);
    expect(await copies.take({}, two)).toBeNull();
  });

  it('of another machine are offered with its name, and taken as a second copy', async () => {
    const { start, disk } = createMachine();
    await start('there').copies.keep({}, one, about(), 0, ['1']);
    const before = disk.text(one);
    const { copies } = start();
    expect(await copies.kept()).toMatchObject([{ copy: one, machine: 'there' }]);
    const taken = await copies.take({}, one);
    expect(taken?.entries).toEqual(['1']);
    expect(taken?.copy).not.toBe(one);
    expect(disk.text(one)).toBe(before);
  });

  it('that a fault of the disk is in are offered with what can be read, and are never removed unasked', async () => {
    const { start, disk } = createMachine();
    const damaged = start();
    await damaged.copies.keep({}, one, about({ edited: false }), 0, ['1', '2', '3']);
    damaged.kill();
    const at = disk.text(one)!.indexOf('e2');
    const text = (disk.contents.get(`${one}.journal`)!.text = disk.text(one)!.replace('e2', 'e7'));
    expect(at).toBeGreaterThan(0);
    const { copies } = start();
    await copies.sweep();
    expect(await copies.kept()).toMatchObject([
      { copy: one, name: 'A', damaged: { file: `/kept/${one}.journal`, readable: true } },
    ]);
    const page = {};
    const taken = (await copies.take(page, one))!;
    expect(taken).toMatchObject({ entries: ['1'], aside: `/kept/${taken.copy}.damaged` });
    expect(disk.text(one)).toBe(text);
    await copies.keep(page, taken.copy, about(), 0, ['1']);
    expect(disk.text(one)).toBeUndefined();
    expect(disk.contents.get(`${taken.copy}.damaged`)?.text).toBe(text);
    await copies.leave(page);
    // Nobody is asked about it again.
    expect((await copies.kept()).map(({ copy }) => copy)).toEqual([taken.copy]);
  });

  it('that begin with a fault of the disk are offered by what is left of their name', async () => {
    const { start, disk } = createMachine();
    const damaged = start();
    for (const copy of [one, two, three]) await damaged.copies.keep({}, copy, about(), 0, ['1', '2']);
    damaged.kill();
    const change = (copy: string, from: string, to: string) =>
      (disk.contents.get(`${copy}.journal`)!.text = disk.text(copy)!.replace(from, to));
    change(one, '"machine":"here"', '"machine":"hers"');
    change(two, 'e1', 'e9');
    disk.contents.get(`${three}.journal`)!.text = '\0'.repeat(50);
    const { copies } = start();
    const kept = await copies.kept();
    expect(kept.map(({ copy, name, damaged }) => [copy, name, damaged?.readable]).sort()).toEqual([
      [one, 'A', true],
      [two, 'A', false],
      [three, 'A document of unknown name', false],
    ]);
    expect(kept.some((copy) => 'machine' in copy)).toBe(false);
    expect(await copies.take({}, one)).toMatchObject({ location: file, entries: ['1', '2'] });
    expect(await copies.take({}, two)).toBeNull();
    expect(disk.text(two)).toBeDefined();
  });

  it('name the tables that must stay, unless one cannot be read', async () => {
    const { start, disk } = createMachine();
    const { copies } = start();
    await copies.keep({}, one, about({ files: ['t.csv'] }), 0, ['1']);
    expect([...(await copies.files())!]).toEqual(['t.csv']);
    disk.contents.set(`${two}.journal`, { text: 'torn', changedAt: new Date(0) });
    expect(await copies.files()).toBeUndefined();
  });
});
