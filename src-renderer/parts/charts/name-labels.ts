/** Names beside points, where a legend would be a box: a dataset's `names`, one for each of its points, '' for none. */
import type { Chart, Plugin } from 'chart.js';
import type { Standing } from '../../state/fit/spread.ts';
import { spreadApart } from '../../state/fit/spread.ts';
import { font } from './plot-theme.ts';

export interface Named {
  readonly names: readonly string[];
  readonly nameColor: string;
}

interface Label extends Standing {
  readonly text: string;
  readonly color: string;
}

const gap = 6;
const lineHeight = 13;
/** A name that stands farther from its point would be taken for another's: it is left to the tooltip. */
const farthest = 2 * lineHeight;

function labelsOf(chart: Chart): Label[] {
  const { ctx, width } = chart;
  const { left, right, top, bottom } = chart.chartArea;
  const isInside = (x: number, y: number) => x > left - 1 && x < right + 1 && y > top - 1 && y < bottom + 1;
  return chart.data.datasets.flatMap((dataset, i) => {
    const { names, nameColor } = dataset as Partial<Named>;
    if (!names || nameColor === undefined) return [];
    return chart.getDatasetMeta(i).data.flatMap(({ x, y }, j): Label[] => {
      const text = names[j] ?? '';
      if (text === '' || !isInside(x, y)) return [];
      const long = ctx.measureText(text).width;
      const from = x + gap + long > width ? x - gap - long : x + gap;
      return [{ text, color: nameColor, left: from, right: from + long, y }];
    });
  });
}

function draw(chart: Chart): void {
  const { ctx, chartArea } = chart;
  ctx.save();
  ctx.font = `${font.size}px ${font.family}`;
  ctx.textBaseline = 'middle';
  const labels = labelsOf(chart);
  const heights = spreadApart(labels, lineHeight, chartArea.top, chartArea.bottom);
  const drawn: Standing[] = [];
  for (const [i, { text, color, left, right, y: own }] of labels.entries()) {
    const y = heights[i]!;
    const isFree = drawn.every(
      (other) => Math.abs(other.y - y) > lineHeight - 1 || other.right < left || other.left > right,
    );
    if (!isFree || Math.abs(y - own) > farthest) continue;
    drawn.push({ left, right, y });
    ctx.fillStyle = color;
    ctx.fillText(text, left, y);
  }
  ctx.restore();
}

export const nameLabels: Plugin = { id: 'nameLabels', afterDatasetsDraw: draw };
