import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDocument, readFit, writeDocument } from '../../../src-main/files/documents.ts';
import { sweepUnfinished } from '../../../src-main/files/unfinished.ts';
import { Refused } from '../../../src-main/refused.ts';
import { fitReport as fit } from '../../support/fits/fit-report.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-files-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('documents on disk', () => {
  it('come back as they were written, with the fit and the numbers that JSON lacks', async () => {
    const path = join(folder, 'a.cot.json');
    const document = JSON.parse('{"format": "cotangent/1", "blocks": [], "__proto__": 1}') as Record<string, unknown>;
    await writeDocument(path, document, fit);
    expect(JSON.stringify(await readDocument(path))).toBe(JSON.stringify(document));
    expect(await readFit(path)).toEqual(fit);
    await writeDocument(path, document, null);
    expect(await readFit(path)).toBeNull();
  });

  it('keep a fit of the same meaning where none is written, and any where the meaning is not known', async () => {
    const path = join(folder, 'kept.cot.json');
    const document = { format: 'cotangent/1', blocks: [] };
    await writeDocument(path, document, { ...fit, meaning: 'A' });
    await writeDocument(path, document, null, { mayStay: ({ meaning }) => meaning === 'A' });
    expect((await readFit(path))?.meaning).toBe('A');
    await writeDocument(path, document, null, { mayStay: ({ meaning }) => meaning === 'B' });
    expect(await readFit(path)).toBeNull();
  });

  it('are refused with one sentence where there are none', async () => {
    const broken = join(folder, 'broken.cot.json');
    writeFileSync(broken, '{"format": ');
    const array = join(folder, 'array.cot.json');
    writeFileSync(array, '[]');
    // With the next save every letter that was none would be gone.
    const latin = join(folder, 'latin.cot.json');
    writeFileSync(latin, Buffer.from('{"format":"cotangent/1","name":"café","blocks":[]}', 'latin1'));
    for (const path of [join(folder, 'absent.cot.json'), folder, broken, array, latin]) {
      const error: unknown = await readDocument(path).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(Refused);
      expect((error as Refused).message).toMatch(/^[^\n]+\.$/);
    }
  });

  it('are whole whenever the process that saves them is killed', async () => {
    const path = join(folder, 'killed.cot.json');
    const script = join(folder, 'save-in-a-loop.cjs');
    buildSync({
      stdin: {
        contents: `
          import { writeDocument } from './src-main/files/documents.ts';
          void (async () => {
            for (let round = 0; ; round++) {
              await writeDocument(process.argv[2], { round, filler: String(round).repeat(20000), end: round }, null);
              process.stdout.write('.');
            }
          })();`,
        resolveDir: join(import.meta.dirname, '../../..'),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile: script,
    });
    let last = -1;
    for (let kill = 0; kill < 8; kill++) {
      const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
      // Somewhere within a save: they follow one another without a pause.
      let rounds = 0;
      await new Promise<void>((resolve) =>
        child.stdout.on('data', (text: Buffer) => {
          rounds += text.length;
          if (rounds > kill) setTimeout(resolve, 7 * kill);
        }),
      );
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      const saved = JSON.parse(readFileSync(path, 'utf8')) as { round: number; filler: string; end: number };
      expect(saved.end).toBe(saved.round);
      expect(saved.filler).toBe(String(saved.round).repeat(20000));
      last = Math.max(last, saved.round);
    }
    expect(last).toBeGreaterThan(0);
    // What a kill leaves half written lies beside it under another name, until somebody sweeps.
    await sweepUnfinished(folder);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
