/**
 * Writes the tables of docs/benchmarks.md, between its markers, from the measurements in docs/measured/.
 *
 *     node build/benchmarks/tables.mjs                       the tables, from what was measured
 *     node build/benchmarks/tables.mjs --measure [NAME…]     measures first: everything, or these
 *     node build/benchmarks/tables.mjs --check               writes nothing; exit status 1 where the page says otherwise
 *
 * PYTHON names a Python that has PyTorch (python3 unless said); without one its column keeps the last figures. GRADBENCH names a
 * checkout of GradBench whose C++ tools are made (see gradbench-table.mjs), PETAB a folder of problems (see problems-table.mjs);
 * without one its table is left as it is.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { imported } from '../bundled.mjs';
import { root } from '../prepare.mjs';

const page = join(root, 'docs', 'benchmarks.md');
const folder = join(root, 'docs', 'measured');
const fileOf = (name) => join(folder, `${name}.json`);
const pytorchFile = fileOf('pytorch-times');

/** Every table: the suite that has its columns, and further arguments. */
const tables = {
  paper: ['paper'],
  primitives: ['primitives'],
  'primitives-1': ['primitives', '--threads', '1'],
  fits: ['fits'],
  'fits-f64': ['fits', '--precision', 'f64'],
  starts: ['starts', '--precision', 'f64', '--device', 'cpu'],
  stop: ['stop', '--precision', 'f64', '--device', 'cpu'],
  edits: ['edits', '--precision', 'f64', '--device', 'cpu'],
  sliders: ['sliders', '--precision', 'f64', '--device', 'cpu'],
  pytorch: ['pytorch'],
  rules: ['rules', '--precision', 'f64'],
  gradbench: ['gradbench'],
  problems: ['problems'],
};
/** What a script measures, if there is what it takes. */
const scripts = {
  gradbench: { file: 'gradbench-table.mjs', wants: 'GRADBENCH' },
  problems: { file: 'problems-table.mjs', wants: 'PETAB' },
};

/** A child's standard output; the rest passes on. */
function outputOf(command, args) {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  });
  if (error || status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} ended with status ${status}.`);
  return stdout.toString();
}

function measurePyTorch() {
  const python = process.env.PYTHON ?? 'python3';
  try {
    writeFileSync(pytorchFile, outputOf(python, [join('build', 'benchmarks', 'pytorch.py')]));
  } catch (error) {
    process.stderr.write(`PyTorch is left out: ${error.message}\n`);
  }
}

function measure(name) {
  mkdirSync(folder, { recursive: true });
  const options = [...tables[name]];
  if (name === 'pytorch') measurePyTorch();
  if (name === 'pytorch' && existsSync(pytorchFile)) options.push('--pytorch', pytorchFile);
  const load = loadavg()[0];
  const command =
    name in scripts
      ? [join('build', 'benchmarks', scripts[name].file)]
      : [join('build', 'start.mjs'), 'benchmark', ...options, '--json'];
  const rows = JSON.parse(outputOf(process.execPath, command));
  const machine = {
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    gigabytes: Math.round(totalmem() / 1e9),
    node: process.versions.node,
    load: Number(load.toFixed(1)),
  };
  writeFileSync(fileOf(name), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
}

function tableOf(name, { columns, summary }) {
  const { machine, rows } = JSON.parse(readFileSync(fileOf(name), 'utf8'));
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const { date, commit, processor, cores, gigabytes, node, load } = machine;
  const [{ device, precision } = {}] = rows;
  const busy = load > cores ? ' Other work kept the machine busy: these figures say little but their order.' : '';
  return [
    `${date}, commit ${commit}, ${processor}, ${cores} cores, ${gigabytes} GB, Node ${node}, ${device} ${precision}, load ${load} when it began.${busy}`,
    '',
    line(columns.map(({ heading }) => heading)),
    line(columns.map(({ text }) => (text === undefined ? '---:' : '---'))),
    ...rows.map((row) => line(columns.map((column) => column.cell(row)))),
    '',
    summary?.(rows) ?? '',
  ].join('\n');
}

const [flag, ...names] = process.argv.slice(2);
const unknown = names.filter((name) => !(name in tables));
if (![undefined, '--measure', '--check'].includes(flag) || unknown.length > 0) {
  process.stderr.write(`tables.mjs [--measure [${Object.keys(tables).join(' | ')}]… | --check]\n`);
  process.exit(2);
}
const all = Object.keys(tables).filter((name) => !(name in scripts) || process.env[scripts[name].wants]);
if (flag === '--measure') for (const name of names.length > 0 ? names : all) measure(name);

// The suites say their own columns.
const { suites, compared, problems } = await imported(
  'suites',
  `export { suites } from './src-main/benchmark/suites.ts';
   export { compared } from './src-main/benchmark/gradbench/compared.ts';
   export { problems } from './src-main/benchmark/problems.ts';`,
);
const columns = { ...suites, gradbench: compared, problems };
const marked = /(<!-- measured: ([\w-]+) -->\n)[^]*?(<!-- end -->)/g;
const before = readFileSync(page, 'utf8');
const text = before.replace(marked, (whole, open, name, close) =>
  existsSync(fileOf(name)) ? `${open}\n${tableOf(name, columns[tables[name][0]])}\n\n${close}` : whole,
);
const after = await format(text, { ...(await resolveConfig(page)), filepath: page });
if (flag !== '--check') writeFileSync(page, after);
else if (after !== before) {
  process.stderr.write(
    'docs/benchmarks.md has other tables than docs/measured/: node build/benchmarks/tables.mjs writes them.\n',
  );
  process.exitCode = 1;
}
