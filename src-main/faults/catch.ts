/** Errors that nobody caught, in a process of Node. */
import { note } from './log.ts';

/** Each is logged, then `then` decides whether the process goes on. */
export function catchFaults(who: string, then: (message: string) => void): void {
  const caught = (error: unknown): void => {
    note(who, error);
    then(error instanceof Error ? error.message : String(error));
  };
  process.on('uncaughtException', caught);
  process.on('unhandledRejection', caught);
}

/** What the window says of a fault that it outlived. */
export const faultSentence = (message: string): string =>
  `Something went wrong inside Cotangent (${message}). Your edits are kept; Help, Collect logs has the details.`;
