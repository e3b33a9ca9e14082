/** Profiles of likelihoods and squares whose slope jumps, against others found exactly: weighted medians, and linear fits by the place of a break. */
import { afterAll, describe, expect, it } from 'vitest';
import studentQuantile from '@stdlib/stats-base-dists-t-quantile';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { randomFrom } from '../../../../engine/6-fit/ensembles/random.ts';
import { uncertainty } from '../../../../src-main/compute/study/uncertainty.ts';
import { model } from '../../../support/documents.ts';

const device = cpuDevice();
afterAll(() => device.close());

type Profile = (held: number) => number;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Where a profile that falls to the fit and rises from there meets a level, between two values. */
function met(profile: Profile, level: number, inside: number, outside: number): number {
  let [within, without] = [inside, outside];
  for (let k = 0; k < 80; k++) {
    const middle = (within + without) / 2;
    if (profile(middle) > level) without = middle;
    else within = middle;
  }
  return within;
}

const columns = ['x', 'y'].map((id) => ({ id, kind: 'column', table: 'T', column: id }));
const free = (id: string, initial: number, more = {}) => ({ id, kind: 'parameter', initial, ...more });

describe('profiles of absolute errors', () => {
  /** −log L of a + b·x with a scale that is the mean of |y − a − b·x|, least over the other. */
  const likelihood = (rows: number, least: number) => rows * Math.log((2 * least) / rows) + rows;
  /** min over c of Σ|vᵢ − c·wᵢ|: a median of vᵢ/wᵢ that is weighted by |wᵢ|. */
  function leastOf(v: readonly number[], w: readonly number[]): number {
    const half = sum(w.map(Math.abs)) / 2;
    let before = 0;
    const at = v
      .map((value, i) => ({ ratio: value / w[i]!, weight: Math.abs(w[i]!) }))
      .sort((one, other) => one.ratio - other.ratio)
      .find(({ weight }) => (before += weight) >= half)!.ratio;
    return sum(v.map((value, i) => Math.abs(value - at * w[i]!)));
  }

  it.each([
    [12, 1],
    [60, 2],
  ])('of %d rows, %d', async (rows, seed) => {
    const random = randomFrom(100 + seed);
    const x = Array.from({ length: rows }, () => 4 * random.uniform() - 2);
    const laplace = () => (random.uniform() < 0.5 ? -1 : 1) * Math.log(1 - random.uniform()) * 0.4;
    const y = x.map((t) => 1 + 2 * t + laplace());
    const one = x.map(() => 1);
    const profiles: Record<string, Profile> = {
      a: (a) =>
        likelihood(
          rows,
          leastOf(
            y.map((value) => value - a),
            x,
          ),
        ),
      b: (b) =>
        likelihood(
          rows,
          leastOf(
            y.map((value, i) => value - b * x[i]!),
            one,
          ),
        ),
    };
    const document = await model(
      [
        ...columns,
        ...[free('a', 0), free('b', 0), free('s', 1, { lower: 0 })],
        { id: 'mu', kind: 'map', formula: 'a + b*x' },
        { id: 'loss', kind: 'likelihood', family: 'laplace', observed: 'y', location: 'mu', scale: 's' },
        ...['a', 'b'].map((id) => ({ id: `q_${id}`, kind: 'quantity', formula: `0 + ${id}` })),
      ],
      { tables: { T: { columns: { x, y } } }, objective: 'loss' },
    );
    const found = await uncertainty(
      document,
      device,
      { kind: 'uncertainty', method: 'profile', seed: 1 },
      { parameters: {} },
    );
    const level = found.fit.objective + 1.959963984540054 ** 2 / 2;
    for (const { name, value, lower, upper } of [...found.parameters.slice(0, 2), ...(found.quantities ?? [])]) {
      const profile = profiles[name.slice(-1)]!;
      expect(profile(value), `the fit of ${name}`).toBeCloseTo(found.fit.objective, 8);
      const width = upper - lower;
      const [below, above] = [
        met(profile, level, value, value - 3 * width),
        met(profile, level, value, value + 3 * width),
      ];
      expect(Math.abs(lower - below) / width, `${name} from ${lower} for ${below}`).toBeLessThan(1e-3);
      expect(Math.abs(upper - above) / width, `${name} to ${upper} for ${above}`).toBeLessThan(1e-3);
    }
  });
});

