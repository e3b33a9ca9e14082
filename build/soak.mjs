/**
 * Uses the window at random for a while, and looks whether memory comes back and anything is lost:
 *
 *     node build/soak.mjs [minutes] [seed]        10 minutes unless said; CHROMIUM names the browser
 *
 * Edits, fits from one start and many, undo and redo, saves, reloads and further windows, on a model in a folder of its own.
 * At the end the server is killed, and what was on screen must come back. The least that a process held in the last third is
 * compared with the least of the second: what lies between collections is no growth. Exit status 1 where it grew by more
 * than a tenth, or something was lost.
 */
import { chromium } from '@playwright/test';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare();

const minutes = Number(process.argv[2] ?? 10);
let seed = Number(process.argv[3] ?? 1);
/** Park and Miller's. */
const random = (below) => (seed = (seed * 48271) % 2147483647) % below;

const folder = mkdtempSync(join(tmpdir(), 'cotangent-soak-'));
for (const file of ['misra1a.cot.json', 'misra1a.csv'])
  copyFileSync(join(root, 'models', 'catalogue', file), join(folder, file));

async function serve() {
  const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };
  const args = [join(root, 'build', 'cotangent.mjs'), 'serve', 'misra1a.cot.json'];
  const server = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((resolve) => server.stdout.once('data', (text) => resolve(String(text).trim())));
  return { server, url };
}

/** Megabytes that a process and its children hold; of the page, the heap after a collection. */
function residentOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
function childrenOf(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  return tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean));
}

let { server, url } = await serve();
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ args: sandbox, executablePath: process.env.CHROMIUM });
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
// On a busy machine all takes longer; what hangs is found out all the same.
context.setDefaultTimeout(300_000);
let page = await context.newPage();
// A question that is asked is answered by the choice that changes nothing, whenever it comes.
const answer = () => page.keyboard.press('Escape');
await page.addLocatorHandler(page.getByRole('dialog'), answer);
await page.goto(url);
await page.locator('h1').waitFor();

const command = async (words) => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
};
let names = 0;
const actions = {
  async rename() {
    await page.getByTitle('Rename', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Name of the model' }).fill(`Soaked ${++names}`);
    await page.keyboard.press('Enter');
  },
  async fit() {
    await command('Fit');
    await page.getByRole('status', { name: 'Outcome of the fit' }).waitFor();
  },
  async starts() {
    await command('starts');
    await page.waitForTimeout(random(2000));
    await command('Stop the fit');
  },
  undo: () => page.keyboard.press('Control+z'),
  redo: () => page.keyboard.press('Control+Shift+z'),
  save: () => page.keyboard.press('Control+s'),
  async reload() {
    await page.reload();
    await page.locator('h1').waitFor();
  },
  async window() {
    const other = await context.newPage();
    await other.goto(url);
    await other.locator('h1').waitFor();
    await other.close();
  },
};

const samples = [];
async function measure() {
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  const engines = childrenOf(server.pid).map(residentOf);
  samples.push({ page: usedSize / 2 ** 20, server: residentOf(server.pid), engine: Math.max(0, ...engines) });
}

const counts = {};
const kinds = Object.keys(actions);
const end = Date.now() + minutes * 60_000;
let measuredAt = 0;
while (Date.now() < end) {
  const kind = kinds[random(kinds.length)];
  await actions[kind]();
  counts[kind] = (counts[kind] ?? 0) + 1;
  if (Date.now() - measuredAt < 2000) continue;
  measuredAt = Date.now();
  await measure();
}

await actions.rename();
const shown = await page.locator('h1').textContent();
await page.waitForTimeout(1000);
server.kill('SIGKILL');
({ server, url } = await serve());
page = await context.newPage();
await page.goto(url);
await page.locator('h1').waitFor();
const back = await page.locator('h1').textContent();
await browser.close();
server.kill();
rmSync(folder, { recursive: true, force: true });

const third = Math.floor(samples.length / 3);
const least = (list, key) => Math.min(...list.map((sample) => sample[key]));
let failed = back !== shown;
process.stdout.write(
  `${Object.entries(counts)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ')}; ${samples.length} samples\n`,
);
for (const key of ['page', 'server', 'engine']) {
  const [before, after] = [least(samples.slice(third, 2 * third), key), least(samples.slice(2 * third), key)];
  const grew = after > 1.1 * before;
  failed ||= grew;
  process.stdout.write(`${key}: ${before.toFixed(0)} MB, then ${after.toFixed(0)} MB${grew ? ': it grew' : ''}\n`);
}
process.stdout.write(back === shown ? 'Nothing was lost.\n' : `Lost: "${shown}" came back as "${back}".\n`);
process.exitCode = failed ? 1 : 0;
