import { describe, expect, it } from 'vitest';
import { legendPlace } from '../../../../src-renderer/state/adjoints/legend-place.ts';

describe('legendPlace', () => {
  const frame = { x: -100, y: -50, width: 1000, height: 500 };
  const leftBelow = { x: 0, y: 380, width: 120, height: 60 };
  const rightAbove = { x: 800, y: 0, width: 120, height: 60 };

  it('goes out of the way of a block', () => {
    expect(legendPlace([], frame, 1)).toBe('below');
    expect(legendPlace([rightAbove], frame, 1)).toBe('below');
    expect(legendPlace([leftBelow], frame, 1)).toBe('above');
    expect(legendPlace([leftBelow, rightAbove], frame, 1)).toBeNull();
  });

  it('takes as much of the screen at every zoom', () => {
    const farther = { ...leftBelow, x: 400 };
    expect(legendPlace([farther], frame, 1)).toBe('below');
    expect(legendPlace([farther], frame, 0.5)).toBe('above');
  });
});
