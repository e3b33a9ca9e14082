/** Differential equations from an empty canvas, by keys alone: states, rates, reactions, doses, and what they mean. */
import type { Locator, Page } from '@playwright/test';
import { emptyModel, expect, test } from './window.ts';

/** Tab by Tab to what is called so; it is within reach or the test fails. */
async function go(page: Page, to: Locator, key = 'Tab'): Promise<void> {
  await expect(to).toBeVisible();
  for (let left = 40; left > 0 && !(await to.evaluate((element) => element === document.activeElement)); left--)
    await page.keyboard.press(key);
  await expect(to).toBeFocused();
}

async function write(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** A new document with one system of equations in it, open. */
async function begun(page: Page): Promise<{ readonly field: (label: string) => Locator; readonly meant: Locator }> {
  await emptyModel(page);
  await page.keyboard.press('Space');
  await expect(page.getByRole('dialog', { name: 'Add a block' })).toBeVisible();
  await page.keyboard.type('differential');
  await page.keyboard.press('Enter');
  await expect(page.locator('.inspector .cm-content')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.locator('.svelte-flow__node[data-id="dynamics"]')).toBeFocused();
  await page.keyboard.press('Enter');
  const view = page.getByRole('region', { name: 'Dynamics of dynamics' });
  await expect(view.getByLabel('Name of x')).toBeFocused();
  return {
    field: (label) => view.getByLabel(label, { exact: true }),
    meant: view.getByRole('region', { name: 'Equations' }),
  };
}

test('Escape takes back what is typed, and closes the view where nothing was', async ({ place }) => {
  const { page } = await place.open();
  await expect(page.locator('.canvas.settled')).toBeVisible();
  const { field, meant } = await begun(page);
  await write(page, 'zebra');
  await page.keyboard.press('Escape');
  await expect(field('Name of x')).toHaveValue('x');
  await expect(meant).toBeVisible();
  await field('Name of x').focus();
  await page.keyboard.press('Escape');
  await expect(meant).toBeHidden();
});

test('hares and lynxes, and doses, are written by keys alone and drawn as a solution', async ({ place }) => {
  const { page } = await place.open();
  await expect(page.locator('.canvas.settled')).toBeVisible();
  const { field, meant } = await begun(page);
  await write(page, 'hare');
  await page.keyboard.press('Enter');
  await expect(field('Name of hare')).toBeFocused();
  await go(page, field('Start of hare'));
  await write(page, '30');
  await go(page, field('Rate of hare'));
  await write(page, 'growth*hare - predation*hare*lynx');
  await go(page, field('New state'));
  await page.keyboard.type('lynx');
  await page.keyboard.press('Enter');
  await expect(field('Start of lynx')).toBeFocused();
  await write(page, '4');
  await go(page, field('Rate of lynx'));
  await write(page, 'gain*hare*lynx - death*lynx');
  await go(page, page.getByRole('button', { name: 'Make 4 parameters' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await go(page, field('Times'));
  await page.keyboard.type('0 to 20 in 40 steps');
  await page.keyboard.press('Enter');
  await expect(meant.getByLabel('rate of hare: growth*hare - predation*hare*lynx')).toBeVisible();
  await expect(meant.getByLabel('lynx starts at 4')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Trajectories of dynamics' })).toBeVisible();

  await go(page, page.getByRole('button', { name: 'Dose', exact: true }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(field('Times of dose 1')).toBeFocused();
  await write(page, '5, 10');
  await page.keyboard.press('Enter');
  await go(page, field('Amount of dose 1'));
  await write(page, '2.5');
  await page.keyboard.press('Enter');
  await expect(meant.getByLabel('hare grows by 2.5 at dose_times')).toBeVisible();
  await expect(page.getByRole('region', { name: 'What is typed' }).getByRole('alert')).toHaveCount(0);

  // Back to the block, where the keys act on it again; what was typed last is one step.
  await page.keyboard.press('Escape');
  await expect(page.locator('.svelte-flow__node[data-id="dynamics"]')).toBeFocused();
  await expect(page.locator('.svelte-flow__node[data-id="dose_times"]')).toBeVisible();
});

test('a reaction brings its species, its rate by mass action and the constants of that rate', async ({ place }) => {
  const { page } = await place.open();
  await expect(page.locator('.canvas.settled')).toBeVisible();
  const { field, meant } = await begun(page);
  await go(page, field('New reaction'));
  await page.keyboard.type('E + S <-> ES');
  await page.keyboard.press('Enter');
  await expect(field('New reaction')).toBeFocused();
  await page.keyboard.type('ES -> E + P');
  await page.keyboard.press('Enter');
  await go(page, page.getByRole('button', { name: 'Delete state x' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  for (const [state, start] of Object.entries({ E: '0.1', S: '2' })) {
    await go(page, field(`Start of ${state}`), 'Shift+Tab');
    await write(page, start);
    await page.keyboard.press('Enter');
    await go(page, field('New reaction'));
  }
  await go(page, field('Times'));
  await page.keyboard.type('0 to 50');
  await page.keyboard.press('Enter');
  await expect(meant.getByLabel('rate of ES: k1*E*S - k2*ES - k3*ES')).toBeVisible();
  await expect(meant.getByLabel('rate of P: k3*ES')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Trajectories of dynamics' })).toBeVisible();
});

test('two compartments and a regimen of doses are written by keys alone', async ({ place }) => {
  const { page } = await place.open();
  await expect(page.locator('.canvas.settled')).toBeVisible();
  const { field, meant } = await begun(page);
  await write(page, 'central');
  await page.keyboard.press('Enter');
  await expect(field('Name of central')).toBeFocused();
  await go(page, field('Rate of central'));
  await write(page, 'k21*tissue - (k12 + ke)*central');
  await go(page, field('New state'));
  await page.keyboard.type('tissue');
  await page.keyboard.press('Enter');
  await expect(field('Start of tissue')).toBeFocused();
  await go(page, field('Rate of tissue'));
  await write(page, 'k12*central - k21*tissue');
  await go(page, page.getByRole('button', { name: 'Make 3 parameters' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await go(page, field('Times'));
  await page.keyboard.type('0 to 48 in 96 steps');
  await page.keyboard.press('Enter');
  await go(page, page.getByRole('button', { name: 'Dose', exact: true }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(field('Times of dose 1')).toBeFocused();
  await write(page, '0, 12, 24, 36');
  await page.keyboard.press('Enter');
  await go(page, field('Amount of dose 1'));
  await write(page, '100');
  await page.keyboard.press('Enter');
  await expect(meant.getByLabel('central grows by 100 at dose_times')).toBeVisible();
  await expect(meant.getByLabel('rate of tissue: k12*central - k21*tissue')).toBeVisible();
  await expect(page.getByRole('region', { name: 'What is typed' }).getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('img', { name: 'Trajectories of dynamics' })).toBeVisible();
});

test('how an event is carried out and when a solution begins are typed, and undone', async ({ place }) => {
  const { page } = await place.open();
  await expect(page.locator('.canvas.settled')).toBeVisible();
  const { field, meant } = await begun(page);
  await page.getByRole('button', { name: 'Event, when a formula becomes true' }).click();
  await page.getByRole('button', { name: 'How event 1 is carried out' }).click();
  await expect(field('Delay of event 1')).toBeFocused();
  await page.keyboard.type('lag');
  await page.keyboard.press('Enter');
  await field('Priority of event 1').fill('2');
  await page.keyboard.press('Enter');
  await page.getByLabel('carried out also where it has ceased to hold').uncheck();
  await field('From').fill('-1');
  await page.keyboard.press('Enter');
  const said = 'x = 0 when time >= 1, carried out lag later, unless that has ceased to hold, with the priority 2';
  await expect(meant.getByLabel(said)).toBeVisible();
  await expect(meant.getByLabel(/^x starts at \d at .1$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make it a parameter' })).toBeVisible();

  await field('Delay of event 1').fill('-3');
  await page.keyboard.press('Enter');
  await expect(field('Delay of event 1')).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Escape');
  for (let step = 0; step < 4; step++) await page.getByRole('button', { name: 'Undo' }).click();
  await expect(meant.getByLabel('x = 0 when time >= 1', { exact: true })).toBeVisible();
  await expect(meant.getByLabel(/^x starts at \d$/)).toBeVisible();
});
