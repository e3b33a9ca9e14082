/** Differential equations and recurrences built by rows: what each step makes of the document, and who follows it. */
import { describe, expect, it } from 'vitest';
import { applyCommand } from '../../../../src-renderer/state/document/commands.ts';
import type { BlockDraft, Draft } from '../../../../src-renderer/state/document/draft.ts';
import * as dynamics from '../../../../src-renderer/state/dynamics/rows.ts';

const ode: BlockDraft = {
  id: 'd',
  kind: 'ode',
  times: 't',
  state: { x: { initial: 1, rate: '-k * x' } },
};
const draft: Draft = {
  format: 'cotangent/1',
  blocks: [
    ode,
    { id: 'twice', kind: 'map', formula: '2 * d' },
    { id: 'loss', kind: 'least-squares', prediction: 'd', observed: 'y' },
  ],
};

/** The blocks after a step, by id. */
function stepped(from: Draft, after: BlockDraft, renamed?: (state: string) => string | undefined) {
  const changes = dynamics.changesOf(from, after, renamed);
  const next = applyCommand(from, { type: 'change', what: 'Step', changes });
  return { next, block: (id: string) => next.blocks.find((block) => block.id === id)! };
}

describe('states', () => {
  it('are added at rest, and what named the only output names it in full', () => {
    const { block } = stepped(draft, dynamics.addState(ode, 'y'));
    expect(dynamics.statesOf(block('d'))).toEqual([
      { name: 'x', initial: 1, formula: '-k * x' },
      { name: 'y', initial: 0, formula: '0' },
    ]);
    expect(block('loss')).toMatchObject({ prediction: 'd.x' });
    expect(block('twice')).toMatchObject({ formula: '2 * d', inputs: { d: 'd.x' } });
  });

  it('are taken away: references to it go, and the last one left is the block itself', () => {
    const two = stepped(draft, dynamics.addState(ode, 'y')).next;
    const wired = applyCommand(two, { type: 'wire', id: 'loss', port: 'observed', source: 'd.y' });
    const { block } = stepped(wired, dynamics.removeState(wired.blocks[0]!, 'y'), (state) =>
      state === 'y' ? undefined : state,
    );
    expect(block('loss')).toEqual({ id: 'loss', kind: 'least-squares', prediction: 'd' });
  });

  it('are named in full where the block gives formulas and rates beside them', () => {
    const named: BlockDraft = {
      ...ode,
      state: { x: { initial: 1, rate: '-k * x' }, y: { initial: 0, rate: '0' } },
      formulas: { v: '2*x' },
      reactions: [{ name: 'r', reaction: 'x -> y', rate: 'k*x' }],
    };
    const uses = (prediction: string): BlockDraft => ({ id: prediction, kind: 'least-squares', prediction });
    const from: Draft = { ...draft, blocks: [named, uses('d.x'), uses('d.v'), uses('d.r')] };
    const gone = stepped(from, dynamics.removeState(named, 'y'), (state) => (state === 'y' ? undefined : state));
    for (const reference of ['d.x', 'd.v', 'd.r'])
      expect(gone.block(reference)).toMatchObject({ prediction: reference });
    const lone = { ...named, formulas: undefined, state: { x: named['state'] } };
    const from2: Draft = { ...draft, blocks: [lone, uses('d.x'), uses('d.r')] };
    const { block } = stepped(from2, dynamics.removeReaction(lone, 0));
    expect(block('d.x')).toMatchObject({ prediction: 'd' });
    expect(block('d.r')['prediction']).toBeUndefined();
    expect(dynamics.whyNotNamed(named, 'v')).toMatch(/already/);
  });

  it('are set no more once they are gone, and scaled under their new name', () => {
    const event = { when: 'x > 1', set: { x: '0', y: '1' }, scaled: { y: 'k' } };
    const block: BlockDraft = { ...ode, events: [event, { when: 'x > 2', set: { y: '1' } }] };
    expect(dynamics.removeState(block, 'y')['events']).toEqual([{ when: 'x > 1', set: { x: '0' } }]);
    expect(dynamics.renameState(block, 'y', 'z')['events']).toMatchObject([{ scaled: { z: 'k' } }, {}]);
  });

  it('are renamed wherever they are meant: rates, reactions, doses, events and other blocks', () => {
    const whole: BlockDraft = {
      ...ode,
      state: { A: { initial: 1 }, B: { initial: 'B0', rate: 'A + A2' } },
      formulas: { total: 'A + B' },
      reactions: [{ reaction: '2 A -> B', rate: 'k * A^2' }],
      events: [
        { times: 3, state: 'A', add: 2 },
        { when: 'A < 0.1', set: { A: 'A + 1', B: 0 } },
      ],
    };
    const from: Draft = { ...draft, blocks: [whole, { id: 'm', kind: 'map', formula: 'a', inputs: { a: 'd.A' } }] };
    const { block } = stepped(from, dynamics.renameState(whole, 'A', 'C'), (state) => (state === 'A' ? 'C' : state));
    expect(block('d')).toMatchObject({
      state: { C: { initial: 1 }, B: { initial: 'B0', rate: 'C + A2' } },
      formulas: { total: 'C + B' },
      reactions: [{ reaction: '2 C -> B', rate: 'k * C^2' }],
      events: [
        { times: 3, state: 'C', add: 2 },
        { when: 'C < 0.1', set: { C: 'C + 1', B: 0 } },
      ],
    });
    expect(block('m')).toMatchObject({ inputs: { a: 'd.C' } });
  });

  it('change places, which is a change though the entries are the same', () => {
    const two = dynamics.addState(ode, 'y');
    const { block } = stepped({ ...draft, blocks: [two] }, dynamics.moveState(two, 'y', -1));
    expect(dynamics.stateNamesOf(block('d'))).toEqual(['y', 'x']);
    expect(dynamics.moveState(two, 'y', 1)).toBe(two);
  });

  it.each([
    ['2x', /letters/],
    ['exp', /meaning/],
    ['time', /meaning/],
    ['x', /already/],
  ])('are not called %s', (name, why) => {
    expect(dynamics.whyNotNamed(ode, name)).toMatch(why);
  });

  it('of a recurrence keep their last value until a formula is written, and may be called __proto__', () => {
    const added = dynamics.addState({ id: 'r', kind: 'recurrence', state: {} }, '__proto__');
    expect(dynamics.statesOf(added)).toEqual([{ name: '__proto__', initial: 0, formula: '__proto__' }]);
  });
});

