/**
 * The sweep of every rule on WebGPU: a fixed list of operators, shapes and directions, each compiled once, since a software
 * GPU takes some 50 ms for each small kernel and seconds for large ones; sizes, keys, flags and elements are random.
 * Forward mode is held at short lengths, over reverse with operators of one component. `SWEEP=long` takes longer lists, and
 * tuples of four.
 */
import { describe } from 'vitest';
import { vjpRules } from '../../../engine/2-ad/vjp.ts';
import { webGpuDevice } from '../../../engine/5-runtime/gpu/webgpu-device.ts';
import { gpuTest } from '../../support/gpu.ts';
import { f32, holdDevice } from '../../support/sweep/run.ts';

const short = [0, 1, 2, 5, 33];
const lengths = [...short, 300];
const ordinary = { cases: 1, draws: 6, lengths, forwardLengths: short, components: 2, nested: 1 };
const long = { cases: 4, draws: 20, lengths, forwardLengths: lengths, components: 4, nested: 4 };
const sweep = { ...(process.env['SWEEP'] === 'long' ? long : ordinary), ...f32 };

/** Of a search for roots a software GPU's compiler makes tens of gigabytes: it is swept on the CPU alone (sweep.test.ts). */
const tried = vjpRules.filter(({ construct }) => construct !== 'solve');

describe.each(tried.map((rule) => ({ name: rule.name, rule })))('$name', ({ rule }) => {
  gpuTest('the same on the GPU', (host) => holdDevice(webGpuDevice(host), rule, sweep));
});
