/**
 * What electron-builder makes of out/: bundles, the renderer and the catalogue, no node_modules. Release builds set
 * every fuse. COTANGENT_TEST_BUILD leaves Node's inspector arguments, by which Playwright attaches, and nothing else.
 */
export const releaseFuses = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  grantFileProtocolExtraPrivileges: false,
};

export const testFuses = { ...releaseFuses, enableNodeCliInspectArguments: true };

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
  electronFuses: process.env.COTANGENT_TEST_BUILD ? testFuses : releaseFuses,
  fileAssociations: [{ ext: 'cot.json', name: 'Cotangent model', role: 'Editor', mimeType: 'application/json' }],
  linux: { target: ['AppImage', 'deb'], category: 'Science', maintainer: 'The Cotangent authors' },
  mac: { target: ['dmg'], category: 'public.app-category.education' },
  win: { target: ['nsis'] },
};

// electron-builder demands a default export.
export default configuration;
