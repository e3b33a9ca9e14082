/**
 * Quantities of which the slope at the fit tells nothing, or that have a pole, an end of their range, no value in places: what
 * each method says of them, held against the image of the mean's own interval and against Fieller's theorem.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/index.ts';
import { uncertaintyJson } from '../../src-main/cli/output/uncertainty-output.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import { uncertainty } from '../../src-main/compute/study/uncertainty.ts';
import type { UncertaintyRequest } from '../../src-main/contract/studies.ts';
import { column, constant, documentOf, map, parameter, type PlainBlock } from '../support/command-line.ts';

interface Row {
  readonly value: number;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly standardError: number | null;
  readonly verdict: { readonly status: string; readonly reason: string };
}

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

async function studied(
  document: PlainBlock,
  method: UncertaintyRequest['method'],
  samples?: number,
  level?: number,
): Promise<{ parameters: Record<string, Row>; quantities: Record<string, Row> }> {
  const model = demandModel(await load(document, undefined));
  const request = { kind: 'uncertainty' as const, method, samples, level };
  const report = await uncertainty(model, device, request, { parameters: {} });
  return uncertaintyJson(report) as Awaited<ReturnType<typeof studied>>;
}

const quantity = (id: string, formula: string, more: PlainBlock = {}): PlainBlock => ({
  ...{ id, kind: 'quantity', formula, ...more },
});
const loss: PlainBlock = { id: 'l', kind: 'least-squares', prediction: 'mu', observed: 'y' };
const fitted = (...blocks: readonly PlainBlock[]): PlainBlock => documentOf(blocks, { objective: 'l' });
/** The mean of readings. */
const meanOf = (y: readonly number[], more: PlainBlock, ...quantities: readonly PlainBlock[]): PlainBlock =>
  fitted(constant('y', y), parameter('m', 1, more), map('mu', 'm'), loss, ...quantities);

const near = (found: unknown, wanted: number): void => expect(Number(found)).toBeCloseTo(wanted, 5);
const ends = (row: Row | undefined): unknown[] => [row?.lower, row?.upper].map((end) => Number(end));

describe('where the slope is 0 at the fit', () => {
  // m = 0 ± 1.45258: Student's t of 3 degrees of freedom times √(2.5/3/4).
  const t = 3.182446305284263 * Math.sqrt(2.5 / 12);
  const document = meanOf(
    ...([[-1, -0.5, 0.5, 1], {}] as const),
    ...[quantity('square', 'm^2'), quantity('size', 'abs(m)'), quantity('cosine', 'cos(m)'), quantity('cube', 'm^3')],
    ...[quantity('step', 'floor(m)'), quantity('twice', '2*m')],
  );

  it('the profile is the image of the mean’s', async () => {
    const { quantities: q } = await studied(document, 'profile');
    near(q['square']?.lower, 0);
    near(q['square']?.upper, t ** 2);
    near(q['size']?.lower, 0);
    near(q['size']?.upper, t);
    near(q['cosine']?.lower, Math.cos(t));
    near(q['cosine']?.upper, 1);
    near(q['cube']?.lower, -(t ** 3));
    near(q['cube']?.upper, t ** 3);
    expect(q['square']?.verdict).toEqual({
      status: 'one-sided',
      reason: 'not excluded down to the least that it can be, 0',
    });
    expect(q['step']).toMatchObject({ lower: null, upper: null, verdict: { status: 'none' } });
    expect(q['step']?.verdict.reason).toContain('it moves by jumps: the bootstrap tells its interval');
  });

  it('the covariance tells nothing, and says so', async () => {
    const { quantities: q } = await studied(document, 'covariance');
    for (const id of ['square', 'size', 'cosine', 'cube'])
      expect(q[id]).toMatchObject({
        ...{ lower: null, upper: null, standardError: null },
        verdict: {
          status: 'none',
          reason: 'not determined: its slope is 0 where the fit ended, or nearly: its profile tells its interval',
        },
      });
    near(q['twice']?.upper, 2 * t);
  });

  it('at a bound too, as of what has a slope there', async () => {
    const below = meanOf(
      ...([[-0.3, 0.1, -0.5, 0.2, -0.4, -0.1], { lower: 0 }] as const),
      ...[quantity('twice', '2*m'), quantity('square', 'm^2')],
    );
    const { quantities: q, parameters } = await studied(below, 'profile');
    near(q['square']?.upper, Number(parameters['m']?.upper) ** 2);
    near(q['square']?.lower, 0);
    const { quantities: c } = await studied(below, 'covariance');
    expect(c['square']?.verdict).toEqual(c['twice']?.verdict);
  });

  it('but for rounding', async () => {
    const x = [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1];
    const y = [0.1, 0.3375, 0.8, 0.9375, 0.9, 0.9375, 0.8, 0.3375, 0.1];
    const parabola = fitted(
      ...[constant('x', x), constant('y', y), parameter('a', 1), parameter('b', 0.1), parameter('c', -1)],
      ...[map('mu', 'a + b*x + c*x^2'), loss, quantity('square', 'b^2')],
    );
    const { quantities, parameters } = await studied(parabola, 'profile');
    near(quantities['square']?.lower, 0);
    near(quantities['square']?.upper, Number(parameters['b']?.upper) ** 2);
  });
});

