/** Where the built app's parts lie: beside the main bundle in out/, and the catalogue beside that. */
import { app } from 'electron';
import { join } from 'node:path';

const out = join(__dirname, '..');

export const paths = {
  renderer: join(out, 'renderer'),
  preload: join(out, 'preload', 'preload.cjs'),
  gpuPreload: join(out, 'preload', 'gpu.cjs'),
  engine: join(out, 'main', 'engine.cjs'),
  worker: join(out, 'main', 'worker.cjs'),
  /** Of a package beside the bundles; unpackaged, where they were built. */
  licences: app.isPackaged ? join(process.resourcesPath, 'licences.txt') : join(out, 'licences.txt'),
  catalogue: join(out, '..', 'models', 'catalogue'),
} as const;
