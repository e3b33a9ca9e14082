import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadApart } from '../../../../src-renderer/state/fit/spread.ts';

const at = (y: number, left = 0) => ({ left, right: left + 40, y });

describe('texts beside points', () => {
  it('share what two lack, each as near to its own height as the other', () => {
    expect(spreadApart([at(50), at(58)], 12, 0, 100)).toEqual([48, 60]);
    expect(spreadApart([at(58), at(50)], 12, 0, 100)).toEqual([60, 48]);
  });

  it('stay where nothing touches', () => {
    expect(spreadApart([at(50), at(62), at(50, 41)], 12, 0, 100)).toEqual([50, 62, 50]);
  });

  it('do not leave the plot', () => {
    const [upper, lower] = spreadApart([at(1), at(2)], 12, 0, 100);
    expect(upper).toBeGreaterThanOrEqual(0);
    expect(lower! - upper!).toBeGreaterThan(11.9);
  });

  it('stand clear of each other, in the order that they had, where there is room', () => {
    const heights = fc.uniqueArray(fc.integer({ min: 60, max: 140 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(heights, (ys) => {
        const sorted = [...ys].sort((a, b) => a - b);
        const spread = spreadApart(
          sorted.map((y) => at(y)),
          12,
          0,
          200,
        );
        for (const [i, y] of spread.entries()) if (i > 0) expect(y - spread[i - 1]!).toBeGreaterThan(11.5);
      }),
    );
  });
});
