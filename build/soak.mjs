/**
 * Uses the window at random for a while, and looks whether memory comes back and anything is lost:
 *
 *     node build/soak.mjs [minutes] [seed]        10 minutes unless said; CHROMIUM names the browser
 *
 * With COTANGENT_PACKAGE, a folder that build/package.mjs has made with COTANGENT_TEST_BUILD=1, it is the packaged app that is used.
 *
 * Edits, fits from one start and many, studies, undo and redo and saves in a window that stays, and beside it windows that are
 * opened, loaded again, given tables and closed, on a model in a folder of its own. A file must hold what was saved. At the end
 * the server is killed, and what was on screen must come back.
 *
 * Memory is read when nothing runs and each process has collected its garbage, the engine's threads too (by its inspector): what
 * lies about between collections is no growth; and no other engine may be there. The page's heap, the server and the engine of the
 * window that stays are compared, the median of the last third with that of the second: the first warms up. Of the packaged app's
 * processes the main one and the engine are made to collect too; the others but the page have no inspector, and an engine has as many
 * threads asleep as its last work had: of these it is the least tenth that is compared. Each sample is told on standard error. Exit
 * status 1 where one grew by more than a tenth, or something was lost.
 */
import { _electron, chromium } from '@playwright/test';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { prepare, root } from './prepare.mjs';

await prepare();

const minutes = Number(process.argv[2] ?? 10);
let seed = Number(process.argv[3] ?? 1);
/** Park and Miller's. */
const random = (below) => (seed = (seed * 48271) % 2147483647) % below;

const folder = mkdtempSync(join(tmpdir(), 'cotangent-soak-'));
for (const file of ['misra1a.cot.json', 'misra1a.csv'])
  copyFileSync(join(root, 'models', 'catalogue', file), join(folder, file));

/** Inspectors of the server and of the engines, in the order in which they started: each says its own on standard error. */
let inspectors;

async function serve() {
  inspectors = [];
  const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };
  // Engines are forked, and take over how Node was started.
  const args = ['--inspect=0', join(root, 'build', 'cotangent.mjs'), 'serve', 'misra1a.cot.json'];
  const server = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  server.stderr.on('data', (text) => {
    for (const [, address] of String(text).matchAll(/^Debugger listening on (ws:\S+)$/gm)) inspectors.push(address);
  });
  const url = await new Promise((resolve) => server.stdout.once('data', (text) => resolve(String(text).trim())));
  return { server, url };
}

/**
 * Megabytes that a process has written and that are its own: its heaps, and what lies beside them. Pages of programs and
 * libraries are not: they become private by another process's end, and go when memory is short.
 */
function privateTo(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...rollup.matchAll(/^(?:Private_Dirty|Swap):\s+(\d+)/gm)].map(([, amount]) => Number(amount));
  return kilobytes.reduce((sum, amount) => sum + amount, 0) / 1024;
}

function childrenOf(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  return tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean));
}

/** Collects the garbage of a Node process, of all of its threads but those that wait for work asleep and hear nothing. */
async function collect(address) {
  const socket = new WebSocket(address);
  await new Promise((resolve) => socket.once('open', resolve));
  const threads = [];
  const owed = new Map();
  let asked = 0;
  const ask = (method, params) =>
    new Promise((resolve) => {
      owed.set(++asked, resolve);
      socket.send(JSON.stringify({ id: asked, method, params }));
    });
  /** The answer to what was passed on has the number that it was passed on with. */
  const askThread = (sessionId, method) =>
    new Promise((resolve) => {
      const id = ++asked;
      owed.set(id, resolve);
      void ask('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method }) });
    });
  socket.on('message', (data) => {
    const { id, method, params } = JSON.parse(String(data));
    if (method === 'NodeWorker.attachedToWorker') threads.push(params.sessionId);
    else owed.get(method === 'NodeWorker.receivedMessageFromWorker' ? JSON.parse(params.message).id : id)?.();
  });
  await ask('NodeWorker.enable', { waitForDebuggerOnStart: false });
  // What the first frees may hold what the second does.
  for (let times = 0; times < 2; times++) {
    for (const thread of threads) await Promise.race([askThread(thread, 'HeapProfiler.collectGarbage'), sleep(2000)]);
    await ask('HeapProfiler.collectGarbage');
  }
  await ask('NodeWorker.disable');
  socket.close();
}

/** On a busy machine all takes longer; what hangs is found out all the same. */
const patience = 120_000;
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** Of the window that stays, its heap after a collection; what was kept at hand beside it goes too, in all processes of the browser. */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Memory.simulatePressureNotification', { level: 'critical' });
  // They hear of it in their own time.
  await sleep(1500);
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 2 ** 20;
}

