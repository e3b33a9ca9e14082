/** `npm start -- …`: brings the project about, then is the command line. Without arguments it opens the app. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fetchElectron, packageAround } from './electron.mjs';
import { prepare, root } from './prepare.mjs';

await prepare();
const command = process.argv[2] ?? 'open';
if (command === 'open') {
  fetchElectron();
  packageAround();
}
await import(pathToFileURL(join(root, 'out', 'cli', 'cotangent.mjs')).href);
