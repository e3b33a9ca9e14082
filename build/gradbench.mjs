/**
 * The engine as a tool of GradBench (https://github.com/gradbench/gradbench): its messages on standard input, a line each,
 * answers on standard output. `node build/gradbench.mjs [--threads N]`; one thread unless said.
 */
import { build } from 'esbuild';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { root } from './prepare.mjs';

const { values } = parseArgs({ options: { threads: { type: 'string', default: '1' } } });

const { outputFiles } = await build({
  absWorkingDir: root,
  stdin: {
    contents: `
      export { cpuDevice } from './engine/index.ts';
      export { respond } from './src-main/benchmark/gradbench/respond.ts';`,
    resolveDir: root,
  },
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: ['webgpu'],
  logLevel: 'warning',
});
const source = Buffer.from(outputFiles[0].contents).toString('base64');
const { cpuDevice, respond } = await import(`data:text/javascript;base64,${source}`);

const device = cpuDevice({ threads: Number(values.threads) });
for await (const line of createInterface({ input: process.stdin }))
  if (line.trim() !== '') process.stdout.write(`${JSON.stringify(await respond(device, JSON.parse(line)))}\n`);
device.close();
