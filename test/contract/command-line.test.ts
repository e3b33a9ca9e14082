/** The contract on the command line: the JSON of each command to the letter, options, exit statuses. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  column,
  constant,
  cotangent,
  documentOf,
  expectClose,
  folderWith,
  json,
  map,
  parameter,
  written,
  type PlainBlock,
} from '../support/command-line.ts';
import { runProcess } from '../support/process.ts';

const b = (id: string, kind: string, more: PlainBlock): PlainBlock => ({ id, kind, ...more });
const decay = written(
  documentOf(
    [
      column('t'),
      column('y'),
      parameter('A', 1, { lower: 0 }),
      parameter('k', 0.1),
      map('curve', 'A * exp(-k * t)'),
      b('loss', 'least-squares', { prediction: 'curve', observed: 'y' }),
    ],
    { tables: { T: { columns: { t: [0, 1, 2], y: [1, 0.61, 0.37] } } }, objective: 'loss' },
  ),
);
const many = written(
  documentOf([
    constant('x', [1, -2, 3]),
    constant('n', 4, 'int'),
    parameter('P', [
      [1, 2],
      [3, 4],
    ]),
    map('pos', 'x > 0'),
    map('count', 'n + 1'),
    b('two', 'map', { outputs: { s: 'x + 1', q: 'x * x' } }),
    b('sum', 'reduce', { operator: 'add', values: 'two.q' }),
    b('rows', 'reduce', { operator: 'add', values: 'P' }),
    b('cum', 'scan', { operator: 'multiply', values: 'x' }),
    b('h', 'histogram', { operator: 'max', keys: 'x', values: 'x', bins: 2 }),
    map('edge', 'x / 0'),
  ]),
);

describe('check', () => {
  it('lists blocks with their types and shapes', async () => {
    expect(await json('check', decay)).toEqual({
      blocks: [
        { id: 't', kind: 'column', type: 'real', shape: [3] },
        { id: 'y', kind: 'column', type: 'real', shape: [3] },
        { id: 'A', kind: 'parameter', type: 'real', shape: [] },
        { id: 'k', kind: 'parameter', type: 'real', shape: [] },
        { id: 'curve', kind: 'map', type: 'real', shape: [3] },
        { id: 'loss', kind: 'least-squares', type: 'real', shape: [] },
      ],
      warnings: [],
    });
  });
  it('lists blocks in the order of the document, groups by their path', async () => {
    const path = written(
      documentOf(
        [
          map('z', 'g + 1', { inputs: { g: 'g.y' } }),
          b('g', 'group', { blocks: [constant('c', [1, 2]), map('y', 'c > 1')], outputs: { y: 'w' } }),
        ].map((block) => (block.id === 'g' ? { ...block, blocks: [constant('c', [1, 2]), map('w', '2*c')] } : block)),
      ),
    );
    const { blocks } = (await json('check', path)) as {
      blocks: { id: string; kind: string; type: unknown; shape: unknown }[];
    };
    expect(blocks.map(({ id }) => id)).toEqual(['z', 'g', 'g/c', 'g/w']);
    expect(blocks[0]).toEqual({ id: 'z', kind: 'map', type: 'real', shape: [2] });
    expect(blocks[1]).toMatchObject({ id: 'g', kind: 'group', type: 'real', shape: [2] });
    expect(await json('evaluate', path, '--output', 'g/w,g.y')).toEqual({ values: { 'g/w': [2, 4], 'g.y': [2, 4] } });
    expect((await cotangent('evaluate', path, '--output', 'g/nowhere')).status).toBe(2);
  });
  it('prints a table for people', async () => {
    const { status, stdout } = await cotangent('check', decay);
    expect(status).toBe(0);
    expect(stdout).toMatch(/curve +map +real +\[T=3\]/);
  });
});

describe('evaluate', () => {
  it('gives values in the order asked, as JSON writes them', async () => {
    expect(await json('evaluate', many, '--output', 'pos,count,P,two.q,edge,h')).toEqual({
      values: {
        pos: [true, false, true],
        count: 5,
        P: [
          [1, 2],
          [3, 4],
        ],
        'two.q': [1, 4, 9],
        edge: ['Infinity', '-Infinity', 'Infinity'],
        h: ['-Infinity', 1],
      },
    });
    expect(await json('evaluate', many, '--output', 'x', '--output', 'n')).toEqual({ values: { x: [1, -2, 3], n: 4 } });
  });
  it('refuses an output that is not there, or one of several without a name', async () => {
    for (const [output, wanted] of [
      ['nothing', /"nothing"/],
      ['two', /two\.s/],
      ['two.z', /"?z"?/],
      ['x.y', /"x"/],
      ['', /ids|output/],
      ['x,,n', /ids|output/],
    ] as const) {
      const { status, stdout, stderr } = await cotangent('evaluate', many, '--output', output, '--json');
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(wanted);
      expect(stderr).toMatch(/^cotangent: [^\n]*\n$/);
    }
    expect((await cotangent('evaluate', many, '--json')).status).toBe(2);
  });
  it('takes other values of parameters and constants, arrays and infinities too', async () => {
    const set = async (...options: string[]): Promise<unknown> =>
      json('evaluate', many, '--output', 'x,P,count', ...options.flatMap((text) => ['--set', text]));
    expect(await set('x=[5, 6]', 'n=-1', 'P=[[1, "Infinity"]]')).toEqual({
      values: { x: [5, 6], P: [[1, 'Infinity']], count: 0 },
    });
    expect(await set('n=1', 'n=2')).toMatchObject({ values: { count: 3 } });
    const refused = await cotangent('evaluate', many, '--output', 'count', '--set', 'n=1.5');
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/"n".*1\.5/);
  });
  it('computes on every device, in f32 on the CPU where it is said', async () => {
    for (const options of [['--device', 'reference'], ['--device', 'cpu'], ['--device', 'auto'], []])
      expect(await json('evaluate', decay, '--output', 'loss', ...options)).toEqual(
        await json('evaluate', decay, '--output', 'loss'),
      );
    const third = written(documentOf([constant('x', 3), map('t', '1/x')]));
    expect(await json('evaluate', third, '--output', 't', '--precision', 'f32')).toEqual({
      values: { t: Math.fround(1 / 3) },
    });
    expect(await json('evaluate', third, '--output', 't')).toEqual({ values: { t: 1 / 3 } });
  });
});

describe('differentiate', () => {
  const A = 1;
  const t = [0, 1, 2];
  const y = [1, 0.61, 0.37];
  const r = t.map((s, i) => A * Math.exp(-0.1 * s) - y[i]!);
  const loss = r.reduce((sum, x) => sum + x * x, 0);
  const dA = 2 * r.reduce((sum, x, i) => sum + x * Math.exp(-0.1 * t[i]!), 0);
  const dk = 2 * r.reduce((sum, x, i) => sum - x * t[i]! * A * Math.exp(-0.1 * t[i]!), 0);

  it('in reverse by every parameter, or by any real source', async () => {
    expectClose(await json('differentiate', decay, '--of', 'loss'), { value: loss, adjoints: { A: dA, k: dk } }, 1e-12);
    expectClose(
      await json('differentiate', decay, '--of', 'loss', '--wrt', 'k'),
      { value: loss, adjoints: { k: dk } },
      1e-12,
    );
    expectClose(
      await json('differentiate', decay, '--of', 'loss', '--wrt', 'y,t'),
      {
        value: loss,
        adjoints: { y: r.map((x) => -2 * x), t: r.map((x, i) => 2 * x * -0.1 * Math.exp(-0.1 * t[i]!)) },
      },
      1e-12,
    );
    expectClose(
      await json('differentiate', decay, '--of', 'loss', '--set', 'k=0'),
      { value: 0.39 ** 2 + 0.63 ** 2, adjoints: { A: 2 * (0.39 + 0.63), k: -2 * (0.39 + 2 * 0.63) } },
      1e-12,
    );
  });
  it('takes a cotangent of the value’s shape', async () => {
    const e = t.map((s) => Math.exp(-0.1 * s));
    expectClose(
      await json('differentiate', decay, '--of', 'curve', '--cotangent', '[1, 0, -2]'),
      { value: e, adjoints: { A: 1 - 2 * e[2]!, k: 4 * e[2]! } },
      1e-12,
    );
    expectClose(
      await json('differentiate', decay, '--of', 'loss', '--cotangent', '10'),
      { value: loss, adjoints: { A: 10 * dA, k: 10 * dk } },
      1e-12,
    );
    expect(
      await json('differentiate', many, '--of', 'two.q', '--wrt', 'x', '--cotangent', '[1, 1, "Infinity"]'),
    ).toEqual({ value: [1, 4, 9], adjoints: { x: [2, -4, 'Infinity'] } });
    expect(await json('differentiate', many, '--of', 'rows', '--cotangent', '[1, 10]')).toEqual({
      value: [4, 6],
      adjoints: {
        P: [
          [1, 10],
          [1, 10],
        ],
      },
    });
  });
  it('of a source itself, and of what does not depend on it', async () => {
    expect(await json('differentiate', decay, '--of', 'k')).toEqual({ value: 0.1, adjoints: { A: 0, k: 1 } });
    expect(await json('differentiate', many, '--of', 'sum')).toEqual({
      value: 14,
      adjoints: {
        P: [
          [0, 0],
          [0, 0],
        ],
      },
    });
    expect(await json('differentiate', many, '--of', 'x', '--tangent', '{"P": [[1, 1], [1, 1]]}')).toEqual({
      value: [1, -2, 3],
      tangent: [0, 0, 0],
    });
  });
  it('forwards', async () => {
    expectClose(
      await json('differentiate', decay, '--of', 'loss', '--tangent', '{"A": 1, "k": -2}'),
      { value: loss, tangent: dA - 2 * dk },
      1e-12,
    );
    expectClose(
      await json('differentiate', decay, '--of', 'curve', '--tangent', '{"t": [1, 0, 0]}'),
      { value: t.map((s) => Math.exp(-0.1 * s)), tangent: [-0.1, 0, 0] },
      1e-12,
    );
    expect(await json('differentiate', decay, '--of', 'k', '--tangent', '{}')).toEqual({ value: 0.1, tangent: 0 });
  });
  it('refuses what has no derivative and what does not fit', async () => {
    const cases: [string, string[], RegExp][] = [
      [decay, ['--of', 'curve'], /cotangent/],
      [decay, ['--of', 'curve', '--cotangent', '[1, 2]'], /\[3\]/],
      [decay, ['--of', 'curve', '--cotangent', '1'], /\[3\]/],
      [decay, ['--of', 'loss', '--cotangent', '[1'], /JSON/],
      [decay, ['--of', 'loss', '--cotangent', '"x"'], /number/],
      [decay, ['--of', 'loss', '--cotangent', 'null'], /number/],
      [decay, ['--of', 'loss', '--wrt', 'curve'], /"curve".*map/],
      [decay, ['--of', 'loss', '--wrt', 'kk'], /"kk".*"k"/],
      [decay, ['--of', 'loss', '--tangent', '{"k": [1]}'], /"k"/],
      [decay, ['--of', 'loss', '--tangent', '{"j": 1}'], /"j"/],
      [decay, ['--of', 'loss', '--tangent', '[1]'], /object/],
      [decay, ['--of', 'loss', '--tangent', '{"k": 1}', '--wrt', 'k'], /tangent/],
      [decay, ['--of', 'los'], /"los".*"loss"/],
      [decay, [], /--of/],
      [many, ['--of', 'pos', '--wrt', 'x'], /"pos".*bool/],
      [many, ['--of', 'count', '--wrt', 'n'], /"count".*int/],
      [many, ['--of', 'sum', '--wrt', 'n'], /"n".*int/],
      [many, ['--of', 'two', '--wrt', 'x'], /two\.s/],
    ];
    for (const [path, options, wanted] of cases) {
      const { status, stdout, stderr } = await cotangent('differentiate', path, ...options, '--json');
      expect(stderr).toMatch(wanted);
      expect(stderr).toMatch(/^cotangent: [^\n]*\n$/);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    }
  });
});

describe('rules', () => {
  it('tells for every reduce, scan and histogram what was chosen and what was passed over', async () => {
    const { blocks } = (await json('rules', many)) as { blocks: Record<string, unknown>[] };
    expect(blocks.map(({ id }) => id).sort()).toEqual(['cum', 'h', 'rows', 'sum']);
    for (const block of blocks) {
      expect(Object.keys(block)).toEqual(['id', 'construct', 'rule', 'stored', 'of', 'cost', 'passedOver']);
      expect(typeof block['rule']).toBe('string');
      expect(Number.isFinite(block['cost'])).toBe(true);
      for (const other of block['passedOver'] as object[]) expect(Object.keys(other)).toEqual(['rule', 'cost']);
    }
    expect(new Set(blocks.map(({ construct }) => construct))).toEqual(new Set(['reduce', 'scan', 'histogram']));
    expect(await json('rules', written(documentOf([constant('x', 1)])))).toEqual({ blocks: [] });
  });
  it('does so in groups, and for blocks that take no parameter', async () => {
    const path = written(
      documentOf([
        b('g', 'group', {
          blocks: [constant('c', [1, 2]), b('s', 'reduce', { operator: 'min', values: 'c' })],
          outputs: { s: 's' },
        }),
      ]),
    );
    const { blocks } = (await json('rules', path)) as { blocks: { id: string }[] };
    expect(blocks.map(({ id }) => id)).toEqual(['g/s']);
  });
  it('passes over what is int', async () => {
    const path = written(
      documentOf([constant('i', [1, 2], 'int'), b('s', 'reduce', { operator: 'add', values: 'i' })]),
    );
    expect((await cotangent('rules', path, '--json')).status).toBe(0);
  });
});

describe('devices', () => {
  it('lists what was found and why', async () => {
    const { devices } = (await json('devices')) as { devices: Record<string, unknown>[] };
    expect(devices.map(({ kind }) => kind).sort()).toEqual(['cpu', 'reference', 'webgpu']);
    for (const device of devices) {
      expect(Object.keys(device).sort()).toEqual(['kind', 'name', 'usable', 'why']);
      expect([typeof device['name'], typeof device['usable'], typeof device['why']]).toEqual([
        'string',
        'boolean',
        'string',
      ]);
    }
  });
});

describe('files and arguments', () => {
  it('refuses what is no model file', async () => {
    const folder = folderWith({ 'text.json': 'hello', 'empty.json': '', 'model.csv': 'a,b\n1,2\n' });
    mkdirSync(join(folder, 'd.cot.json'));
    for (const [name, wanted] of [
      ['text.json', /no JSON/],
      ['empty.json', /no JSON/],
      ['model.csv', /no JSON/],
      ['d.cot.json', /folder|directory/],
      ['none.cot.json', /no such file/],
    ] as const)
      for (const command of [
        ['check'],
        ['evaluate', '--output', 'x'],
        ['differentiate', '--of', 'x'],
        ['rules'],
        ['fit'],
      ]) {
        const [verb = '', ...options] = command;
        const args = [verb, join(folder, name), ...options, '--json'];
        const { status, stdout, stderr } =
          verb === 'fit' && name !== 'none.cot.json' ? await cotangent(...args) : await cotangent(...args);
        expect(stderr).toMatch(wanted);
        expect(stderr).toMatch(/^cotangent: [^\n]*\n$/);
        expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      }
  });
  it('takes the file:// URL of a model for its path, as desktops give it', async () => {
    const folder = folderWith({ 'my decay.cot.json': readFileSync(decay, 'utf8') });
    const url = pathToFileURL(join(folder, 'my decay.cot.json')).href;
    expect(url).toContain('%20');
    expect((await cotangent('check', url)).status).toBe(0);
    const { status, stderr } = await cotangent('check', 'file://elsewhere/decay.cot.json');
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringMatching(/^cotangent: .*a path/) });
  });
  it('reads tables beside the document, wherever it is called from', async () => {
    const folder = folderWith({
      'm.cot.json': JSON.stringify(documentOf([column('t')], { tables: { T: { file: 'd.csv' } } })),
    });
    writeFileSync(join(folder, 'd.csv'), 't\n1\n2\n');
    const found = await runProcess(['evaluate', 'm.cot.json', '--output', 't', '--json'], { cwd: folder });
    expect(found).toEqual({ status: 0, stdout: '{"values":{"t":[1,2]}}\n', stderr: '' });
    const above = await runProcess(['evaluate', join(folder, 'm.cot.json'), '--output', 't', '--json'], {
      cwd: dirname(folder),
    });
    expect(above.stdout).toBe('{"values":{"t":[1,2]}}\n');
  });
  it('refuses unknown commands, options and numbers of arguments in one line', async () => {
    for (const args of [
      ['chek', decay],
      ['check'],
      ['check', decay, decay],
      ['check', decay, '--bogus'],
      ['evaluate', decay, '--output'],
      ['fit', decay, '--starts', 'x'],
      ['serve', '--port', '70000'],
      ['check', decay, '--device', 'gpu'],
      ['check', decay, '--precision', 'f16'],
    ]) {
      const { status, stdout, stderr } = await runProcess(args);
      expect(stderr).toMatch(/^cotangent: [^\n]*\n$/);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    }
  });
  it('calls a mistyped option unknown, and not another one missing', async () => {
    const said = async (...args: string[]) => (await cotangent(...args)).stderr;
    expect(await said('evaluate', decay, '--outptu', 'curve')).toMatch(/unknown option '--outptu'.*--output/);
    expect(await said('evaluate', decay)).toMatch(/^cotangent: required option '--output <ids>' not specified\n$/);
    expect(await said('uncertainty', decay, '--metod', 'profile')).toMatch(/unknown option '--metod'/);
  });

  it('prints the licences of all that is bundled with status 0', async () => {
    const { status, stdout } = await cotangent('--licenses');
    expect(status).toBe(0);
    for (const name of ['MIT License', 'katex', 'svelte', 'hyparquet', '@fontsource-variable/inter', 'SIL OPEN FONT'])
      expect(stdout).toContain(name);
  });

  it('prints help and version with status 0', async () => {
    for (const args of [['--help'], ['fit', '--help'], ['--version']]) {
      const { status, stdout, stderr } = await runProcess(args);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout.length).toBeGreaterThan(3);
    }
  });
});

describe('hessian', () => {
  const path = written(
    documentOf(
      [
        parameter('A', 2),
        parameter('ke', [1, 3]),
        parameter('K', [[5, 7]]),
        parameter('idle', 1),
        parameter('f', 4, { fixed: true }),
        map('terms', 'A^2 * ke + f * ke^3'),
        b('s', 'reduce', { operator: 'add', values: 'terms' }),
        b('k', 'reduce', { operator: 'multiply', values: 'K', axis: 1 }),
        b('z', 'reduce', { operator: 'add', values: 'k' }),
        map('total', 's + z'),
      ],
      { objective: 'total' },
    ),
  );
  const names = ['A', 'ke[0]', 'ke[1]', 'K[0,0]', 'K[0,1]', 'idle', 'f'];
  // Σ A²k + f k³ + K₀K₁ at A = 2, k = (1, 3), f = 4
  const rows = [
    [8, 4, 4, 0, 0, 0, 0],
    [4, 24, 0, 0, 0, 0, 3],
    [4, 0, 72, 0, 0, 0, 27],
    [0, 0, 0, 0, 1, 0, 0],
    [0, 0, 0, 1, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0],
    [0, 3, 27, 0, 0, 0, 0],
  ];
  it('of the objective, or of any real scalar, over the parameters by name', async () => {
    for (const device of ['reference', 'cpu']) {
      expectClose(await json('hessian', path, '--device', device), { parameters: names, hessian: rows });
      const ofZ = (await json('hessian', path, '--of', 'z', '--device', device)) as { hessian: number[][] };
      expectClose(ofZ.hessian[3], [0, 0, 0, 0, 1, 0, 0]);
    }
  });
  it('times a vector in that order', async () => {
    const vector = [1, 2, 3, 4, 5, 6, 7];
    const product = rows.map((row) => row.reduce((sum, x, i) => sum + x * vector[i]!, 0));
    const { hessian, ...rest } = (await json('hessian', path, '--vector', JSON.stringify(vector))) as {
      hessian?: unknown;
    };
    expect(hessian).toBeUndefined();
    expectClose(rest, { parameters: names, product });
  });
  it('refuses a vector of another length, what is no scalar, and a document without an objective', async () => {
    for (const [model, options, wanted] of [
      [path, ['--vector', '[1, 2]'], /7/],
      [path, ['--vector', '{}'], /vector/],
      [path, ['--of', 'terms'], /"terms".*scalar/],
      [path, ['--of', 'none'], /"none"/],
      [many, [], /objective/],
    ] as [string, string[], RegExp][]) {
      const { status, stdout, stderr } = await cotangent('hessian', model, ...options, '--json');
      expect(stderr).toMatch(wanted);
      expect(stderr).toMatch(/^cotangent: [^\n]*\n$/);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    }
  });
});
