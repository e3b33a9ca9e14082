/** `serve`: the browser host, until it is stopped. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Location } from '../contract/contract.ts';
import type { PageEnd } from '../files/desk.ts';
import { createStore } from '../files/store.ts';
import { catchFaults } from '../faults/catch.ts';
import { logsVariable } from '../faults/log.ts';
import { setVariables } from '../settings.ts';
import { Refused } from '../refused.ts';
import { hostHandlers } from '../serve/host.ts';
import { startServer } from '../serve/server.ts';
import { places, stateFolder } from './places.ts';
import { readVersion } from './version.ts';

function locate(model: string | undefined): { folder: string; initial: Location | null } {
  if (model === undefined) return { folder: realpathSync(process.cwd()), initial: null };
  const path = resolve(model);
  if (!existsSync(path)) throw new Refused(`${model} cannot be opened: there is no such file.`);
  const real = realpathSync(path);
  return { folder: dirname(real), initial: { kind: 'file', path: real } };
}

export async function serve(model: string | undefined, { port }: { port: number }): Promise<void> {
  const { folder, initial } = locate(model);
  const state = stateFolder(process.env);
  const store = createStore(state);
  void store.sweep();
  process.env[logsVariable] ??= join(state, 'logs');
  // Pages go on: each has an engine of its own, and what they edit is kept.
  catchFaults('serve', () => undefined);
  setVariables(await store.settings());
  const { engine, worker, renderer, catalogue, licences } = places;
  const version = readVersion();
  const handlers = (page: PageEnd, restartEngine: () => void) =>
    hostHandlers({ version, folder, catalogue, licences, store, initial, page, restartEngine });
  let server;
  try {
    server = await startServer({
      port,
      renderer,
      handlers,
      engine: { engine, worker, catalogue, imports: store.imports, folder },
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES'))
      throw new Refused(`port ${port} cannot be had: ${error.code === 'EACCES' ? 'it is reserved' : 'it is in use'}.`);
    throw error;
  }
  process.stdout.write(`${server.url}\n`);
  await new Promise<void>((resolveStop) => {
    process.once('SIGINT', () => resolveStop());
    process.once('SIGTERM', () => resolveStop());
  });
  await server.close();
}
