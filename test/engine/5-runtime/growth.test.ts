/** Sizes that a run finds too small are made larger, and the run is made again on the same code. */
import { expect, it } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { Fault } from '../../../engine/0-ir/errors.ts';
import type { SizeBinding } from '../../../engine/0-ir/sizes.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { growingAtOnce } from '../../../engine/5-runtime/growth.ts';
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

it('what one run alone has needed is not kept for the next, and what the next one needs too is', () => {
  const tried: number[] = [];
  let need = 0;
  const bind = (sizes: SizeBinding) => ({
    write: () => {},
    run() {
      tried.push(sizes['growing_slots']!);
      if (need > sizes['growing_slots']!) throw new Fault('too few', undefined, 0);
    },
    read: () => new Float64Array(0),
    release: () => {},
  });
  const known = new Map<string, number>();
  const instance = growingAtOnce(bind, { growing_slots: 8 }, known);
  const triedOf = (needed: number): number[] => {
    tried.length = 0;
    need = needed;
    instance.run();
    return [...tried];
  };
  expect(triedOf(5)).toEqual([8]);
  expect(triedOf(20)).toEqual([8, 12, 18, 27]);
  expect(triedOf(5)).toEqual([8]);
  expect(known.get('growing_slots')).toBe(8);
  expect(triedOf(20)).toEqual([8, 12, 18, 27]);
  expect(triedOf(25)).toEqual([8, 27]);
  expect(triedOf(5)).toEqual([27]);
  expect(triedOf(30)).toEqual([27, 41]);
  expect(triedOf(50)).toEqual([27, 41, 62]);
  expect(triedOf(1)).toEqual([41]);
  expect(known.get('growing_slots')).toBe(41);
});
