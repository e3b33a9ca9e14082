/** What one program of a problem has found out of sizes that grow, the next begins with. */
import { expect, it } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import type { SizeBinding } from '../../../engine/0-ir/sizes.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { openAnswers } from '../../../engine/6-fit/answers.ts';
import type { PlainQuestion } from '../../../engine/6-fit/questions.ts';

/** x[index] of 0, 1, …, S−1, S a size that grows. */
function question(): PlainQuestion<number, number> {
  const b = new ProgramBuilder();
  const index = b.parameter('index', arrayType('int', []));
  const program = b.finish([{ name: 'x', value: b.gather(b.iota('growing_slots'), index, 'fault') }]);
  return {
    program,
    inputs: [{ name: 'index', initial: [0] }],
    write: (at, into, offset) => void (into[offset] = at),
    read: (result) => result('x')[0]!,
  };
}

it('sizes that a program has grown to are where the next begins, but not those that one run alone needed', async () => {
  const device: Device = cpuDevice();
  const bound: number[] = [];
  const watched: Device = {
    ...device,
    async load(program, options) {
      const executable = await device.load(program, options);
      const bind = (sizes: SizeBinding) => {
        bound.push(sizes['growing_slots']!);
        return executable.bind(sizes);
      };
      return { ...executable, bind };
    },
  };
  const answers = openAnswers(watched, { parameters: [], data: new Map(), sizes: { growing_slots: 4 } });
  const first = question();
  for (const index of [30, 31, 3000]) expect(await answers.ask(first, index)).toBe(index);
  expect(await answers.ask(question(), 31)).toBe(31);
  expect(bound[0]).toBe(4);
  expect(bound[1]).toBeGreaterThan(31);
  expect(bound[1]).toBeLessThan(100);
  // One that began with enough has found nothing out, and hides nothing.
  const second = question();
  for (const index of [30, 31, 30]) await answers.ask(second, index);
  await answers.ask(question(), 31);
  expect(bound.slice(2)).toEqual([bound[1], bound[1]]);
  answers.release();
  device.close();
});
