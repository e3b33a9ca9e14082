/**
 * GradBench's protocol (its CONTRIBUTING.md, section Protocol): a message in, the answer with the same id out. Functions are
 * run as often and as long as a message asks, and every run is told with its time: from inputs that lie on the device to
 * results that have been read.
 */
import * as v from 'valibot';
import type { Device, HostArray } from '../../../engine/index.ts';
import type { Asked, Evaluation } from './evaluation.ts';
import { ba } from './ba.ts';
import { det } from './det.ts';
import { gmm } from './gmm.ts';
import { hello } from './hello.ts';
import { ht } from './ht.ts';
import { kmeans } from './kmeans.ts';
import { llsq } from './llsq.ts';
import { lse } from './lse.ts';
import { lstm } from './lstm.ts';
import { ode } from './ode.ts';
import { particle } from './particle.ts';
import { saddle } from './saddle.ts';

export const evaluations: ReadonlyMap<string, Evaluation> = new Map(
  [ba, det, gmm, hello, ht, kmeans, llsq, lse, lstm, ode, particle, saddle].map((each) => [
    each.name,
    each as unknown as Evaluation,
  ]),
);

const message = v.variant('kind', [
  v.object({ id: v.number(), kind: v.literal('start') }),
  v.object({ id: v.number(), kind: v.literal('define'), module: v.string() }),
  v.object({
    ...{ id: v.number(), kind: v.literal('evaluate') },
    ...{ module: v.string(), function: v.string(), input: v.unknown() },
  }),
  v.object({ id: v.number(), kind: v.literal('analysis') }),
]);

const runs = v.fallback(v.object({ min_runs: v.optional(v.number(), 1), min_seconds: v.optional(v.number(), 0) }), {
  min_runs: 1,
  min_seconds: 0,
});

export interface Response {
  readonly id: number;
  readonly tool?: string;
  readonly success?: boolean;
  readonly output?: unknown;
  readonly timings?: readonly { readonly name: string; readonly nanoseconds: number }[];
  readonly error?: string;
}

/** Throws where the message is none of the protocol's: there is no id to answer to. */
export async function respond(device: Device, text: unknown): Promise<Response> {
  const asked = v.parse(message, text);
  const { id } = asked;
  switch (asked.kind) {
    case 'start':
      return { id, tool: 'cotangent' };
    case 'define':
      return { id, success: evaluations.has(asked.module) };
    case 'evaluate':
      try {
        return { id, success: true, ...(await evaluate(device, asked.module, asked.function, asked.input)) };
      } catch (error) {
        return { id, success: false, error: error instanceof Error ? error.message : String(error) };
      }
    default:
      return { id };
  }
}

async function evaluate(device: Device, module: string, name: string, input: unknown) {
  const known = evaluations.get(module);
  const make = known && Object.hasOwn(known.functions, name) ? known.functions[name] : undefined;
  if (!known || !make) throw new Error(`there is no function ${name} of a module ${module} here`);
  return timedRuns(device, make(v.parse(known.input, input)), v.parse(runs, input));
}

async function timedRuns(
  device: Device,
  { program, inputs, sizes, answer }: Asked,
  { min_runs: least, min_seconds: seconds }: v.InferOutput<typeof runs>,
) {
  // All vary: nothing is computed once for several runs.
  const executable = await device.load(program, { varying: new Set(Object.keys(inputs)) });
  try {
    const instance = await executable.bind(sizes ?? {});
    try {
      for (const [name, values] of Object.entries(inputs)) instance.write(name, values);
      const timings: { name: string; nanoseconds: number }[] = [];
      let results = new Map<string, HostArray>();
      for (let total = 0; timings.length < Math.max(1, least) || total < 1e9 * seconds;) {
        const start = process.hrtime.bigint();
        await instance.run();
        results = new Map(
          await Promise.all(program.results.map(async ({ name }) => [name, await instance.read(name)] as const)),
        );
        const nanoseconds = Number(process.hrtime.bigint() - start);
        timings.push({ name: 'evaluate', nanoseconds });
        total += nanoseconds;
      }
      return { output: answer((name) => Float64Array.from(results.get(name)!)), timings };
    } finally {
      instance.release();
    }
  } finally {
    executable.release();
  }
}
