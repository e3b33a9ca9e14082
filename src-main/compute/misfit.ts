/** Where a fit misses a shape: the residuals of each comparison, in the order of its abscissa, tested for runs of one sign. */
import { type Device, missedShape } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import type { FitReport } from '../contract/contract.ts';
import type { Misfit } from '../contract/verdicts.ts';
import { fittedValues } from './fit/fitted.ts';
import { residualsAt } from './plots/residuals.ts';
import type { ParameterValues } from './running/run.ts';
import { Refused } from '../refused.ts';

/** The report with where the fit misses a shape, if it converged and does. */
export async function withMisfits(model: Model, device: Device, report: FitReport): Promise<FitReport> {
  if (report.status !== 'converged') return report;
  const misfits = await misfitsAt(model, device, fittedValues(report));
  return misfits.length === 0 ? report : { ...report, misfits };
}

/** Empty where the residuals look like noise, or where there are none. */
async function misfitsAt(model: Model, device: Device, parameters: ParameterValues): Promise<Misfit[]> {
  try {
    const comparisons = await residualsAt(model, device, parameters);
    return comparisons.flatMap(({ of, x, groups, least }): Misfit[] => {
      if (groups.every(({ residuals }) => residuals.every((r) => Math.abs(r) < least))) return [];
      const found = missedShape(groups.map(({ residuals }) => residuals));
      if (!found) return [];
      const ranges = found.runs.map(({ group, from, to }) => ({
        key: groups[group]?.key ?? null,
        from: groups[group]?.xAt(from) ?? NaN,
        to: groups[group]?.xAt(to) ?? NaN,
      }));
      return [{ of, p: found.p, x: x.label, unit: x.unit, ranges }];
    });
  } catch (error) {
    if (error instanceof Refused) return [];
    throw error;
  }
}