const tables = join(root, 'test', 'models', 'experiment', 'tables');
const importable = ['pm-col.tsv', 'cooling-de-date.csv', 'log-agonist-2.csv', 'growth-hm.csv'];

async function importTable(page) {
  await page.getByLabel('Table file').setInputFiles(join(tables, importable[random(importable.length)]));
  await page.getByRole('button', { name: 'Make a model' }).click();
}

/** The served window in Chromium. */
async function servedHost() {
  let { server, url } = await serve();
  process.once('exit', () => server.kill());
  const browser = await chromium.launch({ args: sandbox, executablePath: process.env.CHROMIUM });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(patience);
  const opened = async () => {
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };
  const page = await opened();
  let measured;
  let other;
  const openOther = async () => {
    other = await opened();
    await other.locator('h1').waitFor();
  };
  const closeOther = async () => {
    await other?.close();
    other = undefined;
  };
  return {
    page,
    /** In a window beside the one that stays. */
    actions: {
      async table() {
        if (!other) await openOther();
        await other.bringToFront();
        await importTable(other);
        await other.getByRole('dialog').waitFor({ state: 'hidden' });
        // It is left unsaved, and kept.
        await closeOther();
        await openOther();
        await page.bringToFront();
      },
      async reload() {
        if (!other) return openOther();
        await other.reload();
        return other.locator('h1').waitFor();
      },
      async window() {
        await closeOther();
        await openOther();
      },
    },
    /** It is this window's engine that is measured: the first that starts, by its first fit. */
    async begin() {
      // It may say where it is heard a little later.
      while (inspectors.length < 2) await page.waitForTimeout(100);
      measured = { addresses: inspectors.slice(0, 2), engine: childrenOf(server.pid)[0] };
    },
    async sample() {
      await closeOther();
      await page.bringToFront();
      for (let tries = 0; childrenOf(server.pid).length > 1; tries++) {
        if (tries === 300)
          throw new Error(`Engines were left by windows that closed: ${childrenOf(server.pid).length - 1}.`);
        await page.waitForTimeout(100);
      }
      for (const address of measured.addresses) await collect(address);
      return { page: await heapOf(page), server: privateTo(server.pid), engine: privateTo(measured.engine) };
    },
    isCollected: () => true,
    async killed() {
      server.kill('SIGKILL');
      ({ server, url } = await serve());
      return opened();
    },
    async close() {
      await browser.close();
      server.kill();
    },
  };
}

