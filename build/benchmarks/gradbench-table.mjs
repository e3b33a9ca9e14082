/**
 * Times of GradBench's evals, ours and those of its C++ tools, as JSON: the rows of a table of docs/benchmarks.md, which
 * build/benchmarks/tables.mjs writes.
 *
 *     GRADBENCH=CHECKOUT node build/benchmarks/gradbench-table.mjs [MODULE…]
 *
 * CHECKOUT is one of https://github.com/gradbench/gradbench, whose tools/manual has been made (`make -C cpp`, `make -C tools/manual`),
 * and tools/codipack and tools/cppad too where they are to be seen beside it. All are asked one after the other, on one thread, by the
 * messages of the protocol; the C++ by the command line that its tool passes them to. Of at least 5 runs, and of one second, the
 * smallest time counts. An answer that is not the hand-written one ends it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { imported } from '../bundled.mjs';
import { root } from '../prepare.mjs';
import { asked } from './gradbench-inputs.mjs';

const checkout = process.env.GRADBENCH;
if (!checkout) throw new Error('GRADBENCH names no checkout of GradBench.');
const modules = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'gradbench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const patience = { min_runs: 5, min_seconds: 1 };

const ours = spawn(process.execPath, [join(root, 'build', 'benchmarks', 'gradbench.mjs')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const answers = createInterface({ input: ours.stdout })[Symbol.asyncIterator]();

async function byProtocol(message) {
  ours.stdin.write(`${JSON.stringify(message)}\n`);
  const { value } = await answers.next();
  const { success, output, timings, error } = JSON.parse(value);
  if (!success) throw new Error(`${message.module} ${message.function}: ${error}`);
  return { output, timings };
}

/** Undefined where the tool has not been made, or has no such module. */
function byCommand(tool, { module, function: name, input }) {
  const command = join(checkout, 'tools', tool, 'bin', module);
  if (!existsSync(command)) return undefined;
  const file = join(folder, 'input.json');
  writeFileSync(file, JSON.stringify(input));
  const { status, stdout, stderr } = spawnSync(command, [file, name], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${tool} ${module} ${name}: ${stderr}`);
  const [output, ...timings] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { output, timings: timings.filter((timing) => timing.name === 'evaluate') };
}

const smallestMs = (told) =>
  told ? told.timings.reduce((least, { nanoseconds }) => Math.min(least, nanoseconds), Infinity) / 1e6 : null;

/** As GradBench's evals compare, a hundred times as strictly. */
function same(found, wanted) {
  if (typeof wanted === 'number')
    return Math.abs(found - wanted) <= 1e-6 * Math.max(1, Math.abs(found) + Math.abs(wanted));
  const keys = Object.keys(wanted);
  return Object.keys(found).length === keys.length && keys.every((key) => same(found[key], wanted[key]));
}

async function rowOf(module, name, { size, input }) {
  process.stderr.write(`${module} ${name}, ${size}\n`);
  const message = { id: 1, kind: 'evaluate', module, function: name, input: { ...input, ...patience } };
  const own = await byProtocol(message);
  const [manual, codipack, cppad] = ['manual', 'codipack', 'cppad'].map((tool) => byCommand(tool, message));
  if (manual && !same(own.output, manual.output)) throw new Error(`${module} ${name}, ${size}: another answer`);
  return {
    ...{
      row: `${module} ${name}`,
      module,
      function: name,
      size,
      device: 'cpu',
      precision: 'f64',
      runs: own.timings.length,
    },
    ...{
      oursMs: smallestMs(own),
      manualMs: smallestMs(manual),
      codipackMs: smallestMs(codipack),
      cppadMs: smallestMs(cppad),
    },
  };
}

const { randomFrom } = await imported('gradbench-table', "export { randomFrom } from './engine/index.ts';");
const rows = [];
for (const [module, functions, inputs] of asked(checkout, randomFrom(1)))
  if (modules.length === 0 || modules.includes(module))
    for (const input of inputs) for (const name of functions) rows.push(await rowOf(module, name, input));
process.stdout.write(`${JSON.stringify(rows)}\n`);
ours.stdin.end();
