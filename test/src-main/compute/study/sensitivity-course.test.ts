/** Local sensitivity stands over the abscissa of what is studied, wherever its plots do. */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/index.ts';
import { demandModel, load } from '../../../../src-main/compute/running/load.ts';
import { sensitivity } from '../../../../src-main/compute/study/sensitivity.ts';
import { courseAxis, courses } from '../../../../src-renderer/state/study/sensitivity-view.ts';

const device = cpuDevice();
afterAll(() => device.close());

const t = [4, 1, 0, 2, 1, 8];
const who = ['b', 'a', 'a', 'b', 'b', 'a'];
const documentOf = (...blocks: readonly object[]) => ({
  format: 'cotangent/1',
  tables: { obs: { columns: { t, who, y: t.map((x) => 2 * Math.exp(-0.3 * x)) } } },
  blocks: [
    { id: 't', kind: 'column', table: 'obs', column: 't', label: 'time', unit: 'h' },
    { id: 'y', kind: 'column', table: 'obs', column: 'y' },
    { id: 'who', kind: 'column', table: 'obs', column: 'who' },
    { id: 'A', kind: 'parameter', initial: 2 },
    { id: 'k', kind: 'parameter', initial: 0.3 },
    ...blocks,
  ],
});
const loss = { id: 'loss', kind: 'least-squares', prediction: 'f', observed: 'y' };

async function studied(of: string, document: object) {
  const model = demandModel(await load(document, undefined));
  return sensitivity(model, device, { kind: 'sensitivity', method: 'local', of }, { parameters: {} });
}

/** ∂f/∂A = e^(−kt) where f = A·e^(−kt), at every t and nowhere else. */
function expectDecay(points: readonly { readonly x: number; readonly y: number }[], rows: readonly number[]): void {
  const shown = points.filter(({ x }) => Number.isFinite(x));
  expect(shown.map(({ x }) => x)).toEqual(rows);
  for (const { x, y } of shown) expect(y).toBeCloseTo(Math.exp(-0.3 * x), 12);
}

const decay = { id: 'f', kind: 'map', formula: 'A * exp(-k * t)' };
const ofA = (report: Awaited<ReturnType<typeof studied>>) =>
  courses(report, 'derivative').find(({ name }) => name.startsWith('A'))!.points;

it.each([
  ['of a prediction that is compared', [decay, loss]],
  ['of an output that nothing is compared with', [decay]],
])('%s', async (_, blocks) => {
  const report = await studied('f', { ...documentOf(...blocks), ...(blocks.length > 1 && { objective: 'loss' }) });
  expect(courseAxis(report)).toEqual({ title: 'time, h', log: false });
  expectDecay(ofA(report), [0, 1, 1, 2, 4, 8]);
});

it('group by group, with a gap between', async () => {
  const report = await studied('f', {
    ...documentOf(
      { id: 'b', kind: 'parameter', initial: 0, like: 'who' },
      { id: 'own', kind: 'gather', from: 'b', indices: 'who' },
      { id: 'f', kind: 'map', formula: 'A * exp(-k * t) + own' },
      loss,
    ),
    objective: 'loss',
  });
  expect(report.along?.labels).toEqual(['b', 'a']);
  expect(ofA(report).map(({ x }) => x)).toEqual([1, 2, 4, NaN, 0, 1, 8]);
  expectDecay(ofA(report), [1, 2, 4, 0, 1, 8]);
});

it('over the number of the row where there is no abscissa, and not at all of a scalar', async () => {
  const two = { id: 'two', kind: 'parameter', initial: [1, 2] };
  const report = await studied('f', documentOf(two, { id: 'f', kind: 'map', formula: 'A * two' }));
  expect(report.shape).toEqual([2]);
  expect(courseAxis(report)).toEqual({ title: 'row', log: false });
  expect(ofA(report)).toEqual([
    { x: 0, y: 1 },
    { x: 1, y: 2 },
  ]);
  expect(report.along).toBeUndefined();
  const scalar = await studied('s', documentOf(decay, { id: 's', kind: 'reduce', operator: 'add', values: 'f' }));
  expect(scalar.along).toBeUndefined();
});
