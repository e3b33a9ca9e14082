/**
 * Prior densities against mpmath at high precision: −log p and its slope by the parameter and by every argument, each a
 * parameter of its own, in the middle, near and at the ends of the support, and where what is large nearly cancels.
 */
import { describe, expect, it } from 'vitest';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { load, model, type PlainBlock } from '../../support/documents.ts';

type Arguments = Readonly<Record<string, number>>;

/** −log p and its slopes by x and the arguments, which are references. */
async function judged(family: string, x: number, args: Arguments) {
  const names = Object.keys(args);
  const wired = Object.fromEntries(names.map((name) => [name, `p_${name}`]));
  const blocks: PlainBlock[] = [
    ...names.map((name) => ({ id: `p_${name}`, kind: 'parameter', initial: args[name] })),
    { id: 'x', kind: 'parameter', initial: x, prior: { family, ...wired } },
    { id: 'zero', kind: 'map', formula: '0*x' },
  ];
  const { program, inputs, sizes } = lowerModel(await model(blocks, { objective: 'zero' }), {
    outputs: [],
    objective: 'density',
  });
  const values = new Map([...inputs].map(([name, input]) => [name, input.values as ArrayLike<number>]));
  const swept = vjp(program, { of: ['density'] });
  const missing = swept.parameters.filter(({ name }) => !values.has(name)).map(({ name }) => [name, [1]] as const);
  const found = interpret(swept, new Map([...values, ...missing]), sizes);
  const slopes = ['x', ...Object.values(wired)].map((id) => {
    const adjoint = [...found].find(([result]) => result !== 'density' && result.endsWith(id));
    return adjoint?.[1].values[0] ?? 0;
  });
  return { value: found.get('density')!.values[0]!, slopes };
}