describe('a ratio whose divisor may be 0', () => {
  const wobble = [-0.5, 0.3, 0.1, -0.2, 0.6, -0.3];
  const average = wobble.reduce((sum, each) => sum + each, 0) / 6;
  const own = wobble.map((each) => each - average);
  const t = 2.2281388519649385;
  const variance = (2 * own.reduce((sum, each) => sum + each ** 2, 0)) / 10 / 6;
  const document = (a: number): PlainBlock =>
    fitted(
      ...[constant('x', [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1])],
      ...[constant('y', [...own.map((each) => a + each), ...[...own].reverse().map((each) => 2 + each)])],
      ...[parameter('a', 1), parameter('b', 1), map('mu', 'if(x < 0.5, a, b)'), loss],
      ...[quantity('ratio', 'b/a'), quantity('inverse', '1/a')],
    );
  // (b − r·a)² ≤ t²·v·(1 + r²): outside of both roots where a may be 0.
  const fieller = (a: number): readonly [number, number] => {
    const [A, B, C] = [a * a - t * t * variance, -4 * a, 4 - t * t * variance];
    const root = Math.sqrt(B * B - 4 * A * C);
    return [(-B + root) / (2 * A), (-B - root) / (2 * A)];
  };

  it.each([0.0375, 0.1, 0.2])('ends where what lies between is excluded (a = %f)', async (a) => {
    const { quantities: q } = await studied(document(a), 'profile');
    expect(Math.abs(Number(q['ratio']?.lower) / fieller(a)[1] - 1)).toBeLessThan(1e-4);
    expect(q['ratio']?.upper).toBe(Infinity);
    expect(q['ratio']?.verdict.status).toBe('one-sided');
    expect(q['ratio']?.verdict.reason).toMatch(
      /^bounded only from below, by [\d.]+; it goes on beyond infinity: what lies there/,
    );
    expect(Math.abs(Number(q['inverse']?.lower) * (a + t * Math.sqrt(variance)) - 1)).toBeLessThan(1e-4);
  });

  it('has both ends where it may not be', async () => {
    const { quantities: q } = await studied(document(1), 'profile');
    const [least, most] = [...fieller(1)].sort((one, other) => one - other);
    near(q['ratio']?.lower, least!);
    near(q['ratio']?.upper, most!);
  });
});

