/** Tables in the preview: each format, what is found corrected, what is wrong said, the contest of shapes, and a model made. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import * as h5 from 'h5wasm';
import { parquetFile } from '../support/files/parquet.ts';
import { shapeNamed } from '../../models/library/index.ts';
import { dialog, drop, give, paste, status } from './giving.ts';
import { expect, test } from './window.ts';

const rows = (page: Page): Locator => page.getByRole('table', { name: 'First rows of the table' }).locator('tbody tr');

async function hdf5File(): Promise<Uint8Array> {
  const { FS } = await h5.ready;
  const file = new h5.File('given.h5', 'w');
  const run = file.create_group('run');
  run.create_dataset({ name: 'time', data: Float64Array.of(0, 1, 2, 3) }).create_attribute('units', 's');
  run.create_dataset({ name: 'signal', data: Float64Array.of(8, 4, 2, 1) });
  file.create_dataset({ name: 'other', data: Float64Array.of(1, 2) });
  file.close();
  return FS.readFile('given.h5');
}

function npyFile(): Uint8Array {
  const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n";
  return Buffer.concat([
    Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0]),
    Buffer.from(header),
    Buffer.from(Float64Array.of(0, 1, 1, 2, 2, 3).buffer),
  ]);
}

test('every format is shown with its columns', async ({ place }) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  const formats: readonly (readonly [string, string | Uint8Array, RegExp, string])[] = [
    ['logger.txt', '# from a logger\nt;U\ns;mV\n0;1,5\n1;0,75\n2;0,3\n', /Text, 3 rows, 2 columns/, 't'],
    ['a.json', '[{"dose": 0, "effect": 1}, {"dose": 2, "effect": 3}]', /JSON, 2 rows, 2 columns/, 'dose'],
    ['a.parquet', parquetFile([['x', [0, 1, 2]], ['y', [3, 4, 5]]]), /Parquet, 3 rows, 2 columns/, 'x'], // prettier-ignore
    ['a.npy', npyFile(), /NumPy, 3 rows, 2 columns/, 'column1'],
  ];
  for (const [name, content, summary, column] of formats) {
    await give(page, name, content);
    await expect(dialog(page)).toHaveAccessibleName(name);
    await expect(status(page)).toHaveText(summary);
    await expect(page.getByLabel(`Role of ${column}`)).toHaveValue('x');
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
  }
  await give(page, 'a.h5', await hdf5File());
  await page.getByLabel('Table in the file').selectOption('/run');
  await expect(status(page)).toHaveText(/HDF5, 4 rows, 2 columns/);
  await expect(page.getByLabel('Unit of time')).toHaveValue('s');
  await close();
});

test('what was found can be corrected, and what cannot be read says why', async ({ place }) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  await drop(page, 'a.csv', 'when;level\n1;1.234\n2;2.345\n3;over\n4;3.1\n5;2\n');
  await expect(rows(page)).toHaveCount(5);
  await expect(rows(page).nth(2)).toContainText(/over\s\(counts as missing\)/);
  await expect(dialog(page)).toContainText('1 stray cell');
  await expect(page.getByLabel('Role of level')).toHaveValue('y');

  await page.getByLabel('First row', { exact: true }).selectOption('data');
  await expect(rows(page)).toHaveCount(6);
  await page.getByLabel('First row', { exact: true }).selectOption('find it');
  await page.getByLabel('Role of level').selectOption('x');
  await expect(page.getByLabel('Role of when')).toHaveValue('y');
  await page.getByLabel('Type of level').selectOption('labels');
  await expect(page.getByLabel('Role of level').locator('option')).toHaveText([
    ...['group', 'condition', 'control', 'censored', 'event seen', 'exclude', 'keep', 'leave out'],
  ]);
  await page.getByLabel('Unit of when').fill('h');
  await page.getByLabel('Delimiter').selectOption('comma');
  await expect(dialog(page)).toContainText('There is one column alone');

  for (const [name, text, says] of [
    [
      'page.csv',
      '<!DOCTYPE html><table><tr><td>1</td></tr></table>',
      'page.csv has no table that can be read: it is a page of the web: copy the table out of it and paste it.',
    ],
    ['empty.csv', '', 'empty.csv has no table that can be read: the file is empty.'],
    ['ragged.csv', 'Logger 5\nx,y\n1,2\n3,4,5\n6,7\n', 'line 4 has 3 cells, and the header has 2'],
    ['quote.csv', 'x,y\n1,"2\n', 'line 2: a quote that is not closed'],
    ['book.xlsx', 'PK\u0003\u0004', 'save the sheet as CSV'],
    ['bad.json', '[{"x": 1,}]', 'line 1, column 10: wanted a key in double quotes'],
  ] as const) {
    await page.keyboard.press('Escape');
    await give(page, name, text);
    await expect(dialog(page).getByRole('alert')).toContainText(says);
    await expect(page.getByRole('button', { name: 'Make a model' })).toBeDisabled();
  }
  await page.keyboard.press('Escape');
  await give(page, 'names.csv', 'name\nann\nbob\n');
  await expect(dialog(page)).toContainText('No column of numbers was found.');
  await close();
});

test('a pasted table is added to the open model, and undone', async ({ place }) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  await paste(page, 'temp (K)\trate (1/s)\n300\t1.5\n310\t2.5\n320\t4\n');
  await expect(dialog(page)).toHaveAccessibleName('Pasted table');
  await expect(page.getByLabel('Unit of temp')).toHaveValue('K');
  await page.getByRole('button', { name: 'Add to this model' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByLabel(/^temp, /).first()).toBeVisible();
  await expect(page.getByLabel(/^rate, /).first()).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByLabel(/^temp, /)).toHaveCount(0);
  await close();
});

test('the keys of the window leave the document alone while a dialog stands before it', async ({ place }) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  const saved = readFileSync(place.model, 'utf8');
  await paste(page, 'temp,rate\n300,1.5\n310,2.5\n320,4\n');
  await page.getByRole('button', { name: 'Add to this model' }).click();
  const added = page.getByLabel(/^temp, /);
  await expect(added.first()).toBeVisible();
  await page.getByRole('tab', { name: 'Fit', exact: true }).click();
  const outcome = page.getByRole('status', { name: 'Outcome of the fit' });

  const press = async (): Promise<void> => {
    for (const key of ['z', 's', 'd', 'x']) await page.keyboard.press(`ControlOrMeta+${key}`);
    for (const key of ['Delete', 'Backspace', 'd']) await page.keyboard.press(key);
  };
  const isUntouched = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    await expect(added).toHaveCount(1);
    await expect(page.locator('.where')).toHaveText(/, edited$/);
    await expect(outcome).toHaveText(/Not fitted yet/);
    expect(readFileSync(place.model, 'utf8')).toBe(saved);
  };
  await page.keyboard.press('ControlOrMeta+,');
  await expect(dialog(page)).toHaveAccessibleName('Settings');
  await press();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(dialog(page)).toHaveAccessibleName('Settings');
  await isUntouched();

  await give(page, 'other.csv', 'name\nann\nbob\n');
  await expect(page.getByRole('button', { name: 'Make a model' })).toBeFocused();
  await press();
  await isUntouched();
  await give(page, 'other.csv', 'name\nann\nbob\n');
  await expect(page.getByRole('button', { name: 'Make a model' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+Enter');
  await dialog(page).getByRole('button', { name: 'Do not save' }).click();
  await expect(page).toHaveTitle(/other/);
  await close();
});

/** Invented as instruments and people write them (test/models/experiment/tables), with the shape of the table's field. */
const tables: readonly (readonly [file: string, shape: string])[] = [
  ['pm-col.tsv', 'decay-to-level'],
  ['pm-cell.csv', 'decay-to-level'],
  ['cooling-de-date.csv', 'decay-to-level'],
  ['elisa-de.csv', 'four-parameter-logistic-with-zero'],
  ['interleaved-sem.csv', 'three-parameter-bottom-0'],
  ['log-agonist-2.csv', 'log-dose-stimulation'],
  ['mortality.csv', 'log-logit'],
  ['inhib-long.csv', 'competitive-inhibition'],
  ['growth-hm.csv', 'sigmoid'],
  ['urea.csv', 'two-state-unfolding'],
];

