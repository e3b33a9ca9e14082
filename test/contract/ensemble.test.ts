/** The contract on `ensemble`: shards in any order give what the command in one piece gives. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  constant,
  cotangent,
  documentOf,
  fitJson,
  folderWith,
  map,
  parameter,
  written,
  type Outcome,
} from '../support/command-line.ts';

const bounds = { lower: -Math.PI, upper: Math.PI };
const ishigami = (): string =>
  written(
    documentOf(
      [
        ...['x1', 'x2', 'x3'].map((id) => parameter(id, 1, bounds)),
        map('f', 'sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)'),
      ],
      { objective: 'f' },
    ),
  );

const decayRows = Array.from({ length: 12 }, (_, i) => `${i},${3 * Math.exp(-0.4 * i) + 0.01 * Math.cos(5 * i)}`);
/** A curve whose table is a file in a folder below the document's. */
const decay = (): string =>
  written(
    documentOf(
      [
        { id: 't', kind: 'column', table: 'T', column: 't' },
        { id: 'y', kind: 'column', table: 'T', column: 'y' },
        parameter('a', 1, { lower: 0.1, upper: 10 }),
        parameter('k', 1, { lower: 0.01, upper: 5, scale: 'log' }),
        map('curve', 'a*exp(-k*t)'),
        { id: 'misfit', kind: 'least-squares', prediction: 'curve', observed: 'y' },
      ],
      { objective: 'misfit', tables: { T: { file: 'data/decay.csv' } } },
    ),
    { 'data/decay.csv': `t,y\n${decayRows.join('\n')}\n` },
  );

const folderOf = (model: string): string => join(dirname(model), 'ensemble');

