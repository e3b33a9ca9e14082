import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src-renderer/state/document/commands.ts';
import { redo, undo } from '../../../../src-renderer/state/document/command-log.ts';
import { bootstrapReport, comparisonReport } from '../../../support/fits/study-report.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import type { Action, Session } from '../../../../src-renderer/state/document/session.ts';
import {
  actionEntry,
  advance,
  openSession,
  replay,
  sessionEntry,
} from '../../../../src-renderer/state/document/session.ts';
import { edited, nextRun } from '../../../../src-renderer/state/document/runs.ts';
import { studyRun } from '../../../../src-renderer/state/study/found-runs.ts';
import { pack, unpack } from '../../../../src-renderer/state/document/shared-structure.ts';

const decay: Draft = {
  format: 'cotangent/1',
  blocks: [
    { id: 'A', kind: 'parameter', initial: 1 },
    { id: 'k', kind: 'parameter', initial: 0.1, note: 'per hour' },
    { id: '__proto__', kind: 'map', formula: 'A * exp(-k)' },
  ],
};

type Step = Exclude<Action, { type: 'session' }>;

const id = fc.constantFrom('A', 'k', '__proto__', 'none');
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    type: fc.constant('set' as const),
    id,
    key: fc.constantFrom('note', 'initial'),
    value: fc.oneof(fc.double(), fc.string(), fc.constant(undefined)),
  }),
  fc.record({
    type: fc.constant('change' as const),
    what: fc.string(),
    changes: fc.array(fc.record({ block: id, keys: fc.constant({ note: undefined, unit: 'm' }) }), { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('start-values' as const),
    values: fc.array(fc.tuple(id, fc.double()), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('move' as const),
    positions: fc.array(fc.tuple(id, fc.tuple(fc.integer(), fc.integer())), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ type: fc.constant('remove' as const), ids: fc.array(id, { maxLength: 1 }) }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('perform' as const),
      command,
      merge: fc.constantFrom(null, 'm'),
      at: fc.integer({ min: 0, max: 3000 }),
    }),
  },
  fc.constant<Step>({ type: 'undo' }),
  fc.constant<Step>({ type: 'redo' }),
  fc.record({ type: fc.constant('select' as const), ids: fc.array(id, { maxLength: 2 }) }),
  fc.constant<Step>({ type: 'fit.begin', parameters: {} }),
  fc.record({
    type: fc.constant('fit.best' as const),
    iteration: fc.nat(),
    objective: fc.double(),
    parameters: fc.constant({ k: [0.2, NaN] }),
  }),
  fc.constant<Step>({ type: 'fit.end', report: null }),
  fc.nat(3).map((number) => runAdded(number)),
  fc
    .oneof(
      fc.record({ edit: fc.constant('rename' as const), number: fc.nat(3), name: fc.string() }),
      fc.record({ edit: fc.constant('pin' as const), number: fc.nat(3), pinned: fc.boolean() }),
      fc.record({ edit: fc.constant('compare' as const), number: fc.nat(3), wanted: fc.boolean() }),
      fc.record({ edit: fc.constant('remove' as const), number: fc.nat(3) }),
      fc.record({ edit: fc.constant('bring-back' as const), number: fc.nat(3) }),
    )
    .map((edit): Step => ({ type: 'run.edit', edit })),
);

const foundBy = (finishedAt: string) => studyRun(bootstrapReport(finishedAt, 3), decay);
const runAdded = (number: number, draft: Draft | null = null): Step => {
  const { draft: _, ...found } = foundBy(`run ${number}`);
  return { type: 'run.add', run: { number, name: '', pinned: false, ...found }, draft };
};

const all = (steps: readonly Step[], from: Session): Session => steps.reduce(advance, from);
const begun = openSession(decay, { saved: true });

describe('a session', () => {
  it('comes back from its journal as it was, wherever the whole of it was written', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.array(step, { maxLength: 12 }), (before, after) => {
        const whole = all(before, begun);
        const { session, lost } = replay([sessionEntry(whole), ...after.map(actionEntry)]);
        expect(lost).toBe(0);
        expect(session).toEqual(all(after, whole));
      }),
    );
  });

  it('has its undo history back: every step goes back and forth again', () => {
    const value = (n: number): Step => ({
      type: 'perform',
      command: { type: 'start-values', values: [['k', n]] },
      merge: null,
      at: n,
    });
    const steps = [1, 2, 3].map(value);
    const lived = all([...steps, { type: 'undo' }], begun);
    const { session } = replay([sessionEntry(begun), ...steps.map(actionEntry), actionEntry({ type: 'undo' })]);
    expect(session!.log.draft).toEqual(lived.log.draft);
    expect(redo(session!.log).draft.blocks[1]).toMatchObject({ initial: 3 });
    expect(undo(undo(session!.log)).draft).toEqual(decay);
    expect(session!.saved).toEqual(decay);
  });

  it('ends before the first entry that is none, and says how many are lost', () => {
    const ok = actionEntry({ type: 'select', ids: ['k'] });
    const entries = [sessionEntry(begun), ok, '{"type":"perform","command":{"type":"explode"}}', ok];
    expect(replay(entries)).toMatchObject({ lost: 2, session: { selection: ['k'] } });
    for (const none of [[], [ok], ['no JSON', ok], ['{"type":"session","version":2,"nodes":[]}']])
      expect(replay(none).session).toBeNull();
    for (const nodes of [[], [[0]], [{ log: [7] }], [5]])
      expect(replay([actionEntry({ type: 'session', version: 1, nodes })]).session).toBeNull();
  });

  it('keeps of a fit that runs its best point, and of what it fits the draft', () => {
    const best = { iteration: 7, objective: 0.5, parameters: { k: [0.3] } };
    const steps: Step[] = [
      { type: 'fit.begin', parameters: {} },
      { type: 'perform', command: { type: 'start-values', values: [['k', 9]] }, merge: null, at: 0 },
      { type: 'fit.best', ...best },
    ];
    const { session } = replay([sessionEntry(begun), ...steps.map(actionEntry)]);
    expect(session!.best).toEqual({ draft: decay, ...best });
    expect(advance(session!, { type: 'fit.end', report: null }).best).toBeNull();
  });

  it('holds the last study of each kind and method, with the draft that it is of', () => {
    const compared = (bic: number) => comparisonReport('now', bic);
    const parameters = { k: [0.2] };
    const other = { ...decay, name: 'Another' };
    const steps: readonly Step[] = [
      { type: 'study.end', report: compared(1), draft: null, parameters },
      { type: 'study.end', report: compared(2), draft: other, parameters },
    ];
    const first = replay([sessionEntry(begun), ...steps.slice(0, 1).map(actionEntry)]).session!;
    expect(first.studies).toEqual([{ report: compared(1), draft: decay, parameters }]);
    const { session } = replay([sessionEntry(first), ...steps.slice(1).map(actionEntry)]);
    expect(session!.studies).toEqual([{ report: compared(2), draft: other, parameters }]);
    expect(replay([sessionEntry(session!)]).session).toEqual(session);
    // A journal of before knows of none.
    const { studies: _, ...old } = begun;
    expect(replay([sessionEntry(old as Session)]).session).toEqual(begun);
  });

  it('has its list of runs back, each by its number, with its name and the draft that it is of', () => {
    const other = { ...decay, name: 'Another' };
    const steps: readonly Step[] = [
      runAdded(1),
      { type: 'perform', command: { type: 'replace', what: 'other', draft: other }, merge: null, at: 0 },
      runAdded(2),
      runAdded(3, decay),
      { type: 'run.edit', edit: { edit: 'rename', number: 1, name: 'the first' } },
      { type: 'run.edit', edit: { edit: 'pin', number: 1, pinned: true } },
      { type: 'run.edit', edit: { edit: 'compare', number: 3, wanted: true } },
      { type: 'run.edit', edit: { edit: 'remove', number: 3 } },
    ];
    const { session } = replay([sessionEntry(begun), ...steps.map(actionEntry)]);
    const { runs } = session!;
    expect(runs.list.map(({ number, name, draft }) => [number, name, draft.name])).toEqual([
      [1, 'the first', undefined],
      [2, '', 'Another'],
    ]);
    expect(runs.list[0]!.values).toEqual(foundBy('').values);
    expect(runs).toMatchObject({ last: 3, compared: [] });
    // What was removed is not what runs anew, and comes back as it was.
    expect(nextRun(runs, foundBy('run 3'))).toBeUndefined();
    const back = edited(runs, { edit: 'bring-back', number: 3 });
    expect(back.list.map(({ number }) => number)).toEqual([1, 3, 2]);
    expect(back.removed).toEqual([]);
    expect(replay([sessionEntry(session!)]).session).toEqual(session);
    // What was found by a run that is here is no other run; what comes after has a number that none had.
    expect(nextRun(runs, foundBy('run 2'))).toBeUndefined();
    expect(nextRun(runs, foundBy('run 4'))?.number).toBe(4);
    const { runs: _, ...old } = begun;
    expect(replay([sessionEntry(old as Session)]).session).toEqual(begun);
  });

  it('is written in little more than one draft, however long its history', () => {
    const blocks = Array.from({ length: 200 }, (_, i) => ({ id: `b${i}`, kind: 'constant', value: [i, i, i] }));
    let session = openSession({ format: 'cotangent/1', blocks });
    const one = sessionEntry(session).length;
    for (let n = 0; n < 100; n++)
      session = advance(session, {
        type: 'perform',
        command: { type: 'set', id: 'b7', key: 'value', value: n },
        merge: null,
        at: 0,
      });
    expect(session.log.past).toHaveLength(100);
    expect(sessionEntry(session).length).toBeLessThan(30 * one);
    const back = replay([sessionEntry(session)]).session!;
    expect(back.log.past).toHaveLength(100);
    // Shared as before: a history takes no more memory than it did.
    const [first, second] = back.log.past.map(({ forward }) => (forward[0]!.value as Draft['blocks'])[0]);
    expect(first).toBe(second);
  });
});

describe('a packed value', () => {
  it('is what it was, and what was one object is one again', () => {
    const shared = { a: [1] };
    const value = { x: shared, y: [shared, { ['__proto__']: 1 }], u: undefined };
    const back = unpack(pack(value)) as typeof value;
    expect(back).toEqual(value);
    expect(back.y[0]).toBe(back.x);
    expect(() => unpack([[[0]]])).toThrow(RangeError);
  });
});
