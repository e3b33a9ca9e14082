/** The desktop app: lifecycle, one window, and what joins it to the engine, the GPU window and the files. */
import { BrowserWindow, app, session } from 'electron';
import { join } from 'node:path';
import { hasVulkanDriver } from '../../engine/index.ts';
import type { Settings } from '../contract/app.ts';
import { logsVariable, note } from '../faults/log.ts';
import type { PageEnd } from '../files/desk.ts';
import { createStore, type Store } from '../files/store.ts';
import { setVariables } from '../settings.ts';
import { askedDocuments, commandArgument, documentArgument, whyNoCommand } from './asked.ts';
import { findDataFolder } from './data-folder.ts';
import { driverCame } from './driven.ts';
import { startEngine } from './engine.ts';
import { watchPage, watchProcesses } from './faults.ts';
import { createGpuWindow } from './gpu-window.ts';
import { hostHandlers } from './host.ts';
import { createLeaving } from './leaving.ts';
import { createMenu } from './menu.ts';
import { createPages, type Pages } from './pages.ts';
import { paths } from './paths.ts';
import { registerScheme, serveScheme } from './protocol.ts';
import { lockContents, lockSession } from './security.ts';
import { unsandboxedNote } from './unsandboxed.ts';
import { lookForUpdates } from './updates.ts';
import { openWindow } from './window.ts';

/** What Chromium has to be told before it starts. */
function prepareChromium(): void {
  registerScheme();
  lockContents();
  // Where the user has turned Chromium's sandbox off (root has to), asking for it would keep every process from starting.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  // A GPU process that dies again and again is given to the next page all the same: they are all our own.
  app.disableDomainBlockingFor3DAPIs();
  // On Linux Chromium keeps WebGPU behind this.
  app.commandLine.appendSwitch('enable-unsafe-webgpu');
  // And on Vulkan; where there is no driver for it, asking for it would take the GPU process down.
  if (process.platform === 'linux' && hasVulkanDriver()) app.commandLine.appendSwitch('enable-features', 'Vulkan');
}

/** `unkept` is to be said of where data are kept. */
function run(unkept: string | undefined): void {
  prepareChromium();
  const asked = askedDocuments(documentArgument(process.argv.slice(1), process.cwd()));
  // On a Mac the system names documents by this event, the first before the app is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    asked.ask(path);
  });

  const stateFolder = join(app.getPath('userData'), 'state');
  process.env[logsVariable] ??= join(stateFolder, 'logs');
  const unsandboxed = unsandboxedNote(app.commandLine.hasSwitch('no-sandbox'), process.env);
  if (unsandboxed !== undefined) note('main', unsandboxed);
  let listed: () => void = () => undefined;
  const store = createStore(stateFolder, () => listed());
  let say: (message: string) => void = () => undefined;
  watchProcesses((message) => say(message));

  const attended = driverCame();
  void app.whenReady().then(async () => {
    await attended;
    const settings = await store.settings();
    setVariables(settings);
    lockSession(session.defaultSession);
    serveScheme(session.defaultSession, paths.renderer);
    void store.sweep();
    const shell = start({ store, asked, unkept, windowFile: join(stateFolder, 'window.json') });
    ({ say } = shell);
    const menu = createMenu({
      act: (action) => shell.tell('menu.action', { action }),
      open: (path) => asked.ask(path),
      recent: () => store.recent(),
      logs: process.env[logsVariable] ?? stateFolder,
    });
    listed = () => void menu.refresh();
    await menu.refresh();
    // Other windows and other starts of the app have lists of their own.
    app.on('browser-window-focus', listed);
    void lookForUpdates(settings.updates, say);
  });
}

interface ShellOptions {
  readonly store: Store;
  readonly asked: ReturnType<typeof askedDocuments>;
  readonly unkept: string | undefined;
  readonly windowFile: string;
}

interface Shell {
  readonly tell: Pages['tell'];
  /** A sentence in the window. */
  say(message: string): void;
}

/** The window with its page, the engine and the GPU window, and how they end. */
function start({ store, asked, unkept, windowFile }: ShellOptions): Shell {
  let window = openWindow(windowFile);
  /** To be said by the page that comes next. */
  let returned = unkept;
  const say = (message: string): void => pages.tell('engine.notice', { message });
  const gpu = createGpuWindow((reason) => {
    engine.loseGpu();
    const message = `The window with the GPU ended (${reason}); it is opened again when it is next needed.`;
    note('main', message);
    say(message);
  });
  const leaving = createLeaving(
    () => pages.tell('files.flush', {}),
    () => {
      gpu.close();
      app.quit();
    },
  );
  const engine = startEngine(store.imports, {
    port: (port) => pages.offer('engine', port),
    died: (reason) => {
      if (reason !== undefined) note('main', reason);
      pages.tell('engine.restarted', { reason });
    },
    joinGpu: (port) => gpu.join(port),
  });
  const answering = (page: PageEnd) =>
    hostHandlers({
      ...{ window, store, page, chosen: asked.chosen, initial: asked.last },
      grant: (folder: string) => engine.grant(folder),
      flushed: leaving.flushed,
      told() {
        const told = returned;
        returned = undefined;
        return told;
      },
      restartEngine: () => engine.again(),
      changed({ updates }: Settings, before: Settings) {
        if (updates !== before.updates) void lookForUpdates(updates, say, updates);
      },
    });
  const pages = createPages(
    () => window,
    answering,
    () => engine.connect(),
  );

  const watch = (): void => {
    leaving.watch(window);
    watchPage(window, (message) => (returned = message));
  };
  watch();
  window.on('closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().some((other) => other.isVisible())) return;
    window = openWindow(windowFile);
    watch();
  });
  asked.listen((location) => pages.tell('files.asked', { location }));
  app.on('second-instance', (_event, args, folder) => {
    const path = documentArgument(args.slice(1), folder);
    if (path !== undefined) asked.ask(path);
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  app.on('will-quit', () => {
    engine.end();
    gpu.close();
  });
  return { tell: pages.tell, say };
}

/** As the command line's, of what it refuses. */
const refusedStatus = 2;

/** Two instances would be two windows on the same copies. */
function runAlone(): void {
  const unkept = findDataFolder();
  if (app.requestSingleInstanceLock()) run(unkept);
  else app.quit();
}

// Unpackaged it has the folder of the project among its arguments.
const command = app.isPackaged ? commandArgument(process.argv.slice(1), process.cwd()) : undefined;
if (command === undefined) runAlone();
else {
  // A display there may be none, and whoever waits for a command's answer is not to have a window instead.
  process.stderr.write(`${whyNoCommand(command, process.execPath, process.env)}\n`);
  process.exit(refusedStatus);
}
