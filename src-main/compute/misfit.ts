/** Where a fit misses a shape: the residuals of each comparison, in the order of its abscissa, tested for runs of one sign. */
import { type Device, missedShape } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import type { FitReport } from '../contract/contract.ts';
import type { Misfit } from '../contract/verdicts.ts';
import { fittedValues } from './fit/fitted.ts';
import { residualsAt, type ResidualGroup } from './plots/residuals.ts';
import type { ParameterValues } from './running/run.ts';
import { Refused } from '../refused.ts';

/** Of so many rows residuals are looked at one by one; of more they would fill the memory. */
const mostRows = 2e7;

/** The report with where the fit misses a shape, if it converged and does. */
export async function withMisfits(model: Model, device: Device, report: FitReport): Promise<FitReport> {
  if (report.status !== 'converged') return report;
  if ([...model.tables.values()].some(({ rows }) => rows > mostRows))
    return { ...report, warnings: [...(report.warnings ?? []), unlooked] };
  const misfits = await misfitsAt(model, device, fittedValues(report));
  return misfits.length === 0 ? report : { ...report, misfits };
}

const unlooked = `whether a shape is missed was not looked at: there are more than ${mostRows.toLocaleString('en')} rows`;

/** Empty where the residuals look like noise, or where there are none. */
async function misfitsAt(model: Model, device: Device, parameters: ParameterValues): Promise<Misfit[]> {
  try {
    const comparisons = await residualsAt(model, device, parameters);
    return comparisons.flatMap(({ of, x, groups, least }): Misfit[] => {
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
  } catch (error) {
    if (error instanceof Refused) return [];
    throw error;
  }
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
