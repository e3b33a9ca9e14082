/** What is edited is safe, however the window ends: it comes back however the document is opened, and says so. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './window.ts';
import type { OpenWindow } from './window.ts';

const restored = (page: Page) => page.getByRole('status').filter({ hasText: 'Restored' });
/** Called by what it does and by what stands on it. */
const name = (page: Page) => page.getByRole('button', { name: /^Rename ./ });

/** One edit: a new name. It is on the disk once the window says so, which takes no pause: it goes at once. */
async function rename(page: Page, to: string): Promise<void> {
  await name(page).click();
  const field = page.getByRole('textbox', { name: 'Name of the model' });
  await field.fill(to);
  await field.press('Enter');
  await expect(page.locator('h1')).toHaveText(to);
  await expect(page.locator('footer')).toContainText('Every edit kept');
}

/** A quiet window: no tour, no example. */
async function startPanel({ page }: OpenWindow): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Cotangent' })).toBeVisible();
}

test('an edit of the last moment comes back however the document is opened after a kill', async ({ place }) => {
  // By argument.
  let window = await place.open();
  await expect(window.page).toHaveTitle(/Misra1a/);
  await rename(window.page, 'First');
  await window.kill();
  expect(readFileSync(place.model, 'utf8')).not.toContain('First');
  window = await place.open();
  await expect(window.page).toHaveTitle(/First/);
  await expect(restored(window.page)).toBeVisible();
  await expect(window.page.locator('header.title')).toContainText('edited');

  // From the list of recent files.
  await rename(window.page, 'Second');
  await window.kill();
  window = await place.open(null);
  await startPanel(window);
  await window.page.getByRole('region', { name: 'Recent' }).getByRole('button').first().click();
  await expect(window.page).toHaveTitle(/Second/);
  await expect(restored(window.page)).toBeVisible();

  // From the start panel's offer.
  await rename(window.page, 'Third');
  await window.kill();
  window = await place.open(null);
  await window.page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(window.page).toHaveTitle(/Third/);
  await expect(restored(window.page)).toBeVisible();

  // Its history has come back with it.
  await window.page.getByRole('button', { name: 'Undo' }).click();
  await expect(window.page).toHaveTitle(/Second/);
  await window.page.getByRole('button', { name: 'Redo' }).click();

  // Saved it is safe, and is offered no more.
  await window.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(window.page.locator('header.title')).toContainText('saved');
  expect(readFileSync(place.model, 'utf8')).toContain('Third');
  await window.kill();
  window = await place.open();
  await expect(window.page).toHaveTitle(/Third/);
  await expect(restored(window.page)).toHaveCount(0);
  await window.close();
});

