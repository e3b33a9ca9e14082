/** Every kind of block, run by the reference interpreter against values worked out by hand or by NumPy. */
import { describe, expect, it } from 'vitest';
import { c, evaluate, type PlainBlock } from '../../support/documents.ts';

const tables = { obs: { columns: { t: [0, 1, 2, 3], y: [1, 3, 2, 5], k: [0, 1, 0, 2], s: ['b', 'a', 'b', 'c'] } } };
const col = (id: string, more: PlainBlock = {}): PlainBlock => ({
  id,
  kind: 'column',
  table: 'obs',
  column: id,
  ...more,
});
const matrix = c('m', [
  [1, 2, 3],
  [4, 5, 6],
]);

async function value(blocks: PlainBlock[], output: string): Promise<number | number[]> {
  return evaluate(blocks, output, { tables });
}

describe('sources', () => {
  it('gives columns, categories, constants and ranges', async () => {
    expect(await value([col('t')], 't')).toEqual([0, 1, 2, 3]);
    expect(await value([col('s')], 's')).toEqual([0, 1, 0, 2]);
    expect(await value([col('y', { type: 'category' })], 'y')).toEqual([0, 1, 2, 3]);
    expect(await value([c('x', [])], 'x')).toEqual([]);
    expect(await value([{ id: 'r', kind: 'range', length: 4 }], 'r')).toEqual([0, 1, 2, 3]);
    expect(await value([{ id: 'r', kind: 'range', length: 3, start: 1, step: 0.5 }], 'r')).toEqual([1, 1.5, 2]);
    expect(await value([col('t'), { id: 'r', kind: 'range', like: 't', start: 5, step: -1 }], 'r')).toEqual([
      5, 4, 3, 2,
    ]);
  });

  it('gives parameters their initial values, one for each label of a category', async () => {
    expect(await value([{ id: 'p', kind: 'parameter', initial: 2 }], 'p')).toBe(2);
    expect(await value([col('s'), { id: 'p', kind: 'parameter', initial: 2, like: 's' }], 'p')).toEqual([2, 2, 2]);
    expect(await value([col('s'), { id: 'p', kind: 'parameter', initial: [1, 2, 3], like: 's' }], 'p')).toEqual([
      1, 2, 3,
    ]);
  });
});

describe('map', () => {
  it('broadcasts, and knows index and length', async () => {
    const blocks = [col('t'), c('a', 10), { id: 'f', kind: 'map', formula: 'a * t + index / length(t)' }];
    expect(await value(blocks, 'f')).toEqual([0, 10.25, 20.5, 30.75]);
    const grid = [matrix, { id: 'f', kind: 'map', formula: 'm + 10*index' }];
    expect(await value(grid, 'f')).toEqual([1, 2, 3, 14, 15, 16]);
  });

  it('has several outputs, and ports wired by hand', async () => {
    const blocks = [
      col('t'),
      { id: 'f', kind: 'map', inputs: { x: 't' }, outputs: { a: 'x + 1', constructor: 'x * 2' } },
    ];
    expect(await value(blocks, 'f.a')).toEqual([1, 2, 3, 4]);
    expect(await value(blocks, 'f.constructor')).toEqual([0, 2, 4, 6]);
  });
});

