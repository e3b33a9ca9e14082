/** The solution beside the editor of equations is that of the system that stands there, or there is none. */
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { BlockDraft, Draft } from '../../../../src-renderer/state/document/draft.ts';
import { openSession } from '../../../../src-renderer/state/document/session.ts';
import { Trajectories } from '../../../../src-renderer/state/dynamics/trajectories.svelte.ts';
import { Studio } from '../../../../src-renderer/state/studio.svelte.ts';
import { playedEngine } from '../../../support/played-engine.ts';

const block: BlockDraft = { id: 'd', kind: 'ode', times: 't', state: { x: { initial: 1, rate: '-x' } } };
const draft: Draft = {
  format: 'cotangent/1',
  blocks: [{ id: 't', kind: 'range', from: 0, to: 1, count: 2, unit: 'h' }, block],
};
const list = (...values: number[]) => ({
  element: 'real' as const,
  shape: [values.length],
  values: Float64Array.from(values),
});

function drawing(blocks: Draft = draft) {
  const waiting: ((answer: unknown) => void)[] = [];
  const asked: (readonly string[])[] = [];
  const engine = playedEngine({
    'model.evaluate': ({ outputs }: { outputs: readonly string[] }) => {
      asked.push(outputs);
      return new Promise((resolve) => waiting.push(resolve as (answer: unknown) => void));
    },
  });
  const studio = new Studio(engine.client, openSession(blocks), { kind: 'unsaved' });
  studio.evaluation.values = new Map([['t', list(0, 1)]]);
  const trajectories = new Trajectories(studio);
  const answer = async (body: unknown): Promise<void> => {
    waiting.shift()!(body);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const solved = async () => {
    trajectories.follow(block);
    await answer({ values: { d: list(1, 0.4) }, faults: [] });
    expect(trajectories.shown?.courses).toMatchObject([{ state: 'x' }]);
    expect(trajectories.shown?.over).toBe('t, h');
  };
  return { studio, trajectories, asked, answer, solved };
}

it('draws nothing of a system that is refused, or that has no solution there', async () => {
  const { trajectories, answer, solved } = drawing();
  await solved();
  trajectories.follow({ ...block, state: { x: { initial: 1, rate: '-x *' } } });
  await answer(Promise.reject(new Error('the formula ends too soon')));
  expect(trajectories).toMatchObject({ shown: null, failure: expect.stringMatching(/ends too soon/) as unknown });

  await solved();
  trajectories.follow(block);
  await answer({ values: {}, faults: [{ severity: 'error', message: 'the solution leaves every number' }] });
  expect(trajectories).toMatchObject({ shown: null, failure: 'The solution leaves every number' });
});

it('draws nothing without times, whatever is still answered of before', async () => {
  const { trajectories, answer } = drawing();
  trajectories.follow(block);
  trajectories.follow({ ...block, times: undefined });
  await answer({ values: { d: list(1, 0.4) }, faults: [] });
  expect(trajectories.shown).toBeNull();
});

it('draws the one state of a block that gives formulas and rates beside it', async () => {
  const several = { ...block, formulas: { v: '2*x' } };
  const { trajectories, asked, answer } = drawing({ ...draft, blocks: [draft.blocks[0]!, several] });
  trajectories.follow(several);
  await answer({ values: { 'd.x': list(1, 0.4) }, faults: [] });
  expect(asked).toEqual([['d.x']]);
  expect(trajectories.shown?.courses).toMatchObject([{ state: 'x', points: [{ y: 1 }, { y: 0.4 }] }]);
});

it('has what was measured of a batch at its times, each series by itself, and says of how many it draws some', async () => {
  const loss: BlockDraft = { id: 'loss', kind: 'least-squares', prediction: 'd', observed: 'seen' };
  const { studio, trajectories, answer } = drawing({ ...draft, blocks: [...draft.blocks, loss] });
  const batch = (lanes: number, ...values: number[]) => ({ ...list(...values), shape: [2, lanes] });
  studio.evaluation.values = new Map([
    ['t', list(0, 5)],
    ['seen', batch(3, 1, 2, 3, 10, 20, 30)],
  ]);
  trajectories.follow(block);
  await answer({ values: { d: batch(3, 1, 2, 3, 10, 20, 30) }, faults: [] });
  expect(trajectories.shown).toMatchObject({
    of: 0,
    measured: [1, 2, 3].map((y) => ({
      points: [
        { x: 0, y },
        { x: 5, y: 10 * y },
      ],
    })),
  });
  trajectories.follow({ ...block });
  await answer({ values: { d: batch(40, ...Array.from({ length: 80 }, (_, i) => i)) }, faults: [] });
  expect(trajectories.shown).toMatchObject({ of: 40, courses: { length: 12 } });
});

it('says of a solution of before that it is, until the last that was asked for is here', async () => {
  const { trajectories, answer, solved } = drawing();
  await solved();
  expect(trajectories.late).toBe(false);
  const edited = (rate: string) => trajectories.follow({ ...block, state: { x: { initial: 1, rate } } });
  edited('-2*x');
  edited('-3*x');
  await setTimeout(400);
  expect(trajectories.late).toBe(true);
  await answer({ values: { d: list(1, 0.2) }, faults: [] });
  expect(trajectories.late).toBe(true);
  await answer({ values: { d: list(1, 0.1) }, faults: [] });
  expect(trajectories).toMatchObject({ late: false, shown: { courses: [{ points: [{ y: 1 }, { y: 0.1 }] }] } });
});
