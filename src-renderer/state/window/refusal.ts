/** What went wrong, as one sentence for the user. */
import type { Problem } from '../../../src-main/contract/contract.ts';
import { Refusal } from './client.ts';

export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The problems of a refused document; one without a place where there are none. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof Refusal && error.problems.length > 0) return error.problems;
  return [{ severity: 'error', message: sentenceOf(error) }];
}
