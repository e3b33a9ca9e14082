/** Names beside points, where a legend would be a box: a dataset's `names`, one for each of its points, '' for none. */
import type { Chart, Plugin } from 'chart.js';
import { font } from './plot-theme.ts';

export interface Named {
  readonly names: readonly string[];
  readonly nameColor: string;
}

const gap = 6;

function draw(chart: Chart): void {
  const { ctx, chartArea } = chart;
  ctx.save();
  ctx.font = `${font.size}px ${font.family}`;
  ctx.textBaseline = 'middle';
  const taken: { readonly left: number; readonly right: number; readonly y: number }[] = [];
  chart.data.datasets.forEach((dataset, i) => {
    const { names, nameColor } = dataset as Partial<Named>;
    if (!names || nameColor === undefined) return;
    ctx.fillStyle = nameColor;
    chart.getDatasetMeta(i).data.forEach(({ x, y }, j) => {
      const name = names[j] ?? '';
      const width = ctx.measureText(name).width;
      const left = x + gap + width > chartArea.right ? x - gap - width : x + gap;
      // A name that would stand on another is left to the tooltip.
      const free = taken.every(
        (other) => Math.abs(other.y - y) > 12 || other.right < left || other.left > left + width,
      );
      if (name === '' || !free || !Number.isFinite(x + y)) return;
      taken.push({ left, right: left + width, y });
      ctx.fillText(name, left, y);
    });
  });
  ctx.restore();
}

export const nameLabels: Plugin = { id: 'nameLabels', afterDatasetsDraw: draw };
