/** How a table comes into the window: by its file, dropped, or pasted. */
import type { Locator, Page } from '@playwright/test';

export const dialog = (page: Page): Locator => page.getByRole('dialog');
/** What was found in the file; the contest of shapes has a status of its own below. */
export const status = (page: Page): Locator => dialog(page).getByRole('status').first();

export async function give(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  const buffer = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
  await page.getByLabel('Table file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

/** As a person drops a file on the window. */
export function drop(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  return page.evaluate(
    ([fileName, bytes]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], fileName));
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, [...Buffer.from(content)]] as const,
  );
}

export function paste(page: Page, text: string): Promise<void> {
  return page.evaluate((content) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', content);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
