/**
 * The families of `likelihood` against mpmath at sixty digits: −log p and its slope by every argument, in the middle, at the
 * ends and where what is large nearly cancels; what is censored or truncated against the tails of the normal distribution.
 */
import { describe, expect, it } from 'vitest';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { load, model, type PlainBlock } from '../../support/documents.ts';

type Values = Readonly<Record<string, number | readonly number[]>>;

/** −log p of what was observed, and its derivatives by the arguments, each a parameter. */
async function judged(family: string, observed: readonly unknown[], args: Values, more: PlainBlock = {}) {
  const names = Object.keys(args);
  const loaded = await model([
    { id: 'o', kind: 'constant', value: observed },
    ...names.map((name) => ({ id: `p_${name}`, kind: 'parameter', initial: args[name] })),
    {
      ...{ id: 'l', kind: 'likelihood', family, observed: 'o', ...more },
      ...Object.fromEntries(names.map((name) => [name, `p_${name}`])),
    },
  ]);
  const { program, inputs, sizes } = lowerModel(loaded, { outputs: ['l'] });
  const values = new Map([...inputs].map(([name, input]) => [name, input.values as ArrayLike<number>]));
  const swept = vjp(program, { of: ['l'] });
  const missing = swept.parameters.filter(({ name }) => !values.has(name)).map(({ name }) => [name, [1]] as const);
  const found = interpret(swept, new Map([...values, ...missing]), sizes);
  const slopes = names.flatMap((name) => {
    const adjoint = [...found].find(([result]) => result !== 'l' && result.includes(`p_${name}`));
    return Array.from(adjoint?.[1].values ?? []);
  });
  return { value: interpret(program, values, sizes).get('l')!.values[0]!, slopes };
}

/** A slope that all but cancels is as right as what it is made of: to 1e-7 of a unit. */
function expectSlopes(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  wanted.forEach((slope, i) =>
    expect(Math.abs(found[i]! - slope)).toBeLessThan(1e-7 * Math.max(1e-3, Math.abs(slope))),
  );
}

const close = (found: number, wanted: number): void =>
  void expect(Math.abs(found - wanted)).toBeLessThanOrEqual(1e-11 * Math.max(1e-20, Math.abs(wanted)) + 1e-15);

