/** A plot as inline SVG whose colours are the page's: points, and a line through the prediction. */

export interface Series {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  readonly kind: 'points' | 'line';
}

const size = { width: 640, height: 300, left: 64, right: 16, top: 16, bottom: 44 } as const;

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Round numbers, about five of them, from below `low` to above `high`. */
export function ticks(low: number, high: number): number[] {
  const span = high - low || Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = power * ([1, 2, 5, 10].find((factor) => span / (power * factor) <= 5) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: Math.max(last - first, 1) + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Undefined where there is no finite point. */
export function plotSvg(series: readonly Series[], xLabel: string, yLabel: string): string | undefined {
  const points = series.map(({ x, y, kind }) => ({
    kind,
    at: Array.from(x, (value, i): [number, number] => [value, y[i] ?? NaN]).filter(
      ([a, b]) => Number.isFinite(a) && Number.isFinite(b),
    ),
  }));
  const all = points.flatMap(({ at }) => at);
  if (all.length === 0) return undefined;
  const range = (axis: 0 | 1): number[] => {
    let [low, high] = [Infinity, -Infinity];
    for (const point of all) [low, high] = [Math.min(low, point[axis]), Math.max(high, point[axis])];
    return ticks(low, high);
  };
  const [xTicks, yTicks] = [range(0), range(1)];
  const scale = (marks: readonly number[], from: number, to: number) => {
    const [low = 0, high = 1] = [marks[0], marks.at(-1)];
    return (value: number): string => (from + ((value - low) / (high - low)) * (to - from)).toFixed(1);
  };
  const sx = scale(xTicks, size.left, size.width - size.right);
  const sy = scale(yTicks, size.height - size.bottom, size.top);
  const drawn = points.map(({ kind, at }) =>
    kind === 'points'
      ? at.map(([x, y]) => `<circle cx="${sx(x)}" cy="${sy(y)}" r="3"/>`).join('')
      : `<polyline points="${[...at]
          .sort(([a], [b]) => a - b)
          .map(([x, y]) => `${sx(x)},${sy(y)}`)
          .join(' ')}"/>`,
  );
  const grid = [
    ...xTicks.map(
      (t) =>
        `<line x1="${sx(t)}" x2="${sx(t)}" y1="${size.top}" y2="${size.height - size.bottom}"/><text x="${sx(t)}" y="${size.height - 26}" text-anchor="middle">${t}</text>`,
    ),
    ...yTicks.map(
      (t) =>
        `<line x1="${size.left}" x2="${size.width - size.right}" y1="${sy(t)}" y2="${sy(t)}"/><text x="${size.left - 8}" y="${Number(sy(t)) + 4}" text-anchor="end">${t}</text>`,
    ),
  ];
  const middle = { x: (size.left + size.width - size.right) / 2, y: (size.top + size.height - size.bottom) / 2 };
  return [
    `<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${escapeHtml(`${yLabel} against ${xLabel}`)}">`,
    `<g class="grid">${grid.join('')}</g>${drawn.join('')}`,
    `<text x="${middle.x}" y="${size.height - 6}" text-anchor="middle">${escapeHtml(xLabel)}</text>`,
    `<text transform="translate(14 ${middle.y}) rotate(-90)" text-anchor="middle">${escapeHtml(yLabel)}</text></svg>`,
  ].join('');
}