test('undo comes back to the fit of before, a kill to all that ran, and a save leaves the fit on the disk', async ({
  place,
}) => {
  let window = await place.open();
  let { page } = window;
  const outcome = () => page.getByRole('status', { name: 'Outcome of the fit' });
  const table = () => page.getByRole('table', { name: 'Fitted parameters' });
  const fit = () => page.getByRole('button', { name: 'Fit', exact: true });
  const save = () => page.getByRole('button', { name: 'Save', exact: true });
  const runs = () => page.getByRole('table', { name: 'Runs of this document' }).getByRole('textbox');
  const objective = (): number | undefined => {
    const file = place.model.replace('.cot.json', '.fit.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { objective: number }).objective : undefined;
  };
  await fit().click();
  await expect(table()).toContainText('238.9');
  await save().click();
  await expect.poll(objective).toBeCloseTo(0.12455, 4);
  const before = objective();

  // Another model, fitted.
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByRole('button', { name: 'Take into the document' }).click();
  await page.getByLabel('y of row 0', { exact: true }).fill('20');
  await page.getByLabel('y of row 0', { exact: true }).press('Enter');
  await page.getByRole('tab', { name: 'Fit', exact: true }).click();
  await fit().click();
  await expect(outcome()).toHaveText(/^\s*Converged/);
  await expect(table()).not.toContainText('238.9');

  // The list of what ran comes back after a kill, each with its number and name.
  await page.getByRole('tab', { name: 'Results' }).click();
  await expect(runs()).toHaveCount(2);
  await page.getByLabel('Name of run 1').fill('before');
  await page.getByLabel('Name of run 1').press('Enter');
  await expect(page.locator('footer')).toContainText('Every edit kept');
  await window.kill();
  window = await place.open();
  ({ page } = window);
  await page.getByRole('tab', { name: 'Results' }).click();
  await expect(runs()).toHaveCount(2);
  await expect(page.getByLabel('Name of run 1')).toHaveValue('before');
  await page.getByRole('tab', { name: 'Fit', exact: true }).click();
  await expect(table()).toBeVisible();
  await expect(table()).not.toContainText('238.9');

  // And taken back.
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(table()).toContainText('238.9');
  await expect(outcome()).toHaveText(/^\s*Converged/);
  await save().click();
  await expect(page.locator('header.title')).toContainText('saved');
  expect(objective()).toBe(before);
  await window.close();
});

test('each document without a name comes back', async ({ place }) => {
  let window = await place.open();
  await window.page.getByRole('button', { name: 'Start panel' }).click();
  for (const title of ['One', 'Two']) {
    await window.page.getByRole('button', { name: /Empty model/ }).click();
    await window.page.keyboard.press('Escape');
    await rename(window.page, title);
    await window.kill();
    window = await place.open(null);
    await startPanel(window);
  }
  const kept = window.page.getByRole('region', { name: 'Kept edits' });
  await expect(kept).toContainText('One');
  await expect(kept).toContainText('Two');
  await window.close();
});

test('a page that is loaded again goes on where it was', async ({ place }) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  // What is selected as an edit is kept comes back with it.
  await rename(page, 'Selected');
  await page.locator('.svelte-flow__node[data-id=b1]').click({ position: { x: 10, y: 10 } });
  await rename(page, 'Reloaded');
  await page.reload();
  await expect(page).toHaveTitle(/Reloaded/);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeEnabled();
  await expect(page.locator('.svelte-flow__node.selected')).toHaveAttribute('data-id', 'b1');
  // It still hears of what others do with the file, once it has read what that holds.
  await expect(page.getByRole('status').filter({ hasText: 'which were not saved' })).toBeVisible();
  writeFileSync(place.model, readFileSync(place.model, 'utf8').replace(/"name": "[^"]*"/, '"name": "Theirs"'));
  await expect(page.getByRole('status').filter({ hasText: 'changed by another program' })).toBeVisible();
  await close();
});

test('a page that is cut off says so, and hears of its file once it is connected again', async ({ place, host }) => {
  test.skip(host !== 'browser', 'a port is not cut off');
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  // As the network sees it: sockets end, and none comes about, forbidden by a policy or refused, until it is there again.
  await page.addInitScript(() => {
    const opened: WebSocket[] = [];
    const network = { there: true, opened, cut: () => opened.forEach((socket) => socket.close()) };
    const Own = window.WebSocket;
    const Cut = class extends Own {
      constructor(url: string) {
        const nowhere = opened.length % 2 > 0 ? url.replace(/:\d+\//, ':9/') : url.replace(/[^/]*\/socket$/, 'nowhere');
        super(network.there ? url : nowhere);
        opened.push(this);
      }
    };
    Object.assign(window, { network, WebSocket: Cut });
  });
  const network = (there: boolean) =>
    page.evaluate((now) => {
      const { network } = window as unknown as { network: { there: boolean; cut: () => void } };
      network.there = now;
      network.cut();
    }, there);
  const tries = () =>
    page.evaluate(() => (window as unknown as { network: { opened: WebSocket[] } }).network.opened.length);
  await page.reload();
  await expect(page).toHaveTitle(/Misra1a/);
  await network(false);
  const notice = page.getByRole('status').filter({ hasText: 'does not answer' });
  await expect(notice.getByRole('button', { name: 'Download a copy' })).toBeVisible();
  await expect(page.locator('header.title')).toContainText('not connected');
  await expect(page.locator('footer')).toContainText('edits are kept nowhere');
  await name(page).click();
  const field = page.getByRole('textbox', { name: 'Name of the model' });
  await field.fill('While cut off');
  await field.press('Enter');
  await expect(page.locator('footer')).toContainText('edits are kept nowhere');
  await expect.poll(tries).toBeGreaterThan(3);
  await network(true);
  await expect(notice).toHaveCount(0);
  await expect(page.locator('footer')).toContainText('Every edit kept');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('header.title')).toContainText('saved');
  // Somebody watches the file again.
  rmSync(place.model);
  await expect(page.locator('header.title')).toContainText('removed from the disk');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('header.title')).toContainText('saved');
  expect(readFileSync(place.model, 'utf8')).toContain('Misra1a');
  await close();
});

