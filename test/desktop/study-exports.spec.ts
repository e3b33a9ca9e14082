/** Whatever a study shows can be taken away. */
import type { Page } from '@playwright/test';
import { takeAll } from './exported.ts';
import { expect, test } from './window.ts';

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

test('plots and tables of every study, and of the runs', async ({ place }) => {
  const window = await place.open();
  const { page } = window;
  const run = async (kind: 'uncertainty' | 'sensitivity', method: string, samples?: readonly [string, string]) => {
    await page.getByRole('radio', { name: method, exact: true }).click();
    if (samples) await page.getByLabel(samples[0], { exact: true }).fill(samples[1]);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('status', { name: `Outcome of the ${kind} study` })).toHaveText(/^\s*Done/);
    await expect(page.getByRole('tabpanel').getByRole('img').first()).toBeVisible();
  };
  await tab(page, 'Uncertainty');
  await run('uncertainty', 'Profile likelihood');
  expect(await takeAll(window, place)).toEqual(
    expect.arrayContaining(['Profile of b2 as SVG', 'Correlation of the parameters as SVG', 'profiles as CSV']),
  );
  await run('uncertainty', 'Hamiltonian Monte Carlo', ['draws', '50']);
  expect(await takeAll(window, place)).toEqual(
    expect.arrayContaining([
      'Trace of b1 as SVG',
      'Histogram of b1 as SVG',
      'Pair plot of b1 and b2 as SVG',
      'draws as CSV',
    ]),
  );

  await tab(page, 'Sensitivity');
  await run('sensitivity', 'Morris', ['trajectories', '8']);
  await takeAll(window, place);
  await run('sensitivity', 'Sobol’', ['samples', '64']);
  expect(await takeAll(window, place)).toEqual(
    expect.arrayContaining(['Sᴛ as the sample grows as SVG', 'indices as CSV', 'convergence as JSON']),
  );

  await tab(page, 'Results');
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByLabel('Compare run 5')).toBeVisible();
  await page.getByLabel('Compare run 5').check();
  await page.getByLabel('Compare run 2').check();
  await expect(page.getByRole('img', { name: 'Predictions of the runs' })).toBeVisible();
  expect(await takeAll(window, place)).toEqual(
    expect.arrayContaining(['Predictions of the runs as SVG', 'runs as CSV', 'comparison as CSV']),
  );
});