/** The packaged app. */
async function packagedHost(release) {
  const executable = join(release, 'installed', 'opt', 'Cotangent', 'cotangent');
  const state = join(folder, 'state');
  const env = { ...process.env, XDG_STATE_HOME: state, XDG_CONFIG_HOME: state, COTANGENT_DRIVEN: '1' };
  let app;
  let child;
  const start = async () => {
    const args = [...sandbox, '--disable-gpu', 'misra1a.cot.json'];
    app = await _electron.launch({ executablePath: executable, args, cwd: folder, env, timeout: patience });
    child = app.process();
    const page = await app.firstWindow({ timeout: patience });
    page.setDefaultTimeout(patience);
    return page;
  };
  const page = await start();
  process.once('exit', () => child.kill('SIGKILL'));
  const ours = page.locator('h1', { hasText: /Misra1a|Soaked/ });
  /** What comes once the document is left: it is asked whether its edits are to be saved. */
  const left = async (arrived, choice) => {
    const question = page.getByRole('dialog', { name: /^Save the changes/ });
    await question.or(arrived).first().waitFor();
    if (await question.isVisible()) await question.getByRole('button', { name: choice, exact: true }).click();
    await arrived.waitFor();
  };
  /** By a second start, as by a double click. */
  const openAgain = async () => {
    const second = { ...env };
    delete second.COTANGENT_DRIVEN;
    const starting = spawn(executable, [...sandbox, 'misra1a.cot.json'], { cwd: folder, env: second, stdio: 'ignore' });
    await new Promise((resolve) => starting.once('exit', resolve));
    await left(ours, 'Do not save');
  };
  /** Node listens at its usual port once it is asked to; the engine that stays is asked once. */
  let asked;
  const engineInspector = async (metrics) => {
    const { pid } = metrics.find(({ serviceName }) => serviceName === 'node.mojom.NodeService');
    if (pid !== asked) process.kill(pid, 'SIGUSR1');
    asked = pid;
    for (;;) {
      const told = await fetch('http://127.0.0.1:9229/json').catch(() => undefined);
      if (told) return (await told.json())[0].webSocketDebuggerUrl;
      await sleep(100);
    }
  };
  return {
    page,
    /** There is one window: it has another document for a while. */
    actions: {
      async table() {
        await page.removeLocatorHandler(page.getByRole('dialog'));
        await importTable(page);
        await left(page.locator('h1', { hasNotText: /Misra1a|Soaked/ }), 'Save');
        await openAgain();
        await page.addLocatorHandler(page.getByRole('dialog'), answer);
      },
      async reload() {
        await page.reload();
        await ours.waitFor();
      },
      async window() {
        await page.removeLocatorHandler(page.getByRole('dialog'));
        await page.keyboard.press('Control+k');
        // On a busy machine it comes later than a key would.
        await page.getByRole('dialog', { name: 'Find or run' }).waitFor();
        await page.keyboard.type('Empty model');
        await page.keyboard.press('Enter');
        await left(page.getByText('An empty model'), 'Save');
        await openAgain();
        await page.addLocatorHandler(page.getByRole('dialog'), answer);
      },
    },
    begin: () => undefined,
    async sample() {
      const heap = await heapOf(page);
      // The main process has no inspector: its collector is called from a context that knows it.
      await app.evaluate(() => {
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- what is evaluated has no `require` of its own
        const { require } = process.mainModule;
        require('node:v8').setFlagsFromString('--expose-gc');
        const collect = require('node:vm').runInNewContext('gc');
        // What the first frees may hold what the second does.
        for (let times = 0; times < 2; times++) collect();
      });
      const metrics = await app.evaluate((electron) => electron.app.getAppMetrics());
      await collect(await engineInspector(metrics));
      const sizes = { page: heap };
      for (const { pid, type } of metrics) sizes[type] = (sizes[type] ?? 0) + privateTo(pid);
      return sizes;
    },
    isCollected: (key) => key === 'page' || key === 'Browser',
    async killed() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      return start();
    },
    close: () => app.close(),
  };
}

const release = process.env.COTANGENT_PACKAGE;
const host = release ? await packagedHost(release) : await servedHost();
const { page } = host;
// A question that is asked is answered by the choice that changes nothing, whenever it comes.
const answer = () => page.keyboard.press('Escape');
await page.addLocatorHandler(page.getByRole('dialog'), answer);
await page.locator('h1').waitFor();
const lost = [];

