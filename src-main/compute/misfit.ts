/**
 * Where a fit misses a shape: the residuals of each comparison, in the order of its abscissa, tested for runs of one sign. And
 * whether it misses observations by many of the errors that these are known with.
 */
import { type Device, missedShape } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import type { FitReport } from '../contract/contract.ts';
import { short } from '../contract/ties.ts';
import type { Misfit } from '../contract/verdicts.ts';
import { fittedValues } from './fit/fitted.ts';
import { residualsAt, type ResidualGroup, type Residuals } from './plots/residuals.ts';
import type { ParameterValues } from './running/run.ts';
import { Refused } from '../refused.ts';

/** Of so many rows residuals are looked at one by one; of more they would fill the memory. */
const mostRows = 2e7;

/** The report with where the fit misses a shape, if it converged and does. */
export async function withMisfits(model: Model, device: Device, report: FitReport): Promise<FitReport> {
  if (report.status !== 'converged') return report;
  if ([...model.tables.values()].some(({ rows }) => rows > mostRows))
    return { ...report, warnings: [...(report.warnings ?? []), unlooked] };
  const comparisons = await comparisonsAt(model, device, fittedValues(report));
  const misfits = misfitsOf(comparisons);
  const doubts = [report.doubt, ...comparisons.map((each) => beyondErrors(model, each))].filter(
    (each) => each !== undefined,
  );
  return {
    ...report,
    ...(misfits.length > 0 && { misfits }),
    ...(doubts.length > 0 && { doubt: doubts.join('; ') }),
  };
}

const unlooked = `whether a shape is missed was not looked at: there are more than ${mostRows.toLocaleString('en')} rows`;

/** Empty where there are none, or where the run meets a fault. */
async function comparisonsAt(model: Model, device: Device, parameters: ParameterValues): Promise<Residuals[]> {
  try {
    return await residualsAt(model, device, parameters);
  } catch (error) {
    if (error instanceof Refused) return [];
    throw error;
  }
}

/** Empty where the residuals look like noise. */
const misfitsOf = (comparisons: readonly Residuals[]): Misfit[] =>
  comparisons.flatMap(({ of, x, groups, least }): Misfit[] => {
    if (groups.every(({ residuals }) => residuals.every((r) => Math.abs(r) < least))) return [];
    const tested = groups.map(together);
    const found = missedShape(tested.map(({ residuals }) => residuals));
    if (!found) return [];
    const ranges = found.runs.map(({ group, from, to }) => ({
      key: tested[group]?.key ?? null,
      from: tested[group]?.xAt(from) ?? NaN,
      to: tested[group]?.xAt(to) ?? NaN,
    }));
    return [{ of, p: found.p, x: x.label, unit: x.unit, ranges }];
  });

/** Of its known standard error: of 10⁸ observations with normal errors one in five such sets has a residual so large. */
const farOut = 6;

/** What no noise does, where the noise is known: of least squares with a sigma, whose loss takes every residual as it is. */
function beyondErrors(model: Model, { of, x, groups }: Residuals): string | undefined {
  const block = model.blocks.get(of)?.node.block;
  if (block?.kind !== 'least-squares' || block.sigma === undefined || block.loss !== undefined) return undefined;
  let [rows, beyond, most, where] = [0, 0, 0, ''];
  for (const { key, xAt, residuals } of groups) {
    rows += residuals.length;
    for (let i = 0; i < residuals.length; i++) {
      const size = Math.abs(residuals[i]!);
      if (size > farOut) beyond++;
      if (size <= most) continue;
      most = size;
      where = `${x.label} = ${short(xAt(i))}${x.unit && ` ${x.unit}`}${key === null ? '' : ` (${key})`}`;
    }
  }
  if (beyond === 0) return undefined;
  return (
    `${beyond} of ${rows} residuals ${beyond === 1 ? 'is' : 'are'} larger than ${farOut} of the standard errors that are given, at ${where} ` +
    `${short(most)} of them: an observation, the model or these errors are wrong, and with them the errors of parameters`
  );
}

/** The variance from which a count lies above what is expected about as often as below it. */
const evenVariance = 4;

/**
 * Neighbouring counts as one, Σ(y − expected)/√Σσ², as many as have that variance together, at the mean of their x. What is left over
 * at the end goes with the last; a group in which all together vary less has none.
 */
function together(group: ResidualGroup): ResidualGroup {
  const { key, xAt, residuals, deviations } = group;
  if (!deviations) return group;
  const found: { beyond: number; variance: number; x: number; rows: number }[] = [];
  for (const [i, deviation] of deviations.entries()) {
    const last = found.at(-1);
    const one = last && last.variance < evenVariance ? last : { beyond: 0, variance: 0, x: 0, rows: 0 };
    if (one !== last) found.push(one);
    one.beyond += residuals[i]! * deviation;
    one.variance += deviation ** 2;
    one.x += xAt(i);
    one.rows += 1;
  }
  const rest = found.at(-1);
  if (rest && rest.variance < evenVariance) {
    found.pop();
    const last = found.at(-1);
    if (last) for (const each of ['beyond', 'variance', 'x', 'rows'] as const) last[each] += rest[each];
  }
  return {
    key,
    xAt: (i) => (found[i]?.x ?? NaN) / (found[i]?.rows ?? NaN),
    residuals: Float64Array.from(found, ({ beyond, variance }) => beyond / Math.sqrt(variance)),
  };
}
