/** The canvas by mouse and by keyboard: wiring, copies, groups, errors with their fixes, and undoing all of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './window.ts';
import type { Place } from './window.ts';

const node = (page: Page, id: string): Locator => page.locator(`.svelte-flow__node[data-id="${id}"]`);
const port = (page: Page, name: string): Locator => page.getByLabel(new RegExp(`^${name}`)).first();
const wire = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: new RegExp(`^Wire from ${name}`) });
const pane = (page: Page): Locator => page.locator('.svelte-flow__pane');
const undo = (page: Page): Locator => page.getByRole('button', { name: 'Undo' });
const lastStep = (page: Page): Locator => page.getByRole('status', { name: 'Last step' });

interface Written {
  readonly blocks: readonly Readonly<Record<string, unknown>>[];
}

/** What the window would write to the file. */
async function saved(page: Page, place: Place): Promise<Written> {
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByText(/cot\.json, saved$/)).toBeVisible();
  return JSON.parse(readFileSync(place.model, 'utf8')) as Written;
}

async function opened(place: Place): Promise<Page> {
  const { page } = await place.open();
  await expect(page.locator('.canvas.settled')).toBeVisible();
  await expect(wire(page, 'curve to prediction of loss')).toBeAttached();
  return page;
}

function rewrite(place: Place, change: (text: string) => string): void {
  writeFileSync(place.model, change(readFileSync(place.model, 'utf8')));
}

test('of a new block the formula or the name is typed at once, and it stands in view', async ({ place }) => {
  const page = await opened(place);
  const add = async (what: string, said: string) => {
    // Behind the legend, where the pointer has been.
    await page.mouse.move(1000, 560);
    await page.keyboard.press('Space');
    await expect(page.getByRole('dialog', { name: 'Add a block' })).toBeVisible();
    await page.keyboard.type(what);
    await page.keyboard.press('Enter');
    await page.keyboard.type(said);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  };
  const seen = async (id: string) => {
    const [box, legend] = [(await node(page, id).boundingBox())!, (await page.locator('.legend').boundingBox())!];
    expect(box.y + box.height).toBeLessThan(legend.y);
  };
  await add('map', '2*y');
  await expect(node(page, 'f').getByRole('img', { name: '2*y' })).toBeVisible();
  await seen('f');
  await add('log(y) + 1', 'z\n');
  await expect(node(page, 'z').getByRole('img', { name: 'log(y) + 1' })).toBeVisible();
  await seen('z');
});

