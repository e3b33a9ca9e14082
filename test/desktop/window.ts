/** A window on a model in a folder of its own, in either host; it can be closed or killed, and opened again. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { _electron, chromium, expect, test as base } from '@playwright/test';
import type { ElectronApplication, Page } from '@playwright/test';

const root = join(import.meta.dirname, '../..');
const catalogue = join(root, 'models', 'catalogue');

/** What a test throws says so. */
export const onPurpose = 'a fault of the test';

export interface HostOption {
  host: 'browser' | 'desktop';
}

export interface OpenWindow {
  readonly page: Page;
  /** Undefined in a browser. */
  readonly electron?: ElectronApplication;
  close(): Promise<void>;
  /** As a crash or a power cut would end it. */
  kill(): Promise<void>;
}

export interface Place {
  /** The folder of the model; the app's own state lies beside it. */
  readonly folder: string;
  readonly model: string;
  open(model?: string | null, env?: Record<string, string>): Promise<OpenWindow>;
}

/** Chromium refuses its sandbox to root. */
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
}

/**
 * Chromium's own processes end a little after the one that was waited for, and write to the folder until then. Each
 * try reads the folder anew: `maxRetries` of `rmSync` asks again only for the folder that it took to be empty.
 */
async function clear(folder: string): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (left === 0) throw error;
      await setTimeout(100);
    }
  }
}

async function openBrowser(folder: string, env: NodeJS.ProcessEnv, model: string | null): Promise<OpenWindow> {
  const args = [join(root, 'build', 'cotangent.mjs'), 'serve', ...(model === null ? [] : [model])];
  const server = spawn(process.execPath, args, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve) =>
    server.stdout.once('data', (text: Buffer) => resolve(text.toString().trim())),
  );
  const executablePath = process.env['CHROMIUM'];
  const browser = await chromium.launch({ args: sandbox, ...(executablePath !== undefined && { executablePath }) });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  const end = (signal: NodeJS.Signals) => async () => {
    await browser.close();
    server.kill(signal);
    await ended(server);
  };
  return { page, close: end('SIGINT'), kill: end('SIGKILL') };
}

/** What is tried is what a .deb installs where one was made (build/test.mjs), else what was laid out. */
const release = process.env['COTANGENT_PACKAGE'] ?? join(root, 'release');
export const installed = join(release, 'installed');
const executables: Partial<Record<NodeJS.Platform, string>> = {
  linux: existsSync(installed) ? 'installed/opt/Cotangent/cotangent' : 'linux-unpacked/cotangent',
  darwin: 'mac/Cotangent.app/Contents/MacOS/Cotangent',
  win32: 'win-unpacked/Cotangent.exe',
};
export const executable = join(release, executables[process.platform] ?? '');

/**
 * A software GPU, so that the hidden window has one wherever the test runs; Chromium gives it up once it has died thrice. What
 * needs none draws without: a window composed by a software GPU takes longer than all that it is there to show.
 */
const gpuOf = ({ COTANGENT_DEVICE }: NodeJS.ProcessEnv): string[] =>
  COTANGENT_DEVICE !== undefined
    ? ['--use-vulkan=swiftshader', '--enable-features=Vulkan', '--disable-gpu-process-crash-limit']
    : ['--disable-gpu'];

async function openDesktop(folder: string, env: NodeJS.ProcessEnv, model: string | null): Promise<OpenWindow> {
  const electron = await _electron.launch({
    executablePath: executable,
    args: [...sandbox, ...gpuOf(env), ...(model === null ? [] : [model])],
    cwd: folder,
    env: { ...(env as Record<string, string>), COTANGENT_DRIVEN: '1' },
    timeout: 300_000,
  });
  const page = await electron.firstWindow({ timeout: 300_000 });
  // The time limits of the configuration are those of pages that Playwright opens.
  page.setDefaultTimeout(300_000);
  return {
    page,
    electron,
    close: () => electron.close(),
    async kill() {
      const child = electron.process();
      child.kill('SIGKILL');
      await ended(child);
    },
  };
}

