/** What could be seen, and what is known of it: against Φ of SciPy 1.10 (`scipy.stats.norm`), and what nobody could have observed is refused. */
import { describe, expect, it } from 'vitest';
import { lowerModel } from '../../../models/lower/lower.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { load, model, type PlainBlock } from '../../support/documents.ts';

const likelihood = (more: PlainBlock): PlainBlock => ({
  ...{ id: 'l', kind: 'likelihood', family: 'normal', observed: 'o', mean: 0, sigma: 1 },
  ...more,
});
const constant = (id: string, value: readonly unknown[]): PlainBlock => ({ id, kind: 'constant', value });

async function minusLog(blocks: PlainBlock[]): Promise<number> {
  const { program, inputs, sizes } = lowerModel(await model(blocks), { outputs: ['l'] });
  const values = new Map([...inputs].map(([name, input]) => [name, input.values as ArrayLike<number>]));
  return interpret(program, values, sizes).get('l')!.values[0]!;
}

const said = async (blocks: PlainBlock[]): Promise<string[]> =>
  (await load(blocks)).problems.map(({ severity, message }) => `${severity}: ${message}`);

const refused = async (blocks: PlainBlock[]): Promise<string[]> =>
  (await said(blocks)).filter((text) => text.startsWith('error'));

const phi = { 0: 0.5, 1: 0.8413447460685429, 1.5: 0.9331927987311419, 2: 0.9772498680518208 } as const;

describe('censored and truncated at once', () => {
  it.each([
    ['left', [1], { censored: { left: 1.5 }, truncated: { lower: 0 } }, (phi[1.5] - 0.5) / 0.5],
    ['right', [1.5], { censored: { right: 1 }, truncated: { upper: 2 } }, (phi[2] - phi[1]) / phi[2]],
    ['right of an entry', [2], { censored: { right: 1 }, truncated: { lower: 0 } }, (1 - phi[1]) / 0.5],
    ['interval', [1], { censored: { interval: 2 }, truncated: { upper: 1.5 } }, (phi[1.5] - phi[1]) / phi[1.5]],
    [
      'both limits',
      [1],
      { censored: { left: 1.5 }, truncated: { lower: 0, upper: 2 } },
      (phi[1.5] - 0.5) / (phi[2] - 0.5),
    ],
  ] as const)('%s: what could be seen alone is counted', async (_, observed, more, wanted) => {
    expect(await minusLog([constant('o', observed), likelihood(more)])).toBeCloseTo(-Math.log(wanted), 12);
  });

  it('an end that is infinite is none, with finite derivatives', async () => {
    const ends = await minusLog([
      constant('o', ['-Infinity', 1]),
      constant('end', [1.5, 'Infinity']),
      likelihood({ censored: { interval: 'end' } }),
    ]);
    expect(ends).toBeCloseTo(-Math.log(phi[1.5]) - Math.log(1 - phi[1]), 12);
  });
});

