import { describe, expect, it } from 'vitest';
import type { SensitivityReport } from '../../../../src-main/contract/studies.ts';
import {
  bars,
  columnKeys,
  convergenceLines,
  estimateText,
  courseKeys,
  courses,
  failureTexts,
  figureText,
  firstDirection,
  ranked,
  rankedBy,
  rankingText,
} from '../../../../src-renderer/state/study/sensitivity-view.ts';
import { askedOtherwise } from '../../../../src-renderer/state/study/studying.svelte.ts';
import { sensitivityTables } from '../../../../src-renderer/state/study/study-tables.ts';

const ran = {
  kind: 'sensitivity',
  of: 'f',
  shape: [],
  samples: 16,
  runs: 64,
  failed: 0,
  failures: [],
  cancelled: false,
  seed: 0,
  device: 'cpu',
  precision: 'f64',
  milliseconds: 1,
  finishedAt: '2026-01-01T00:00:00Z',
  meaning: '',
} as const;

const index = (name: string, figures: Record<string, number | number[]>) => ({ name, block: name, figures });

const sobol: SensitivityReport = {
  ...ran,
  method: 'sobol',
  indices: [
    index('a', { S1: 0.1, ST: 0.2, STInterval: [0.15, 0.25] }),
    index('b', { S1: 0.5, ST: 0.9, STInterval: [0.8, 1] }),
    index('constructor', { S1: NaN, ST: NaN }),
  ],
  failed: 2,
  failures: [{ point: [1, 2, 3], reason: 'NaN' }],
  convergence: [
    { samples: 8, indices: [{ ST: 0.3 }, { ST: 0.8 }, { ST: NaN }] },
    { samples: 16, indices: [{ ST: 0.2 }, { ST: 0.9 }, { ST: NaN }] },
  ],
};

