/** Each analysis of the window, run once on a small model, and what it leaves to be seen. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { downloaded, expect, test } from './window.ts';

interface Document {
  blocks: { id: string; lower?: number; upper?: number }[];
}

/** Samples need ranges; these hold the start and the minimum. */
function giveRanges(path: string): void {
  const document = JSON.parse(readFileSync(path, 'utf8')) as Document;
  const ranges = new Map([
    ['b1', [100, 600]],
    ['b2', [5e-5, 1e-3]],
  ]);
  for (const block of document.blocks) {
    const [lower, upper] = ranges.get(block.id) ?? [];
    if (lower !== undefined) Object.assign(block, { lower, upper });
  }
  writeFileSync(path, JSON.stringify(document));
}

const done = (page: Page, kind: 'uncertainty' | 'sensitivity') =>
  expect(page.getByRole('status', { name: `Outcome of the ${kind} study` })).toHaveText(/^\s*Done/);
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

async function study(page: Page, method: string, samples?: readonly [name: string, count: string]): Promise<void> {
  await page.getByRole('radio', { name: method, exact: true }).click();
  if (samples) {
    await page.getByLabel(samples[0], { exact: true }).fill(samples[1]);
    await page.keyboard.press('Tab');
  }
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

test('intervals, bands and a ranking are one click each after a fit', async ({ place }) => {
  const { page, close } = await place.open();
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);

  const further = page.getByRole('group', { name: 'Study this fit' });
  await further.getByRole('button', { name: 'Bands' }).click();
  await expect(further.getByRole('button', { name: 'Bands' })).toBeEnabled();
  await further.getByRole('button', { name: 'Intervals' }).click();
  await done(page, 'uncertainty');
  await expect(page.getByRole('img', { name: 'Profile of b1' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Intervals of the parameters' })).toContainText('determined');

  await tab(page, 'Fit');
  await further.getByRole('button', { name: 'Sensitivity' }).click();
  await done(page, 'sensitivity');
  await expect(page.getByRole('img', { name: /^Sensitivity of .* by local$/ })).toBeVisible();

  await tab(page, 'Results');
  await expect(page.getByRole('table', { name: 'Runs of this session' }).getByRole('row')).toHaveCount(5);
  await close();
});

test('every method of uncertainty leaves its plots, and a table to take away', async ({ place }) => {
  const window = await place.open();
  const { page, close } = window;
  await tab(page, 'Uncertainty');
  await study(page, 'Covariance');
  await done(page, 'uncertainty');
  await expect(page.getByRole('group', { name: 'Correlation' })).toBeVisible();
  await study(page, 'Bootstrap', ['replicates', '100']);
  await expect(page.getByRole('img', { name: 'Histogram of b1' })).toBeVisible();
  await study(page, 'Hamiltonian Monte Carlo', ['draws', '100']);
  await expect(page.getByRole('img', { name: 'Trace of b2' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Pair plot of b1 and b2' })).toBeVisible();

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const file = await downloaded(window, place.folder, () =>
    page.getByRole('button', { name: 'parameters as CSV' }).click(),
  );
  expect(file.name).toMatch(/hmc-parameters\.csv$/);
  expect(file.text).toMatch(/^parameter,value,lower,upper,.*\r\nb1,23[0-9]\./);
  await close();
});

test('every method of sensitivity leaves its plots; a changed model makes them stale', async ({ place }) => {
  giveRanges(place.model);
  const { page, close } = await place.open();
  await tab(page, 'Sensitivity');
  const methods = [
    ['Local', 'local', undefined],
    ['Morris', 'morris', ['trajectories', '8']],
    ['Sobol’', 'sobol', ['samples', '64']],
    ['DGSM', 'dgsm', ['samples', '64']],
    ['Active subspace', 'active-subspace', ['samples', '64']],
  ] as const;
  for (const [name, method, samples] of methods) {
    await study(page, name, samples);
    await expect(page.getByRole('img', { name: new RegExp(`^Sensitivity of .* by ${method}$`) })).toBeVisible();
  }
  await expect(page.getByRole('img', { name: 'Eigenvalues' })).toBeVisible();
  await page.getByRole('radio', { name: 'Sobol’', exact: true }).click();
  await expect(page.getByRole('img', { name: 'Sᴛ as the sample grows' })).toBeVisible();

  await page.getByLabel('Method of the fit').selectOption('newton-cg');
  const outcome = page.getByRole('status', { name: 'Outcome of the sensitivity study' });
  await expect(outcome).toContainText('Stale: fit changed since');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(outcome).not.toContainText('Stale');
  await close();
});
