/** Takes away whatever an export menu has, and looks into each file. */
import type { Page } from '@playwright/test';
import type { OpenWindow, Place } from './window.ts';
import { downloaded, expect, printed } from './window.ts';

export const menu = (page: Page) => page.getByRole('group', { name: 'Export' });
export const openMenu = (page: Page) => page.getByRole('button', { name: 'Export', exact: true }).click();

/** A row of RFC 4180, of cells that hold no line break. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** What a file of each form must be, whatever it shows. */
export const readers: Readonly<Record<string, (page: Page, text: string) => Promise<void> | void>> = {
  PNG: (_, text) => expect(text.slice(1, 4)).toBe('PNG'),
  async SVG(page, text) {
    const found = await page.evaluate((source) => {
      const svg = new DOMParser().parseFromString(source, 'image/svg+xml');
      const count = (name: string) => svg.getElementsByTagName(name).length;
      return {
        faults: count('parsererror'),
        pictures: count('image'),
        drawn: count('path') + count('rect'),
        texts: [...svg.getElementsByTagName('text')].filter(({ textContent }) => /\S/.test(textContent ?? '')).length,
        foreign:
          /[0-9]NaN|="[^"]*(?:NaN|undefined)[^"]*"|#[0-9a-fA-F]{8}"|url\((?!#part-\d+\))| id="(?!part-\d+")/.exec(
            source,
          )?.[0],
      };
    }, text);
    expect(found).toMatchObject({ faults: 0, pictures: 0, foreign: undefined });
    expect(found.drawn).toBeGreaterThan(3);
    expect(found.texts).toBeGreaterThan(2);
  },
  PDF(_, text) {
    expect(text.slice(0, 5)).toBe('%PDF-');
    expect(text).toContain('/Count 1');
    // Letters are letters, of the window's font.
    expect(text).toMatch(/\/FontName \/\w+\+Inter/);
    expect(text).not.toContain('/Subtype /Image');
  },
  CSV(_, text) {
    const lines = text.split('\r\n');
    expect(lines.pop()).toBe('');
    const [head = [], ...rows] = lines.map(cellsOf);
    expect(head.length).toBeGreaterThan(1);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toHaveLength(head.length);
  },
  JSON(_, text) {
    const rows = JSON.parse(text) as Record<string, unknown>[];
    expect(rows.length).toBeGreaterThan(0);
    const keys = Object.keys(rows[0]!);
    for (const row of rows) expect(Object.keys(row)).toEqual(keys);
  },
};

/** Takes away whatever the menu of the shown panel has; the names of the entries. */
export async function takeAll(window: OpenWindow, { folder }: Place): Promise<string[]> {
  const { page } = window;
  await openMenu(page);
  const entries = await menu(page)
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? ''));
  await page.keyboard.press('Escape');
  for (const entry of entries) {
    await openMenu(page);
    const form = entry.split(' ').at(-1)!;
    const file = await (form === 'PDF' ? printed : downloaded)(window, folder, () =>
      menu(page).getByRole('button', { name: entry, exact: true }).click(),
    );
    expect(file.name, entry).toMatch(new RegExp(`\\.${form.toLowerCase()}$`));
    await readers[form]!(page, file.text);
  }
  return entries;
}
