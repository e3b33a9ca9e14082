/**
 * One truth where documents are no examples: what the window's own state asks of the engine and gives to its charts, what
 * `plot` prints and what the report draws, of fits that are stored beside documents over every kind of comparison.
 */
import { join } from 'node:path';
import type { ChartDataset } from 'chart.js';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cpuDevice } from '../../../../engine/index.ts';
import { fitModel } from '../../../../src-main/compute/fit/fit.ts';
import { createDevices } from '../../../../src-main/compute/running/devices.ts';
import { demandModel, load } from '../../../../src-main/compute/running/load.ts';
import { createSessions } from '../../../../src-main/compute/sessions.ts';
import { answers } from '../../../../src-main/engine-process/answers.ts';
import type { Plot } from '../../../../src-main/contract/plots.ts';
import { plotSvg } from '../../../../src-main/export/plots/svg.ts';
import { readDocument, readFit, writeDocument } from '../../../../src-main/files/documents.ts';
import { pictureChart, residualChart } from '../../../../src-renderer/parts/fit/fit-charts.ts';
import { readDraft } from '../../../../src-renderer/state/document/draft.ts';
import { openSession } from '../../../../src-renderer/state/document/session.ts';
import { Studio } from '../../../../src-renderer/state/studio.svelte.ts';
import { cotangent, documentOf, folderWith, map, parameter, type PlainBlock } from '../../../support/command-line.ts';
import { playedEngine } from '../../../support/played-engine.ts';

const devices = createDevices();
const cpu = cpuDevice();
afterAll(() => {
  devices.close();
  cpu.close();
});
const served = answers(createSessions(''), devices, 'cpu');

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** The document as the window has it open, its fit beside it; `settled`: until all is answered that it asked. */
async function inWindow(path: string): Promise<{ readonly studio: Studio; readonly settled: () => Promise<void> }> {
  const pending = new Set<Promise<unknown>>();
  const heard = <T>(answer: T): T => {
    const answered = Promise.resolve(answer).finally(() => pending.delete(answered));
    pending.add(answered);
    return answer;
  };
  const engine = playedEngine({
    'model.check': (body) => heard(served['model.check'](body)),
    'model.plots': (body) => heard(served['model.plots'](body)),
  });
  const { draft } = readDraft(await readDocument(path));
  const session = openSession(draft, { saved: true, fit: await readFit(path) });
  const studio = new Studio(engine.client, session, { kind: 'unsaved' });
  const settled = async (): Promise<void> => {
    do {
      vi.runAllTimers();
      await Promise.all(pending);
      await new Promise((resolve) => setImmediate(resolve));
    } while (pending.size > 0 || vi.getTimerCount() > 0);
  };
  await settled();
  return { studio, settled };
}

/** As the terminal prints them; `bands`: with theirs. */
const printedOf = (plots: readonly Plot[], bands: boolean): unknown =>
  JSON.parse(
    JSON.stringify(plots, (key, value: unknown) => {
      if (key === 'band' && !bands) return undefined;
      return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
    }),
  );

const t = [0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 14];
const noise = [0.03, -0.05, 0.02, 0.06, -0.04, 0.01, -0.02, 0.05, -0.03, 0.02, -0.01, 0.03];
const decay = t.map((x, i) => 2 * Math.exp(-0.3 * x) + noise[i]!);
const who = t.map((_, i) => ['a', 'b', 'c', 'd'][i % 4]!);
const own = t.map((x, i) => 2 + [0.8, -0.5, 0.3, -0.6][i % 4]! - 0.1 * x + noise[i]!);
const column = (id: string): PlainBlock => ({ id, kind: 'column', table: 'obs', column: id });
const squares = (id: string, prediction: string, observed: string, more: object = {}): PlainBlock => ({
  ...{ id, kind: 'least-squares', prediction, observed },
  ...more,
});
const likelihood = (family: string, more: object): PlainBlock => ({ id: 'loss', kind: 'likelihood', family, ...more });
const document = (
  columns: object,
  blocks: readonly PlainBlock[],
  objective: string | string[] = 'loss',
): PlainBlock => ({
  ...documentOf([...Object.keys(columns).map(column), ...blocks], { tables: { obs: { columns } } }),
  objective,
});
const exponential = [parameter('A', 1), parameter('k', 0.2), map('f', 'A * exp(-k * t)')];

