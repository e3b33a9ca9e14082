/** The contract on documents: what is read, and what is refused in which words. */
import { describe, expect, it } from 'vitest';
import {
  column,
  constant,
  cotangent,
  documentOf,
  folderWith,
  json,
  map,
  parameter,
  refusal,
  value,
  values,
  written,
} from '../support/command-line.ts';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const T = { tables: { T: { columns: { t: [0, 1, 2], y: [1, 0.61, 0.37], g: ['a', 'b', 'a'] } } } };

describe('what a document may be', () => {
  it('needs no tables and no objective, and a seed, notes and a view change nothing', async () => {
    expect(await value([constant('x', 2)], 'x')).toBe(2);
    const more = {
      name: 'n',
      note: 'words',
      fit: { method: 'newton-cg', seed: 3 },
      view: { positions: { x: [0, 1] } },
    };
    expect(await value([{ ...constant('x', 2), label: 'X', note: 'words', unit: 'm' }], 'x', more)).toBe(2);
    expect(await json('check', written(documentOf([])))).toEqual({ blocks: [], warnings: [] });
  });

  it('takes blocks in any order', async () => {
    expect(await value([map('c', 'b + 1'), map('b', 'a * 2'), constant('a', 5)], 'c')).toBe(11);
  });

  it('writes and reads the numbers that JSON lacks as strings', async () => {
    const blocks = [constant('x', ['NaN', 'Infinity', '-Infinity', 1]), map('y', '-x')];
    expect(await value(blocks, 'y')).toEqual(['NaN', '-Infinity', 'Infinity', -1]);
    expect(await value([constant('x', 'Infinity')], 'x')).toBe('Infinity');
  });

  it('takes __proto__ and constructor for names like any other', async () => {
    const text = `{ "format": "cotangent/1", "tables": { "__proto__": { "columns": { "__proto__": [1, 2], "constructor": [3, 4] } } },
      "blocks": [
        { "id": "__proto__", "kind": "column", "table": "__proto__", "column": "__proto__" },
        { "id": "constructor", "kind": "column", "table": "__proto__", "column": "constructor" },
        { "id": "toString", "kind": "parameter", "initial": 2 },
        { "id": "hasOwnProperty", "kind": "map", "outputs": { "__proto__": "toString * __proto__ + constructor", "valueOf": "1 + constructor" } },
        { "id": "s", "kind": "reduce", "operator": "add", "values": "hasOwnProperty.__proto__" }
      ] }`;
    const path = written(text);
    const found = (await json('evaluate', path, '--output', '__proto__,constructor,hasOwnProperty.__proto__')) as {
      values: object;
    };
    expect(Object.entries(found.values)).toEqual([
      ['__proto__', [1, 2]],
      ['constructor', [3, 4]],
      ['hasOwnProperty.__proto__', [5, 8]],
    ]);
    const { adjoints } = (await json(
      'differentiate',
      path,
      '--of',
      's',
      '--wrt',
      '__proto__,toString,constructor',
    )) as {
      adjoints: object;
    };
    expect(Object.entries(adjoints)).toEqual([
      ['__proto__', [2, 2]],
      ['toString', 3],
      ['constructor', [1, 1]],
    ]);
    const tangent = '{"__proto__": [1, 0], "constructor": [0, 1]}';
    expect(await json('differentiate', path, '--of', 's', '--tangent', tangent)).toEqual({ value: 13, tangent: 3 });
    const set = (await json('evaluate', path, '--output', 's', '--set', 'toString=10')) as { values: object };
    expect(set.values).toEqual({ s: 37 });
  });

  it('takes a string or a list where a key takes one reference or several', async () => {
    const blocks = [
      constant('x', [1, 2, 3]),
      { id: 'a', kind: 'reduce', operator: 'add', values: 'x' },
      { id: 'b', kind: 'reduce', operator: 'add', values: ['x'] },
      { id: 'c', kind: 'scan', operator: 'add', values: ['x'] },
      { id: 'd', kind: 'concatenate', values: 'x' },
      { id: 'keys', kind: 'constant', value: [0, 1, 0] },
      { id: 'h', kind: 'histogram', operator: 'add', keys: 'keys', values: ['x'], bins: 2, initial: ['i'] },
      constant('i', [10, 20]),
    ];
    expect(await values(blocks, ['a', 'b', 'c', 'd', 'h'])).toEqual({
      a: 6,
      b: 6,
      c: [1, 3, 6],
      d: [1, 2, 3],
      h: [14, 22],
    });
  });

  it('takes [] for a real array of length 0', async () => {
    const blocks = [
      constant('x', []),
      map('y', 'x + 1'),
      { id: 's', kind: 'reduce', operator: 'add', values: 'y' },
      { id: 'm', kind: 'reduce', operator: 'min', values: 'y' },
      { id: 'p', kind: 'reduce', operator: 'multiply', values: 'y' },
      { id: 'c', kind: 'scan', operator: 'add', values: 'y' },
      { id: 'h', kind: 'histogram', operator: 'add', keys: 'x', values: 'y', bins: 2 },
    ];
    expect(await values(blocks, ['x', 'y', 's', 'm', 'p', 'c', 'h'])).toEqual({
      x: [],
      y: [],
      s: 0,
      m: 'Infinity',
      p: 1,
      c: [],
      h: [0, 0],
    });
    const { blocks: listed } = (await json('check', written(documentOf([constant('x', [])])))) as { blocks: object[] };
    expect(listed).toEqual([{ id: 'x', kind: 'constant', type: 'real', shape: [0] }]);
  });

  it('warns where units differ, and computes the same', async () => {
    const blocks = [
      { ...constant('m', [1, 2]), unit: 'mg' },
      { ...constant('o', [1, 4]), unit: 'kg' },
      { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'o' },
    ];
    const { warnings } = (await json('check', written(documentOf(blocks)))) as { warnings: string[] };
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/block "l".*"mg".*"kg"/);
    expect(await value(blocks, 'l')).toBe(4);
  });
});

