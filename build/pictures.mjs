/**
 * Takes the pictures of docs/pictures and writes the gallery around them, docs/pictures.md: every panel, the adjoint view
 * and what floats, at 1440×900 and 1024×700, light and dark. Not part of the tests. Needs a build (`npm start`), Chromium
 * (Playwright's own, or the one that CHROMIUM names), and ImageMagick to make the files small.
 *
 *     node build/pictures.mjs [NAME …]
 */
import { chromium } from '@playwright/test';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { findProgram } from './system.mjs';

const built = process.env.COTANGENT_ROOT ?? root;
const folder = join(root, 'docs', 'pictures');
const sizes = { '': { width: 1440, height: 900 }, '-1024': { width: 1024, height: 700 } };
const themes = ['light', 'dark'];
const wanted = process.argv.slice(2);

const tab = (page, name) => page.getByRole('tab', { name }).first().click();
const fitted = (page) => page.getByRole('status', { name: 'Outcome of the fit' }).getByText('Converged').waitFor();

async function study(page, kind, method) {
  await tab(page, kind);
  await page.getByRole('radio', { name: method, exact: true }).click();
  await page.getByRole('button', { name: /^Run( again)?$/ }).click();
  const outcome = page.getByRole('status', { name: `Outcome of the ${kind.toLowerCase()} study` });
  await outcome.getByText('Done').waitFor({ timeout: 120_000 });
}

async function addPalette(page) {
  await page.locator('.svelte-flow__pane').click({ position: { x: 700, y: 480 } });
  await page.mouse.move(420, 180);
  await page.keyboard.press('Space');
  await page.keyboard.type('scan');
}

async function choose(page, id) {
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type(id);
  await page.keyboard.press('Enter');
}

async function dropTable(page) {
  await page.evaluate(() => {
    const text =
      'time;conc;err\nh;mg/L;mg/L\n0,5;4,1;0,3\n1;6,9;0,3\n2;8,2;0,4\n4;6,3;0,3\n8;3,1;0,2\n12;1,4;0,2\n24;0,2;0,1\n';
    const transfer = new DataTransfer();
    transfer.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true }));
  });
  await page.getByRole('dialog').waitFor();
  // Until every shape has been fitted.
  const stop = page.getByRole('dialog').getByRole('button', { name: 'Stop' });
  await stop.waitFor();
  await stop.waitFor({ state: 'hidden', timeout: 120_000 });
}

/** The pictures in order; `make` goes on from where the one before left the window. */
const views = [
  {
    name: 'studio',
    title: 'The model, fitted',
    about:
      'Data from the left, parameters on the blocks that use them; below, the curve over the data and what the fit says.',
    make: async (page) => {
      await fitted(page);
      await page.locator('.canvas.settled').waitFor();
    },
  },
  {
    name: 'parameters',
    title: 'Parameters',
    about: 'Start, bounds, scale, prior: all in one table.',
    make: (page) => tab(page, 'Parameters'),
  },
  {
    name: 'residuals',
    title: 'Residuals',
    about: 'Over what the data are plotted against, and beside those of normal noise.',
    make: (page) => tab(page, 'Residuals'),
  },
  { name: 'data', title: 'Data', about: 'The tables as they were read.', make: (page) => tab(page, 'Data') },
  {
    name: 'search',
    floats: true,
    title: 'Search to add',
    about: 'Space searches for a block; each says and draws what it does.',
    make: async (page) => {
      await tab(page, 'Fit');
      await addPalette(page);
    },
  },
  {
    name: 'palette',
    floats: true,
    title: 'The palette',
    about: 'Everything can be found and run by name.',
    make: async (page) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('ControlOrMeta+k');
    },
  },
  {
    name: 'help',
    floats: true,
    title: 'Help',
    about: 'The equation of each block and method, all keys, and a tour.',
    make: async (page) => {
      await page.keyboard.press('Escape');
      await choose(page, 'profile likelihood');
    },
  },
  {
    name: 'tour',
    floats: true,
    title: 'The tour',
    about: 'Eight cards, each beside what it speaks of.',
    make: async (page) => {
      await page.keyboard.press('Escape');
      await choose(page, 'take the tour');
      await page.getByRole('button', { name: 'Next' }).click();
    },
  },
  {
    name: 'problems',
    title: 'Problems',
    about: 'What is wrong, where, and a fix that one click applies.',
    make: async (page) => {
      await page.getByRole('button', { name: 'End the tour' }).click();
      await choose(page, 'curve');
      await page.locator('.inspector .cm-content').click();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type(' + dosis');
      await tab(page, 'Problems');
    },
  },
  {
    name: 'adjoint',
    title: 'The adjoint view',
    about: 'How much the objective follows each wire, and the rewrite rule of each block.',
    model: 'waiting times in bins',
    make: async (page) => {
      await fitted(page);
      await page.keyboard.press('d');
      await page.getByRole('table').first().waitFor();
      await page.waitForTimeout(1500);
    },
  },
  {
    name: 'uncertainty',
    title: 'Uncertainty',
    about: 'Profiles, intervals and a verdict for each parameter.',
    model: 'puromycin',
    make: async (page) => {
      await fitted(page);
      await study(page, 'Uncertainty', 'Profile likelihood');
    },
  },
  {
    name: 'sensitivity',
    title: 'Sensitivity',
    about: 'Sobol’ indices with their intervals, and how they converge.',
    model: 'puromycin',
    make: (page) => study(page, 'Sensitivity', 'Sobol’'),
  },
  {
    name: 'results',
    title: 'Results',
    about: 'All runs since the document was opened, side by side.',
    model: 'puromycin',
    make: (page) => tab(page, 'Results'),
  },
  {
    name: 'start',
    title: 'The start panel',
    about: 'A table of one’s own, an example, an empty model, or what was open last.',
    make: async (page) => {
      await page.getByRole('button', { name: 'Start panel' }).click();
      const leave = page.getByRole('button', { name: 'Do not save' });
      if (await leave.isVisible().catch(() => false)) await leave.click();
      await page.getByRole('heading', { name: 'Examples' }).waitFor();
      // What the examples draw is computed one by one.
      await page.waitForTimeout(12_000);
    },
  },
  {
    name: 'import',
    floats: true,
    title: 'A table of one’s own',
    about: 'What was found is shown, and each of it can be changed.',
    make: dropTable,
  },
];