test('ten tables of ten laboratories: given, taken and fitted, with an interval of every parameter', async ({
  place,
}) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  for (const [i, [file, shape]] of tables.entries()) {
    await give(page, file, readFileSync(join(import.meta.dirname, '../models/experiment/tables', file)));
    const title = shapeNamed(shape)!.title;
    await expect(dialog(page).locator('.cells .title', { hasText: title }).first()).toBeVisible();
    await page.keyboard.press('Enter');
    // The model of the table before is left as it was fitted.
    if (i > 0) await page.getByRole('button', { name: 'Do not save' }).click();
    await expect(page).toHaveTitle(new RegExp(file.replace(/\.\w+$/, '')));
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
    const intervals = page.getByRole('table', { name: 'Fitted parameters' }).locator('tbody td.number:not(.value)');
    for (const interval of await intervals.all()) await expect(interval).toHaveText(/\d (?:–|to) \S*\d/);
    expect(await intervals.count()).toBeGreaterThan(0);
  }
  await close();
});

test('how readings scatter is found, said, and chosen otherwise', async ({ place }) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  await give(page, 'arrhenius.csv', readFileSync(join(import.meta.dirname, '../fields/tables/arrhenius.csv')));
  const scatter = page.getByRole('radiogroup', { name: 'How readings scatter' });
  await expect(scatter.getByRole('radio', { checked: true })).toHaveText('in proportion');
  await expect(dialog(page).getByRole('button', { pressed: true })).toContainText(/Arrhenius|Eyring/);
  await scatter.getByRole('radio', { name: 'alike' }).click();
  await expect(dialog(page).locator('.cells')).toHaveAttribute('aria-busy', 'false');
  await expect(scatter.getByRole('radio', { checked: true })).toHaveText('alike');
  await scatter.getByRole('radio', { name: 'in proportion' }).click();
  await page.keyboard.press('Escape');
  await give(page, 'arrhenius.csv', readFileSync(join(import.meta.dirname, '../fields/tables/arrhenius.csv')));
  await expect(scatter.getByRole('radio', { checked: true })).toHaveText('in proportion');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(/^log_model, /).first()).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  await close();
});

