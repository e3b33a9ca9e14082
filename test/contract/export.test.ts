/** The contract on `export`: targets, standard output, files, refusals, and values that agree with `evaluate`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pythonRuns, runPython } from '../support/python.ts';
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
} from '../support/command-line.ts';

const tables = {
  tables: { T: { columns: { t: [0, 1, 2], y: [1, 0.61, null], who: ['b', 'say "hi", you', 'b'] } } },
};
const decay = (): string =>
  written(
    documentOf(
      [
        column('t'),
        column('y'),
        column('who'),
        parameter('A', 1, { lower: 0 }),
        parameter('lambda', 0.5),
        constant('grid', [
          [1, 2],
          [3, 4],
        ]),
        map('curve', 'if(t > 0, A * exp(-lambda * t) / sqrt(t), A)'),
        map('late', 't > 0'),
        { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
        { id: 'total', kind: 'scan', operator: 'add', values: 'curve', reverse: true },
      ],
      { ...tables, objective: 'loss', name: 'Decay "of" \\ things' },
    ),
  );

const targets = ['jax', 'futhark', 'wgsl', 'csv'];

describe('export', () => {
  it.each(targets)('%s: the same text on standard output, in JSON and in a file', async (to) => {
    const path = decay();
    const { status, stdout, stderr } = await cotangent('export', path, '--to', to);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.length).toBeGreaterThan(40);
    expect(await json('export', path, '--to', to)).toEqual({ to, text: stdout });
    const file = join(folderWith({}), 'out');
    expect(await cotangent('export', path, '--to', to, '--out', file)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(stdout);
  });

  it('refuses an unknown target, none, a faulty document and a file that cannot be written', async () => {
    const path = decay();
    for (const args of [
      [path, '--to', 'fortran'],
      [path],
      [written(documentOf([map('y', 'nowhere')])), '--to', 'jax'],
      [path, '--to', 'csv', '--out', join(folderWith({}), 'no', 'where', 'f.csv')],
    ]) {
      const { status, stdout, stderr } = await cotangent('export', ...args);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^cotangent: [^\n]+\n$/);
    }
  });
});

describe('export --to csv', () => {
  it('has a column for each output, quoted as RFC 4180 wants, shorter ones ending early', async () => {
    const { stdout } = await cotangent('export', decay(), '--to', 'csv', '--set', 'lambda=0');
    const rows = stdout.split('\r\n');
    expect(rows[0]).toBe('t,y,who,A,lambda,"grid[0]","grid[1]",curve,late,loss,total'.replaceAll('"', ''));
    expect(rows[1]?.startsWith('0,1,b,1,0,1,2,1,false,')).toBe(true);
    expect(rows[2]?.startsWith('1,0.61,"say ""hi"", you",,,3,4,1,true,,')).toBe(true);
    expect(rows[3]?.startsWith('2,NaN,b,,,,,0.7071067811865')).toBe(true);
    expect(rows.slice(4)).toEqual(['']);
  });
});

describe('export --to wgsl', () => {
  it('heads every kernel with its block and sizes', async () => {
    const { stdout } = await cotangent('export', decay(), '--to', 'wgsl');
    expect(stdout).toMatch(/^\/\/ kernel \d+(\.\d+)?: \w[\w-]* of block "loss"$/m);
    expect(stdout.match(/^\/\/ kernel /gm)?.length).toBe(stdout.match(/fn main\(/g)?.length);
  });
});

it.each(['jax', 'wgsl'])('%s: a solver has room for twice the steps that its start takes', async (to) => {
  const state = { X: { initial: 1, rate: 'om*Y' }, Y: { initial: 0, rate: '-om*X' } };
  const oscillator = (times: readonly number[]) =>
    written(
      documentOf([
        { id: 't', kind: 'constant', value: times },
        parameter('om', 2),
        { id: 'm', kind: 'ode', times: 't', state },
      ]),
    );
  const room = async (times: readonly number[]): Promise<number> => {
    const { stdout } = await cotangent('export', oscillator(times), '--to', to);
    return Number(/growing_slots = (\d+)/.exec(stdout)?.[1]);
  };
  expect(await room([0, 0.1])).toBe(32);
  // Of Tsit5 at 10⁻⁶ some 500 steps and more.
  expect(await room([0, 200])).toBeGreaterThan(1000);
});

describe('export --to jax', () => {
  it.runIf(pythonRuns('import jax'))('computes and differentiates as the command line does', async () => {
    const path = decay();
    const { stdout } = await cotangent('export', path, '--to', 'jax');
    const tail = 'print(json.dumps({k: v.tolist() for k, v in outputs(initial).items()}))';
    const [found, outputs] = runPython(`${stdout}\n${tail}\n`).trim().split('\n') as [string, string];
    const { value, adjoints } = (await json('differentiate', path, '--of', 'loss')) as Record<string, unknown>;
    expectClose(JSON.parse(found), { objective: value, gradient: adjoints }, 1e-12);
    const { values } = (await json('evaluate', path, '--output', 'curve,late,loss,total')) as Record<string, unknown>;
    expectClose(JSON.parse(outputs), values, 1e-12);
  });

  it.runIf(pythonRuns('import jax'))('has the derivatives of kinks, and of x*log(y) where both are 0', async () => {
    const path = written(
      documentOf(
        [
          parameter('p', 0),
          parameter('z', 0),
          { id: 'none', kind: 'constant', value: 0 },
          { id: 'l', kind: 'likelihood', family: 'binomial', observed: 'none', probability: 'z', trials: 3 },
          map('loss', 'abs(p) + 2*p + xlogy(z, 2) + xlogy(none, z) + l'),
        ],
        { objective: 'loss' },
      ).valueOf(),
    );
    const { stdout } = await cotangent('export', path, '--to', 'jax');
    const tail =
      'print(json.dumps([{k: float(d(objective)(initial)[k]) for k in "pz"} for d in (jax.grad, jax.jacfwd)]))';
    const [, ...found] = runPython(`${stdout}\n${tail}\n`).trim().split('\n');
    const wanted = { p: 2, z: Math.LN2 + 3 };
    const { adjoints } = (await json('differentiate', path, '--of', 'loss')) as Record<string, unknown>;
    expectClose(adjoints, wanted, 1e-12);
    expectClose(JSON.parse(found.at(-1)!), [wanted, wanted], 1e-12);
  });

  it('names what the model calls constructor, lambda or jnp without harm', async () => {
    const path = written(
      documentOf(
        [
          parameter('__proto__', 1),
          parameter('jnp', 2),
          map('lambda', '__proto__ * jnp'),
          map('constructor', 'lambda^2'),
        ],
        { objective: 'constructor' },
      ).valueOf(),
    );
    const { stdout, status } = await cotangent('export', path, '--to', 'jax');
    expect(status).toBe(0);
    expect(stdout).toContain('lambda_2 = __proto__ * jnp_2');
    expect(stdout).toContain('"constructor": constructor');
  });
});

describe('report', () => {
  it('is one HTML file with fit, plots, formulas and data, and nothing from elsewhere', async () => {
    const path = join('models', 'catalogue', 'misra1a.cot.json');
    const file = join(folderWith({}), 'report.html');
    expect(await cotangent('report', path, '--out', file)).toEqual({ status: 0, stdout: '', stderr: '' });
    const html = readFileSync(file, 'utf8');
    for (const part of ['<!doctype html>', '<h2>Fit</h2>', 'converged', '<svg ', '<h2>Model</h2>', '<h2>Data</h2>'])
      expect(html).toContain(part);
    expect(html).not.toMatch(/<script|https?:\/\/|<link|url\(/);
  });

  it('writes what the model says as text, never as markup', async () => {
    const path = written(documentOf([map('y', '1 < 2', { note: '<img src=x>' })], { name: '<b>"bold"</b>' }));
    const { stdout, status } = await cotangent('report', path);
    expect(status).toBe(0);
    expect(stdout).not.toMatch(/<img|<b>/);
    expect(stdout).toContain('<mo>&lt;</mo>');
    expect(stdout).toContain('&lt;img src=x&gt;');
  });
});
