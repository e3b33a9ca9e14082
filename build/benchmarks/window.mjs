/**
 * Measures the window in Chromium, through `cotangent serve`: a canvas of 300 blocks that is panned, zoomed and edited, a
 * slider that redraws one curve of 1,000 points and five of them, and a fit while the window must stay awake. Prints a table; nothing is
 * judged. Needs a build (`npm start`) and Chromium: Playwright's own, or the one that CHROMIUM names.
 *
 *     node build/benchmarks/window.mjs [SECONDS]      of each movement, 5 unless said
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { imported } from '../bundled.mjs';
import { root } from '../prepare.mjs';

const seconds = Number(process.argv[2] ?? 5);

/** 57 strands of a parameter, three formulas and a scan, whose sums of eight are added up to what is fitted. */
function largeModel(strands = 57) {
  const t = Array.from({ length: 50 }, (_, i) => i / 10);
  const blocks = [
    { id: 't', kind: 'column', table: 'data', column: 't' },
    { id: 'y', kind: 'column', table: 'data', column: 'y' },
  ];
  const ends = [];
  for (let i = 0; i < strands; i++) {
    blocks.push(
      { id: `k${i}`, kind: 'parameter', initial: 0.1 + i / 100, lower: 0, upper: 2 },
      { id: `a${i}`, kind: 'map', formula: `k${i} * t` },
      { id: `b${i}`, kind: 'map', formula: `exp(-a${i})` },
      { id: `c${i}`, kind: 'scan', operator: 'add', values: `b${i}` },
      { id: `d${i}`, kind: 'map', formula: `c${i} * b${i}` },
    );
    ends.push(`d${i}`);
  }
  const sums = [];
  for (let i = 0; i < strands; i += 8)
    sums.push({ id: `s${i}`, kind: 'map', formula: ends.slice(i, i + 8).join(' + ') });
  const model = { id: 'model', kind: 'map', formula: sums.map(({ id }) => id).join(' + ') };
  blocks.push(...sums, model, { id: 'loss', kind: 'least-squares', prediction: 'model', observed: 'y' });
  while (blocks.length < 300) blocks.push({ id: `more${blocks.length}`, kind: 'map', formula: 'model * 2' });
  return {
    format: 'cotangent/1',
    name: `${blocks.length} blocks`,
    tables: { data: { columns: { t, y: t.map((x) => 10 * Math.exp(-x)) } } },
    blocks,
    objective: 'loss',
  };
}

/** A decay of 1,000 points, with noise from a generator of our own so that every run fits the same data. */
function curveModel(points = 1000) {
  let seed = 1;
  const noise = () => (seed = (seed * 48271) % 2147483647) / 2147483647 - 0.5;
  const t = Array.from({ length: points }, (_, i) => (10 * i) / points);
  return {
    format: 'cotangent/1',
    name: '1,000 points',
    tables: { data: { columns: { t, y: t.map((x) => 3 * Math.exp(-0.4 * x) + 1 + 0.2 * noise()) } } },
    blocks: [
      { id: 't', kind: 'column', table: 'data', column: 't' },
      { id: 'y', kind: 'column', table: 'data', column: 'y' },
      { id: 'A', kind: 'parameter', initial: 1, lower: 0, upper: 10 },
      { id: 'k', kind: 'parameter', initial: 1, lower: 0, upper: 4 },
      { id: 'c', kind: 'parameter', initial: 0, lower: -2, upper: 2 },
      { id: 'curve', kind: 'map', formula: 'A * exp(-k * t) + c' },
      { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
    ],
    objective: 'loss',
  };
}

async function withWindow(document, work) {
  // Each has a state of its own: what was dragged in another window would be restored in this one.
  const folder = mkdtempSync(join(tmpdir(), 'cotangent-benchmark-'));
  const file = join(folder, 'model.cot.json');
  writeFileSync(file, JSON.stringify(document));
  const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };
  const args = [join(root, 'build', 'cotangent.mjs'), 'serve', file];
  const server = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((resolve) => server.stdout.once('data', (text) => resolve(String(text).trim())));
  const executablePath = process.env.CHROMIUM;
  const browser = await chromium.launch({
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ...(executablePath && { executablePath }),
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(watch);
    const from = performance.now();
    await page.goto(url);
    await page.locator('.canvas.settled').waitFor({ timeout: 120_000 });
    const openedAfter = performance.now() - from;
    await page.waitForTimeout(1500);
    return await work(page, openedAfter, browser.version());
  } finally {
    await browser.close();
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs in the page: what every frame and every long task took, and when charts were drawn. */
function watch() {
  const seen = { frames: [], tasks: [], draws: [], canvases: new Map() };
  window.watched = seen;
  const frame = (now) => {
    seen.frames.push(now);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.tasks.push(duration);
  }).observe({ type: 'longtask' });
  const { clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...args) {
    seen.draws.push(performance.now());
    seen.canvases.set(this.canvas, (seen.canvases.get(this.canvas) ?? 0) + 1);
    return clearRect.apply(this, args);
  };
}

/** Runs in the page: a point at the head of a block that nothing covers. */
function blockInView() {
  for (const node of document.querySelectorAll('.svelte-flow__node')) {
    const { x, y, width, height } = node.getBoundingClientRect();
    const [px, py] = [x + width / 2, y + Math.min(8, height / 4)];
    if (node.contains(document.elementFromPoint(px, py))) return { x: px, y: py };
  }
  return null;
}

const quantile = (values, q) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))];

