import { describe, expect, it } from 'vitest';
import { namesInFormula, renameInFormula } from '../../../../src-renderer/state/document/identifiers.ts';

describe('names in formulas', () => {
  it('are no exponents', () => {
    expect([...namesInFormula('1e-3 * e + 2.5e4 - exp(x)')]).toEqual(['e', 'exp', 'x']);
    expect(renameInFormula('k * kk + 1k', 'k', 'rate')).toBe('rate * kk + 1k');
  });
});