describe('tables in files', () => {
  const block = { id: 't', kind: 'column', table: 'T', column: 't' };
  const from = (file: string, more: object = {}) => ({ tables: { T: { file, ...more } } });

  it.each([
    ['comma', 'd.csv', 't,y\n1.5,2\n3,4\n', {}],
    ['semicolon and decimal comma', 'd.csv', 't;y\n1,5;2\n3;4\n', {}],
    ['tabs', 'd.tsv', 't\ty\n1.5\t2\n3\t4\n', {}],
    ['tabs in a csv', 'd.csv', 't\ty\r\n1.5\t2\r\n3\t4', {}],
    ['a bar that is said', 'd.txt', 't|y\n1.5|2\n3|4\n', { delimiter: '|' }],
    ['a byte order mark', 'd.csv', '\uFEFFt,y\n1.5,2\n3,4\n', {}],
    ['quoted names', 'd.csv', '"t","y"\n1.5,2\n3,4\n', {}],
    ['JSON columns', 'd.json', '{"t": [1.5, 3], "y": [2, 4]}', {}],
    ['JSON rows', 'd.json', '[{"t": 1.5, "y": 2}, {"t": 3, "y": 4}]', {}],
    ['a folder below', 'sub/d.csv', 't,y\n1.5,2\n3,4\n', {}],
  ])('%s', async (_, file, text, more) => {
    expect(await value([block], 't', from(file, more), { [file]: text })).toEqual([1.5, 3]);
  });

  it('reads a file without a header by its columns’ numbers or refuses a wrong name with those it has', async () => {
    const line = await refusal(documentOf([block], from('d.csv', { header: false })), { 'd.csv': '1,2\n3,4\n' });
    expect(line).toMatch(/block "t".*no column "t"/);
  });

  it.each([
    ['../secret.csv', /folder/],
    ['/etc/passwd', /folder/],
    ['a/../../b.csv', /folder/],
    ['http://example.org/x.csv', /folder/],
    ['nothing.csv', /no such file/],
    ['.', /./],
  ])('refuses %s', async (file, reason) => {
    const line = await refusal(documentOf([block], from(file)));
    expect(line).toMatch(/table "T"/);
    expect(line).toMatch(reason);
  });

  it('refuses a link that leads out of the folder', async () => {
    const outside = folderWith({ 'd.csv': 't\n1\n' });
    const folder = folderWith({});
    symlinkSync(join(outside, 'd.csv'), join(folder, 'd.csv'));
    writeFileSync(join(folder, 'm.cot.json'), JSON.stringify(documentOf([block], from('d.csv'))));
    const { status, stderr } = await cotangent('check', join(folder, 'm.cot.json'));
    expect(status).toBe(2);
    expect(stderr).toMatch(/^cotangent: table "T".*folder.*\n$/);
  });

  it('are found beside the document itself where a link leads to it', async () => {
    const there = folderWith({
      'm.cot.json': JSON.stringify(documentOf([block], from('d.csv'))),
      'd.csv': 't\n1\n',
    });
    const link = join(folderWith({ 'd.csv': 'u\n1\n' }), 'l.cot.json');
    symlinkSync(join(there, 'm.cot.json'), link);
    expect(await cotangent('check', link)).toMatchObject({ status: 0 });
    expect(await cotangent('fit', link, '--out', join(there, 'd.csv'))).toMatchObject({
      ...{ status: 2, stderr: expect.stringContaining('a table of the model') },
    });
  });
});

