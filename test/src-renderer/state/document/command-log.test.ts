import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printDocument } from '../../../../models/format/print.ts';
import type { CommandLog } from '../../../../src-renderer/state/document/command-log.ts';
import { openLog, perform, redo, undo } from '../../../../src-renderer/state/document/command-log.ts';
import type { Command } from '../../../../src-renderer/state/document/commands.ts';
import { applyCommand } from '../../../../src-renderer/state/document/commands.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { inOrder, positionOf } from '../../../../src-renderer/state/document/draft.ts';

const decay: Draft = {
  format: 'cotangent/1',
  tables: { obs: { columns: { t: [0, 1], y: [1, 0.6] } } },
  blocks: [
    { id: 't', kind: 'column', table: 'obs', column: 't' },
    { id: 'y', kind: 'column', table: 'obs', column: 'y' },
    { id: 'A', kind: 'parameter', initial: 1 },
    { id: 'k', kind: 'parameter', initial: 0.1 },
    { id: 'curve', kind: 'map', formula: 'A * exp(-k * t)' },
    { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
  ],
  objective: 'loss',
};

type Of<K extends Command['type']> = Extract<Command, { type: K }>;

const id = fc.constantFrom('t', 'y', 'A', 'k', 'curve', 'loss', 'g', '__proto__', 'constructor', 'fresh');
const ids = fc.array(id, { minLength: 1, maxLength: 3 });
const point = fc.tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -999, max: 999 }));
const placed = fc.array(fc.tuple(id, point), { minLength: 1, maxLength: 3 });
const value = fc.oneof(fc.constant('k + t'), fc.integer(), fc.constant(undefined));

const key = fc.constantFrom('formula', 'unit', 'lower', 'note');

/** Each command that there is: one without a generator does not compile. */
const commands: { readonly [K in Command['type']]: fc.Arbitrary<Of<K>> } = {
  add: fc.record<Of<'add'>>({
    type: fc.constant('add'),
    blocks: id.map((name) => [{ id: name, kind: 'parameter', initial: 2 }]),
    positions: placed,
    tables: fc.constantFrom([], [['obs', { columns: { t: [1] } }]], [['__proto__', { columns: {} }]]),
  }),
  pack: fc.record<Of<'pack'>>({ type: fc.constant('pack'), ids, id, at: point, positions: placed }),
  unpack: fc.record<Of<'unpack'>>({ type: fc.constant('unpack'), id, positions: placed }),
  remove: fc.record<Of<'remove'>>({ type: fc.constant('remove'), ids }),
  move: fc.record<Of<'move'>>({ type: fc.constant('move'), positions: placed }),
  set: fc.record<Of<'set'>>({
    type: fc.constant('set'),
    id,
    key,
    value,
  }),
  change: fc.record<Of<'change'>>({
    type: fc.constant('change'),
    what: fc.constant('Vary within ranges'),
    changes: fc.array(fc.record({ block: id, keys: fc.dictionary(key, value) }), { maxLength: 3 }),
  }),
  rename: fc.record<Of<'rename'>>({ type: fc.constant('rename'), id, to: id }),
  wire: fc.record<Of<'wire'>>({
    type: fc.constant('wire'),
    id,
    port: fc.constantFrom('t', 'k', 'prediction', 'observed', 'values.1', '__proto__'),
    source: fc.option(id),
  }),
  'start-values': fc.record<Of<'start-values'>>({
    type: fc.constant('start-values'),
    values: fc.array(fc.tuple(id, fc.integer()), { maxLength: 2 }),
  }),
  annotate: fc.record<Of<'annotate'>>({
    type: fc.constant('annotate'),
    what: fc.constant('Annotate'),
    key: fc.constantFrom('frames', 'notes', 'probes'),
    entries: fc.array(fc.record({ block: id, port: id, at: point }), { maxLength: 2 }),
    positions: fc.array(fc.tuple(id, point), { maxLength: 2 }),
  }),
  table: fc.record<Of<'table'>>({
    type: fc.constant('table'),
    what: fc.constant('Write in a table'),
    table: fc.constantFrom('obs', '__proto__', 'none'),
    cells: fc.array(fc.tuple(fc.constantFrom('t', '__proto__'), fc.nat(3), fc.constantFrom(7, 'x', null)), {
      maxLength: 2,
    }),
    excluded: fc.constantFrom([], [{ row: 0, why: 'spilt' }]),
  }),
  replace: fc.record<Of<'replace'>>({
    type: fc.constant('replace'),
    what: fc.constant('Take the version of yesterday'),
    draft: fc.constantFrom<Draft>(decay, { ...decay, name: 'Growth', blocks: decay.blocks.slice(1) }),
  }),
  look: fc.record<Of<'look'>>({
    type: fc.constant('look'),
    of: id,
    look: fc.constantFrom({ x: { scale: 'log' } }, { title: 'Decay' }, undefined),
  }),
  document: fc.record<Of<'document'>>({
    type: fc.constant('document'),
    key: fc.constantFrom('name', 'objective'),
    value: id,
  }),
};
const command: fc.Arbitrary<Command> = fc.oneof(...Object.values(commands));