describe('a range that ends', () => {
  const readings = [-0.05, 0.35, -0.25, 0.45, -0.15, 0.15];

  it('at minus infinity is said to', async () => {
    for (const more of [{ lower: 0 }, {}]) {
      const { quantities: q, parameters } = await studied(
        meanOf(readings, more, quantity('lm', 'log(m)'), quantity('root', 'sqrt(m)')),
        'profile',
      );
      expect(q['lm']?.lower).toBe(-Infinity);
      near(q['lm']?.upper, Math.log(Number(parameters['m']?.upper)));
      near(q['root']?.lower, 0);
    }
  });

  it('where numbers end between two of a coordinate too, and what is infinite at the fit has none', async () => {
    const shifted = readings.map((y) => y + 10);
    const { quantities: q, parameters } = await studied(
      meanOf(shifted, {}, quantity('far', 'log(m - 10)'), quantity('over', '1/(m - m)')),
      'profile',
    );
    expect(q['far']?.lower).toBe(-Infinity);
    near(q['far']?.upper, Math.log(Number(parameters['m']?.upper) - 10));
    expect(q['over']?.verdict).toEqual({
      status: 'none',
      reason: 'not determined: it is infinite where the fit ended',
    });
  });

  it('and where replicates are at it they count', async () => {
    const { quantities: q, parameters } = await studied(
      meanOf(readings, { lower: 0 }, quantity('lm', 'log(m)')),
      ...(['bootstrap', 400] as const),
    );
    expect(q['lm']?.lower).toBe(-Infinity);
    expect(Number(q['lm']?.upper)).toBeCloseTo(Math.log(Number(parameters['m']?.upper)), 1);
  });
});

describe('a line of known noise, its intercept a within bounds', () => {
  const [x, y, sigma] = [[0, 1, 2, 3, 4, 5], [0.3, 1, 1.2, 0.9, 1.6, 1.5], 0.3] as const;
  const known: PlainBlock = { ...loss, sigma };
  const line = (a: PlainBlock, ...quantities: readonly PlainBlock[]): PlainBlock =>
    fitted(
      ...[constant('x', x), constant('y', y), parameter('a', 0.2, a), parameter('b', 0.1), map('mu', 'a + b*x'), known],
      ...quantities,
    );
  // By hand: the fit, and χ² = (6·α² + 30·α·β + 55·β²)/σ² of what a and b are off from it.
  const [aHat, bHat] = [0.23 / 0.42, 3 / 14];
  const z = { half: 0.6744897501960817, most: 1.959963984540054 };
  const spreadOfA = sigma * Math.sqrt(55 / 105);
  /** The most that b is with a at a value. */
  const mostSlope = (a: number, chi: number): number => {
    const alpha = a - aHat;
    return bHat + (-30 * alpha + Math.sqrt((30 * alpha) ** 2 - 220 * (6 * alpha ** 2 - (sigma * chi) ** 2))) / 110;
  };

  it('no interval is made of an a beyond its bound', async () => {
    // Without the bound the most that a + 2·b can be has a at 0.66.
    const document = line(
      { lower: 0, upper: 0.6 },
      quantity('middle', 'a + 2*b'),
      quantity('more', 'max(a + 2*b, 0.9)'),
    );
    const { quantities: q } = await studied(document, 'profile', undefined, 0.5);
    near(q['middle']?.upper, 0.6 + 2 * mostSlope(0.6, z.half));
    near(q['more']?.upper, 0.6 + 2 * mostSlope(0.6, z.half));
  });

  it('what turns round within it has the values of both sides', async () => {
    const least = aHat - z.most * spreadOfA;
    const most = aHat + z.most * spreadOfA;
    const within = await studied(
      line({ lower: 0, upper: 0.6 }, quantity('off', 'abs(a - 0.4)'), quantity('square', '(a - 0.4)^2')),
      'profile',
    );
    near(within.quantities['off']?.upper, 0.4 - least);
    near(within.quantities['square']?.upper, (0.4 - least) ** 2);
    expect(within.quantities['off']?.verdict.status).toBe('one-sided');
    const { quantities: q } = await studied(
      line({}, quantity('cubic', 'a^3 - a'), quantity('wave', 'sin(6*a)')),
      'profile',
    );
    near(q['cubic']?.lower, -2 / Math.sqrt(27));
    near(q['cubic']?.upper, most ** 3 - most);
    near(q['wave']?.lower, -1);
    near(q['wave']?.upper, 1);
  });
});

