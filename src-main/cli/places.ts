/** Where the command line's bundles and the project's files lie. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Bundles lie in out/cli/, their shared chunks beside them. */
const cli = dirname(fileURLToPath(import.meta.url));
export const projectFolder = join(cli, '..', '..');

export const places = {
  engine: join(cli, 'engine.mjs'),
  worker: join(cli, 'worker.mjs'),
  contest: join(cli, 'contest-worker.mjs'),
  benchmark: join(cli, 'benchmark-worker.mjs'),
  renderer: join(projectFolder, 'out', 'renderer'),
  catalogue: join(projectFolder, 'models', 'catalogue'),
  licences: join(projectFolder, 'out', 'licences.txt'),
} as const;

const executables: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/** What starts the desktop app. */
export interface DesktopCommand {
  readonly executable: string;
  /** Before the app's own arguments. */
  readonly args: readonly string[];
}

/**
 * The app as packaged (COTANGENT_APP), or an Electron to run it in: of ELECTRON_DIST, else what the `electron` package
 * has fetched. Undefined where there is none.
 */
export function findDesktop(): DesktopCommand | undefined {
  const app = process.env['COTANGENT_APP'];
  if (app !== undefined && existsSync(app)) return { executable: app, args: [] };
  const name = executables[process.platform] ?? 'electron';
  const folders = [process.env['ELECTRON_DIST'], join(projectFolder, 'node_modules', 'electron', 'dist')];
  const executable = folders
    .filter((folder): folder is string => folder !== undefined && folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  return executable === undefined ? undefined : { executable, args: [projectFolder] };
}

/**
 * Where the browser host remembers recent files and unsaved edits. A variable that is empty, or no whole path, is passed over
 * (XDG Base Directory Specification 0.8).
 */
export function stateFolder({ XDG_STATE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  const base = [XDG_STATE_HOME, LOCALAPPDATA].find((folder) => folder !== undefined && isAbsolute(folder));
  return join(base ?? join(homedir(), '.local', 'state'), 'cotangent');
}
