/**
 * What nobody uses: files, exports, dependencies. Everything is reached from an entry: what is run by itself, and the tests.
 */
import type { KnipConfig } from 'knip';

// knip demands a default export.
export default {
  entry: [
    'build/*.mjs',
    'build/{benchmarks,components}/*.mjs',
    'electron.config.ts',
    'src-main/{desktop,cli,engine-process}/main.ts',
    'src-main/engine-process/worker.ts',
    'src-main/cli/benchmark/benchmark-worker.ts',
    'src-main/cli/import/contest-worker.ts',
    'src-main/preload/*.ts',
    'src-renderer/{main,gpu}.ts',
    'src-renderer/public/*.js',
    'test/**/*.{test,spec}.ts',
    // Tests start these as processes or threads of their own; build/test.mjs gives the last to vitest.
    'test/support/files/{edit-until-killed,fill-disk}.ts',
    'test/support/doomed-worker.mjs',
    'test/support/stray-errors.ts',
  ],
  project: ['{build,engine,models,src-main,src-renderer,test}/**/*.{ts,svelte,js,mjs}', '*.config.{ts,js}'],
  // The terms of the grammar: lezer writes all of them.
  ignore: ['models/formula/terms.generated.ts'],
  ignoreDependencies: [
    // Started by their paths (build/test.mjs), and the compiler in Go that one of them asks.
    'svelte-check',
    'oxlint',
    'oxlint-tsgolint',
    // What Electron's own installation unpacks with, taken from its folder (build/fetch-electron.mjs).
    '@electron-internal/extract-zip',
  ],
  // Programs of the system, each asked for where it is used.
  ignoreBinaries: [
    ...['rsvg-convert', 'dpkg-deb', 'sinfo', 'sbatch', 'strings', 'unshare', 'mkfifo', 'rpm', 'rpm2archive'],
    ...['script', 'fish'],
  ],
  ignoreExportsUsedInFile: true,
  playwright: { config: 'test/desktop/playwright.config.ts' },
} satisfies KnipConfig;
