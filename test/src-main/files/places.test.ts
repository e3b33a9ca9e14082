/** Where files are written, and where not: links, folders, what is read-only, what is no file. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { calls } from '../../../src-main/files/calls.ts';
import { readFit, writeDocument } from '../../../src-main/files/documents.ts';
import { writeEnsemble, writeResult as writeShard } from '../../../src-main/files/ensembles.ts';
import { createStore } from '../../../src-main/files/store.ts';
import { comparisonReport } from '../../support/fits/study-report.ts';
import { fitTarget } from '../../../src-main/cli/fit/fit-out.ts';
import { writeResult } from '../../../src-main/cli/fit/checkpoint.ts';
import { demandWritable, writeWhole } from '../../../src-main/files/durable.ts';
import { systemError } from '../../../src-main/files/reading.ts';
import { bringTables } from '../../../src-main/files/table-files.ts';
import { sweepUnfinished, turnName, unfinishedName } from '../../../src-main/files/unfinished.ts';
import { stringify } from '../../../src-main/json.ts';
import { Disk } from '../../support/files/disk.ts';
import { fitReport } from '../../support/fits/fit-report.ts';

let folder = '';
const at = (...names: string[]): string => join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-places-'));
  for (const name of ['inside', 'outside']) mkdirSync(at(name));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const document = { format: 'cotangent/1', blocks: [] };

describe('links', () => {
  it('beside a document are never followed, by what is written and what is read', async () => {
    writeFileSync(at('outside', 'precious'), stringify(fitReport));
    symlinkSync(at('outside', 'precious'), at('inside', 'm.fit.json'));
    expect(await readFit(at('inside', 'm.cot.json'))).toBeNull();
    await writeDocument(at('inside', 'm.cot.json'), document, { ...fitReport, iterations: 77 });
    expect(readFileSync(at('outside', 'precious'), 'utf8')).toBe(stringify(fitReport));
    expect(lstatSync(at('inside', 'm.fit.json')).isFile()).toBe(true);
    expect((await readFit(at('inside', 'm.cot.json')))?.iterations).toBe(77);
  });

  it('that are removed leave what they lead to', async () => {
    writeFileSync(at('outside', 'precious'), 'p');
    symlinkSync(at('outside', 'precious'), at('inside', 'm.fit.json'));
    await writeDocument(at('inside', 'm.cot.json'), document, null);
    expect(readdirSync(at('inside'))).toEqual(['m.cot.json']);
    expect(readFileSync(at('outside', 'precious'), 'utf8')).toBe('p');
  });

  it('that the user chose are followed, and stay', async () => {
    writeFileSync(at('outside', 'm.cot.json'), '{}');
    symlinkSync(at('outside', 'm.cot.json'), at('inside', 'm.cot.json'));
    await writeDocument(at('inside', 'm.cot.json'), document, null);
    expect(lstatSync(at('inside', 'm.cot.json')).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(at('outside', 'm.cot.json'), 'utf8'))).toEqual(document);
  });

  it('that lead nowhere give way', async () => {
    symlinkSync(at('outside', 'none'), at('inside', 'm.cot.json'));
    await writeDocument(at('inside', 'm.cot.json'), document, null);
    expect(lstatSync(at('inside', 'm.cot.json')).isFile()).toBe(true);
    expect(readdirSync(at('outside'))).toEqual([]);
  });

  it.each([
    ['of a table', 'a.csv'],
    ['of a folder of tables', 'data/a.csv'],
    ['of a folder above one', 'data/more/a.csv'],
  ])('%s that lead out keep a table from coming along', async (_what, file) => {
    mkdirSync(join(at('outside', 'from', file), '..'), { recursive: true });
    writeFileSync(at('outside', 'from', file), 'x\n1\n');
    mkdirSync(at('outside', 'elsewhere'));
    symlinkSync(
      at('outside', 'elsewhere', ...(file === 'a.csv' ? ['a.csv'] : [])),
      at('inside', file.split('/')[0] ?? ''),
    );
    await expect(bringTables({ tables: { t: { file } } }, at('outside', 'from'), at('inside'))).rejects.toThrow(
      `${at('inside', file)} is another table than the document's`,
    );
    expect(readdirSync(at('outside', 'elsewhere'))).toEqual([]);
  });
});

describe('a file', () => {
  it('that is read-only is not replaced', async () => {
    writeFileSync(at('m.cot.json'), 'kept');
    chmodSync(at('m.cot.json'), 0o444);
    const message = `${at('m.cot.json')} cannot be written, because it is read-only: choose another name, or allow that it be written.`;
    await expect(writeDocument(at('m.cot.json'), document, null)).rejects.toThrow(message);
    await expect(demandWritable(at('m.cot.json'))).rejects.toThrow(message);
    expect(readFileSync(at('m.cot.json'), 'utf8')).toBe('kept');
  });

  it('keeps its permissions', async () => {
    writeFileSync(at('m.cot.json'), '{}');
    chmodSync(at('m.cot.json'), 0o640);
    await writeDocument(at('m.cot.json'), document, null);
    expect(statSync(at('m.cot.json')).mode & 0o777).toBe(0o640);
  });

  // Root alone may give files away: as anybody else, one may hand on one's own groups.
  it.skipIf(process.getuid?.() !== 0)('stays the group’s where its owner cannot be handed on', async () => {
    writeFileSync(at('m.cot.json'), '{}');
    chownSync(at('m.cot.json'), 4711, 4712);
    chmodSync(at('m.cot.json'), 0o664);
    const open = calls.open.bind(calls);
    vi.spyOn(calls, 'open').mockImplementation(async (...asked) => {
      const file = await open(...asked);
      const chown = file.chown.bind(file);
      file.chown = (uid, gid) => (uid === 0 ? chown(uid, gid) : Promise.reject(systemError('EPERM')));
      return file;
    });
    await writeDocument(at('m.cot.json'), document, null);
    const { uid, gid, mode } = statSync(at('m.cot.json'));
    expect([uid, gid, mode & 0o777]).toEqual([0, 4712, 0o664]);
  });

  it('has no other name in what is said of it', async () => {
    for (const code of ['EACCES', 'EROFS', 'EPERM', 'ENOTDIR', 'EXYZ']) {
      const disk = new Disk(
        { '/home/m.cot.json': 'old' },
        { fault: (_call, name) => (name === 'open wx' ? { kind: 'error', code } : undefined) },
      );
      const failure = await disk.during(() => writeWhole('/home/m.cot.json', 'new').catch(String));
      expect(failure).toMatch(/^Refused: \/home\/m\.cot\.json cannot be written, because [^\n]+\.$/);
      expect(failure).not.toContain('.part');
    }
    await expect(writeWhole(at('none', 'm.cot.json'), '')).rejects.toThrow(
      `because there is no folder ${at('none')}: make it`,
    );
    await expect(demandWritable(at('none', 'm.cot.json'))).rejects.toThrow(`because there is no folder ${at('none')}`);
    await expect(writeWhole(at('inside'), '')).rejects.toThrow(
      `${at('inside')} cannot be written, because it is a folder`,
    );
  });

  it.skipIf(process.platform === 'win32')('that is a device or a pipe is written into, not replaced', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const reader = spawn('cat', [at('pipe')], { stdio: ['ignore', 'pipe', 'ignore'] });
    const read = new Promise((resolve) => reader.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString())));
    await writeWhole(at('pipe'), 'through', { chosen: true });
    expect(await read).toBe('through');
    expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
    await writeWhole('/dev/null', 'gone', { chosen: true });
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

describe('what was left unfinished', () => {
  const named = (change: (parts: string[]) => void): string => {
    const parts = unfinishedName().split('-');
    change(parts);
    const name = parts.join('-');
    writeFileSync(at('inside', name), 'half');
    return name;
  };

  it('goes, and nothing else: what a living process writes stays, and what another machine writes, for a day', async () => {
    const ended = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => ended.once('exit', resolve));
    const living = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const long = new Date(Date.now() - 2 * 24 * 3600 * 1000);
    const old = (name: string): string => {
      utimesSync(at('inside', name), long, long);
      return name;
    };
    try {
      const kept = [
        named(() => {}),
        named((parts) => (parts[2] = String(living.pid))),
        named((parts) => (parts[1] = '00000000')),
        // As it looks to whoever writes it once the clock has been set on.
        old(named(() => {})),
        turnName('now.cot.json'),
      ];
      writeFileSync(at('inside', turnName('now.cot.json')), '');
      old((writeFileSync(at('inside', turnName('m.cot.json')), ''), turnName('m.cot.json')));
      const others = ['.cotangent-x.part', 'm.cot.json', '.other-00000000-1-0000000000000000.part'];
      for (const name of others) old((writeFileSync(at('inside', name), ''), name));
      named((parts) => (parts[2] = String(ended.pid)));
      old(named((parts) => (parts[1] = '00000000')));
      // Of a process that had this one's number before.
      old(named((parts) => (parts[3] = '0000000000000000.part')));
      symlinkSync(at('outside'), at('inside', unfinishedName().replace(`-${process.pid}-`, `-${ended.pid}-`)));
      const links = readdirSync(at('inside')).filter((name) => lstatSync(at('inside', name)).isSymbolicLink());
      await sweepUnfinished(at('inside'));
      expect(readdirSync(at('inside')).sort()).toEqual([...kept, ...others, ...links].sort());
    } finally {
      living.kill();
    }
    await sweepUnfinished(at('absent'));
  });
});

describe.skipIf(process.platform === 'win32')('what is made of a document that is for its owner alone', () => {
  const bits = (...names: string[]): string => (statSync(at(...names)).mode & 0o777).toString(8);
  const model = (mode: number): string => {
    writeFileSync(at('m.cot.json'), '{}');
    chmodSync(at('m.cot.json'), mode);
    return at('m.cot.json');
  };
  const studies = { documents: [document], studies: [{ report: comparisonReport('1'), parameters: {} }] };

  it.each([0o600, 0o640, 0o644])('is no more for others to read: beside one of %o', async (mode) => {
    const path = model(mode);
    // As it was left by a version of before.
    await writeWhole(at('m.fit.json'), stringify(fitReport), { mode: 0o644 });
    await writeDocument(path, document, fitReport, { studies });
    const wanted = mode.toString(8);
    expect([bits('m.cot.json'), bits('m.fit.json'), bits('m.studies.json')]).toEqual([wanted, wanted, wanted]);
  });

  it('can be written again by its owner, also where the document cannot', async () => {
    await writeWhole(at('out.json'), '{}', { of: model(0o444) });
    expect(bits('out.json')).toBe('644');
  });

  it('is so of a fit, its checkpoints, and a document that it is written into', async () => {
    const path = model(0o600);
    const { checkpoints, write } = await fitTarget(at('fitted.cot.json'), path, { format: 'cotangent/1', blocks: [] });
    await writeResult(checkpoints, { status: 'running' });
    expect(bits('fitted.fit.json')).toBe('600');
    rmSync(at('fitted.fit.json'));
    await write({ ...fitReport, estimates: [] });
    expect([bits('fitted.cot.json'), bits('fitted.fit.json')]).toEqual(['600', '600']);
    const named = await fitTarget(at('out.json'), path, document);
    await named.write(fitReport);
    expect(bits('out.json')).toBe('600');
    // Where somebody gave a file more, it is somebody's wish.
    chmodSync(at('out.json'), 0o644);
    await named.write(fitReport);
    expect(bits('out.json')).toBe('644');
  });

  it('is so of an ensemble, of its shards, and of a table that comes along', async () => {
    const path = model(0o600);
    const about = {
      ...({ version: '0', study: 'bootstrap', samples: 2, shards: 2, seed: 0 } as const),
      ...({ device: 'cpu', precision: 'f64' } as const),
    };
    const manifest = await writeEnsemble(at('e'), about, [{ path: 'm.cot.json', bytes: '{}' }], path);
    await writeShard(at('e'), 0, 2, {
      ...{ schema: 'cotangent-ensemble-result/1', kind: 'replicates', ensemble: manifest.hash },
      ...{ from: 0, to: 1, replicates: [[1]] },
    });
    const written = [['ensemble.json'], ['model', 'm.cot.json'], ['results', '0-of-2.json']];
    expect(written.map((names) => bits('e', ...names))).toEqual(['600', '600', '600']);
    expect(bits('e', 'job.sh')).toBe('700');
    writeFileSync(at('inside', 'd.csv'), 't\n1\n', { mode: 0o600 });
    await bringTables({ tables: { T: { file: 'd.csv' } } }, at('inside'), at('outside'));
    expect(bits('outside', 'd.csv')).toBe('600');
  });

  it('is so of what the app keeps for itself', async () => {
    const path = model(0o644);
    const store = createStore(at('state'));
    await store.backups.keep(path, Buffer.from('{}'), new Date());
    await store.runs.keep(path, 'runs');
    const about = { name: 'A', location: { kind: 'unsaved' as const }, edited: true, files: [] };
    await store.copies.keep({}, '00000000-0000-4000-8000-000000000001', about, 0, ['{}']);
    const files = readdirSync(at('state'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600,
    ]);
  });

  it.skipIf(process.getuid?.() !== 0)('is of its group, or for no group', async () => {
    const path = model(0o640);
    chownSync(path, 0, 4712);
    await writeDocument(path, document, fitReport);
    expect(statSync(at('m.fit.json'))).toMatchObject({ gid: 4712 });
    const open = calls.open.bind(calls);
    vi.spyOn(calls, 'open').mockImplementation(async (...asked) =>
      Object.assign(await open(...asked), { chown: () => Promise.reject(systemError('EPERM')) }),
    );
    await writeWhole(at('other.json'), '{}', { of: path });
    expect(bits('other.json')).toBe('600');
  });
});
