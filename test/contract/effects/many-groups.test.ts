/**
 * Many groups: TMB's scaled-up orange trees against its expected results, and the group that has no mode by its name.
 */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import { documentOf, map, parameter, type PlainBlock } from '../../support/command-line.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

const column = (id: string, type = 'real'): PlainBlock => ({ id, kind: 'column', table: 't', column: id, type });

/** Circumferences of five orange trees (Draper and Smith 1998; `Orange` of R), as often as is said. */
// prettier-ignore
const trunks = [
  30,58,87,115,120,142,145, 33,69,111,156,172,203,203, 30,51,75,108,115,139,140, 32,62,112,167,179,209,214,
  30,49,81,125,142,174,177,
];
const days = [118, 484, 664, 1004, 1231, 1372, 1582];
function orange(times: number): PlainBlock {
  const y = Array.from({ length: times }, () => trunks).flat();
  const columns = { y, t: y.map((_, i) => days[i % 7]), tree: y.map((_, i) => `tree ${Math.floor(i / 7)}`) };
  return documentOf(
    [
      ...[column('y'), column('t'), column('tree', 'category')],
      ...[parameter('a', 192), parameter('x', 726), parameter('s', 356), parameter('sigma', Math.E, { scale: 'log' })],
      { id: 'u', kind: 'random-effect', like: 'tree', sd: Math.exp(2) },
      { id: 'b', kind: 'gather', from: 'u', indices: 'tree' },
      map('m', '(a + b)/(1 + exp(-(t - x)/s))'),
      { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma' },
    ],
    { tables: { t: { columns } }, objective: 'l' },
  );
}

it('five thousand trees have what TMB expects', async () => {
  const fit = await fitModel(demandModel(await load(orange(1000), undefined)), device, { parameters: {} });
  expect(fit.status).toBe('converged');
  // Theirs leaves ½ log 2π of rows and effects out.
  const constants = (40_000 / 2) * Math.log(2 * Math.PI);
  expect(fit.objective - constants).toBeCloseTo(94814.3437722, 4);
  const at = (id: string): number => fit.estimates.find(({ name }) => name === id)?.value ?? NaN;
  const theirs = {
    a: 192.05315194585,
    x: 727.90633894941,
    s: 348.0730422778,
    sigma: Math.exp(2.05962307502),
    'u.sd.b': Math.exp(3.45462116756),
  };
  for (const [id, value] of Object.entries(theirs)) expect(at(id) / value, id).toBeCloseTo(1, 6);
});

it('a group whose effects have no mode is named', async () => {
  const columns = { y: [1, 2, 1, 3, 2, 2], x: [2, 3, 2, -5, 3, 2], g: ['a', 'a', 'b', 'b', 'c', 'c'] };
  const blocks = [
    ...[column('y'), column('x'), column('g', 'category'), parameter('sigma', 1)],
    { id: 'u', kind: 'random-effect', like: 'g' },
    ...[{ id: 'b', kind: 'gather', from: 'u', indices: 'g' }, map('m', 'log(x + exp(b))')],
    { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma' },
  ];
  const model = demandModel(await load(documentOf(blocks, { tables: { t: { columns } }, objective: 'l' }), undefined));
  await expect(fitModel(model, device, { parameters: {} })).rejects.toThrow(
    'the group "b" of "u" has no most probable effects at the initial values: the model has no value',
  );
});
