/**
 * What electron-builder makes of out/: bundles, the renderer and the catalogue, no node_modules. Release builds set
 * every fuse. COTANGENT_TEST_BUILD leaves Node's inspector arguments, by which Playwright attaches, and nothing else.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const releaseFuses = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
};

export const testFuses = { ...releaseFuses, enableNodeCliInspectArguments: true };

/** The first Electron that has the fuse for files; an older one refuses to be told of it. */
const fileFuseSince = 29;

function electronMajor() {
  const versionFile = join(process.env.ELECTRON_DIST ?? '', 'version');
  if (!process.env.ELECTRON_DIST || !existsSync(versionFile)) return Infinity;
  return Number.parseInt(readFileSync(versionFile, 'utf8').replace(/^v/, ''), 10);
}

/** The fuses that an Electron of this major version has. */
export function fusesFor(fuses, major) {
  const { grantFileProtocolExtraPrivileges, ...older } = fuses;
  return major < fileFuseSince ? older : { ...older, grantFileProtocolExtraPrivileges };
}

/** @type {import('electron-builder').Configuration} */
const configuration = {
  appId: 'org.cotangent.Cotangent',
  productName: 'Cotangent',
  directories: { output: 'release', buildResources: 'build/resources' },
  files: [
    'package.json',
    'out/main/**',
    'out/preload/**',
    'out/renderer/**',
    'models/catalogue/**',
    '!node_modules/**',
    '!**/*.map',
  ],
  asar: true,
  npmRebuild: false,
  electronFuses: fusesFor(process.env.COTANGENT_TEST_BUILD ? testFuses : releaseFuses, electronMajor()),
  fileAssociations: [{ ext: 'cot.json', name: 'Cotangent model', role: 'Editor', mimeType: 'application/json' }],
  linux: { target: ['AppImage', 'deb'], category: 'Science', maintainer: 'The Cotangent authors' },
  mac: { target: ['dmg'], category: 'public.app-category.education' },
  win: { target: ['nsis'] },
};

// electron-builder demands a default export.
export default configuration;
