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
