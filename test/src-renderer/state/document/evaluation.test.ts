/** Values at the point that is shown: what is asked for as a slider moves and rests, and what of the answers stands. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Problem } from '../../../../src-main/contract/contract.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { Evaluation, outputsLookedAt, type Wanted } from '../../../../src-renderer/state/document/evaluation.svelte.ts';
import { playedEngine } from '../../../support/played-engine.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const draft: Draft = { format: 'cotangent/1', blocks: [{ id: 'k', kind: 'parameter', initial: 1 }], objective: 'loss' };
const at = (k: number, more: Partial<Wanted> = {}): Wanted => ({
  ...{ draft, handle: 'h', parameters: { k }, readings: 0, bands: undefined, others: ['k', 'k', 'curve'] },
  ...more,
});
const number = (value: number) => ({ element: 'real' as const, shape: [], values: Float64Array.of(value) });
const fault: Problem = { severity: 'error', message: 'it has no value there' };

function evaluating() {
  const waiting: ((answer: unknown) => void)[] = [];
  const engine = playedEngine({
    'model.plots': () => new Promise((resolve) => waiting.push(resolve as (answer: unknown) => void)),
    'model.evaluate': () => new Promise((resolve) => waiting.push(resolve as (answer: unknown) => void)),
  });
  let lost = 0;
  const evaluation = new Evaluation(
    engine.client,
    () => ({ kind: 'unsaved' }),
    () => (lost += 1),
  );
  /** The oldest request that waits is answered. */
  const answer = async (body: unknown): Promise<void> => {
    waiting.shift()!(body);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { evaluation, engine, answer, lost: () => lost };
}

const plots = (value: number, faults: readonly Problem[] = []) => ({
  ...{ values: { loss: number(value) }, plots: [{ of: 'loss', value }], faults, milliseconds: 2 },
});

it('asks for plots once at a time, and after them for the newest position alone, by handle and parameters', async () => {
  const { evaluation, engine, answer } = evaluating();
  for (const k of [1, 2, 3, 4]) evaluation.evaluate(at(k));
  expect(engine.of('model.plots')).toEqual([
    { handle: 'h', parameters: { k: 1 }, outputs: ['loss'], bands: undefined },
  ]);
  await answer(plots(10));
  expect(evaluation.values.get('loss')?.values).toEqual(Float64Array.of(10));
  await answer(plots(40));
  expect(engine.of('model.plots').map(({ parameters }) => parameters)).toEqual([{ k: 1 }, { k: 4 }]);
  expect(evaluation.plots).toEqual([{ of: 'loss', value: 40 }]);
  expect(evaluation).toMatchObject({ told: true, milliseconds: 2 });
});

it('asks for all other outputs when the hand rests, each once', () => {
  const { evaluation, engine } = evaluating();
  evaluation.evaluate(at(1));
  vi.advanceTimersByTime(100);
  evaluation.evaluate(at(2));
  vi.advanceTimersByTime(100);
  expect(engine.of('model.evaluate')).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(engine.of('model.evaluate')).toMatchObject([{ parameters: { k: 2 }, outputs: ['k', 'curve'] }]);
});

it('asks for no plots of a model that has not been checked, and for nothing once it is closed', () => {
  const { evaluation, engine } = evaluating();
  evaluation.evaluate(at(1, { handle: undefined }));
  evaluation.close();
  vi.runAllTimers();
  expect(engine.asked).toEqual([]);
});

it('leaves out the answer of a rest after which the slider has moved on', async () => {
  const { evaluation, engine, answer } = evaluating();
  evaluation.evaluate(at(1, { handle: undefined }));
  vi.runAllTimers();
  evaluation.evaluate(at(2, { handle: undefined }));
  await answer({ values: { curve: number(1) }, faults: [fault] });
  expect(evaluation.values.size).toBe(0);
  expect(evaluation.faults).toEqual([]);
  vi.runAllTimers();
  await answer({ values: { curve: number(2) }, faults: [] });
  expect(evaluation.values.get('curve')?.values).toEqual(Float64Array.of(2));
  expect(engine.of('model.evaluate')).toHaveLength(2);
});

it('keeps what was plotted, and the values that are missing, while the model is at fault, and says so', async () => {
  const { evaluation, answer } = evaluating();
  evaluation.evaluate(at(1));
  await answer(plots(10));
  evaluation.evaluate(at(2));
  await answer(plots(20, [fault]));
  expect(evaluation.plots).toEqual([{ of: 'loss', value: 10 }]);
  expect(evaluation.faults).toEqual([fault]);
  vi.runAllTimers();
  await answer({ values: { k: number(2) }, faults: [fault] });
  expect([...evaluation.values.keys()]).toEqual(['loss', 'k']);
  expect([...evaluation.earlier]).toEqual(['loss']);
  evaluation.evaluate(at(3));
  await answer(plots(30));
  expect([...evaluation.earlier]).toEqual([]);
  vi.runAllTimers();
  await answer({ values: { k: number(3) }, faults: [] });
  expect([...evaluation.earlier]).toEqual([]);
});