test('while shapes are fitted the best so far stand there, and Stop keeps them', async ({ place }) => {
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  // Two dozen subjects and three phases: many shapes, each of them many parameters.
  const lines = Array.from({ length: 24 }, (_, who) =>
    Array.from({ length: 25 }, (_unused, i) => {
      const t = i / 2;
      const y = (6 + who / 5) * Math.exp(-(1 + who / 40) * t) + 3 * Math.exp(-0.1 * t) + 0.02 * Math.sin(9 * i + who);
      return `s${who},${t},${y.toFixed(4)}`;
    }).join('\n'),
  );
  await give(page, 'subjects.csv', `subject,time (h),conc (mg/L)\n${lines.join('\n')}\n`);
  const cells = dialog(page).locator('.cells');
  await expect(dialog(page).getByText('the best so far')).toBeVisible();
  await expect(cells).toHaveAttribute('aria-busy', 'true');
  await expect(cells.getByRole('button', { pressed: true })).toHaveCount(1);
  await expect(dialog(page).getByRole('progressbar', { name: 'Shapes fitted' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Stop' }).click();
  await expect(dialog(page).getByText('stopped: not every shape was fitted')).toBeVisible();
  await expect(cells.getByRole('button', { pressed: true })).toHaveCount(1);
  await page.getByRole('button', { name: 'Make a model' }).click();
  await expect(page).toHaveTitle(/subjects/);
  await close();
});