describe('what is typed', () => {
  it.each([
    ['3', 3],
    ['dose.a', 'dose.a'],
    ['[1, 2]', [1, 2]],
  ])('is a start: %s', (text, value) => {
    expect(dynamics.readSource(text)).toEqual({ ok: true, value });
  });

  it('is no start: nothing, and neither number nor name', () => {
    for (const text of ['', '3 x', '[1, ']) expect(dynamics.readSource(text)).toMatchObject({ ok: false });
  });

  it('is several numbers, and no guess where a comma may be a decimal one', () => {
    expect(dynamics.readSources('0, 12,24')).toEqual({ ok: true, value: [0, 12, 24] });
    expect(dynamics.readSources('[0,5]')).toEqual({ ok: true, value: [0, 5] });
    expect(dynamics.readSources('doses')).toEqual({ ok: true, value: 'doses' });
    expect(dynamics.readSources('0,5')).toEqual({ ok: false, message: 'Wanted 0.5, or with a space 0, 5.' });
  });

  it('is a range of times, of which the end is the last', () => {
    const range = dynamics.readTimes('0 to 24 in 48 steps', new Set(['t']));
    expect(range).toEqual({ id: 't2', kind: 'range', start: 0, step: 0.5, length: 49 });
    expect(dynamics.readTimes('0 to 0,5 in 10 steps', new Set())).toMatchObject({ length: 11, step: 0.05 });
    expect(dynamics.readTimes('0..10', new Set())).toMatchObject({ length: 101, step: 0.1 });
    for (const text of ['t', '3 to 1', '0 to 1 in 0 steps'])
      expect(dynamics.readTimes(text, new Set())).toBeUndefined();
  });

  it('is what an event sets', () => {
    expect(dynamics.readSet('x = x/2; y=0', ['x', 'y'])).toEqual({ ok: true, value: { x: 'x/2', y: '0' } });
    expect(dynamics.readSet('z = 1', ['x'])).toMatchObject({
      ok: false,
      message: expect.stringContaining('no state z'),
    });
    expect(dynamics.readSet('x', ['x'])).toMatchObject({ ok: false });
  });
});