const cases: readonly [string, number, Readonly<Record<string, number>>, number, readonly number[]][] = [
  ['normal', 3.0, { mean: 1.0, sigma: 2.0 }, 2.112085713764618, [-0.5, 0.0]],
  ['normal', 100000000.0, { mean: 0.0, sigma: 1.0 }, 5000000000000001.0, [-100000000.0, -1e16]],
  ['normal', 1.0, { mean: 1.0, sigma: 1e-12 }, -26.712082582723877, [0.0, 1000000000000.0]],
  [
    'normal',
    1.000000001,
    { mean: 1.0, sigma: 1e-12 },
    499973.37065779173,
    [-1000000082740371.0, -9.999991654807489e17],
  ],
  ['normal', -5.0, { mean: 3.0, sigma: 1000000.0 }, 14.734449091200947, [8e-12, 9.99999999936e-7]],
  ['poisson', 0.0, { mean: 2.5 }, 2.5, [1.0]],
  ['poisson', 3.0, { mean: 2.5 }, 1.5428872736055899, [-0.2]],
  ['poisson', 1000000.0, { mean: 1001000.0 }, 8.326360811986977, [0.000999000999000999]],
  ['poisson', 1000000000000.0, { mean: 1000001000000.0 }, 15.234448757835947, [9.99999000001e-7]],
  ['poisson', 1000000000000000.0, { mean: 1000000000000000.0 }, 18.188326730660016, [0.0]],
  ['poisson', 1.0, { mean: 1000000.0 }, 999986.184489442, [0.999999]],
  ['poisson', 1000.0, { mean: 0.001 }, 12819.8844574703, [-999999.0]],
  ['poisson', 1000000000.0, { mean: 1.0 }, 19723265849.226982, [-999999999.0]],
  ['poisson', 20.0, { mean: 20.0 }, 2.4209709896736653, [0.0]],
  ['poisson', 15.0, { mean: 16.0 }, 2.310440550244173, [0.0625]],
  ['binomial', 0.0, { probability: 0.3, trials: 4.0 }, 1.4266997757549293, [5.714285714285714, 0.35667494393873234]],
  ['binomial', 4.0, { probability: 0.3, trials: 4.0 }, 4.8158912173037445, [-13.333333333333334, -1.726658389394601]],
  ['binomial', 2.0, { probability: 0.3, trials: 4.0 }, 1.3295360273012817, [-3.8095238095238098, -0.22665838939460098]],
  [
    'binomial',
    1.0,
    { probability: 1e-12, trials: 1000000000.0 },
    6.908755278981138,
    [-999000000000.999, -9.989999999999995e-10],
  ],
  ['binomial', 1000000000.0, { probability: 0.5, trials: 2000000000.0 }, 10.933997861522906, [0.0, 2.499999999375e-10]],
  [
    'binomial',
    500000000000.0,
    { probability: 0.5, trials: 1000000000000.0 },
    14.041301910609251,
    [0.0, 4.9999999999975e-13],
  ],
  [
    'binomial',
    999999.0,
    { probability: 0.999999, trials: 1000000.0 },
    0.9999994999998333,
    [-2.875569327107764e-5, 0.42278383506979483],
  ],
  ['binomial', 5.0, { probability: 0.5, trials: 7.5 }, 1.6378019420277123, [-5.0, -0.2837869963742316]],
  ['student-t', 3.0, { mean: 1.0, scale: 2.0, degrees: 3.5 }, 2.248078235451486, [-0.5, 0.0, -0.036879792397983675]],
  [
    'student-t',
    3.0,
    { mean: 1.0, scale: 2.0, degrees: 1000000.0 },
    2.1120862137645346,
    [-0.5, 0.0, -4.999998333333333e-13],
  ],
  [
    'student-t',
    3.0,
    { mean: 1.0, scale: 2.0, degrees: 10000000000.0 },
    2.112085713814618,
    [-0.5, 0.0, -4.999999999833333e-21],
  ],
  ['student-t', 3.0, { mean: 1.0, scale: 2.0, degrees: 1e16 }, 2.112085713764618, [-0.5, 0.0, 0.0]],
  [
    'student-t',
    1000000.0,
    { mean: 0.0, scale: 1.0, degrees: 1.0 },
    28.77575100177895,
    [-1.999999999998e-6, -0.999999999998, 12.62236337740583],
  ],
  [
    'student-t',
    3.0,
    { mean: 1.0, scale: 1e-8, degrees: 0.01 },
    6.212519323902897,
    [-0.505, -1000000.0, -78.3985752554094],
  ],
  ['student-t', 1e100, { mean: 0.0, scale: 1.0, degrees: 2.0 }, 690.7755278982137, [0.0, -2.0, 229.10508288968455]],
  ['negative-binomial', 0.0, { mean: 3.0, dispersion: 0.5 }, 1.8325814637483102, [0.4, -1.2651629274966203]],
  [
    'negative-binomial',
    7.0,
    { mean: 3.0, dispersion: 0.5 },
    3.328919288430409,
    [-0.5333333333333333, 0.006265643931951168],
  ],
  [
    'negative-binomial',
    7.0,
    { mean: 3.0, dispersion: 1e-6 },
    3.8348708404116465,
    [-1.3333293333453333, -4.499954000312748],
  ],
  [
    'negative-binomial',
    7.0,
    { mean: 3.0, dispersion: 1e-10 },
    3.8348753399386464,
    [-1.3333333329333332, -4.4999999954],
  ],
  [
    'negative-binomial',
    7.0,
    { mean: 3.0, dispersion: 1e-14 },
    3.8348753403886016,
    [-1.3333333333332933, -4.49999999999954],
  ],
  [
    'negative-binomial',
    1000000.0,
    { mean: 1010000.0, dispersion: 0.1 },
    13.59198551072127,
    [9.802863436015386e-8, 5.0782664158364454],
  ],
  [
    'negative-binomial',
    1000000000000.0,
    { mean: 1010000000000.0, dispersion: 0.1 },
    27.40749107361614,
    [9.80296049397215e-14, 5.078316317266737],
  ],
  [
    'negative-binomial',
    10000000000.0,
    { mean: 10000100000.0, dispersion: 1e-12 },
    12.931885335578746,
    [9.900890109812851e-6, 49015449.532014586],
  ],
  [
    'negative-binomial',
    5.0,
    { mean: 100.0, dispersion: 50.0 },
    5.6514236389249,
    [0.0001899620075984803, 0.01779509623004271],
  ],
  ['negative-binomial', 0.0, { mean: 1e-9, dispersion: 1e-9 }, 1e-9, [1.0, -5e-19]],
  // Poisson, and by the dispersion (y − (y − mean)²)/2.
  ['negative-binomial', 4.0, { mean: 3.0, dispersion: 0.0 }, 1.7836046756755057, [-0.33333333333333326, 1.5]],
  ['negative-binomial', 0.0, { mean: 3.0, dispersion: 0.0 }, 3.0, [1.0, -4.5]],
  ['negative-binomial', 1000000.0, { mean: 1000000.0, dispersion: 1e-8 }, 7.831669060954978, [0.0, 495049.50659249094]],
  ['log-normal', 2.0, { mean: 0.5, sigma: 2.0 }, 2.3098961234943456, [-0.04828679513998633, 0.495336770830218]],
  ['log-normal', 1e-300, { mean: 0.0, sigma: 1.0 }, 237895.5583821629, [690.7755278982137, -477169.8299430558]],
  ['log-normal', 1e300, { mean: 3.0, sigma: 0.1 }, 23652448.230664663, [-68777.55278982136, -473035166.7756665]],
  ['gamma', 2.0, { mean: 1.5, shape: 0.3 }, 2.463832394940267, [-0.06666666666666667, -2.2529001569926446]],
  ['gamma', 2.0, { mean: 1.5, shape: 3.7 }, 1.1492977397814157, [-0.8222222222222223, -0.09552801940711496]],
  ['gamma', 2.0, { mean: 2.001, shape: 100000000.0 }, 4.893416694286986, [24975.01873750506, 1.1991671350831884e-7]],
  ['gamma', 1e-10, { mean: 1.0, shape: 0.01 }, -18.15006084073815, [0.009999999999, -73.92986434184013]],
  [
    'gamma',
    1000000000000.0,
    { mean: 1000001000000.0, shape: 1000000.0 },
    21.642204953483752,
    [9.99998000003e-13, -4.99999583334e-7],
  ],
  ['gamma', 3.0, { mean: 2.0, shape: 16.5 }, 2.1807462349663855, [-4.125, 0.06392588260792419]],
  ['beta', 0.3, { mean: 0.4, precision: 2.5 }, -0.2271276361387982, [0.583980553767736, -0.21655483412509657]],
  [
    'beta',
    0.3,
    { mean: 0.3001, precision: 10000000.0 },
    -7.682448216020286,
    [4760.499656708084, -2.6191990707566197e-8],
  ],
  ['beta', 1e-12, { mean: 0.5, precision: 1.0 }, -12.670780672115374, [27.63102111592755, 12.429216196844884]],
  ['beta', 0.999999, { mean: 0.2, precision: 40.0 }, 408.26645894974183, [-609.9959044205758, 10.539233192332784]],
  ['beta', 0.5, { mean: 1e-6, precision: 3.0 }, 13.410040949865289, [-1000004.4999816413, 0.3598111624298375]],
  [
    'zero-inflated-poisson',
    0.0,
    { mean: 3.0, inflation: 0.2 },
    1.4278263797547401,
    [0.16607476979884608, -3.9620326887572115],
  ],
  ['zero-inflated-poisson', 4.0, { mean: 3.0, inflation: 0.2 }, 2.0067482269897168, [-0.3333333333333333, 1.25]],
  ['zero-inflated-poisson', 0.0, { mean: 800.0, inflation: 1e-5 }, 11.512925464970229, [0.0, -99999.99999999999]],
  [
    'zero-inflated-poisson',
    0.0,
    { mean: 50.0, inflation: 1e-30 },
    49.9999999948153,
    [0.9999999948152944, -5.184705501705901e21],
  ],
  [
    'zero-inflated-poisson',
    0.0,
    { mean: 0.001, inflation: 0.9 },
    9.995501199827493e-5,
    [0.09991003599309974, -0.0009996000766693274],
  ],
  ['zero-inflated-poisson', 2.0, { mean: 5.0, inflation: 0.999 }, 9.382026634673881, [0.6, 999.9999999999991]],
  ['gamma', 2.0, { shape: 0.7, rate: 3.0 }, 5.699782798631974, [-3.01178302292599, 1.7666666666666666]],
  ['beta', 0.3, { alpha: 2.5, beta: 0.4 }, 2.070445318051056, [1.0246294943334353, -3.0872095512841278]],
];

