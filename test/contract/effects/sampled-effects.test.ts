/**
 * Chains of a document with random effects: of eight schools (Rubin 1981), whose posterior has a funnel, against the integrals
 * of its closed form; and the effects told, whatever is moved in their place.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { standardEffects } from '../../../models/lower/standard-effects.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import { sampledModel } from '../../../src-main/compute/study/sampled-effects.ts';
import { uncertainty } from '../../../src-main/compute/study/uncertainty.ts';
import { documentOf, map, parameter, type PlainBlock } from '../../support/command-line.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

const column = (id: string, type = 'real'): PlainBlock => ({ id, kind: 'column', table: 't', column: id, type });

/** Effects of coaching and their standard errors; the latter divided by what is said. */
function schools(divided: number): PlainBlock {
  const y = [28, 8, -3, 7, -1, 1, 18, 12];
  const error = [15, 10, 16, 11, 9, 11, 10, 18].map((each) => each / divided);
  return documentOf(
    [
      ...[column('y'), column('error'), column('school', 'category'), parameter('mu', 5)],
      { id: 'u', kind: 'random-effect', like: 'school', sd: 5 },
      ...[{ id: 'b', kind: 'gather', from: 'u', indices: 'school' }, map('m', 'mu + b')],
      { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 'error' },
    ],
    { tables: { t: { columns: { y, error, school: y.map((_, i) => 'ABCDEFGH'.charAt(i)) } } }, objective: 'l' },
  );
}

const modelOf = async (document: PlainBlock) => demandModel(await load(document, undefined));
const none = { parameters: {} };

describe('eight schools', () => {
  it('have the quantiles of their posterior, and no divergence', async () => {
    const request = { kind: 'uncertainty', method: 'hmc' } as const;
    const { parameters, draws, diagnostics } = await uncertainty(await modelOf(schools(1)), device, request, none);
    expect(diagnostics).toMatchObject({ divergences: 0, deepestTrajectories: 0 });
    expect(diagnostics['largestRHat']).toBeLessThan(1.02);
    const rows = new Map(parameters.map(({ name, figures }) => [name, figures as Readonly<Record<string, number>>]));
    expect([...rows.keys()]).toEqual(['mu', 'u.sd.b', ...Array.from({ length: 8 }, (_, j) => `u.b[${j}]`)]);
    // By integrals over the deviation, flat from 0 on, on a grid of 120,001 points.
    const moments = {
      mu: [7.932, 5.178],
      'u.b[0]': [3.468, 7.511],
      'u.b[2]': [-1.802, 6.983],
      'u.b[6]': [2.734, 6.326],
    };
    for (const [name, [mean = NaN, deviation = NaN]] of Object.entries(moments)) {
      const { essBulk = NaN, ...of } = rows.get(name) ?? {};
      expect(Math.abs((of['mean'] ?? NaN) - mean), name).toBeLessThan((4 * deviation) / Math.sqrt(essBulk));
      expect(Math.abs((of['standardDeviation'] ?? NaN) / deviation - 1), name).toBeLessThan(0.1);
    }
    const chains = draws?.find(({ name }) => name === 'u.sd.b')?.chains ?? [];
    const tau = chains.flatMap((chain) => [...chain]);
    const below = (limit: number): number => tau.filter((each) => each < limit).length / tau.length;
    const { essTail = NaN } = rows.get('u.sd.b') ?? {};
    for (const [share, quantile] of [
      [0.025, 0.2418],
      [0.25, 2.4664],
      [0.5, 5.2378],
      [0.75, 9.1242],
      [0.975, 20.7517],
    ] as const)
      expect(Math.abs(below(quantile) - share), String(share)).toBeLessThan(
        4 * Math.sqrt((share * (1 - share)) / essTail),
      );
  });

  it('are moved themselves where their data say nearly all', async () => {
    expect([...standardEffects(await sampledModel(await modelOf(schools(1)), none)).keys()]).toEqual(['u.b']);
    expect([...standardEffects(await sampledModel(await modelOf(schools(100)), none)).keys()]).toEqual([]);
  });
});