const cases: readonly [string, number, Arguments, number, readonly number[]][] = [
  ['normal', 0.7, { mean: -1.0, sd: 2.0 }, 1.9733357137646181, [0.425, -0.425, 0.13875]],
  ['normal', 100000000.0, { mean: 0.0, sd: 1.0 }, 5000000000000001.0, [100000000.0, -100000000.0, -1e16]],
  [
    'normal',
    1.000000001,
    { mean: 1.0, sd: 1e-12 },
    499973.37065779173,
    [1000000082740371.0, -1000000082740371.0, -9.999991654807489e17],
  ],
  [
    'log-normal',
    0.7,
    { mean: -1.0, sd: 2.0 },
    1.3071441607954148,
    [1.6583303771647384, -0.1608312640153169, 0.4482666090304709],
  ],
  [
    'log-normal',
    1e-300,
    { mean: 0.0, sd: 1.0 },
    237895.5583821629,
    [-6.897755278982137e302, 690.7755278982137, -477169.8299430558],
  ],
  ['log-normal', 5e-324, { mean: 0.0, sd: 0.5 }, 1107637.8270840538, [-Infinity, 2977.760287685525, -4433526.16545849]],
  [
    'log-normal',
    1e300,
    { mean: 0.0, sd: 1.0 },
    239277.10943795933,
    [6.917755278982137e-298, -690.7755278982137, -477169.8299430558],
  ],
  ['uniform', -1.0, { lower: -1.0, upper: 2.0 }, 1.0986122886681098, [0.0, -0.3333333333333333, 0.3333333333333333]],
  ['uniform', 2.0, { lower: -1.0, upper: 2.0 }, 1.0986122886681098, [0.0, -0.3333333333333333, 0.3333333333333333]],
  [
    'gamma',
    0.7,
    { shape: 2.5, rate: 1.5 },
    0.8560325161106068,
    [-0.642857142857143, 0.6543664764758113, -0.9666666666666667],
  ],
  ['gamma', 1e-300, { shape: 2.5, rate: 1.5 }, 1035.4343119475232, [-1.5e300, 691.0732194307508, -1.6666666666666667]],
  [
    'gamma',
    1e-300,
    { shape: 0.01, rate: 1.5 },
    -679.2723473922706,
    [9.9e299, 589.8091773322369, -0.006666666666666667],
  ],
  [
    'gamma',
    1000010.0,
    { shape: 1000000.0, rate: 1.0 },
    7.826753895136813,
    [1.099989000109999e-5, -1.0499950083666665e-5, 10.0],
  ],
  [
    'gamma',
    1000001000000.0,
    { shape: 1000000000000.0, rate: 1.0 },
    15.234449757835447,
    [1e-6, -1.0000000000003333e-6, 1000000.0],
  ],
  ['gamma', 0.001, { shape: 1e-8, rate: 0.001 }, 11.512926597353177, [1000.00099, -99999986.76170509, 0.00099]],
  ['gamma', 3.0, { shape: 1.0, rate: 1.0 }, 3.0, [1.0, -1.6758279535696425, 2.0]],
  [
    'beta',
    0.7,
    { alpha: 2.5, beta: 1.5 },
    -0.4908600183193145,
    [-0.47619047619047655, -0.19628608384782484, -0.01565489012728811],
  ],
  [
    'beta',
    1e-300,
    { alpha: 0.5, beta: 0.5 },
    -344.2430340632574,
    [4.9999999999999995e299, 689.3892335370938, -1.3862943611198906],
  ],
  [
    'beta',
    0.9999999999999999,
    { alpha: 0.5, beta: 0.5 },
    -17.22367039898915,
    [-4503599627370495.5, -1.3862943611198906, 35.35050620855721],
  ],
  [
    'beta',
    0.9999999999999999,
    { alpha: 3.0, beta: 2.0 },
    34.2518939198891,
    [9007199254740990.0, -0.5833333333333333, 35.653467236343765],
  ],
  [
    'beta',
    0.5001,
    { alpha: 1000000.0, beta: 1000000.0 },
    -6.9885374308173915,
    [799.9992319998812, -0.00020023000272874472, 0.0001997700026045447],
  ],
  [
    'beta',
    0.3,
    { alpha: 1e-6, beta: 1e-6 },
    12.948011550905655,
    [1.9047600000000002, -499998.79602884065, -499999.643326701],
  ],
  [
    'beta',
    1e-9,
    { alpha: 1.0, beta: 1000000000.0 },
    -19.723265837446412,
    [1000000000.0, -0.5772156654015329, 5.000000626149249e-19],
  ],
  [
    'cauchy',
    0.7,
    { location: -1.0, scale: 2.0 },
    2.381653790315022,
    [0.4934687953555878, -0.4934687953555878, 0.08055152394775038],
  ],
  ['cauchy', 1e150, { location: 0.0, scale: 1.0 }, 691.9202577840631, [2e-150, -2e-150, -1.0]],
  ['cauchy', 1.0, { location: 1.0, scale: 1e-300 }, -689.6307980123643, [0.0, 0.0, 9.999999999999999e299]],
  ['exponential', 0.0, { rate: 2.0 }, -0.6931471805599453, [2.0, -0.5]],
  ['exponential', 1e300, { rate: 3e-300 }, 692.6769156095456, [3e-300, 6.666666666666668e299]],
  ['half-normal', 0.0, { sd: 2.0 }, 0.9189385332046728, [0.0, 0.5]],
  ['half-normal', 0.7, { sd: 2.0 }, 0.9801885332046727, [0.175, 0.43875000000000003]],
  ['half-cauchy', 0.0, { scale: 2.0 }, 1.1447298858494002, [0.0, 0.5]],
  ['half-cauchy', 0.7, { scale: 2.0 }, 1.2602882264836726, [0.3118040089086859, 0.3908685968819599]],
  [
    'student-t',
    0.7,
    { location: -1.0, scale: 2.0, degrees: 3.5 },
    2.10486567452946,
    [0.45293072824156305, -0.45293072824156305, 0.11500888099467142, -0.03584512565201984],
  ],
  [
    'student-t',
    0.7,
    { location: -1.0, scale: 2.0, degrees: 1000000000000.0 },
    1.9733357137650989,
    [0.42500000000011795, -0.42500000000011795, 0.13874999999989976, -4.807484374998647e-25],
  ],
  [
    'student-t',
    1e100,
    { location: 0.0, scale: 1.0, degrees: 2.0 },
    690.7755278982137,
    [3e-100, -3e-100, -2.0, 229.10508288968455],
  ],
  [
    'inverse-gamma',
    0.7,
    { shape: 2.5, scale: 1.5 },
    0.16551493927408764,
    [1.9387755102040816, -0.05898341140165364, -0.238095238095238],
  ],
  [
    'inverse-gamma',
    1e-5,
    { shape: 2.5, scale: 1.5 },
    149958.9757809728,
    [-14999649999.999998, -11.215233932433149, 99998.33333333333],
  ],
  ['inverse-gamma', 1e-160, { shape: 2.5, scale: 1.5 }, 1.5e160, [-Infinity, -368.1159233465102, 1e160]],
  ['inverse-gamma', 1e300, { shape: 0.1, scale: 1.0 }, 762.1057933397693, [1.1e-300, 680.3517729578026, -0.1]],
  [
    'inverse-gamma',
    1e-6,
    { shape: 1000000.0, scale: 1.0 },
    -19.804327220408407,
    [999999.9999547482, -5.000000833785853e-7, 4.525188817411374e-11],
  ],
  ['laplace', 0.7, { location: -1.0, scale: 2.0 }, 2.2362943611198904, [0.5, -0.5, 0.07500000000000001]],
  ['laplace', -3.0, { location: -1.0, scale: 0.002 }, 994.4785390821378, [-500.0, 500.0, -499500.0]],
];

