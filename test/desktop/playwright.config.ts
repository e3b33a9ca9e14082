/** The window is driven in a browser, through `cotangent serve`, and as the packaged desktop app. */
import { defineConfig } from '@playwright/test';
import type { HostOption } from './window.ts';

/** What the page alone does is the same in every host: where the packaged app is driven too, it is driven there. */
const pageAlone = ['adjoints.spec.ts', 'canvas.spec.ts', 'studies.spec.ts', 'tour.spec.ts'];
const elsewhere = process.env['PAGE_DRIVEN_ELSEWHERE'] === undefined ? [] : pageAlone;

// Playwright demands a default export.
export default defineConfig<HostOption>({
  testDir: '.',
  testMatch: '*.spec.ts',
  globalSetup: '../support/scratch.ts',
  outputDir: '../../test-results/playwright',
  workers: 1,
  retries: 0,
  // What hangs is found out by these; what is slow on a busy machine is not.
  timeout: 900_000,
  expect: { timeout: 300_000 },
  // The JSON goes to the file that PLAYWRIGHT_JSON_OUTPUT_NAME names.
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] === undefined ? [['list']] : [['list'], ['json']],
  use: { actionTimeout: 300_000, navigationTimeout: 300_000 },
  projects: [
    { name: 'browser', testIgnore: ['desktop.spec.ts', 'package.spec.ts', ...elsewhere], use: { host: 'browser' } },
    // Axe opens a page of its own, of which the packaged app has none; the page that it sees is the same.
    { name: 'desktop', testIgnore: 'accessibility.spec.ts', use: { host: 'desktop' } },
  ],
});
