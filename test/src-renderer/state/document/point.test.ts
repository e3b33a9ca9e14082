import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBeyond } from '../../../../models/facts/supports.ts';
import type { BlockDraft, Draft } from '../../../../src-renderer/state/document/draft.ts';
import {
  likeInitial,
  overlay,
  pointRecord,
  reachIn,
  sliderRange,
  startPoint,
  trackPosition,
  trackValue,
} from '../../../../src-renderer/state/document/point.ts';

const parameter = (more: Record<string, unknown>): BlockDraft => ({ id: 'k', kind: 'parameter', initial: 1, ...more });

describe('the range of a slider', () => {
  it('is the document’s bounds where it has them', () => {
    expect(sliderRange(parameter({ lower: 0.01, upper: 10, scale: 'log' }), 0, 1.4)).toEqual({
      lower: 0.01,
      upper: 10,
      scale: 'log',
      lowerGiven: true,
      upperGiven: true,
    });
  });

  it('always holds the value that it was laid around', () => {
    const bound = fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(
        bound,
        bound,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom('linear', 'log'),
        (a, b, at, scale) => {
          const [lower, upper] = a !== undefined && b !== undefined && a > b ? [b, a] : [a, b];
          fc.pre(lower !== upper || lower === undefined);
          const from = lower ?? (upper ?? 0) - 5;
          const to = upper ?? from + 10;
          // Of bounds that nearly vanish the sum is rounded beyond the upper one.
          const value = Math.min(to, from + at * (to - from));
          const range = sliderRange(parameter({ lower, upper, scale }), 0, value);
          expect(range.lower).toBeLessThan(range.upper);
          expect(value).toBeGreaterThanOrEqual(range.lower);
          expect(value).toBeLessThanOrEqual(range.upper);
        },
      ),
    );
  });

  it('gives back the value of a position, to what a pixel can mean', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom('linear', 'log'), (at, scale) => {
        const range = sliderRange(parameter({ lower: 0.5, upper: 80, scale }), 0, 3);
        expect(trackPosition(range, trackValue(range, at))).toBeCloseTo(at, 2);
      }),
    );
  });
});

describe('a point of the parameters', () => {
  const draft: Draft = {
    format: 'cotangent/1',
    blocks: [
      { id: 'a', kind: 'parameter', initial: 2 },
      { id: 'v', kind: 'parameter', initial: [1, 2] },
      { id: 'ke', kind: 'parameter', initial: 0.1, like: 'subject' },
      { id: '__proto__', kind: 'parameter', initial: 7 },
    ],
  };
  const start = startPoint(draft, (id) => (id === 'ke' ? 3 : undefined));

  it('repeats the start of a parameter for every label', () => {
    expect(start.get('ke')).toEqual([0.1, 0.1, 0.1]);
  });

  it('travels as numbers and lists under the ids as they are', () => {
    const record = pointRecord(draft, start);
    expect(Object.entries(record)).toEqual([
      ['a', 2],
      ['v', [1, 2]],
      ['ke', [0.1, 0.1, 0.1]],
      ['__proto__', 7],
    ]);
  });

  it('is overlaid by the values of a fit', () => {
    expect(overlay(start, new Map([['a', [5]]])).get('a')).toEqual([5]);
  });

  it('becomes a start value in the nesting of the document', () => {
    expect(likeInitial([[1, 2], [3]], [7, 8, 9])).toEqual([[7, 8], [9]]);
    expect(likeInitial(1, [4])).toBe(4);
  });
});

describe('what an element can be', () => {
  const draft: Draft = {
    format: 'cotangent/1',
    blocks: [
      { id: 'share', kind: 'parameter', initial: [0.5, 0.5], support: 'simplex' },
      { id: 'rate', kind: 'parameter', initial: 1, scale: 'log' },
      { id: 'p', kind: 'parameter', initial: 0.5, scale: 'logit' },
      { id: 'v', kind: 'parameter', initial: [1, 2], lower: [0, 1], upper: 9 },
      { id: 'free', kind: 'parameter', initial: 1 },
    ],
  };
  const of = (name: string) => reachIn(draft, { name, block: name.replace(/\[.*/, '') });

  it('is what its support, its scale and its own bounds leave, and of random effects what their names say', () => {
    expect(of('share[1]')).toEqual([0, 1]);
    expect(of('rate')).toEqual([0, Infinity]);
    expect(of('p')).toEqual([0, 1]);
    expect(of('v[1]')).toEqual([1, 9]);
    expect(of('free')).toEqual([-Infinity, Infinity]);
    expect(of('u.sd.b0')).toEqual([0, Infinity]);
    expect(of('u.correlation')).toEqual([-1, 1]);
  });

  it('opens an interval that reaches beyond it, and leaves alone what is within, or a point', () => {
    expect(openBeyond(-0.1, 0.4, of('share[0]'))).toEqual([-Infinity, 0.4]);
    expect(openBeyond(0.7, 1.2, of('share[0]'))).toEqual([0.7, Infinity]);
    expect(openBeyond(-1, 2, of('share[0]'))).toEqual([-Infinity, Infinity]);
    expect(openBeyond(0.2, 0.4, of('share[0]'))).toEqual([0.2, 0.4]);
    expect(openBeyond(1, 1, of('share[0]'))).toEqual([1, 1]);
    expect(openBeyond(-3, 3, of('free'))).toEqual([-3, 3]);
  });
});
