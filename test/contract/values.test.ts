/** The contract on values: columns and their types, int arithmetic, broadcasting, bool. */
import { describe, expect, it } from 'vitest';
import { column, constant, documentOf, json, map, refusal, value, values, written } from '../support/command-line.ts';

const inFile = (text: string) => [{ tables: { T: { file: 'd.csv' } } }, { 'd.csv': text }] as const;
const inline = (columns: object) => ({ tables: { T: { columns } } });

interface Listed {
  blocks: { id: string; type: string; shape: number[] }[];
  warnings: string[];
}
async function check(
  blocks: readonly object[],
  more: object = {},
  files: Record<string, string> = {},
): Promise<Listed> {
  return (await json('check', written(documentOf(blocks as never, more as never), files))) as Listed;
}

describe('columns', () => {
  it('of numbers are real, whole or not', async () => {
    const { blocks } = await check([column('a'), column('b')], ...inFile('a,b\n1,1.5\n2,2\n'));
    expect(blocks.map(({ type }) => type)).toEqual(['real', 'real']);
  });

  it('have missing cells as NaN', async () => {
    const cells = ['', 'NA', 'NaN', 'null', '7'];
    const text = `a,b\n${cells.map((cell) => `${cell},1`).join('\n')}\n`;
    expect(await value([column('a')], 'a', ...inFile(text))).toEqual(['NaN', 'NaN', 'NaN', 'NaN', 7]);
    expect(await value([column('a')], 'a', inline({ a: [null, 'NaN', 'NA', 2, 'Infinity'] }))).toEqual([
      'NaN',
      'NaN',
      'NaN',
      2,
      'Infinity',
    ]);
  });

  it('of nothing but missing cells are real', async () => {
    expect(await value([column('a')], 'a', ...inFile('a,b\n,1\nNA,2\n'))).toEqual(['NaN', 'NaN']);
  });

  it('of text are categories, coded in order of first appearance', async () => {
    expect(await value([column('s')], 's', ...inFile('s\nb\na\nb\nc\n'))).toEqual([0, 1, 0, 2]);
    const { blocks } = await check([column('s')], ...inFile('s\nb\na\n'));
    expect(blocks[0]?.type).toBe('int');
  });

  it('of quoted cells are text, also where the text is a number', async () => {
    expect(await value([column('s')], 's', ...inFile('s\n"20"\n"10"\n"20"\n'))).toEqual([0, 1, 0]);
    expect(await value([column('s')], 's', inline({ s: ['20', '10', '20'] }))).toEqual([0, 1, 0]);
  });

  it('that mix numbers and text are refused with row and cell, unless a type is said', async () => {
    const [more, files] = inFile('a\n1\n2\nx7\n4\n');
    const line = await refusal(documentOf([column('a')], more), files);
    expect(line).toMatch(/block "a".*row 3.*"x7"/);
    expect(await value([column('a', { type: 'category' })], 'a', more, files)).toEqual([0, 1, 2, 3]);
    expect(await value([column('a', { type: 'real' })], 'a', more, files)).toEqual([1, 2, 'NaN', 4]);
    expect(await refusal(documentOf([column('a', { type: 'int' })], more), files)).toMatch(/row 3.*"x7"/);
    const quoted = await refusal(documentOf([column('a')], more), { 'd.csv': 'a\n1\n"2"\n' });
    expect(quoted).toMatch(/row 2.*"2"/);
  });

  it('of type int want no empty cell, and whole ones', async () => {
    expect(await refusal(documentOf([column('a', { type: 'int' })], inline({ a: [1, null, 3] })))).toMatch(/row 2/);
    expect(await refusal(documentOf([column('a', { type: 'int' })], inline({ a: [1, 2.5] })))).toMatch(/row 2.*2\.5/);
    expect(await refusal(documentOf([column('a', { type: 'int' })], inline({ a: [1, 3e9] })))).toMatch(
      /32 bits.*row 2/,
    );
    const { blocks } = await check([column('a', { type: 'int' })], inline({ a: [1, -2] }));
    expect(blocks).toEqual([{ id: 'a', kind: 'column', type: 'int', shape: [2] }]);
  });

  it('of type real may be quoted', async () => {
    expect(await value([column('a', { type: 'real' })], 'a', ...inFile('a\n"1.5"\n"2"\n'))).toEqual([1.5, 2]);
  });

  it('of numbers as categories', async () => {
    expect(await value([column('a', { type: 'category' })], 'a', inline({ a: [30, 10, 30, 20] }))).toEqual([
      0, 1, 0, 2,
    ]);
  });

  it('of ISO dates are real days since the first', async () => {
    const text = 'd\n2024-02-27\n2024-03-01\n2024-02-26\n';
    expect(await value([column('d')], 'd', ...inFile(text))).toEqual([0, 3, -1]);
    expect(await value([column('d')], 'd', inline({ d: ['2023-12-31', '2024-01-01T12:00:00Z'] }))).toEqual([0, 1.5]);
  });

  it('take exponents, signs and white space', async () => {
    expect(await value([column('a')], 'a', ...inFile('a\n 1e-3 \n+2.5\n-.5\n1E2\n'))).toEqual([0.001, 2.5, -0.5, 100]);
  });

  it('of whole cells are int where keys or indices want it, and missing ones are out of range', async () => {
    const blocks = [
      column('k'),
      constant('v', [1, 2, 3]),
      { id: 'h', kind: 'histogram', operator: 'add', keys: 'k', values: 'v', bins: 2 },
      { id: 'g', kind: 'gather', from: 'v', indices: 'i' },
      constant('i', [2, 0]),
    ];
    expect(await values(blocks, ['h', 'g'], inline({ k: [1, 0, 1] }))).toEqual({ h: [2, 4], g: [3, 1] });
    expect(await value(blocks, 'h', inline({ k: [1, null, 1] }))).toEqual([0, 4]);
  });

  it('of dates, categories and numbers give keys with their labels', async () => {
    const blocks = [
      column('s'),
      column('v'),
      { id: 'h', kind: 'histogram', operator: 'add', keys: 's', values: 'v', bins: 's' },
      { id: 'p', kind: 'parameter', initial: 1, like: 's' },
      { id: 'g', kind: 'gather', from: 'p', indices: 's' },
    ];
    const T = inline({ s: ['b', 'a', 'b', 'c'], v: [1, 2, 4, 8] });
    expect(await values(blocks, ['h', 'p', 'g'], T)).toEqual({ h: [5, 2, 8], p: [1, 1, 1], g: [1, 1, 1, 1] });
  });
});

