/** Studies that were run before the report was asked for: intervals and verdicts, profiles, and what ranks the parameters. */
import { escapeXml } from '../../../models/notation/escape-xml.ts';
import { elpdLooFact, figureTitle, intervalEnding } from '../../../models/facts/figures.ts';
import type { SensitivityFacts } from '../../../models/facts/method.ts';
import { sensitivityFacts, uncertaintyFacts } from '../../../models/facts/methods.ts';
import type {
  ComparisonReport,
  DesignReport,
  SensitivityReport,
  StudyReport,
  UncertaintyReport,
} from '../../contract/studies.ts';
import { saidOfBounds } from '../../contract/bounds.ts';
import { verdictWord } from '../../contract/verdicts.ts';
import { figure, paragraph, section, table, within } from '../html.ts';
import { barsSvg } from './plot.ts';
import { strength } from './strength.ts';
import { alongPlot, studyCurve, type Looks } from './study-curves.ts';

function nameOf(report: StudyReport): string {
  switch (report.kind) {
    case 'uncertainty':
      return uncertaintyFacts[report.method].title;
    case 'sensitivity':
      return sensitivityFacts[report.method].study;
    case 'design':
      return `What to measure next${report.method === 'c' ? '' : `, by ${report.method}`}`;
    case 'comparison':
      return 'Models of the same data';
  }
}

/** More than these are in the table alone. */
const mostProfiles = 12;
const mostBars = 20;

/** What is needed to run it again. */
function ranText({ seed, device, precision, milliseconds, finishedAt, cancelled }: StudyReport): string {
  const ended = cancelled ? 'stopped' : 'ended';
  return `Seed ${seed}, ${device} ${precision}, ${ended} ${finishedAt} after ${Math.round(milliseconds)} ms.`;
}

/** `looks`: how the document has the blocks look that are studied. */
export function ranSections(reports: readonly StudyReport[], looks: Looks): string[] {
  return reports.map((report) => section(nameOf(report), paragraph(ranText(report)), ...partsOf(report, looks)));
}

function partsOf(report: StudyReport, looks: Looks): string[] {
  switch (report.kind) {
    case 'uncertainty':
      return uncertaintyParts(report, looks);
    case 'sensitivity':
      return sensitivityParts(report);
    case 'design':
      return designParts(report, looks);
    case 'comparison':
      return comparisonParts(report);
  }
}

function comparisonParts({ models, nested, warnings }: ComparisonReport): string[] {
  const head = ['model', 'status', 'parameters', 'objective', 'AICc', 'ΔAICc', 'weight', 'BIC', elpdLooFact.title, ''];
  const rows = models.map(({ name, status, parameters, objective, aicc, delta, weight, bic, elpdLoo, same }) => [
    ...[name, status, parameters, objective, aicc, delta, weight, bic, elpdLoo],
    same === undefined ? undefined : `the same as ${same}`,
  ]);
  const tests = nested.map(({ small, large, test, p }) => [small, large, test, p]);
  return [
    table(head, rows),
    ...(tests.length > 0 ? [table(['a case', 'of', 'test', 'p'], tests)] : []),
    ...models.flatMap(({ name, withoutLoo }) =>
      withoutLoo === undefined ? [] : [paragraph(`${name} has no ${elpdLooFact.noun}: ${withoutLoo}`)],
    ),
    ...warnings.map(paragraph),
  ];
}

function designParts({ method, of, now, points, curves }: DesignReport, looks: Looks): string[] {
  const columns = [...new Set(points.flatMap(({ x }) => Object.keys(x)))];
  const what = { D: 'log det of the information', A: 'trace of the covariance', c: `standard error of ${of}` }[method];
  const rows = points.map(({ x, after }, i) => [
    `${i + 1} more`,
    ...columns.map((column) => (typeof x[column] === 'string' ? { html: escapeXml(x[column]) } : x[column])),
    after,
  ]);
  return [
    table(['', ...columns, what], [['now', ...columns.map(() => undefined), now], ...rows]),
    ...curves.map(({ of: block, group, column, x, after }) =>
      figure(
        studyCurve({ of: block, x, y: after, names: { x: column, y: what } }, alongPlot(looks(block) ?? {})),
        `${what} after one more observation for ${block}${group === undefined ? '' : `, ${group}`}`,
      ),
    ),
  ];
}

