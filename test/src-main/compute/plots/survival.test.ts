/** Times of which some have not ended are drawn as what is still there, by the data and by the model. */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/index.ts';
import { kaplanMeier } from '../../../../models/plots/kaplan-meier.ts';
import { createPlotter } from '../../../../src-main/compute/plots/plots.ts';
import { residualsAt } from '../../../../src-main/compute/plots/residuals.ts';
import { demandModel, load } from '../../../../src-main/compute/running/load.ts';
import type { Plot } from '../../../../src-main/contract/plots.ts';
import { documentOf, json, parameter, written } from '../../../support/command-line.ts';

const device = cpuDevice();
afterAll(() => device.close());

/** Weeks of remission on 6-mercaptopurine and on placebo (Freireich et al. 1963); 0: still in remission. */
const drug = [6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35];
const relapsed = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0];
const placebo = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23];
/** As R's `survfit(Surv(weeks, relapse) ~ arm)` prints them. */
const ofDrug = [0.857, 0.807, 0.753, 0.69, 0.627, 0.538, 0.448];
const ofPlacebo = [0.905, 0.81, 0.762, 0.667, 0.571, 0.381, 0.286, 0.19, 0.143, 0.095, 0.048, 0];

const columns = {
  weeks: [...drug, ...placebo],
  event: [...relapsed, ...placebo.map(() => 1)],
  arm: [...drug.map(() => 'drug'), ...placebo.map(() => 'placebo')],
};
const table = Object.keys(columns).map((name) => ({ id: name, kind: 'column', table: 'T', column: name }));

/** Exponential times, of each arm its own mean. */
function exponential(logDensity: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return documentOf(
    [
      ...table,
      parameter('tau', 10, { like: 'arm', lower: 0.1 }),
      { id: 'mean', kind: 'gather', from: 'tau', indices: 'arm' },
      { id: 'log_p', kind: 'map', formula: logDensity },
      { id: 'l', kind: 'likelihood', family: 'density', observed: 'weeks', logDensity: 'log_p' },
    ],
    { tables: { T: { columns } }, objective: 'l', ...more },
  );
}

async function plotsOf(document: unknown): Promise<Plot[]> {
  const plotter = await createPlotter(demandModel(await load(document, undefined)), device);
  try {
    return await plotter.at({ tau: [20, 8] });
  } finally {
    plotter.release();
  }
}

it('Kaplan and Meier have it so', () => {
  const { x, y } = kaplanMeier(
    drug,
    relapsed.map((mark) => mark === 1),
  );
  expect(x).toEqual([6, 7, 10, 13, 16, 22, 23]);
  expect(y.map((share) => Number(share.toFixed(3)))).toEqual(ofDrug);
  expect(kaplanMeier([], [])).toEqual({ x: [], y: [] });
  expect(kaplanMeier([3, NaN, 1], [false, true, false])).toEqual({ x: [], y: [] });
});

it.each([
  ['if(event > 0, -log(mean) - weeks/mean, -weeks/mean)'],
  ['-event*log(mean) - weeks/mean'],
  // The mark need not be 0 and 1, and may tell what has not ended.
  ['if(2 - event > 1, -weeks/mean, -log(mean) - weeks/mean)'],
])('of each group what is still there, and the S(t) of the model: %s', async (logDensity) => {
  const [plot, residuals, ...more] = await plotsOf(exponential(logDensity));
  expect(more).toEqual([]);
  expect(plot).toMatchObject({ kind: 'comparison', by: 'arm', x: { label: 'weeks' }, y: { label: 'survival' } });
  expect(plot!.groups.map(({ key }) => key)).toEqual(['drug', 'placebo']);
  for (const [g, mean, shares] of [
    [0, 20, ofDrug],
    [1, 8, ofPlacebo],
  ] as const) {
    const { points, curve } = plot!.groups[g]!;
    expect(points.y.map((share) => Number(share.toFixed(3)))).toEqual(shares);
    points.predicted!.forEach((share, i) => expect(share).toBeCloseTo(Math.exp(-points.x[i]! / mean), 12));
    expect(curve!.x[0]).toBe(0);
    curve!.y.forEach((share, i) => expect(share).toBeCloseTo(Math.exp(-curve!.x[i]! / mean), 12));
    expect(residuals!.groups[g]!.points.x.length).toBeGreaterThan(2);
  }
});

it('what ended in each bin, beside what was to be expected of those who were there', async () => {
  const model = demandModel(await load(exponential('-event*log(mean) - weeks/mean'), undefined));
  const [found] = await residualsAt(model, device, { tau: [20, 8] });
  const [, plot] = await plotsOf(exponential('-event*log(mean) - weeks/mean'));
  const { x, y } = plot!.groups[1]!.points;
  expect([...found!.groups[1]!.residuals]).toEqual(y);
  const width = x[1]! - x[0]!;
  const expected = x.map((middle, bin) => {
    const [from, to] = [bin === 0 ? 0 : middle - width / 2, bin === x.length - 1 ? Infinity : middle + width / 2];
    return placebo.reduce((sum, time) => sum + Math.max(0, Math.min(time, to) - from) / 8, 0);
  });
  const seen = x.map((_, bin) => y[bin]! * Math.sqrt(expected[bin]!) + expected[bin]!);
  expect(seen.reduce((sum, count) => sum + count, 0)).toBeCloseTo(placebo.length, 9);
  for (const count of seen) expect(count).toBeCloseTo(Math.round(count), 9);
});

it('nothing is drawn of a mark that tells something else', async () => {
  expect(await plotsOf(exponential('-log(mean + event) - weeks/(mean + event)'))).toEqual([]);
});

it('the band lies between 0 and 1, and is that of log(−log S)', async () => {
  const path = written(exponential('-event*log(mean) - weeks/mean'));
  const fit = (await json('fit', path, '--out', path.replace('.cot.json', '.fit.json'))) as {
    parameters: Record<string, Record<string, number[]>>;
  };
  const { plots } = (await json('plot', path)) as { plots: Plot[] };
  const { value, standardError } = fit.parameters['tau']!;
  // The mean of exponential times is what all lasted over how many ended, its relative error one over their root.
  expect(value![0]).toBeCloseTo(359 / 9, 3);
  expect(standardError![0]! / value![0]!).toBeCloseTo(1 / 3, 3);
  const { curve, band } = plots[0]!.groups[0]!;
  const at = curve!.x.indexOf(23);
  // se of log τ is 1/√9, and log(−log S) = log t − log τ.
  const end = (sign: number): number => Math.exp(-(23 / value![0]!) * Math.exp((sign * 1.959964) / 3));
  expect(band!.confidence.lower[at]).toBeCloseTo(end(1), 5);
  expect(band!.confidence.upper[at]).toBeCloseTo(end(-1), 5);
  for (const share of [...band!.confidence.lower, ...band!.confidence.upper]) {
    expect(share).toBeGreaterThanOrEqual(0);
    expect(share).toBeLessThanOrEqual(1);
  }
});