/** As a double click on the model while the app runs: it is started once more, tells the one that runs, and ends. */
export async function secondStart({ folder, model }: Place): Promise<void> {
  const state = join(folder, 'state');
  await ended(
    spawn(executable, [...sandbox, model], {
      cwd: folder,
      env: { ...process.env, XDG_STATE_HOME: state, XDG_CONFIG_HOME: state },
      stdio: 'ignore',
    }),
  );
}

/** What `save` makes the window write to a file: its name and its content. */
export async function downloaded(
  { page, electron }: OpenWindow,
  folder: string,
  save: () => Promise<void>,
): Promise<{ readonly name: string; readonly bytes: Buffer; readonly text: string }> {
  const read = (name: string, path: string) => {
    const bytes = readFileSync(path);
    return { name, bytes, text: bytes.toString('utf8') };
  };
  if (!electron) {
    const [file] = await Promise.all([page.waitForEvent('download'), save()]);
    return read(file.suggestedFilename(), await file.path());
  }
  const path = join(folder, 'downloaded');
  rmSync(path, { force: true });
  await savingAt(electron, path);
  await save();
  // It takes its name once it is whole.
  await expect.poll(() => existsSync(path)).toBe(true);
  const name = await electron.evaluate(() => (globalThis as unknown as { suggested: string }).suggested);
  return read(name, path);
}

/** What `choose` makes a page print: a browser's own dialog, which no test sees, gives the same. */
export async function printed(
  window: OpenWindow,
  folder: string,
  choose: () => Promise<void>,
): ReturnType<typeof downloaded> {
  const { page, electron } = window;
  if (electron) return downloaded(window, folder, choose);
  const asked = page.evaluate(
    () => new Promise<string>((resolve) => (globalThis.print = () => resolve(document.title))),
  );
  await choose();
  const name = `${await asked}.pdf`;
  const bytes = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  return { name, bytes, text: bytes.toString('latin1') };
}

/** By keys alone: a new document in which nothing is. */
export async function emptyModel(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Find or run' })).toBeVisible();
  await page.keyboard.type('Empty model');
  await page.keyboard.press('Enter');
  await expect(page.getByText('An empty model')).toBeVisible();
}

/** Where a person is asked for a place, the test says this one; the name that is suggested is noted. */
export function savingAt(electron: ElectronApplication, path: string): Promise<void> {
  return electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = (...args: readonly Electron.SaveDialogOptions[]) => {
      const suggested = args.at(-1)?.defaultPath?.replace(/^.*[\\/]/, '');
      Object.assign(globalThis, { suggested });
      return Promise.resolve({ canceled: false, filePath });
    };
  }, path);
}

export const test = base.extend<HostOption & { place: Place }>({
  host: ['browser', { option: true }],
  place: async ({ host }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'cotangent-window-'));
    for (const file of ['misra1a.cot.json', 'misra1a.csv']) copyFileSync(join(catalogue, file), join(folder, file));
    const opened: OpenWindow[] = [];
    const uncaught: string[] = [];
    const own = join(folder, 'misra1a.cot.json');
    await use({
      folder,
      model: own,
      async open(model = own, env = {}) {
        const open = host === 'browser' ? openBrowser : openDesktop;
        const state = join(folder, 'state');
        const window = await open(
          folder,
          { ...process.env, XDG_STATE_HOME: state, XDG_CONFIG_HOME: state, ...env },
          model,
        );
        window.page.on('pageerror', (error) => {
          if (error.message !== onPurpose) uncaught.push(error.stack ?? error.message);
        });
        opened.push(window);
        return window;
      },
    });
    for (const window of opened) await window.kill().catch(() => undefined);
    await clear(folder);
    expect(uncaught, 'errors in the page that nobody caught').toEqual([]);
  },
});

export { expect };
