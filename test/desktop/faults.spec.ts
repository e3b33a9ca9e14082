/** Processes that end and errors that nobody caught: the window is kept or comes back with everything, and says what happened. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { downloaded, expect, test } from './window.ts';

const told = (page: Page, text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).first();

async function rename(page: Page, to: string): Promise<void> {
  await page.getByTitle('Rename', { exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Name of the model' });
  await field.fill(to);
  await field.press('Enter');
  await expect(page.locator('h1')).toHaveText(to);
}

async function run(page: Page, action: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type(action);
  await page.keyboard.press('Enter');
}

test('an error that nobody caught in the page is told, noted down, and handed over with the logs', async ({
  place,
}) => {
  const window = await place.open();
  const { page } = window;
  await expect(page).toHaveTitle(/Misra1a/);
  await page.evaluate(() => void setTimeout(() => void Promise.reject(new Error('a fault of the test'))));
  await expect(told(page, 'a fault of the test')).toBeVisible();
  await rename(page, 'Goes on');
  const { name, text } = await downloaded(window, place.folder, () => run(page, 'Collect logs'));
  expect(name).toBe('cotangent-logs.txt');
  expect(text).toMatch(/^Cotangent: \d/);
  expect(text).toMatch(/== window\.log\n\d{4}-\d\d-\d\dT.* Error: a fault of the test\n/);
  await window.close();
});

test('a page that crashes comes back with its edits, and says so', async ({ place, host }) => {
  test.skip(host === 'browser', 'a browser shows its own page, and the reader loads it again');
  const { page, electron, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  await rename(page, 'Before the crash');
  await expect.poll(async () => page.locator('footer').textContent()).toContain('kept');
  // Playwright's page has crashed for good: what the window shows now is asked of the window.
  await electron?.evaluate(async ({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows().filter((each) => each.isVisible());
    const loaded = new Promise<void>((resolve) => window?.webContents.once('did-finish-load', () => resolve()));
    window?.webContents.forcefullyCrashRenderer();
    await loaded;
  });
  const shown = () =>
    electron?.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows().filter((each) => each.isVisible());
      return window?.webContents.executeJavaScript(
        `document.title + [...document.querySelectorAll('[role="alert"]')].map((each) => each.textContent).join()`,
      ) as Promise<string>;
    });
  await expect.poll(shown).toMatch(/^Before the crash.*page ended \(\w+\) and was opened again/s);
  await close();
});

test('an error that nobody caught in the main process costs nothing, nor does sleep or the end of a session', async ({
  place,
  host,
}) => {
  test.skip(host === 'browser', 'the server has no window of its own');
  const { page, electron, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  await electron?.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('a fault of the test');
      }),
  );
  await expect(told(page, 'a fault of the test')).toBeVisible();
  await rename(page, 'Goes on');
  // What is being typed is taken and kept.
  for (const sign of ['suspend', 'lock-screen', 'shutdown'] as const) {
    await page.getByTitle('Rename', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Name of the model' }).fill(`At ${sign}`);
    await electron?.evaluate(({ powerMonitor }, name) => powerMonitor.emit(name), sign);
    await expect(page.locator('h1')).toHaveText(`At ${sign}`);
    await expect(page.locator('footer')).toContainText('Every edit kept');
  }
  await close();
});

test('settings hold for the next start, and the engine goes by them', async ({ place }) => {
  let window = await place.open();
  await expect(window.page).toHaveTitle(/Misra1a/);
  await window.page.keyboard.press('ControlOrMeta+,');
  const dialog = window.page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByLabel('Digits of numbers').selectOption('7');
  await dialog.getByLabel('CPU threads').selectOption('1');
  await dialog.getByLabel('Save to the file as I edit').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await rename(window.page, 'Saved by itself');
  // The engine is another by now, as was asked for.
  await expect(window.page.getByRole('alert')).toHaveCount(0);
  await expect.poll(() => readFileSync(place.model, 'utf8')).toContain('Saved by itself');
  await window.close();
  window = await place.open();
  await expect(window.page).toHaveTitle(/Saved by itself/);
  await window.page.keyboard.press('ControlOrMeta+,');
  await expect(dialogOf(window.page).getByLabel('Digits of numbers')).toHaveValue('7');
  await expect(dialogOf(window.page).getByLabel('CPU threads')).toHaveValue('1');
  await expect(dialogOf(window.page).getByLabel('Save to the file as I edit')).toBeChecked();
  await dialogOf(window.page).getByRole('button', { name: 'Done' }).click();
  await window.page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(window.page.getByRole('article', { name: 'b1', exact: true })).toContainText('238.9421');
  await expect(window.page.getByRole('table', { name: 'Fitted parameters' })).toContainText('238.942± 2.707');
  await expect(window.page.locator('figure.loss')).toContainText('0.12455139');
  await window.close();
});

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

test('the licences of all that it contains are found by name', async ({ place }) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('licen');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'About Cotangent' });
  await expect(dialog).toContainText(/Version \d/);
  await expect(dialog.getByRole('region', { name: 'Licences' })).toContainText('Redistribution and use');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await close();
});

test('reverting asks, and takes what was saved', async ({ place }) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  await rename(page, 'Not wanted');
  await run(page, 'Revert');
  await page
    .getByRole('dialog', { name: /Revert/ })
    .getByRole('button', { name: 'Revert' })
    .click();
  await expect(page).toHaveTitle(/Misra1a/);
  await expect(page.locator('header.title')).toContainText('saved');
  await close();
});
