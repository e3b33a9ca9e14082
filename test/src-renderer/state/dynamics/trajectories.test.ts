/** The solution beside the editor of equations is that of the system that stands there, or there is none. */
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

function drawing() {
  const waiting: ((answer: unknown) => void)[] = [];
  const engine = playedEngine({
    'model.evaluate': () => new Promise((resolve) => waiting.push(resolve as (answer: unknown) => void)),
  });
  const studio = new Studio(engine.client, openSession(draft), { kind: 'unsaved' });
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
  return { studio, trajectories, answer, solved };
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