/** Frames and long tasks while something is done over and over. */
async function during(page, act) {
  await page.evaluate(() => Object.assign(window.watched, { frames: [], tasks: [] }));
  const until = performance.now() + 1000 * seconds;
  let steps = 0;
  for (; performance.now() < until; steps++) await act(steps);
  const { frames, tasks } = await page.evaluate(() => window.watched);
  const gaps = frames.slice(1).map((now, i) => now - frames[i]);
  return {
    'frames/s': (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0),
    'frame, 95 % below (ms)': quantile(gaps, 0.95),
    'long tasks': tasks.length,
    'longest (ms)': Math.max(0, ...tasks),
  };
}

async function canvasRows(page, openedAfter) {
  const box = await page.locator('.canvas').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  const wheel = (dx, dy) => page.mouse.wheel(dx, dy);
  const still = await during(page, () => page.waitForTimeout(100));
  const panAll = await during(page, (i) => wheel(i % 40 < 20 ? 12 : -12, i % 40 < 20 ? 6 : -6));
  await page.keyboard.down('Control');
  for (let i = 0; i < 12; i++) await wheel(0, -120);
  const zoom = await during(page, (i) => wheel(0, i % 40 < 20 ? -30 : 30));
  await page.keyboard.up('Control');
  const pan = await during(page, (i) => wheel(i % 40 < 20 ? 12 : -12, i % 40 < 20 ? 6 : -6));
  const held =
    (await page.evaluate(blockInView)) ?? (await page.keyboard.press('Home'), await page.evaluate(blockInView));
  await page.mouse.move(held.x, held.y);
  await page.mouse.down();
  const drag = await during(page, (i) => page.mouse.move(held.x + (i % 60), held.y + ((i * 7) % 40)));
  await page.mouse.up();
  console.log(`300 blocks: opened, laid out and drawn after ${(openedAfter / 1000).toFixed(1)} s`);
  return { 'at rest': still, 'pan, all in view': panAll, zoom, 'pan, near': pan, 'drag a block': drag };
}

async function sliderRow(page, parameter) {
  const slider = page.getByRole('slider', { name: parameter, exact: true });
  await slider.focus();
  const times = [];
  const moves = 40;
  for (let i = 0; i < moves; i++) {
    await page.evaluate(() => (window.watched.draws = []));
    // From the key's event to the first drawing of the chart after it, in the page's own time.
    const before = await page.evaluate(() => {
      const key = new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true });
      const now = performance.now();
      document.activeElement.dispatchEvent(key);
      return now;
    });
    const drawn = await page.waitForFunction((since) => window.watched.draws.find((at) => at > since), before);
    times.push((await drawn.jsonValue()) - before);
    // Until what follows (ranges, the finer curve) has come too.
    await page.waitForTimeout(300);
  }
  return { least: Math.min(...times), median: quantile(times, 0.5), most: Math.max(...times) };
}

/** The slider that has the focus, held: a move in every frame. How often the chart that is drawn most is drawn anew. */
function heldRow(page) {
  return page.evaluate(
    (milliseconds) =>
      new Promise((resolve) => {
        Object.assign(window.watched, { frames: [], canvases: new Map() });
        const from = performance.now();
        let moves = 0;
        const move = () => {
          const passed = performance.now() - from;
          if (passed < milliseconds) {
            const key = moves++ % 40 < 20 ? 'ArrowRight' : 'ArrowLeft';
            document.activeElement.dispatchEvent(
              new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
            );
            requestAnimationFrame(move);
            return;
          }
          const { frames, canvases } = window.watched;
          const each = (count) => (1000 * count) / passed;
          resolve({
            'moves/s': each(moves),
            'drawings of a chart/s': each(Math.max(0, ...canvases.values())),
            'frames/s': each(frames.length),
          });
        };
        requestAnimationFrame(move);
      }),
    1000 * seconds,
  );
}

async function fitRow(page) {
  await page.evaluate(() => Object.assign(window.watched, { frames: [], tasks: [] }));
  await page.getByRole('button', { name: /^Try \d+ starts/ }).click();
  await page
    .getByRole('status', { name: 'Outcome of the fit' })
    .getByText(/^\s*(Converged|Not converged|Failed)/)
    .waitFor();
  const { frames, tasks } = await page.evaluate(() => window.watched);
  const gaps = frames.slice(1).map((now, i) => now - frames[i]);
  return { 'long tasks': tasks.length, 'longest (ms)': Math.max(0, ...tasks), 'longest frame (ms)': Math.max(...gaps) };
}

const rounded = (row) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Math.round(10 * value) / 10]));

const { fiveCurves } = await imported('sliders', "export * from './src-main/benchmark/sliders/document.ts';");
await withWindow(largeModel(), async (page, openedAfter, version) => {
  console.log(`Chromium ${version}, load ${loadavg()[0].toFixed(1)}, ${seconds} s of each movement`);
  const rows = await canvasRows(page, openedAfter);
  console.table(Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, rounded(row)])));
});
const sliders = {};
const held = {};
await withWindow(fiveCurves(1000), async (page) => {
  sliders['five curves'] = await sliderRow(page, 'k');
  held['five curves'] = await heldRow(page);
});
await withWindow(curveModel(), async (page) => {
  sliders['one curve'] = await sliderRow(page, 'k');
  held['one curve'] = await heldRow(page);
  console.log('A slider of a model of 1,000 points, from the key to the first drawing of a chart (ms)');
  console.table(Object.fromEntries(Object.entries(sliders).map(([name, row]) => [name, rounded(row)])));
  console.log('The same sliders held, a move in every frame');
  console.table(Object.fromEntries(Object.entries(held).map(([name, row]) => [name, rounded(row)])));
  console.log('A fit from many starts');
  console.table(rounded(await fitRow(page)));
});