describe('what nobody could have observed', () => {
  it.each([
    [
      [3, -1],
      { truncated: { lower: 0 } },
      /element 1 of "observed" is -1, and "truncated" lets only what lies between 0/,
    ],
    [[3, 9], { truncated: { upper: 5 } }, /element 1 of "observed" is 9, and "truncated"/],
    [[3, 1], { censored: { left: 2 }, truncated: { lower: 2 } }, /element 1 .* lies at or below its limit 2, and/],
    [
      [2, 3],
      { censored: { interval: 2.5 } },
      /element 1 of "observed" is 3, and its interval ends before that, at 2.5/,
    ],
    [[3, 1], { truncated: { lower: 9, upper: 0 } }, /element 0 of "observed" has .*"truncated".* from 9 to 0/],
    [[3, 3], { truncated: { lower: 3, upper: 3 } }, /element 0 of "observed" has .*"truncated".* from 3 to 3/],
    [['NaN', 3], { truncated: { lower: 'NaN' } }, /element 1 of "observed" has no limit "truncated.lower"/],
    [[3, 1], { censored: { left: 4, right: 2 } }, /element 0 of "observed" has the left limit 4 above the right one 2/],
    [['NaN', 1], { censored: { left: 4, right: 2 } }, /element 1 of "observed" has the left limit 4/],
    [[1, 3], { censored: { left: 'Infinity' } }, /element 0 of "observed" has the left limit Infinity/],
    [[1, 3], { censored: { right: '-Infinity' } }, /element 0 of "observed" has the right limit -Infinity/],
    [
      [1, 2],
      { censored: { left: 1.5, interval: 2.5 } },
      /element 0 of "observed" .* interval to 2.5 .* left limit 1.5/,
    ],
    [[1, 4], { censored: { right: 3, interval: 5 } }, /element 1 of "observed" .* interval to 5 .* right limit 3/],
  ] as const)('%j with %j', async (observed, more, wanted) => {
    expect((await refused([constant('o', observed), likelihood(more)]))[0]).toMatch(wanted);
  });

  it.each([
    ['limits', [5, 1, 'NaN'], [9, 0.5, 'NaN'], /element 1 of "observed" has the left limit 1 above the right one 0.5/],
    ['marks', [1, 0, 0], [1, 0, 1], /element 0 of "observed" is marked as censored on the left and on the right/],
    [
      'a mark and a limit',
      [0, 1, 0],
      [9, 2, 9],
      /element 1 of "observed" is marked .* and has reached its right limit 2/,
    ],
  ] as const)('on both sides at once, by %s', async (_, left, right, wanted) => {
    const blocks = [constant('o', [3, 4, 1]), constant('a', left), constant('b', right)];
    expect((await refused([...blocks, likelihood({ censored: { left: 'a', right: 'b' } })]))[0]).toMatch(wanted);
  });

  it('is told from what could be: equal limits, an interval of one value, an interval that says what a limit does', async () => {
    // Two answers, above 0 or not; exact; P(Y ≤ 1), as an interval without a beginning.
    const two = { censored: { left: 0, right: 0 } };
    expect(await minusLog([constant('o', [-1, 2]), likelihood(two)])).toBeCloseTo(2 * Math.log(2), 12);
    const exact = await minusLog([constant('o', [1]), likelihood({ censored: { interval: 1 } })]);
    expect(exact).toBeCloseTo(0.5 + 0.5 * Math.log(2 * Math.PI), 12);
    const open = likelihood({ censored: { left: 1, interval: 1 } });
    expect(await minusLog([constant('o', ['-Infinity']), open])).toBeCloseTo(-Math.log(phi[1]), 12);
  });

  it('has no value where a parameter brings limits past each other', async () => {
    const minus = (more: PlainBlock, at: number): Promise<number> =>
      minusLog([constant('o', [1]), { id: 'p', kind: 'parameter', initial: at }, likelihood(more)]);
    for (const [more, bad, good] of [
      [{ truncated: { lower: 'p', upper: 1 } }, 1, 0],
      [{ truncated: { lower: 1, upper: 'p' } }, 1, 2],
      [{ censored: { left: 'p', right: 1.5 } }, 2, 0],
      [{ censored: { left: 0.5, right: 'p' } }, 0, 2],
    ] as const) {
      expect(await minus(more, bad)).toBeNaN();
      expect(Number.isFinite(await minus(more, good))).toBe(true);
    }
  });

  it('is no number where a parameter says so', async () => {
    const blocks = (lower: number): PlainBlock[] => [
      constant('o', [1]),
      { id: 'least', kind: 'parameter', initial: lower },
      likelihood({ truncated: { lower: 'least' } }),
    ];
    expect(await minusLog(blocks(2))).toBeNaN();
    expect(await minusLog(blocks(0))).toBeCloseTo(0.5 + 0.5 * Math.log(2 * Math.PI) + Math.log(0.5), 12);
  });

  it.each([
    [{ kind: 'least-squares', prediction: 'm', observed: 'raw', weights: 'o' }, /element 1 of "weights" is -2.5/],
    [{ kind: 'least-squares', prediction: 'm', observed: 'raw', sigma: 'o' }, /element 1 of "sigma" is -2.5/],
    [
      { kind: 'likelihood', family: 'binomial', observed: 'raw', probability: 'o', trials: 3 },
      /element 1 of "probability"/,
    ],
  ] as const)('nor is it weighed by what is computed of data and negative: %j', async (block, wanted) => {
    const blocks: PlainBlock[] = [
      constant('raw', [1, 2]),
      { id: 'o', kind: 'map', formula: '4.5 - 3.5*raw' },
      { id: 'm', kind: 'parameter', initial: 1 },
      { id: 'l', ...block },
    ];
    expect((await said(blocks))[0]).toMatch(wanted);
  });

  it('is refused of counts that are computed too', async () => {
    const blocks: PlainBlock[] = [
      constant('raw', [1, 2.5]),
      { id: 'o', kind: 'map', formula: 'raw * 1' },
      { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'o', mean: 2 },
    ];
    expect((await said(blocks))[0]).toMatch(/element 1 of "observed" is 2.5, and this family wants a count/);
  });
});

describe('marks', () => {
  const flags = (block: PlainBlock, left = 'flag'): PlainBlock[] => [
    constant('o', [0.5, 2, 1]),
    block,
    likelihood({ censored: { left } }),
  ];

  it.each([
    ['in a list', constant('flag', [1, 0, 0])],
    ['by a formula', { id: 'flag', kind: 'map', formula: '2 - state', inputs: { state: 'states' } }],
    ['by a formula of bools', { id: 'flag', kind: 'map', formula: 'state == 1', inputs: { state: 'states' } }],
  ] as const)('%s', async (_, block) => {
    const found = await minusLog([constant('states', [1, 2, 2]), ...flags(block)]);
    const half = 0.5 * Math.log(2 * Math.PI);
    expect(found).toBeCloseTo(0.36894641528865635 + (2 + half) + (0.5 + half), 12);
  });

  it('that are missing for some rows are refused', async () => {
    expect((await said(flags(constant('flag', [1, 'NaN', 0]))))[0]).toMatch(/error: .*holds 0, 1 and missing cells/);
  });

  const one = [
    ['1 alone', [0.5, 2, 1], [1, 1, 1], /warning: .*holds 1 alone and is read as limits/],
    ['1 and missing cells', [0.5, 2, 1], [1, 'NaN', 'NaN'], /warning: .*is read as a limit of the rows that have it/],
    ['1 where the observation is', [1, 2, 1], [1, 'NaN', 1], undefined],
    ['0 alone, which every observation would reach', [-1, -2], [0, 0], /warning: .*is read as marks of no row/],
    ['0 alone, which some would', [-1, 2], [0, 0], /error: .*as marks it censors no row, and as limits 1 of 2/],
    ['0 alone, which none would', [1, 2], [0, 0], undefined],
  ] as const;
  it.each(one)('of %s', async (_, observed, flag, wanted) => {
    const [first] = await said([
      constant('o', observed),
      constant('flag', flag),
      likelihood({ censored: { left: 'flag' } }),
    ]);
    if (wanted) expect(first).toMatch(wanted);
    else expect(first).toBeUndefined();
  });
});
