import { Cancelled } from '../../0-ir/errors.ts';

/** Undefined where the user stopped the run: what was found before it stands. */
export async function orCancelled<T>(run: Promise<T>): Promise<T | undefined> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}