const cases: Readonly<Record<string, PlainBlock>> = {
  'an ode': document({ t, y: decay }, [
    parameter('A', 1.5),
    parameter('k', 0.2),
    { id: 'x', kind: 'ode', times: 't', from: 0, method: 'rk4', state: { x: { initial: 'A', rate: '-k * x' } } },
    squares('loss', 'x', 'y'),
  ]),
  'a group': document({ t, y: decay }, [
    parameter('A', 1),
    parameter('k', 0.2),
    {
      ...{ id: 'g', kind: 'group', inputs: { t: 't', A: 'A', k: 'k' }, outputs: { out: 'f' } },
      blocks: [map('f', 'A * exp(-k * t)')],
    },
    squares('loss', 'g.out', 'y'),
  ]),
  'rows that meet': document({ t, y: decay }, [
    parameter('A', 0.1),
    { id: 's', kind: 'scan', operator: 'add', values: 't' },
    map('f', '2 - A * s'),
    squares('loss', 'f', 'y'),
  ]),
  'a sample': document({ y: own }, [
    parameter('m', 1),
    parameter('s', 1, { lower: 0.01 }),
    map('p', '-((y - m)/s)^2/2 - log(s) - log(2*pi)/2'),
    likelihood('density', { observed: 'y', logDensity: 'p' }),
  ]),
  'censored observations': document({ t, y: decay, limit: decay.map((y) => (y < 0.3 ? 1 : 0)) }, [
    ...exponential,
    likelihood('normal', { observed: 'y', mean: 'f', sigma: 0.05, censored: { left: 'limit' } }),
  ]),
  'random effects': document({ t, y: own, who }, [
    parameter('a', 1),
    parameter('b', 0),
    { id: 'u', kind: 'random-effect', like: 'who' },
    { id: 'o', kind: 'gather', from: 'u', indices: 'who' },
    map('f', 'a + o + b * t'),
    likelihood('normal', { observed: 'y', mean: 'f', sigma: 0.1 }),
    { id: 'share', kind: 'quantity', formula: 's^2/(s^2 + 0.01)', inputs: { s: 'u.sd.b' } },
  ]),
  'several objectives': document(
    { t, y: decay, z: own },
    [
      ...exponential,
      parameter('c', 1),
      map('h', 'c - k * t'),
      squares('l1', 'f', 'y', { sigma: 0.05 }),
      squares('l2', 'h', 'z', { sigma: 0.5 }),
    ],
    ['l1', 'l2'],
  ),
};

const numbersOf = ({ data }: ChartDataset): [number, number][] =>
  (data as { x: number; y: number }[]).map(({ x, y }) => [x, y]);
const palette = new Proxy({}, { get: () => '#000000' }) as Record<string, string>;
const places = (xs: readonly number[], ys: readonly number[]) => xs.map((x, i) => [x, ys[i]]);

it.each(Object.entries(cases))('%s', async (_, written) => {
  const path = join(folderWith({}), 'model.cot.json');
  const fit = await fitModel(demandModel(await load(written, undefined)), cpu, { parameters: {} });
  expect(fit.status).toBe('converged');
  await writeDocument(path, written, fit);
  const printed = JSON.parse((await cotangent('plot', path, '--json')).stdout) as { at: string; plots: Plot[] };
  expect(printed.at).toBe('fit');

  const { studio, settled } = await inWindow(path);
  expect(printedOf(studio.evaluation.plots, true)).toEqual(printedOf(printed.plots, false));
  studio.showBands(true);
  await settled();
  const { plots } = studio.evaluation;
  expect(printedOf(plots, true)).toEqual(printed.plots);
  expect(plots.some(({ groups }) => groups.some(({ band }) => band))).toBe(true);
  // What no block of the document is, the deviations of effects among it, stands where the fit found it as well.
  const beside = studio.fitting.effectsFor(studio.draft, studio.checking.checked);
  for (const { block, value } of fit.estimates) if (block.startsWith('u.')) expect(beside.get(block)).toEqual([value]);

  const report = (await cotangent('report', path)).stdout;
  for (const plot of plots) expect(report).toContain(plotSvg(plot));

  const drawn = studio.pictures;
  expect(drawn.length).toBeGreaterThan(0);
  for (const picture of drawn) {
    const group = picture.plot.groups[picture.group]!;
    const [points, line, ...around] = pictureChart(picture, palette).data.datasets.map(numbersOf);
    expect(points).toEqual(places(group.points.x, group.points.y));
    const { curve, band, population } = group;
    expect(line).toEqual(curve ? places(curve.x, curve.y) : places(group.points.x, group.points.predicted!));
    for (const ends of [
      ...(population ? [population] : []),
      ...(curve && band
        ? [
            { x: curve.x, y: band.confidence.lower },
            { x: curve.x, y: band.confidence.upper },
          ]
        : []),
    ])
      expect(around).toContainEqual(places(ends.x, ends.y));
    const { residuals } = picture;
    const left = residualChart(picture, palette).data.datasets[0]!;
    expect(numbersOf(left)).toEqual(residuals.groups.flatMap(({ points }) => places(points.x, points.y)));
  }
});
