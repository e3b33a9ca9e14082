/** Priors that depend on other blocks, each family against its density in SciPy, and what a fit says of a hierarchy. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  documentOf,
  expectClose,
  fitJson,
  json,
  map,
  parameter,
  written,
  type PlainBlock,
} from '../../support/command-line.ts';

interface Fit {
  readonly posterior: number;
  readonly parameters: Readonly<Record<string, { readonly value: number | number[] }>>;
  readonly warnings?: string[];
}

const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI);

describe('−log p of a prior is what SciPy has', () => {
  // scipy.stats: -halfnorm.logpdf(0.7, scale=2), -invgamma.logpdf(0.7, 2.5, scale=1.5) and so on.
  it.each<[string, PlainBlock, number]>([
    ['half-normal', { family: 'half-normal', sd: 2 }, 0.9801885332046727],
    ['half-cauchy', { family: 'half-cauchy', scale: 2 }, 1.2602882264836723],
    ['student-t', { family: 'student-t', location: -1, scale: 2, degrees: 3.5 }, 2.10486567452946],
    ['inverse-gamma', { family: 'inverse-gamma', shape: 2.5, scale: 1.5 }, 0.165514939274088],
    ['laplace', { family: 'laplace', location: -1, scale: 2 }, 2.2362943611198904],
    ['normal', { family: 'normal', mean: -1, sd: 2 }, 1.9733357137646181],
    ['gamma', { family: 'gamma', shape: 2.5, rate: 1.5 }, 0.8560325161106068],
    ['beta', { family: 'beta', alpha: 2.5, beta: 1.5 }, -0.4908600183193146],
    ['uniform', { family: 'uniform', lower: -1, upper: 2 }, 1.0986122886681098],
  ])('%s, its arguments as numbers and as references', async (_, prior, wanted) => {
    const entries = Object.entries(prior).filter(([key]) => key !== 'family');
    const wired = { family: prior['family'], ...Object.fromEntries(entries.map(([key]) => [key, `the_${key}`])) };
    for (const each of [prior, wired]) {
      const blocks = [
        ...entries.map(([key, value]) => constant(`the_${key}`, value as number)),
        // Held where the density is known; m is all that a fit may move, and is best at 2.
        parameter('x', 0.7, { prior: each, fixed: true }),
        parameter('m', 1),
        { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 1 },
        constant('y', 2),
        map('sum', 'l + 0*x'),
      ];
      const { posterior } = await fitJson<Fit>([written(documentOf(blocks, { objective: 'sum' }))]);
      expectClose(posterior, wanted + halfLogTwoPi, 1e-10);
    }
  });
});

describe('a hierarchy', () => {
  const y = [1.2, -0.4, 2.9];
  const blocks = (tau: PlainBlock): PlainBlock[] => [
    constant('y', y),
    parameter('tau', 1.5, { prior: { family: 'half-normal', sd: 1 }, ...tau }),
    parameter('u', [0, 0, 0], { prior: { family: 'normal', mean: 0, sd: 'tau' } }),
    { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'u', sigma: 1 },
  ];
  const path = (tau: PlainBlock): string => written(documentOf(blocks(tau), { objective: 'l' }));

  it('of a known scale shrinks each effect by its share, without a warning', async () => {
    const { parameters, warnings } = await fitJson<Fit>([path({ fixed: true })]);
    expectClose(
      parameters['u']?.value,
      y.map((each) => (each * 1.5 ** 2) / (1.5 ** 2 + 1)),
      1e-8,
    );
    expect(warnings).toBeUndefined();
  });

  it('whose scale is estimated has the joint posterior, and a word of its bias', async () => {
    const { parameters, posterior, warnings } = await fitJson<Fit>([path({ lower: 0.5 })]);
    const [tau, u] = [parameters['tau']?.value as number, parameters['u']?.value as number[]];
    const wanted =
      u.reduce((sum, each, i) => sum + 0.5 * (y[i]! - each) ** 2 + 0.5 * (each / tau) ** 2 + Math.log(tau), 0) +
      6 * halfLogTwoPi +
      0.5 * tau ** 2 +
      0.5 * Math.log(Math.PI / 2);
    expectClose(posterior, wanted, 1e-9);
    expect(warnings?.[0]).toMatch(/"u": the prior depends on "tau", which is estimated as well: .*joint mode.*hmc/);
    const { warnings: checked } = (await json('check', path({ lower: 0.5 }))) as { warnings: string[] };
    expect(checked.join('\n')).toMatch(/joint mode/);
  });

  it('that is written as a likelihood of the effects is told too', async () => {
    const asLikelihood = [
      constant('y', y),
      constant('zero', [0, 0, 0]),
      parameter('tau', 1, { lower: 0.5 }),
      parameter('u', [0, 0, 0]),
      { id: 'effects', kind: 'likelihood', family: 'normal', observed: 'zero', mean: 'u', sigma: 'tau' },
      { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'u', sigma: 1 },
    ];
    const { warnings } = await fitJson<Fit>([written(documentOf(asLikelihood, { objective: ['l', 'effects'] }))]);
    expect(warnings).toHaveLength(1);
    expect(warnings?.[0]).toMatch(/"effects": it is a distribution of "u".*joint mode/);
  });
});
