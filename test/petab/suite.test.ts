/**
 * Cases of the PEtab Test Suite (petab_test_suite, BSD 3-clause: cases/LICENSE.txt) against its own solutions: five of them
 * always; `PETAB_CASES=FOLDER npx vitest run test/petab/suite.test.ts` all of a folder, laid out as the suite has them.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDevice, outcomeOf } from './run.ts';

const here = join(import.meta.dirname, 'cases');
const folder = process.env['PETAB_CASES'];

const casesIn = async (root: string): Promise<string[]> =>
  (await readdir(root, { recursive: true }))
    .filter((path) => /_solution\.yaml$/.test(path))
    .map((path) => join(root, path, '..'))
    .sort();

test('conditions, preequilibration, periods, events at rest, priors and log10 noise are as the suite has them', async () => {
  const device = openDevice();
  const outcomes: Record<string, string> = {};
  for (const path of await casesIn(here)) {
    const { kind, why } = await outcomeOf(path, device);
    outcomes[path.slice(here.length + 1)] = why === '' ? kind : `${kind}: ${why}`;
  }
  device.close();
  expect(outcomes).toEqual(
    Object.fromEntries(['v1/0007', 'v1/0017', 'v2/0023', 'v2/0025', 'v2/0031'].map((name) => [name, 'right'])),
  );
});

test.skipIf(folder === undefined)(
  'of all cases of a folder none is wrong',
  async () => {
    const device = openDevice();
    const counts = { right: 0, refused: 0, unsolved: 0, wrong: 0 };
    const lines: string[] = [];
    for (const path of await casesIn(folder!)) {
      const { kind, why } = await outcomeOf(path, device);
      counts[kind]++;
      if (kind !== 'right') lines.push(`${path} ${kind} ${why}`);
    }
    device.close();
    console.log(JSON.stringify(counts), lines.join('\n'));
    expect(counts.wrong).toBe(0);
  },
  3_600_000,
);
