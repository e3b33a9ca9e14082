/** Sizes that a run finds too small are made larger, and the run is made again on the same code. */
import { expect, it } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { Fault } from '../../../engine/0-ir/errors.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { referenceDevice } from '../../../engine/5-runtime/reference-device.ts';

/** x[index] of 0, 1, …, S−1, S a size that grows: a fault where the index is S or more. */
function program() {
  const b = new ProgramBuilder();
  const index = b.parameter('index', arrayType('int', []));
  const numbers = b.iota('growing_slots');
  return b.finish([{ name: 'x', value: b.gather(numbers, index, 'fault') }]);
}

const devices: [string, () => Device][] = [
  ['cpu', cpuDevice],
  ['reference', referenceDevice],
];

it.each(devices)('on the %s', async (_, make) => {
  const device = make();
  try {
    const executable = await device.load(program());
    const instance = await executable.bind({ growing_slots: 2 });
    for (const index of [1, 700, 3, 32_767]) {
      instance.write('index', [index]);
      await instance.run();
      expect([...(await instance.read('x'))]).toEqual([index]);
    }
    instance.write('index', [32_768]);
    await expect((async () => instance.run())()).rejects.toThrow(Fault);
    instance.release();
    // What was learnt holds for the next instance; what does not grow faults at once.
    const next = await executable.bind({ growing_slots: 2 });
    next.write('index', [1000]);
    await next.run();
    expect([...(await next.read('x'))]).toEqual([1000]);
    next.release();
  } finally {
    device.close();
  }
});
