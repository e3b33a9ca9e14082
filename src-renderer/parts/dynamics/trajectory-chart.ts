/** States over time as one Chart.js configuration: a line for each, named at its end, and what was measured as circles. */
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import type { Trajectory } from '../../state/dynamics/trajectories.svelte.ts';
import { chartOptions, circlesOf, endsOf, hueOf, lineOf, quantityText, roomForNames } from '../charts/chart-options.ts';
import type { Palette } from '../charts/plot-theme.ts';
import type { Named } from '../charts/name-labels.ts';
import { axisOf } from '../charts/plot-theme.ts';

export function trajectoryChart({ courses, measured, over }: Trajectory, palette: Palette): ChartConfiguration {
  const states = [...new Set(courses.map(({ state }) => state))];
  const solid = new Set(measured.map(({ state }) => state));
  const look = (state: string) => hueOf(states.indexOf(state), palette);
  const lines = courses.map(({ state, lane, points }): ChartDataset & Named => {
    const { color, dash } = look(state);
    // Where something is measured, what is not is broken.
    const broken = solid.size === 0 || solid.has(state) ? [] : dash.length > 0 ? dash : [6, 3];
    return {
      ...lineOf(points, color, { width: lane === 0 ? 1.75 : 1, dash: solid.size === 0 ? dash : broken, order: 2 }),
      names: points.map((_, i) => (lane === 0 && i === points.length - 1 ? state : '')),
      nameColor: color,
    };
  });
  const circles = measured.map(({ state, points }) =>
    circlesOf(
      points.filter(({ y }) => Number.isFinite(y)),
      palette,
      look(state).color,
    ),
  );
  const all = [...courses, ...measured].flatMap(({ points }) => points);
  const options = chartOptions(
    palette,
    axisOf(
      {
        title: over,
        grid: false,
        ...endsOf(
          all.map(({ x }) => x),
          true,
        ),
      },
      palette,
    ),
    axisOf({ title: '', grid: true, ...endsOf(all.map(({ y }) => y)) }, palette),
    ({ x, y }) => [quantityText(over, x), quantityText('value', y)],
  );
  return {
    type: 'scatter',
    data: { datasets: [...circles, ...lines] },
    options: { ...options, layout: roomForNames(states) },
  };
}
