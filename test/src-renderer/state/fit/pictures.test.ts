import { describe, expect, it } from 'vitest';
import type { Plot } from '../../../../src-main/contract/plots.ts';
import type { Picture } from '../../../../src-renderer/state/fit/pictures.ts';
import { diagnosticPicture } from '../../../../src-renderer/state/fit/diagnosing.svelte.ts';
import {
  byObjective,
  hasResiduals,
  pictures,
  residualsNote,
  sideBySide,
} from '../../../../src-renderer/state/fit/pictures.ts';

const axis = { id: 'x', label: 'x', unit: '', scale: 'linear' } as const;
const plot = (of: string, kind: 'comparison' | 'residuals'): Plot => ({
  ...{ of, kind, prediction: 'f', by: null, x: axis, y: axis, groups: [] },
});
const picture = (of: string, group: number): Picture => ({
  key: `${of} ${group}`,
  title: of,
  note: '',
  plot: plot(of, 'comparison'),
  residuals: plot(of, 'residuals'),
  group,
  titles: { x: 'x', y: 'y' },
  missed: [],
  layout: 'front' as const,
  excluded: '',
});
const all = [picture('a', 0), picture('a', 1), picture('b', 0), picture('c', 0)];
const keys = (of: readonly Picture[]) => of.map(({ key }) => key);

describe('pictures of a fit', () => {
  it('stand side by side, two at most, and each of them can be chosen', () => {
    expect(keys(sideBySide(all, [0, 1]))).toEqual(['a 0', 'a 1']);
    expect(keys(sideBySide(all, [3, 2]))).toEqual(['c 0', 'b 0']);
    expect(keys(sideBySide(all.slice(0, 1), [0, 1]))).toEqual(['a 0']);
    expect(keys(sideBySide(all.slice(0, 2), [9, 0]))).toEqual(['a 1', 'a 0']);
    expect(sideBySide([], [0, 1])).toEqual([]);
  });

  it('have residuals where some row has one', () => {
    const of = (...ys: number[][]) => {
      const groups = ys.map((y, i) => ({ key: String(i), points: { x: y.map(() => 1), y } }));
      return hasResiduals({ ...picture('a', 0), residuals: { ...plot('a', 'residuals'), groups } });
    };
    expect([of(), of([], []), of([NaN], []), of([], [NaN, 0])]).toEqual([false, false, false, true]);
  });

  it('carry where the fit that is shown misses a shape, group by group, and nothing once it is stale', () => {
    const group = (key: string) => ({ key, points: { x: [1, 2], y: [1, 2] } });
    const plots = (['comparison', 'residuals'] as const).map((kind) => ({
      ...plot('a', kind),
      groups: [group('u'), group('v')],
    }));
    const misfits = [{ of: 'a', p: 1e-4, x: 't', unit: '', ranges: [{ key: 'v', from: 1, to: 2 }] }];
    const shown = (of: typeof misfits) =>
      pictures({ plots, misfits: of, name: 'm' }).map(({ missed }) => missed.map(({ from, to }) => [from, to]));
    expect(shown(misfits)).toEqual([[], [[1, 2]]]);
    expect(shown([])).toEqual([[], []]);
  });

  it('are called by what was observed and the group, and by their objectives where that does not tell them apart', () => {
    const titled = (labels: readonly string[]) => {
      const plots = labels.flatMap((label, i) =>
        (['comparison', 'residuals'] as const).map((kind) => ({
          ...plot(`loss${i}`, kind),
          ...{ by: 'day', y: { ...axis, label }, groups: [{ key: 'u', points: { x: [1], y: [1] } }] },
        })),
      );
      return pictures({ plots, misfits: [], name: 'm' }).map(({ title, note }) => [title, note]);
    };
    expect(titled(['y'])).toEqual([['u', 'y']]);
    expect(titled(['y', 'z'])).toEqual([
      ['y, u', 'loss0'],
      ['z, u', 'loss1'],
    ]);
    expect(titled(['y', 'y'])).toEqual([
      ['loss0, u', 'y'],
      ['loss1, u', 'y'],
    ]);
  });

  it('say how many points are excluded of the group that is in front, and of all where all are shown', () => {
    const group = (key: string, excluded?: boolean[]) => ({
      key,
      points: { x: [1, 2], y: [1, 2], ...(excluded && { excluded }) },
    });
    const excluded = (look: Pick<Plot, 'look'>) =>
      pictures({
        plots: (['comparison', 'residuals'] as const).map((kind) => ({
          ...plot('a', kind),
          ...{ by: 'day', groups: [group('u'), group('v', [false, true])], ...look },
        })),
        misfits: [],
        name: 'm',
      }).map((picture) => picture.excluded);
    expect(excluded({})).toEqual(['', '1 of 2 excluded']);
    expect(excluded({ look: { layout: 'panels' } })).toEqual(['1 of 4 excluded']);
  });

  it('say what is censored and what has no place of the group that is in front, and of all where all are shown', () => {
    const sides = [['left', 'left'], ['right', null], undefined, ['left', 'interval']] as const;
    const groups = sides.map((censored, i) => ({
      key: `${i}`,
      points: { x: [i === 2 ? 0 : 1, 2], y: [1, 2], ...(censored && { censored }) },
    }));
    const notes = (look: Pick<Plot, 'look'>) =>
      pictures({
        plots: (['comparison', 'residuals'] as const).map((kind) => ({
          ...plot('a', kind),
          ...{ by: 'site', x: { ...axis, scale: 'log' as const }, groups, ...look },
        })),
        misfits: [],
        name: 'm',
      }).map(({ note }) => note);
    expect(notes({})).toEqual([
      'x; 2 censored: ▽ at most that',
      'x; 1 censored: △ more',
      'x; 1 point has no place: not above 0',
      'x; 2 censored: ▽ at most that, △ more',
    ]);
    expect(notes({ look: { layout: 'panels' } })).toEqual([
      'by site; 5 censored: ▽ at most that, △ more; 1 point has no place: not above 0',
    ]);
  });

  it('say of residuals how many have no place, how they are scaled and against what they stand', () => {
    const noteOf = (x: number[], scale: 'linear' | 'log') => {
      const group = { key: null, points: { x, y: [0.5, -0.5] } };
      const residuals = { ...plot('a', 'residuals'), x: { ...axis, scale }, groups: [group] };
      return residualsNote({ ...picture('a', 0), residuals: { ...residuals, y: { ...axis, label: 'residual' } } });
    };
    expect(noteOf([0, 1], 'linear')).toBe('residual, against x');
    expect(noteOf([1, 2], 'log')).toBe('residual, against x');
    expect(noteOf([0, 1], 'log')).toBe('1 point has no place: not above 0; residual, against x');
    const conditional = { ...plot('a', 'residuals'), x: { ...axis, scale: 'log' as const } };
    const groups = [{ key: null, points: { x: [0, 0, 1], y: [0, 1, 2] } }];
    expect(diagnosticPicture({ name: 'cwres', note: 'about 0', plot: { ...conditional, groups } }).note).toBe(
      '2 points have no place: not above 0; about 0',
    );
  });

  it('are one for each objective where groups do not matter', () => {
    expect(keys(byObjective(all))).toEqual(['a 0', 'b 0', 'c 0']);
  });
});
