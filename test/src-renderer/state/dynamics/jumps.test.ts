/** A jump of a solution is drawn at one instant, wherever it is. */
import { describe, expect, it } from 'vitest';
import { createDevices } from '../../../../src-main/compute/running/devices.ts';
import { createSessions } from '../../../../src-main/compute/sessions.ts';
import { answers } from '../../../../src-main/engine-process/answers.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { openSession } from '../../../../src-renderer/state/document/session.ts';
import { Trajectories } from '../../../../src-renderer/state/dynamics/trajectories.svelte.ts';
import { Studio } from '../../../../src-renderer/state/studio.svelte.ts';
import { playedEngine } from '../../../support/played-engine.ts';

describe('an event beside the editor of equations', () => {
  const ode = (keys: object) => ({ id: 'd', kind: 'ode', times: 't', from: 0, ...keys });
  const events = {
    // A ball that falls from 1 under 9.81 and comes back with 0.8 of its speed: it meets the floor first at √(2/9.81).
    conditional: ode({
      state: { h: { initial: 1, rate: 'v' }, v: { initial: 0, rate: '-9.81' } },
      events: [{ when: 'h <= 0', set: { v: '-0.8*v', h: '0' } }],
    }),
    // At a time that the formula of another block gives.
    dose: ode({ state: { v: { initial: 1, rate: '-v' } }, events: [{ times: 'lag', state: 'v', add: 2 }] }),
  };
  const handlers = answers(createSessions('models/catalogue'), createDevices(), 'cpu');

  it.each([
    ['conditional', Math.sqrt(2 / 9.81), -9.81 * Math.sqrt(2 / 9.81), 0.8 * 9.81 * Math.sqrt(2 / 9.81)],
    ['dose', 0.333, Math.exp(-0.333), Math.exp(-0.333) + 2],
  ] as const)('%s is two points at its instant', async (name, at, before, after) => {
    const draft: Draft = {
      format: 'cotangent/1',
      blocks: [
        { id: 't', kind: 'constant', value: [0, 0.4, 0.8] },
        { id: 'k', kind: 'parameter', initial: 0.111 },
        { id: 'lag', kind: 'map', formula: '3*k' },
        events[name],
      ],
    };
    const engine = playedEngine({ 'model.evaluate': (input) => handlers['model.evaluate'](input) });
    const studio = new Studio(engine.client, openSession(draft), { kind: 'unsaved' });
    studio.evaluation.values = new Map([['t', { element: 'real', shape: [3], values: Float64Array.of(0, 0.4, 0.8) }]]);
    const trajectories = new Trajectories(studio);
    trajectories.follow(draft.blocks[3]!);
    await expect.poll(() => trajectories.shown, { timeout: 60_000 }).not.toBeNull();
    const course = trajectories.shown!.courses.find(({ state }) => state === 'v')!;
    const found = course.points.flatMap((point, i) => (course.points[i + 1]?.x === point.x ? [i] : []));
    expect(found).toHaveLength(1);
    const [left, right] = [course.points[found[0]!]!, course.points[found[0]! + 1]!];
    expect(Math.abs(left.x - at)).toBeLessThan(2e-5);
    expect(left.y).toBeCloseTo(before, 3);
    expect(right.y).toBeCloseTo(after, 3);
    studio.close();
  });
});
