/**
 * axe looks at every view in light, in dark, with more contrast and with the system's own colours: nothing serious or
 * critical of WCAG 2.2 AA is left. What axe cannot see (keys, focus, motion, what is spoken) follows.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './window.ts';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Without motion, or axe would look at colours that are on their way from one theme to the other. */
const still = { reducedMotion: 'reduce', forcedColors: 'none' } as const;

const looks = {
  light: { ...still, colorScheme: 'light', contrast: 'no-preference' },
  dark: { ...still, colorScheme: 'dark', contrast: 'no-preference' },
  'light with more contrast': { ...still, colorScheme: 'light', contrast: 'more' },
  'dark with more contrast': { ...still, colorScheme: 'dark', contrast: 'more' },
} as const;

const systemColours = { ...still, colorScheme: 'light', contrast: 'more', forcedColors: 'active' } as const;

/**
 * A target on the canvas is as large as the zoom makes it. Each has its equal in the inspector (2.5.8, equivalent control):
 * ports are wired there from lists, parameters have wide sliders and fields.
 */
async function isOnCanvas(page: Page, selector: string): Promise<boolean> {
  return page.evaluate((path) => document.querySelector(path)?.closest('.svelte-flow__viewport') != null, selector);
}

async function violations(page: Page, look: string, rules: Pick<AxeBuilder, 'analyze'>): Promise<string[]> {
  const found: string[] = [];
  for (const { id, impact, nodes } of (await rules.analyze()).violations) {
    if (impact !== 'serious' && impact !== 'critical') continue;
    for (const { target, any } of nodes) {
      const selector = target.join(' ');
      if (id === 'target-size' && (await isOnCanvas(page, selector))) continue;
      found.push(`${look}: ${id} at ${selector}: ${any[0]?.message ?? ''}`);
    }
  }
  return found;
}

/** In the page itself: its own way opens another page for each look, to put together frames that we do not have. */
const axeOn = (page: Page): AxeBuilder => new AxeBuilder({ page }).setLegacyMode(true);

/** What axe holds against the view as it stands. Names, roles and sizes are one in all looks; contrast is not. */
async function faults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [look, media] of Object.entries(looks)) {
    await page.emulateMedia(media);
    // The page hears of it with its next frame.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const axe = axeOn(page);
    found.push(
      ...(await violations(page, look, look === 'light' ? axe.withTags(standards) : axe.withRules(['color-contrast']))),
    );
  }
  await page.emulateMedia(looks.light);
  return found;
}

async function expectNoFaults(page: Page, view: string): Promise<void> {
  expect.soft(await faults(page), view).toEqual([]);
}

const block = (page: Page, id: string) => page.getByLabel(new RegExp(`^${id}, `)).first();
const fitted = (page: Page) =>
  expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);

test('the example, its panels before anything has run, and the adjoint view', async ({ place }) => {
  const { page } = await place.open(null);
  await fitted(page);
  await expectNoFaults(page, 'the example, with the offer of a tour');
  await page.emulateMedia(systemColours);
  const own = axeOn(page).withTags(standards);
  expect.soft(await violations(page, 'the colours of the system', own), 'the example').toEqual([]);
  await page.emulateMedia(looks.light);
  await page.getByRole('button', { name: 'Not now' }).click();
  for (const name of ['Residuals', 'Uncertainty', 'Sensitivity', 'Next', 'Models', 'Results', 'Data', 'Problems']) {
    await page.getByRole('tab', { name }).click();
    await expectNoFaults(page, `${name}, before anything has run`);
  }
  await page.getByRole('tab', { name: 'Fit' }).click();
  await page.keyboard.press('d');
  await expect(page.getByRole('tab', { name: 'Rules' })).toBeVisible();
  await expectNoFaults(page, 'the adjoint view');
});

test('what floats: search, palette, help, tour, dialogs', async ({ place }) => {
  const { page } = await place.open();
  await expect(block(page, 'curve')).toBeVisible();
  await page.keyboard.press('Space');
  await expect(page.getByRole('dialog', { name: 'Add a block' })).toBeVisible();
  await expectNoFaults(page, 'the search for a block');
  await page.keyboard.press('Escape');

  await page.keyboard.press('ControlOrMeta+k');
  await expectNoFaults(page, 'the palette');
  await page.keyboard.press('Escape');

  await page.keyboard.press('F1');
  await expectNoFaults(page, 'the keys');
  await page.getByRole('button', { name: 'scan', exact: true }).click();
  await expectNoFaults(page, 'help on a block');
  await page.getByRole('button', { name: 'Take the tour' }).click();
  await expectNoFaults(page, 'a card of the tour');
  await page.keyboard.press('Escape');

  await page.keyboard.press('ControlOrMeta+o');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoFaults(page, 'the open dialog');
  await page.keyboard.press('Escape');

  await page.keyboard.press('ControlOrMeta+Shift+s');
  await expect(page.getByRole('dialog', { name: 'Save as' })).toBeVisible();
  await expectNoFaults(page, 'the save dialog');
  await page.keyboard.press('Escape');

  await page.getByRole('heading', { level: 1 }).getByRole('button').click();
  await page.keyboard.type(' edited');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Start panel' }).click();
  await expect(page.getByRole('dialog', { name: /Save the changes/ })).toBeVisible();
  await expectNoFaults(page, 'the question before edits are left');
  await page.getByRole('button', { name: 'Do not save' }).click();
  await expect(page.getByRole('heading', { name: 'Examples' })).toBeVisible();
  await expectNoFaults(page, 'the start panel');
});

