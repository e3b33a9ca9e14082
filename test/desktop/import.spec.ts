/** Tables on their way in: each format, what is found corrected, what is wrong said, and from a table to a saved fit. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { zipSync } from 'fflate';
import * as h5 from 'h5wasm';
import { parquetFile } from '../support/files/parquet.ts';
import { shapeNamed } from '../../models/library/index.ts';
import { downloaded, expect, test, type OpenWindow } from './window.ts';

const dialog = (page: Page): Locator => page.getByRole('dialog');
const rows = (page: Page): Locator => page.getByRole('table', { name: 'First rows of the table' }).locator('tbody tr');
/** What was found in the file; the contest of shapes has a status of its own below. */
const status = (page: Page): Locator => dialog(page).getByRole('status').first();

async function give(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  const buffer = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
  await page.getByLabel('Table file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

/** As a person drops a file on the window. */
function drop(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  return page.evaluate(
    ([fileName, bytes]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], fileName));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, [...Buffer.from(content)]] as const,
  );
}

function paste(page: Page, text: string): Promise<void> {
  return page.evaluate((content) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', content);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Saves the document under a name that is asked for: by the system on the desktop, by the window in a browser. */
async function save({ page, electron }: OpenWindow, path: string): Promise<void> {
  await electron?.evaluate(({ dialog: native }, filePath) => {
    native.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, path);
  await page.keyboard.press('ControlOrMeta+s');
  if (!electron) {
    await dialog(page).getByRole('textbox').fill(basename(path, '.cot.json'));
    await dialog(page).getByRole('button', { name: 'Save' }).click();
  }
  await expect.poll(() => existsSync(path)).toBe(true);
}

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

/** A PEtab problem of A ⇌ B, whose two rates are estimated from their own course. */
function petabArchive(): Uint8Array {
  const folder = join(import.meta.dirname, '../petab/cases/v1/0007');
  const [forward, back] = [0.8, 0.6];
  const at = (t: number): number => (back + forward * Math.exp(-(forward + back) * t)) / (forward + back);
  const tables = {
    '_parameters.tsv': [
      'parameterId\tparameterScale\tlowerBound\tupperBound\tnominalValue\testimate',
      ...['a0\tlin\t0\t10\t1\t0', 'b0\tlin\t0\t10\t0\t0', 'k1\tlog10\t0.01\t10\t0.5\t1', 'k2\tlog10\t0.01\t10\t0.5\t1'],
    ],
    '_observables.tsv': ['observableId\tobservableFormula\tnoiseFormula', 'obs_a\tA\t0.1'],
    '_measurements.tsv': [
      'observableId\tsimulationConditionId\ttime\tmeasurement',
      ...[0.25, 0.5, 1, 2, 4].map((t) => `obs_a\tc0\t${t}\t${at(t)}`),
    ],
  };
  const given = ['_0007.yaml', '_conditions.tsv', '_model.xml'].map((name) => [name, readFileSync(join(folder, name))]);
  const written = Object.entries(tables).map(([name, lines]) => [name, Buffer.from(`${lines.join('\n')}\n`)]);
  return zipSync(Object.fromEntries([...given, ...written]) as Record<string, Uint8Array>);
}

test('models of other programs: an SBML file, and a PEtab problem that is fitted, profiled and exported', async ({
  place,
}) => {
  const window = await place.open(null);
  const { page, close } = window;
  await expect(page).toHaveTitle(/Theophylline/);
  const cases = join(import.meta.dirname, '../sbml/cases');
  await drop(page, 'model.xml', readFileSync(join(cases, '00004/00004-sbml-l3v2.xml'), 'utf8'));
  await expect(status(page)).toHaveText(/^SBML model, \d+ blocks$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle(/case00004/);
  await expect(page.getByLabel(/^model, /).first()).toBeVisible();

  await drop(page, 'reversible.zip', petabArchive());
  await expect(status(page)).toHaveText(/^PEtab problem, \d+ blocks$/);
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('button', { name: 'Do not save' }).click();
  await expect(page).toHaveTitle(/reversible/);
  for (const id of ['k1', 'k2', 'model', 'obs_a'])
    await expect(page.getByLabel(new RegExp(`^(Parameter )?${id}, `)).first()).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  const found = page.getByRole('table', { name: 'Fitted parameters' });
  await expect(found).toContainText('0.8');
  await expect(found).toContainText('0.6');
  await page.getByRole('group', { name: 'Study this fit' }).getByRole('button', { name: 'Intervals' }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the uncertainty study' })).toHaveText(/^\s*Done/);
  await expect(page.getByRole('img', { name: 'Profile of k1' })).toBeVisible();
  const file = await downloaded(window, place.folder, async () => {
    await page.getByRole('button', { name: 'Find or run' }).click();
    const search = dialog(page).getByRole('combobox');
    await search.fill('Export as SBML');
    await search.press('Enter');
  });
  expect(file.text).toMatch(/<sbml [^>]*level="3"/);
  await close();
});

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

test('from a table to a fit that is saved, by keys where that is shorter', async ({ place }) => {
  const window = await place.open(null);
  const { page, close } = window;
  await expect(page).toHaveTitle(/Theophylline/);
  await page.getByRole('button', { name: 'Start panel' }).click();
  await expect(page.getByRole('button', { name: /Fit my data/ })).toBeVisible();
  const data = Array.from({ length: 30 }, (_, i) => {
    const [t, wobble] = [i / 2, Math.sin(i * i)];
    return [t, 8 * Math.exp(-0.35 * t) + 1.5 + 0.05 * wobble, 0.05]
      .map((x) => x.toFixed(4).replace('.', ','))
      .join('\t');
  });
  await paste(page, `time\tactivity\tSD\nmin\tkBq\tkBq\n${data.join('\n')}\n`);
  await expect(dialog(page).getByRole('button', { pressed: true })).toContainText('Decay to a level');
  await expect(page.getByLabel('Role of SD')).toHaveValue('sigma');
  await page.keyboard.press('Enter');

  await expect(page).toHaveTitle(/Pasted table/);
  for (const id of ['time', 'activity', 'SD', 'A', 'k', 'c', 'model', 'misfit'])
    await expect(page.getByLabel(new RegExp(`^(Parameter )?${id}, `)).first()).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  const outcome = page.getByRole('status', { name: 'Outcome of the fit' });
  await expect(outcome).toHaveText(/^\s*Converged/);
  await expect(page.getByRole('table', { name: 'Fitted parameters' })).toContainText('0.35');

  const saved = join(place.folder, 'washout.cot.json');
  await save(window, saved);
  await close();
  const fit = commandLine(['fit', saved, '--json']) as { status: string; parameters: { k: { value: number } } };
  expect(fit.status).toBe('converged');
  expect(fit.parameters.k.value).toBeCloseTo(0.35, 2);
});

function commandLine(args: readonly string[]): unknown {
  const cotangent = join(import.meta.dirname, '../../build/cotangent.mjs');
  return JSON.parse(spawnSync(process.execPath, [cotangent, ...args], { encoding: 'utf8' }).stdout);
}

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
  host,
}) => {
  test.skip(host === 'desktop', 'the page alone does it, and is the same in every host');
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

test('a large table lies in a file that goes where the document goes', async ({ place }) => {
  const window = await place.open();
  const { page, close } = window;
  await expect(page).toHaveTitle(/Misra1a/);
  const lines = Array.from({ length: 60_000 }, (_, i) => `${i / 1000},${(3 + 2 * (i / 1000)).toFixed(3)}`);
  await give(page, 'long run.csv', `t,y\n${lines.join('\n')}\n`);
  await expect(status(page)).toHaveText(/60\s000 rows/);
  await expect(dialog(page)).toContainText('more rows');
  await page.getByRole('button', { name: 'Make a model' }).click();
  // The shapes that could fit are fitted to every row first.
  await expect(page).toHaveTitle(/long run/);
  const saved = join(place.folder, 'long.cot.json');
  await save(window, saved);
  const { tables } = JSON.parse(readFileSync(saved, 'utf8')) as { tables: { data: { file: string } } };
  expect(tables.data.file).toMatch(/^long-run-[0-9a-f]{8}\.csv$/);
  expect(readdirSync(place.folder)).toContain(tables.data.file);
  await close();
  const { values } = commandLine(['evaluate', saved, '--output', 'misfit', '--json']) as { values: { misfit: number } };
  expect(values.misfit).toBeLessThan(0.01);
});

test('the preview has no serious fault of accessibility, in light and dark', async ({ place, host }) => {
  test.skip(host === 'desktop', 'axe opens a page of its own, which the packaged app has none of');
  const { page, close } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without motion, or axe would look at colours on their way from one theme to the other.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const text of ['t,y,z\n0,1,a\n1,over,b\n2,3,\n3,4,a\n4,5,a\n', 'x,y\n1,2,3\n']) {
      await give(page, 'a.csv', text);
      await expect(page.getByRole('button', { name: 'Close without importing' })).toBeVisible();
      await expect(page.getByRole('table', { name: 'First rows' }).or(dialog(page).getByRole('alert'))).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).include('dialog').analyze();
      const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(grave.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      await page.keyboard.press('Escape');
    }
  }
  await close();
});