describe('families', () => {
  it.each(cases)('%s of %f at %j', async (family, observed, args, wanted, slopes) => {
    const found = await judged(family, [observed], args);
    close(found.value, wanted);
    expectSlopes(found.slopes, slopes);
  });

  it('knows the end of all degrees of freedom', async () => {
    const found = await judged('student-t', [3], { mean: 1, scale: 2 }, { degrees: 'Infinity' });
    const normal = await judged('normal', [3], { mean: 1, sigma: 2 });
    close(found.value, normal.value);
    expectSlopes(found.slopes, normal.slopes);
  });

  const impossible: [string, number, Values][] = [
    ['normal', 0, { mean: 0, sigma: -1 }],
    ['poisson', 0, { mean: -2 }],
    ['binomial', 0, { probability: -0.5, trials: 3 }],
    ['binomial', 3, { probability: 1.5, trials: 3 }],
    ['negative-binomial', 0, { mean: -1, dispersion: 0.5 }],
    ['negative-binomial', 0, { mean: 1, dispersion: -0.3 }],
    ['zero-inflated-poisson', 0, { mean: -1, inflation: 0.5 }],
    ['zero-inflated-poisson', 0, { mean: 1, inflation: -0.1 }],
    ['student-t', 0, { mean: 0, scale: 1, degrees: -3 }],
    ['gamma', 1, { mean: 1, shape: -0.5 }],
    ['beta', 0.5, { mean: 0.5, precision: -3 }],
  ];
  it.each(impossible)('%s of %f has no density at %j', async (family, observed, args) => {
    expect((await judged(family, [observed], args)).value).toBeNaN();
  });

  it('refuses data that no argument of its kind may be', async () => {
    const refused = async (more: PlainBlock): Promise<string | undefined> =>
      (
        await load([
          { id: 'o', kind: 'constant', value: [0, 1] },
          { id: 'l', kind: 'likelihood', observed: 'o', ...more },
        ])
      ).problems[0]?.message;
    expect(await refused({ family: 'poisson', mean: -1 })).toMatch(/"l": "mean" is -1, and it wants 0 or more/);
    expect(await refused({ family: 'binomial', probability: 1.5, trials: 3 })).toMatch(/"probability" is 1.5.*0 to 1/);
    expect(await refused({ family: 'beta', mean: 0.5, precision: 3 })).toMatch(/element 0 of "observed" is 0.*0 and 1/);
    expect(await refused({ family: 'gamma', mean: 1, alpha: 3 })).toMatch(
      /takes "mean" and "shape", or "shape" and "rate"/,
    );
  });
});

