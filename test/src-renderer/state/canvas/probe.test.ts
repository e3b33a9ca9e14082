import { describe, expect, it } from 'vitest';
import { readAdjoint, readValue } from '../../../../src-renderer/state/canvas/probe.ts';

describe('a probe', () => {
  it('reads a number, and the statistics of an array', () => {
    expect(readValue('k', { element: 'real', shape: [], values: new Float64Array([0.25]) }, '1/h')).toMatchObject({
      type: 'real 1/h',
      single: '0.25',
      statistics: '',
    });
    const values = new Float64Array([1, NaN, 3, Infinity]);
    expect(readValue('curve', { element: 'real', shape: [2, 2], values }, '')).toMatchObject({
      type: 'real [2, 2]',
      single: undefined,
      statistics: 'min 1, mean 2, max 3, 1 NaN, the first at [0, 1], 1 infinite',
    });
    expect(readValue('ok', { element: 'bool', shape: [4], values: new Uint8Array([1, 0, 1, 1]) }, '').statistics).toBe(
      '75 % true',
    );
    expect(readValue('ok', { element: 'bool', shape: [], values: new Uint8Array([1]) }, '').single).toBe('true');
  });

  it('reads a derivative, and says when it draws some of its elements', () => {
    const wire = {
      block: 'loss',
      port: 'prediction',
      shape: [3],
      largest: 2,
      norm: 2,
      effect: 1,
      missing: 0,
      sample: [0, -2, 1],
    };
    expect(readAdjoint('curve', 'loss', wire)).toMatchObject({
      title: '∂loss/∂curve',
      statistics: 'min −2, mean −0.333, max 1, no NaN',
    });
    expect(readAdjoint('curve', 'loss', { ...wire, shape: [900] }).statistics).toBe(
      'largest 2, no NaN, 3 of 900 elements drawn',
    );
  });
});
