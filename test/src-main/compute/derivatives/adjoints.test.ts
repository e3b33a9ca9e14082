import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { createSweep, type Adjoints } from '../../../../src-main/compute/derivatives/adjoints.ts';
import type { ParameterValues } from '../../../../src-main/compute/running/run.ts';
import type { Model } from '../../../../models/load/model.ts';
import { c, model, type PlainBlock } from '../../../support/documents.ts';

const device = cpuDevice();
afterAll(() => device.close());

const parameter = (id: string, initial: number): PlainBlock => ({ id, kind: 'parameter', initial });
const map = (id: string, formula: string): PlainBlock => ({ id, kind: 'map', formula });
const loss: PlainBlock = { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' };

async function adjointsOf(of: Model, parameters: ParameterValues, subject?: string): Promise<Adjoints> {
  const sweep = await createSweep(of, device, subject);
  try {
    return await sweep.at(parameters);
  } finally {
    sweep.release();
  }
}

async function wiresOf(blocks: readonly PlainBlock[], more = {}, parameters = {}): Promise<Record<string, number[]>> {
  const { wires } = await adjointsOf(await model(blocks, { objective: 'loss', ...more }), parameters);
  return Object.fromEntries(wires.map(({ block, port, sample }) => [`${block}.${port}`, [...sample]]));
}

it('gives each branch of a value its own part, and the loss by every wire', async () => {
  const blocks = [
    c('x', [1, 2]),
    c('y', [0, 0]),
    parameter('a', 3),
    map('u', 'a * x'),
    map('v', 'a + x'),
    map('curve', 'u * v'),
    loss,
  ];
  // u = 3, 6; v = 4, 5; curve = 12, 30; ∂loss/∂curve = 2·curve
  expect(await wiresOf(blocks)).toEqual({
    'loss.prediction': [24, 60],
    'loss.observed': [-24, -60],
    'curve.u': [24 * 4, 60 * 5],
    'curve.v': [24 * 3, 60 * 6],
    'u.a': [24 * 4 * 1 + 60 * 5 * 2],
    'u.x': [24 * 4 * 3, 60 * 5 * 3],
    'v.a': [24 * 3 + 60 * 6],
    'v.x': [24 * 3, 60 * 6],
  });
});

it('takes the parameters that it is given, and any scalar', async () => {
  const blocks = [c('x', [1, 2]), c('y', [0, 0]), parameter('a', 3), map('curve', 'a * x'), loss];
  expect((await wiresOf(blocks, {}, { a: 1 }))['loss.prediction']).toEqual([2, 4]);
  const total = { id: 's', kind: 'reduce', operator: 'multiply', values: 'curve' };
  const found = await adjointsOf(await model([...blocks, total], { objective: 'loss' }), {}, 's');
  expect(found.value).toBe(18);
  expect(found.wires.find(({ block }) => block === 's')?.sample).toEqual([6, 3]);
  await expect(adjointsOf(await model(blocks, { objective: 'loss' }), {}, 'curve')).rejects.toThrow(/no scalar/);
  await expect(adjointsOf(await model(blocks), {})).rejects.toThrow(/no objective/);
});

it('sums what a relative change of a wire moves the objective by', async () => {
  const blocks = [c('x', [1, -2]), c('y', [0, 0]), parameter('a', 3), map('curve', 'a * x'), loss];
  const { wires } = await adjointsOf(await model(blocks, { objective: 'loss' }), {});
  const effect = (block: string, port: string) =>
    wires.find((wire) => wire.block === block && wire.port === port)?.effect;
  // curve = 3, −6; ∂loss/∂curve = 6, −12; ∂loss/∂x = 18, −36; ∂loss/∂a = 6 + 24
  expect(effect('loss', 'prediction')).toBe(18 + 72);
  expect(effect('curve', 'x')).toBe(18 + 72);
  expect(effect('curve', 'a')).toBe(3 * 30);
});

it('follows the parameters with one program', async () => {
  const blocks = [c('x', [1, 2]), c('y', [0, 0]), parameter('a', 3), map('curve', 'a * x'), loss];
  const sweep = await createSweep(await model(blocks, { objective: 'loss' }), device);
  const values: number[] = [];
  for (const a of [1, 2, 1]) values.push((await sweep.at({ a })).value);
  sweep.release();
  expect(values).toEqual([5, 20, 5]);
});

it('says where a NaN arises, and shortens what is long', async () => {
  const x = c('x', [1, -1, 4]);
  const blocks = [x, c('y', [0, 0, 0]), parameter('a', 1), map('curve', 'sqrt(a * x)'), loss];
  const { wires } = await adjointsOf(await model(blocks, { objective: 'loss' }), {});
  expect(wires.find(({ port }) => port === 'prediction')).toMatchObject({ missing: 1, firstMissing: 1, largest: 4 });
  const long = [
    c(
      'x',
      Array.from({ length: 5000 }, (_, i) => i),
    ),
    c('y', 0),
    parameter('a', 1),
    map('curve', 'a * x'),
    loss,
  ];
  const found = await adjointsOf(await model(long, { objective: 'loss' }), {});
  const wire = found.wires.find(({ port }) => port === 'prediction');
  expect(wire).toMatchObject({ shape: [5000], largest: 2 * 4999 });
  expect(wire?.sample).toHaveLength(400);
});
