/** What rows of dynamics mean: one equation for each state, and a solution that is asked for between its outputs. */
import { describe, expect, it } from 'vitest';
import type { BlockDraft, Draft } from '../../../../src-renderer/state/document/draft.ts';
import {
  equationsOf,
  eventEquations,
  namedEquations,
  startsOf,
  wholeRate,
} from '../../../../src-renderer/state/dynamics/equations.ts';
import {
  jumpsOf,
  measuredStates,
  trajectoryDraft,
  trajectoryTimes,
} from '../../../../src-renderer/state/dynamics/trajectory-model.ts';

const enzyme: BlockDraft = {
  id: 'd',
  kind: 'ode',
  times: 't',
  state: { E: { initial: 0.1 }, S: { initial: 'S0', rate: '0' }, C: { initial: 0, rate: '-loss * C' } },
  reactions: [
    { reaction: 'E + 2 S <-> C', rate: 'k1*E*S^2 - k2*C' },
    { reaction: 'C -> E', rate: 'k3*C' },
  ],
  events: [
    { times: 'doses', state: 'S', add: 2 },
    { when: 'S < 0.1', set: { S: '1' } },
  ],
};

describe('equations', () => {
  it('sum what a state does by itself and what reactions do to it', () => {
    const rate = (state: string, formula?: string) => wholeRate(enzyme, state, formula);
    expect(rate('E')).toBe('- (k1*E*S^2 - k2*C) + k3*C');
    expect(rate('S', '0')).toBe('- 2 * (k1*E*S^2 - k2*C)');
    expect(rate('C', '-loss * C')).toBe('-loss * C + (k1*E*S^2 - k2*C) - k3*C');
    expect(wholeRate({ ...enzyme, reactions: undefined }, 'E', undefined)).toBe('0');
  });

  it('tell starts and events in words too', () => {
    expect(startsOf(enzyme, () => false).map(({ text }) => text)).toEqual([
      'E starts at 0.1',
      'S starts at S0',
      'C starts at 0',
    ]);
    expect(eventEquations(enzyme, () => false).map(({ text }) => text)).toEqual([
      'S grows by 2 at doses',
      'S = 1 when S < 0.1',
    ]);
    const step: BlockDraft = { id: 'r', kind: 'recurrence', state: { x: { initial: 1, next: 'x + u' } } };
    expect(equationsOf(step, () => false)).toEqual([{ tex: 'x \\leftarrow x + u', text: 'next x: x + u' }]);
  });
});

describe('what no row has a field for', () => {
  const none = () => false;

  it('divides what reactions do to a state, and leaves its own rate', () => {
    const block: BlockDraft = {
      id: 'd',
      kind: 'ode',
      state: { A: { initial: 1, per: 'vol', rate: 'b' }, B: { initial: 0, per: 'v + w' } },
      reactions: [{ name: 'r', reaction: 'A -> 2 B', rate: 'k*A - m' }],
      formulas: { v: 'vol/2' },
    };
    expect(wholeRate(block, 'A', 'b')).toBe('b + (- (k*A - m))/(vol)');
    expect(wholeRate(block, 'B', undefined)).toBe('(2 * (k*A - m))/(v + w)');
    expect(namedEquations(block, none).map(({ text }) => text)).toEqual(['v is vol/2', 'r is k*A - m']);
  });

  it('says when a solution begins, and what was before', () => {
    const block: BlockDraft = {
      id: 'd',
      kind: 'ode',
      from: 2,
      state: { x: { initial: 1, history: 'sin(time)', rate: 'delay(x, 1)' } },
    };
    expect(startsOf(block, none).map(({ text }) => text)).toEqual(['x starts at 1 at 2, was sin(time) before']);
  });

  it('is an event: a comparison in what it sets, and how it is carried out', () => {
    const [compared, delayed] = eventEquations(
      {
        id: 'd',
        kind: 'ode',
        state: { x: { initial: 1, rate: '0' } },
        events: [
          { when: 'x > 3', set: { x: 'if(x >= 3, x/2, 0)' } },
          {
            ...{ when: 'x < 1', set: { x: 4 }, delay: 2, priority: 'p', persistent: false, initial: false },
            ...{ values: 'execution', scaled: { x: 'vol' } },
          },
        ],
      },
      none,
    );
    expect(compared).toMatchObject({ tex: expect.stringContaining('\\ge') as unknown });
    expect(delayed?.text).toBe(
      'x = 4 when x < 1, carried out 2 later, by values as they are then, x times vol as it is then, ' +
        'unless that has ceased to hold, with the priority p, at the start too',
    );
  });
});

describe('a trajectory', () => {
  const draft: Draft = {
    format: 'cotangent/1',
    tables: { obs: { file: 'a.csv' } },
    objective: 'loss',
    blocks: [
      enzyme,
      ...['t', 'doses', 'S0', 'k1', 'k2', 'k3', 'loss'].map((id) => ({ id, kind: 'parameter', initial: 1 })),
      { id: 'fit', kind: 'least-squares', prediction: 'd.C', observed: 'seen' },
    ],
  };

  it('is of what the block is made of alone, at times of its own', () => {
    const cut = trajectoryDraft(draft, 'd', [0, 1, 2]);
    expect(cut.blocks.map(({ id }) => id)).toEqual(['d', 'doses', 'S0', 'k1', 'k2', 'k3', 'loss', 'trajectory_times']);
    expect(cut.blocks[0]).toMatchObject({ times: 'trajectory_times' });
    expect(cut).toMatchObject({ tables: draft['tables'] });
    expect(cut['objective']).toBeUndefined();
  });

  it('runs from where it begins to the last output, with both sides of a jump', () => {
    const times = trajectoryTimes([4, NaN, 12, 8], 0, [6, 20]);
    expect([times[0], times.at(-1)]).toEqual([0, 12]);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (const time of [4, 8, 6, 6 - 12e-6]) expect(times).toContain(time);
    expect(times).not.toContain(20);
    expect(trajectoryTimes([], undefined, [])).toEqual([]);
    expect(jumpsOf(enzyme, (id) => (id === 'doses' ? [3, 5] : undefined))).toEqual([3, 5]);
  });

  it('has circles where a loss compares a state as it is', () => {
    expect(measuredStates(draft, enzyme, ['E', 'S', 'C'])).toEqual([{ state: 'C', observed: 'seen' }]);
  });
});
