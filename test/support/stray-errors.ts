/** Writes down the errors that no test caught: vitest's own report of a run has no place for them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter } from 'vitest/node';

// vitest demands a default export, and a class.
export default class StrayErrors implements Reporter {
  onTestRunEnd(...[, errors]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
    mkdirSync('test-results', { recursive: true });
    const told = errors.map(({ name, message, stack }) => stack ?? `${String(name)}: ${message}`);
    writeFileSync(join('test-results', 'stray-errors.json'), JSON.stringify(told));
  }
}