function uncertaintyParts(
  { parameters, quantities = [], level, profiles = [], warnings }: UncertaintyReport,
  looks: Looks,
): string[] {
  const percent = `${Number((100 * level).toPrecision(6))} %`;
  const rows = parameters.map(({ name, value, lower, upper, verdict }) => [
    name,
    ...within(lower, upper, value, lower, upper),
    verdictWord(verdict),
    verdict.reason,
  ]);
  return [
    table(['parameter', 'value', `lower ${percent}`, `upper ${percent}`, 'verdict', 'because'], rows),
    ...(quantities.length === 0
      ? []
      : [
          table(
            ['quantity', 'value', 'standard error', `lower ${percent}`, `upper ${percent}`, 'verdict', 'because'],
            quantities.map(({ name, value, standardError, lower, upper, verdict }) => {
              const [at, ...ends] = within(lower, upper, value, lower, upper);
              return [name, at, standardError, ...ends, verdictWord(verdict), verdict.reason];
            }),
          ),
        ]),
    ...warnings.map(paragraph),
    ...profiles.slice(0, mostProfiles).map(({ name, values, roots }) => {
      const of = [...parameters, ...quantities].find((row) => row.name === name)?.block ?? name;
      const curve = { of, x: values, y: roots.map((root) => root * root), names: { x: name, y: '−2 Δlog L' } };
      return figure(studyCurve(curve, looks(of)), `Profile of ${name}, all others fitted again`);
    }),
  ];
}

function sensitivityParts(report: SensitivityReport): string[] {
  const { method, of, indices, failed, runs } = report;
  const { study, ranksBy } = sensitivityFacts[method];
  const keys = [...new Set(indices.flatMap(({ figures }) => Object.keys(figures)))];
  const intervals = keys.filter((key) => key.endsWith(intervalEnding));
  // Of an array there is a figure for each of its rows.
  const figuresOf = keys.filter((key) => !intervals.includes(key));
  const overRows = figuresOf.some((key) => indices.some(({ figures }) => typeof figures[key] === 'object'));
  const rows = indices.map(({ name, figures }) => [
    name,
    ...figuresOf.map((key) => (figures[key] === undefined ? undefined : strength(figures[key]))),
    ...intervals.map((key) => {
      const [low = NaN, high = NaN] = (figures[key] as readonly number[] | undefined) ?? [];
      return { html: escapeXml(`${Number(low.toPrecision(3))} to ${Number(high.toPrecision(3))}`) };
    }),
  ]);
  const ranked = indices
    .flatMap(({ name, figures }) => {
      const value = strength(figures[ranksBy]);
      return Number.isFinite(value) ? [[name, value] as const] : [];
    })
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .slice(0, mostBars);
  return [
    figure(barsSvg(ranked, `${study} of ${of}`), `${figureTitle(ranksBy)} of ${of}`),
    table(['parameter', ...[...figuresOf, ...intervals].map(headingOf)], rows),
    paragraph(overRows ? 'Each figure is the root of the mean square over the rows, with the sign of the mean.' : ''),
    paragraph(saidOfBounds(report)),
    paragraph(drawnText(report)),
    paragraph(failed > 0 ? `${failed} of ${runs} runs failed and enter no index.` : ''),
  ];
}

/** How many points were drawn, and how; empty where none were. */
function drawnText({ method, samples, runs, asked }: SensitivityReport): string {
  const { sampled } = sensitivityFacts[method] as SensitivityFacts;
  if (sampled === undefined) return '';
  const drawn = asked && (asked.logUniform ? 'evenly in its logarithm where its scale is log, else evenly' : 'evenly');
  const how = drawn ? `, each parameter that has no prior drawn ${drawn} between its bounds` : '';
  return `${samples} ${sampled}, ${runs} runs${how}.`;
}

/** `STInterval` is the interval of `ST`. */
function headingOf(key: string): string {
  return key.endsWith(intervalEnding) ? `${figureTitle(key.slice(0, -intervalEnding.length))}, 95 %` : figureTitle(key);
}
