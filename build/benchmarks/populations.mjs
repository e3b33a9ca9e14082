/**
 * Fits with random effects beside lme4, nlme and TMB on the same data: the table of docs/benchmarks.md.
 *
 *     node build/benchmarks/populations.mjs [FITS [CASE…]]     measures all cases or these, and writes the table
 *     node build/benchmarks/populations.mjs --table            the table alone, from what was measured
 *
 * Cold is a whole process, from files to the printed fit; warm is a fit again in a process that has made one (ours with its
 * checks and compilation). What was measured is kept in the folder docs/measured. FITS (3) are made in each process, and everybody takes turns. It wants Rscript with lme4, nlme and
 * TMB, and a C++ compiler; compiling TMB's templates is not counted.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { imported } from '../bundled.mjs';
import { root } from '../prepare.mjs';

const [, , asked = '3', ...only] = process.argv;
const fits = asked === '--table' ? 0 : Number(asked);
const folder = mkdtempSync(join(tmpdir(), 'populations-'));

/** Numbers that are the same everywhere (mulberry32), and normal ones of them. */
function generator(seed) {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

function poisson({ uniform }, mean) {
  let [count, left] = [0, uniform()];
  for (let share = Math.exp(-mean); left > share && count < 1000; share *= mean / count) {
    left -= share;
    count++;
  }
  return count;
}

function writeTable(name, columns) {
  const heads = Object.keys(columns);
  const rows = columns[heads[0]].map((_, i) => heads.map((head) => columns[head][i]).join(','));
  writeFileSync(join(folder, `${name}.csv`), `${heads.join(',')}\n${rows.join('\n')}\n`);
}

function writeDrawn() {
  const random = generator(1);
  const groups = 10_000;
  const each = 10;
  const rows = Array.from({ length: groups * each }, (_, i) => ({ g: Math.floor(i / each), x: (i % each) / 4.5 - 1 }));
  const effects = Array.from({ length: groups }, () => [random.normal(), random.normal(), random.normal()]);
  const g = rows.map((row) => `g${row.g}`);
  const x = rows.map((row) => row.x);
  const lines = rows.map(
    ({ g, x }) => 2 + effects[g][0] + (1 + 0.4 * effects[g][0] + 0.3 * effects[g][1]) * x + random.normal(),
  );
  writeTable('lines', { y: lines, x, g });
  writeTable('counts', {
    y: rows.map(({ g, x }) => poisson(random, Math.exp(0.5 + 0.4 * x + 0.6 * effects[g][2]))),
    x,
    g,
  });
  const [plates, samples] = [0, 1].map(() => Array.from({ length: 100 }, () => random.normal()));
  const cells = Array.from({ length: 10_000 }, (_, i) => [Math.floor(i / 100), i % 100]);
  writeTable('crossed', {
    y: cells.map(([i, j]) => 10 + 0.8 * plates[i] + 0.5 * samples[j] + 0.6 * random.normal()),
    g: cells.map(([i]) => `g${i}`),
    h: cells.map(([, j]) => `h${j}`),
  });
}

const templates = {
  lines: `
  DATA_VECTOR(y); DATA_VECTOR(x); DATA_IVECTOR(g);
  PARAMETER(a); PARAMETER(s); PARAMETER(logsigma); PARAMETER_VECTOR(logsd); PARAMETER(rho); PARAMETER_MATRIX(u);
  Type r = rho / sqrt(1 + rho * rho), sum = 0;
  matrix<Type> cov(2, 2);
  cov(0, 0) = exp(2 * logsd(0)); cov(1, 1) = exp(2 * logsd(1));
  cov(0, 1) = cov(1, 0) = r * exp(logsd(0) + logsd(1));
  density::MVNORM_t<Type> effects(cov);
  for (int j = 0; j < u.cols(); j++) { vector<Type> own = u.col(j); sum += effects(own); }
  for (int i = 0; i < y.size(); i++) sum -= dnorm(y(i), a + u(0, g(i)) + (s + u(1, g(i))) * x(i), exp(logsigma), true);
  return sum;`,
  counts: `
  DATA_VECTOR(y); DATA_VECTOR(x); DATA_IVECTOR(g);
  PARAMETER(a); PARAMETER(s); PARAMETER(logsd); PARAMETER_VECTOR(u);
  Type sum = -dnorm(u, Type(0), exp(logsd), true).sum();
  for (int i = 0; i < y.size(); i++) sum -= dpois(y(i), exp(a + u(g(i)) + s * x(i)), true);
  return sum;`,
  theophylline: `
  DATA_VECTOR(y); DATA_VECTOR(dose); DATA_VECTOR(time); DATA_IVECTOR(g);
  PARAMETER(lka); PARAMETER(lke); PARAMETER(lcl); PARAMETER(logsigma); PARAMETER_VECTOR(logsd); PARAMETER_MATRIX(u);
  Type sum = 0;
  for (int j = 0; j < u.cols(); j++) for (int k = 0; k < 2; k++) sum -= dnorm(u(k, j), Type(0), exp(logsd(k)), true);
  for (int i = 0; i < y.size(); i++) {
    Type ka = exp(lka + u(0, g(i))), ke = exp(lke), cl = exp(lcl + u(1, g(i)));
    Type m = dose(i) * ke * ka / (cl * (ka - ke)) * (exp(-ke * time(i)) - exp(-ka * time(i)));
    sum -= dnorm(y(i), m, exp(logsigma), true);
  }
  return sum;`,
};

const parameter = (id, initial, more = {}) => ({ id, kind: 'parameter', initial, ...more });
const effect = (id, like, more = {}) => ({ id, kind: 'random-effect', like, ...more });
const taken = (id, from, indices) => ({ id, kind: 'gather', from, indices });
const map = (id, formula) => ({ id, kind: 'map', formula });
const sigma = (initial) => parameter('sigma', initial, { scale: 'log' });
const normal = (observed) => ({ id: 'l', kind: 'likelihood', family: 'normal', observed, mean: 'm', sigma: 'sigma' });
const lines = (y, x, g, [a, s, noise, sd]) => [
  ...[parameter('a', a), parameter('s', s), sigma(noise)],
  effect('u', g, { names: ['b0', 'b1'], covariance: 'full', sd }),
  ...[taken('b0', 'u.b0', g), taken('b1', 'u.b1', g), map('m', `a + b0 + (s + b1)*${x}`), normal(y)],
];

/** Columns: reals, but those that name groups. */
const cases = {
  sleepstudy: {
    title: 'sleep study, 18 × 10, intercept and slope',
    columns: { Reaction: 0, Days: 0, Subject: 1 },
    blocks: lines('Reaction', 'Days', 'Subject', [250, 10, 20, [20, 5]]),
    others: ['lme4', 'TMB'],
  },
  penicillin: {
    title: 'Penicillin, 24 × 6 crossed',
    columns: { diameter: 0, plate: 1, sample: 1 },
    blocks: [
      parameter('a', 20),
      sigma(1),
      effect('u', 'plate'),
      effect('w', 'sample'),
      taken('b', 'u', 'plate'),
      taken('c', 'w', 'sample'),
      map('m', 'a + b + c'),
      normal('diameter'),
    ],
    others: ['lme4'],
  },
  theophylline: {
    title: 'theophylline, 12 × 11, two effects',
    columns: { Subject: 1, Dose: 0, Time: 0, conc: 0 },
    blocks: [
      parameter('lka', 0.5),
      parameter('lke', -2.5),
      parameter('lcl', -3.2),
      sigma(1),
      effect('u', 'Subject', { names: ['ka', 'cl'], sd: [0.5, 0.2] }),
      taken('bka', 'u.ka', 'Subject'),
      taken('bcl', 'u.cl', 'Subject'),
      map('ka', 'exp(lka + bka)'),
      map('ke', 'exp(lke)'),
      map('cl', 'exp(lcl + bcl)'),
      map('m', 'Dose*ke*ka/(cl*(ka - ke))*(exp(-ke*Time) - exp(-ka*Time))'),
      normal('conc'),
    ],
    others: ['nlme', 'TMB'],
  },
  lines: {
    title: 'lines, 10,000 × 10, intercept and slope',
    columns: { y: 0, x: 0, g: 1 },
    blocks: lines('y', 'x', 'g', [1, 0, 1, 1]),
    others: ['lme4', 'TMB'],
  },
  counts: {
    title: 'counts, 10,000 × 10, intercept',
    columns: { y: 0, x: 0, g: 1 },
    blocks: [
      parameter('a', 0),
      parameter('s', 0),
      effect('u', 'g'),
      taken('b', 'u', 'g'),
      map('m', 'exp(a + b + s*x)'),
      { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'y', mean: 'm' },
    ],
    others: ['lme4', 'TMB'],
  },
  crossed: {
    title: 'readings, 100 × 100 crossed',
    columns: { y: 0, g: 1, h: 1 },
    blocks: [
      parameter('a', 9),
      sigma(1),
      effect('u', 'g'),
      effect('w', 'h'),
      taken('b', 'u', 'g'),
      taken('c', 'w', 'h'),
      map('m', 'a + b + c'),
      normal('y'),
    ],
    others: ['lme4'],
  },
};

function writeDocument(name, { columns, blocks }) {
  const read = Object.entries(columns).map(([column, category]) => ({
    ...{ id: column, kind: 'column', table: 't', column },
    ...(category && { type: 'category' }),
  }));
  const document = {
    format: 'cotangent/1',
    tables: { t: { file: `${name}.csv` } },
    blocks: [...read, ...blocks],
    objective: 'l',
  };
  writeFileSync(join(folder, `${name}.cot.json`), JSON.stringify(document));
  return join(folder, `${name}.cot.json`);
}

const run = (command, args) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28 });
function timed(work) {
  const begun = performance.now();
  const result = work();
  return [result, (performance.now() - begun) / 1000];
}
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function warm(path, compute) {
  const seconds = [];
  for (let k = 0; k <= fits; k++) {
    const begun = performance.now();
    await compute(path);
    if (k > 0) seconds.push((performance.now() - begun) / 1000);
  }
  return median(seconds);
}

