/** One truth: window, report and `plot` show the same numbers, for every kind of picture. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChartDataset } from 'chart.js';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { CpuInstance } from '../../../../engine/5-runtime/cpu/instance.ts';
import { fiveCurves, shown } from '../../../../src-main/benchmark/sliders/document.ts';
import { createDevices } from '../../../../src-main/compute/running/devices.ts';
import { createSessions } from '../../../../src-main/compute/sessions.ts';
import { answers } from '../../../../src-main/engine-process/answers.ts';
import { plotSvg } from '../../../../src-main/export/plots/svg.ts';
import { axisTitle, type Plot } from '../../../../src-main/contract/plots.ts';
import type { FitReport, RequestInput } from '../../../../src-main/contract/contract.ts';
import { pictureChart, residualChart } from '../../../../src-renderer/parts/fit/fit-charts.ts';
import { plottedOf } from '../../../../src-renderer/state/fit/plot-data.ts';
import { catalogue as examples } from '../../../../models/catalogue/index.ts';
import { cotangent } from '../../../support/command-line.ts';

const catalogue = join(import.meta.dirname, '../../../../models/catalogue');
const devices = createDevices();
afterAll(() => devices.close());
const engine = answers(createSessions(catalogue), devices, 'cpu');

/** As the window asks: the model is checked, then its handle and the parameters are sent. */
async function inWindow(name: string): Promise<readonly Plot[]> {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(catalogue, file), 'utf8'));
  const document = read(`${name}.cot.json`) as RequestInput<'model.check'>['document'];
  const fit = read(`${name}.fit.json`) as FitReport;
  const { handle } = await engine['model.check']({ document, location: { kind: 'example', name } });
  const bands = { fit, level: 0.95 };
  const outputs = [document['objective'] as string | string[]].flat();
  const found = await engine['model.plots']({ handle: handle!, parameters: {}, outputs, bands });
  expect(found?.faults).toEqual([]);
  expect(Object.keys(found!.values)).toEqual(outputs);
  return found!.plots;
}

const numbersOf = ({ data }: ChartDataset): [number, number][] =>
  (data as { x: number; y: number }[]).map(({ x, y }) => [x, y]);

const palette = new Proxy({}, { get: () => '#000000' }) as Record<string, string>;
const places = (xs: readonly number[], ys: readonly number[]) => xs.map((x, i) => [x, ys[i]]);

/** What a picture is made of. */
const makeOf = ({ kind, groups }: Plot): string =>
  [
    kind,
    ...new Set(groups.flatMap(({ curve, band, population }) => Object.keys({ ...curve, ...band, ...population }))),
  ].join();
const reported = new Set<string>();

describe.each(examples.map(({ name }) => name))('%s', (name) => {
  it('is the same in the terminal, in the window and in the report', async () => {
    const path = join(catalogue, `${name}.cot.json`);
    const plots = await inWindow(name);
    const { stdout } = await cotangent('plot', path, '--json');
    // Diagnostics of random effects stand beside them.
    const printed = JSON.parse(stdout) as Record<string, unknown>;
    expect([printed['at'], printed['plots']]).toEqual(['fit', JSON.parse(JSON.stringify(plots))]);

    // A report computes much else: one for each kind of picture.
    const kinds = plots.map(makeOf);
    if (kinds.some((kind) => !reported.has(kind))) {
      const report = (await cotangent('report', path)).stdout;
      for (const plot of plots) expect(report).toContain(plotSvg(plot));
    }
    kinds.forEach((kind) => reported.add(kind));

    for (const plotted of plottedOf(plots)) {
      const { plot, residuals } = plotted;
      const titles = { x: axisTitle(plot.x), y: axisTitle(plot.y) };
      plot.groups.forEach((group, chosen) => {
        const picture = {
          ...plotted,
          key: '',
          title: '',
          note: '',
          group: chosen,
          titles,
          missed: [],
          layout: 'front' as const,
          excluded: '',
        };
        const drawn = pictureChart(picture, palette).data.datasets.map(numbersOf);
        expect(drawn[0]).toEqual(places(group.points.x, group.points.y));
        if (group.curve) expect(drawn[1]).toEqual(places(group.curve.x, group.curve.y));
        if (group.curve && group.band) {
          // The population's curve stands before the band of the group's own.
          const [lower, upper] = drawn.slice(group.population ? 3 : 2);
          expect(lower).toEqual(places(group.curve.x, group.band.confidence.lower));
          expect(upper).toEqual(places(group.curve.x, group.band.confidence.upper));
        }
        if (!group.curve && plot.kind === 'comparison')
          expect(drawn[1]).toEqual(places(group.points.x, group.points.predicted!));
        const left = residualChart(picture, palette).data.datasets[0]!;
        expect(numbersOf(left)).toEqual(residuals.groups.flatMap(({ points }) => places(points.x, points.y)));
      });
    }
  });
});

describe('a slider', () => {
  it('compiles nothing: several documents keep what was made for them', async () => {
    const sessions = createSessions(catalogue);
    const documentOf = (k: number) => ({
      format: 'cotangent/1',
      blocks: [{ id: 'k', kind: 'parameter', initial: k }],
    });
    const first = await Promise.all([1, 2, 3, 4, 5].map((k) => sessions.get(documentOf(k), { kind: 'unsaved' })));
    for (const [i, k] of [1, 2, 3, 4, 5].entries())
      expect(await sessions.get(documentOf(k), { kind: 'unsaved' })).toBe(first[i]);
    expect(await sessions.find(first[0]!.handle)).toBe(first[0]);
    expect(sessions.find('nobody')).toBeUndefined();
  });

  it('compiles nothing and costs seven runs: five curves of 1,000 rows follow one move after another', async () => {
    const document = fiveCurves(1000) as RequestInput<'model.check'>['document'];
    const { handle } = await engine['model.check']({ document, location: { kind: 'unsaved' } });
    const move = async (k: number) =>
      engine['model.plots']({ handle: handle!, parameters: { k }, outputs: [...shown] });
    await move(0.3);
    const compiled = vi.spyOn(WebAssembly, 'Module');
    const runs = vi.spyOn(CpuInstance.prototype, 'run');
    try {
      for (const k of [0.31, 0.32, 0.5, 1]) {
        runs.mockClear();
        const found = await move(k);
        const curves = found!.plots.flatMap(({ groups }) => groups.flatMap(({ curve }) => curve ?? []));
        expect(curves).toHaveLength(5);
        expect(curves.at(-1)!.y.at(-1)).toBeCloseTo(5 * Math.exp(-k * curves.at(-1)!.x.at(-1)!), 12);
        // The values that are shown, the rows of all plots, and of each its curve.
        expect(runs).toHaveBeenCalledTimes(2 + 5);
      }
      expect(compiled).not.toHaveBeenCalled();
      // Another output has to be compiled, and the spy sees it.
      await engine['model.plots']({ handle: handle!, parameters: { k: 1 }, outputs: ['curve1'] });
      expect(compiled).toHaveBeenCalled();
    } finally {
      compiled.mockRestore();
      runs.mockRestore();
    }
  });

  it('is told when the engine knows the model no more', async () => {
    expect(await engine['model.plots']({ handle: 'nobody', parameters: {}, outputs: [] })).toBeNull();
  });
});
