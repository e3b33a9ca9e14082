import { expect, test } from 'vitest';
import { Cancelled, Fault } from '../../../engine/0-ir/errors.ts';
import { parseProgram } from '../../../engine/0-ir/parse.ts';
import { referenceDevice } from '../../../engine/5-runtime/reference-device.ts';

const program = parseProgram(`program (%0 x: real[n], %1 k: int[2]) {
  %2: real[2] = gather %0 at %1 batch 0 outside fault @ "lookup"
  yield picked = %2, k = %1
}`);

async function boundTo(n: number) {
  const executable = await referenceDevice().load(program);
  return executable.bind({ n });
}

test('writes, runs, reads, and again with other inputs', async () => {
  const instance = await boundTo(3);
  instance.write('x', [1.5, 2.5, 3.5]);
  instance.write('k', [2, 0]);
  await instance.run();
  expect(await instance.read('picked')).toEqual(new Float64Array([3.5, 1.5]));
  expect(await instance.read('k')).toEqual(new Int32Array([2, 0]));
  instance.write('k', [1, 1]);
  await instance.run();
  expect(await instance.read('picked')).toEqual(new Float64Array([2.5, 2.5]));
});

test('what was read is a copy', async () => {
  const instance = await boundTo(1);
  instance.write('x', [1]);
  instance.write('k', [0, 0]);
  await instance.run();
  (await instance.read('picked')).fill(9);
  expect(await instance.read('picked')).toEqual(new Float64Array([1, 1]));
});

test('faults name the block', async () => {
  const instance = await boundTo(1);
  instance.write('x', [1]);
  instance.write('k', [0, 1]);
  expect(() => instance.run()).toThrow(Fault);
  expect(() => instance.run()).toThrow(expect.objectContaining({ origin: 'lookup', element: 1 }));
});

test('a raised cancel flag stops a run', async () => {
  const instance = await boundTo(1);
  instance.write('x', [1]);
  instance.write('k', [0, 0]);
  expect(() => instance.run({ cancel: new Int32Array([1]) })).toThrow(Cancelled);
  expect(() => instance.run({ cancel: new Int32Array([0]) })).not.toThrow();
});

test('sizes that are not bound, unknown names and early reads are refused', async () => {
  const executable = await referenceDevice().load(program);
  expect(() => executable.bind({})).toThrow('the size n is not bound');
  const instance = await boundTo(1);
  expect(() => instance.write('z', [1])).toThrow('no input z');
  expect(() => instance.read('picked')).toThrow('before the program has run');
  expect(() => instance.run()).toThrow('the input x is missing');
});
