/**
 * axe looks at every view in light, in dark, with more contrast and with the system's own colours: nothing serious or
 * critical of WCAG 2.2 AA is left. What axe cannot see (keys, focus, motion, what is spoken) follows.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type Axe from 'axe-core';
import type { RunOnly } from 'axe-core';
import { expect, test } from './window.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const standards: RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
const contrast: RunOnly = { type: 'rule', values: ['color-contrast'] };

/** Without motion, or axe would look at colours that are on their way from one theme to the other. */
const still = { reducedMotion: 'reduce', forcedColors: 'none' } as const;

const looks = {
  light: { ...still, colorScheme: 'light', contrast: 'no-preference' },
  dark: { ...still, colorScheme: 'dark', contrast: 'no-preference' },
  'light with more contrast': { ...still, colorScheme: 'light', contrast: 'more' },
  'dark with more contrast': { ...still, colorScheme: 'dark', contrast: 'more' },
} as const;

const systemColours = { ...still, colorScheme: 'light', contrast: 'more', forcedColors: 'active' } as const;

interface Violation {
  readonly id: string;
  readonly selector: string;
  readonly message: string;
  /**
   * A target on the canvas is as large as the zoom makes it. Each has its equal in the inspector (2.5.8, equivalent control):
   * ports are wired there from lists, parameters have wide sliders and fields.
   */
  readonly isOnCanvas: boolean;
}

/** What is serious or critical of what axe finds; it is loaded once into each page, and tells of what is wrong alone. */
async function violations(page: Page, look: string, runOnly: RunOnly, within?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const found = await page.evaluate(
    async ([rules, part]): Promise<readonly Violation[]> => {
      const { axe } = globalThis as unknown as { axe: typeof Axe };
      const result = await axe.run(part ?? document, { runOnly: rules, resultTypes: ['violations'], preload: false });
      return result.violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map(({ target, any }) => {
            const selector = target.join(' ');
            const isOnCanvas = document.querySelector(selector)?.closest('.svelte-flow__viewport') != null;
            return { id, selector, message: any[0]?.message ?? '', isOnCanvas };
          }),
        );
    },
    [runOnly, within] as const,
  );
  return found
    .filter(({ id, isOnCanvas }) => !(id === 'target-size' && isOnCanvas))
    .map(({ id, selector, message }) => `${look}: ${id} at ${selector}: ${message}`);
}

/** Puts the page into a look, and waits until it is drawn: the page hears of it with its next frame. */
async function show(page: Page, media: Parameters<Page['emulateMedia']>[0]): Promise<void> {
  await page.emulateMedia(media);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** What axe holds against the view as it stands. Names, roles and sizes are one in all looks; contrast is not. */
async function faults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [look, media] of Object.entries(looks)) {
    await show(page, media);
    found.push(...(await violations(page, look, look === 'light' ? standards : contrast)));
  }
  await show(page, looks.light);
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
  await show(page, systemColours);
  expect.soft(await violations(page, 'the colours of the system', standards), 'the example').toEqual([]);
  await show(page, looks.light);
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
    expect.soft(await violations(page, 'light', standards, '.inspector'), kind).toEqual([]);
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
  for (const [view, text] of [
    ['a table', 'time;conc\nh;mg/L\n0,5;4,1\n1;6,9\n2;8,2\n4;6,3\n'],
    ['a table with gaps, strays and labels', 't,y,z\n0,1,a\n1,over,b\n2,3,\n3,4,a\n4,5,a\n'],
    ['what is no table', 'x,y\n1,2,3\n'],
  ] as const) {
    await page.getByLabel('Table file').setInputFiles({
      name: 'a.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    });
    const preview = page.getByRole('dialog');
    await expect(preview.getByRole('button', { name: 'Close without importing' })).toBeVisible();
    await expect(preview.getByRole('table', { name: 'First rows' }).or(preview.getByRole('alert'))).toBeVisible();
    // The library comes once shapes are fitted.
    if (view === 'a table') await expect(preview.getByRole('listitem').first()).toBeVisible();
    await expectNoFaults(page, `the preview of ${view}`);
    await page.keyboard.press('Escape');
    await expect(preview).toBeHidden();
  }
});

/**
 * Whether nothing of an element is cut off or covered. Asked of the layout: `toBeInViewport` waits, at first without
 * an end, for an IntersectionObserver, which answers only when a frame is drawn.
 */
const isWhollySeen = (element: Element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const edges = [
    [left + 1, y],
    [right - 1, y],
    [x, top + 1],
    [x, bottom - 1],
  ] as const;
  return edges.every((point) => element.contains(document.elementFromPoint(...point)));
};

test('a window of half its size, as at 200 %, loses nothing and scrolls one way at most', async ({ place }) => {
  const { page } = await place.open(null);
  await fitted(page);
  await page.setViewportSize({ width: 720, height: 450 });
  for (const name of ['Fit', 'Start panel'] as const) {
    if (name === 'Start panel') await page.getByRole('button', { name }).click();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, name).toBeLessThanOrEqual(0);
    // Whether what is seen is saved is said at every size.
    const standing = page.locator('header.title .where');
    if (name === 'Fit') await expect.poll(() => standing.evaluate(isWhollySeen)).toBe(true);
    if (name === 'Fit') await expect(standing).toHaveText('read-only', { useInnerText: true });
    if (name === 'Fit')
      for (const button of ['Fit', 'Cover the canvas'])
        await expect
          .poll(() => page.getByRole('button', { name: button, exact: true }).evaluate(isWhollySeen))
          .toBe(true);
  }
  await expect.poll(() => page.getByRole('button', { name: /Fit my data/ }).evaluate(isWhollySeen)).toBe(true);
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
