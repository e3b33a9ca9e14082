/**
 * Every rule of the engine's own list, swept over sizes, shapes, axes, directions and operators of its class:
 * forward = reverse = central differences, nested once, and the same numbers on the CPU in both precisions. fast-check
 * prints the seed of what fails, and `SEED=…` runs it again. `SWEEP=long` tries ten times as much. A rule that does not say
 * what it is swept over, or a construct that nobody draws, fails here.
 */
import { describe, test } from 'vitest';
import { vjpRules } from '../../../engine/2-ad/vjp.ts';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import { f32, f64, holdDevice, tryRule } from '../../support/sweep/run.ts';

const times = process.env['SWEEP'] === 'long' ? 10 : 1;
const patience = 120_000 * times;

/** 33 and 257 are odd; 3000 is several chunks and tiles. */
const lengths = [0, 1, 2, 5, 33, 257, 3000];
const onCpu = { cases: 2 * times, draws: 6, lengths, forwardLengths: lengths, components: 4, nested: 4 };

describe.each(vjpRules.map((rule) => ({ name: rule.name, rule })))('$name', ({ rule }) => {
  test('forward, reverse and central differences agree', () => tryRule(rule, 40 * times), patience);
  test('the same on the CPU in f64', () => holdDevice(cpuDevice(), rule, { ...onCpu, ...f64 }), patience);
  test(
    'the same on the CPU in f32',
    () => holdDevice(cpuDevice({ precision: 'f32' }), rule, { ...onCpu, ...f32 }),
    patience,
  );
});