describe('how an event is carried out', () => {
  const settings = (event: Record<string, unknown>) => {
    const [row] = dynamics.eventsOf({ ...ode, events: [{ when: 'x > 1', set: { x: '0' }, ...event }] });
    return row?.kind === 'event' && dynamics.isSettled(row);
  };

  it('is a number or a formula, and not said where nothing is typed', () => {
    expect(dynamics.readSetting('delay', ' 2.5 ')).toEqual({ ok: true, value: 2.5 });
    expect(dynamics.readSetting('delay', 'lag/2')).toEqual({ ok: true, value: 'lag/2' });
    expect(dynamics.readSetting('priority', '-1')).toEqual({ ok: true, value: -1 });
    expect(dynamics.readSetting('delay', '')).toEqual({ ok: true, value: undefined });
    // The solver refuses it, too.
    expect(dynamics.readSetting('delay', '-1')).toMatchObject({ ok: false });
  });

  it('is said by any of its keys alone', () => {
    expect(settings({})).toBe(false);
    for (const said of [
      { delay: 0 },
      { priority: 1 },
      { persistent: false },
      { initial: false },
      { values: 'execution' },
    ])
      expect(settings(said)).toBe(true);
  });

  it('is taken out of the document with what is typed', () => {
    const block: BlockDraft = { ...ode, events: [{ when: 'x > 1', set: { x: '0' }, delay: 2 }] };
    expect(dynamics.setEvent(block, 0, 'delay', undefined)['events']).toEqual([{ when: 'x > 1', set: { x: '0' } }]);
  });
});

it('a solution begins at a number or a block, or at its first time', () => {
  expect(dynamics.readFrom('-2')).toEqual({ ok: true, value: -2 });
  expect(dynamics.readFrom('t0')).toEqual({ ok: true, value: 't0' });
  expect(dynamics.readFrom('')).toEqual({ ok: true, value: undefined });
  for (const text of ['Infinity', '[1, 2]', 't0 + 1']) expect(dynamics.readFrom(text)).toMatchObject({ ok: false });
});

describe('reactions', () => {
  it('bring their species with them, and drive a state that was at rest', () => {
    const added = dynamics.addReaction(dynamics.addState(ode, 'y'), { reaction: 'y -> z', rate: 'k1*y' });
    expect(added['state']).toEqual({ x: { initial: 1, rate: '-k * x' }, y: { initial: 0 }, z: { initial: 0 } });
    const gone = dynamics.removeReaction(added, 0);
    expect(gone['reactions']).toBeUndefined();
    expect(gone['state']).toMatchObject({ y: { rate: '0' }, z: { rate: '0' } });
  });

  it('follow mass action until another rate is written', () => {
    const taken = new Set(['k1']);
    expect(dynamics.massAction('A + 2 B -> C', taken)).toEqual({ rate: 'k2*A*B^2', constants: ['k2'] });
    expect(dynamics.massAction('A <-> B', taken)).toEqual({ rate: 'k2*A - k3*B', constants: ['k2', 'k3'] });
    expect(dynamics.massAction('-> A', new Set())).toEqual({ rate: 'k1', constants: ['k1'] });
  });

  it('are refused where they are none', () => {
    expect(dynamics.whyNotReaction(ode, 'A + B')).toMatch(/one arrow/);
    expect(dynamics.whyNotReaction(ode, 'A -> exp')).toMatch(/meaning/);
    expect(dynamics.whyNotReaction(ode, 'x -> new')).toBe('');
  });
});

it('what a state was before the start is made of blocks too', () => {
  const late: BlockDraft = { ...ode, state: { x: { initial: 1, rate: '-k * x', history: 'level' } } };
  expect(dynamics.missingNames({ ...draft, blocks: [late] }, late)).toEqual(['k', 'level', 't']);
});

it('what no block is called is missing, the times too', () => {
  expect(dynamics.missingNames(draft, { ...ode, events: [{ times: 'when', state: 'x', add: 3 }] })).toEqual([
    'k',
    't',
    'when',
  ]);
});
