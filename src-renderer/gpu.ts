/** The hidden window's page: runs plans on Chromium's WebGPU for the engine's workers, one port for each. */
import { serveGpu, type GpuPort } from '../engine/index.ts';

window.addEventListener('message', (event) => {
  const [port] = event.ports;
  if (event.source === window && event.data === 'cotangent-gpu-port' && port) serveGpu(port as GpuPort, navigator.gpu);
});
window.dispatchEvent(new Event('cotangent-ready'));
