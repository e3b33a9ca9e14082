/** Each analysis of the window, run once on a small model, and what it leaves to be seen. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { downloaded, expect, test } from './window.ts';

interface Document {
  blocks: { lower?: number; upper?: number }[];
}

/** Samples need ranges: a study of a model without any is refused, with ranges to begin with. */
function takeRanges(path: string): void {
  const document = JSON.parse(readFileSync(path, 'utf8')) as Document;
  for (const block of document.blocks) {
    delete block.lower;
    delete block.upper;
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
  await page.getByRole('button', { name: /^Run( again)?$/ }).click();
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
  await expect(page.getByRole('table', { name: 'Runs of this document' }).getByRole('row')).toHaveCount(4);
  await close();
});

test('every method of uncertainty leaves its plots, and a table to take away', async ({ place }) => {
  const window = await place.open();
  const { page, close } = window;
  await tab(page, 'Uncertainty');
  await study(page, 'Covariance');
  await done(page, 'uncertainty');
  await expect(page.getByRole('img', { name: 'Correlation of the parameters' })).toBeVisible();
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
  expect(file.text).toMatch(/^parameter,value,unit,lower,upper,level,.*\r\nb1,23[0-9]\./);
  await close();
});

test('every method of sensitivity leaves its plots; a changed model makes them stale', async ({ place }) => {
  takeRanges(place.model);
  const { page, close } = await place.open();
  await tab(page, 'Sensitivity');
  const methods = [
    ['Local', 'local', undefined],
    ['Morris', 'morris', ['trajectories', '8']],
    ['Sobol’', 'sobol', ['samples', '64']],
    ['DGSM', 'dgsm', ['samples', '64']],
    ['Active subspace', 'active-subspace', ['samples', '64']],
  ] as const;
  await page.getByRole('radio', { name: 'Sobol’', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the sensitivity study' })).toHaveText(/^\s*Refused/);
  await page.getByRole('button', { name: /^Vary/ }).click();
  await done(page, 'sensitivity');
  await expect(page.getByLabel('from of b1')).not.toHaveValue('');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByLabel('from of b1')).toHaveValue('');
  await page.getByRole('button', { name: 'Redo' }).click();

  for (const [name, method, samples] of methods) {
    await study(page, name, samples);
    await expect(page.getByRole('img', { name: new RegExp(`^Sensitivity of .* by ${method}$`) })).toBeVisible();
  }
  await expect(page.getByRole('img', { name: 'Eigenvalues' })).toBeVisible();
  await page.getByRole('radio', { name: 'Sobol’', exact: true }).click();
  await expect(page.getByRole('img', { name: 'Sᴛ as the sample grows' })).toBeVisible();

  // How a fit goes about it means nothing to a study of the model; what is counted does.
  await page.getByLabel('Method of the fit').selectOption('newton-cg');
  const outcome = page.getByRole('status', { name: 'Outcome of the sensitivity study' });
  await expect(outcome).not.toContainText('Stale');
  await tab(page, 'Parameters');
  await page.getByLabel('scale of b1').selectOption('log');
  await tab(page, 'Sensitivity');
  await expect(outcome).toContainText('Stale:');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(outcome).not.toContainText('Stale');
  await close();
});

/** Its parameters have an element for each label, in the order in which rows have them. */
function takePuromycin(folder: string): string {
  for (const file of ['puromycin.cot.json', 'puromycin.csv'])
    copyFileSync(join(import.meta.dirname, '../../models/catalogue', file), join(folder, file));
  return join(folder, 'puromycin.cot.json');
}

test('what a stale result found bears the labels and units that it was found with', async ({ place }) => {
  const { page, close } = await place.open(takePuromycin(place.folder));
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  await page.getByRole('group', { name: 'Study this fit' }).getByRole('button', { name: 'Intervals' }).click();
  await done(page, 'uncertainty');
  const card = page.locator('figure', { has: page.getByRole('img', { name: 'Profile of Vmax[treated]' }) });
  const row = (table: string) => page.getByRole('table', { name: table }).getByRole('row').nth(1);
  // R: nls(rate ~ Vm * conc/(K + conc)) of the treated rows alone gives Vm 212.7.
  const named = /\[treated\]\s*212\./;
  await expect(row('Intervals of the parameters')).toHaveText(named);
  await expect(card).toContainText('counts/min²');

  await tab(page, 'Data');
  await page.getByRole('button', { name: 'Take into the document' }).click();
  await page.getByLabel('state of row 0', { exact: true }).fill('untreated');
  await page.keyboard.press('Enter');
  await tab(page, 'Parameters');
  const unit = page.getByLabel('unit of Vmax', { exact: true });
  await unit.fill('kcounts/min^2');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(/^state, /).first()).toContainText('untreated, treated');

  await tab(page, 'Uncertainty');
  await expect(page.getByRole('status', { name: 'Outcome of the uncertainty study' })).toContainText('Stale');
  await expect(row('Intervals of the parameters')).toHaveText(named);
  await expect(card).toContainText('counts/min²');
  await expect(card).not.toContainText('kcounts');
  await tab(page, 'Fit');
  await expect(row('Fitted parameters')).toHaveText(named);

  // A run of now has its elements in other places, and in the same rows.
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  await tab(page, 'Results');
  await page.getByLabel('Compare run 3').check();
  await page.getByLabel('Compare run 1').check();
  const side = page.getByRole('table', { name: 'Runs side by side' }).getByRole('row', { name: /Vmax ?\[?treated/ });
  await expect(side).toContainText(/216\.6\d* 212\.68/);
  await close();
});

test('a fit of many starts is paused, goes on and is stopped; what is asked of it stands in one table', async ({
  place,
}) => {
  const { page } = await place.open();
  const outcome = page.getByRole('status', { name: 'Outcome of the fit' });
  await tab(page, 'Parameters');
  await page.getByLabel('starts', { exact: true }).fill('20000');
  await page.getByLabel('Method', { exact: true }).selectOption('adam');
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(outcome).toHaveText(/^\s*Paused/);
  const paused = await outcome.textContent();
  await page.waitForTimeout(700);
  expect(await outcome.textContent()).toBe(paused);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(outcome).toHaveText(/^\s*Fitting/);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(outcome).toHaveText(/^\s*Stopped/);
});

test('parameters are bounded, fixed, tied and given priors in one table; each is undone', async ({ place }) => {
  const { page } = await place.open();
  await tab(page, 'Parameters');
  await page.getByLabel('lower bound of b1').fill('ten');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Wanted a number, got ten.' })).toBeAttached();
  await page.getByLabel('lower bound of b1').fill('10');
  await page.keyboard.press('Enter');
  await page.getByLabel('scale of b1').selectOption('log');
  await page.getByLabel('prior of b1', { exact: true }).selectOption('log-normal');
  await expect(page.getByLabel('prior of b1, mean')).toHaveValue('0');
  await page.getByLabel('formula that b2 is tied to').fill('b1/434000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('follows its formula')).toBeVisible();
  // Levenberg–Marquardt, which this document names, has no priors.
  await page.getByLabel('Method', { exact: true }).selectOption('');
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.click();
  await undo.click();
  await expect(page.getByText('follows its formula')).toBeHidden();
  for (let i = 0; i < 3; i++) await undo.click();
  await expect(undo).toBeDisabled();
});

test('runs are compared, named, pinned and removed', async ({ place }) => {
  const { page } = await place.open();
  const fit = page.getByRole('button', { name: 'Fit', exact: true });
  await tab(page, 'Results');
  const rows = page.getByRole('table', { name: 'Runs of this document' }).getByRole('row');
  await fit.click();
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Method of the fit').selectOption('nelder-mead');
  await fit.click();
  await expect(rows).toHaveCount(3);
  await page.getByLabel('Name of run 2').fill('simplex');
  await page.keyboard.press('Enter');
  await page.getByLabel('Compare run 1').check();
  await page.getByLabel('Compare run 2').check();
  const table = page.getByRole('table', { name: 'Runs side by side' });
  await expect(table).toContainText('simplex');
  await expect(table.getByRole('row')).toHaveCount(4);
  await page.getByRole('button', { name: 'Pin run 1' }).click();
  await expect(rows.nth(1).getByRole('cell').nth(1)).toHaveText('1');
  await page.getByRole('button', { name: 'Remove run 2' }).click();
  await expect(table).toBeHidden();
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await expect(rows).toHaveCount(3);
  await expect(page.getByLabel('Name of run 2')).toHaveValue('simplex');
});

test('a plot is looked at closely by box, wheel and keys; points with a line around them are excluded', async ({
  place,
}) => {
  const { page } = await place.open();
  await tab(page, 'Residuals');
  const plot = page.getByRole('img', { name: /^Residuals of y/ });
  const whole = page.getByRole('button', { name: /^Show all of Residuals of y/ });
  const box = (await plot.boundingBox())!;
  await page.mouse.move(box.x + 100, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 110, { steps: 4 });
  await page.mouse.up();
  await expect(whole).toBeVisible();
  await plot.dblclick();
  await expect(whole).toBeHidden();
  await page.mouse.move(box.x + 200, box.y + 80);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -120);
  await page.keyboard.up('Control');
  await expect(whole).toBeVisible();
  await whole.click();
  await plot.focus();
  await page.keyboard.press('+');
  await expect(whole).toBeVisible();
  await page.keyboard.press('0');
  await expect(whole).toBeHidden();

  await page.getByRole('button', { name: /^Choose points of/ }).click();
  await page.mouse.move(box.x + 8, box.y + 2);
  await page.mouse.down();
  const corners = [
    [0.5, 2],
    [0.5, box.height - 2],
    [0, box.height - 2],
  ] as const;
  for (const [across, down] of corners)
    await page.mouse.move(box.x + 8 + across * box.width, box.y + down, { steps: 4 });
  await page.mouse.up();
  const chosen = page.getByRole('form', { name: 'Chosen points' });
  await expect(chosen.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('the stopper leaked');
  await page.keyboard.press('Enter');
  await tab(page, 'Data');
  const excluded = page.getByRole('button', { name: /^Include row/ });
  await expect(page.getByLabel('Why row 0 is excluded')).toHaveValue('the stopper leaked');
  const count = await excluded.count();
  await tab(page, 'Fit');
  await expect(page.getByText(`${count} of 14 excluded`)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByText(/excluded/)).toBeHidden();

  // By a formula of columns and of what the model says of each row; one step, with its reason.
  await tab(page, 'Data');
  await page.getByRole('button', { name: 'Exclude by formula' }).click();
  await page.keyboard.type('x + 1');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('x + 1 is a number');
  await page.getByLabel('Exclude rows where').fill('x > 500 and y > curve; beyond the range');
  await page.getByLabel('Exclude rows where').press('Enter');
  await expect(page.getByLabel('Why row 13 is excluded')).toHaveValue('beyond the range');
  await expect(page.getByRole('button', { name: 'Exclude row 0' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByLabel('Why row 13 is excluded')).toBeHidden();

  // The table is taken out of its file, and has a column by formula, whose block covers no other.
  await page.getByRole('button', { name: 'Take into the document' }).click();
  await expect(page.getByLabel('x of row 0')).toHaveValue('77.6');
  await page.getByRole('button', { name: 'Column by formula' }).click();
  await page.keyboard.type('z = 2 * x');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('cell', { name: '155.2' })).toBeVisible();
  const [z, x] = await Promise.all(
    ['z', 'x'].map((id) => page.locator(`.svelte-flow__node[data-id="${id}"]`).boundingBox()),
  );
  expect(z!.y).toBeGreaterThan(x!.y + x!.height);
});

test('a parameter is made one for each group, or to scatter over them, and shared again', async ({ place }) => {
  const rows = ['a', 'b', 'c', 'd', 'e'].flatMap((who, g) => [0, 1, 2, 3].map((t) => ({ who, t, y: 9 + g + t })));
  const column = (id: string) => ({ id, kind: 'column', table: 'data', column: id });
  const columns = {
    who: rows.map(({ who }) => who),
    t: rows.map(({ t }) => t),
    y: rows.map(({ y }, i) => y + (i % 3)),
  };
  const blocks = [
    ...[{ ...column('who'), type: 'category' }, column('t'), column('y')],
    ...[
      { id: 'a', kind: 'parameter', initial: 10 },
      { id: 'line', kind: 'map', formula: 'a + t' },
    ],
    { id: 'loss', kind: 'least-squares', prediction: 'line', observed: 'y' },
  ];
  const document = { format: 'cotangent/1', tables: { data: { columns } }, blocks, objective: 'loss' };
  writeFileSync(place.model, JSON.stringify(document));
  const { page } = await place.open();
  const block = (id: string) => page.locator(`.svelte-flow__node[data-id="${id}"]`);
  await block('a').click();
  const groups = page.getByLabel('Groups', { exact: true });
  await groups.selectOption('hierarchical');
  await expect(block('between')).toBeVisible();
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  await expect(page.getByText('between.sd.a', { exact: true })).toBeVisible();
  await groups.selectOption('group');
  await expect(block('between')).toBeHidden();
  await groups.selectOption('shared');
  await expect(block('a_row')).toBeHidden();
  for (let step = 0; step < 3; step++) await page.keyboard.press('ControlOrMeta+z');
  await expect(groups).toHaveValue('shared');
  await expect(page.getByLabel(/^Input a of \w+, real from a$/)).toBeAttached();
});

test('models are compared on the same data, and what to measure next is asked of the better one', async ({ place }) => {
  const { page } = await place.open();
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);

  await tab(page, 'Models');
  await page.getByRole('button', { name: 'Keep this model' }).click();
  await page.locator('.svelte-flow__node[data-id=curve] header').click();
  await page.locator('.inspector .cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('b1*b2*x');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const outcome = page.getByRole('status', { name: 'Outcome of the comparison' });
  await expect(outcome).toContainText('Model 1 is best');
  await expect(page.getByRole('table', { name: 'Models of the same data' }).getByRole('row').nth(1)).toContainText('1');
  // The kept model takes the place of the one that was tried, which is kept in turn: one undo takes that back.
  await page.getByRole('button', { name: 'Use', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).not.toContainText('Stale');
  await expect(page.getByLabel('Name of Model 2')).toBeVisible();

  await tab(page, 'Next');
  await page.getByLabel('What is to be narrowed').selectOption('b2');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const samples = page.getByRole('table', { name: 'Best further samples' });
  await expect(samples.getByRole('row')).toHaveCount(5);
  await page.getByRole('slider', { name: /^One more sample at/ }).press('End');
  await expect(samples).toContainText('at the pointer');
});

test('a fit with random effects is diagnosed, and a click on the worst group shows hers', async ({ place }) => {
  const name = 'theophylline-population';
  for (const file of [`${name}.cot.json`, `${name}.fit.json`, 'theoph.csv'])
    copyFileSync(join('models', 'catalogue', file), join(place.folder, file));
  const { page, close } = await place.open(join(place.folder, `${name}.cot.json`));
  await tab(page, 'Residuals');
  await page.getByRole('button', { name: 'Diagnose random effects' }).click();
  await expect(page.getByRole('img', { name: 'Visual predictive check against time, h' })).toBeVisible();
  for (const title of ['Conditional weighted residuals', 'Normalised prediction errors'])
    await expect(page.getByRole('img', { name: `${title} against population prediction` })).toHaveCount(1);
  await expect(page.getByText(/shrinkage 0\.44/)).toHaveCount(1);
  // All plots stand left of what is beside them, and are reached by scrolling down.
  const across = await page.locator('.residuals > .figures').evaluate((all) => [all.scrollWidth, all.clientWidth]);
  expect(across[0]).toBe(across[1]);
  const shots = process.env['DIAGNOSED'];
  for (const scheme of shots ? (['light', 'dark'] as const) : []) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: `${shots}-${scheme}.png` });
  }
  await page.getByRole('button', { name: /^5 2\.46/ }).click();
  await expect(page.getByLabel('Picture 1').locator('option:checked')).toHaveText(/ 5$/);
  await close();
});

test('random effects are integrated out as it is chosen beside the method', async ({ place }) => {
  const name = 'sleep-study';
  for (const file of [`${name}.cot.json`, `${name}.fit.json`, 'sleepstudy.csv'])
    copyFileSync(join('models', 'catalogue', file), join(place.folder, file));
  const path = join(place.folder, `${name}.cot.json`);
  const { page, close } = await place.open(path);
  await tab(page, 'Parameters');
  const effects = page.getByLabel('How random effects are integrated out');
  await expect(effects).toHaveValue('laplace');
  await effects.selectOption('agq');
  await page.getByLabel('points', { exact: true }).fill('5');
  await page.keyboard.press('Tab');
  await effects.selectOption('reml');
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged(?!.*Stale)/s);
  await page.keyboard.press('Control+s');
  await expect(page.locator('footer')).toContainText('Saved');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ fit: { marginal: 'reml' } });
  const { objective } = JSON.parse(readFileSync(join(place.folder, `${name}.fit.json`), 'utf8')) as {
    objective: number;
  };
  // The REML criterion of lmer is twice this.
  expect(2 * objective).toBeCloseTo(1743.628, 2);
  await close();
});