describe('a report of sensitivity', () => {
  it('is of what was asked of it, and of nothing else that is chosen since', () => {
    const asked = { kind: 'sensitivity', method: 'sobol', samples: 64, logUniform: true } as const;
    const report = { ...sobol, asked };
    expect(askedOtherwise(report, { ...asked, seed: undefined })).toEqual([]);
    expect(askedOtherwise(report, { ...asked, logUniform: false })).toEqual(['what is asked']);
    expect(askedOtherwise(report, { ...asked, of: 'f' })).toEqual(['what is asked']);
    expect(askedOtherwise({ ...report, asked: { kind: 'sensitivity', method: 'sobol' } }, asked)).toHaveLength(1);
    expect(askedOtherwise(sobol, asked)).toEqual([]);
  });

  it('says of a constant that it depends on nothing, and of what is not defined that it is not', () => {
    const without = (figures: Record<string, number>, more: Partial<SensitivityReport> = {}) =>
      rankingText({ ...sobol, indices: [index('a', figures), index('b', figures)], ...more });
    expect(without({ ST: NaN }, { variance: 0 })).toBe('The output f depends on none of them.');
    expect(without({ muStar: 0 }, { method: 'morris' })).toBe('The output f depends on none of them.');
    expect(without({ ST: NaN }, { variance: NaN })).toBe('No index of the output f is defined.');
  });

  it('names no first of what rounding leaves where the objective is lowest', () => {
    const at = (size: number, of: string) =>
      rankingText({
        ...sobol,
        of,
        method: 'local',
        indices: [
          index('a', { derivative: 3, elasticity: -size }),
          index('b', { derivative: 1, elasticity: size / 9 }),
        ],
      });
    expect(at(5e-14, 'objective')).toMatch(/^No parameter moves the objective to first order here/);
    expect(at(0.01, 'objective')).toMatch(/^The objective depends most on a: /);
    expect(at(5e-14, 'f')).toMatch(/^The output f depends most on a: /);
  });

  it("of an array by Sobol's method has both indices along its rows", () => {
    const along = { S1: 0.4, ST: 0.6, S1Course: [0.2, 0.5], STCourse: [0.4, 0.7] };
    const report = { ...sobol, shape: [2], indices: [index('a', along)] };
    expect(courseKeys(report)).toEqual(['S1Course', 'STCourse']);
    expect(courses(report, 'STCourse')[0]?.points[1]).toEqual({ x: 1, y: 0.7 });
    expect(courseKeys(sobol)).toEqual([]);
  });

  it('ranks by what its method ranks by; what is not defined comes last', () => {
    expect(ranked(sobol).map(({ name }) => name)).toEqual(['b', 'a', 'constructor']);
    expect(rankingText(sobol)).toBe('The output f depends most on b: Sᴛ 0.9, then a with 0.2.');
    expect(rankingText({ ...sobol, of: 'objective' })).toMatch(/^The objective depends most on b: /);
  });

  it('gives bars with their intervals, most influential first', () => {
    expect(bars(sobol, 'ST')[0]).toEqual({ name: 'b', from: 0, to: 0.9, interval: [0.8, 1] });
    expect(bars(sobol, 'ST')[2]?.interval).toBeUndefined();
  });

  it('has no column for an interval, which stands under its own figure with the same digits', () => {
    expect(columnKeys(sobol)).toEqual(['S1', 'ST']);
    const [a, b] = sobol.indices;
    expect(estimateText(a!, 'ST')).toEqual({ value: '0.200', interval: '0.150 to 0.250' });
    expect(estimateText(b!, 'S1')).toEqual({ value: '0.5', interval: '' });
    const small = index('k', { dgsm: 2.345e-7, dgsmInterval: [2.1e-7, 2.6e-7] });
    expect(estimateText(small, 'dgsm')).toEqual({ value: '2.35·10⁻⁷', interval: '(2.10 to 2.60)·10⁻⁷' });
  });

  it('follows an index as the sample grows', () => {
    expect(convergenceLines(sobol, 'ST', 1)).toEqual([
      {
        name: 'b',
        points: [
          { x: 8, y: 0.8 },
          { x: 16, y: 0.9 },
        ],
      },
    ]);
  });

  it('runs over a time course, and leaves elasticities that are nowhere defined', () => {
    const course: SensitivityReport = {
      ...ran,
      method: 'local',
      shape: [3],
      indices: [index('k', { derivative: [1, -2, 0], elasticity: [NaN, 0.5, -1] })],
    };
    expect(bars(course, 'elasticity')).toEqual([{ name: 'k', from: -1, to: 0.5, interval: undefined }]);
    expect(figureText(course.indices[0]!, 'derivative')).toBe('−2 to 1');
    const nowhere = { ...course, indices: [index('k', { derivative: 1, elasticity: NaN })] };
    expect([rankedBy(course), rankedBy(nowhere)]).toEqual(['elasticity', 'derivative']);
  });

  it('says where runs failed', () => {
    expect(failureTexts(sobol)).toEqual(['NaN at a = 1, b = 2, constructor = 3']);
  });

  it('orders the first direction by weight', () => {
    const subspace: SensitivityReport = {
      ...ran,
      method: 'active-subspace',
      indices: [index('a', { activityScore: 1 }), index('b', { activityScore: 2 })],
      directions: [
        [0.6, -0.8],
        [0.8, 0.6],
      ],
      eigenvalues: [2, 1],
    };
    expect(firstDirection(subspace).map(({ name, to }) => [name, to])).toEqual([
      ['b', -0.8],
      ['a', 0.6],
    ]);
    expect(sensitivityTables(subspace).map(({ name }) => name)).toEqual(['indices', 'directions']);
  });

  it('is taken away as tables', () => {
    const tables = sensitivityTables(sobol);
    expect(tables.map(({ name }) => name)).toEqual(['indices', 'convergence', 'failures']);
    expect(tables[0]?.rows[1]).toEqual(['b', 0.5, 0.9, 0.8, 1]);
  });
});