const everyKind = {
  format: 'cotangent/1',
  name: 'Every kind',
  tables: { t: { columns: { x: [1, 2, 3, 4], y: [1, 2, 3, 5], g: ['a', 'b', 'a', 'b'] } } },
  blocks: [
    { id: 'x', kind: 'column', table: 't', column: 'x' },
    { id: 'y', kind: 'column', table: 't', column: 'y' },
    { id: 'g', kind: 'column', table: 't', column: 'g' },
    { id: 'k', kind: 'parameter', initial: 1, lower: 0, upper: 3, prior: { family: 'normal', mean: 1, sd: 1 } },
    { id: 'levels', kind: 'parameter', initial: 1, like: 'g' },
    { id: 'c', kind: 'constant', value: 2 },
    { id: 'steps', kind: 'range', length: 4 },
    { id: 'taken', kind: 'gather', from: 'levels', indices: 'g' },
    { id: 'm', kind: 'map', formula: 'k * x + taken + c' },
    { id: 'total', kind: 'reduce', operator: 'add', values: 'm' },
    {
      id: 'broken',
      kind: 'scan',
      values: ['x', 'y'],
      operator: { left: ['b1', 'c1'], right: ['b2', 'c2'], result: ['b2 - c2*b1', 'c1*c2'], neutral: [0, 1] },
    },
    { id: 'bins', kind: 'histogram', operator: 'max', keys: 'g', values: 'm', bins: 'g' },
    { id: 'series', kind: 'recurrence', state: { s: { initial: 0, next: 's + x' } }, inputs: { x: 'x' } },
    { id: 'decay', kind: 'ode', times: 'x', state: { A: { initial: 1, rate: '-k * A' } } },
    { id: 'some', kind: 'filter', values: 'x', where: 'x > 2' },
    { id: 'loss', kind: 'least-squares', prediction: 'm', observed: 'y', loss: { kind: 'huber', scale: 1 } },
    { id: 'odds', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 1 },
  ],
  objective: 'loss',
};

test('the inspector of every kind, and an operator that breaks its laws', async ({ place }) => {
  const model = join(place.folder, 'every.cot.json');
  writeFileSync(model, JSON.stringify(everyKind));
  const { page } = await place.open(model);
  await expect(page.locator('.canvas.settled')).toBeVisible();
  for (const { id, kind } of everyKind.blocks) {
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type(id);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText(id);
    expect
      .soft(await violations(page, 'light', new AxeBuilder({ page }).include('.inspector').withTags(standards)), kind)
      .toEqual([]);
  }
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('broken');
  await page.keyboard.press('Enter');
  await expect(page.locator('.inspector')).toContainText('(a ⊙ b) ⊙ c');
  await expectNoFaults(page, 'an operator that breaks its laws');
});

test('a menu, a formula with an error, and the problems', async ({ place }) => {
  const { page } = await place.open();
  await block(page, 'curve').locator('header').click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeVisible();
  await expectNoFaults(page, 'a menu');
  await page.keyboard.press('Escape');
  await block(page, 'curve').locator('header').click();
  await page.locator('.inspector .cm-content').click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(' + unheard');
  await expect(page.locator('.inspector').getByRole('alert').first()).toContainText('unheard');
  await page.getByRole('tab', { name: 'Problems' }).click();
  await expectNoFaults(page, 'a formula with an error, and the problems');
});

test('panels with results', async ({ place }) => {
  const { page } = await place.open();
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await fitted(page);
  await expectNoFaults(page, 'Fit, fitted');
  for (const name of ['Parameters', 'Residuals']) {
    await page.getByRole('tab', { name }).click();
    await expectNoFaults(page, `${name}, fitted`);
  }
  for (const [panel, method] of [
    ['Uncertainty', 'Profile likelihood'],
    ['Sensitivity', 'Sobol’'],
  ] as const) {
    await page.getByRole('tab', { name: panel }).click();
    await page.getByRole('radio', { name: method, exact: true }).click();
    await page.getByRole('button', { name: /^Run( again)?$/ }).click();
    const outcome = page.getByRole('status', { name: `Outcome of the ${panel.toLowerCase()} study` });
    await expect(outcome).toHaveText(/^\s*Done/);
    await expectNoFaults(page, `${panel}, with results`);
  }
  await page.getByRole('tab', { name: 'Results' }).click();
  await expectNoFaults(page, 'Results, of three runs');
});

test('a table that is brought in', async ({ place }) => {
  const { page } = await place.open();
  await expect(block(page, 'curve')).toBeVisible();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'time;conc\nh;mg/L\n0,5;4,1\n1;6,9\n2;8,2\n4;6,3\n');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoFaults(page, 'the preview of a table');
});

test('a window of half its size, as at 200 %, loses nothing and scrolls one way at most', async ({ place }) => {
  const { page } = await place.open(null);
  await fitted(page);
  await page.setViewportSize({ width: 720, height: 450 });
  for (const name of ['Fit', 'Start panel'] as const) {
    if (name === 'Start panel') await page.getByRole('button', { name }).click();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, name).toBeLessThanOrEqual(0);
  }
  await expect(page.getByRole('button', { name: /Fit my data/ })).toBeInViewport();
});

test('without motion nothing passes over time', async ({ place }) => {
  const { page } = await place.open();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect(block(page, 'curve')).toBeVisible();
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        return [transitionDuration, animationDuration].some((list) =>
          list.split(',').some((time) => parseFloat(time) > 0),
        );
      }).length,
  );
  expect(moving).toBe(0);
});

test('what is laid over the window gives the focus back', async ({ place }) => {
  const window = await place.open();
  const { page } = window;
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const dialog = page.getByRole('dialog');
  for (const keys of ['ControlOrMeta+k', 'F1', 'ControlOrMeta+,']) {
    await save.focus();
    await page.keyboard.press(keys);
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(save).toBeFocused();
  }
  await window.close();
});
