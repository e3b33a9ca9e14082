/** Documents of the catalogue open so that they can be read: wholly in view, large enough, no block on another; a large one where its objective is. */
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './window.ts';

const catalogue = join(import.meta.dirname, '../../models/catalogue');
const mostBlocks = 17;
const leastZoom = 0.85;

interface Example {
  readonly name: string;
  readonly blocks: readonly { readonly id: string }[];
}
const examples = readdirSync(catalogue)
  .filter((file) => file.endsWith('.cot.json'))
  .map((file) => JSON.parse(readFileSync(join(catalogue, file), 'utf8')) as Example)
  .filter(({ blocks }) => blocks.length <= mostBlocks);

test('documents of up to 17 blocks open wholly at 85 % or more', async ({ place }) => {
  const { page } = await place.open(null);
  for (const { name, blocks } of examples) {
    await page.getByRole('button', { name: 'Start panel' }).click();
    await page.getByRole('button', { name }).click();
    await expect(page).toHaveTitle(new RegExp(name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
    await expect(page.locator('.canvas.settled')).toBeVisible();
    await expect(page.locator('.svelte-flow__node')).toHaveCount(blocks.length);
    const seen = await page.evaluate(() => {
      const viewport = document.querySelector('.svelte-flow__viewport')!;
      const canvas = document.querySelector('.canvas')!.getBoundingClientRect();
      const cards = [...document.querySelectorAll('.svelte-flow__node:not(:has(.chip:not(.block .chip)))')].map(
        (node) => node.getBoundingClientRect(),
      );
      return {
        zoom: new DOMMatrix(getComputedStyle(viewport).transform).a,
        beyond: cards.filter(
          (r) => r.left < canvas.left || r.top < canvas.top || r.right > canvas.right || r.bottom > canvas.bottom,
        ).length,
        covered: cards.filter((a) =>
          cards.some((b) => a !== b && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
        ).length,
      };
    });
    expect.soft(seen.zoom, name).toBeGreaterThanOrEqual(leastZoom);
    expect.soft({ beyond: seen.beyond, covered: seen.covered }, name).toEqual({ beyond: 0, covered: 0 });
  }
});

test('however small the canvas, a formula is large enough to be read and within its block, or its block shows its picture', async ({
  place,
}) => {
  copyFileSync(join(catalogue, 'theoph.csv'), join(place.folder, 'theoph.csv'));
  const file = join(place.folder, 'theophylline-oral.cot.json');
  copyFileSync(join(catalogue, 'theophylline-oral.cot.json'), file);
  const { page } = await place.open(file);
  await expect(page.locator('.canvas.settled')).toBeVisible();
  for (let step = 0; step < 5; step++) {
    const wrong = await page.evaluate(() => {
      const zoom = new DOMMatrix(getComputedStyle(document.querySelector('.svelte-flow__viewport')!).transform).a;
      return [...document.querySelectorAll<HTMLElement>('.block .formula')].flatMap((formula) => {
        const lines = getComputedStyle(formula.closest('.lines')!);
        const block = formula.closest('.block')!;
        const picture = getComputedStyle(block.querySelector('.from-afar')!);
        const isHidden = lines.visibility === 'hidden' || Number(lines.opacity) < 1;
        const letters = parseFloat(getComputedStyle(formula).fontSize) * zoom;
        const [inner, outer] = [formula.getBoundingClientRect(), block.getBoundingClientRect()];
        const isWithin = inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
        const isShown = isHidden
          ? picture.display !== 'none' && Number(picture.opacity) === 1
          : letters >= 8.99 && isWithin;
        return isShown ? [] : [`${block.getAttribute('aria-label')} at ${zoom}: ${letters} px`];
      });
    });
    expect(wrong).toEqual([]);
    const before = await page.locator('.svelte-flow__viewport').getAttribute('style');
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect(page.locator('.svelte-flow__viewport')).not.toHaveAttribute('style', before!);
  }
});

/** Tracers that share a temperature, each with a curve, its sum and its misfit. */
function tracers(count: number): unknown {
  const t = Array.from({ length: 30 }, (_, i) => i / 2);
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  const columns = Object.fromEntries(numbers.map((n) => [`y${n}`, t.map((x) => 12 * Math.exp((-x * n) / 20) + 1)]));
  const blocks = numbers.flatMap((n) => [
    { id: `y${n}`, kind: 'column', table: 'data', column: `y${n}` },
    { id: `k${n}`, kind: 'parameter', initial: 0.2 },
    { id: `A${n}`, kind: 'parameter', initial: 10 },
    { id: `decay${n}`, kind: 'map', formula: `exp(-k${n}*temp*t)` },
    { id: `signal${n}`, kind: 'map', formula: `A${n}*decay${n}` },
    { id: `loss${n}`, kind: 'least-squares', prediction: `signal${n}`, observed: `y${n}` },
    { id: `area${n}`, kind: 'reduce', operator: 'add', values: `signal${n}` },
  ]);
  return {
    format: 'cotangent/1',
    tables: { data: { columns: { t, ...columns } } },
    blocks: [
      { id: 't', kind: 'column', table: 'data', column: 't' },
      { id: 'temp', kind: 'parameter', initial: 1, fixed: true },
      ...blocks,
      { id: 'total', kind: 'map', formula: numbers.map((n) => `area${n}`).join(' + ') },
    ],
    objective: numbers.map((n) => `loss${n}`),
  };
}

test('models of 59 and 297 blocks open where they begin, with no text that is too small, and an overview', async ({
  place,
}) => {
  for (const count of [8, 42]) {
    const file = join(place.folder, `${count}-tracers.cot.json`);
    writeFileSync(file, JSON.stringify(tracers(count)));
    const window = await place.open(file);
    const { page } = window;
    await expect(page.locator('.canvas.settled')).toBeVisible();
    await expect(page.locator('.minimap')).toBeVisible();
    const canvas = (await page.locator('.canvas').boundingBox())!;
    const loss = (await page.locator('.svelte-flow__node[data-id=loss1]').boundingBox())!;
    expect(loss.x).toBeGreaterThan(canvas.x);
    expect(loss.y).toBeGreaterThan(canvas.y);
    expect(loss.x + loss.width).toBeLessThan(canvas.x + canvas.width);
    expect(loss.y + loss.height).toBeLessThan(canvas.y + canvas.height);
    const smallest = () =>
      page.evaluate(() => {
        const transform = getComputedStyle(document.querySelector('.svelte-flow__viewport')!).transform;
        const sizes = [...document.querySelectorAll<HTMLElement>('.svelte-flow__node .id, .svelte-flow__node b')]
          .filter((element) => element.checkVisibility() && getComputedStyle(element).visibility === 'visible')
          .map((element) => parseFloat(getComputedStyle(element).fontSize));
        return Math.min(...sizes) * new DOMMatrix(transform).a;
      });
    expect(await smallest()).toBeGreaterThan(8.99);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(page.locator('.canvas.afar')).toBeVisible();
    await expect.poll(smallest).toBeGreaterThan(8.99);
    await window.close();
  }
});
