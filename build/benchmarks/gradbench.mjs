/**
 * The engine as a tool of GradBench (https://github.com/gradbench/gradbench): its messages on standard input, a line each,
 * answers on standard output. `node build/benchmarks/gradbench.mjs [--threads N]`; one thread unless said.
 */
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { imported } from '../bundled.mjs';

const { values } = parseArgs({ options: { threads: { type: 'string', default: '1' } } });

const { cpuDevice, respond } = await imported(
  'gradbench',
  `export { cpuDevice } from './engine/index.ts';
   export { respond } from './src-main/benchmark/gradbench/respond.ts';`,
);

const device = cpuDevice({ threads: Number(values.threads) });
for await (const line of createInterface({ input: process.stdin }))
  if (line.trim() !== '') process.stdout.write(`${JSON.stringify(await respond(device, JSON.parse(line)))}\n`);
device.close();
