/** What is being typed into a cell is the typist's, whatever arrives meanwhile. */
import { readFileSync } from 'node:fs';
import { expect, test } from './window.ts';

test('an undo beside it, and a table that is read again, take nothing of what is typed', async ({ place }) => {
  const window = await place.open();
  const { page } = window;
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByRole('button', { name: 'Take into the document' }).click();
  const [cell, next] = [0, 1].map((row) => page.getByLabel(`y of row ${row}`, { exact: true }));
  // As the file writes them, then as the document does.
  await expect(cell!).toHaveValue('10.07');
  await expect(next!).toHaveValue('14.73');
  await cell!.evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '10.2\n14.9');
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(cell!).toHaveValue('10.2');
  await expect(next!).toHaveValue('14.9');

  await cell!.fill('10.1');
  await page.getByRole('button', { name: 'Undo' }).evaluate((button: HTMLElement) => button.click());
  await expect(next!).toHaveValue('14.73');
  await expect(cell!).toHaveValue('10.1');
  await cell!.press('Enter');
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveAttribute('title', /Write y of row 0/);

  // What is all selected stays so: the next key takes its place.
  await cell!.selectText();
  await page.getByRole('button', { name: 'Undo' }).evaluate((button: HTMLElement) => button.click());
  await expect(cell!).toHaveValue('10.07');
  await page.keyboard.type('9.5');
  await expect(cell!).toHaveValue('9.5');

  // Typed and taken back, it shows what came meanwhile.
  await page.getByRole('button', { name: 'Redo' }).evaluate((button: HTMLElement) => button.click());
  await page.keyboard.press('Escape');
  await next!.focus();
  await expect(cell!).toHaveValue('10.1');
  await window.close();
});

test('what is typed is taken before the document is saved from there', async ({ place }) => {
  const { page } = await place.open();
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByRole('button', { name: 'Take into the document' }).click();
  const cell = page.getByLabel('y of row 0', { exact: true });
  await expect(cell).toHaveValue('10.07');
  await cell.fill('10.25');
  await cell.press('ControlOrMeta+s');
  await expect.poll(() => readFileSync(place.model, 'utf8')).toContain('10.25');
  await expect(cell).toBeFocused();

  // Control alone is no command: what is typed can still be taken back.
  await cell.fill('9.9');
  await cell.press('Control');
  await cell.press('Escape');
  await expect(cell).toHaveValue('10.25');

  // Of what was taken an undo is the document's, as it was written: with blanks about it too.
  for (const text of ['16', ' 2.5 ']) {
    await cell.selectText();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await cell.focus();
  }
  await expect(cell).toHaveValue('2.5');
  await page.keyboard.type('7');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(cell).toHaveValue('2.5');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(cell).toHaveValue('16');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(cell).toHaveValue('10.25');
});

test('an undo that comes before what was taken has been read again is shown', async ({ place, host }) => {
  test.skip(host === 'desktop', 'answers are held back on their way through a WebSocket');
  const { page } = await place.open();
  const held: (() => void)[] = [];
  let isHeld = false;
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (isHeld) held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await page.reload();
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByRole('button', { name: 'Take into the document' }).click();
  const cell = page.getByLabel('y of row 0', { exact: true });
  await expect(cell).toHaveValue('10.07');
  isHeld = true;
  await cell.fill('9.9');
  await cell.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveAttribute('title', /Take/);
  isHeld = false;
  for (const send of held.splice(0)) send();
  await expect(cell).toHaveValue('10.07');
});
