/**
 * `SBML_CASES=FOLDER npx vitest run test/sbml/semantic-long.test.ts`: all cases of a folder, as they are and exported and imported
 * again; `SBML_ONLY=00001,00002`.
 */
import { readdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readCase } from './cases.ts';
import { exportedCase, openDevice, outcomeOf, type Outcome } from './run.ts';

const folder = process.env['SBML_CASES'];
const only = process.env['SBML_ONLY']?.split(',');

test.skipIf(folder === undefined)(
  'of the semantic cases at least 80 % are right, and none is wrong; what is right is so after an export too',
  async () => {
    const names = (await readdir(folder!)).filter((name) => only?.includes(name) ?? /^\d{5}$/.test(name)).sort();
    const device = openDevice();
    const lines: string[] = [];
    const counts = { right: 0, refused: 0, unsolved: 0, wrong: 0, fault: 0, lost: 0 };
    const judged = (outcome: Promise<Outcome>): Promise<{ kind: Outcome['kind'] | 'fault'; why: string }> =>
      outcome.catch((error: unknown) => ({
        kind: 'fault' as const,
        why: error instanceof Error ? (error.stack ?? '') : String(error),
      }));
    const note = (name: string, kind: keyof typeof counts, why: string): void => {
      counts[kind]++;
      lines.push(`${name}\t${kind}\t${why.split('\n').slice(0, 4).join(' | ')}`);
    };
    for (const name of names) {
      const each = await readCase(folder!, name);
      const { kind, why } = await judged(outcomeOf(each, device));
      note(name, kind, why);
      if (kind !== 'right') continue;
      const again = await judged((async () => outcomeOf(exportedCase(each), device))());
      if (again.kind !== 'right') note(name, 'lost', `exported: ${again.kind} ${again.why}`);
    }
    device.close();
    if (process.env['SBML_OUT']) await writeFile(process.env['SBML_OUT'], lines.join('\n') + '\n');
    console.log(JSON.stringify(counts), lines.filter((line) => /\t(wrong|fault|lost)\t/.test(line)).join('\n'));
    expect(counts.wrong + counts.fault + counts.lost).toBe(0);
    expect(counts.right / names.length).toBeGreaterThanOrEqual(0.8);
  },
  3_600_000,
);
