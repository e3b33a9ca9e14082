import { defineConfig } from 'vitest/config';
import { runes } from './test/support/runes.ts';

export default defineConfig({
  plugins: [runes()],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    exclude: ['test/desktop/**', 'node_modules/**'],
    globalSetup: ['test/support/gpu-environment.ts'],
    testTimeout: 60_000,
    pool: 'threads',
    maxWorkers: 2,
  },
});
