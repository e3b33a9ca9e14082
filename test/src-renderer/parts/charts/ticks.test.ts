/** Every axis has two numbers at least, drawn by Chart.js itself at the sizes of the window's plots. */
import {
  BasicPlatform,
  Chart,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
} from 'chart.js';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { DividedScale } from '../../../../src-renderer/parts/charts/divided-scale.ts';
import { axisOf, type Palette } from '../../../../src-renderer/parts/charts/plot-theme.ts';

const palette = new Proxy({}, { get: () => '#000000' }) as Palette;

/** A canvas that measures letters of 6 pixels, and draws nothing. */
function canvasOf(width: number, height: number) {
  const state: Record<string, unknown> = {
    canvas: undefined,
    measureText: (text: string) => ({ width: 6 * text.length }),
  };
  const context = new Proxy(state, { get: (target, key) => (key in target ? target[key as string] : () => undefined) });
  const canvas = { width, height, style: {}, getContext: () => context };
  state['canvas'] = canvas;
  return canvas;
}

beforeAll(() => Chart.register(DividedScale, LinearScale, LineController, LineElement, LogarithmicScale, PointElement));

function labelsOf(axis: object, [width, height]: readonly [number, number]): string[][] {
  const chart = new Chart(canvasOf(width, height) as unknown as HTMLCanvasElement, {
    ...{ type: 'line', data: { datasets: [{ data: [] }] }, platform: BasicPlatform },
    options: { animation: false, responsive: false, events: [], scales: { x: axis, y: axis } },
  });
  const labels = ['x', 'y'].map((name) => chart.scales[name]!.ticks.map(({ label }) => String(label)));
  chart.destroy();
  return labels;
}

const sizes = [
  [190, 140],
  [420, 200],
] as const;

it.each(sizes)('of equal steps and of powers of ten, on %i by %i pixels', (...size) => {
  const decades = (from: number, to: number) => fc.double({ min: from, max: to, noNaN: true });
  fc.assert(
    fc.property(decades(-4, 4), decades(-2.5, 2.5), (at, reach) => {
      const low = 10 ** at;
      const ends = { min: low, max: low * (1 + 10 ** reach) };
      for (const axis of [
        axisOf({ title: '', grid: true, ...ends }, palette),
        axisOf({ title: '', grid: true, few: true, ...ends }, palette),
        axisOf({ title: '', grid: true, log: true, ...ends }, palette),
        ...(['log', 'reciprocal', 'symlog'] as const).map((division) =>
          axisOf({ title: '', grid: true, division, near: low, ...ends }, palette),
        ),
      ])
        for (const labels of labelsOf(axis, size)) {
          const told = labels.filter((label) => label !== '');
          expect(new Set(told).size, JSON.stringify({ ...ends, axis, labels })).toBeGreaterThan(1);
          expect(new Set(told).size).toBe(told.length);
        }
    }),
    { numRuns: 40 },
  );
});
