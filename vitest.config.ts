import { defineConfig } from 'vitest/config';
import { runes } from './test/support/runes.ts';

export default defineConfig({
  plugins: [runes()],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    exclude: ['test/desktop/**', 'node_modules/**'],
    globalSetup: ['test/support/gpu-environment.ts'],
    // What hangs is found out by these; what is slow on a busy machine is not.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 120_000,
    pool: 'threads',
    maxWorkers: 2,
  },
});
