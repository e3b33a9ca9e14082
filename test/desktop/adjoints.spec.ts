import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from './window.ts';

const wire = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^Wire from ${name}`) });
const dock = (page: Page) => page.getByRole('region', { name: 'Adjoints' });
const announcement = (page: Page) => page.getByRole('status', { name: 'The adjoint view' });
/** The first number in a text, as the window writes numbers. */
const numberIn = (text: string | null) => Number(/[−\d.]+/.exec(text ?? '')?.[0]?.replace('−', '-'));

test('one key turns the wires to derivatives, which follow a slider', async ({ place }) => {
  const { page } = await place.open();
  await expect(wire(page, 'curve to prediction of loss')).toBeAttached();
  await page.keyboard.press('d');
  await expect(page.getByRole('button', { name: /^Adjoints/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(announcement(page)).toHaveText(/^Adjoints of loss, 5 wires/);
  await expect(wire(page, 'curve to prediction of loss, effect')).toBeAttached();
  await expect(page.getByText('Largest change of loss, in %, when a wire moves by 1 %')).toBeVisible();

  const before = numberIn(
    await dock(page)
      .getByText(/^loss = /)
      .textContent(),
  );
  const slider = page.getByRole('slider').first();
  await slider.focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
  await expect
    .poll(async () =>
      numberIn(
        await dock(page)
          .getByText(/^loss = /)
          .textContent(),
      ),
    )
    .toBeGreaterThan(before);
  await page.locator('.svelte-flow__pane').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('d');
  await expect(page.getByRole('button', { name: 'Fit', exact: true })).toBeVisible();
});

test('the panel tells rules, wires and the program, which is searched; another number is differentiated', async ({
  place,
}) => {
  const { page } = await place.open();
  await expect(wire(page, 'curve to prediction of loss')).toBeAttached();
  await page.keyboard.press('d');
  await expect(dock(page).getByRole('table', { name: 'Rewrite rules' })).toContainText('loss');
  await dock(page).getByRole('tab', { name: 'Wires' }).click();
  await expect(dock(page).getByRole('table', { name: 'Derivatives by wire' }).getByRole('row')).toHaveCount(6);
  await dock(page).getByRole('tab', { name: 'Program' }).click();
  await dock(page).getByRole('searchbox').fill('exp');
  await expect(dock(page).getByRole('status')).toHaveText(/^1 of \d/);
  await dock(page).getByRole('searchbox').fill('no such word');
  await expect(dock(page).getByRole('status')).toHaveText('nothing found');
  await page.getByRole('combobox', { name: 'Measure of a wire' }).selectOption('largest');
  await expect(page.getByText('Largest |∂loss/∂wire|')).toBeVisible();
  await page.getByRole('combobox', { name: 'Derivative of' }).selectOption('loss');
  await expect(announcement(page)).toHaveText(/^Adjoints of loss, 5 wires/);
});

test('says where NaN begins, and why there is no derivative', async ({ place }) => {
  const { page } = await place.open();
  await page
    .getByLabel(/^curve, /)
    .first()
    .locator('header')
    .click();
  await page.locator('.inspector .cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('b1 * (1 - exp(-b2*x)) + sqrt(x - 100)');
  await page.getByRole('button', { name: /^Adjoints/ }).click();
  const card = page.getByRole('alert').filter({ hasText: 'NaN begins here' });
  await expect(card).toContainText('∂loss/∂prediction: NaN at [0]');
  await expect(card).toContainText('it first arises in curve');
  await card.getByRole('button', { name: 'Show curve' }).click();
  await expect(page.locator('.inspector')).toContainText('curve');
});

test('has a sentence for a model without an objective', async ({ place }) => {
  const { page } = await place.open();
  await page.getByRole('list', { name: 'Objective' }).getByRole('checkbox').first().uncheck();
  await expect(page.getByText('Nothing to fit: the model has no objective.')).toBeVisible();
  await page.getByRole('button', { name: /^Adjoints/ }).click();
  await expect(page.getByRole('alert')).toContainText('the model has no objective');
});

test('probes, notes and frames are undone, saved and opened again', async ({ place }) => {
  const { page, close } = await place.open();
  await wire(page, 'curve to prediction of loss').focus();
  await expect(page.getByText(/^min .*, no NaN$/)).toBeVisible();
  await page.keyboard.press('p');
  const probe = page.getByRole('group', { name: 'Probe of curve, at prediction of loss' });
  await expect(probe).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(probe).toBeHidden();
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(probe).toBeVisible();

  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByRole('textbox', { name: 'Text of the note' }).fill('Checked against NIST.');
  await page.keyboard.press('Control+Enter');
  await page
    .getByLabel(/^curve, /)
    .first()
    .locator('header')
    .click();
  await page.getByRole('button', { name: 'Add a frame' }).click();
  await page.getByRole('textbox', { name: 'Title of the frame' }).fill('The model');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Colour teal' }).click();

  const before = await page
    .getByLabel(/^curve, /)
    .first()
    .boundingBox();
  await page.getByRole('group', { name: /^Frame The model/ }).focus();
  await page.keyboard.press('Shift+ArrowDown');
  await expect
    .poll(
      async () =>
        (await page
          .getByLabel(/^curve, /)
          .first()
          .boundingBox())!.y,
    )
    .toBeGreaterThan(before!.y);

  await page.getByRole('button', { name: 'Save' }).click();
  const view = () => (JSON.parse(readFileSync(place.model, 'utf8')) as { view?: Record<string, unknown[]> }).view ?? {};
  await expect.poll(() => view()['notes']).toMatchObject([{ text: 'Checked against NIST.' }]);
  expect(view()['probes']).toMatchObject([{ block: 'loss', port: 'prediction' }]);
  expect(view()['frames']).toMatchObject([{ title: 'The model', color: 'teal' }]);
  await close();

  const again = await place.open();
  await expect(again.page.getByText('Checked against NIST.')).toBeVisible();
  await expect(again.page.getByRole('group', { name: /^Probe of curve/ })).toBeVisible();
  await expect(again.page.getByRole('group', { name: /^Frame The model/ })).toBeVisible();
});
