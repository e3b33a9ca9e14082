/** What is asked for newer versions, and what becomes of the answers. Electron is not known here: tests play a feed. */
import type { AppUpdater } from 'electron-updater';
import { Refused } from '../refused.ts';

/** Throws `Refused` where a package's app-update.yml names a place that anybody on the way may answer for. */
export function demandSafeFeed(config: string): void {
  const places = [...config.matchAll(/^\s*url:\s*['"]?([^'"\s]*)/gm)].map(([, url]) => url ?? '');
  for (const url of places)
    if (!/^https:\/\//i.test(url))
      throw new Refused(`Newer versions are not looked for at ${url}, because it is no address with https.`);
}

export interface UpdatesHost {
  readonly updater: Pick<AppUpdater, 'on' | 'checkForUpdates' | 'autoInstallOnAppQuit' | 'allowDowngrade'>;
  readonly note: (error: unknown) => void;
  readonly tell: (message: string) => void;
}

export interface Updates {
  /** `asked`: the user has just wanted it, and hears also where nothing could be asked. Never rejects. */
  look(asked: boolean): Promise<void>;
  /** What has been loaded is not put in place any more. */
  stop(): void;
}

/** What electron-updater says of a file that is not the one that the feed announced, or not of the same maker. */
const refusals: Readonly<Record<string, string>> = {
  ERR_CHECKSUM_MISMATCH: 'it is not the file that was announced (its checksum is another)',
  ERR_UPDATER_NO_CHECKSUM: 'nothing was announced by which it could be checked',
  ERR_UPDATER_INVALID_SIGNATURE: 'its signature is not that of this version’s maker',
};

/** One for the life of the app: an updater without a listener for its errors would end it. */
export function createUpdates({ updater, note, tell }: UpdatesHost): Updates {
  updater.allowDowngrade = false;
  updater.on('error', note);
  updater.on('update-downloaded', ({ version }) =>
    tell(`Version ${version} has been loaded; it is put in place when Cotangent is closed.`),
  );

  function failed(error: unknown, asked: boolean): void {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const refusal = refusals[code];
    if (refusal !== undefined)
      tell(`A newer version was loaded and refused, because ${refusal}. Nothing has been changed.`);
    // Who works without a network is not told so at every start.
    else if (asked)
      tell(`Newer versions could not be looked for: ${error instanceof Error ? error.message : String(error)}`);
  }

  return {
    async look(asked) {
      updater.autoInstallOnAppQuit = true;
      try {
        const found = await updater.checkForUpdates();
        // What goes wrong with loading is told here alone.
        await found?.downloadPromise;
      } catch (error) {
        note(error);
        failed(error, asked);
      }
    },
    stop() {
      updater.autoInstallOnAppQuit = false;
    },
  };
}
