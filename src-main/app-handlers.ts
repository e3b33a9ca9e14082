/** Serves what both hosts answer alike of `app.*`: settings, faults of the page, logs. */
import { readFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import * as v from 'valibot';
import { settings as allSettings, type Settings, type SomeSettings } from './contract/app.ts';
import { collectedLogs, note } from './faults/log.ts';
import { readFailure } from './files/documents.ts';
import type { Store } from './files/store.ts';
import { Refused } from './refused.ts';
import { engineVariables, setVariables } from './settings.ts';
import type { Handlers } from './router.ts';

export interface AppOptions {
  readonly version: string;
  readonly store: Store;
  /** Their file. */
  readonly licences: string;
  /** The engine is to be started again, since it goes by other settings now. */
  readonly restartEngine: () => void;
  readonly changed?: (settings: Settings, before: Settings) => void;
}

/** So much of what a page tells is noted down, that a page in a loop fills no disk. */
const mostFaults = 50;

export function appHandlers({
  version,
  store,
  licences,
  restartEngine,
  changed,
}: AppOptions): Handlers<'app.settings' | 'app.set' | 'app.fault' | 'app.licences' | 'app.logs'> {
  let faults = 0;
  let setting: Promise<unknown> = Promise.resolve();

  /** Another window, or another process, may have changed the others. */
  async function take(changes: SomeSettings): Promise<Settings> {
    const settingsBefore = await store.settings();
    const settings = v.parse(allSettings, { ...settingsBefore, ...changes });
    const before = engineVariables(settingsBefore);
    await store.set(settings);
    const after = engineVariables(settings);
    if (Object.keys(after).some((name) => after[name] !== before[name])) {
      setVariables(settings);
      restartEngine();
    }
    changed?.(settings, settingsBefore);
    return settings;
  }

  return {
    'app.settings': () => store.settings(),
    'app.set'({ changed }) {
      // One after the other: the last that was asked for is the one that stays.
      const turn = setting.then(() => take(changed));
      setting = turn.catch(() => undefined);
      return turn;
    },
    'app.fault'({ text }) {
      if (faults++ < mostFaults) note('window', text.slice(0, 10_000));
      return {};
    },
    'app.licences': async () => ({
      text: await readFile(licences, 'utf8').catch((error: unknown) => {
        throw new Refused(`${licences} cannot be read: ${readFailure(error)}.`);
      }),
    }),
    'app.logs': () => ({
      text: collectedLogs({
        Cotangent: version,
        System: `${process.platform} ${process.arch} ${release()}`,
        Versions: JSON.stringify(process.versions),
        Processor: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
        Memory: `${(totalmem() / 1e9).toFixed(1)} GB`,
      }),
    }),
  };
}