describe('reduce, scan, histogram', () => {
  it('reduces along an axis', async () => {
    expect(await value([col('y'), { id: 'r', kind: 'reduce', operator: 'add', values: 'y' }], 'r')).toBe(11);
    expect(await value([col('y'), { id: 'r', kind: 'reduce', operator: 'max', values: 'y' }], 'r.0')).toBe(5);
    expect(await value([matrix, { id: 'r', kind: 'reduce', operator: 'multiply', values: 'm' }], 'r')).toEqual([
      4, 10, 18,
    ]);
    expect(await value([matrix, { id: 'r', kind: 'reduce', operator: 'min', values: 'm', axis: 1 }], 'r')).toEqual([
      1, 4,
    ]);
    expect(await value([c('x', []), { id: 'r', kind: 'reduce', operator: 'max', values: 'x' }], 'r')).toBe(-Infinity);
  });

  const linear = { left: ['b1', 'c1'], right: ['b2', 'c2'], result: ['b2 + c2*b1', 'c2*c1'], neutral: [0, 1] };

  it('scans tuples with an operator of the model', async () => {
    const scan = { id: 's', kind: 'scan', operator: linear, values: ['t', 'y'] };
    // b: 0; 1 + 3·0; 2 + 2·1; 3 + 5·4
    expect(await value([col('t'), col('y'), scan], 's.0')).toEqual([0, 1, 4, 23]);
    expect(await value([col('t'), col('y'), { ...scan, outputs: ['b', 'c'] }], 's.c')).toEqual([1, 3, 6, 30]);
    expect(await value([col('t'), col('y'), { ...scan, exclusive: true }], 's.0')).toEqual([0, 0, 1, 4]);
    // From the end: 3; 2 + 2·3; 1 + 3·8; 0 + 1·25
    expect(await value([col('t'), col('y'), { ...scan, reverse: true }], 's.0')).toEqual([25, 25, 8, 3]);
  });

  it('combines by key, ignores keys outside, starts from initial contents', async () => {
    const sum = { id: 'h', kind: 'histogram', operator: 'add', keys: 'k', values: 'y', bins: 2 };
    expect(await value([col('k'), col('y'), sum], 'h')).toEqual([3, 3]);
    expect(await value([col('s'), col('y'), { ...sum, keys: 's', bins: 's' }], 'h')).toEqual([3, 3, 5]);
    expect(await value([col('k'), col('y'), c('i', [10, 20]), { ...sum, initial: 'i' }], 'h')).toEqual([13, 23]);
    expect(await value([col('k'), c('one', 1), { ...sum, values: 'one', bins: 4 }], 'h')).toEqual([2, 1, 1, 0]);
    const wide = [
      c('m', [
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
      c('k', [1, 0, 1]),
      { ...sum, values: 'm' },
    ];
    expect(await value(wide, 'h')).toEqual([3, 4, 6, 8]);
  });

  it('takes computed whole numbers as keys, and leaves NaN out', async () => {
    const blocks = [
      c('x', [0.5, 1.5, 'NaN', 1.7]),
      { id: 'bin', kind: 'map', formula: 'floor(x)' },
      c('one', 1),
      { id: 'h', kind: 'histogram', operator: 'add', keys: 'bin', values: 'one', bins: 2 },
    ];
    expect(await value(blocks, 'h')).toEqual([1, 2]);
  });
});

describe('recurrence', () => {
  it('steps states together from the old values', async () => {
    const fibonacci = {
      id: 'f',
      kind: 'recurrence',
      steps: 5,
      state: { a: { initial: 0, next: 'b' }, b: { initial: 1, next: 'a + b' } },
    };
    expect(await value([fibonacci], 'f.a')).toEqual([1, 1, 2, 3, 5]);
    expect(await value([{ ...fibonacci, emit: 'final' }], 'f.b')).toBe(8);
  });

  it('takes inputs along axis 0, invariants, index and lengths', async () => {
    const blocks = [
      col('y'),
      c('a', 0.5),
      c('start', 2),
      {
        id: 'x',
        kind: 'recurrence',
        inputs: { u: 'y' },
        state: { s: { initial: 'start', next: 'a*s + u + index/length(y)' } },
      },
    ];
    expect(await value(blocks, 'x')).toEqual([2, 4.25, 4.625, 8.0625]);
    expect(await value(blocks, 'x.s')).toEqual([2, 4.25, 4.625, 8.0625]);
  });

  it('runs a batch', async () => {
    const blocks = [
      col('t'),
      c('rate', [1, 10]),
      { id: 'x', kind: 'recurrence', inputs: { u: 't' }, state: { s: { initial: 0, next: 's + rate*u' } } },
    ];
    expect(await value(blocks, 'x')).toEqual([0, 0, 1, 10, 3, 30, 6, 60]);
    expect(
      await value(
        [{ id: 'x', kind: 'recurrence', steps: 0, state: { s: { initial: 7, next: '0' } }, emit: 'final' }],
        'x',
      ),
    ).toBe(7);
  });
});

describe('selection', () => {
  it('gathers and scatters', async () => {
    expect(
      await value([col('y'), c('i', [3, 0, 3]), { id: 'g', kind: 'gather', from: 'y', indices: 'i' }], 'g'),
    ).toEqual([5, 1, 5]);
    expect(await value([matrix, c('i', 1), { id: 'g', kind: 'gather', from: 'm', indices: 'i' }], 'g')).toEqual([
      4, 5, 6,
    ]);
    const computed = [
      col('y'),
      { id: 'p', kind: 'parameter', initial: 9 },
      { id: 'i', kind: 'map', formula: 'floor(p)' },
    ];
    expect(await value([...computed, { id: 'g', kind: 'gather', from: 'y', indices: 'i' }], 'g')).toBeNaN();
    const scatter = { id: 's', kind: 'scatter', into: 'y', indices: 'i', values: 'v' };
    expect(await value([col('y'), c('i', [2, 9]), c('v', [20, 30]), scatter], 's')).toEqual([1, 3, 20, 5]);
    expect(await value([col('y'), c('i', [2, 0]), c('v', 7), scatter], 's')).toEqual([7, 3, 7, 5]);
  });

  it.each([
    [{ kind: 'reverse' }, [5, 2, 3, 1]],
    [{ kind: 'slice', start: 1, stop: 9, step: 2 }, [3, 5]],
    [{ kind: 'slice', start: 7 }, []],
    [{ kind: 'slice', step: 3 }, [1, 5]],
    [{ kind: 'shift' }, [0, 1, 3, 2]],
    [{ kind: 'shift', by: -2, fill: 'NaN' }, [2, 5, NaN, NaN]],
    [{ kind: 'shift', by: 6, fill: 8 }, [8, 8, 8, 8]],
    [{ kind: 'shift', by: 0 }, [1, 3, 2, 5]],
  ])('%j', async (block, wanted) => {
    expect(await value([col('y'), { id: 'z', values: 'y', ...block }], 'z')).toEqual(wanted);
  });
});

describe('shape', () => {
  it.each([
    [{ kind: 'transpose', values: 'm' }, [1, 4, 2, 5, 3, 6]],
    [{ kind: 'reshape', values: 'm', shape: [3, -1] }, [1, 2, 3, 4, 5, 6]],
    [{ kind: 'concatenate', values: ['m', 'm'], axis: 1 }, [1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6]],
    [{ kind: 'reverse', values: 'm', axis: 1 }, [3, 2, 1, 6, 5, 4]],
    [{ kind: 'shift', values: 'm', axis: 1 }, [0, 1, 2, 0, 4, 5]],
    [{ kind: 'matmul', left: 'm', right: 'v' }, [14, 32]],
    [{ kind: 'matmul', left: 'v', right: 'v' }, 14],
    [{ kind: 'matmul', left: 'w', right: 'm' }, [9, 12, 15]],
  ])('%j', async (block, wanted) => {
    expect(await value([matrix, c('v', [1, 2, 3]), c('w', [1, 2]), { id: 'z', ...block }], 'z')).toEqual(wanted);
  });

  it('concatenates different tables, and goes on with the sum of their lengths', async () => {
    const blocks = [
      col('y'),
      c('x', [7, 8]),
      { id: 'both', kind: 'concatenate', values: ['y', 'x'] },
      { id: 'late', kind: 'slice', values: 'both', start: 2 },
      { id: 'z', kind: 'map', formula: 'late + y' },
    ];
    expect(await value(blocks, 'z')).toEqual([3, 8, 9, 13]);
  });
});

describe('objectives', () => {
  const p = { id: 'p', kind: 'parameter', initial: 2 };

  it('sums squares, with sigma, with weights, without what is missing', async () => {
    const base = { id: 'l', kind: 'least-squares', prediction: 'p', observed: 'o' };
    expect(await value([p, c('o', [1, 4, 'NaN']), base], 'l')).toBe(5);
    expect(await value([p, c('o', [1, 4]), { ...base, sigma: 2 }], 'l')).toBe(1.25);
    expect(await value([p, c('o', [1, 4]), c('w', [3, 0]), { ...base, weights: 'w' }], 'l')).toBe(3);
    expect(await value([p, c('o', [1, 12]), { ...base, loss: { kind: 'huber', scale: 2 } }], 'l')).toBe(
      1 + 2 * 2 * 10 - 4,
    );
    const soft = await value([p, c('o', [5]), { ...base, loss: { kind: 'soft-l1' } }], 'l');
    expect(soft).toBeCloseTo(2 * (Math.sqrt(10) - 1), 12);
    const cauchy = await value([p, c('o', [5]), { ...base, loss: { kind: 'cauchy', scale: 2 } }], 'l');
    expect(cauchy).toBeCloseTo(4 * Math.log(1 + 9 / 4), 12);
  });

  // From the densities in closed form: C(5,2)·0.3²·0.7³, ⅜(1 + z²/4)^(-5/2)/3 for t with 4 degrees, C(4,3)·½⁵, …
  it.each([
    [{ family: 'normal', mean: 2, sigma: 3 }, 1, 2.073106377428338],
    [{ family: 'poisson', mean: 2 }, 3, 1.712317927548219],
    [{ family: 'poisson', mean: 0 }, 0, 0],
    [{ family: 'binomial', probability: 0.3, trials: 5 }, 2, 1.1753853474740237],
    [{ family: 'binomial', probability: 1, trials: 5 }, 5, 0],
    [{ family: 'student-t', mean: 2, scale: 3, degrees: 4 }, 1, 2.147938977150122],
    [{ family: 'negative-binomial', mean: 2, dispersion: 0.5 }, 3, 2.0794415416798357],
    [{ family: 'log-normal', mean: 1, sigma: 3 }, 2, 2.7159290386993007],
  ])('%j', async (block, observed, wanted) => {
    const blocks = [c('o', observed), { id: 'l', kind: 'likelihood', observed: 'o', ...block }];
    expect(await value(blocks, 'l')).toBeCloseTo(wanted, 10);
  });
});

describe('group', () => {
  it('has names of its own, inputs and outputs', async () => {
    const inner = [c('a', 100), { id: 'f', kind: 'map', formula: 'a + x' }, { id: 'g', kind: 'map', formula: 'f * 2' }];
    const group = {
      id: 'q',
      kind: 'group',
      inputs: { x: 'a' },
      blocks: inner,
      outputs: { one: 'f', two: 'g', same: 'x' },
    };
    const blocks = [c('a', [1, 2]), group, { id: 'out', kind: 'map', inputs: { u: 'q.two' }, formula: 'u + a' }];
    expect(await value(blocks, 'q.one')).toEqual([101, 102]);
    expect(await value(blocks, 'out')).toEqual([203, 206]);
    expect(await value(blocks, 'q.same')).toEqual([1, 2]);
  });
});
