/** The GPU window's preload script: passes ports to engine workers on to the page, once it listens. */
import { ipcRenderer } from 'electron';

const pageListens = new Promise<void>((resolve) => {
  window.addEventListener('cotangent-ready', () => resolve(), { once: true });
});

ipcRenderer.on('port', (event) => {
  void pageListens.then(() => window.postMessage('cotangent-gpu-port', window.origin, [...event.ports]));
});
ipcRenderer.send('connect');