/** 8 bits a pixel are enough for a window, and a quarter of the bytes. */
function shrink(path) {
  const program = findProgram('magick', 'convert');
  if (program) spawnSync(program, [path, '+dither', '-colors', '200', '-strip', `PNG8:${path}`]);
}

async function take(page, { name, floats }) {
  for (const theme of themes)
    for (const [suffix, size] of Object.entries(sizes)) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.setViewportSize(size);
      await page.waitForTimeout(200);
      // A click elsewhere would close what floats.
      const all = page.getByRole('button', { name: 'Show all' });
      if (!floats && (await all.isVisible())) await all.click({ timeout: 500 }).catch(() => undefined);
      await page.mouse.move(1, 500);
      await page.waitForTimeout(700);
      const path = join(folder, `${name}-${theme}${suffix}.png`);
      await page.screenshot({ path });
      shrink(path);
    }
  await page.setViewportSize(sizes['']);
}

async function withWindow(model, work) {
  const own = mkdtempSync(join(tmpdir(), 'cotangent-pictures-'));
  const args = [join(built, 'build', 'cotangent.mjs'), 'serve'];
  const server = spawn(process.execPath, args, {
    cwd: own,
    env: { ...process.env, XDG_STATE_HOME: own },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await new Promise((resolve) => server.stdout.once('data', (text) => resolve(String(text).trim())));
  const executablePath = process.env.CHROMIUM;
  const browser = await chromium.launch({
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ...(executablePath && { executablePath }),
  });
  try {
    const page = await browser.newPage({ viewport: sizes[''] });
    page.setDefaultTimeout(30_000);
    // The offer of the tour is for who comes for the first time.
    await page.addInitScript(() => localStorage.setItem('cotangent.tour', 'seen'));
    await page.goto(url);
    await fitted(page);
    if (model !== undefined) {
      await choose(page, model);
      await page.getByRole('heading', { level: 1, name: new RegExp(model, 'i') }).waitFor();
      await page.locator('.canvas.settled').waitFor();
    }
    await work(page);
  } finally {
    await browser.close();
    server.kill();
    rmSync(own, { recursive: true, force: true });
  }
}

function gallery() {
  const picture = (name, theme, suffix) => `pictures/${name}-${theme}${suffix}.png`;
  const sections = views.map(
    ({ name, title, about }) =>
      `## ${title}\n\n${about}\n\n` +
      `| light | dark |\n| --- | --- |\n` +
      Object.entries(sizes)
        .map(([suffix, { width, height }]) => {
          const cell = (theme) => `![${title}, ${theme}, ${width} by ${height}](${picture(name, theme, suffix)})`;
          return `| ${cell('light')} | ${cell('dark')} |`;
        })
        .join('\n'),
  );
  return `# Pictures\n\nEvery view at 1440×900 and at 1024×700, taken by \`node build/pictures.mjs\`.\n\n${sections.join('\n\n')}\n`;
}

mkdirSync(folder, { recursive: true });
for (const model of [undefined, 'waiting times in bins', 'puromycin'])
  await withWindow(model, async (page) => {
    for (const view of views.filter((one) => one.model === model)) {
      await view.make(page);
      if (wanted.length === 0 || wanted.includes(view.name)) await take(page, view);
      process.stderr.write(`${view.name}\n`);
    }
  });
const page = join(root, 'docs', 'pictures.md');
writeFileSync(page, gallery());
spawnSync(process.execPath, [join(root, 'node_modules', 'prettier', 'bin', 'prettier.cjs'), '--write', page]);
