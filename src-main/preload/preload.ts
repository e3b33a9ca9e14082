/**
 * The window's preload script: passes the ports that the main process sends on to the page, once the page says that it
 * listens. The page gets two ports and nothing of Node or Electron.
 */
import { contextBridge, ipcRenderer } from 'electron';
import type { PortOffer } from '../contract/endpoint.ts';

contextBridge.exposeInMainWorld('cotangentDesktop', true);

const pageListens = new Promise<void>((resolve) => {
  window.addEventListener('cotangent-ready', () => resolve(), { once: true });
});

/** Ports for the page that was here before a reload may arrive late: they lead to a connection that has been replaced. */
const id = crypto.randomUUID();

ipcRenderer.on('port', (event, { page, offer }: { page: string; offer: PortOffer }) => {
  if (page !== id) return;
  void pageListens.then(() => window.postMessage(offer, window.origin, [...event.ports]));
});
ipcRenderer.send('connect', id);
