/** Models and tables on their way in and out again: what the page and the files of its host do together. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { zipSync } from 'fflate';
import { dialog, drop, give, paste, status } from './giving.ts';
import { downloaded, expect, test, type OpenWindow } from './window.ts';

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

function commandLine(args: readonly string[]): unknown {
  const cotangent = join(import.meta.dirname, '../../build/cotangent.mjs');
  return JSON.parse(spawnSync(process.execPath, [cotangent, ...args], { encoding: 'utf8' }).stdout);
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
