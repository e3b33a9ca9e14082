/** What a design says of further samples. */
import { describe, expect, it } from 'vitest';
import type { DesignReport } from '../../../../src-main/contract/studies.ts';
import {
  afterAt,
  atShare,
  designRows,
  designText,
  shareAt,
  suggestedOn,
} from '../../../../src-renderer/state/study/design-view.ts';

const curve = { of: 'loss', column: 't', x: [0, 2, 4], after: [0.05, 0.01, 0.03] };
const report: DesignReport = {
  ...{ kind: 'design', method: 'c', of: 'k', now: 0.05, curves: [curve] },
  fit: { status: 'converged', reason: 'flat', objective: 1 },
  points: [
    { of: 'loss', x: { t: 2 }, after: 0.01 },
    { of: 'loss', x: { t: 4, subject: 'S2' }, after: 0.008 },
  ],
  ...{ cancelled: false, seed: 0, device: 'cpu', precision: 'f64', milliseconds: 1, finishedAt: '', meaning: '' },
};

describe('a design', () => {
  it('is known between the places of its curve, and nowhere else', () => {
    expect(afterAt(curve, 2)).toBe(0.01);
    expect(afterAt(curve, 3)).toBeCloseTo(0.02, 12);
    expect(afterAt(curve, 0)).toBe(0.05);
    expect(afterAt(curve, -1)).toBeNaN();
    expect(afterAt(curve, 5)).toBeNaN();
  });

  it('lists what is known now, at the pointer, and with each further sample', () => {
    expect(designRows(report, curve, 3).map(({ number, place }) => [number, place])).toEqual([
      [null, 'none'],
      [null, 't 3 at the pointer'],
      [1, 't 2'],
      [2, 't 4, subject S2'],
    ]);
    expect(designRows(report, curve, undefined)).toHaveLength(3);
  });

  it('says in one sentence what the first sample brings, or why there is none', () => {
    expect(designText(report)).toBe('One sample at t 2 brings the error of k from ± 0.05 to ± 0.01.');
    expect(designText({ ...report, fit: { status: 'failed', reason: 'NaN', objective: NaN } })).toBe(
      'The fit failed: NaN.',
    );
    expect(designText({ ...report, points: [] })).toBe('No further sample tells more.');
  });

  it('puts a suggestion on the curve of its group alone', () => {
    expect(suggestedOn(report, curve)).toEqual([
      { number: 1, x: 2 },
      { number: 2, x: 4 },
    ]);
    expect(suggestedOn(report, { ...curve, group: 'S1' })).toEqual([{ number: 1, x: 2 }]);
    expect(suggestedOn(report, { ...curve, of: 'other' })).toEqual([]);
  });
});

describe('the slider below the abscissa', () => {
  it('moves as the axis is divided, from end to end', () => {
    expect(atShare('linear', [2, 10], 0.25)).toBe(4);
    expect(atShare('log', [0.01, 100], 0.5)).toBeCloseTo(1, 12);
    expect(atShare('reciprocal', [1, 4], 0.5)).toBeCloseTo(1.6, 12);
    for (const scale of ['linear', 'log', 'reciprocal', 'symlog', 'percent'] as const) {
      const ends = [0.01, 30] as const;
      expect([0, 1].map((share) => atShare(scale, ends, share))).toEqual(ends);
      for (const share of [0.1, 0.5, 0.9])
        expect(shareAt(scale, ends, atShare(scale, ends, share))).toBeCloseTo(share, 9);
    }
  });
});
