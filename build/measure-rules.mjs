/** Runs test/support/measure-rules.ts: what each rule is estimated to cost, and what it costs here. */
import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

const folder = mkdtempSync(join(tmpdir(), 'cotangent-measure-'));
try {
  const outfile = join(folder, 'measure-rules.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/support/measure-rules.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  await import(pathToFileURL(outfile).href);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
