/**
 * `diagnose --covariates`: score tests against those of a normal likelihood in closed form, its derivatives by differences, and
 * beside the likelihood ratio of a fit with the covariate.
 */
import { expect, it } from 'vitest';
import {
  documentOf,
  fitJson,
  json,
  map,
  parameter,
  refusal,
  written,
  type PlainBlock,
} from '../../support/command-line.ts';

const groups = 12;
const each = 4;
const rows = Array.from({ length: groups * each }, (_, i) => [Math.floor(i / each), i % each] as const);
const bend = (i: number): number => Math.sin(12.9898 * (i + 1)) * 1.3;
const weights = Array.from({ length: groups }, (_, g) => 60 + ((g * 7) % 25));
const y = rows.map(([g, i], row) => 2 + 0.5 * i + 0.06 * (weights[g]! - 70) + 0.8 * bend(g + 40) + 0.5 * bend(row));
const columns = {
  ...{
    y,
    t: rows.map(([, i]) => i),
    subject: rows.map(([g]) => `s${g}`),
    weight: rows.map(([g]) => weights[g]!),
  },
  ...{ arm: rows.map(([g]) => ['a', 'b', 'c'][g % 3]!), same: rows.map(() => 1) },
};
const types: Readonly<Record<string, string>> = { subject: 'category', arm: 'category' };

