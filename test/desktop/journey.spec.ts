import { existsSync, readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './window.ts';

const outcome = (page: Page): Locator => page.getByRole('status', { name: 'Outcome of the fit' });
/** A block of the canvas by its id; its label goes on with its kind. */
const block = (page: Page, id: string): Locator => page.getByLabel(new RegExp(`^${id}, `)).first();
const formula = (page: Page): Locator => page.locator('.inspector .cm-content');

async function writeFormula(page: Page, text: string): Promise<void> {
  await formula(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  // At once: keys that a busy machine sends more than a second apart are two steps to undo.
  await page.keyboard.insertText(text);
}

test('open, edit a formula, see the error, undo, fit, save, reopen', async ({ place }) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  await block(page, 'curve').locator('header').click();
  await expect(formula(page)).toHaveText('b1 * (1 - exp(-b2*x))');

  await writeFormula(page, 'b1 * (1 - exp(-b3*x))');
  const fault = page.locator('.inspector').getByRole('alert').first();
  await expect(fault).toContainText('b3');
  // The loss has no value now: that of before is shown to be one.
  const ofBefore = block(page, 'loss').getByRole('img', { name: 'of before the model was at fault' });
  await expect(ofBefore).toBeVisible();

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(fault).toBeHidden();
  await expect(ofBefore).toBeHidden();
  await expect(formula(page)).toHaveText('b1 * (1 - exp(-b2*x))');

  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(outcome(page)).toHaveText(/^\s*Converged/);
  const table = page.getByRole('table', { name: 'Fitted parameters' });
  await expect(table).toContainText('238.9');

  await page.getByRole('button', { name: 'Save' }).click();
  const fitFile = place.model.replace('.cot.json', '.fit.json');
  await expect.poll(() => existsSync(fitFile)).toBe(true);
  const fit = JSON.parse(readFileSync(fitFile, 'utf8')) as {
    status: string;
    estimates: { name: string; value: number }[];
  };
  expect(fit.status).toBe('converged');
  // NIST's certified values.
  expect(fit.estimates[0]?.value).toBeCloseTo(238.94212918, 6);
  expect(fit.estimates[1]?.value).toBeCloseTo(5.501564318e-4, 10);
  await close();

  const again = await place.open();
  await expect(outcome(again.page)).toHaveText(/^\s*Converged/);
  await expect(again.page.getByRole('table', { name: 'Fitted parameters' })).toContainText('238.9');
  await again.close();
});

test('an edit outlives the process', async ({ place }) => {
  const { page, kill } = await place.open();
  await block(page, 'curve').locator('header').click();
  await writeFormula(page, 'b1 * (1 - exp(-b2 * x)) + 0');
  await expect(formula(page)).toHaveText('b1 * (1 - exp(-b2 * x)) + 0');
  await expect(page.locator('footer')).toContainText('Every edit kept');
  await kill();
  expect(readFileSync(place.model, 'utf8')).not.toContain('+ 0');

  const again = await place.open(null);
  await again.page.getByRole('region', { name: 'Kept edits' }).getByRole('button').first().click();
  await expect(again.page).toHaveTitle(/Misra1a/);
  await block(again.page, 'curve').locator('header').click();
  await expect(formula(again.page)).toHaveText('b1 * (1 - exp(-b2 * x)) + 0');
  await again.close();
});

test('a newcomer meets a fitted example; the start panel opens others', async ({ place }) => {
  const { page, close } = await place.open(null);
  await expect(page).toHaveTitle(/Theophylline/);
  await expect(outcome(page)).toHaveText(/^\s*Converged/);

  await page.getByRole('button', { name: 'Start panel' }).click();
  await page.getByRole('button', { name: /Thurber/ }).click();
  await expect(page).toHaveTitle(/Thurber/);
  await expect(outcome(page)).toHaveText(/^\s*Converged/);
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(outcome(page)).toHaveText(/^\s*Converged/);
  await close();
});