describe('int', () => {
  const i = (id: string, v: unknown) => constant(id, v, 'int');
  it('wraps at 32 bits', async () => {
    const blocks = [
      i('a', 2147483647),
      i('b', 65536),
      map('s', 'a + 1'),
      map('p', 'b * b'),
      map('n', '-a - 2'),
      map('q', 'b * 65537'),
    ];
    expect(await values(blocks, ['s', 'p', 'n', 'q'])).toEqual({ s: -2147483648, p: 0, n: 2147483647, q: 65536 });
  });

  it('stays int for + - * mod min max, and whole literals beside it are int', async () => {
    const formulas = ['a + 1', 'a - b', 'a * 2', 'mod(a, 3)', 'min(a, b)', 'max(a, 4)', '-a', 'if(a > b, a, 1)'];
    const blocks = [i('a', 7), i('b', -2), ...formulas.map((formula, n) => map(`m${n}`, formula))];
    const listed = (await check(blocks)).blocks.slice(2).map(({ type }) => type);
    expect(listed).toEqual(formulas.map(() => 'int'));
    const wanted = [8, 9, 14, 1, -2, 7, -7, 7];
    expect(
      await values(
        blocks,
        formulas.map((_, n) => `m${n}`),
      ),
    ).toEqual(Object.fromEntries(wanted.map((w, n) => [`m${n}`, w])));
  });

  it('becomes real by / ^ and functions, and beside a real', async () => {
    const formulas = [
      'a / b',
      'a ^ 2',
      'sqrt(a)',
      'a + 0.5',
      'real(a)',
      'abs(a)',
      'a + x',
      'if(a > b, a, 0.5)',
      'a + 1.0',
    ];
    const blocks = [i('a', 7), i('b', 2), constant('x', 1), ...formulas.map((formula, n) => map(`m${n}`, formula))];
    expect((await check(blocks)).blocks.slice(3).map(({ type }) => type)).toEqual(formulas.map(() => 'real'));
    expect(await values(blocks, ['m0', 'm1', 'm4', 'm5', 'm6'])).toEqual({ m0: 3.5, m1: 49, m4: 7, m5: 7, m6: 8 });
  });

  it('of mod has the sign of the divisor, as x − y·floor(x/y)', async () => {
    const blocks = [
      i('a', [7, -7, 7, -7]),
      i('b', [3, 3, -3, -3]),
      map('m', 'mod(a, b)'),
      map('r', 'mod(real(a) + 0.5, real(b))'),
    ];
    expect(await values(blocks, ['m', 'r'])).toEqual({ m: [1, 2, -2, -1], r: [1.5, 2.5, -1.5, -0.5] });
  });

  it('comes of rounding where int is wanted, else real', async () => {
    const blocks = [
      constant('x', [0.2, 1.7, 2.5, -0.5]),
      constant('v', [1, 2, 4, 8]),
      map('f', 'floor(x)'),
      map('r', 'round(x)'),
      { id: 'h', kind: 'histogram', operator: 'add', keys: 'r', values: 'v', bins: 3 },
      { id: 'g', kind: 'gather', from: 'v', indices: 'b' },
      { id: 'b', kind: 'map', formula: 'floor(x) + 1' },
    ];
    expect((await check(blocks)).blocks.filter(({ id }) => id === 'f' || id === 'r').map(({ type }) => type)).toEqual([
      'real',
      'real',
    ]);
    expect(await values(blocks, ['h', 'g', 'r'])).toEqual({ h: [9, 0, 6], g: [2, 4, 8, 1], r: [0, 2, 2, 0] });
  });

  it('is a length and an index', async () => {
    const blocks = [
      constant('x', [5, 6, 7]),
      map('n', 'length(x)'),
      map('k', 'index + 0 * floor(x)'),
      map('j', 'mod(index, length(x)) + 0*x'),
    ];
    expect(await values(blocks, ['n', 'k', 'j'])).toEqual({ n: 3, k: [0, 1, 2], j: [0, 1, 2] });
  });

  it('that can wrap is warned of', async () => {
    const blocks = [column('a', { type: 'int' }), { id: 's', kind: 'reduce', operator: 'add', values: 'a' }];
    const { warnings } = await check(blocks, inline({ a: [2e9, 2e9] }));
    expect(warnings.join()).toMatch(/block "s".*wraps/);
    expect(await value(blocks, 's', inline({ a: [2e9, 2e9] }))).toBe(4e9 - 2 ** 32);
    const mapped = await check([column('a', { type: 'int' }), map('m', 'a * 2')], inline({ a: [2e9, 1] }));
    expect(mapped.warnings.join()).toMatch(/block "m".*wrap/);
  });
});

