/** The desktop app: lifecycle, one window, and what joins it to the engine, the GPU window and the files. */
import { BrowserWindow, MessageChannelMain, app, ipcMain, session } from 'electron';
import { join } from 'node:path';
import { hasVulkanDriver } from '../../engine/index.ts';
import type { Settings } from '../contract/app.ts';
import type { EventBody, EventName } from '../contract/contract.ts';
import type { PortOffer } from '../contract/endpoint.ts';
import { logsVariable, note } from '../faults/log.ts';
import { createStore } from '../files/store.ts';
import { emitter, serve } from '../router.ts';
import { askedDocuments, documentArgument } from './asked.ts';
import { findDataFolder } from './data-folder.ts';
import { driverCame } from './driven.ts';
import { startEngine } from './engine.ts';
import { createGpuWindow } from './gpu-window.ts';
import { hostHandlers } from './host.ts';
import { lookForUpdates } from './updates.ts';
import { setVariables } from '../settings.ts';
import { createLeaving } from './leaving.ts';
import { watchPage, watchProcesses } from './faults.ts';
import { createMenu } from './menu.ts';
import { paths } from './paths.ts';
import { portEndpoint } from '../engine-process/port-endpoint.ts';
import { registerScheme, serveScheme } from './protocol.ts';
import { isFrom, lockContents, lockSession } from './security.ts';
import { openWindow } from './window.ts';

/** `unkept` is to be said of where data are kept. */
function run(unkept: string | undefined): void {
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

  const asked = askedDocuments(documentArgument(process.argv.slice(1), process.cwd()));
  // On a Mac the system names documents by this event, the first before the app is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    asked.ask(path);
  });

  const stateFolder = join(app.getPath('userData'), 'state');
  process.env[logsVariable] ??= join(stateFolder, 'logs');
  const store = createStore(stateFolder);
  let say: (message: string) => void = () => undefined;
  watchProcesses((message) => say(message));

  const attended = driverCame();
  void app.whenReady().then(async () => {
    await attended;
    const settings = await store.settings();
    setVariables(settings);
    lockSession(session.defaultSession);
    serveScheme(session.defaultSession, paths.renderer);

    const windowFile = join(stateFolder, 'window.json');
    void store.sweep();
    const gpu = createGpuWindow((reason) => {
      engine.loseGpu();
      const message = `The window with the GPU ended (${reason}); it is opened again when it is next needed.`;
      note('main', message);
      tell('engine.notice', { message });
    });
    let window = openWindow(windowFile);
    let emit: ReturnType<typeof emitter> | undefined;
    const tell = <N extends EventName>(name: N, body: EventBody<N>): void => emit?.(name, body);
    say = (message) => tell('engine.notice', { message });
    /** To be said by the page that comes next. */
    let returned = unkept;
    let page = '';
    /** Ends what the page had that was there before. */
    let endPage: (() => void) | undefined;
    const leaving = createLeaving(
      () => emit?.('files.flush', {}),
      () => {
        gpu.close();
        app.quit();
      },
    );
    leaving.watch(window);
    const offer = (to: PortOffer['cotangentPort'], port: Electron.MessagePortMain): void =>
      window.webContents.postMessage('port', { page, offer: { cotangentPort: to } satisfies PortOffer }, [port]);

    const engine = startEngine(store.imports, {
      port: (port) => offer('engine', port),
      died: (reason) => {
        note('main', reason);
        tell('engine.restarted', { reason });
      },
      joinGpu: (port) => gpu.join(port),
    });

    ipcMain.on('connect', (event, id: unknown) => {
      if (!isFrom(window.webContents, event)) return;
      page = String(id);
      endPage?.();
      const { port1, port2 } = new MessageChannelMain();
      const endpoint = portEndpoint(port1);
      emit = emitter(endpoint);
      const { chosen, last } = asked;
      let end = (): void => undefined;
      const handlers = hostHandlers({
        ...{ window, store, chosen, initial: last, grant: (folder: string) => engine.grant(folder) },
        page: { emit, onEnd: (call) => (end = call) },
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
      endPage = end;
      port1.once('close', end);
      endpoint.listen((message) => void serve(endpoint, handlers, message));
      offer('host', port2);
      engine.connect();
    });

    const menu = createMenu({
      act: (action) => tell('menu.action', { action }),
      open: (path) => asked.ask(path),
      recent: () => store.recent(),
      logs: process.env[logsVariable] ?? stateFolder,
    });
    await menu.refresh();
    app.on('browser-window-focus', () => void menu.refresh());
    void lookForUpdates(settings.updates, say);
    app.on('activate', () => {
      if (BrowserWindow.getAllWindows().some((other) => other.isVisible())) return;
      window = openWindow(windowFile);
      leaving.watch(window);
      watchPage(window, (message) => (returned = message));
    });
    asked.listen((location) => tell('files.asked', { location }));
    app.on('second-instance', (_event, args, folder) => {
      const path = documentArgument(args.slice(1), folder);
      if (path !== undefined) asked.ask(path);
      if (window.isMinimized()) window.restore();
      window.focus();
    });
    watchPage(window, (message) => (returned = message));
    window.on('closed', () => {
      if (process.platform !== 'darwin') app.quit();
    });
    app.on('will-quit', () => {
      engine.end();
      gpu.close();
    });
  });
}

const unkept = findDataFolder();
// Two instances would be two windows on the same copies.
if (app.requestSingleInstanceLock()) run(unkept);
else app.quit();