it.each(['bootstrap', 'hmc'] as const)(
  'by %s, what has no value in many draws has no interval, and says how many',
  async (method) => {
    const readings = [-0.05, 0.35, -0.25, 0.45, -0.15, 0.15];
    const { quantities: q } = await studied(meanOf(readings, {}, quantity('root', 'sqrt(m)')), method, 400);
    expect(q['root']).toMatchObject({ lower: null, upper: null, verdict: { status: 'none' } });
    expect(q['root']?.verdict.reason).toMatch(/it has no value in \d+ % of the (replicates|draws)/);
  },
);

it('what no free parameter moves is determined, by every method', async () => {
  const document = meanOf(
    ...([[1, 2, 3, 2.5], {}] as const),
    ...[parameter('f', 2, { fixed: true }), quantity('four', '2*f'), quantity('sum', 'm + f')],
  );
  for (const method of ['covariance', 'profile', 'bootstrap', 'hmc'] as const) {
    const { quantities: q } = await studied(document, method, 100);
    expect(q['four']).toMatchObject({ value: 4, lower: 4, upper: 4, verdict: { status: 'determined' } });
    expect(Number(q['sum']?.upper)).toBeGreaterThan(Number(q['sum']?.lower));
  }
});

it('of random effects, a quantity of parameters has a profile, one of effects the covariance', async () => {
  // Six groups of four, balanced: the marginal likelihood has a closed form, whose profile gave these ends.
  const offsets = [-1.6, -0.7, -0.2, 0.4, 0.9, 1.4];
  const within = [-0.6, 0.2, 0.5, -0.1];
  const rows = offsets.flatMap((offset, i) =>
    within.map((each, k) => ({ g: `s${i}`, y: 5 + offset + each * (1 + 0.1 * ((i + k) % 3)) })),
  );
  const document = documentOf(
    [
      ...[
        column('g', { type: 'category' }),
        column('y'),
        parameter('m', 4),
        parameter('s', 1, { support: 'positive' }),
      ],
      { id: 'u', kind: 'random-effect', like: 'g', sd: 1 },
      { id: 'ug', kind: 'gather', from: 'u', indices: 'g' },
      map('mu', 'm + ug'),
      { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'mu', sigma: 's' },
      quantity('tau2', 't^2', { inputs: { t: 'u.sd.b' } }),
      { id: 'i0', kind: 'constant', value: [0], type: 'int' },
      { id: 'u0', kind: 'gather', from: 'u', indices: 'i0' },
      { id: 'first', kind: 'reduce', operator: 'add', values: 'u0' },
      quantity('level', 'm + first'),
    ],
    { objective: 'l', tables: { T: { columns: { g: rows.map(({ g }) => g), y: rows.map(({ y }) => y) } } } },
  );
  const { quantities: q, parameters } = await studied(document, 'profile');
  const sd = Object.entries(parameters).find(([id]) => id.startsWith('u.sd'))![1];
  expect(ends(q['tau2'])[0]).toBeCloseTo(Number(sd.lower) ** 2, 4);
  expect(ends(q['tau2'])[1]).toBeCloseTo(Number(sd.upper) ** 2, 3);
  expect(q['level']?.verdict.reason).toContain('by the covariance, for its effects are integrated out');
  const { quantities: drawn } = await studied(document, 'bootstrap', 50);
  expect(drawn['level']).toMatchObject({ lower: q['level']?.lower, upper: q['level']?.upper });
  expect(drawn['level']?.verdict.reason).toContain('by the covariance, for replicates draw other effects');
  expect(drawn['tau2']?.standardError).toBeGreaterThan(0);
});