const command = async (words) => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  // What cannot be done now leaves the palette open.
  if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape');
};
/** A tab that is open is closed by a click. */
const show = async (name, what) => {
  if (!(await what.isVisible())) await page.getByRole('tab', { name }).click();
  return what;
};
/** It may end meanwhile. */
const stopWhatRuns = async () => {
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  if (await stop.isVisible()) await stop.click({ timeout: 2000 }).catch(() => undefined);
};
const oneOf = (list) => list[random(list.length)];
const model = join(folder, 'misra1a.cot.json');
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
  async bound() {
    const field = await show('Parameters', page.getByLabel('lower bound of b1'));
    await field.fill(String(1 + random(100)));
    await page.keyboard.press('Enter');
  },
  async scale() {
    const field = await show('Parameters', page.getByLabel('scale of b1'));
    await field.selectOption(oneOf(['linear', 'log']));
  },
  async intervals() {
    const name = oneOf(['Covariance', 'Profile likelihood', 'Bootstrap']);
    await (await show('Uncertainty', page.getByRole('radio', { name, exact: true }))).click();
    await page.getByRole('button', { name: /^Run( again)?$/ }).click();
    await page
      .getByRole('status', { name: 'Outcome of the uncertainty study' })
      .getByText(/Done|Refused/)
      .waitFor();
  },
  async ranking() {
    const name = oneOf(['Local', 'Morris', 'Sobol’']);
    await (await show('Sensitivity', page.getByRole('radio', { name, exact: true }))).click();
    await page.getByRole('button', { name: /^Run( again)?$/ }).click();
    await page.waitForTimeout(random(1000));
    await stopWhatRuns();
  },
  undo: () => page.keyboard.press('Control+z'),
  redo: () => page.keyboard.press('Control+Shift+z'),
  async save() {
    const name = await page.locator('h1').textContent();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('footer', { hasText: /Saved/ }).waitFor();
    if (JSON.parse(readFileSync(model, 'utf8')).name !== name)
      lost.push(`The file lacks "${name}", which was called saved.`);
  },
  ...host.actions,
};
await actions.fit();
await host.begin();

const samples = [];
async function measure() {
  // All windows but this one are closed, their engines end, and nothing runs.
  await stopWhatRuns();
  const sample = await host.sample();
  samples.push(sample);
  const said = Object.entries(sample).map(([key, megabytes]) => `${key} ${megabytes.toFixed(1)} MB`);
  process.stderr.write(`${said.join(', ')}\n`);
}

const counts = {};
const last = [];
const kinds = Object.keys(actions);
const end = Date.now() + minutes * 60_000;
let measuredAt = 0;
while (Date.now() < end) {
  const kind = kinds[random(kinds.length)];
  await actions[kind]().catch(async (error) => {
    // What stands there tells what it waited for.
    const picture = join(tmpdir(), 'cotangent-soak.png');
    await page.screenshot({ path: picture });
    throw new Error(`${[...last, kind].join(', ')}: ${picture} shows the window as it stands`, { cause: error });
  });
  last.push(kind);
  if (last.length > 20) last.shift();
  counts[kind] = (counts[kind] ?? 0) + 1;
  if (Date.now() - measuredAt < 10_000) continue;
  await measure();
  measuredAt = Date.now();
}

await actions.rename();
const shown = await page.locator('h1').textContent();
await page.waitForTimeout(1000);
await page.locator('footer', { hasText: 'Every edit kept' }).waitFor();
const reopened = await host.killed();
// The start panel stands there until the copy is read.
const back = await reopened.locator('h1 button').textContent();
await host.close();
rmSync(folder, { recursive: true, force: true });

const third = Math.floor(samples.length / 3);
const quantile = (list, key, share) =>
  list.map((sample) => sample[key]).sort((a, b) => a - b)[Math.floor(share * list.length)];
if (back !== shown) lost.push(`"${shown}" came back as "${back}".`);
let failed = lost.length > 0;
process.stdout.write(
  `${Object.entries(counts)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ')}; ${samples.length} samples\n`,
);
for (const key of Object.keys(samples[0])) {
  const share = host.isCollected(key) ? 0.5 : 0.1;
  const [before, after] = [samples.slice(third, 2 * third), samples.slice(2 * third)].map((part) =>
    quantile(part, key, share),
  );
  const grew = after > 1.1 * before;
  failed ||= grew;
  process.stdout.write(`${key}: ${before.toFixed(1)} MB, then ${after.toFixed(1)} MB${grew ? ': it grew' : ''}\n`);
}
process.stdout.write(lost.length === 0 ? 'Nothing was lost.\n' : `Lost:\n${lost.join('\n')}\n`);
process.exitCode = failed ? 1 : 0;
