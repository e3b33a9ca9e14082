/** How readings scatter: found by `import`, or said; each likelihood as R has it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cotangent, folderWith, json } from '../support/command-line.ts';
import { randomNumbers } from '../support/derivatives.ts';

interface Imported {
  readonly document: {
    readonly blocks: readonly { readonly id: string; readonly [key: string]: unknown }[];
    readonly view?: unknown;
  };
  readonly roles: Record<string, unknown>;
  readonly candidates: readonly { readonly shape: string; readonly objective: number; readonly aicc: number }[];
}

const tables = join(import.meta.dirname, '../fields/tables');
const imported = async (path: string, ...options: string[]): Promise<Imported> =>
  (await json('import', path, ...options)) as Imported;
const block = ({ document }: Imported, id: string) => document.blocks.find((each) => each.id === id);
const initial = (found: Imported, id: string): number => block(found, id)?.['initial'] as number;

it('rates over decades scatter in proportion, and are fitted by their logarithms', async () => {
  const path = join(tables, 'arrhenius.csv');
  const found = await imported(path, '--shape', 'arrhenius');
  expect(found.roles).toEqual({ x: 'T', y: 'k', noise: 'proportional' });
  expect(block(found, 'misfit')).toMatchObject({ family: 'log-normal', mean: 'log_model', sigma: 'sigma' });
  // lm(log(k) ~ I(1/T)): minus the slope times R, and the root of the mean square of the residuals.
  expect(initial(found, 'Ea') / 95497.14).toBeCloseTo(1, 3);
  expect(initial(found, 'sigma') / 0.08507).toBeCloseTo(1, 3);
  expect(found.document.view).toEqual({ plots: { misfit: { y: { scale: 'log' } } } });
  const alike = await imported(path, '--shape', 'arrhenius', '--roles', '{"noise": "constant"}');
  expect(alike.roles).toEqual({ x: 'T', y: 'k' });
  expect(block(alike, 'misfit')).toMatchObject({ kind: 'least-squares' });
});

it('small counts are Poisson’s', async () => {
  const found = await imported(join(tables, 'calibration-counts.csv'), '--shape', 'line');
  expect(found.roles).toEqual({ x: 'conc', y: 'counts', noise: 'counts' });
  expect(block(found, 'misfit')).toMatchObject({ family: 'poisson', mean: 'model' });
  // glm(counts ~ conc, poisson(link = "identity")).
  expect(initial(found, 'a')).toBeCloseTo(3.6145849, 3);
  expect(initial(found, 'b')).toBeCloseTo(3.7893515, 3);
  expect(found.candidates[0]?.objective).toBeCloseTo(34.5420022695, 6);
});

it.each(['grazing,seedlings', 't (s),Zählrate', 't/ns,Photonen', 'x,Impulse', 'Zeit/h,Keimzahl', 'E/keV,counts'])(
  'what was counted one by one is known by its name: %s',
  async (head) => {
    const rows = [9, 8, 5, 3, 4, 2, 1, 0].map((count, i) => `${i},${count}`).join('\n');
    const path = join(folderWith({ 'plots.csv': `${head}\n${rows}\n` }), 'plots.csv');
    expect((await imported(path, '--shape', 'decay')).roles).toMatchObject({ noise: 'counts' });
  },
);

it('one shape alone is fitted in each way too, of one curve and of many', async () => {
  const uniform = randomNumbers(4);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const rows = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => {
    const [V, k, dose] = [20 * Math.exp(0.2 * normal()), 0.2 * Math.exp(0.3 * normal()), 100 * 2 ** (uniform() * 3)];
    return [0.25, 0.5, 1, 2, 4, 8, 12].map((t) => {
      const level = (dose / V) * Math.exp(-k * t + 0.12 * normal());
      return `${name},${t},${dose},${level < 1 ? '<1' : level.toFixed(2)}`;
    });
  });
  const path = join(folderWith({ 'pk.csv': `Subject,Time (h),Dose (mg),Conc (mg/L)\n${rows.join('\n')}\n` }), 'pk.csv');
  const found = await imported(path, '--shape', 'iv-bolus');
  expect(found.roles).toMatchObject({ group: 'Subject', dose: 'Dose', noise: 'proportional' });
  const alike = await imported(path, '--shape', 'iv-bolus', '--roles', '{"noise": "constant"}');
  expect(found.candidates[0]!.aicc).toBeLessThan(alike.candidates[0]!.aicc - 4);
});

it.each([
  [
    '{"noise": "wild"}',
    't,y\n1,2\n2,3\n3,5\n',
    /"noise" says how readings scatter: "constant", "proportional", "counts"/,
  ],
  ['{"noise": "proportional"}', 't,y\n1,2\n2,0\n3,5\n', /"noise": "proportional" wants readings above 0/],
  ['{"noise": "counts"}', 't,y\n1,2\n2,0.5\n3,5\n', /"noise": "counts" wants counts: 0, 1, 2, …/],
  ['{"noise": "counts"}', 't,y,SD\n1,2,1\n2,1,1\n3,5,1\n', /says again what a column of errors or weights says/],
  ['{"noise": "counts"}', 'size\n1\n2\n5\n', /is said of readings over an x alone/],
])('what cannot be is refused: %s', async (said, text, sentence) => {
  const { status, stderr } = await cotangent('import', join(folderWith({ 't.csv': text }), 't.csv'), '--roles', said);
  expect(status).toBe(2);
  expect(stderr).toMatch(sentence);
});
