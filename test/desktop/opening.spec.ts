/** Every document of the catalogue opens so that it can be read: wholly in view, large enough, no block on another. */
import { copyFileSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './window.ts';

const catalogue = join(import.meta.dirname, '../../models/catalogue');
const mostBlocks = 17;
const leastZoom = 0.85;
const documents = readdirSync(catalogue).filter((name) => {
  if (!name.endsWith('.cot.json')) return false;
  const { blocks } = JSON.parse(readFileSync(join(catalogue, name), 'utf8')) as { blocks: unknown[] };
  return blocks.length <= mostBlocks;
});

test('documents of up to 17 blocks open wholly at 85 % or more', async ({ place }) => {
  for (const name of readdirSync(catalogue)) copyFileSync(join(catalogue, name), join(place.folder, name));
  for (const name of documents) {
    const window = await place.open(join(place.folder, name));
    await expect(window.page.locator('.canvas.settled')).toBeVisible();
    const seen = await window.page.evaluate(() => {
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
    await window.close();
  }
});
