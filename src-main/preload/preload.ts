/**
 * The window's preload script: passes the ports that the main process sends on to the page, once the page says that it
 * listens. The page gets two ports and nothing of Node or Electron.
 */
import { contextBridge, ipcRenderer } from 'electron';
import type { PortOffer } from '../endpoint.ts';

contextBridge.exposeInMainWorld('cotangentDesktop', true);

const pageListens = new Promise<void>((resolve) => {
  window.addEventListener('cotangent-ready', () => resolve(), { once: true });
});

ipcRenderer.on('port', (event, offer: PortOffer) => {
  void pageListens.then(() => window.postMessage(offer, window.origin, [...event.ports]));
});
ipcRenderer.send('connect');