const classes: readonly [number, number, readonly number[], number, number, readonly number[]][] = [
  [0, 0.3, [-1.0, 0.5, 2.0], 1.5410084538329922, 0.7858349830425586, [-0.7858349830425586, 0.0, 0.0]],
  [1, 0.3, [-1.0, 0.5, 2.0], 1.091629782140038, 0.2360009857300807, [0.5013819337463097, -0.7373829194763903, 0.0]],
  [3, 0.3, [-1.0, 0.5, 2.0], 1.867786029386266, -0.8455347349164652, [0.0, 0.0, 0.8455347349164652]],
  [2, 40.0, [-1.0, 0.5, 2.0], 38.252482458925456, 1.0, [0.0, 0.28721691678886824, -1.2872169167888683]],
  [
    1,
    -30.0,
    [-1.0, -0.999999999, 2.0],
    49.72326586572885,
    -0.9999999999994913,
    [1000000028.7819322, -1000000027.7819322, 0.0],
  ],
  [0, 700.0, [0.0, 1.0], 700.0, 1.0, [-1.0, 0.0]],
];

describe('ordinal', () => {
  it.each(classes)('class %i at %f between %j', async (observed, location, thresholds, wanted, slope, slopes) => {
    const found = await judged('ordinal', [observed, 'NaN'], { location, thresholds });
    close(found.value, wanted);
    expectSlopes(found.slopes, [slope, ...slopes]);
  });

  it('refuses a class that no threshold parts', async () => {
    const { problems } = await load([
      { id: 'o', kind: 'constant', value: [0, 3] },
      { id: 'c', kind: 'parameter', initial: [-1, 1] },
      { id: 'l', kind: 'likelihood', family: 'ordinal', observed: 'o', location: 0, thresholds: 'c' },
    ]);
    expect(problems[0]?.message).toBe(
      'block "l": element 1 of "observed" is 3, and 2 thresholds part the classes 0 to 2',
    );
  });
});

