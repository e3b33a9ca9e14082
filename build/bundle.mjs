/**
 * Builds everything into out/: the desktop app by electron-vite, the command line and the processes that it starts by
 * esbuild. All dependencies are bundled, save `webgpu`, which is a native module and only the command line's.
 */
import { build } from 'esbuild';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forNode } from './bundled.mjs';
import { licences, licencesText } from './licences.mjs';
import { root, runQuietly } from './prepare.mjs';

const out = join(root, 'out');
rmSync(out, { recursive: true, force: true });

const status = runQuietly(process.execPath, [
  join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
  'build',
  '--config',
  join(root, 'electron.config.ts'),
  '--logLevel',
  'error',
]);
if (status !== 0) process.exit(status);

// A process that loads another's entry runs it: the window's would be a worker, and end at once.
for (const entry of ['main', 'engine'])
  if (/require\("\.\/\w+\.cjs"\)/.test(readFileSync(join(out, 'main', `${entry}.cjs`), 'utf8')))
    throw new Error(`The bundle ${entry} loads another process's.`);

const { metafile } = await build({
  ...forNode,
  metafile: true,
  entryPoints: {
    cotangent: 'src-main/cli/main.ts',
    engine: 'src-main/engine-process/main.ts',
    worker: 'src-main/engine-process/worker.ts',
    'contest-worker': 'src-main/cli/import/contest-worker.ts',
    'benchmark-worker': 'src-main/cli/benchmark/benchmark-worker.ts',
  },
  outdir: join(out, 'cli'),
  outExtension: { '.js': '.mjs' },
  // Dynamic imports become files of their own: `check` does not load the server or the optimisers.
  splitting: true,
  external: ['webgpu', 'electron'],
  sourcemap: 'linked',
});

// It is bundled as a file of its own, loaded when an HDF5 file is imported; its licence goes with it.
for (const folder of ['cli', 'main'])
  copyFileSync(join(root, 'node_modules', 'h5wasm', 'LICENSE.txt'), join(out, folder, 'h5wasm-LICENSE.txt'));

const recorded = ['main', 'preload', 'renderer'].flatMap((name) => {
  const file = join(out, `${name}-modules.json`);
  const modules = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return modules;
});
writeFileSync(join(out, 'licences.txt'), licencesText(licences([...Object.keys(metafile.inputs), ...recorded])));
