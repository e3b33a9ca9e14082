/** The tour of the example, help where things stand, and the keys: by keyboard alone. */
import type { Page } from '@playwright/test';
import { give } from './giving.ts';
import { expect, test } from './window.ts';

const card = (page: Page) => page.getByRole('dialog', { name: /.+/ });
const steps = [
  'A model is a drawing',
  'Sliders move the curve',
  'The curve over the data',
  'Fit, and what came of it',
  'What the data determine',
  'How sure, and what matters',
  'Derivatives on the wires',
  'Now with your own data',
];

test('a newcomer is offered a tour, goes through it by keys, and is not asked again', async ({ place }) => {
  const { page } = await place.open(null);
  await page.getByRole('button', { name: 'Take the tour' }).click();
  for (const [i, title] of steps.entries()) {
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(card(page)).toContainText(`${i + 1} of ${steps.length}`);
    await expect(card(page).getByRole('button', { name: /Next|Done/ })).toBeFocused();
    // What it points at is on screen, within the window.
    const ring = await page.locator('.ring').boundingBox();
    expect(ring?.width, title).toBeGreaterThan(8);
    const inside = async () => {
      const box = await card(page).boundingBox();
      return box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 1440 && box.y + box.height <= 900;
    };
    await expect.poll(inside, { message: title }).toBe(true);
    if (i === 1) {
      await page.keyboard.press('ArrowLeft');
      await expect(page.getByRole('heading', { name: steps[0]! })).toBeVisible();
      await page.keyboard.press('ArrowRight');
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
    }
    await page.keyboard.press('Enter');
  }
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.reload();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  await expect(page.getByRole('button', { name: 'Take the tour' })).toHaveCount(0);
  // It can be taken again, and left at any card.
  await page.keyboard.press('ControlOrMeta+k');
  const search = page.getByRole('dialog').getByRole('combobox');
  await search.fill('take the tour');
  await search.press('Enter');
  await expect(page.getByRole('heading', { name: steps[0]! })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the tour is offered beside the example alone', async ({ place }) => {
  const { page } = await place.open(null);
  const offer = page.getByRole('button', { name: 'Take the tour' });
  await expect(offer).toBeVisible();
  await give(page, 'own.csv', 't,y\n0,9\n1,6.1\n2,4\n3,2.7\n4,1.8\n5,1.2\n');
  await page.getByRole('button', { name: 'Make a model' }).click();
  await expect(page).toHaveTitle(/own/);
  await expect(page.locator('.canvas.settled')).toBeVisible();
  await expect(offer).toHaveCount(0);
});

test('help explains what has the focus; F1 opens it in full; keys are listed as they are bound', async ({ place }) => {
  const { page } = await place.open();
  await page
    .getByLabel(/^curve, /)
    .first()
    .locator('header')
    .click();
  const kind = page.locator('.inspector').getByRole('button', { name: 'map', exact: true });
  await kind.hover();
  const tip = page.getByRole('tooltip');
  await expect(tip).toContainText('A formula, element by element.');
  await expect(kind).toHaveAttribute('aria-describedby', (await tip.getAttribute('id')) ?? '');
  await page.keyboard.press('Escape');
  await expect(tip).toBeHidden();

  await page.keyboard.press('F1');
  const help = page.getByRole('dialog', { name: 'Help' });
  await expect(help.getByRole('region', { name: 'map' })).toContainText('A formula, element by element.');
  await help.getByRole('searchbox').fill('sobol');
  await help.getByRole('button', { name: 'Sobol’' }).click();
  await expect(help.getByRole('region', { name: 'Sobol’' })).toContainText('Saltelli');
  await help.getByRole('button', { name: 'Keys' }).click();
  await expect(help.getByRole('region', { name: 'Keys' })).toContainText('Ctrl ↵');
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
});

test('nothing moves while the window opens, and the first frame has the theme that was chosen', async ({ place }) => {
  const { page } = await place.open();
  await page.getByRole('button', { name: 'Light or dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.addInitScript(() => {
    const seen = { shift: 0, first: '' };
    Object.assign(globalThis, { seen });
    // A block that is laid out appears where it belongs: shifts are summed from the first frame on.
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => (seen.first = getComputedStyle(document.documentElement).colorScheme));
  });
  await page.reload();
  await expect(page.locator('.canvas.settled')).toBeVisible();
  await page.waitForTimeout(1500);
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: { shift: number; first: string } }).seen);
  expect(seen.first).toBe('dark');
  expect(seen.shift).toBeLessThan(0.02);
});