async function ours(name, path, compute) {
  const [printed, cold] = timed(() => run(process.execPath, [join('build', 'cotangent.mjs'), 'fit', path, '--json']));
  return { by: 'Cotangent', objective: JSON.parse(printed).objective, cold, warm: await warm(path, compute) };
}

function theirs(name, by) {
  const script = join('build', 'benchmarks', 'populations.R');
  // The first compiles a template where there is one.
  run('Rscript', [script, name, by, folder, '1']);
  const [, cold] = timed(() => run('Rscript', [script, name, by, folder, '1']));
  const { objective, again } = JSON.parse(run('Rscript', [script, name, by, folder, String(fits + 1)]));
  return { by, objective, cold, warm: again };
}

const measured = join(root, 'docs', 'measured', 'populations.json');
const [before] = loadavg();
const found = existsSync(measured) ? JSON.parse(readFileSync(measured, 'utf8')) : { rows: [] };
const rows = found.rows;
const machine =
  asked === '--table'
    ? found.machine
    : {
        date: new Date().toISOString().slice(0, 10),
        commit: run('git', ['rev-parse', '--short', 'HEAD']).trim(),
        processor: cpus()[0]?.model,
        cores: cpus().length,
        load: Number(before.toFixed(1)),
      };
async function measure() {
  try {
    writeDrawn();
    for (const [name, body] of Object.entries(templates))
      writeFileSync(
        join(folder, `${name}.cpp`),
        `#include <TMB.hpp>\ntemplate<class Type> Type objective_function<Type>::operator()() {${body}\n}\n`,
      );
    run('Rscript', [join('build', 'benchmarks', 'populations.R'), 'data', folder]);
    run(process.execPath, [join('build', 'start.mjs'), 'check', join('models', 'catalogue', 'sleep-study.cot.json')]);
    const { fitting } = await imported(
      'populations',
      `
    import { cpuDevice } from './engine/index.ts';
    import { fitModel } from './src-main/compute/fit/fit.ts';
    import { loadFile } from './src-main/cli/model.ts';
    import { demandModel } from './src-main/compute/running/load.ts';
    export const fitting = (device = cpuDevice()) => async (path) => fitModel(demandModel(await loadFile(path, { set: [] })), device, { parameters: {} });`,
    );
    const compute = fitting();
    for (const [name, each] of Object.entries(cases)) {
      if (only.length > 0 && !only.includes(name)) continue;
      const path = writeDocument(name, each);
      const load = Number(loadavg()[0].toFixed(1));
      const fitted = [await ours(name, path, compute), ...each.others.map((by) => theirs(name, by))];
      const others = rows.filter((row) => row.name !== name);
      rows.splice(0, rows.length, ...others, ...fitted.map((row) => ({ name, load, ...row })));
      const order = Object.keys(cases);
      rows.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
      writeFileSync(
        measured,
        `${JSON.stringify({ machine, rows }, null, 2)}
`,
      );
      for (const row of fitted)
        process.stderr.write(`${name} ${JSON.stringify(row)}
`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (fits > 0) await measure();

const page = join(root, 'docs', 'benchmarks.md');
const seconds = (value) => (value < 0.995 ? `${Math.round(1000 * value)} ms` : `${value.toPrecision(3)} s`);
const table = [
  `${machine.date}, commit ${machine.commit}, ${machine.processor}, ${machine.cores} cores, load ${Math.min(...rows.map(({ load }) => load))} to ${Math.max(...rows.map(({ load }) => load))} as they began: other work kept the machine busy where it is above ${machine.cores}.`,
  '',
  '| data | by | −log L | cold | warm |',
  '| --- | --- | ---: | ---: | ---: |',
  ...rows.map(
    (row, i) =>
      `| ${row.name === rows[i - 1]?.name ? '' : cases[row.name].title} | ${row.by} | ${row.objective.toFixed(6)} | ${seconds(row.cold)} | ${seconds(row.warm)} |`,
  ),
].join('\n');
const text = readFileSync(page, 'utf8').replace(
  /(<!-- populations -->\n)[^]*?(<!-- end -->)/,
  (_, open, close) => `${open}\n${table}\n\n${close}`,
);
writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
