#!/usr/bin/env node
/** The command line as built: `npx cotangent …` after `npm start` or `npm test` has brought the project about. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const built = join(dirname(dirname(fileURLToPath(import.meta.url))), 'out', 'cli', 'cotangent.mjs');
if (existsSync(built)) await import(pathToFileURL(built).href);
else {
  process.stderr.write('Cotangent is not built yet: run `npm start` once in its folder.\n');
  process.exitCode = 1;
}
