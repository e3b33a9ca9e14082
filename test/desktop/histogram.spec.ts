/** Times of decays, counted in bins, and the counts that an exponential law expects: from an empty canvas, by keys alone. */
import type { Locator, Page } from '@playwright/test';
import { emptyModel, expect, test } from './window.ts';

const node = (page: Page, id: string): Locator => page.locator(`.svelte-flow__node[data-id="${id}"]`);

/** What is to be wired to the block or port that has the focus. */
async function wireTo(page: Page, key: 'w' | 'Enter', dialog: string, recipe: string, id: string): Promise<void> {
  await page.keyboard.press(key);
  await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
  await page.keyboard.type('new block');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Add a block' })).toBeVisible();
  await page.keyboard.type(recipe);
  // What fits is known once the engine has answered.
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await backTo(page, id);
}

/** What is new asks for its formula or its name first. */
async function backTo(page: Page, id: string): Promise<void> {
  await expect(page.locator('.inspector :is(.cm-content, input):focus')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(node(page, id)).toBeFocused();
}

async function writeFormula(page: Page, id: string, text: string): Promise<void> {
  await page.keyboard.press('Enter');
  await expect(page.locator('.inspector .cm-content')).toBeFocused();
  // Text that comes before the selection is drawn stands beside what was to be replaced: no hand is as fast, and one would see it.
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+a');
    expect(await page.evaluate(() => String(getSelection()))).not.toBe('');
    await page.keyboard.insertText(text);
    await expect(page.locator('.inspector .cm-content')).toHaveText(text, { timeout: 1000 });
  }).toPass();
  await page.keyboard.press('Escape');
  await expect(node(page, id)).toBeFocused();
}

async function tabTo(page: Page, to: Locator): Promise<void> {
  await expect(to).toBeVisible();
  for (let left = 12; left > 0 && !(await to.evaluate((element) => element === document.activeElement)); left--)
    await page.keyboard.press('Tab');
  await expect(to).toBeFocused();
}

const count = 200;
const lifetime = 10;
/** As evenly as an exponential law lets them lie; the last is at 60. */
const times = Array.from({ length: count }, (_, i) => (-lifetime * Math.log(1 - (i + 0.5) / count)).toFixed(2));

test('a histogram of decays is pasted, binned and fitted by keys alone', async ({ place }) => {
  const { page } = await place.open();
  await expect(page.locator('.canvas.settled')).toBeVisible();
  await emptyModel(page);
  await page.evaluate(
    (text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    `t [s]\n${times.join('\n')}`,
  );
  await expect(page.getByRole('button', { name: 'Make a model' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Add to this model' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(node(page, 't')).toBeFocused();

  await wireTo(page, 'w', 'Wire from t', 'formula', 'f');
  await writeFormula(page, 'f', 'floor(t / 6)');
  await expect(node(page, 'f').getByRole('img', { name: 'floor(t / 6)' })).toBeVisible();
  await wireTo(page, 'w', 'Wire from f', 'histogram keys', 'binned');
  await tabTo(page, page.getByLabel(/^Input values of binned/));
  await wireTo(page, 'Enter', 'Source of values of binned', 'constant', 'c');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(node(page, 'binned')).toBeFocused();

  await wireTo(page, 'w', 'Wire from binned', 'observed poisson', 'likelihood');
  await tabTo(page, page.getByLabel(/^Input mean of likelihood/));
  await wireTo(page, 'Enter', 'Source of mean of likelihood', 'formula', 'f2');
  await writeFormula(page, 'f2', 'n * (exp(-6*i/tau) - exp(-6*(i + 1)/tau))');
  await page.keyboard.press('Space');
  await expect(page.getByRole('dialog', { name: 'Add a block' })).toBeVisible();
  await page.keyboard.type('range');
  await page.keyboard.press('Enter');
  await backTo(page, 'i');
  for (const name of ['n', 'tau']) {
    await tabTo(page, page.getByRole('button', { name: `Add parameter ${name}` }));
    await page.keyboard.press('Enter');
    await expect(node(page, name)).toBeVisible();
  }

  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  const row = (name: string) => page.getByRole('table', { name: 'Fitted parameters' }).getByRole('row', { name });
  const estimate = async (name: string) => parseFloat((await row(name).getByRole('cell').nth(1).textContent())!);
  const [n, tau] = [await estimate('n'), await estimate('tau')];
  expect(Math.abs(tau / lifetime - 1)).toBeLessThan(0.05);
  // Where a Poisson likelihood is greatest in a factor, as many are expected as were counted.
  expect(n * (1 - Math.exp(-60 / tau))).toBeCloseTo(count, 0);
});
