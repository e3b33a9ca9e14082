/**
 * Coverage: of data sets drawn from a model, the share whose 95 % interval has the true parameter in it, by each method.
 *
 *   COVERAGE=2000 METHODS=covariance,profile npx vitest run test/calibration -t Poisson
 *
 * prints a line for each parameter: `docs/uncertainty.md` has the table. `SAMPLES` says how many replicates or draws are taken of
 * each, and how many `CHAINS`. The test run takes few data sets of two designs.
 */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/5-runtime/cpu/cpu-device.ts';
import { partSeed, randomFrom } from '../../engine/6-fit/ensembles/random.ts';
import { uncertainty } from '../../src-main/compute/study/uncertainty.ts';
import type { UncertaintyRequest } from '../../src-main/contract/studies.ts';
import { namesOf, uncertaintyFacts } from '../../models/facts/methods.ts';
import { model } from '../support/documents.ts';
import { designs, type Design } from './designs.ts';
import { remembering } from './remembering.ts';

type Method = UncertaintyRequest['method'];

const device = remembering(cpuDevice());
afterAll(() => device.close());

const count = Number(process.env['COVERAGE'] ?? 0);
const from = Number(process.env['FIRST'] ?? 0);
const asked = process.env['METHODS']?.split(',');
const [samples, chains] = [process.env['SAMPLES'], process.env['CHAINS']].map((text) => text && Number(text));
const methods =
  count > 0
    ? namesOf(uncertaintyFacts).filter((method) => !asked || asked.includes(method))
    : ['covariance' as const, 'profile' as const];

interface Counted {
  inside: number;
  /** Data sets without an interval: the fit did not converge, or one end is not known. */
  without: number;
  of: number;
}

/** The interval's ends of one data set by parameter; none where the fit has not converged. */
async function intervalsOf({ blocks, priors = {}, x, draw }: Design, method: Method, seed: number) {
  const random = randomFrom(partSeed(0, seed));
  const y = x.map((each, row) => draw(each, random, row));
  const column = (id: string) => ({ id, kind: 'column', table: 'T', column: id, type: 'real' });
  const said = blocks.map((block) => {
    const prior = method === 'hmc' ? priors[block['id'] as string] : undefined;
    return { ...block, ...(prior && { prior }) };
  });
  const drawn = await model([column('x'), column('y'), ...said], {
    tables: { T: { columns: { x, y } } },
    objective: 'loss',
  });
  const effort = { ...(samples && { samples }), ...(chains && { chains }) };
  const request = { kind: 'uncertainty', method, seed, ...effort } as const;
  const found = await uncertainty(drawn, device, request, { parameters: {} });
  return new Map(found.parameters.map(({ name, lower, upper }) => [name, { lower, upper }]));
}

async function covered(design: Design, method: Method, seeds: readonly number[]): Promise<Map<string, Counted>> {
  const counts = new Map(Object.keys(design.truth).map((name) => [name, { inside: 0, without: 0, of: 0 }]));
  for (const seed of seeds) {
    const intervals = await intervalsOf(design, method, seed);
    for (const [name, counted] of counts) {
      const { lower = NaN, upper = NaN } = intervals.get(name) ?? {};
      const truth = design.truth[name]!;
      counted.of += 1;
      if (Number.isNaN(lower) || Number.isNaN(upper)) counted.without += 1;
      else if (lower <= truth && truth <= upper) counted.inside += 1;
    }
  }
  return counts;
}

const seedsOf = (many: number): number[] => Array.from({ length: many }, (_, i) => 1 + from + i);

if (count > 0)
  for (const [name, design] of Object.entries(designs))
    for (const method of methods)
      it(
        `${name}, ${method}`,
        async () => {
          for (const [parameter, { inside, without, of }] of await covered(design, method, seedsOf(count)))
            console.log(
              `coverage | ${name} | ${method} | ${parameter} | ${inside} of ${of - without} | without ${without}`,
            );
        },
        // As long as it takes.
        1e9,
      );
else
  it.each(['a line through 5 points', 'Poisson regression, 15 counts'])(
    '%s: as often as nineteen times in twenty, within chance',
    async (name) => {
      for (const method of methods)
        for (const [parameter, { inside, of }] of await covered(designs[name]!, method, seedsOf(24)))
          // Binomial of 24 at 0.95: mean 22.8, standard deviation 1.1.
          expect(inside, `${method}, ${parameter} of ${of}`).toBeGreaterThanOrEqual(19);
    },
    600_000,
  );

it('chains under a robust loss spread as its covariance says', async () => {
  // Of the loss as it stands twice and three times as far.
  const design = designs['huber, a tenth far off, 30 points']!;
  const byCovariance = await intervalsOf(design, 'covariance', 3);
  for (const [name, { lower, upper }] of await intervalsOf(design, 'hmc', 3)) {
    const linear = byCovariance.get(name) as { lower: number; upper: number };
    const ratio = (upper - lower) / (linear.upper - linear.lower);
    expect(ratio, name).toBeGreaterThan(0.75);
    expect(ratio, name).toBeLessThan(1.3);
  }
});