const model = (mean: string, more: readonly PlainBlock[] = []): PlainBlock =>
  documentOf(
    [
      ...Object.keys(columns).map((id) => ({ id, kind: 'column', table: 'd', column: id, type: types[id] ?? 'real' })),
      ...[
        { id: 'u', kind: 'random-effect', like: 'subject' },
        { id: 'b', kind: 'gather', from: 'u', indices: 'subject' },
      ],
      ...[parameter('a', 1), parameter('s', 0.1), parameter('sigma', 1, { scale: 'log' }), map('m', mean), ...more],
      { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma' },
    ],
    { tables: { d: { columns } }, objective: 'l' },
  );

/** −log L by (a, s, log sd, log sigma, β…): each group's V = sd²·11ᵀ + sigma²·I has its inverse and determinant in closed form. */
function minusLogLikelihood(z: readonly (readonly number[])[], at: readonly number[]): number {
  const [a = 0, s = 0, logSd = 0, logSigma = 0, ...beta] = at;
  const [between, within] = [Math.exp(2 * logSd), Math.exp(2 * logSigma)];
  let total = 0;
  for (let g = 0; g < groups; g++) {
    const shift = beta.reduce((sum, each, k) => sum + each * z[k]![g]!, 0);
    const r = Array.from({ length: each }, (_, i) => y[g * each + i]! - a - s * i - shift);
    const [sum, squares] = [r.reduce((x, q) => x + q, 0), r.reduce((x, q) => x + q * q, 0)];
    const whole = within + each * between;
    total += (each * Math.log(2 * Math.PI) + (each - 1) * Math.log(within) + Math.log(whole)) / 2;
    total += (squares - (between / whole) * sum * sum) / within / 2;
  }
  return total;
}

/** S and −V⁻¹·s of β, by differences of fourth order. */
function scored(z: readonly (readonly number[])[], fitted: readonly number[]) {
  const at = [...fitted, ...z.map(() => 0)];
  const h = 1e-3;
  const f = (moves: readonly (readonly [number, number])[]): number => {
    const point = [...at];
    for (const [j, d] of moves) point[j] = point[j]! + d;
    return minusLogLikelihood(z, point);
  };
  const d1 = (of: (d: number) => number): number => (8 * (of(h) - of(-h)) - (of(2 * h) - of(-2 * h))) / (12 * h);
  const gradient = at.map((_, j) => d1((d) => f([[j, d]])));
  const hessian = at.map((_, i) =>
    at.map((__, j) =>
      d1((d) =>
        d1((e) =>
          f([
            [i, d],
            [j, e],
          ]),
        ),
      ),
    ),
  );
  // (0, s) = H·x: with θ where its gradient is 0, x of β is V⁻¹·s.
  const m = hessian.map((row, i) => [...row, i < fitted.length ? 0 : gradient[i]!]);
  for (let k = 0; k < m.length; k++)
    for (let i = 0; i < m.length; i++) {
      if (i === k) continue;
      const share = m[i]![k]! / m[k]![k]!;
      m[i]!.forEach((_, j) => (m[i]![j]! -= share * m[k]![j]!));
    }
  const step = m.map((row, k) => row.at(-1)! / row[k]!).slice(fitted.length);
  return {
    statistic: step.reduce((sum, x, k) => sum + x * gradient[fitted.length + k]!, 0),
    estimates: step.map((x) => -x),
  };
}

interface Screened {
  readonly effect: string;
  readonly covariate: string;
  readonly statistic: number;
  readonly degrees: number;
  readonly pValue: number;
  readonly fall: number;
  readonly unknown?: string;
  readonly estimates: readonly { readonly label?: string; readonly value: number }[];
}
interface Fit {
  readonly objective: number;
  readonly parameters: Readonly<Record<string, { readonly value: number }>>;
}

it('covariates of an effect have the score tests of the closed form', async () => {
  const path = written(model('a + s*t + b'));
  const { parameters, objective } = await fitJson<Fit>([path]);
  const at = (id: string): number => parameters[id]?.value ?? NaN;
  const fitted = [at('a'), at('s'), Math.log(at('u.sd.b')), Math.log(at('sigma'))];
  const { covariates } = (await json('diagnose', path, '--samples', '2', '--covariates', 'arm,weight')) as {
    covariates: readonly Screened[];
  };
  expect(covariates.map(({ covariate, effect, degrees }) => [covariate, effect, degrees])).toEqual([
    ['weight', 'u.b', 1],
    ['arm', 'u.b', 2],
  ]);
  const [weight, arm] = covariates as [Screened, Screened];
  const mean = weights.reduce((sum, w) => sum + w, 0) / groups;
  const byWeight = scored([weights.map((w) => (w - mean) / 10)], fitted);
  expect(weight.statistic).toBeCloseTo(byWeight.statistic, 4);
  expect(weight.estimates[0]?.value).toBeCloseTo(byWeight.estimates[0]! / 10, 5);
  const byArm = scored(
    [1, 2].map((k) => weights.map((_, g) => Number(g % 3 === k))),
    fitted,
  );
  expect(arm.statistic).toBeCloseTo(byArm.statistic, 4);
  expect(arm.estimates.map(({ label }) => label)).toEqual(['b', 'c']);
  arm.estimates.forEach(({ value }, k) => expect(value).toBeCloseTo(byArm.estimates[k]!, 4));
  // What a fit with it says too: 3.84 is passed by one degree, 5.99 not by two.
  const ratio = async (mean: string, more: PlainBlock[]): Promise<number> =>
    2 * (objective - (await fitJson<Fit>([written(model(mean, more))])).objective);
  const ofWeight = await ratio('a + s*t + b + k*(weight - 70)', [parameter('k', 0)]);
  expect(ofWeight).toBeGreaterThan(3.84);
  expect(weight.fall).toBeGreaterThan(0.7 * ofWeight);
  expect(weight.fall).toBeLessThan(ofWeight + 1e-6);
  expect(weight.pValue).toBeLessThan(0.05);
  const byLabel = [parameter('k', 0), parameter('q', 0)];
  expect(await ratio('a + s*t + b + k*if(arm == 1, 1, 0) + q*if(arm == 2, 1, 0)', byLabel)).toBeLessThan(5.99);
  expect(arm.pValue).toBeGreaterThan(0.05);
});

it('what tells nothing apart, or is no data, is refused', async () => {
  const refused = async (covariate: string): Promise<string> =>
    refusal(model('a + s*t + b'), {}, ['diagnose', '--samples', '2', '--covariates', covariate]);
  expect(await refused('same')).toContain('"same" is 1 everywhere');
  expect(await refused('m')).toContain('"m" is no column of data');
});

it('a covariate that the model has already is said to be had', async () => {
  const path = written(model('a + s*t + b + k*(weight - 70)', [parameter('k', 0)]));
  const { covariates } = (await json('diagnose', path, '--samples', '2', '--covariates', 'weight,arm')) as {
    covariates: readonly Screened[];
  };
  const [arm, weight] = covariates as [Screened, Screened];
  expect([arm.covariate, weight.covariate]).toEqual(['arm', 'weight']);
  expect(weight.unknown).toBe('the model has it already, or what makes up for it');
  expect([weight.statistic, weight.pValue, weight.fall]).toEqual(['NaN', 'NaN', 'NaN']);
  expect(arm.fall).toBeGreaterThan(0);
});
