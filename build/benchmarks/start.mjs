/**
 * Times from the start of the packaged app to a window that can be used, each with a folder of its own for what the app keeps:
 *
 *     xvfb-run -a node build/benchmarks/start.mjs EXECUTABLE [times] [--cold]
 *
 * `drawn`: the document's blocks stand there and *Fit* can be pressed; `checked`: they are laid out, wired and have their shapes.
 * Before each start `--cold` has the system forget the package's files (Linux, by dd). On a machine with other work the times are
 * that work's: a superuser has the cores to herself by `chrt -r 1` before the command.
 */
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { root } from '../prepare.mjs';

const given = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const [executable, times = '5'] = given;
if (executable === undefined) throw new Error('Which app? Name its executable, as it is unpacked.');

function forget(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      execFileSync('dd', [`if=${join(entry.parentPath, entry.name)}`, 'iflag=nocache', 'count=0'], {
        stdio: 'ignore',
      });
}

/** In the page, in milliseconds since `began`. */
const watching = (began) => `new Promise((done) => {
  const seen = {};
  const now = () => Math.round(performance.timeOrigin + performance.now() - ${began});
  const look = () => {
    const fit = document.querySelector('[aria-keyshortcuts="Control+Enter"]:not(:disabled)');
    if (fit && document.querySelector('.svelte-flow__node')) seen.drawn ??= now();
    if (/\\[14\\]/.test(document.querySelector('.svelte-flow')?.textContent ?? '')) seen.checked ??= now();
    if (seen.drawn && seen.checked) done(JSON.stringify(seen));
    else setTimeout(look, 4);
  };
  look();
})`;

async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'cotangent-start-'));
  for (const name of ['misra1a.cot.json', 'misra1a.csv'])
    copyFileSync(join(root, 'models', 'catalogue', name), join(folder, name));
  if (process.argv.includes('--cold')) forget(dirname(executable));
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const began = Date.now();
  const app = spawn(executable, [...sandbox, '--remote-debugging-port=0', join(folder, 'misra1a.cot.json')], {
    env: { ...process.env, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => app.once('exit', resolve));
  let said = '';
  app.stderr.on('data', (text) => (said += text));
  let socket;
  while (!socket) {
    await sleep(5);
    const [, host] = /DevTools listening on ws:\/\/([^/]+)\//.exec(said) ?? [];
    const pages = host ? await (await fetch(`http://${host}/json`)).json() : [];
    const page = pages.find(({ url }) => url.endsWith('index.html'));
    if (page) socket = new WebSocket(page.webSocketDebuggerUrl);
  }
  await new Promise((resolve) => socket.once('open', resolve));
  let value;
  // What is asked of the empty page before it is answered by none.
  for (let id = 1; value === undefined; id++) {
    const answer = new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)))));
    const params = { expression: watching(began), returnByValue: true, awaitPromise: true };
    socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
    value = (await answer).result?.result?.value;
  }
  socket.close();
  app.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  return JSON.parse(value);
}

for (let i = 0; i < Number(times); i++) {
  const { drawn, checked } = await start();
  process.stdout.write(`drawn ${drawn} ms, checked ${checked} ms\n`);
}