/** To the byte, in the form in which a document is written. */
const written = (draft: Draft): string => printDocument(inOrder(draft));

type Action = { do: Command; merge: string | null; at: number } | 'undo' | 'redo';
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    arbitrary: fc.record({
      do: command,
      merge: fc.option(fc.constantFrom('slider', 'typing')),
      at: fc.integer({ min: 0, max: 3000 }),
    }),
    weight: 4,
  },
  { arbitrary: fc.constantFrom('undo' as const, 'redo' as const), weight: 2 },
);

function play(log: CommandLog, actions: readonly Action[]): CommandLog {
  return actions.reduce<CommandLog>((current, next) => {
    if (next === 'undo') return undo(current);
    if (next === 'redo') return redo(current);
    return perform(current, next.do, next.merge, next.at);
  }, log);
}

describe('the command log', () => {
  it('makes no one step of what was done before and after the clock was set back', () => {
    const typed = (log: CommandLog, formula: string, at: number) =>
      perform(log, { type: 'set', id: 'curve', key: 'formula', value: formula }, 'typing', at);
    const once = typed(typed(openLog(decay), 'A', 10_000), 'A * t', 10_500);
    expect(once.past).toHaveLength(1);
    expect(typed(once, 'A * k', 2_000).past).toHaveLength(2);
  });

  it('comes back to the document it began with, whatever was done and undone in between', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), (actions) => {
        let log = play(openLog(decay), actions);
        while (log.past.length > 0) log = undo(log);
        expect(written(log.draft)).toBe(written(decay));
      }),
    );
  });

  it('does again exactly what it undid', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), fc.nat(25), (actions, steps) => {
        const log = play(openLog(decay), [...actions]);
        let back = log;
        let undone = 0;
        for (; undone < steps && back.past.length > 0; undone++) back = undo(back);
        for (; undone > 0; undone--) back = redo(back);
        expect(written(back.draft)).toBe(written(log.draft));
      }),
    );
  });

  it('never touches a document that it has given out', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
        const before = JSON.stringify(decay);
        commands.reduce((draft, next) => applyCommand(draft, next), decay);
        expect(JSON.stringify(decay)).toBe(before);
        expect(({} as Record<string, unknown>)['kind']).toBeUndefined();
      }),
    );
  });

  it('joins a drag into one step and starts anew after a pause', () => {
    const drag = (value: number): Command => ({ type: 'start-values', values: [['k', value]] });
    let log = perform(openLog(decay), drag(0.2), 'k', 0);
    log = perform(log, drag(0.3), 'k', 500);
    expect(log.past).toHaveLength(1);
    log = perform(log, drag(0.4), 'k', 5000);
    expect(log.past).toHaveLength(2);
    expect(undo(undo(log)).draft).toEqual(decay);
  });

  it('renames a block in the formulas that name it, so that they never seem to read another', () => {
    const renamed = perform(openLog(decay), { type: 'rename', id: 'k', to: 'rate' });
    const curve = renamed.draft.blocks.find((block) => block.id === 'curve');
    expect(curve).toMatchObject({ formula: 'A * exp(-rate * t)' });
    expect(curve).not.toHaveProperty('inputs');
    expect(perform(renamed, { type: 'rename', id: 'rate', to: 'k' }).draft).toEqual(decay);
    expect(perform(openLog(decay), { type: 'rename', id: 'curve', to: 'c' }).draft.blocks.at(-1)).toMatchObject({
      prediction: 'c',
    });
  });

  it('keeps a port that has a name of its own, and one whose formula means another thing by the new name', () => {
    const blocks = decay.blocks.map((block) =>
      block.id === 'curve' ? { ...block, formula: 'd = k * t\nA * exp(-d)', inputs: { A: 'start' } } : block,
    );
    const start = { id: 'start', kind: 'parameter', initial: 1 };
    const log = openLog({ ...decay, blocks: [...blocks, start] });
    const curve = (id: string, to: string) =>
      perform(log, { type: 'rename', id, to }).draft.blocks.find((block) => block.id === 'curve');
    expect(curve('k', 'd')).toMatchObject({ formula: 'd = k * t\nA * exp(-d)', inputs: { A: 'start', k: 'd' } });
    expect(curve('start', 'S')).toMatchObject({ inputs: { A: 'S' } });
    expect(curve('k', 'A2')).toMatchObject({ formula: 'd = A2 * t\nA * exp(-d)', inputs: { A: 'start' } });
  });

  it('takes the wires of a deleted block away with it', () => {
    const { draft } = perform(openLog(decay), { type: 'remove', ids: ['y', 'loss'] });
    expect(draft.blocks.map((block) => block.id)).toEqual(['t', 'A', 'k', 'curve']);
    expect(draft['objective']).toBeUndefined();
  });

  it('keeps a position under the id __proto__', () => {
    const { draft } = perform(openLog(decay), { type: 'move', positions: [['__proto__', [4, 8]]] });
    expect(positionOf(draft, '__proto__')).toEqual([4, 8]);
    expect(positionOf(draft, 'constructor')).toBeUndefined();
  });
});
