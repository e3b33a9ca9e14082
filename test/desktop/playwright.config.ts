/** The window is driven in a browser, through `cotangent serve`, and as the packaged desktop app. */
import { defineConfig } from '@playwright/test';
import type { HostOption } from './window.ts';

/** What the page alone does is the same in every host: where both are driven at once, it is driven in one of them. */
const pageAlone = {
  browser: ['cells.spec.ts', 'dynamics.spec.ts', 'histogram.spec.ts', 'preview.spec.ts'],
  desktop: [
    'adjoints.spec.ts',
    'canvas.spec.ts',
    'import.spec.ts',
    'lasting.spec.ts',
    'opening.spec.ts',
    'studies.spec.ts',
    'study-exports.spec.ts',
    'tour.spec.ts',
  ],
};
const areBothDriven = process.env['BOTH_HOSTS_DRIVEN'] !== undefined;
const leftToDesktop = areBothDriven ? pageAlone.desktop : [];
const leftToBrowser = areBothDriven ? pageAlone.browser : [];

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
    { name: 'browser', testIgnore: ['desktop.spec.ts', 'package.spec.ts', ...leftToDesktop], use: { host: 'browser' } },
    // Looks of the system (dark, more contrast, its own colours) are emulated in a browser alone.
    { name: 'desktop', testIgnore: ['accessibility.spec.ts', ...leftToBrowser], use: { host: 'desktop' } },
  ],
});