it.each(cases)('%s at %d with %j', async (family, x, args, value, slopes) => {
  const found = await judged(family, x, args);
  expect(Math.abs(found.value - value)).toBeLessThanOrEqual(1e-11 * Math.abs(value) + 1e-15);
  expect(found.slopes).toHaveLength(slopes.length);
  slopes.forEach((slope, i) =>
    Number.isFinite(slope)
      ? expect(Math.abs(found.slopes[i]! - slope)).toBeLessThan(1e-7 * Math.max(1e-3, Math.abs(slope)))
      : expect(found.slopes[i]).toBe(slope),
  );
});

describe('at the ends of its support and beyond', () => {
  it.each<[string, number, Arguments, number, number?]>([
    ['log-normal', 0, { mean: 0, sd: 1 }, Infinity, 0],
    ['log-normal', -1, { mean: 0, sd: 1 }, Infinity, 0],
    ['inverse-gamma', 0, { shape: 2, scale: 1 }, Infinity, 0],
    ['inverse-gamma', 5e-324, { shape: 2, scale: 1 }, Infinity],
    ['gamma', 0, { shape: 2, rate: 3 }, Infinity],
    ['gamma', 0, { shape: 0.5, rate: 3 }, -Infinity],
    ['gamma', 0, { shape: 1, rate: 3 }, -Math.log(3), 3],
    ['gamma', -1e-300, { shape: 1, rate: 3 }, Infinity, 0],
    // 3(1 − x)² and its reflection
    ['beta', 0, { alpha: 1, beta: 3 }, -Math.log(3), 2],
    ['beta', 1, { alpha: 3, beta: 1 }, -Math.log(3), -2],
    ['beta', 0, { alpha: 2, beta: 3 }, Infinity],
    ['beta', 1, { alpha: 2, beta: 0.5 }, -Infinity],
    ['beta', 1.5, { alpha: 2, beta: 0.5 }, Infinity, 0],
    ['half-normal', -1, { sd: 1 }, Infinity, 0],
    ['half-cauchy', -1, { scale: 1 }, Infinity, 0],
    ['exponential', -1, { rate: 1 }, Infinity, 0],
    ['uniform', 3, { lower: 0, upper: 2 }, Infinity, 0],
  ])('%s at %d with %j is %d', async (family, x, args, value, slope) => {
    const found = await judged(family, x, args);
    expect(found.value).toBeCloseTo(value, 12);
    if (slope !== undefined) expect(found.slopes[0]).toBeCloseTo(slope, 12);
  });
});

describe('an argument out of its range', () => {
  const wrong: readonly [string, Arguments, string][] = [
    ['normal', { mean: 0, sd: -1 }, 'sd'],
    ['log-normal', { mean: 0, sd: 0 }, 'sd'],
    ['gamma', { shape: -1.5, rate: 1 }, 'shape'],
    ['gamma', { shape: 1.5, rate: -1 }, 'rate'],
    ['beta', { alpha: -0.5, beta: 1 }, 'alpha'],
    ['beta', { alpha: 1, beta: -2.5 }, 'beta'],
    ['cauchy', { location: 0, scale: -1 }, 'scale'],
    ['exponential', { rate: -1 }, 'rate'],
    ['half-normal', { sd: -1 }, 'sd'],
    ['half-cauchy', { scale: -1 }, 'scale'],
    ['student-t', { location: 0, scale: 1, degrees: -3 }, 'degrees'],
    ['inverse-gamma', { shape: -1.5, scale: 1 }, 'shape'],
    ['laplace', { location: 0, scale: -1 }, 'scale'],
  ];

  it.each(wrong)('%s with %j has no density where it is varied, and no slope', async (family, args) => {
    const found = await judged(family, 0.7, args);
    expect(found.value).toBeNaN();
    expect(found.slopes).toEqual([0, ...Object.keys(args).map(() => 0)]);
  });

  it('uniform with its ends the wrong way has none', async () => {
    expect((await judged('uniform', 1, { lower: 1, upper: 1 })).value).toBeNaN();
    expect((await judged('uniform', 1, { lower: 2, upper: 0 })).value).toBe(Infinity);
  });

  it.each(wrong)(
    '%s with %j is refused where it is data, by the names of block and argument',
    async (family, args, bad) => {
      const wired = Object.fromEntries(Object.keys(args).map((name) => [name, `the_${name}`]));
      const { problems } = await load([
        ...Object.entries(args).map(([name, value]) => ({ id: `the_${name}`, kind: 'constant', value })),
        { id: 'x', kind: 'parameter', initial: 0.7, prior: { family, ...wired } },
      ]);
      expect(problems.map(({ message }) => message)).toEqual([
        `block "x": "prior.${bad}" is ${args[bad]}, and it wants a number above 0`,
      ]);
    },
  );
});
