/**
 * A process that edits is killed at a random instant, again and again; the next one opens the document. `KILLS` is how
 * often (200 in the long mode, which also holds that no more than the last second is gone: on a machine that is busy with
 * other tests a disk may take longer than that).
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDesk } from '../../../src-main/files/desk.ts';
import { readJournal } from '../../../src-main/files/journal.ts';
import { createStore } from '../../../src-main/files/store.ts';
import { undo } from '../../../src-renderer/state/document/command-log.ts';
import { replay } from '../../../src-renderer/state/document/session.ts';

const isLong = process.env['KILLS'] !== undefined;
const kills = Number(process.env['KILLS'] ?? 8);
const root = join(import.meta.dirname, '../../..');
let folder: string;
let script: string;
let path: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-kills-'));
  script = join(folder, 'edit.mjs');
  path = join(folder, 'a.cot.json');
  writeFileSync(path, '{"format": "cotangent/1", "blocks": [{"id": "k", "kind": "parameter", "initial": 0}]}');
  const entryPoints = [join(root, 'test/support/files/edit-until-killed.ts')];
  await build({ entryPoints, outfile: script, bundle: true, platform: 'node', format: 'esm', target: 'node20' });
});
afterAll(() => rmSync(folder, { recursive: true }));

type Edit = readonly [edit: number, at: number, kept: number];

/** The edits that it made until it was killed. */
async function editAndKill(first: number, lives: number): Promise<readonly Edit[]> {
  const child = spawn(process.execPath, [script, join(folder, 'state'), path, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8');
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (text: string) => {
      // It lives as long after its first edit.
      if (said === '') setTimeout(() => child.kill('SIGKILL'), lives);
      said += text;
    });
    child.once('close', () => resolve());
  });
  return said
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ').map(Number) as [number, number, number]);
}

it(
  'loses no more than the last second of edits, and nothing without a word',
  async () => {
    const before = readFileSync(path, 'utf8');
    const instants = fc.sample(fc.integer({ min: 0, max: 1500 }), kills);
    let back = 0;
    let last = 0;
    for (const [i, lives] of instants.entries()) {
      const edits = await editAndKill(last, lives);
      const [latest, killedAt, kept] = edits.at(-1)!;
      const second = edits.filter(([, at]) => isLong && at < killedAt - 1000).at(-1)?.[0] ?? 0;
      const due = Math.max(back, kept, second);
      let end = (): void => undefined;
      const page = { emit: () => undefined, onEnd: (call: () => void) => (end = call) };
      const store = createStore(join(folder, 'state'));
      const desk = createDesk({ store, page, mayHave: () => true });
      const { kept: offered } = await desk.open({ kind: 'file', path }, path);
      end();
      // Nothing is offered only where nothing had to be kept yet.
      const text = offered ? readFileSync(join(folder, 'state', 'kept', `${offered.copy}.journal`), 'utf8') : '';
      const { session, lost } = replay(readJournal(text).entries);
      back = Number(session?.log.draft.blocks[0]?.['initial'] ?? 0);
      expect({ i, lost, late: back < due, early: back > latest }).toEqual({ i, lost: 0, late: false, early: false });
      // With its history: all the way back lies the document as it was saved.
      let log = session?.log;
      while (log && log.past.length > 0) log = undo(log);
      if (log && session!.log.past.length < 1000) expect(log.draft.blocks[0]?.['initial']).toBe(0);
      last = latest;
    }
    expect(back).toBeGreaterThan(0);
    expect(readFileSync(path, 'utf8')).toBe(before);
  },
  600_000 + kills * 30_000,
);
