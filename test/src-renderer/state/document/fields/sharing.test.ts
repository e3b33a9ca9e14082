/** What groups share of a parameter: each way is a model that the engine takes and fits, and goes back to where it came from. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { applyCommand } from '../../../../../src-renderer/state/document/commands.ts';
import { inOrder, type Draft } from '../../../../../src-renderer/state/document/draft.ts';
import { share, sharingOf } from '../../../../../src-renderer/state/document/fields/sharing.ts';
import { fitJson, folderWith } from '../../../../support/command-line.ts';

const labels = ['a', 'b', 'c', 'd', 'e', 'f'];
const rows = labels.flatMap((who, g) => [0, 1, 2, 3, 4].map((t) => ({ who, g, t })));
/** Each with a level and a decay of her own, and a little noise. */
const signal = rows.map(({ g, t }, i) => (9 + g) * Math.exp(-0.3 * t) + 0.2 * Math.sin(7 * i));
const start: Draft = {
  format: 'cotangent/1',
  name: 'decay',
  tables: { data: { columns: { who: rows.map(({ who }) => who), t: rows.map(({ t }) => t), y: signal } } },
  blocks: [
    { id: 'who', kind: 'column', table: 'data', column: 'who', type: 'category' },
    { id: 't', kind: 'column', table: 'data', column: 't' },
    { id: 'y', kind: 'column', table: 'data', column: 'y' },
    { id: 'A', kind: 'parameter', initial: 10, scale: 'log' },
    { id: 'k', kind: 'parameter', initial: 0.2 },
    { id: 'model', kind: 'map', formula: 'A*exp(-k*t)' },
    { id: 'loss', kind: 'least-squares', prediction: 'model', observed: 'y' },
  ],
  objective: 'loss',
  fit: { method: 'levenberg-marquardt' },
};

interface Fit {
  readonly status: string;
  readonly objective: number;
  readonly parameters: Readonly<Record<string, { readonly value: number | readonly number[] }>>;
}

const fitted = (draft: Draft): Promise<Fit> =>
  fitJson<Fit>([join(folderWith({ 'm.cot.json': JSON.stringify(inOrder(draft)) }), 'm.cot.json')]);

it('each group has its own, and all share it again', async () => {
  const own = applyCommand(start, share(start, 'A', 'group', 'who'));
  expect(sharingOf(own, 'A')).toMatchObject({ sharing: 'group', by: 'who' });
  const fit = await fitted(own);
  expect(fit.status).toBe('converged');
  const levels = fit.parameters['A']!.value as readonly number[];
  expect(levels).toHaveLength(6);
  levels.forEach((level, g) => expect(Math.abs(level - (9 + g))).toBeLessThan(0.5));
  const back = applyCommand(own, share(own, 'A', 'shared', 'who'));
  expect(back.blocks).toEqual(start.blocks.map((block) => (block.id === 'model' ? back.blocks[5] : block)));
  expect((await fitted(back)).objective).toBeCloseTo((await fitted(start)).objective, 9);
});

it('scatters about a typical one, one effect after the other, and goes back', async () => {
  const one = applyCommand(start, share(start, 'A', 'hierarchical', 'who', 0.5));
  expect(sharingOf(one, 'A')).toMatchObject({ sharing: 'hierarchical', by: 'who' });
  expect(one.blocks.find(({ id }) => id === 'loss')).toMatchObject({
    kind: 'likelihood',
    family: 'normal',
    mean: 'model',
  });
  const two = applyCommand(one, share(one, 'k', 'hierarchical', 'who', 0.5));
  expect(two.blocks.filter(({ kind }) => kind === 'random-effect')).toMatchObject([
    { names: ['A', 'k'], sd: [0.3, 0.04] },
  ]);
  const fit = await fitted(one);
  expect(fit.status).toBe('converged');
  // The middle of 9 … 14 on the scale of its logarithm.
  expect(Math.abs((fit.parameters['A']!.value as number) - 11.37)).toBeLessThan(0.4);
  expect(fit.parameters).toHaveProperty('between.sd.A');
  const less = applyCommand(two, share(two, 'A', 'shared', 'who'));
  expect(less.blocks.filter(({ kind }) => kind === 'random-effect')).toMatchObject([{ names: ['k'], sd: [0.04] }]);
  const none = applyCommand(less, share(less, 'k', 'group', 'who'));
  expect(none.blocks.filter(({ kind }) => kind === 'random-effect')).toEqual([]);
  expect(sharingOf(none, 'k')).toMatchObject({ sharing: 'group' });
  expect((await fitted(none)).status).toBe('converged');
});

it('groups in another way are left to their author', () => {
  const other: Draft = {
    ...start,
    blocks: start.blocks.map((block) => (block.id === 'A' ? { ...block, like: 'who' } : block)),
  };
  expect(sharingOf(other, 'A')).toBeUndefined();
});
