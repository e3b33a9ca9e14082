/** `diagnose`: how observations lie about a fitted model with random effects. */
import { fitModel } from '../../compute/fit/fit.ts';
import { fitOf } from '../../compute/fit/fitted.ts';
import { effectDiagnostics, type Diagnosed } from '../../compute/plots/effect-diagnostics.ts';
import { withoutValueText } from '../../compute/plots/effect-plots.ts';
import { screenedCovariates, type ScreenedCovariate } from '../../compute/study/covariate-screen.ts';
import { readFit } from '../../files/documents.ts';
import { documentFolder } from '../../files/locations.ts';
import { exitStatus } from '../failure.ts';
import { withModel } from '../model.ts';
import type { ModelOptions } from '../options.ts';
import { randomJson } from '../output/fit-output.ts';
import { printColumns, printJson, shown } from '../output/output.ts';
import { asRefused } from '../../compute/running/refusals.ts';

interface DiagnoseOptions extends ModelOptions {
  readonly samples: number;
  readonly seed: number;
  readonly level: number;
  readonly covariates?: readonly string[];
}

export async function diagnose(path: string, options: DiagnoseOptions): Promise<void> {
  const stored = await readFit(path);
  const { samples, seed, level, covariates = [] } = options;
  const { fit, found, screened } = await withModel(path, options, async (model, device) => {
    try {
      const fit = fitOf(model, stored) ?? (await fitModel(model, device, { parameters: {} }));
      const found = await effectDiagnostics(model, device, fit, { samples, seed, level });
      const screened = await screenedCovariates(model, fit, covariates, documentFolder(path));
      return { fit, found, screened };
    } catch (error) {
      throw asRefused(error);
    }
  });
  if (fit.status !== 'converged') process.exitCode = exitStatus.notConverged;
  if (options.json)
    printJson({
      status: fit.status,
      reason: fit.reason,
      samples,
      seed,
      level,
      blocks: found,
      ...(covariates.length > 0 && { covariates: screened }),
      ...(fit.random && { random: randomJson(fit.random) }),
    });
  else {
    for (const each of found) print(each, samples);
    if (screened.length > 0) printScreened(screened);
  }
}

function printScreened(screened: readonly ScreenedCovariate[]): void {
  printColumns(
    [
      ['covariate', 'of', 'score χ²', 'degrees', 'p', '−2 log L falls by', 'about'],
      ...screened.map(({ covariate, effect, statistic, degrees, pValue, fall, estimates, unknown }) => [
        ...[covariate, effect, shown(statistic), String(degrees), shown(pValue), shown(fall)],
        unknown ??
          estimates.map(({ label, value }) => `${label === undefined ? '' : `${label} `}${shown(value)}`).join(', '),
      ]),
    ],
    new Set([2, 3, 4, 5]),
  );
}

function print(found: Diagnosed, samples: number): void {
  const { of, individualResiduals, conditionalResiduals, predictionErrors, check = [], withoutValue } = found;
  const rows = [
    ['individual residuals', individualResiduals],
    ['conditional residuals (CWRES)', conditionalResiduals],
    ['prediction errors (NPDE)', predictionErrors],
  ] as const;
  process.stdout.write(`${of}\n`);
  printColumns(
    [
      ['', 'mean', 'standard deviation'],
      ...rows.flatMap(([name, values]) => (values ? [[name, ...figures(values)]] : [])),
    ],
    new Set([1, 2]),
  );
  if (withoutValue !== undefined) process.stdout.write(`${withoutValueText(withoutValue, samples)}\n`);
  if (check.length === 0) return;
  const shares = check[0]?.quantiles.map(({ share }) => share) ?? [];
  printColumns(
    [
      ['at', 'rows', ...shares.flatMap((share) => [`${100 * share} % observed`, 'drawn'])],
      ...check.map(({ x, count, quantiles }) => [
        shown(x),
        String(count),
        ...quantiles.flatMap(({ observed, lower, upper }) => [shown(observed), `${shown(lower)} … ${shown(upper)}`]),
      ]),
    ],
    new Set(shares.flatMap((_, i) => [2 * i + 2, 2 * i + 3]).concat([0, 1])),
  );
}

function figures(values: readonly number[]): string[] {
  const known = values.filter(Number.isFinite);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (known.length - 1);
  return [shown(mean), shown(Math.sqrt(variance))];
}
