/**
 * The window is killed at random instants while somebody edits, then the document is opened in each way in turn: whatever it
 * had called kept is there. `KILLS` is how often (200 in the long mode, which also holds that no more than the last second
 * is gone: on a machine that is busy with other tests a disk may take longer than that).
 */
import type { Page } from '@playwright/test';
import fc from 'fast-check';
import { expect, secondStart, test } from './window.ts';
import type { OpenWindow, Place } from './window.ts';

const isLong = process.env['KILLS'] !== undefined;
const kills = Number(process.env['KILLS'] ?? 4);

const numbered = /^Edit (\d+)/;

interface Edits {
  /** When each was made. */
  readonly made: ReadonlyMap<number, number>;
  /** The last that the window called kept. */
  readonly kept: number;
}

/** One edit after the other, each a new name, until the window is gone. */
async function edit(page: Page, from: number): Promise<Edits> {
  const made = new Map<number, number>();
  let kept = 0;
  try {
    for (let n = from; ; n++) {
      await page.getByTitle('Rename', { exact: true }).click();
      const field = page.getByRole('textbox', { name: 'Name of the model' });
      await field.fill(`Edit ${n}`);
      await field.press('Enter');
      await expect(page).toHaveTitle(new RegExp(`^Edit ${n} `));
      made.set(n, Date.now());
      if (await isKept(page)) kept = n;
    }
  } catch {
    // It was killed.
  }
  return { made, kept };
}

const isKept = async (page: Page): Promise<boolean> =>
  (await page.locator('footer').textContent())?.includes('Every edit kept') === true;

/** How the document is opened again; by a double click where the app runs already. */
const ways: readonly ((place: Place, host: string) => Promise<OpenWindow>)[] = [
  (place) => place.open(),
  async (place) => {
    const window = await place.open(null);
    await window.page.getByRole('region', { name: 'Recent' }).getByRole('button').first().click();
    return window;
  },
  async (place) => {
    const window = await place.open(null);
    await window.page.getByRole('button', { name: 'Restore', exact: true }).first().click();
    return window;
  },
  async (place, host) => {
    if (host === 'browser') return place.open();
    const window = await place.open(null);
    await expect(window.page.getByRole('region', { name: 'Recent' })).toBeVisible();
    await secondStart(place);
    return window;
  },
];

test('at most the last second of edits is gone, and never silently', async ({ place, host }) => {
  test.setTimeout(kills * 120_000);
  let window = await place.open();
  await expect(window.page).toHaveTitle(/Misra1a/);
  let first = 1;
  for (const [i, lives] of fc.sample(fc.integer({ min: 300, max: 6000 }), kills).entries()) {
    const { page, kill } = window;
    let killedAt = 0;
    const killing = new Promise<void>((resolve) => {
      setTimeout(() => {
        killedAt = Date.now();
        void kill().then(resolve);
      }, lives);
    });
    const { made, kept } = await edit(page, first);
    await killing;
    const second = [...made].filter(([, at]) => isLong && at < killedAt - 1000).at(-1)?.[0] ?? 0;
    const due = Math.max(first - 1, kept, second);
    const known = Math.max(first - 1, ...made.keys());
    if (known === 0) {
      window = await place.open();
      continue;
    }
    const way = due === 0 ? 0 : i % ways.length;
    window = await ways[way]!(place, host);
    if (due > 0) {
      await expect(window.page).toHaveTitle(numbered);
      await expect(window.page.getByRole('status').filter({ hasText: 'Restored' })).toBeVisible();
    } else await expect(window.page).toHaveTitle(/Misra1a|Edit/);
    const back = Number(numbered.exec(await window.page.title())?.[1] ?? 0);
    expect({ i, way, late: back < due }).toEqual({ i, way, late: false });
    first = back + 1;
  }
  await window.close();
});
