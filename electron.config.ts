/**
 * The desktop app's bundles. Targets are the oldest Electron that the tests run on (25: Chromium 114, Node 18); the
 * packaged app ships no node_modules, so nothing but `electron` itself stays outside.
 */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Rolldown puts its helpers into one of the entries and lets all others load that one, whether they use a helper or not: the
 * window's process would be a worker, and end at once. bundle.mjs sees to it that no entry is loaded by another.
 */
const entriesApart = {
  name: 'entries-apart',
  generateBundle(_options: unknown, bundle: Record<string, { type: string; code?: string }>): void {
    for (const file of Object.values(bundle))
      if (file.code !== undefined) file.code = file.code.replace(/^require\("\.{1,2}\/\w+\.cjs"\);\n/gm, '');
  },
};

/** Notes down the modules of a bundle, of whose packages bundle.mjs gathers the licences. */
const noting = (name: string) => {
  const modules = new Set<string>();
  return {
    name: 'noting',
    generateBundle: (_options: unknown, bundle: Record<string, { moduleIds?: string[] }>): void => {
      for (const { moduleIds = [] } of Object.values(bundle)) for (const id of moduleIds) modules.add(id);
    },
    writeBundle: (): void => writeFileSync(join('out', `${name}-modules.json`), JSON.stringify([...modules])),
  };
};

const node = { target: 'node18', externalizeDeps: false, minify: false, sourcemap: false } as const;

// electron-vite's tools demand a default export.
export default defineConfig({
  main: {
    plugins: [entriesApart, noting('main')],
    build: {
      ...node,
      rolldownOptions: {
        input: {
          main: 'src-main/desktop/main.ts',
          engine: 'src-main/engine-process/main.ts',
          worker: 'src-main/engine-process/worker.ts',
        },
        // Node's WebGPU cannot map buffers inside Electron; the app computes in the hidden window instead.
        external: ['webgpu'],
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
      },
    },
  },
  preload: {
    plugins: [noting('preload')],
    build: {
      ...node,
      // A sandboxed preload can require nothing but `electron`: each is one file.
      isolatedEntries: true,
      rolldownOptions: {
        input: { preload: 'src-main/preload/preload.ts', gpu: 'src-main/preload/gpu.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    plugins: [svelte(), noting('renderer')],
    worker: { format: 'es' },
    build: {
      target: 'chrome114',
      minify: 'oxc',
      rolldownOptions: { input: { index: 'src-renderer/index.html', gpu: 'src-renderer/gpu.html' } },
    },
  },
});
