import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { colorAt, placeOn, scaleOf, ticksOf, widthAt } from '../../../../src-renderer/state/adjoints/magnitude.ts';

const magnitude = fc.double({ min: 1e-300, max: 1e300, noNaN: true });

describe('the scale of magnitudes', () => {
  it('has the largest near its top, grows with the magnitude and spans one to four decades', () => {
    fc.assert(
      fc.property(fc.array(magnitude, { minLength: 1, maxLength: 20 }), (magnitudes) => {
        const scale = scaleOf(magnitudes);
        expect(scale.high - scale.low).toBeGreaterThanOrEqual(1);
        expect(scale.high - scale.low).toBeLessThanOrEqual(4);
        const places = [...magnitudes].sort((a, b) => a - b).map((m) => placeOn(scale, m));
        expect(places.every((place, i) => place >= (places[i - 1] ?? 0) && place <= 1)).toBe(true);
        expect(places.at(-1)).toBeGreaterThanOrEqual(0.5);
      }),
    );
  });

  it('passes over what has no magnitude', () => {
    expect(scaleOf([0, NaN, Infinity, 1, 100])).toEqual({ low: 0, high: 2 });
    expect(scaleOf([0, NaN])).toEqual({ low: -1, high: 1 });
    expect(placeOn({ low: 0, high: 2 }, 0)).toBe(0);
    expect(placeOn({ low: 0, high: 2 }, NaN)).toBe(0);
    expect(placeOn({ low: 0, high: 2 }, Infinity)).toBe(1);
  });

  it('has round ticks within its ends', () => {
    expect(ticksOf({ low: -1, high: 1 })).toEqual([0.1, 0.3, 1, 3, 10]);
    expect(ticksOf({ low: -2, high: 2 })).toEqual([0.01, 0.1, 1, 10, 100]);
    expect(ticksOf({ low: 0.5, high: 1.5 })).toEqual([3, 10, 30]);
  });

  it('is drawn wider and along the tokens', () => {
    expect([widthAt(0), widthAt(1)]).toEqual([1.25, 7]);
    expect(colorAt(0)).toBe('color-mix(in oklab, var(--mag-0) 100%, var(--mag-1))');
    expect(colorAt(0.5)).toBe('color-mix(in oklab, var(--mag-2) 100%, var(--mag-3))');
    expect(colorAt(1)).toBe('color-mix(in oklab, var(--mag-3) 0%, var(--mag-4))');
  });
});
