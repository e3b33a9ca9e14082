/**
 * Chains calibrated by simulation (Talts et al. 2018, arXiv:1804.06788): parameters drawn from the prior, data from the
 * parameters, and the rank of each true value among thinned draws of its posterior is uniform if, and only if, the chains
 * sample that posterior. Ranks are counted in bins and held to χ² at 1 in 1000, and so is their mean, which sees a shift.
 */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { randomFrom, type Random } from '../../../../engine/6-fit/ensembles/random.ts';
import { fit } from '../../../../engine/6-fit/fit.ts';
import type { FitParameter } from '../../../../engine/6-fit/problem.ts';
import { uncertainty } from '../../../../engine/7-study/uncertainty/study.ts';
import { densityProblem, scalarParameter } from '../../../support/study-problems.ts';

const device = cpuDevice();
afterAll(() => device.close());

const replicates = 36;
const draws = 60;
const thinning = 3;
const bins = 6;
/** χ² of 5 degrees of freedom is larger once in a thousand. */
const threshold = 20.5;
/** And the size of a standard normal variable. */
const shift = 3.29;

interface Simulated {
  readonly truth: readonly number[];
  readonly data: readonly number[];
}

interface Case {
  /** −log of prior times likelihood, over the parameters and the data y0, y1, …. */
  readonly formula: string;
  readonly parameters: readonly FitParameter[];
  readonly simulate: (random: Random) => Simulated;
}

const sum = (count: number, term: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => term(i)).join(' + ');
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** By inversion. */
function poisson(mean: number, random: Random): number {
  let left = random.uniform();
  let share = Math.exp(-mean);
  let count = 0;
  for (; left > share && count < 10_000; count++) {
    left -= share;
    share *= mean / (count + 1);
  }
  return count;
}

const places = [-1, -0.5, 0, 0.5, 1];
const cases: Record<string, Case> = {
  'a mean, the variance known': {
    formula: `m^2/2 + ${sum(4, (i) => `(m - y${i})^2/2`)}`,
    parameters: [scalarParameter('m', 0)],
    simulate(random) {
      const m = random.normal();
      return { truth: [m], data: times(4, () => m + random.normal()) };
    },
  },
  'a mean and a standard deviation, both unknown, one on a log scale': {
    // s is log-normal(0, 1): log s + (log s)²/2.
    formula: `m^2/2 + log(s) + log(s)^2/2 + ${sum(2, (i) => `log(s) + (m - y${i})^2/(2*s^2)`)}`,
    parameters: [scalarParameter('m', 0), scalarParameter('s', 1, { lower: [0], scale: 'log' })],
    simulate(random) {
      const m = random.normal();
      const s = Math.exp(random.normal());
      return { truth: [m, s], data: times(2, () => m + s * random.normal()) };
    },
  },
  'a Poisson regression': {
    formula: `a^2/2 + b^2/2 + ${sum(5, (i) => `exp(a + ${places[i]}*b) - y${i}*(a + ${places[i]}*b)`)}`,
    parameters: [scalarParameter('a', 0), scalarParameter('b', 0)],
    simulate(random) {
      const [a, b] = [random.normal(), random.normal()];
      return { truth: [a, b], data: places.map((x) => poisson(Math.exp(a + b * x), random)) };
    },
  },
};

it.each(Object.entries(cases))('%s', async (_, { formula, parameters, simulate }) => {
  const random = randomFrom(7);
  const counts = parameters.map(() => new Array<number>(bins).fill(0));
  const ranks = parameters.map(() => 0);
  for (let k = 0; k < replicates; k++) {
    const { truth, data } = simulate(random);
    const given = data.map((value, i) => scalarParameter(`y${i}`, value, { fixed: true }));
    const problem = densityProblem(formula, [...parameters, ...given]);
    const fitted = await fit(problem, device, { maxIterations: 100 });
    const density = { program: problem.program, result: 'f', support: new Map<string, readonly [number, number]>() };
    const options = { level: 0.95, seed: k, samples: draws, comparable: true };
    const found = await uncertainty(problem, { ...fitted, status: 'converged' }, density, device, 'hmc', options);
    truth.forEach((value, j) => {
      const thinned = (found.draws?.[j] ?? []).flatMap((chain) => [...chain].filter((_, t) => t % thinning === 0));
      // A rank among L draws has L + 1 values: as many bins share them evenly where one draw is left out.
      const rank = thinned.slice(1).filter((draw) => draw < value).length;
      const bin = counts[j]!;
      bin[Math.floor((rank * bins) / thinned.length)]! += 1;
      ranks[j]! += (rank + 0.5) / thinned.length;
    });
  }
  const expected = replicates / bins;
  for (const bin of counts) {
    const chiSquare = bin.reduce((total, count) => total + (count - expected) ** 2 / expected, 0);
    expect(chiSquare, bin.join(' ')).toBeLessThan(threshold);
  }
  for (const total of ranks)
    expect(Math.abs(total / replicates - 0.5) * Math.sqrt(12 * replicates)).toBeLessThan(shift);
});