test('saving asks before it writes over what another program wrote', async ({ place }) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  await rename(page, 'Mine');
  const theirs = readFileSync(place.model, 'utf8').replace(/"name": "[^"]*"/, '"name": "Theirs"');
  writeFileSync(place.model, theirs);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /changed by another program/ });
  await expect(dialog).toBeVisible();
  expect(readFileSync(place.model, 'utf8')).toBe(theirs);
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await expect(dialog.getByRole('region', { name: 'Differences' })).toContainText('"Theirs"');
  await expect(dialog.getByRole('region', { name: 'Differences' })).toContainText('"Mine"');
  await dialog.getByRole('button', { name: 'Overwrite' }).click();
  await expect(page.locator('header.title')).toContainText('saved');
  expect(readFileSync(place.model, 'utf8')).toContain('"Mine"');

  // Without edits of one's own the new content is taken.
  writeFileSync(place.model, theirs);
  await expect(page).toHaveTitle(/Theirs/);
  await expect(page.getByRole('status').filter({ hasText: 'read again' })).toBeVisible();
  await close();
});

test('the second of two windows on a document is told', async ({ place, host }) => {
  test.skip(host === 'desktop', 'the desktop app has one window');
  const one = await place.open();
  await expect(one.page).toHaveTitle(/Misra1a/);
  await rename(one.page, 'One');
  const two = await place.open();
  await expect(two.page.getByRole('status').filter({ hasText: 'another window' })).toBeVisible();
  await expect(two.page).toHaveTitle(/Misra1a/);
  await rename(two.page, 'Two');
  await one.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(one.page.locator('header.title')).toContainText('saved');
  await two.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(two.page.getByRole('dialog', { name: /changed by another program/ })).toBeVisible();
  expect(readFileSync(place.model, 'utf8')).toContain('"One"');
  await one.close();
  await two.close();
});

test('what is typed as the window closes is kept', async ({ place, host }) => {
  let window = await place.open();
  await expect(window.page).toHaveTitle(/Misra1a/);
  await name(window.page).click();
  await window.page.getByRole('textbox', { name: 'Name of the model' }).fill('In the last moment');
  // Playwright ends a browser without telling its pages.
  if (host === 'browser') await window.page.goto('about:blank');
  await window.close();
  window = await place.open();
  await expect(window.page).toHaveTitle(/In the last moment/);
  await expect(restored(window.page)).toBeVisible();
  await restored(window.page).getByRole('button', { name: 'Discard them' }).click();
  await expect(window.page).toHaveTitle(/Misra1a/);
  await expect(window.page.locator('header.title')).toContainText('saved');
  await window.close();
});

test('a table that another program writes is shown as it is, and so is one that is gone', async ({ place }) => {
  const { page, close } = await place.open();
  const table = join(place.folder, 'misra1a.csv');
  const before = readFileSync(table, 'utf8');
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  const outcome = page.getByRole('status', { name: 'Outcome of the fit' });
  await expect(outcome).toHaveText(/^\s*Converged/);
  await page.getByRole('tab', { name: 'Data', exact: true }).click();
  const rows = page.getByRole('region', { name: /^Rows of/ });
  await expect(rows).toContainText('10.07E0');
  writeFileSync(table, before.replace('10.07E0', '30.07E0'));
  await expect(rows).toContainText('30.07E0');
  await expect(page.locator('footer')).toContainText('Fit is stale: the data changed since');
  rmSync(table);
  await expect(page.locator('footer')).toContainText('1 problem');
  writeFileSync(table, before);
  await expect(rows).toContainText('10.07E0');
  await expect(page.locator('footer')).not.toContainText(/problem|stale/);
  await close();
});
