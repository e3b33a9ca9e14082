/** What a model predicts beside what was observed: the very plots of the window, and how normal their residuals are. */
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import { heldText, type Diagnosis, type Plot } from '../../contract/plots.ts';
import { labelOf, plotSvg } from '../plots/svg.ts';
import { figure, paragraph, table } from '../html.ts';
import { plotSvg as lineSvg } from './plot.ts';

/** Curve, residuals and Q–Q plot of each. */
export function comparisonFigures(plots: readonly Plot[]): string[] {
  return plots.flatMap((plot) => {
    const drawn = figure(plotSvg(plot), captionOf(plot));
    return plot.kind === 'residuals' ? [drawn, quantileFigure(plot)] : [drawn];
  });
}

/** How observations lie about a fit with random effects, and which groups lie worst. */
export function effectFigures({ plots, misfits, why }: Diagnosis): string[] {
  return [
    ...plots.map(({ plot, note }) => figure(plotSvg(plot), `${plot.of}: ${note}`)),
    ...misfits.map(({ groups }) =>
      table(
        ['worst groups', 'rows', 'mean square of residuals'],
        groups.slice(0, mostGroups).map(({ key, rows, meanSquare }) => [key, rows, meanSquare]),
      ),
    ),
    paragraph(why ?? ''),
  ];
}

const mostGroups = 12;

function captionOf({ of, kind, y, by, prediction, groups, ...plot }: Plot): string {
  const grouped = by === null ? '' : `, by ${by}`;
  if (kind === 'residuals') return `${of}: ${labelOf({ kind, y, by, prediction, groups, of, ...plot })}${grouped}`;
  const predicted = prediction ?? 'the prediction';
  if (kind === 'histogram') return `${of}: ${y.label} as bars, ${predicted} as a line${grouped}`;
  const shown = groups.find(({ band }) => band)?.band;
  const [level, held] = [shown?.level, heldText(shown)];
  const curved = groups.some(({ curve }) => curve);
  const around =
    level === undefined || !curved
      ? ''
      : `; shaded: the ${Number((100 * level).toPrecision(6))} % confidence band, dotted: the prediction band${held && `; ${held}`}`;
  return `${of}: ${y.label} as circles, ${predicted} as ${curved ? 'a curve' : 'dots, at the rows alone'}${grouped}${around}`;
}

/** Sorted residuals against normal quantiles at the plotting positions of Blom (1958), with the line through the quartiles. */
function quantileFigure({ of, groups }: Plot): string {
  const sorted = groups.flatMap(({ points }) => points.y).sort((a, b) => a - b);
  if (sorted.length < 4) return '';
  const x = sorted.map((_, i) => normalQuantile((i + 1 - 0.375) / (sorted.length + 0.25), 0, 1));
  const quartile = (values: readonly number[], share: number): number =>
    values[Math.round(share * (values.length - 1))]!;
  const slope = (quartile(sorted, 0.75) - quartile(sorted, 0.25)) / (quartile(x, 0.75) - quartile(x, 0.25));
  const line = x.map((at) => quartile(sorted, 0.25) + slope * (at - quartile(x, 0.25)));
  const svg = lineSvg(
    [
      { x, y: line, kind: 'line' },
      { x, y: sorted, kind: 'points' },
    ],
    'normal quantile',
    'residual',
  );
  return figure(svg, `${of}: Q–Q plot; the residuals of normal noise lie on the line`);
}