describe('profiles of a line that breaks', () => {
  const x = Array.from({ length: 16 }, (_, i) => i);
  /** The least Σr² over what is linear: by normal equations of columns that are scaled alike. */
  function squares(y: readonly number[], basis: readonly (readonly number[])[]): number {
    let rest = y.slice();
    const done: number[][] = [];
    for (const column of basis) {
      let q = column.slice();
      for (const other of [...done, ...done]) {
        const share = sum(q.map((value, i) => value * other[i]!));
        q = q.map((value, i) => value - share * other[i]!);
      }
      const length = Math.sqrt(sum(q.map((value) => value * value)));
      if (!(length > 1e-9)) continue;
      q = q.map((value) => value / length);
      done.push(q);
      const share = sum(rest.map((value, i) => value * q[i]!));
      rest = rest.map((value, i) => value - share * q[i]!);
    }
    return sum(rest.map((value) => value * value));
  }

  it.each([1, 3, 5])('with the noise %d', async (seed) => {
    const random = randomFrom(seed);
    const y = x.map((t) => 2 + 0.5 * t + 1.5 * Math.max(0, t - 7.3) + 0.7 * random.normal());
    const beyond = (k: number) => x.map((t) => Math.max(0, t - k));
    const byBreak: Profile = (k) => squares(y, [x.map(() => 1), x, beyond(k)]);
    /** Over the place of the break: by a fine net, and nearer about its least. */
    const bySlope: Profile = (c) => {
      const at: Profile = (k) => {
        const rest = beyond(k).map((value, i) => y[i]! - c * value);
        return squares(rest, [x.map(() => 1), x]);
      };
      let [best, step] = [0, 0.05];
      for (let k = 0; k <= 15; k += step) if (at(k) < at(best)) best = k;
      for (; step > 1e-9; step /= 2) for (const k of [best - step, best + step]) if (at(k) < at(best)) best = k;
      return at(best);
    };
    // Between two rows there may be a minimum of its own: the fit begins in the deepest.
    const net = x.slice(0, -1).flatMap((t) => [0.25, 0.5, 0.75].map((share) => t + share));
    const best = net.reduce((least, k) => (byBreak(k) < byBreak(least) ? k : least));
    const document = await model(
      [
        ...columns,
        ...[free('a', 1), free('b', 1), free('c', 1), free('k', best, { lower: 0, upper: 15 })],
        { id: 'mu', kind: 'map', formula: 'a + b*x + c*max(0, x - k)' },
        { id: 'loss', kind: 'least-squares', prediction: 'mu', observed: 'y' },
      ],
      { tables: { T: { columns: { x, y } } }, objective: 'loss' },
    );
    const found = await uncertainty(
      document,
      device,
      { kind: 'uncertainty', method: 'profile', seed: 1 },
      { parameters: {} },
    );
    const level = found.fit.objective * (1 + studentQuantile(0.975, 12) ** 2 / 12);
    const profiles: Record<string, Profile> = { c: bySlope, k: byBreak };
    for (const { name, value, lower, upper } of found.parameters.slice(2)) {
      const profile = profiles[name]!;
      expect(profile(value), `the fit of ${name}`).toBeCloseTo(found.fit.objective, 7);
      for (const [end, side] of [
        [lower, -1],
        [upper, 1],
      ] as const) {
        const other = met(profile, level, value, value + side * 3 * (upper - lower));
        expect(Math.abs(end - other) / (upper - lower), `${name} to ${end} for ${other}`).toBeLessThan(1e-3);
      }
    }
  });

  // A break between other rows fits as well where the intercept is low, and is excluded itself within another hundredth.
  it('goes as far as a valley that ends soon after', async () => {
    const t = [0.308, 2.245, 2.943, 3.594, 3.641, 4.711, 5.913, 6.809, 7.848, 8.055, 8.693, 9.227, 9.435, 9.732];
    const y = [
      0.9565, 1.3419, 2.4217, 3.5392, 2.6669, 2.8102, 3.9154, 5.5939, 7.0618, 7.3252, 7.7746, 9.5451, 9.8918, 10.783,
    ];
    const byIntercept: Profile = (a) => {
      const at: Profile = (k) =>
        squares(
          y.map((value) => value - a),
          [t, t.map((value) => Math.max(0, value - k))],
        );
      let [best, step] = [t[0]!, 0.01];
      for (let k = t[0]!; k <= t.at(-1)!; k += step) if (at(k) < at(best)) best = k;
      for (; step > 1e-9; step /= 2) for (const k of [best - step, best + step]) if (at(k) < at(best)) best = k;
      return at(best);
    };
    const document = await model(
      [
        ...columns,
        ...[free('a', 0), free('b', 1), free('c', 1), free('k', 6.1)],
        { id: 'mu', kind: 'map', formula: 'a + b*x + c*max(x - k, 0)' },
        { id: 'loss', kind: 'least-squares', prediction: 'mu', observed: 'y' },
      ],
      { tables: { T: { columns: { x: t, y } } }, objective: 'loss' },
    );
    const { fit, parameters } = await uncertainty(
      document,
      device,
      { kind: 'uncertainty', method: 'profile', seed: 0 },
      { parameters: {} },
    );
    const level = fit.objective * (1 + studentQuantile(0.975, 10) ** 2 / 10);
    const { value, lower } = parameters[0]!;
    expect(lower / met(byIntercept, level, value, value - 2)).toBeCloseTo(1, 6);
  });
});
