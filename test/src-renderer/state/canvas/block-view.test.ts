import { expect, it } from 'vitest';
import { blockView } from '../../../../src-renderer/state/canvas/block-view.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import type { PortView } from '../../../../src-renderer/state/document/ports.ts';

const port = (name: string, side: PortView['side']): PortView => ({
  ...{ name, label: name, side, element: 'real', rank: 1, shape: '[15]' },
  ...{ whole: false, source: undefined, problem: undefined },
});

it.each([[['b']], [['b', 'c']], [['b', 'c', 'd']]])(
  'has a row for the picture below the formula of the effects %j',
  (names) => {
    const block = { id: 'between', kind: 'random-effect', like: 'plot', names };
    const draft = { blocks: [block], objective: [] } as unknown as Draft;
    const outputs = names.map((name) => port(`between.${name}`, 'right'));
    const drawn = { isChip: false, ports: new Map<string, string>(), aside: new Set<string>() };
    const view = blockView(draft, block, { inputs: [port('like', 'left')], outputs, aside: [] }, [], drawn);
    expect(view.foot).toBe('effects');
    expect(view.lines).toHaveLength(1);
    expect([view.above, view.rows]).toEqual([names.length, names.length + 1]);
  },
);
