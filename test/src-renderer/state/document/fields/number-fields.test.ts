import { describe, expect, it } from 'vitest';
import { readNumbers } from '../../../../../src-renderer/state/document/fields/number-fields.ts';

describe('numbers in fields', () => {
  it('are read from fields', () => {
    expect(readNumbers('1e-3')).toEqual({ ok: true, value: 0.001 });
    expect(readNumbers('−2')).toEqual({ ok: true, value: -2 });
    expect(readNumbers('inf')).toEqual({ ok: true, value: 'Infinity' });
    expect(readNumbers('[1, [2]]')).toEqual({ ok: true, value: [1, [2]] });
    expect(readNumbers('')).toEqual({ ok: true, value: undefined });
    expect(readNumbers('much').ok).toBe(false);
  });
});