test('a wire is drawn, followed and taken away by keys alone', async ({ place }) => {
  const page = await opened(place);
  await node(page, 'curve').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(node(page, 'loss')).toBeFocused();
  await expect(node(page, 'loss')).toHaveClass(/selected/);

  await page.keyboard.press('Tab');
  await expect(port(page, 'Input prediction of loss')).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(port(page, 'Input prediction of loss, not wired')).toBeFocused();
  await expect(lastStep(page)).toHaveText('Unwire loss');

  await page.keyboard.press('Enter');
  const choice = page.getByRole('dialog', { name: 'Source of prediction of loss' });
  await expect(choice.getByRole('option').first()).toBeVisible();
  await page.keyboard.type('curve');
  await page.keyboard.press('Enter');
  await expect(wire(page, 'curve to prediction of loss')).toBeAttached();
  await expect(lastStep(page)).toHaveText('Wire curve to loss');
  await expect(port(page, 'Input prediction of loss')).toBeFocused();

  // Along the wire to where it comes from, and back.
  await page.keyboard.press('ArrowLeft');
  await expect(port(page, 'Output curve')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(port(page, 'Input prediction of loss')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(port(page, 'Input observed of loss')).toBeFocused();
});

test('a block is added, wired, moved and deleted by keys alone', async ({ place }) => {
  const page = await opened(place);
  await node(page, 'curve').focus();
  await page.keyboard.press('w');
  await expect(page.getByRole('dialog', { name: 'Wire from curve' })).toBeVisible();
  await page.keyboard.type('new block');
  await page.keyboard.press('Enter');
  await page.keyboard.type('the sum');
  await page.keyboard.press('Enter');
  await expect(wire(page, 'curve to values of sum')).toBeAttached();
  await expect(node(page, 'sum')).toHaveClass(/selected/);

  await node(page, 'sum').focus();
  const before = await node(page, 'sum').boundingBox();
  for (let i = 0; i < 5; i++) await page.keyboard.press('Shift+ArrowDown');
  const after = await node(page, 'sum').boundingBox();
  expect(after!.y).toBeGreaterThan(before!.y);
  await page.keyboard.press('Delete');
  await expect(node(page, 'sum')).toHaveCount(0);
  // The block with its wire, five presses of an arrow, the deletion: three steps.
  for (let i = 0; i < 3; i++) await undo(page).click();
  await expect(node(page, 'sum')).toHaveCount(0);
  await expect(undo(page)).toBeDisabled();
});

test('the number of a chip is typed where it stands, by mouse and by keys, and undone', async ({ place }) => {
  const page = await opened(place);
  const chip = node(page, 'b1');
  const field = page.getByRole('textbox', { name: 'Value of b1' });
  await chip.focus();
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
  await page.keyboard.type('321');
  await page.keyboard.press('Enter');
  await expect(field).toHaveCount(0);
  await expect(chip).toBeFocused();
  await expect(chip.getByRole('slider')).toHaveAttribute('aria-valuenow', '321');

  await chip.getByTitle('Type a value (Enter)').click();
  await expect(field).toBeFocused();
  await page.keyboard.type('123');
  await page.keyboard.press('Escape');
  await expect(chip.getByRole('slider')).toHaveAttribute('aria-valuenow', '321');
  await page.keyboard.press('Enter');
  await page.keyboard.type('much');
  await page.keyboard.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(chip.getByRole('alert')).toHaveText('Wanted a number, got much.');
  await page.keyboard.press('Escape');
  await undo(page).click();
  await expect(chip.getByRole('slider')).not.toHaveAttribute('aria-valuenow', '321');
  await expect(undo(page)).toBeDisabled();
});

test('what was placed by hand is arranged for every window again, and that is undone', async ({ place }) => {
  const page = await opened(place);
  await node(page, 'curve').focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowDown');
  const view = async () => ((await saved(page, place)) as { view?: { positions?: object } }).view?.positions;
  expect(await view()).toBeDefined();
  await page.getByRole('button', { name: 'Arrange' }).click();
  await expect(lastStep(page)).toHaveText('Arrange the blocks');
  expect(await view()).toBeUndefined();
  await undo(page).click();
  expect(await view()).toBeDefined();
});

test('the canvas is zoomed by its buttons, about its middle', async ({ place }) => {
  const page = await opened(place);
  const percent = page.locator('.zoom');
  const before = await percent.textContent();
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await expect(percent).not.toHaveText(before!);
  expect(parseInt((await percent.textContent())!)).toBeLessThan(parseInt(before!));
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(percent).toHaveText(before!);
});

test('the menu key offers what can be done with a block, and a letter finds it', async ({ place }) => {
  const page = await opened(place);
  await node(page, 'curve').focus();
  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu', { name: 'Selection' });
  await expect(menu.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('d');
  await expect(menu.getByRole('menuitem', { name: /^Duplicate/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(menu).toBeHidden();
  await expect(node(page, 'curve2')).toBeVisible();

  await pane(page).click({ button: 'right', position: { x: 20, y: 20 } });
  await expect(page.getByRole('menu', { name: 'Canvas' })).toBeVisible();
  await page.keyboard.press('Escape');
  await wire(page, 'curve to prediction of loss').first().dispatchEvent('contextmenu');
  await expect(page.getByRole('menu', { name: 'Wire' }).getByRole('menuitem', { name: /^Delete/ })).toBeVisible();
});

test('blocks are copied as text, pasted with new names, and cut', async ({ place }) => {
  const page = await opened(place);
  await node(page, 'curve').locator('header').click();
  await node(page, 'b1').click({ modifiers: ['Shift'], position: { x: 10, y: 11 } });
  /** What a key would put on the clipboard, and what it would bring. */
  const event = (type: 'copy' | 'cut' | 'paste', text = '') =>
    page.evaluate(
      ([kind, given]) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', given);
        document.body.dispatchEvent(new ClipboardEvent(kind, { clipboardData, bubbles: true, cancelable: true }));
        return clipboardData.getData('text/plain');
      },
      [type, text] as const,
    );
  const text = await event('copy');
  expect((JSON.parse(text) as Written).blocks.map((block) => block['id'])).toEqual(['b1', 'curve']);

  await event('paste', text);
  await expect(node(page, 'curve2')).toBeVisible();
  // The copy of the parameter stands on the copy of the curve.
  await expect(port(page, 'Input b3 of curve2, real from b3')).toBeAttached();
  await expect(wire(page, 'x to x of curve2')).toBeAttached();
  await expect(lastStep(page)).toHaveText('Paste 2 blocks');

  await event('cut');
  await expect(node(page, 'curve2')).toHaveCount(0);

  await event('paste', '{"format": "cotangent/1", "blocks": [{"id": "1x", "kind": "map"}]}');
  const message = page.getByRole('alert').first();
  await expect(message).toContainText('What was pasted is no model');
  await event('paste', '{"blocks": [');
  await expect(message).toContainText('is no JSON');
  await event('paste', 'hello');
  await expect(message).toContainText('neither blocks nor a table');
  expect((await saved(page, place)).blocks).toHaveLength(6);
});

test('blocks are picked by a rubber band, aligned, and moved together', async ({ place }) => {
  const page = await opened(place);
  const [first, second] = [await node(page, 'y').boundingBox(), await node(page, 'loss').boundingBox()];
  const right = Math.max(first!.x + first!.width, second!.x + second!.width);
  const bottom = Math.max(first!.y + first!.height, second!.y + second!.height);
  await page.mouse.move(right + 15, bottom + 12);
  await page.mouse.down();
  await page.mouse.move(Math.min(first!.x, second!.x) - 15, Math.min(first!.y, second!.y) - 10, { steps: 8 });
  await page.mouse.up();
  // The curve lies beside them, and with it its two parameters.
  await expect(page.locator('.svelte-flow__node.selected')).toHaveCount(5);
  await page.keyboard.press('ArrowDown');
  await expect(lastStep(page)).toHaveText(/^Move/);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('align left');
  await page.keyboard.press('Enter');
  const [one, other] = [await node(page, 'y').boundingBox(), await node(page, 'loss').boundingBox()];
  expect(Math.abs(one!.x - other!.x)).toBeLessThan(1);
});

test('blocks are packed into a group, which gives the same numbers, and unpacked', async ({ place }) => {
  const page = await opened(place);
  const before = await saved(page, place);
  const objective = page.locator('.svelte-flow__node[data-id="loss"] .foot b');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+g');
  await expect(node(page, 'group')).toContainText('1 block');
  await expect(node(page, 'curve')).toHaveCount(0);
  await expect(wire(page, 'group to prediction of loss')).toBeAttached();
  // At the same start values as the unpacked model.
  const packed = await objective.textContent();
  await node(page, 'group').dblclick({ position: { x: 60, y: 12 } });
  await expect(node(page, 'curve')).toBeVisible();
  await expect(objective).toHaveText(packed!);
  const after = await saved(page, place);
  expect(new Set(after.blocks.map((block) => JSON.stringify(block)))).toEqual(
    new Set(before.blocks.map((block) => JSON.stringify(block))),
  );
});

test('a block is chosen though its formula changes while the button is down', async ({ place }) => {
  const page = await opened(place);
  const formula = node(page, 'curve').locator('.formula');
  const field = page.locator('.inspector .cm-content');
  await formula.click();
  await field.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('b1*b2*x');
  const changed = formula.getByRole('img', { name: 'b1*b2*x' });
  await expect(changed).toBeVisible();
  await pane(page).click({ position: { x: 5, y: 300 } });
  await expect(field).toBeHidden();

  await formula.hover();
  await page.mouse.down();
  await undo(page).evaluate((button: HTMLElement) => button.click());
  await expect(changed).toBeHidden();
  await page.mouse.up();
  await expect(field).toBeVisible();
});

test('a refused wire says what came and what was wanted, and one click mends it', async ({ place }) => {
  rewrite(place, (text) => text.replace('b1 * (1 - exp(-b2*x))', 'b1 * (1 - exp(-b2*x)) + offset'));
  const { page } = await place.open();
  await expect(page.locator('.canvas.settled')).toBeVisible();
  const card = page.locator('.canvas').getByRole('alert');
  await expect(card).toContainText('offset');
  await card.getByRole('button', { name: 'Add parameter offset' }).click();
  await expect(card).toBeHidden();
  await expect(node(page, 'offset')).toHaveAccessibleName('Parameter offset, 1');
  await expect(port(page, 'Input offset of curve, real from offset')).toBeAttached();
  await undo(page).click();
  await expect(card).toContainText('offset');
});

test('nothing is left of a storm of edits once it is undone', async ({ place }) => {
  const page = await opened(place);
  const before = await saved(page, place);
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const storm = [
    'ControlOrMeta+a',
    'ControlOrMeta+d',
    'ControlOrMeta+g',
    'ControlOrMeta+Shift+g',
    'Delete',
    'ArrowRight',
    'Shift+ArrowDown',
    'ControlOrMeta+z',
    'ControlOrMeta+Shift+z',
  ];
  for (let i = 0; i < 60; i++) {
    const nodes = page.locator('.svelte-flow__node');
    const count = await nodes.count();
    if (count > 40) await page.keyboard.press('ControlOrMeta+z');
    else if (random(3) === 0 && count > 0) await nodes.nth(random(count)).focus();
    else await page.keyboard.press(storm[random(storm.length)]!);
  }
  for (let i = 0; i < 100 && (await undo(page).isEnabled()); i++) await page.keyboard.press('ControlOrMeta+z');
  await expect(undo(page)).toBeDisabled();
  expect(await saved(page, place)).toEqual(before);
});

test('a block drawn so small that its formula is hidden shows its picture under its chips', async ({ place }) => {
  const { page } = await place.open();
  await expect(page.locator('.canvas.settled')).toBeVisible();
  const picture = page.locator('.svelte-flow__node[data-id=curve] .from-afar');
  await expect(picture).toBeHidden();
  // A wheel's small steps: a button's could pass the range between 60 and 50 %.
  await page.locator('.svelte-flow__pane').hover({ position: { x: 40, y: 40 } });
  await page.keyboard.down('Control');
  for (let left = 60; left > 0 && !(await page.locator('.canvas.smaller').isVisible()); left--) {
    await page.mouse.wheel(0, 8);
    await page.waitForTimeout(50);
  }
  await page.keyboard.up('Control');
  await expect(page.locator('.canvas.smaller:not(.tiny)')).toBeVisible();
  await expect(picture).toBeVisible();
  const [top, ...chips] = await Promise.all([
    picture.boundingBox(),
    ...['b1', 'b2'].map((id) => page.locator(`.svelte-flow__node[data-id=${id}]`).boundingBox()),
  ]);
  expect(top!.height).toBeGreaterThan(6);
  for (const chip of chips) expect(top!.y).toBeGreaterThanOrEqual(chip!.y + chip!.height);
});
