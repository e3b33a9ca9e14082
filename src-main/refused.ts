import type { Problem } from './contract.ts';

/** What the user asked for cannot be done as asked. The message is one sentence for the user; anything else thrown is a fault of ours. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly problems: readonly Problem[];

  constructor(message: string, problems: readonly Problem[] = []) {
    super(message);
    this.problems = problems;
  }
}