describe('broadcasting', () => {
  const one = { tables: { T: { columns: { a: [5] } }, U: { columns: { b: [1, 2, 3] } } } };
  const b = { id: 'b', kind: 'column', table: 'U', column: 'b' };

  it('as NumPy over literal sizes', async () => {
    const blocks = [
      constant('r', [1, 2, 3]),
      constant('k', [[10], [20]]),
      constant('u', [7]),
      map('m', 'r + k'),
      map('n', 'r + u'),
      map('z', 'k + 1'),
      constant('t', [[[1, 2, 3]], [[4, 5, 6]]]),
      map('w', 't + k'),
    ];
    expect(await values(blocks, ['m', 'n', 'z', 'w'])).toEqual({
      m: [
        [11, 12, 13],
        [21, 22, 23],
      ],
      n: [8, 9, 10],
      z: [[11], [21]],
      w: [
        [
          [11, 12, 13],
          [21, 22, 23],
        ],
        [
          [14, 15, 16],
          [24, 25, 26],
        ],
      ],
    });
  });

  it('never over the axis of a column, were it of one row', async () => {
    const line = await refusal(documentOf([column('a'), b, map('m', 'a + b')], one));
    expect(line).toMatch(/block "m".*"a".*"b"/);
    expect(await refusal(documentOf([column('a'), constant('c', [1, 2]), map('m', 'a + c')], one))).toMatch(/"m"/);
    expect(await value([column('a'), constant('c', [[1], [2]]), map('m', 'a + c')], 'm', one)).toEqual([[6], [7]]);
    expect(await value([column('a'), constant('c', [3]), map('m', 'a + c')], 'm', one)).toEqual([8]);
    expect(await value([column('a'), constant('c', 3), map('m', 'a + c')], 'm', one)).toEqual([8]);
  });

  it('keeps the axis of a one-row table through every block', async () => {
    const blocks = [
      column('a'),
      b,
      map('d', 'a * 2'),
      { id: 's', kind: 'scan', operator: 'add', values: 'd' },
      map('m', 's + b'),
    ];
    expect(await refusal(documentOf(blocks, one))).toMatch(/"m"/);
    const range = [column('a'), b, { id: 'r', kind: 'range', like: 'a' }, map('m', 'r + b')];
    expect(await refusal(documentOf(range, one))).toMatch(/"m"/);
  });

  it('compares sizes by value: columns of two tables of one length go together', async () => {
    const two = { tables: { T: { columns: { a: [1, 2] } }, U: { columns: { b: [10, 20] } } } };
    expect(await value([column('a'), b, map('m', 'a + b')], 'm', two)).toEqual([11, 22]);
  });

  it('takes a table without rows', async () => {
    const none = { tables: { T: { columns: { a: [] } } } };
    expect(
      await values(
        [column('a'), map('m', 'a + 1'), { id: 's', kind: 'reduce', operator: 'max', values: 'm' }],
        ['m', 's'],
        none,
      ),
    ).toEqual({ m: [], s: '-Infinity' });
  });
});