/** z, −log Φ(z) and its slope. */
const tails: readonly [number, number, number][] = [
  [-60, 1805.0135606805673, -60.016657420241124],
  [-30, 454.3212439563432, -30.033259667433676],
  [-8, 35.01343715991455, -8.121368112236112],
  [-7, 27.384307498811076, -7.137545613226504],
  [-6.9, 26.675460839155644, -7.039395541849404],
  [-3, 6.607726221510349, -3.2830986549304364],
  [-0.5, 1.1759117615936185, -1.1410777703680646],
  [0, 0.6931471805599453, -0.7978845608028654],
  [0.9, 0.2034146097557469, -0.32610889376111957],
  [1.1, 0.14579608131705274, -0.2520463066289897],
  [5, 2.866516129637636e-7, -1.4867199409049056e-6],
  [9, 1.1285884059538405e-19, -1.0279773571668915e-18],
];
/** a, b, −log(Φ(b) − Φ(a)). */
const between: readonly [number, number, number][] = [
  [-1, 2, 0.2001662943244626],
  [5, 6, 15.068446096529453],
  [30, 31, 454.32124395634327],
  [-31, -30, 454.32124395634327],
  [0.1, 0.1000001, 17.042034189273018],
  [-40, -3, 6.607726221510349],
];

describe('observations that were not seen as they are', () => {
  const at = (z: number): Values => ({ mean: -2 * z, sigma: 2 });
  it.each(tails)('left and right of %f', async (z, wanted, slope) => {
    // A limit at 0, and what lies at it or beyond; what has not reached it is as it was observed.
    const exact = (await judged('normal', [1], at(z))).value;
    const left = await judged('normal', [0, -3, 1], at(z), { censored: { left: 0 } });
    close(left.value - exact, 2 * wanted);
    const right = await judged('normal', [0], at(-z), { censored: { right: 0 } });
    close(right.value, wanted);
    // Φ(mean/sigma), the mean being 2z
    expectSlopes(right.slopes, [slope / 2, (-slope * z) / 2]);
  });

  it.each(between)('between %f and %f', async (a, b, wanted) => {
    const args = { mean: 0, sigma: 1 };
    expect((await judged('normal', [a], args, { censored: { interval: b } })).value / wanted).toBeCloseTo(1, 8);
    const seen = await judged('normal', [(a + b) / 2], args, { truncated: { lower: a, upper: b } });
    expect((seen.value - (await judged('normal', [(a + b) / 2], args)).value) / -wanted).toBeCloseTo(1, 8);
  });

  it('takes marks of rows, and limits of the logarithm', async () => {
    const marks = await judged(
      'normal',
      [1, 2, 3],
      { mean: 0, sigma: 1 },
      { censored: { left: 'm', right: 'r' } },
    ).catch((error: unknown) => String(error));
    expect(marks).toMatch(/there is no block "m"/);
    const args = { mean: 0.5, sigma: 2 };
    const logs = await judged('normal', [Math.log(3)], args, { censored: { right: Math.log(3) } });
    const own = await judged('log-normal', [3], args, { censored: { right: 3 } });
    close(own.value, logs.value);
    expectSlopes(own.slopes, logs.slopes);
    // What lies below the limit is often written as 0.
    const below = await judged('log-normal', [0], args, { censored: { left: 3 } });
    close(below.value, (await judged('normal', [-1], args, { censored: { left: Math.log(3) } })).value);
  });

  it('reads 0 and 1 as marks and says so', async () => {
    const blocks = (left: unknown): PlainBlock[] => [
      { id: 'o', kind: 'constant', value: [0.5, 2, 1] },
      { id: 'm', kind: 'constant', value: left },
      { id: 'l', kind: 'likelihood', family: 'normal', observed: 'o', mean: 0, sigma: 1, censored: { left: 'm' } },
    ];
    const { problems } = await load(blocks([1, 0, 0]));
    expect(problems[0]?.message).toMatch(/holds 0 and 1 alone and is read as marks/);
    const { program, inputs, sizes } = lowerModel(await model(blocks([1, 0, 0])), { outputs: ['l'] });
    const values = new Map([...inputs].map(([name, input]) => [name, input.values as ArrayLike<number>]));
    const marked = interpret(program, values, sizes).get('l')!.values[0]!;
    const half = 0.5 * Math.log(2 * Math.PI);
    // Φ(½), and the densities of 2 and 1
    close(marked, 0.36894641528865635 + (2 + half) + (0.5 + half));
    expect((await load(blocks([0.5, 0.5, 0.5]))).problems).toEqual([]);
  });

  it('refuses what has no distribution function', async () => {
    const { problems } = await load([
      { id: 'o', kind: 'constant', value: [0, 3] },
      { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'o', mean: 2, censored: { left: 1 } },
    ]);
    expect(problems[0]?.message).toMatch(
      /the family poisson has no distribution function here, which "censored.left" wants/,
    );
  });
});
