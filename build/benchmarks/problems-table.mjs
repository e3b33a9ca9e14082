/**
 * Times of the PEtab benchmark's problems, as JSON: the rows of a table of docs/benchmarks.md, which build/benchmarks/tables.mjs writes.
 *
 *     PETAB=FOLDER [SECONDS=120] node build/benchmarks/problems-table.mjs [NAME…]
 *
 * FOLDER has a folder for each problem in `benchmark`, and `published.json` beside it. Import, gradient and fit are each a process, from
 * files to what is printed, at the nominal point; a fit is given SECONDS. Loss and gradient again are runs of the
 * compiled programs, the median of five.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imported } from '../bundled.mjs';
import { root } from '../prepare.mjs';

const given = process.env.PETAB;
if (!given) throw new Error('PETAB names no folder of problems.');
const patience = Number(process.env.SECONDS ?? 120);
const published = JSON.parse(readFileSync(join(given, 'published.json'), 'utf8'));
const asked = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'problems-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

/** What a command prints, and the seconds that it takes; undefined where it is not done by then. */
function timed(args, seconds = 600) {
  const begun = performance.now();
  const { stdout, stderr, status, error } = spawnSync(
    process.execPath,
    [join(root, 'build', 'cotangent.mjs'), ...args, '--json'],
    { encoding: 'utf8', timeout: 1000 * seconds, maxBuffer: 2 ** 30 },
  );
  if (error) return undefined;
  // A fit that has not converged ends with 3, and has a result.
  if (status !== 0 && status !== 3) throw new Error(`${args.join(' ')}: ${stderr}`);
  return { printed: JSON.parse(stdout), seconds: (performance.now() - begun) / 1000 };
}

const { again } = await imported(
  'problems',
  `
  import { adjointName, cotangentName, cpuDevice, vjp } from './engine/index.ts';
  import { lowerModel } from './models/lower/lower.ts';
  import { loadFile } from './src-main/cli/model.ts';
  import { demandModel } from './src-main/compute/running/load.ts';
  import { startInstance, writeParameters } from './src-main/compute/running/run.ts';
  const device = cpuDevice();
  async function milliseconds(lowered, program, seeds) {
    const instance = await startInstance(device, lowered, program);
    writeParameters(instance, lowered, {});
    for (const seed of seeds) instance.write(seed, [1]);
    const times = [];
    for (let k = 0; k < 7; k++) {
      const begun = performance.now();
      await instance.run();
      times.push(performance.now() - begun);
    }
    instance.release();
    return times.slice(2).sort((a, b) => a - b)[2];
  }
  export async function again(path) {
    const model = demandModel(await loadFile(path, { set: [] }));
    const ids = lowerModel(model, { objective: 'value' }).parameters.map(({ id }) => id);
    const lowered = lowerModel(model, { objective: 'value', sources: ids });
    const of = 'objective';
    const states = [...model.blocks.values()].map(({ node }) => Object.keys(node.block.state ?? {}).length);
    return {
      states: Math.max(0, ...states),
      parameters: lowered.parameters.filter(({ fixed }) => !fixed).reduce((sum, { initial }) => sum + initial.length, 0),
      lossMs: await milliseconds(lowered, lowered.program, []),
      gradientMs: await milliseconds(lowered, vjp(lowered.program, { of: [of], by: ids }), [cotangentName(of)]),
    };
  }`,
);

/** One problem that has not the room leaves the others theirs. */
function unlessFails(run) {
  try {
    return run();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return undefined;
  }
}

async function rowOf(name) {
  process.stderr.write(`${name}\n`);
  const path = join(folder, `${name}.cot.json`);
  const read = timed(['import', join(given, 'benchmark', name), '--out', path]);
  const gradient = timed(['differentiate', path, '--of', 'objective']);
  const warm = await again(path);
  const fit = unlessFails(() => timed(['fit', path], patience));
  const { fitted } = published[name] ?? {};
  return {
    ...{ row: name, device: 'cpu', precision: 'f64', runs: 5, ...warm },
    ...{ importSeconds: read.seconds, gradientSeconds: gradient.seconds },
    fit: fit ? { seconds: fit.seconds, status: fit.printed.status, objective: fit.printed.objective } : null,
    published: fitted ?? null,
  };
}

const rows = [];
for (const name of readdirSync(join(given, 'benchmark')))
  if (asked.length === 0 || asked.includes(name)) rows.push(await rowOf(name));
process.stdout.write(`${JSON.stringify(rows)}\n`);
process.exit();
