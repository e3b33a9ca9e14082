/** What is asked for newer versions, and what becomes of the answers. Electron is not known here: tests play a feed. */
import type { AppUpdater, NsisUpdater } from 'electron-updater';
import { Refused } from '../refused.ts';

/**
 * Throws `Refused` where a package's app-update.yml names a place that anybody on the way may answer for, or, on Windows,
 * nobody whose signature is wanted: the updater would take any.
 */
export function demandSafeFeed(config: string, platform: NodeJS.Platform): void {
  const places = [...config.matchAll(/^\s*url:\s*['"]?([^'"\s]*)/gm)].map(([, url]) => url ?? '');
  for (const url of places)
    if (!/^https:\/\//i.test(url))
      throw new Refused(`Newer versions are not looked for at ${url}, because it is no address with https.`);
  if (platform === 'win32' && !/^publisherName:/m.test(config))
    throw new Refused(
      'Newer versions are not looked for, because this one is not signed: they could not be told from others.',
    );
}

/** Windows' alone has `verifyUpdateCodeSignature`. */
type Asked = Pick<AppUpdater, 'on' | 'checkForUpdates' | 'autoInstallOnAppQuit' | 'allowDowngrade' | 'logger'> &
  Partial<Pick<NsisUpdater, 'verifyUpdateCodeSignature'>>;

/**
 * Where PowerShell cannot tell whose a signature is, electron-updater takes the file, and only its log knows: "Ignoring
 * signature validation". Here nothing is taken that was not verified.
 */
function demandVerified(updater: Asked): void {
  const verify = updater.verifyUpdateCodeSignature;
  if (!verify) return;
  updater.verifyUpdateCodeSignature = async (makers, path) => {
    const { logger } = updater;
    let ignored: string | null = null;
    const warn = (message?: unknown): void => {
      if (/ignoring signature/i.test(String(message))) ignored = String(message);
      logger?.warn(message);
    };
    updater.logger = { info: (message) => logger?.info(message), warn, error: (message) => logger?.error(message) };
    try {
      return (await verify(makers, path)) ?? ignored;
    } finally {
      updater.logger = logger;
    }
  };
}

export interface UpdatesHost {
  readonly updater: Asked;
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
  ERR_UPDATER_INVALID_SIGNATURE: 'its signature is not known to be that of this version’s maker',
};

/** One for the life of the app: an updater without a listener for its errors would end it. */
export function createUpdates({ updater, note, tell }: UpdatesHost): Updates {
  updater.allowDowngrade = false;
  demandVerified(updater);
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
