/** A fit that lies at a bound of a parameter: what replicates and chains say of it. */
import { describe, expect, it } from 'vitest';
import { constant, documentOf, map, parameter, quietJson, written, type PlainBlock } from '../support/command-line.ts';

interface Row {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly verdict: { readonly status: string; readonly reason: string };
}
interface Study {
  readonly parameters: Readonly<Record<string, Row>>;
  readonly warnings: readonly string[];
}

const y = [-0.3, 0.1, -0.5, 0.2, -0.4, -0.1];
const meanOf = (bounds: PlainBlock): string =>
  written(
    documentOf(
      [
        ...[
          constant('y', y),
          parameter('m', 1, bounds),
          constant(
            'ones',
            y.map(() => 1),
          ),
          map('mu', 'm*ones'),
        ],
        { id: 'l', kind: 'least-squares', prediction: 'mu', observed: 'y' },
      ],
      { objective: 'l' },
    ),
  );
const study = (path: string, method: string) => quietJson<Study>(['uncertainty', path, '--method', method]);

describe('replicates', () => {
  it('that end there bound the interval, and not the data', async () => {
    const { m } = (await study(meanOf({ lower: 0 }), 'bootstrap')).parameters;
    expect(m).toMatchObject({ value: 0, lower: 0 });
    expect(m!.verdict).toEqual({
      status: 'one-sided',
      reason: 'not excluded down to its lower bound 0: only the other end comes from the data',
    });
  });

  it('that end at an upper bound too', async () => {
    const { m } = (await study(meanOf({ initial: -1, upper: -0.2 }), 'bootstrap')).parameters;
    expect(m!.upper).toBe(-0.2);
    expect(m!.verdict).toEqual({
      status: 'one-sided',
      reason: 'not excluded up to its upper bound -0.2: only the other end comes from the data',
    });
  });

  it('that end at both say nothing', async () => {
    const { m } = (await study(meanOf({ initial: -0.15, lower: -0.2, upper: -0.1 }), 'bootstrap')).parameters;
    expect(m).toMatchObject({ lower: -0.2, upper: -0.1, verdict: { status: 'none' } });
    expect(m!.verdict.reason).toBe('not determined: no value within its bounds is excluded');
  });
});

describe('chains', () => {
  it('that come to the bound find the mode there', async () => {
    const { parameters, warnings } = await study(meanOf({ lower: 0 }), 'hmc');
    expect(warnings).toEqual([]);
    // The density of m ≥ 0 is as (SSR(m))^(−6/2), whose mode is 0.
    expect(parameters['m']!.value).toBe(0);
    const density = (m: number): number => y.reduce((sum, each) => sum + (each - m) ** 2, 0) ** -3;
    const grid = Array.from({ length: 200_000 }, (_, i) => (i + 0.5) / 20_000);
    const whole = grid.reduce((sum, m) => sum + density(m), 0);
    let below = 0;
    const upper = grid.find((m) => (below += density(m)) >= 0.975 * whole)!;
    expect(parameters['m']!.upper / upper).toBeGreaterThan(0.93);
    expect(parameters['m']!.upper / upper).toBeLessThan(1.07);
  });

  it('that stay away from it have found another', async () => {
    // One in 10⁸ within a few times 10⁻⁴ of 0, all else about 5: the fit from 10⁻⁵ ends at the bound.
    const prior = { family: 'uniform', lower: 0, upper: 10 };
    const narrow = written(
      documentOf(
        [
          parameter('m', 1e-5, { lower: 0, prior }),
          map('l', '-log(1e-8*1e4*exp(-1e4*m) + 1/(0.1*sqrt(2*pi))*exp(-(m - 5)^2/0.02))'),
        ],
        { objective: 'l' },
      ),
    );
    const { parameters, warnings } = await study(narrow, 'hmc');
    expect(warnings[0]).toMatch(/^the fit before the chains lies outside all that they have drawn/);
    expect(parameters['m']!.value).toBeCloseTo(5, 1);
  });

  it('of a scale that is 0, or a share, or neighbours that are tied, find it there too', async () => {
    const least = (prediction: string): PlainBlock => ({ id: 'l', kind: 'least-squares', prediction, observed: 'y' });
    const documents = [
      [
        ...[constant('x', [0, 1, 2, 3, 4, 5]), constant('y', [1, 1.2, 0.9, 1.1, 0.8, 1.05]), parameter('a', 1)],
        ...[parameter('b', 0.1, { support: 'positive' }), map('m', 'a + b*x'), least('m')],
      ],
      [constant('y', [0.7, 0.5, -0.1]), parameter('q', [0.3, 0.3, 0.4], { support: 'simplex' }), least('q')],
      [
        ...[constant('y', [1, 1.3, 0.9, 1.2, 0.8, 1.2]), constant('k', [0, 0, 0, 0, 1, 1], 'int')],
        ...[parameter('m', [0.5, 1.5], { support: 'ordered' }), { id: 'mu', kind: 'gather', from: 'm', indices: 'k' }],
        least('mu'),
      ],
    ];
    for (const blocks of documents) {
      const { warnings } = await study(written(documentOf(blocks, { objective: 'l' })), 'hmc');
      expect(warnings.filter((warning) => warning.includes('lies outside all'))).toEqual([]);
    }
  });
});
