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

/** What the packages of Linux have beside the app: the type of documents, the licences where Debian looks for them, and what shells and man(1) read. */
const linuxFiles = (zsh) => [
  'build/resources/cotangent.xml=/usr/share/mime/packages/cotangent.xml',
  'out/licences.txt=/usr/share/doc/cotangent/copyright',
  'out/linux/cotangent.1.gz=/usr/share/man/man1/cotangent.1.gz',
  'out/linux/cotangent.bash=/usr/share/bash-completion/completions/cotangent',
  'out/linux/cotangent.fish=/usr/share/fish/vendor_completions.d/cotangent.fish',
  `out/linux/_cotangent=/usr/share/zsh/${zsh}/_cotangent`,
];
/** What electron-builder would ask for itself, and two libraries more without which Electron does not start. */
const debianPackages = [
  ...['libgtk-3-0', 'libnotify4', 'libnss3', 'libxss1', 'libxtst6', 'xdg-utils', 'libatspi2.0-0', 'libuuid1'],
  // Debian 13 and Ubuntu 24.04 call the second by its other name.
  ...['libsecret-1-0', 'libgbm1', 'libasound2 | libasound2t64'],
];
const linuxScripts = { afterInstall: 'out/linux/after-install.tpl', afterRemove: 'out/linux/after-remove.tpl' };

const name = 'Cotangent model';
/**
 * A type of our own. Where files are told apart by what stands behind the last dot (Windows, macOS) that is `.cot`; Linux
 * matches NAME.cot.json too (resources/cotangent.xml).
 */
export const mimeType = 'application/vnd.cotangent+json';
const association = { ext: 'cot', name, description: name, role: 'Editor', rank: 'Owner' };

/** What is loaded from there is put in place of the app: nobody on the way may have a say in it. */
function feedOf({ COTANGENT_FEED: url }) {
  if (!url) return null;
  if (!/^https:\/\//i.test(url)) throw new Error(`COTANGENT_FEED is ${url}, which is no address with https.`);
  return [{ provider: 'generic', url }];
}

const asked = (variable) => Boolean(process.env[variable]);
const windows = (target) => ({ target, arch: ['x64', 'arm64'] });

/** @type {import('electron-builder').Configuration} */
const configuration = {
  appId: 'org.cotangent.Cotangent',
  productName: 'Cotangent',
  copyright: 'Copyright © 2026 The Cotangent authors',
  directories: { output: 'release', buildResources: 'build/resources' },
  files: [
    'package.json',
    'out/main/**',
    'out/preload/**',
    'out/renderer/**',
    'models/catalogue/**',
    '!node_modules/**',
    '!**/*.{map,ts}',
  ],
  extraResources: [{ from: 'out/licences.txt', to: 'licences.txt' }],
  asar: true,
  // What is tested is unpacked at once: there a small file is not worth minutes.
  compression: process.env.COTANGENT_TEST_BUILD ? 'store' : 'normal',
  // Its own words are English: Chromium's in fifty other languages would be 30 MB beside them.
  electronLanguages: ['en', 'en-US'],
  npmRebuild: false,
  // Runs without libfuse2, which Ubuntu has not installed since 22.04.
  toolsets: { appimage: '1.0.3' },
  electronFuses: fusesFor(process.env.COTANGENT_TEST_BUILD ? testFuses : releaseFuses, electronMajor()),
  // Which versions there are says the feed at this address; nobody is asked unless the user turns updates on.
  publish: feedOf(process.env),
  linux: {
    target: ['AppImage', 'deb', 'rpm', 'zip'],
    category: 'Science',
    maintainer: 'The Cotangent authors <authors@cotangent.example>',
    vendor: 'The Cotangent authors',
    synopsis: 'Gradient-based scientific modelling',
    icon: 'build/resources/icons',
    syncDesktopName: true,
    mimeTypes: [mimeType],
    // Where programs that take up AppImages look for the type of documents; packages have it at its place besides.
    extraFiles: [
      { from: 'build/resources/cotangent.xml', to: 'usr/share/mime/packages/cotangent.xml' },
      { from: 'build/resources/cotangent.sh', to: 'bin/cotangent' },
    ],
    // It runs on the system's Node, which reads no asar.
    extraResources: [{ from: 'out/linux/command-line', to: 'command-line' }],
    desktop: { entry: { Keywords: 'model;fit;gradient;statistics;', StartupNotify: 'true' } },
  },
  deb: {
    packageCategory: 'science',
    priority: 'optional',
    ...linuxScripts,
    depends: debianPackages,
    // The window needs no Node; commands do.
    recommends: ['nodejs (>= 18)'],
    fpm: linuxFiles('vendor-completions'),
  },
  rpm: { packageCategory: 'Applications/Engineering', ...linuxScripts, fpm: linuxFiles('site-functions') },
  mac: {
    target: [
      { target: 'dmg', arch: ['universal'] },
      { target: 'zip', arch: ['universal'] },
    ],
    category: 'public.app-category.education',
    icon: 'build/resources/icon.icns',
    // Signed by the certificate in CSC_LINK and CSC_KEY_PASSWORD, notarised by the account in APPLE_*; else neither.
    hardenedRuntime: true,
    gatekeeperAssess: false,
    notarize: asked('APPLE_API_KEY') || asked('APPLE_ID') || asked('APPLE_KEYCHAIN_PROFILE'),
    fileAssociations: [association],
    extendInfo: {
      UTExportedTypeDeclarations: [
        {
          UTTypeIdentifier: 'org.cotangent.model',
          UTTypeDescription: name,
          UTTypeConformsTo: ['public.json'],
          UTTypeTagSpecification: { 'public.filename-extension': ['cot'], 'public.mime-type': [mimeType] },
        },
      ],
    },
  },
  // Signed by the certificate in WIN_CSC_LINK (else CSC_LINK) and its password; else not at all.
  win: {
    target: [windows('nsis'), windows('msi'), windows('zip')],
    icon: 'build/resources/icon.ico',
    fileAssociations: [association],
  },
  nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true, license: 'LICENSE' },
  msi: { oneClick: false, perMachine: false },
};

// electron-builder demands a default export.
export default configuration;
