/** Points of a chart chosen by hand: one by a click, many by a line drawn around them. */
import type { Chart } from 'chart.js';

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A point that bears the row of a table that it is. */
const rowOf = (datum: unknown): number | undefined => {
  const row: unknown = typeof datum === 'object' && datum !== null && 'row' in datum ? datum.row : undefined;
  return typeof row === 'number' ? row : undefined;
};

/** Where each point that is a row is drawn, in pixels of the canvas. */
function placesIn(chart: Chart): (Place & { readonly row: number })[] {
  return chart.data.datasets.flatMap((dataset, i) => {
    const drawn = chart.getDatasetMeta(i).data;
    return [...dataset.data.entries()].flatMap(([k, datum]) => {
      const [row, point] = [rowOf(datum), drawn[k]];
      return row === undefined || !point ? [] : [{ row, x: point.x, y: point.y }];
    });
  });
}

const near = 9;

/** The row of the nearest point, if the pointer is on one. */
export function rowsAt(chart: Chart, { x, y }: Place): number[] {
  const apart = placesIn(chart).map((point) => ({ row: point.row, far: Math.hypot(point.x - x, point.y - y) }));
  const [nearest] = apart.filter(({ far }) => far <= near).sort((a, b) => a.far - b.far);
  return nearest ? [nearest.row] : [];
}

/** The rows of the points inside of a closed line. */
export function rowsWithin(chart: Chart, line: readonly Place[]): number[] {
  const { left, right, top, bottom } = chart.chartArea;
  const isSeen = ({ x, y }: Place) => x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1;
  const found = placesIn(chart).filter((point) => isSeen(point) && encloses(line, point));
  return [...new Set(found.map(({ row }) => row))].sort((a, b) => a - b);
}

/** By the even–odd rule: a ray to the right crosses the line an odd number of times. */
export function encloses(line: readonly Place[], { x, y }: Place): boolean {
  return line.reduce((inside, a, i) => {
    const b = line[(i + 1) % line.length]!;
    if (a.y > y === b.y > y) return inside;
    return x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x) ? !inside : inside;
  }, false);
}

interface Choosing {
  readonly chart: () => Chart | undefined;
  /** Whether a drag draws a line around points; with Shift it always does. */
  readonly lasso: () => boolean;
  readonly drawn: (line: readonly Place[]) => void;
  readonly chosen: (rows: readonly number[], at: Place) => void;
}

const moved = 5;

/** On what holds the canvas. What draws a line is hidden from the chart, which would zoom. */
export function choosing({ chart, lasso, drawn, chosen }: Choosing): (node: HTMLElement) => () => void {
  return (node) => {
    let from: Place | undefined;
    let line: Place[] | undefined;
    const placeOf = (event: MouseEvent): Place => {
      const { left, top } = node.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    const down = (event: MouseEvent) => {
      if (event.button !== 0) return;
      from = placeOf(event);
      if (!lasso() && !event.shiftKey) return;
      event.stopPropagation();
      event.preventDefault();
      line = [from];
    };
    const move = (event: MouseEvent) => {
      if (!line) return;
      line.push(placeOf(event));
      drawn([...line]);
    };
    const up = (event: MouseEvent) => {
      const [begun, around, at] = [from, line, placeOf(event)];
      from = line = undefined;
      drawn([]);
      const on = chart();
      if (!begun || !on) return;
      const clicked = Math.hypot(at.x - begun.x, at.y - begun.y) < moved && (around?.length ?? 0) < 8;
      if (clicked) chosen(rowsAt(on, at), at);
      else if (around) chosen(rowsWithin(on, around), at);
    };
    node.addEventListener('mousedown', down, true);
    window.addEventListener('mousemove', move);
    window.addEventListener('mouseup', up);
    return () => {
      node.removeEventListener('mousedown', down, true);
      window.removeEventListener('mousemove', move);
      window.removeEventListener('mouseup', up);
    };
  };
}
