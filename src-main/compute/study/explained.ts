/**
 * How much of what was observed a fit explains, of an objective that is one comparison with data:
 *
 *   least squares       R² = 1 − Σ w·(y − f)²/Σ w·(y − ȳ)²,   ȳ by the weights (1/σ² for known sigma)
 *   Poisson, binomial   1 − log L/log L₀ with L₀ of one mean for all rows (McFadden 1974, Conditional logit analysis of
 *                       qualitative choice behavior)
 *
 * as R's lm with an intercept and glm with its null model. A robust loss and other families have neither.
 */
import type { Model } from '../../../models/load/model.ts';
import { termsOf, measuredBy, type Measured, type Term } from '../fit/measured.ts';
import type { ParameterValues } from '../running/run.ts';
import { Refused } from '../../refused.ts';

/** Empty where there is no such figure, or no room on the CPU to form it. */
export async function explainedBy(
  model: Model,
  parameters: ParameterValues,
  logLikelihood: number | undefined,
): Promise<Record<string, number>> {
  try {
    const [term, ...others] = termsOf(model);
    if (!term || others.length > 0 || !isExplained(term)) return {};
    const ports = (await measuredBy(model, parameters)).get(term.id) ?? new Map<string, Measured>();
    const rows = rowsOf(term, ports);
    if (rows.length < 2) return {};
    if (term.block.kind === 'least-squares') return told('rSquared', rSquared(rows));
    return told('pseudoRSquared', logLikelihood === undefined ? NaN : ofLikelihood(term, rows, logLikelihood));
  } catch (error) {
    if (error instanceof Refused) return {};
    throw error;
  }
}

const told = (key: string, value: number): Record<string, number> => (Number.isFinite(value) ? { [key]: value } : {});

function isExplained({ block }: Term): boolean {
  if (block.kind === 'least-squares') return block.loss === undefined;
  const whole = block.censored === undefined && block.truncated === undefined;
  return whole && (block.family === 'poisson' || block.family === 'binomial');
}

/** What is observed, what the model says there, and the row's weight or trials. */
interface Row {
  readonly y: number;
  readonly fitted: number;
  readonly weight: number;
}

/** Those that are observed; none where rows do not go together one by one. */
function rowsOf({ block }: Term, ports: ReadonlyMap<string, Measured>): Row[] {
  const argument = (name: string): ((row: number) => number) | undefined => {
    const values = ports.get(name)?.values;
    const written = (block as Readonly<Record<string, unknown>>)[name];
    if (!values) return typeof written === 'number' ? () => written : undefined;
    if (values.length !== 1 && values.length !== observed.length) return undefined;
    return (row) => values[values.length === 1 ? 0 : row]!;
  };
  const observed = ports.get('observed')?.values ?? new Float64Array();
  const fitted = argument('prediction') ?? argument('mean') ?? argument('probability');
  const sigma = argument('sigma');
  // Weights are relative, and 1/σ² of 10²⁰⁰ is no number.
  const least = sigma ? [...observed.keys()].reduce((most, row) => Math.min(most, sigma(row)), Infinity) : NaN;
  const weight =
    argument('weights') ?? argument('trials') ?? (sigma ? (row: number) => (least / sigma(row)) ** 2 : () => 1);
  if (!fitted) return [];
  return [...observed].flatMap((y, row) => (Number.isNaN(y) ? [] : [{ y, fitted: fitted(row), weight: weight(row) }]));
}

const sum = (rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);

function rSquared(rows: readonly Row[]): number {
  const mean = sum(rows, ({ y, weight }) => weight * y) / sum(rows, ({ weight }) => weight);
  const largest = rows.reduce((most, { y }) => Math.max(most, Math.abs(y - mean)), 0);
  const about = (centre: (row: Row) => number): number =>
    sum(rows, (row) => row.weight * ((row.y - centre(row)) / largest) ** 2);
  return 1 - about(({ fitted }) => fitted) / about(() => mean);
}

/** log L₀ differs from log L by what the means differ in. */
function ofLikelihood({ block }: Term, rows: readonly Row[], logLikelihood: number): number {
  const times = (count: number, log: number): number => (count === 0 ? 0 : count * log);
  if (block.kind === 'likelihood' && block.family === 'poisson') {
    const mean = sum(rows, ({ y }) => y) / rows.length;
    const lost = sum(rows, ({ y, fitted }) => times(y, Math.log(mean / fitted)) - (mean - fitted));
    return 1 - logLikelihood / (logLikelihood + lost);
  }
  const share = sum(rows, ({ y }) => y) / sum(rows, ({ weight }) => weight);
  const lost = sum(
    rows,
    ({ y, fitted, weight }) =>
      times(y, Math.log(share / fitted)) + times(weight - y, Math.log1p(-share) - Math.log1p(-fitted)),
  );
  return 1 - logLikelihood / (logLikelihood + lost);
}
