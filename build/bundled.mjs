/** How TypeScript of the project is bundled for Node, and how a script of this folder imports it. */
import { build } from 'esbuild';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

export const forNode = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  // The oldest that an installed command runs on; scripts here run on any later one.
  target: 'node18',
  // Bundled CommonJS packages call require for Node's own modules, and ask for their file's name.
  banner: {
    js: [
      "import { createRequire as __createRequire } from 'node:module';",
      "import { fileURLToPath as __fileURLToPath } from 'node:url';",
      'const require = __createRequire(import.meta.url);',
      'const __filename = __fileURLToPath(import.meta.url);',
    ].join(' '),
  },
  logLevel: 'warning',
};

/** What this module text exports, whose imports are relative to the root. */
export async function imported(name, contents) {
  const folder = join(root, '.cache', 'scripts');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${name}-${process.pid}.mjs`);
  await build({ ...forNode, stdin: { contents, resolveDir: root }, outfile, external: ['webgpu'] });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}
