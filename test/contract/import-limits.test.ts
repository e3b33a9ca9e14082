/** Readings that are known by a limit alone, through `import`: each counts by the probability of what is known. */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { folderWith, json } from '../support/command-line.ts';

interface Imported {
  readonly document: { readonly blocks: readonly Record<string, unknown>[] };
  readonly candidates: readonly { readonly shape: string; readonly objective: number }[];
  readonly dropped: readonly object[];
}

async function imported(name: string, text: string, ...options: string[]): Promise<Imported> {
  const folder = folderWith({});
  writeFileSync(join(folder, name), text);
  return (await json('import', join(folder, name), ...options)) as Imported;
}

const blockOf = ({ document }: Imported, id: string) => document.blocks.find((block) => block['id'] === id);

it('in per cent of controls whose signal falls with the activity, what is below becomes what is above', async () => {
  const rows = ['DMSO,,100', 'DMSO,,104', 'DMSO,,96', 'DMSO,,<90', 'blank,,1000', 'blank,,1010', 'blank,,990'];
  const readings = ['0.01,<104', '0.03,<104', '0.1,190', '0.3,330', '1,550', '3,720', '10,860', '30,930', '100,970'];
  const found = await imported(
    'inverted.csv',
    ['well,dose,signal', ...rows, ...readings.map((each) => `s,${each}`)].join('\n'),
    ...['--shape', 'four-parameter-logistic'],
  );
  expect(blockOf(found, 'misfit')).toMatchObject({
    kind: 'likelihood',
    censored: { right: expect.anything() as string },
  });
  expect(blockOf(found, 'misfit')!['censored']).not.toHaveProperty('left');
  expect(found.dropped).toEqual([
    { row: 3, column: 'signal', why: 'it is known to lie below 90 alone, and sets no mean of its controls' },
  ]);
});

it('of a sample, values below a limit have the probability to lie there', async () => {
  // An exponential's: −log L = Σ (log τ + x/τ) − Σ log(1 − e^(−c/τ)), by golden sections.
  const [known, limit, below] = [[0.963, 1.55, 0.977, 2.615, 1.598, 3.865, 1.48, 1.63, 2.586, 1.093], 0.8, 5];
  const minusLog = (tau: number): number =>
    known.reduce((sum, x) => sum + Math.log(tau) + x / tau, 0) - below * Math.log(-Math.expm1(-limit / tau));
  let [low, high] = [0.1, 10];
  for (let i = 0; i < 200; i++) {
    const step = 0.381966 * (high - low);
    if (minusLog(low + step) < minusLog(high - step)) high -= step;
    else low += step;
  }
  const cells = [...known.map(String), ...new Array<string>(below).fill(`<${limit}`)];
  const found = await imported('sample.csv', `conc (mg/L)\n${cells.join('\n')}\n`, '--shape', 'exponential-times');
  expect(found.candidates[0]?.objective).toBeCloseTo(minusLog(low), 6);
});

it('words for what is below a limit count in every row', async () => {
  const times = Array.from({ length: 88 }, (_, i) => i / 4);
  const rows = times.map((t) => {
    const y = 50 * Math.exp(-0.25 * t) * (1 + 0.02 * Math.sin(7 * t));
    return `${t},${y < 1 ? 'BLQ' : y.toFixed(4)},1`;
  });
  expect(rows.filter((row) => row.includes('BLQ')).length).toBeGreaterThan(22);
  const found = await imported('words.csv', `time (h),conc (mg/L),LLOQ\n${rows.join('\n')}\n`, '--shape', 'decay');
  expect(found.dropped).toEqual([]);
  expect(blockOf(found, 'misfit')).toMatchObject({ censored: { left: expect.anything() as string } });
});
