/** `SBML_CASES=FOLDER npx vitest run test/sbml/semantic-long.test.ts`: all cases of a folder; `SBML_ONLY=00001,00002`. */
import { readdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readCase } from './cases.ts';
import { openDevice, outcomeOf } from './run.ts';

const folder = process.env['SBML_CASES'];
const only = process.env['SBML_ONLY']?.split(',');

test.skipIf(folder === undefined)(
  'of the semantic cases at least 80 % are right, and none is wrong',
  async () => {
    const names = (await readdir(folder!)).filter((name) => only?.includes(name) ?? /^\d{5}$/.test(name)).sort();
    const device = openDevice();
    const lines: string[] = [];
    const counts = { right: 0, refused: 0, unsolved: 0, wrong: 0, fault: 0 };
    for (const name of names) {
      const { kind, why } = await outcomeOf(await readCase(folder!, name), device).catch((error: unknown) => ({
        kind: 'fault' as const,
        why: error instanceof Error ? (error.stack ?? '') : String(error),
      }));
      counts[kind]++;
      lines.push(`${name}\t${kind}\t${why.split('\n').slice(0, 4).join(' | ')}`);
    }
    device.close();
    if (process.env['SBML_OUT']) await writeFile(process.env['SBML_OUT'], lines.join('\n') + '\n');
    console.log(JSON.stringify(counts), lines.filter((line) => /wrong|fault/.test(line)).join('\n'));
    expect(counts.wrong + counts.fault).toBe(0);
    expect(counts.right / names.length).toBeGreaterThanOrEqual(0.8);
  },
  3_600_000,
);
