/** Settings as the engine process gets them: in its environment. What the user has set there already goes before them. */
import type { Settings } from './contract/app.ts';

const given = new Set(Object.keys(process.env));

export function engineVariables({ device, threads }: Settings): Readonly<Record<string, string | undefined>> {
  return {
    COTANGENT_DEVICE: device === 'auto' ? undefined : device,
    COTANGENT_THREADS: threads === null ? undefined : String(threads),
  };
}

/** For the processes that are started from now on. */
export function setVariables(settings: Settings): void {
  for (const [name, value] of Object.entries(engineVariables(settings)))
    if (!given.has(name)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
}

/** The CPU's threads, where COTANGENT_THREADS says how many. */
export function threadsOfEnvironment(): number | undefined {
  const threads = Number(process.env['COTANGENT_THREADS']);
  return Number.isInteger(threads) && threads >= 1 && threads <= 16 ? threads : undefined;
}
