/**
 * axe looks at every view in light, in dark, with more contrast and with the system's own colours: nothing serious or
 * critical of WCAG 2.2 AA is left. What axe cannot see (keys, focus, motion, what is spoken) follows.
 */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './window.ts';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const looks = {
  light: { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' },
  dark: { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'none' },
  'light with more contrast': { colorScheme: 'light', contrast: 'more', forcedColors: 'none' },
  'dark with more contrast': { colorScheme: 'dark', contrast: 'more', forcedColors: 'none' },
} as const;

const systemColours = { colorScheme: 'light', contrast: 'more', forcedColors: 'active' } as const;

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

/** What axe holds against the view as it stands. Names, roles and sizes are one in all looks; contrast is not. */
async function faults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [look, media] of Object.entries(looks)) {
    await page.emulateMedia(media);
    // Colours pass over from one theme to the other.
    await page.waitForTimeout(250);
    const axe = new AxeBuilder({ page });
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
  test.setTimeout(240_000);
  const { page } = await place.open(null);
  await fitted(page);
  await expectNoFaults(page, 'the example, with the offer of a tour');
  await page.emulateMedia(systemColours);
  const own = new AxeBuilder({ page }).withTags(standards);
  expect.soft(await violations(page, 'the colours of the system', own), 'the example').toEqual([]);
  await page.emulateMedia(looks.light);
  await page.getByRole('button', { name: 'Not now' }).click();
  for (const name of ['Residuals', 'Uncertainty', 'Sensitivity', 'Results', 'Data', 'Problems']) {
    await page.getByRole('tab', { name }).click();
    await expectNoFaults(page, `${name}, before anything has run`);
  }
  await page.getByRole('tab', { name: 'Fit' }).click();
  await page.keyboard.press('d');
  await expect(page.getByRole('tab', { name: 'Rules' })).toBeVisible();
  await expectNoFaults(page, 'the adjoint view');
});

test('what floats: search, palette, help, tour, dialogs', async ({ place }) => {
  test.setTimeout(240_000);
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
