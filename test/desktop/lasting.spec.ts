/** What is excluded, edited, compared and designed is there after undo, a save, and a window that was killed, and in the report. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { downloaded, expect, test } from './window.ts';

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const cell = (page: Page) => page.getByLabel('y of row 0', { exact: true });
const reason = (page: Page) => page.getByLabel('Why row 3 is excluded');
const models = (page: Page) => page.getByRole('table', { name: 'Models of the same data' });
const samples = (page: Page) => page.getByRole('table', { name: 'Best further samples' });
const compared = (page: Page) => page.getByRole('status', { name: 'Outcome of the comparison' });

/** As the window has it: the data, the candidates with what was found of them, and the samples that were suggested. */
async function standing(page: Page): Promise<{ readonly models: string; readonly samples: string }> {
  await tab(page, 'Data');
  await expect(reason(page)).toHaveValue('the stopper leaked');
  await expect(cell(page)).toHaveValue('10.1');
  await tab(page, 'Models');
  await expect(page.getByLabel('Name of Model 1')).toBeVisible();
  await expect(compared(page)).toContainText('is best');
  await expect(compared(page)).not.toContainText('Stale');
  const ranked = await models(page).innerText();
  await tab(page, 'Next');
  await expect(samples(page).getByRole('row')).toHaveCount(5);
  return { models: ranked, samples: await samples(page).innerText() };
}

test('an exclusion, a cell, a comparison and a design outlast the window and stand in the report', async ({
  place,
}) => {
  let window = await place.open();
  let { page } = window;
  await tab(page, 'Data');
  await page.getByRole('button', { name: 'Take into the document' }).click();
  await cell(page).fill('10.1');
  await cell(page).press('Enter');
  await page.getByRole('button', { name: 'Exclude row 3', exact: true }).click();
  await reason(page).fill('the stopper leaked');
  await reason(page).press('Enter');

  await tab(page, 'Models');
  await page.getByRole('button', { name: 'Keep this model' }).click();
  await page.locator('.svelte-flow__node[data-id=curve] header').click();
  await page.locator('.inspector .cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('b1*b2*x/(1 + b2*x)');
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(compared(page)).toContainText('is best');
  await tab(page, 'Next');
  await page.getByLabel('What is to be narrowed').selectOption('b2');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const before = await standing(page);
  await expect(page.locator('footer')).toContainText('Every edit kept');

  // A page that ends, then all of it.
  await page.reload();
  expect(await standing(page)).toEqual(before);
  await window.kill();
  window = await place.open();
  ({ page } = window);
  await expect(page.getByRole('status').filter({ hasText: 'Restored' })).toBeVisible();
  expect(await standing(page)).toEqual(before);

  // Undone they are stale, and done again they stand: nothing is to be computed anew.
  await page.getByRole('button', { name: 'Undo' }).click();
  await tab(page, 'Models');
  await expect(compared(page)).toContainText('Stale');
  await page.getByRole('button', { name: 'Redo' }).click();
  expect(await standing(page)).toEqual(before);

  const { text } = await downloaded(window, place.folder, async () => {
    await page.getByRole('button', { name: 'Find or run' }).click();
    const search = page.getByRole('dialog').getByRole('combobox');
    await search.fill('Write a report');
    await search.press('Enter');
  });
  for (const part of ['the stopper leaked', '>Models of the same data<', '>Model 1<', '>What to measure next<'])
    expect(text).toContain(part);

  // Saved, the document holds what was done to it, however it ends.
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('header.title')).toContainText('saved');
  expect(readFileSync(place.model, 'utf8')).toContain('the stopper leaked');
  await page.reload();
  expect(await standing(page)).toEqual(before);
  await window.kill();
  window = await place.open();
  ({ page } = window);
  expect(await standing(page)).toEqual(before);
  await expect(page.locator('header.title')).toContainText('cot.json, saved');
  await expect(page.locator('header.title')).not.toContainText('without');
  await window.close();
});
