/**
 * Reference posteriors of posteriordb: means and standard deviations within four Monte Carlo standard errors, R-hat below
 * 1.01, by default settings. A few of each kind; `SWEEP=long` takes all but `diamonds`, whose data are too large to keep
 * here, and prints effective draws of each gradient.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/5-runtime/cpu/cpu-device.ts';
import { mixingOf, momentsOf, monteCarloErrors } from '../../engine/7-study/chains/diagnostics.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import { uncertainty } from '../../src-main/compute/study/uncertainty.ts';
import { models, type Data, type PosteriorModel } from './models.ts';

const folder = join(import.meta.dirname, 'data');
const device = cpuDevice();
afterAll(() => device.close());

const long = process.env['SWEEP'] === 'long';
const ordinary = [
  'arK-arK',
  'kidiq-kidscore_momhs',
  'mesquite-logmesquite_logvas',
  'one_comp_mm_elim_abs-one_comp_mm_elim_abs',
  'sblrc-blr',
];

/**
 * Along K_m, V_m → ∞ at one ratio elimination is linear, the likelihood a constant, and the Cauchy priors leave a density
 * that falls as K⁻³: there is no variance, and so no Monte Carlo standard error either by which draws could be judged.
 */
const withoutVariance = new Set(['K_m', 'V_m']);

interface Reference {
  readonly model: string;
  readonly data: string;
  readonly parameters: Readonly<Record<string, Readonly<Record<'mean' | 'sd' | 'mcseMean' | 'mcseSd', number>>>>;
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const posteriors = readdirSync(folder)
  .flatMap((name) => (name.endsWith('.reference.json') ? [name.replace('.reference.json', '')] : []))
  .filter((name) => long || ordinary.includes(name));

async function sampled({ document }: PosteriorModel) {
  const model = demandModel(await load(document, undefined));
  return uncertainty(model, device, { kind: 'uncertainty', method: 'hmc' }, { parameters: {} });
}

type Sampled = Awaited<ReturnType<typeof sampled>>;

/** The chains of what Stan calls so. */
function chainsOf({ quantities }: PosteriorModel, { draws = [] }: Sampled, name: string): Float64Array[] {
  const byName = new Map(draws.map(({ name, chains }) => [name, chains]));
  const quantity = quantities[name];
  if (quantity === undefined) throw new Error(`nothing is said of ${name}`);
  if (typeof quantity === 'string') return [...(byName.get(quantity) ?? [])];
  return (draws[0]?.chains ?? []).map((chain, c) =>
    chain.map((_, k) => quantity((element) => byName.get(element)![c]![k]!)),
  );
}

describe('posteriordb', () => {
  it.each(posteriors)('%s', async (posterior) => {
    const { model, data, parameters } = read(`${posterior}.reference.json`) as Reference;
    const written = (models[model] as (data: Data) => PosteriorModel)(read(`${data}.data.json`) as Data);
    const report = await sampled(written);
    const sizes: number[] = [];
    for (const [name, reference] of Object.entries(parameters)) {
      const chains = chainsOf(written, report, name);
      const { rHat, essBulk, essTail } = mixingOf(chains);
      sizes.push(essBulk, essTail);
      expect(rHat, name).toBeLessThan(1.01);
      if (withoutVariance.has(name)) continue;
      const errors = monteCarloErrors(chains);
      const { mean, deviation } = momentsOf(chains);
      expect(Math.abs(mean - reference.mean), `mean of ${name}`).toBeLessThan(
        4 * Math.hypot(errors.mean, reference.mcseMean),
      );
      expect(Math.abs(deviation - reference.sd), `standard deviation of ${name}`).toBeLessThan(
        4 * Math.hypot(errors.standardDeviation, reference.mcseSd),
      );
    }
    if (long) {
      const { gradients = NaN, warmupGradients = NaN, divergences } = report.diagnostics;
      const least = Math.min(...sizes);
      process.stdout.write(
        `${posterior}: least ESS ${Math.round(least)}, gradients ${gradients} + ${warmupGradients} of warm-up, ESS/gradient ${(least / gradients).toFixed(3)} (${(least / (gradients + warmupGradients)).toFixed(3)} with it), divergences ${divergences}, ${Math.round(report.milliseconds)} ms, fit ${report.fit.status}\n`,
      );
    }
  });
});
