/** Everything that can be taken away: each entry of each menu gives a file, and the file is looked into. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { menu, openMenu, readers, takeAll } from './exported.ts';
import { downloaded, expect, printed, savingAt, test } from './window.ts';

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
test('plots and tables of the fit and of its residuals', async ({ place }) => {
  const window = await place.open();
  const { page } = window;
  await page.getByRole('button', { name: 'Try 64 starts' }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  const fit = await takeAll(window, place);
  for (const name of ['All plots', 'y', 'Where each start ended'])
    for (const form of ['PNG', 'SVG', 'PDF']) expect(fit).toContain(`${name} as ${form}`);
  for (const name of ['estimates', 'history', 'correlation', 'starts', 'loss fitted'])
    for (const form of ['CSV', 'JSON']) expect(fit).toContain(`${name} as ${form}`);

  await tab(page, 'Residuals');
  expect(await takeAll(window, place)).toEqual(
    expect.arrayContaining(['Residuals of y as SVG', 'Q–Q plot of y as SVG', 'loss fitted as CSV']),
  );
});

test('a plot by itself has the size, and the title at its axis, that its look has', async ({ place }) => {
  const window = await place.open();
  const { page } = window;
  await page.getByRole('button', { name: 'Style of loss' }).click();
  const style = page.getByRole('group', { name: 'Style of loss' });
  await style.getByLabel('Title of y').fill('Änderung, mm');
  await style.getByLabel('Width in millimetres').fill('84');
  await style.getByLabel('Width in millimetres').press('Enter');
  await expect(style.getByLabel('Height in millimetres')).toHaveValue('80');
  await style.getByLabel('Height in millimetres').fill('60');
  await style.getByLabel('Height in millimetres').press('Enter');
  await page.keyboard.press('Escape');
  const plot = page.getByRole('img', { name: 'Änderung, mm' });
  await expect(plot).toBeVisible();
  const take = async (form: string) => {
    await openMenu(page);
    const entry = menu(page).getByRole('button', { name: `Änderung, mm as ${form}` });
    return (form === 'PDF' ? printed : downloaded)(window, place.folder, () => entry.click());
  };
  const svg = await take('SVG');
  expect(svg.name).toMatch(/-fit-aenderung-mm\.svg$/);
  expect(/<svg [^>]*viewBox/.exec(svg.text)?.[0]).toContain('width="84mm" height="60mm"');
  // At the axis, and not once more above it.
  expect(svg.text.split('>Änderung, mm</text>')).toHaveLength(2);
  const png = (await take('PNG')).bytes;
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([992, 709]);
  const shape = () => plot.evaluate((it: HTMLCanvasElement) => [it.width, it.height, it.clientWidth, it.clientHeight]);
  const before = await shape();
  const pdf = (await take('PDF')).text;
  const [, across, down] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
  expect([Number(across) / 84, Number(down) / 60].map((points) => points.toFixed(2))).toEqual(['2.83', '2.83']);
  await readers['PDF']!(page, pdf);
  // The window is as it was, and nothing of the paper is left in it.
  expect(await shape()).toEqual(before);
  await expect(page.locator('.paper')).toHaveCount(0);
  await openMenu(page);
  const { scrollWidth, clientWidth } = await menu(page).evaluate((it) => it);
  expect(scrollWidth).toBe(clientWidth);
});

/** The name of the file's end, and what must stand in it. */
const models = [
  ['Export as a JAX module', 'py', [/def objective\(/, /value_and_grad/]],
  ['Export as a Futhark program', 'fut', [/entry objective/, /entry gradient/]],
  ['Export the WebGPU kernels', 'wgsl', [/@compute/, /@workgroup_size/]],
  ['Export the values as CSV', 'csv', [/^x,y,/]],
  ['Write a report', 'html', [/^<!doctype html>/, /<svg/, /<h2>Profile likelihood<\/h2>/, /<\/html>\s*$/]],
] as const;

test('the model as code, values and a report', async ({ place }) => {
  const window = await place.open();
  const { page } = window;
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  await tab(page, 'Uncertainty');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the uncertainty study' })).toHaveText(/^\s*Done/);
  for (const [title, extension, contents] of models) {
    const file = await downloaded(window, place.folder, async () => {
      await page.getByRole('button', { name: 'Find or run' }).click();
      const search = page.getByRole('dialog').getByRole('combobox');
      await search.fill(title);
      await search.press('Enter');
    });
    expect(file.name).toMatch(new RegExp(`\\.${extension}$`));
    for (const content of contents) expect(file.text, title).toMatch(content);
  }
});

test('what cannot be written is said, and the file that was there stays as it was', async ({ place }) => {
  const { page, electron, close } = await place.open();
  test.skip(!electron, 'a browser writes its downloads itself');
  if (!electron) return;
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  const take = async () => {
    await openMenu(page);
    await menu(page).getByRole('button', { name: 'estimates as CSV' }).click();
  };
  const told = page.getByRole('alert').filter({ hasText: 'cannot be written' });
  const old = join(place.folder, 'old.csv');
  writeFileSync(old, 'a,b\r\n', { mode: 0o444 });
  for (const [path, why] of [
    ['/dev/full', 'the disk is full'],
    [join(place.folder, 'absent', 'a.csv'), 'there is no folder'],
    [old, 'read-only'],
  ] as const) {
    await savingAt(electron, path);
    await take();
    await expect(told).toContainText(why);
    await told.getByRole('button', { name: 'Dismiss' }).click();
  }
  expect(readFileSync(old, 'utf8')).toBe('a,b\r\n');
  await close();
});