async function prepared(model: string, ...options: readonly string[]): Promise<string> {
  const folder = folderOf(model);
  const { status, stderr } = await cotangent('ensemble', 'prepare', model, '--out', folder, ...options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return folder;
}

async function run(folder: string, shard: string, ...options: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await cotangent('ensemble', 'run', folder, '--shard', shard, ...options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

interface Collected extends Record<string, unknown> {
  readonly ensemble: { readonly missing: number[] };
}

async function collected(folder: string, wanted = 0): Promise<Collected> {
  const { status, stdout, stderr } = await cotangent('ensemble', 'collect', folder, '--json');
  expect({ status, incomplete: /missing/.test(stderr) }).toEqual({ status: wanted, incomplete: wanted === 3 });
  return JSON.parse(stdout) as Collected;
}

async function sensitivityJson(model: string, ...options: readonly string[]): Promise<Record<string, unknown>> {
  const { status, stdout } = await cotangent('sensitivity', model, ...options, '--json');
  expect(status).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe.each([
  { study: 'sobol', samples: '100' },
  { study: 'morris', samples: '41' },
  { study: 'dgsm', samples: '100' },
  { study: 'active-subspace', samples: '100' },
])('an ensemble of $study', ({ study, samples }) => {
  const options = ['--samples', samples, '--seed', '7'];

  it('gives the figures of the command in one piece to the bit, in any order of the shards', async () => {
    const model = ishigami();
    const folder = await prepared(model, '--study', study, ...options, '--shards', '3');
    for (const shard of ['2/3', '0/3', '2/3']) await run(folder, shard);
    const some = await collected(folder, 3);
    expect(some.ensemble).toEqual({ study, shards: 3, missing: [1] });
    expect(some['samples']).toBe(study === 'morris' ? 27 : 67);
    await run(folder, '1/3');
    const { ensemble, ...all } = await collected(folder);
    expect(ensemble.missing).toEqual([]);
    expect(all).toEqual(await sensitivityJson(model, '--method', study, ...options));
  });

  it('has the same points whatever the number of shards, and takes rows that overlap once', async () => {
    const model = ishigami();
    const folder = await prepared(model, '--study', study, ...options, '--shards', '2');
    for (const shard of ['1/2', '0/5', '1/5', '2/5']) await run(folder, shard);
    const { ensemble: _, ...all } = await collected(folder);
    expect(all).toEqual(await sensitivityJson(model, '--method', study, ...options));
  });
});

describe.each(['sobol', 'dgsm'])('an ensemble of %s by a logarithm', (study) => {
  it('draws as the command in one piece does, over the elements of arrays too', async () => {
    const model = written(
      documentOf(
        [
          parameter('p', [1, 2, 3], { lower: 0.1, upper: 10, scale: 'log' }),
          parameter('q', 1, { lower: 0, upper: 2 }),
          constant('x', [1, 2, 3]),
          map('m', 'q*x*log(p)'),
          { id: 'f', kind: 'reduce', operator: 'add', values: 'm' },
        ],
        { objective: 'f' },
      ),
    );
    const options = ['--samples', '32', '--log-uniform', '--of', 'f'];
    const folder = await prepared(model, '--study', study, ...options, '--shards', '2');
    for (const shard of ['0/2', '1/2']) await run(folder, shard);
    const { ensemble: _, ...all } = await collected(folder);
    expect(all).toEqual(await sensitivityJson(model, '--method', study, ...options));
    expect(all).not.toEqual(await sensitivityJson(model, '--method', study, '--samples', '32', '--of', 'f'));
  });
});

describe('an ensemble of multistart', () => {
  it('ends where the fit in one piece ends, with its waterfall', async () => {
    const model = decay();
    const folder = await prepared(model, '--study', 'multistart', '--starts', '7', '--shards', '3', '--seed', '2');
    await run(folder, '1/3');
    await run(folder, '2/3');
    const some = (await collected(folder, 3)) as Collected & { starts: { ends: { start: number }[] } };
    expect(some.starts.ends.map(({ start }) => start).sort()).toEqual([2, 3, 4, 5, 6]);
    await run(folder, '0/3');
    const { ensemble: _, ...all } = await collected(folder);
    expect(all).toEqual(await fitJson([model, '--starts', '7', '--seed', '2']));
  });

  it('is of the folder alone: the document and its table are copied', async () => {
    const model = decay();
    const folder = await prepared(model, '--study', 'multistart', '--starts', '2', '--set', 'k=0.5');
    const moved = join(folderWith({}), 'elsewhere');
    cpSync(folder, moved, { recursive: true });
    rmSync(dirname(model), { recursive: true });
    await run(moved, '0/1');
    const found = (await collected(moved)) as Collected & { parameters: { a: { value: number } } };
    expect(found.parameters.a.value).toBeCloseTo(3, 1);
  });
});

/** A curve with noise, and a bound that one of its profiles meets. */
const noisy = (): string => {
  const x = Array.from({ length: 14 }, (_, i) => i / 2);
  return written(
    documentOf(
      [
        constant('x', x),
        constant(
          'y',
          x.map((at, i) => 3 * Math.exp(-0.6 * at) + 0.2 * Math.sin(7 * i + 1)),
        ),
        parameter('a', 2),
        parameter('k', 1, { lower: 0.01, upper: 5, scale: 'log' }),
        parameter('c', 0, { lower: -1, upper: 0.1 }),
        map('curve', 'a*exp(-k*x) + c'),
        { id: 'misfit', kind: 'least-squares', prediction: 'curve', observed: 'y' },
      ],
      { objective: 'misfit' },
    ),
  );
};
/** Counts, whose replicates are fitted by Newton's method to the density drawn again. */
const counts = (): string =>
  written(
    documentOf(
      [
        constant('n', [3, 7, 4, 8, 12, 9, 15]),
        constant('x', [0, 1, 2, 3, 4, 5, 6]),
        parameter('a', 1),
        parameter('b', 0.1),
        map('rate', 'exp(a + b*x)'),
        { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'n', mean: 'rate' },
      ],
      { objective: 'l' },
    ),
  );

interface Uncertain extends Collected {
  readonly parameters: Record<string, { lower: number | null; verdict: { reason: string } }>;
  readonly profiles: Record<string, unknown>;
  readonly diagnostics: Record<string, number>;
}

async function uncertaintyJson(model: string, ...options: readonly string[]): Promise<Record<string, unknown>> {
  const { status, stdout } = await cotangent('uncertainty', model, ...options, '--json');
  expect(status).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('an ensemble of bootstrap', () => {
  it.each([
    { what: 'residuals', model: noisy, more: ['--level', '0.8', '--band', 'curve'] },
    { what: 'cases', model: noisy, more: ['--resample', 'cases', '--sandwich'] },
    { what: 'counts', model: counts, more: [] },
  ])('of $what gives the intervals of the command in one piece to the bit', async ({ model: modelOf, more }) => {
    const model = modelOf();
    const options = ['--samples', '40', '--seed', '5', ...more];
    const folder = await prepared(model, '--study', 'bootstrap', ...options, '--shards', '3');
    for (const shard of ['2/3', '0/3', '1/2']) await run(folder, shard);
    const some = (await collected(folder, 3)) as Uncertain;
    expect(some.ensemble).toEqual({ study: 'bootstrap', shards: 3, missing: [1] });
    expect(some.diagnostics['replicates']).toBe(33);
    await run(folder, '1/3');
    const { ensemble: _, ...all } = await collected(folder);
    expect(all).toEqual(await uncertaintyJson(model, '--method', 'bootstrap', ...options));
  });

  it('refuses a result that holds too little', async () => {
    const folder = await prepared(noisy(), '--study', 'bootstrap', '--samples', '8', '--shards', '2');
    await run(folder, '0/2');
    const file = join(folder, 'results', '0-of-2.json');
    const result = JSON.parse(readFileSync(file, 'utf8')) as { replicates: number[][] };
    writeFileSync(file, JSON.stringify({ ...result, replicates: result.replicates.slice(1) }));
    const { status, stdout, stderr } = await cotangent('ensemble', 'collect', folder);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('the result of 0 to 4 holds 3 replicates: run its shard --again');
  });
});

describe('an ensemble of profiles', () => {
  it('follows some elements in each shard, and gives the profiles of the command in one piece to the bit', async () => {
    const model = noisy();
    const folder = await prepared(model, '--study', 'profile', '--level', '0.9');
    await run(folder, '2/3');
    await run(folder, '0/3');
    const some = (await collected(folder, 3)) as Uncertain;
    expect(some.ensemble).toEqual({ study: 'profile', shards: 3, missing: [1] });
    expect(Object.keys(some.profiles)).toEqual(['a', 'c']);
    expect(some.parameters['k']).toMatchObject({
      lower: null,
      verdict: { reason: 'not known: its profile was not followed' },
    });
    await run(folder, '1/3');
    const { ensemble: _, ...all } = await collected(folder);
    expect(all).toEqual(await uncertaintyJson(model, '--method', 'profile', '--level', '0.9'));
  });
});

describe('a folder of an ensemble', () => {
  it('has a Slurm array job with a task for each shard', async () => {
    const folder = await prepared(ishigami(), '--study', 'sobol', '--samples', '8', '--shards', '4');
    const script = readFileSync(join(folder, 'job.sh'), 'utf8');
    expect(script).toMatch(/^#!\/bin\/sh\n/);
    expect(script).toContain('\n#SBATCH --array=0-3\n');
    expect(script).toContain('ensemble run . --shard "$SLURM_ARRAY_TASK_ID/4"');
  });

  it('keeps a shard that is done, and runs one again that is wanted again or broken', async () => {
    const folder = await prepared(ishigami(), '--study', 'sobol', '--samples', '8', '--shards', '2');
    const file = join(folder, 'results', '0-of-2.json');
    await run(folder, '0/2');
    const first = readFileSync(file, 'utf8');
    writeFileSync(file, first.replace(/\n$/, ' \n'));
    expect(await run(folder, '0/2')).toMatch(/done already/);
    expect(readFileSync(file, 'utf8')).not.toBe(first);
    await run(folder, '0/2', '--again');
    expect(readFileSync(file, 'utf8')).toBe(first);
    writeFileSync(file, first.slice(0, first.length / 2));
    const { status, stderr, stdout } = await cotangent('ensemble', 'collect', folder, '--json');
    expect(status).toBe(3);
    expect(stderr).toMatch(/0-of-2\.json is broken.*\n.*shards 0, 1 of 2 are missing/);
    expect(JSON.parse(stdout)).toEqual({ ensemble: { study: 'sobol', shards: 2, missing: [0, 1] } });
    await run(folder, '0/2');
    expect(readFileSync(file, 'utf8')).toBe(first);
    expect(readdirSync(join(folder, 'results'))).toEqual(['0-of-2.json']);
  });

  it('refuses a result that holds too little', async () => {
    const folder = await prepared(ishigami(), '--study', 'sobol', '--samples', '8', '--shards', '2');
    await run(folder, '0/2');
    const file = join(folder, 'results', '0-of-2.json');
    const result = JSON.parse(readFileSync(file, 'utf8')) as { values: number[] };
    writeFileSync(file, JSON.stringify({ ...result, values: result.values.slice(1) }));
    const { status, stdout, stderr } = await cotangent('ensemble', 'collect', folder);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('the result of the rows 0 to 4 holds 19 values instead of 20');
  });

  it('passes over a result of another ensemble', async () => {
    const one = await prepared(ishigami(), '--study', 'sobol', '--samples', '8', '--shards', '2');
    const other = await prepared(ishigami(), '--study', 'sobol', '--samples', '8', '--shards', '2', '--seed', '1');
    await run(other, '0/2');
    mkdirSync(join(one, 'results'), { recursive: true });
    renameSync(join(other, 'results', '0-of-2.json'), join(one, 'results', '0-of-2.json'));
    expect((await collected(one, 3)).ensemble.missing).toEqual([0, 1]);
  });

  it.each(['sobol', 'dgsm'])('of %s counts runs that failed as the command in one piece does', async (study) => {
    const model = written(
      documentOf([parameter('a', 1, { lower: -1, upper: 1 }), map('f', 'log(a)')], { objective: 'f' }),
    );
    const folder = await prepared(model, '--study', study, '--samples', '16', '--shards', '3');
    for (const shard of ['0/3', '1/3', '2/3']) await run(folder, shard);
    const { ensemble: _, ...all } = await collected(folder);
    expect(all['failed']).toBeGreaterThan(0);
    expect(all).toEqual(await sensitivityJson(model, '--method', study, '--samples', '16'));
  });

  it('that was changed is refused, whatever of it was', async () => {
    const folder = await prepared(decay(), '--study', 'multistart', '--starts', '4');
    const refused = async (): Promise<void> => {
      for (const command of [
        ['run', folder, '--shard', '0/4'],
        ['collect', folder],
      ]) {
        const outcome = await cotangent('ensemble', ...command);
        expect(outcome).toMatchObject({ status: 2, stdout: '' });
        expect(outcome.stderr).toMatch(/^cotangent: [^\n]* was changed after [^\n]*\n$/);
      }
    };
    for (const [file, from, to] of [
      ['ensemble.json', '"seed": 0', '"seed": 1'],
      ['ensemble.json', /"hash": "./, '"hash": "x'],
      ['model/model.cot.json', 'exp', 'cos'],
      ['model/data/decay.csv', '11,', '12,'],
    ] as const) {
      const path = join(folder, file);
      const before = readFileSync(path, 'utf8');
      writeFileSync(path, before.replace(from, to));
      expect(readFileSync(path, 'utf8')).not.toBe(before);
      await refused();
      writeFileSync(path, before);
    }
    await run(folder, '0/4');
  });

  it('and options that say nothing are refused in one sentence, with nothing written', async () => {
    const model = ishigami();
    const out = folderOf(model);
    const unfitted = written(
      documentOf(
        [
          parameter('a', 1),
          constant('y', [1, 2]),
          map('m', 'log(a - 5) + 0*y'),
          { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' },
        ],
        {
          objective: 'l',
        },
      ),
    );
    const unbounded = written(documentOf([parameter('a', 1), map('f', 'a^2')], { objective: 'f' }));
    const cases: [readonly string[], RegExp][] = [
      [['prepare', model, '--out', out, '--study', 'hmc'], /hmc is not run in shards: .*multistart, morris, sobol/],
      [['prepare', model, '--out', out, '--study', 'sobol', '--starts', '4'], /--starts is of multistart/],
      [['prepare', model, '--out', out, '--study', 'multistart', '--samples', '4'], /--samples is of .*sobol/],
      [
        ['prepare', model, '--out', out, '--study', 'profile', '--samples', '4'],
        /--samples is of .*bootstrap; profile/,
      ],
      [['prepare', model, '--out', out, '--study', 'bootstrap', '--device', 'webgpu'], /in shards on the cpu/],
      [['prepare', unfitted, '--out', out, '--study', 'bootstrap'], /the fit ended .* no end to study it at/],
      [['prepare', model, '--out', out, '--study', 'multistart'], /--starts wants at least 2/],
      [['prepare', model, '--out', out, '--study', 'sobol', '--samples', '4', '--shards', '5'], /--shards 5 are more/],
      [['prepare', model, '--out', out, '--study', 'sobol', '--of', 'g'], /"g"/],
      [['prepare', unbounded, '--out', out, '--study', 'morris'], /no range to vary over/],
      [['prepare', model, '--out', dirname(model), '--study', 'sobol'], /is not empty/],
      [['run', dirname(model), '--shard', '0/2'], /is no ensemble/],
      [['run', out, '--shard', '2/2'], /Wanted i\/n/],
      [['collect', dirname(model)], /is no ensemble: there is no ensemble\.json/],
    ];
    for (const [args, message] of cases) {
      const { status, stdout, stderr }: Outcome = await cotangent('ensemble', ...args);
      expect({ status, stdout }, args.join(' ')).toEqual({ status: 2, stdout: '' });
      expect(stderr.trim()).toMatch(message);
      expect(stderr.trim()).not.toContain('\n');
    }
    expect(existsSync(out)).toBe(false);
  });
});

/** Whether jobs can be submitted here, and some node would take them. */
const hasSlurm = /^(idle|mixed)/m.test(
  spawnSync('sinfo', ['--noheader', '--format=%T'], { encoding: 'utf8', timeout: 5000 }).stdout ?? '',
);

describe.runIf(hasSlurm)('under Slurm', () => {
  it('the array job runs every shard', async () => {
    const model = ishigami();
    const folder = await prepared(model, '--study', 'sobol', '--samples', '64', '--shards', '4');
    const command = `${process.execPath} ${join(import.meta.dirname, '..', '..', 'build', 'cotangent.mjs')}`;
    execFileSync('sbatch', ['--wait', 'job.sh'], { cwd: folder, env: { ...process.env, COTANGENT: command } });
    const { ensemble: _, ...all } = await collected(folder);
    expect(all).toEqual(await sensitivityJson(model, '--method', 'sobol', '--samples', '64'));
  });
});