describe('what is refused', () => {
  const cases: [string, unknown, (RegExp | string)[]][] = [
    ['no format', { blocks: [] }, ['format', 'cotangent/1']],
    ['another format version', { format: 'cotangent/2', blocks: [] }, ['cotangent/2', 'cotangent/1']],
    ['no blocks', { format: 'cotangent/1' }, ['blocks']],
    ['an array', [], [/object/]],
    ['an unknown key of the document', documentOf([], { objektive: 'x' }), ['objektive', 'objective']],
    ['an unknown key of a block', documentOf([{ ...constant('c', 1), valu: 2 }]), ['"c"', 'valu', 'value']],
    ['the key constructor', documentOf([{ ...constant('c', 1), constructor: 2 }]), ['"c"', 'constructor']],
    [
      'an unknown key in a state',
      documentOf([{ id: 'r', kind: 'recurrence', steps: 2, state: { x: { initial: 1, next: 'x', nxt: 'x' } } }]),
      ['"r"', 'nxt'],
    ],
    ['an unknown kind', documentOf([{ id: 'c', kind: 'paramter', initial: 1 }]), ['"c"', 'paramter', 'parameter']],
    ['a kind that every object inherits', documentOf([{ id: 'c', kind: 'constructor' }]), ['"c"', 'constructor']],
    ['a missing kind', documentOf([{ id: 'c' }]), ['"c"', 'kind']],
    ['a missing id', documentOf([{ kind: 'constant', value: 1 }]), ['id', '1']],
    ['a bad id', documentOf([constant('2x', 1)]), ['2x']],
    ['a reserved id', documentOf([constant('exp', 1)]), ['exp', 'reserved']],
    ['index as an id', documentOf([constant('index', 1)]), ['index', 'reserved']],
    ['pi as an id', documentOf([constant('pi', 1)]), ['pi', 'reserved']],
    ['if as an id', documentOf([constant('if', 1)]), ['if', 'reserved']],
    ['a duplicate id', documentOf([constant('c', 1), constant('c', 2)]), ['"c"', 'twice']],
    [
      'an unknown reference',
      documentOf([constant('rate', 1), { id: 's', kind: 'reduce', operator: 'add', values: 'rat' }]),
      ['"s"', 'rat', 'rate'],
    ],
    ['an unknown name in a formula', documentOf([constant('rate', 1), map('m', 'rtae * 2')]), ['"m"', 'rtae', 'rate']],
    ['an unknown function', documentOf([constant('x', 1), map('m', 'sqr(x)')]), ['"m"', 'sqr', 'sqrt']],
    [
      'an unknown output',
      documentOf([
        constant('x', 1),
        { id: 'm', kind: 'map', outputs: { a: 'x', b: 'x' } },
        { id: 'n', kind: 'map', formula: 'q', inputs: { q: 'm.c' } },
      ]),
      ['"n"', '"c"', 'm.a', 'm.b'],
    ],
    [
      'a block of several outputs without saying which',
      documentOf([constant('x', 1), { id: 'm', kind: 'map', outputs: { a: 'x', b: 'x' } }, map('n', 'm')]),
      ['"n"', 'm.a', 'm.b'],
    ],
    ['a cycle', documentOf([map('a', 'b'), map('b', 'c'), map('c', 'a')]), ['"a"', '"b"', '"c"']],
    ['a block that takes itself', documentOf([map('a', 'a + 1')]), ['"a"', 'itself']],
    [
      'a cycle through a group',
      documentOf([
        { id: 'g', kind: 'group', inputs: { p: 'm' }, blocks: [map('q', 'p + 1')], outputs: { o: 'q' } },
        { id: 'm', kind: 'map', formula: 'z', inputs: { z: 'g.o' } },
      ]),
      ['"m"', 'itself'],
    ],
    ['an unknown table', documentOf([{ id: 'a', kind: 'column', table: 'U', column: 't' }], T), ['"a"', '"U"']],
    [
      'an unknown column',
      documentOf([{ id: 'a', kind: 'column', table: 'T', column: 'tt' }], T),
      ['"a"', '"tt"', '"t"'],
    ],
    [
      'columns of different length',
      documentOf([], { tables: { T: { columns: { a: [1], b: [1, 2] } } } }),
      ['table "T"', 'b'],
    ],
    [
      'shapes that do not go together',
      documentOf([constant('x', [1, 2]), constant('y', [1, 2, 3]), map('m', 'x + y')]),
      ['"m"', '"x"', '"y"', '[2]', '[3]'],
    ],
    [
      'a bool where a number is wanted',
      documentOf([constant('x', [1, 2]), map('b', 'x > 1'), { id: 's', kind: 'reduce', operator: 'add', values: 'b' }]),
      ['"s"', 'bool'],
    ],
    [
      'a real where an int is wanted',
      documentOf([
        constant('x', [1.5, 2]),
        constant('v', [1, 2]),
        { id: 'h', kind: 'histogram', operator: 'add', keys: 'x', values: 'v', bins: 3 },
      ]),
      ['"h"', 'keys', 'int', 'floor'],
    ],
    ['a condition that is a number', documentOf([constant('x', 1), map('m', 'if(x, 1, 2)')]), ['"m"', 'condition']],
    [
      'a scalar where an array is wanted',
      documentOf([constant('x', 1), { id: 's', kind: 'reduce', operator: 'add', values: 'x' }]),
      ['"s"', 'array', 'scalar'],
    ],
    [
      'an axis that is not there',
      documentOf([constant('x', [1, 2]), { id: 's', kind: 'reduce', operator: 'add', values: 'x', axis: 1 }]),
      ['"s"', 'axis'],
    ],
    ['rank 4', documentOf([constant('x', [[[[1]]]])]), ['"x"', '4', '3']],
    ['a ragged array', documentOf([constant('x', [[1, 2], [3]])]), ['"x"']],
    ['an unknown objective', documentOf([constant('x', 1)], { objective: 'y' }), ['objective', '"y"']],
    ['an objective that is no scalar', documentOf([constant('x', [1, 2])], { objective: 'x' }), ['objective', '"x"']],
    ['an unknown method', documentOf([], { fit: { method: 'simplex' } }), ['method', 'simplex', 'nelder-mead']],
    ['a number as a string', documentOf([constant('x', '1.5')]), ['"x"', 'number']],
    ['null', documentOf([constant('x', null)]), ['"x"', 'null']],
    ['true', documentOf([constant('x', true)]), ['"x"', 'true']],
    [
      'a reference that is none',
      documentOf([{ id: 's', kind: 'reduce', operator: 'add', values: 'a b' }]),
      ['"s"', 'a b'],
    ],
    [
      'an empty list of references',
      documentOf([{ id: 's', kind: 'reduce', operator: 'add', values: [] }]),
      ['"s"', 'values'],
    ],
    [
      'an unknown operator',
      documentOf([constant('x', [1]), { id: 's', kind: 'reduce', operator: 'sum', values: 'x' }]),
      ['"s"', 'sum', '"add"'],
    ],
  ];
  it.each(cases)('%s', async (_, document, wanted) => {
    const line = await refusal(document);
    for (const part of wanted) {
      if (typeof part === 'string') expect(line).toContain(part);
      else expect(line).toMatch(part);
    }
  });

  it.each(['check', 'evaluate', 'differentiate', 'rules'])('by %s alike', async (command) => {
    const options = { check: [], evaluate: ['--output', 'm'], differentiate: ['--of', 'm'], rules: [] }[command] ?? [];
    expect(await refusal(documentOf([map('m', '1 +')]), {}, [command, ...options])).toMatch(/block "m"/);
  });

  it.each([
    ['fit'],
    ['uncertainty', '--method', 'covariance'],
    ['sensitivity', '--method', 'local'],
    ['sensitivity', '--method', 'local', '--of', 'f'],
    ['design', '--range', '{"t": [0, 1]}'],
  ])('a fault in a block of which nothing that is wanted is made: %s', async (...command) => {
    // f would be made of Euler's number, and the quantity not told.
    const blocks = [
      ...[column('t'), column('y'), parameter('a', 1), parameter('e', 5), map('f', 'e*a'), map('m', 'a*exp(-t/2)')],
      ...[{ id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' }],
    ];
    const line = await refusal(documentOf(blocks, { ...T, objective: 'l' }), {}, command);
    expect(line).toContain('"e" is reserved in formulas');
  });

  it('more memory than there is, with both figures', async () => {
    const keys = [constant('k', [0, 1]), constant('v', [1, 2])];
    const line = await refusal(
      documentOf([...keys, { id: 'h', kind: 'histogram', operator: 'add', keys: 'k', values: 'v', bins: 1e15 }]),
    );
    expect(line).toContain('"h"');
    expect(line.match(/\d[\d.,]* ?[KMGTPE]?i?B/g)?.length).toBeGreaterThanOrEqual(2);
    for (const block of [
      { id: 'r', kind: 'range', length: 1e15 },
      { id: 'r', kind: 'recurrence', steps: 1e15, state: { x: { initial: 1, next: 'x' } } },
    ])
      expect(await refusal(documentOf([block]))).toMatch(/"r".*B/);
  });

  it('JSON that says a thing twice, is cut short or none', async () => {
    expect(await refusal('{"format": "cotangent/1", "blocks": [], "blocks": []}')).toMatch(/"blocks".*twice/);
    expect(await refusal('{"format": "cotangent/1", "blocks": [')).toMatch(/no JSON: line 1/);
    expect(await refusal('')).toMatch(/no JSON/);
    expect(await refusal('null')).toMatch(/object/);
    expect(await refusal('[1, 2]')).toMatch(/object/);
  });

  it('a parameter that formulas give nothing by default is no error', async () => {
    expect(await value([parameter('p', 3), map('m', '2')], 'm')).toBe(2);
    expect(await value([column('t'), map('m', '2 * t')], 'm', T)).toEqual([0, 2, 4]);
  });
});
