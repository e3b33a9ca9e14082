/** `open`: the desktop app; where no Electron can run, the same window served to a browser. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Refused } from '../refused.ts';
import { findDesktop, type DesktopCommand } from './places.ts';
import { kernelRules, sandboxRemedy } from './sandbox.ts';
import { serve } from './serve.ts';

/** An Electron that fails sooner than this never showed a window: a library or the sandbox is missing. */
const startupMilliseconds = 10_000;

function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/** Resolves when the app is closed: true unless it could not start. */
function runDesktop({ executable, args }: DesktopCommand, own: readonly string[]): Promise<boolean> {
  const startedAt = Date.now();
  const env = { ...process.env };
  // Set by some editors' terminals; it would make Electron a plain Node.
  delete env['ELECTRON_RUN_AS_NODE'];
  // Chromium's sandbox refuses root outright.
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return new Promise((resolveDone) => {
    const child = spawn(executable, [...sandbox, ...args, ...own], { stdio: ['ignore', 2, 2], env });
    let stopping = false;
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        stopping = true;
        child.kill(signal);
      });
    child.once('error', () => resolveDone(false));
    child.once('exit', (code) => resolveDone(stopping || code === 0 || Date.now() - startedAt > startupMilliseconds));
  });
}

export async function open(model: string | undefined): Promise<void> {
  if (model !== undefined && !existsSync(model)) throw new Refused(`${model} cannot be opened: there is no such file.`);
  const desktop = findDesktop();
  if (desktop !== undefined && hasDisplay()) {
    if (await runDesktop(desktop, model === undefined ? [] : [resolve(model)])) return;
    const remedy = sandboxRemedy(desktop.executable, kernelRules(desktop.executable));
    if (remedy !== undefined) process.stderr.write(`${remedy}\n`);
    process.stderr.write('Electron could not start here; the app is served to a browser instead:\n');
  } else {
    const why = desktop === undefined ? 'There is no Electron here' : 'There is no display here';
    process.stderr.write(`${why}; open this address in a browser:\n`);
  }
  await serve(model, { port: 0 });
}
