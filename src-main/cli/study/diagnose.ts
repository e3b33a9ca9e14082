/** `diagnose`: how observations lie about a fitted model with random effects. */
import { fitModel } from '../../compute/fit/fit.ts';
import { fitOf } from '../../compute/fit/fitted.ts';
import { effectDiagnostics, type Diagnosed } from '../../compute/plots/effect-diagnostics.ts';
import { readFit } from '../../files/documents.ts';
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
}

export async function diagnose(path: string, options: DiagnoseOptions): Promise<void> {
  const stored = await readFit(path);
  const { samples, seed, level } = options;
  const { fit, found } = await withModel(path, options, async (model, device) => {
    try {
      const fit = fitOf(model, stored) ?? (await fitModel(model, device, { parameters: {} }));
      return { fit, found: await effectDiagnostics(model, device, fit, { samples, seed, level }) };
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
      ...(fit.random && { random: randomJson(fit.random) }),
    });
  else for (const each of found) print(each);
}

function print({ of, individualResiduals, conditionalResiduals, predictionErrors, check = [] }: Diagnosed): void {
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
