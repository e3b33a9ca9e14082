import { describe, expect, it } from 'vitest';
import { spanOf, whiskerOf } from '../../../../src-renderer/state/fit/whisker.ts';

describe('whiskers', () => {
  it('share an axis on which most intervals are whole, and end in an arrow beyond it', () => {
    const span = spanOf([
      { value: 1, lower95: 0.9, upper95: 1.1 },
      { value: 10, lower95: 9.2, upper95: 10.8 },
      { value: 2, lower95: -50, upper95: 50 },
      { value: 3, lower95: 2.7, upper95: 3.3 },
      { value: 4, lower95: 3.7, upper95: 4.3 },
      { value: 5, lower95: 4.5, upper95: 5.5 },
    ]);
    expect(span).toBe(0.2);
    expect(whiskerOf(2, -50, 50, span, 112)).toMatchObject({ openBelow: true, openAbove: true });
    const whisker = whiskerOf(1, 0.9, 1.1, span, 112)!;
    expect([whisker.from, whisker.to].map(Math.round)).toEqual([32, 80]);
    expect(whisker.openBelow).toBe(false);
    expect(whiskerOf(1, NaN, NaN, span, 112)).toBeNull();
  });
});