it('has the model checked again where the engine knows it no more', async () => {
  const { evaluation, answer, lost } = evaluating();
  evaluation.evaluate(at(1));
  await answer(null);
  expect(lost()).toBe(1);
  expect(evaluation.told).toBe(false);
});

it('shows all but its sources to be of before where the model is refused', async () => {
  const { evaluation, answer } = evaluating();
  evaluation.evaluate(at(1));
  await answer(plots(10));
  vi.runAllTimers();
  await answer({ values: { k: number(1), curve: number(5), loss: number(10) }, faults: [] });
  evaluation.evaluate(at(1, { handle: undefined }));
  vi.runAllTimers();
  await answer(Promise.reject(new Error('unknown name')));
  expect([...evaluation.earlier]).toEqual(['curve', 'loss']);
  expect(evaluation.values.get('curve')?.values).toEqual(Float64Array.of(5));
});

it('shows a source to be of before, too, that has changed since', async () => {
  const { evaluation, answer } = evaluating();
  const column = (id: string) => ({ id, kind: 'column', table: 'data', column: id });
  const blocks = [...['y', 'x'].map(column), { id: 'k', kind: 'parameter', initial: 1 }];
  const of = (y: readonly unknown[]): Draft => ({ ...draft, blocks, tables: { data: { columns: { x: [1, 2], y } } } });
  evaluation.evaluate(at(1, { draft: of([3, 4]) }));
  await answer(plots(10));
  vi.runAllTimers();
  await answer({ values: { k: number(1), x: number(1), y: number(3), log: number(1) }, faults: [] });
  evaluation.evaluate(at(1, { draft: of([3, 'xyz']), handle: undefined }));
  vi.runAllTimers();
  await answer(Promise.reject(new Error('a number is wanted')));
  expect([...evaluation.earlier]).toEqual(['y', 'log']);
  evaluation.evaluate(at(2, { draft: of([3, 'xyz']), handle: undefined }));
  vi.runAllTimers();
  await answer(Promise.reject(new Error('a number is wanted')));
  expect([...evaluation.earlier]).toEqual(['k', 'y', 'log']);
});

it('says so of what comes late for the first time, of what the model was before it was edited', async () => {
  const { evaluation, answer } = evaluating();
  const of = (initial: number): Draft => ({ ...draft, blocks: [{ id: 'loss', kind: 'map', formula: `${initial}` }] });
  evaluation.evaluate(at(1, { draft: of(1) }));
  evaluation.evaluate(at(1, { draft: of(2), handle: undefined }));
  vi.advanceTimersByTime(400);
  await answer(plots(10));
  expect(evaluation.plots).toEqual([{ of: 'loss', value: 10 }]);
  expect(evaluation.plotsEarlier).toBe('of before, being computed');
  expect(evaluation.whyEarlier('loss')).toBe('of before, being computed');
});

it('says that plots are of before where the point that is shown has none', async () => {
  const { evaluation, answer } = evaluating();
  evaluation.evaluate(at(1));
  await answer(plots(10));
  expect(evaluation.plotsEarlier).toBe('');
  evaluation.evaluate(at(2));
  await answer(plots(20, [fault]));
  expect(evaluation).toMatchObject({
    plots: [{ of: 'loss', value: 10 }],
    plotsEarlier: 'of before the model was at fault',
  });
  evaluation.evaluate(at(3));
  await answer(plots(30));
  expect(evaluation).toMatchObject({ plots: [{ of: 'loss', value: 30 }], plotsEarlier: '' });
});

const computed: Draft = {
  format: 'cotangent/1',
  blocks: [
    { id: 'k', kind: 'parameter', initial: 1 },
    { id: 'other', kind: 'parameter', initial: 1 },
    { id: 'twice', kind: 'map', formula: '2 * k' },
    { id: 'loss', kind: 'map', formula: 'twice^2' },
    { id: 'apart', kind: 'map', formula: 'other + 1' },
  ],
  objective: 'loss',
};
const all = ['k', 'other', 'twice', 'loss', 'apart'];
const point = (k: number, more: Partial<Wanted> = {}) =>
  at(k, { draft: computed, parameters: { k, other: 1 }, others: all, ...more });
const numbers = (values: Readonly<Record<string, number>>) => ({
  values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, number(value)])),
  faults: [],
});