describe('bool', () => {
  it('is printed as true and false, and made real by real', async () => {
    const blocks = [
      constant('x', [1, 2, 3]),
      map('c', 'x >= 2 and not (x == 3)'),
      map('r', 'real(c) + 1'),
      map('q', 'if(c, x, -x)'),
      map('f', 'c == true or x < 2'),
    ];
    expect(await values(blocks, ['c', 'r', 'q', 'f'])).toEqual({
      c: [false, true, false],
      r: [1, 2, 1],
      q: [-1, 2, -3],
      f: [true, true, false],
    });
    expect((await check(blocks)).blocks[1]).toEqual({ id: 'c', kind: 'map', type: 'bool', shape: [3] });
  });

  it('is no number', async () => {
    expect(await refusal(documentOf([constant('x', 1), map('m', '(x > 0) + 1')]))).toMatch(/"m"/);
    expect(await refusal(documentOf([constant('x', 1), map('m', 'x and 1')]))).toMatch(/"m"/);
  });

  it('goes through gather, concatenate, slice, reverse, reshape and transpose', async () => {
    const blocks = [
      constant('x', [1, 2, 3, 4]),
      map('c', 'x > 2'),
      constant('i', [3, 0]),
      { id: 'g', kind: 'gather', from: 'c', indices: 'i' },
      { id: 'k', kind: 'concatenate', values: ['c', 'g'] },
      { id: 's', kind: 'slice', values: 'c', start: 1, stop: 3 },
      { id: 'r', kind: 'reverse', values: 'c' },
      { id: 'z', kind: 'reshape', values: 'c', shape: [2, -1] },
      { id: 't', kind: 'transpose', values: 'z' },
    ];
    expect(await values(blocks, ['g', 'k', 's', 'r', 't'])).toEqual({
      g: [true, false],
      k: [false, false, true, true, true, false],
      s: [false, true],
      r: [true, true, false, false],
      t: [
        [false, true],
        [false, true],
      ],
    });
  });
});
