/** The contract on blocks `quantity`: their intervals against closed forms, and against models of which they are parameters. */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/index.ts';
import { uncertaintyJson } from '../../src-main/cli/output/uncertainty-output.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import { uncertainty } from '../../src-main/compute/study/uncertainty.ts';
import type { UncertaintyRequest } from '../../src-main/contract/studies.ts';
import {
  column,
  constant,
  cotangent,
  documentOf,
  fitJson,
  map,
  parameter,
  quietJson,
  refusal,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

interface Row {
  readonly value: number;
  readonly lower: number | string | null;
  readonly upper: number | string | null;
  readonly standardError: number | null;
  readonly verdict: { readonly status: string; readonly reason: string };
}
interface Study {
  readonly parameters: Record<string, Row>;
  readonly quantities: Record<string, Row>;
}

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

/** What the command prints, without a process of its own. */
async function studied(document: PlainBlock, method: UncertaintyRequest['method'], samples?: number): Promise<Study> {
  const model = demandModel(await load(document, undefined));
  const request = { kind: 'uncertainty' as const, method, samples };
  const report = await uncertainty(model, device, request, { parameters: {} });
  return JSON.parse(JSON.stringify(uncertaintyJson(report))) as Study;
}

const quantity = (id: string, formula: string, more: PlainBlock = {}): PlainBlock => ({
  ...{ id, kind: 'quantity', formula },
  ...more,
});
const squares: PlainBlock = { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' };
const fitted = (...blocks: readonly PlainBlock[]): PlainBlock => documentOf(blocks, { objective: 'l' });

/** Puromycin, of R's datasets (treated). */
const conc = [0.02, 0.02, 0.06, 0.06, 0.11, 0.11, 0.22, 0.22, 0.56, 0.56, 1.1, 1.1];
const rate = [76, 47, 97, 107, 123, 139, 159, 152, 191, 201, 207, 200];
const puromycin = [constant('x', conc), constant('y', rate)];

/** Michaelis and Menten's curve by V and K, and by V/K and the rate at 0.5. */
const michaelis = (loss: PlainBlock): PlainBlock =>
  fitted(
    ...[...puromycin, parameter('V', 200), parameter('K', 0.05), map('m', 'V*x/(K + x)'), loss],
    ...[quantity('slope', 'V/K'), quantity('at', 'V*0.5/(K + 0.5)')],
  );
const otherwise = (loss: PlainBlock): PlainBlock =>
  fitted(
    ...[...puromycin, parameter('slope', 3300), parameter('at', 190), map('k', '0.5*at/(0.5*slope - at)')],
    ...[map('m', 'slope*k*x/(k + x)'), loss, quantity('K', 'k'), quantity('V', 'b*k', { inputs: { b: 'slope' } })],
  );

const near = (found: unknown, wanted: unknown): void =>
  expect(Math.abs(Number(found) / Number(wanted) - 1)).toBeLessThan(1e-6);

describe('a quantity is what a parameter in its place would be', () => {
  it.each<[string, PlainBlock]>([
    ['least squares', squares],
    ['a known sigma', { ...squares, sigma: 9 }],
    ['a robust loss', { ...squares, loss: { kind: 'huber', scale: 8 } }],
    ['a likelihood', { id: 'l', kind: 'likelihood', family: 'normal', mean: 'm', sigma: 9, observed: 'y' }],
  ])('%s', async (_, loss) => {
    for (const method of ['covariance', 'profile'] as const) {
      const [a, b] = [await studied(michaelis(loss), method), await studied(otherwise(loss), method)];
      for (const [left, right] of [
        [a.quantities, b.parameters],
        [b.quantities, a.parameters],
      ] as const)
        for (const [id, row] of Object.entries(left))
          for (const key of ['value', 'lower', 'upper'] as const) near(row[key], right[id]?.[key]);
    }
  });

  it('on the command line, as R has it', async () => {
    const path = written(michaelis(squares));
    const study = await quietJson<Study>(['uncertainty', path, '--method', 'covariance']);
    const { slope } = study.quantities;
    // car::deltaMethod(nls(y ~ V*x/(K + x)), "V/K"), R 4.2
    expect(slope?.standardError).toBeCloseTo(352.444, 2);
    const { quantities } = await fitJson<{ quantities: Record<string, unknown> }>([path]);
    expect(quantities['slope']).toEqual({
      ...{ value: slope?.value, standardError: slope?.standardError, lower95: slope?.lower, upper95: slope?.upper },
    });
  });
});

it('reaches to where like terms have changed places, as the parameter does', async () => {
  const x = Array.from({ length: 24 }, (_, i) => 0.25 * (i + 1));
  const wobble = (i: number): number => 0.3 * Math.sin(12.9898 * (i + 1)) * Math.cos(4.1414 * i);
  const y = x.map((t, i) => 5 * Math.exp(-2 * t) + 3 * Math.exp(-0.4 * t) + wobble(i));
  const { parameters, quantities } = await studied(
    fitted(
      ...[constant('x', x), constant('y', y), parameter('A', 5), parameter('a', 2), parameter('B', 3)],
      ...[parameter('b', 0.4), map('m', 'A*exp(-a*x) + B*exp(-b*x)'), squares, quantity('slow', 'B + 0*a')],
    ),
    'profile',
  );
  // One term alone ends at 4.43 as the slow one and begins at 3.96 as the fast one: no value between is excluded.
  near(quantities['slow']?.lower, parameters['B']?.lower);
  near(quantities['slow']?.upper, parameters['B']?.upper);
  near(parameters['B']?.lower, parameters['A']?.lower);
  near(parameters['B']?.upper, parameters['A']?.upper);
  expect(Number(parameters['B']?.upper)).toBeGreaterThan(6.5);
});

const xs = [0, 1, 2, 3, 4];
const ys = [1.1, 2.9, 5.2, 6.8, 9.1];
const lineOf = (observed: readonly number[], ...quantities: readonly PlainBlock[]): PlainBlock =>
  fitted(
    ...[constant('x', xs), constant('y', observed), parameter('a', 0.5), parameter('k', 1), map('m', 'a + k*x')],
    ...[squares, ...quantities],
  );

describe('of a straight line', () => {
  // a = 1.04, k = 1.99, s² = 0.107/3, C = s²/50·[[30, −10], [−10, 5]]
  const [a, k, s2, t] = [1.04, 1.99, 0.107 / 3, 3.182446305284263];
  const [vaa, vak, vkk] = [(s2 * 30) / 50, (-s2 * 10) / 50, (s2 * 5) / 50];

  it('by covariance: the delta method', async () => {
    const { quantities } = await studied(lineOf(ys, quantity('q', '-a/k')), 'covariance');
    const [ga, gk] = [-1 / k, a / k ** 2];
    const error = Math.sqrt(ga * ga * vaa + 2 * ga * gk * vak + gk * gk * vkk);
    near(quantities['q']?.value, -a / k);
    near(quantities['q']?.standardError, error);
    near(quantities['q']?.lower, -a / k - t * error);
    near(quantities['q']?.upper, -a / k + t * error);
  });

  it('by profile: Fieller’s theorem', async () => {
    const { quantities } = await studied(lineOf(ys, quantity('q', '-a/k')), 'profile');
    // (a + k·q)² = t²·(vaa + 2q·vak + q²·vkk)
    const [A, B, C] = [k * k - t * t * vkk, 2 * (a * k - t * t * vak), a * a - t * t * vaa];
    const root = Math.sqrt(B * B - 4 * A * C);
    near(quantities['q']?.lower, (-B - root) / (2 * A));
    near(quantities['q']?.upper, (-B + root) / (2 * A));
  });

  it('by profile where Fieller’s set goes on through infinity', async () => {
    const shifted = ys.map((y) => y - 0.95);
    const { quantities } = await studied(lineOf(shifted, quantity('q', 'k/a')), 'profile');
    // The set of q with (k − q·a)² ≤ t²·(vkk − 2q·vak + q²·vaa), which goes on through ∞: q̂ lies above its greater root.
    const b = a - 0.95;
    const [A, B, C] = [b * b - t * t * vaa, -2 * (k * b - t * t * vak), k * k - t * t * vkk];
    expect(A).toBeLessThan(0);
    near(quantities['q']?.lower, (-B - Math.sqrt(B * B - 4 * A * C)) / (2 * A));
  });

  it.each(['bootstrap', 'hmc'] as const)('by %s: a monotone quantity has the transformed ends', async (method) => {
    const document = lineOf(ys, quantity('q', 'exp(k)'), quantity('again', 'q + 1'));
    const { parameters, quantities } = await studied(document, method, 200);
    for (const end of ['lower', 'upper'] as const) {
      // Quantiles between two draws are interpolated before and after the transformation.
      const transformed = Math.exp(Number(parameters['k']?.[end]));
      expect(Math.abs(Number(quantities['q']?.[end]) / transformed - 1)).toBeLessThan(2e-3);
      expect(Number(quantities['again']?.[end])).toBeCloseTo(Number(quantities['q']?.[end]) + 1, 9);
    }
    expect(quantities['q']?.standardError).toBeGreaterThan(0);
  });
});

describe('what is known of it where parameters are not', () => {
  const product = fitted(
    ...[constant('x', xs), constant('y', ys), parameter('a', 2), parameter('b', 1.5), parameter('z', 1)],
    ...[map('m', 'a*b*x'), squares, quantity('slope', 'a*b'), quantity('ratio', 'a/b'), quantity('other', 'slope*z')],
  );

  it.each(['covariance', 'profile'] as const)('by %s a product is determined, its factors are not', async (method) => {
    const { quantities } = await studied(product, method);
    const slope = xs.reduce((sum, x, i) => sum + x * ys[i]!, 0) / 30;
    const ssr = ys.reduce((sum, y, i) => sum + (y - slope * xs[i]!) ** 2, 0);
    near(quantities['slope']?.value, slope);
    // Of 5 rows the data see one direction, as R's lm of x alone.
    near(quantities['slope']?.standardError, Math.sqrt(ssr / 4 / 30));
    expect(quantities['ratio']?.verdict.status).toBe('none');
    // Both are of one sign.
    if (method === 'profile') expect(quantities['ratio']?.lower).toBe(0);
    expect(quantities['other']).toMatchObject({ lower: null, upper: null, standardError: null });
    expect(quantities['other']?.verdict.reason).toBe(
      'not determined: it depends on z, which the objective does not read',
    );
  });

  it('ends where its range does', async () => {
    const document = fitted(
      ...[constant('x', xs), constant('y', [0.1, -0.05, 0.12, -0.02, 0]), parameter('p', -3), map('m', '0*x + exp(p)')],
      ...[squares, quantity('q', 'exp(p)'), quantity('r', '1/(1 + exp(p))')],
    );
    const { quantities } = await studied(document, 'profile');
    expect(Number(quantities['q']?.lower)).toBeCloseTo(0, 6);
    expect(Number(quantities['r']?.upper)).toBeCloseTo(1, 6);
    near(quantities['r']?.lower, 1 / (1 + Number(quantities['q']?.upper)));
    expect(quantities['q']?.verdict).toMatchObject({ status: 'one-sided' });
  });
});

it('is an array over a parameter that is one, in a group too', async () => {
  const inner = [
    ...[parameter('k', 1, { like: 'g' }), quantity('half', 'log(2)/k')],
    ...[{ id: 'm', kind: 'gather', from: 'k', indices: 'g' }],
  ];
  const blocks = [
    ...[column('g', { type: 'category' }), column('y')],
    { id: 'all', kind: 'group', inputs: { g: 'g' }, blocks: inner, outputs: { m: 'm', half: 'half' } },
    { ...squares, prediction: 'all.m' },
  ];
  const tables = { T: { columns: { g: ['u', 'u', 'v', 'v'], y: [1, 1.2, 3, 3.4] } } };
  const document = documentOf(blocks, { objective: 'l', tables });
  const printed = await cotangent('evaluate', written(document), '--output', 'all.half', '--json');
  expect(JSON.parse(printed.stdout)).toMatchObject({ values: { 'all.half': [Math.log(2), Math.log(2)] } });
  const { quantities } = await studied(document, 'covariance');
  const [u, v] = (quantities['all/half'] as unknown as { value: number[] }).value;
  near(u, Math.log(2) / 1.1);
  near(v, Math.log(2) / 3.2);
});

it.each<[string, PlainBlock, RegExp]>([
  ['an array of data', quantity('q', 'x + 1'), /"q".*wants parameters and scalars, and "x" is real \[5\]/],
  ['what is true or false', quantity('q', 'a > 0'), /"q".*wants a number/],
  ['no formula', { id: 'q', kind: 'quantity' }, /"q".*"formula" is missing/],
])('refuses %s', async (_, block, says) => {
  expect(await refusal(lineOf(ys, block))).toMatch(says);
});