it('marks what is not of the point that is shown once it is waited for, and what nothing has changed for not', async () => {
  const { evaluation, answer } = evaluating();
  evaluation.evaluate(point(1));
  await answer(plots(4));
  vi.advanceTimersByTime(200);
  await answer(numbers({ k: 1, other: 1, twice: 2, loss: 4, apart: 2 }));
  evaluation.evaluate(point(3));
  vi.advanceTimersByTime(290);
  expect([evaluation.plotsEarlier, [...evaluation.earlier]]).toEqual(['', []]);
  vi.advanceTimersByTime(20);
  expect(evaluation.plotsEarlier).toBe('of before, being computed');
  expect([...evaluation.earlier].sort()).toEqual(['k', 'loss', 'twice']);
  expect(evaluation.whyEarlier('twice')).toBe('of before, being computed');
  expect(evaluation.whyEarlier('apart')).toBe('');
  await answer(plots(36));
  expect(evaluation.plotsEarlier).toBe('');
  expect([...evaluation.earlier].sort()).toEqual(['k', 'twice']);
  await answer(numbers({ k: 3, other: 1, twice: 6, loss: 36, apart: 2 }));
  expect([...evaluation.earlier]).toEqual([]);
});

it('marks nothing where answers come in time, however long the hand moves', async () => {
  const { evaluation, answer } = evaluating();
  for (let k = 1; k < 50; k++) {
    evaluation.evaluate(point(k));
    vi.advanceTimersByTime(20);
    await answer(plots(k));
    expect(evaluation.plotsEarlier).toBe('');
  }
});

it('keeps plots marked while answers are of positions that were left, and none where the position is the same', async () => {
  const { evaluation, answer } = evaluating();
  evaluation.evaluate(point(1));
  await answer(plots(1));
  for (const k of [2, 3]) evaluation.evaluate(point(k));
  vi.advanceTimersByTime(400);
  await answer(plots(2));
  expect(evaluation.plotsEarlier).toBe('of before, being computed');
  expect(evaluation.plots).toMatchObject([{ value: 2 }]);
  await answer(numbers({ k: 3 }));
  await answer(plots(3));
  expect(evaluation.plotsEarlier).toBe('');
  expect(evaluation.plots).toMatchObject([{ value: 3 }]);
  evaluation.evaluate(point(3));
  vi.advanceTimersByTime(400);
  expect(evaluation.plotsEarlier).toBe('');
});

it('marks what is made of what is not there any more, and of long chains in any order', async () => {
  const { evaluation, answer } = evaluating();
  const n = 20_000;
  const chain = Array.from({ length: n }, (_, i) => ({
    id: `c${i}`,
    kind: 'map',
    formula: i === 0 ? 'k' : `c${i - 1}`,
  }));
  const of: Draft = { ...computed, blocks: [...computed.blocks, ...chain].reverse(), objective: `c${n - 1}` };
  evaluation.evaluate(point(1, { draft: of }));
  await answer({ ...plots(1), values: { [`c${n - 1}`]: number(1), apart: number(2) } });
  evaluation.evaluate(
    point(1, { draft: { ...of, blocks: of.blocks.filter(({ id }) => id !== 'c0') }, handle: undefined }),
  );
  vi.advanceTimersByTime(400);
  expect([...evaluation.earlier]).toEqual([`c${n - 1}`]);
});

it('marks what is made of a table whose file was written again', async () => {
  const { evaluation, answer } = evaluating();
  const blocks = [
    { id: 'y', kind: 'column', table: 'data', column: 'y' },
    { id: 'loss', kind: 'map', formula: '2 * y' },
  ];
  const of: Draft = { ...draft, blocks, tables: { data: { file: 'data.csv' } } };
  evaluation.evaluate(at(1, { draft: of, others: ['y', 'loss'] }));
  await answer(plots(1));
  evaluation.evaluate(at(1, { draft: of, readings: 1, handle: undefined, others: ['y', 'loss'] }));
  vi.advanceTimersByTime(400);
  expect(evaluation.plotsEarlier).toBe('of before, being computed');
  expect([...evaluation.earlier]).toEqual(['loss']);
});

/** What is too long to be looked at hides nothing else. */
const reported = (id: string, ...sizes: readonly number[][]) => ({
  ...{ id, kind: 'map', inputs: [] },
  outputs: sizes.map((each, i) => ({ name: `out${i}`, element: 'real' as const, shape: each, sizes: each })),
});

it('takes what there is room for, in whatever place it stands', () => {
  const blocks = [reported('x', [60]), reported('y', [60]), reported('pair', [3, 5], [100]), reported('loss', [])];
  expect(outputsLookedAt(blocks, 100)).toEqual(['x', 'pair.out0', 'loss']);
});

it('takes the columns of a table of 120,000 rows, and what is made of them', () => {
  const long = ['t', 'x', 'y', 'z'].map((id) => reported(id, [120_000]));
  expect(outputsLookedAt([...long, reported('loss', [])])).toEqual(['t', 'x', 'y', 'z', 'loss']);
});
