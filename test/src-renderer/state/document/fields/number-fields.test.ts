import { describe, expect, it } from 'vitest';
import { readNumbers } from '../../../../../src-renderer/state/document/fields/number-fields.ts';

describe('numbers in fields', () => {
  it('are read from fields', () => {
    expect(readNumbers('1e-3')).toEqual({ ok: true, value: 0.001 });
    expect(readNumbers('−2')).toEqual({ ok: true, value: -2 });
    expect(readNumbers('0,1')).toEqual({ ok: true, value: 0.1 });
    expect(readNumbers('−2,5e-3')).toEqual({ ok: true, value: -0.0025 });
    expect(readNumbers('1,2,3').ok).toBe(false);
    expect(readNumbers('inf')).toEqual({ ok: true, value: 'Infinity' });
    expect(readNumbers('[1, [2]]')).toEqual({ ok: true, value: [1, [2]] });
    expect(readNumbers('')).toEqual({ ok: true, value: undefined });
    expect(readNumbers('much').ok).toBe(false);
  });
});
