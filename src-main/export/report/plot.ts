/** A plot as inline SVG whose colours are the page's: points, lines, bars from zero. */
import { escapeXml } from '../../../models/notation/escape-xml.ts';
import { roundTicks } from '../../../models/notation/scales.ts';

export interface Series {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  readonly kind: 'points' | 'line' | 'faint';
}

const size = { width: 640, height: 300, left: 72, right: 16, top: 16, bottom: 44 } as const;

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
    return roundTicks(low, high);
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
      ? at.map(([x, y]) => `<circle cx="${sx(x)}" cy="${sy(y)}" r="2.6"/>`).join('')
      : `<polyline class="${kind}" points="${[...at]
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
    `<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${escapeXml(`${yLabel} against ${xLabel}`)}">`,
    `<g class="grid">${grid.join('')}</g>${drawn.join('')}`,
    `<text x="${middle.x}" y="${size.height - 6}" text-anchor="middle">${escapeXml(xLabel)}</text>`,
    `<text transform="translate(14 ${middle.y}) rotate(-90)" text-anchor="middle">${escapeXml(yLabel)}</text></svg>`,
  ].join('');
}

const bar = { height: 22, left: 150, width: 640, right: 90 } as const;

/** Bars that lie, from zero, longest first as they are given. Undefined where no value is finite. */
export function barsSvg(rows: readonly (readonly [name: string, value: number])[], label: string): string | undefined {
  const known = rows.filter(([, value]) => Number.isFinite(value));
  if (known.length === 0) return undefined;
  const low = Math.min(0, ...known.map(([, value]) => value));
  const high = Math.max(0, ...known.map(([, value]) => value));
  const x = (value: number): number =>
    bar.left + ((value - low) / (high - low || 1)) * (bar.width - bar.left - bar.right);
  const drawn = known.map(([name, value], i) => {
    const y = 4 + i * bar.height;
    const [from, to] = [Math.min(x(0), x(value)), Math.max(x(0), x(value))];
    return `<text x="${bar.left - 8}" y="${y + 13}" text-anchor="end">${escapeXml(name)}</text><rect class="${value < 0 ? 'minus' : 'plus'}" x="${from.toFixed(1)}" y="${y}" width="${Math.max(1, to - from).toFixed(1)}" height="${bar.height - 6}"/><text x="${(to + 6).toFixed(1)}" y="${y + 13}">${Number(value.toPrecision(3))}</text>`;
  });
  return `<svg viewBox="0 0 ${bar.width} ${known.length * bar.height + 8}" role="img" aria-label="${escapeXml(label)}">${drawn.join('')}</svg>`;
}

/** Below the diagonal, blue to white to orange; the number stands in each square, so colour is not needed. */
export function matrixSvg(
  names: readonly string[],
  matrix: readonly (readonly number[])[],
  label: string,
): string | undefined {
  if (names.length < 2) return undefined;
  const cell = Math.max(16, Math.min(44, Math.floor(500 / names.length)));
  const left = 90;
  const squares = names.flatMap((_, i) =>
    names.slice(0, i).map((_name, j) => {
      const value = matrix[i]?.[j] ?? NaN;
      const [x, y] = [left + j * cell, (i - 1) * cell];
      const share = Number.isFinite(value) ? Math.min(1, Math.abs(value)).toFixed(2) : '0';
      const text =
        cell < 30 || !Number.isFinite(value)
          ? ''
          : `<text${Math.abs(value) > 0.6 ? ' class="over"' : ''} x="${x + cell / 2}" y="${y + cell / 2 + 4}" text-anchor="middle">${value.toFixed(2)}</text>`;
      return `<rect class="${value < 0 ? 'minus' : 'plus'}" fill-opacity="${share}" x="${x}" y="${y}" width="${cell - 1}" height="${cell - 1}"/>${text}`;
    }),
  );
  const rows = names
    .slice(1)
    .map(
      (name, i) => `<text x="${left - 6}" y="${i * cell + cell / 2 + 4}" text-anchor="end">${escapeXml(name)}</text>`,
    );
  const foot = (names.length - 1) * cell + 8;
  const columns = names
    .slice(0, -1)
    .map(
      (name, j) =>
        `<text transform="translate(${left + j * cell + cell / 2 + 4} ${foot}) rotate(-90)" text-anchor="end">${escapeXml(name)}</text>`,
    );
  return `<svg class="matrix" viewBox="0 0 ${left + names.length * cell} ${foot + 70}" style="max-width:${left + names.length * cell}px" role="img" aria-label="${escapeXml(label)}">${[...squares, ...rows, ...columns].join('')}</svg>`;
}
