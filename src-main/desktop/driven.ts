/**
 * A test's driver that attaches while windows are being made can wait for ever for one that it has seen half made: windows
 * are made once it has come. It says so as it does to Electron's own loader. A release has no inspector, and waits for nobody.
 */
import { url } from 'node:inspector';
import { setTimeout } from 'node:timers/promises';

/** A driver that is not there by then does not come. */
const longest = 60_000;

export function driverCame(): Promise<void> {
  if (process.env['COTANGENT_DRIVEN'] === undefined || url() === undefined) return Promise.resolve();
  const came = new Promise<void>((resolve) => Object.assign(globalThis, { __playwright_run: resolve }));
  return Promise.race([came, setTimeout(longest, undefined, { ref: false })]);
}
