import { describe, expect, it } from 'vitest';
import {
  beginFamily,
  chosenFamily,
  priors,
  withNumber,
} from '../../../../../src-renderer/state/document/fields/families.ts';

describe('a family with its numbers', () => {
  it('begins at its numbers, and is shown by them', () => {
    const begun = beginFamily(priors, 'family', 'gamma');
    expect(begun).toEqual({ family: 'gamma', shape: 2, rate: 1 });
    expect(chosenFamily(priors, 'family', begun)).toEqual({
      name: 'gamma',
      numbers: [
        { key: 'shape', text: '2' },
        { key: 'rate', text: '1' },
      ],
    });
  });

  it('is none where the name is of none, whatever objects inherit', () => {
    for (const name of ['', 'constructor']) {
      expect(beginFamily(priors, 'family', name)).toBeUndefined();
      expect(chosenFamily(priors, 'family', { family: name }).numbers).toEqual([]);
    }
    expect(chosenFamily(priors, 'family', undefined)).toEqual({ name: '', numbers: [] });
  });

  it('takes a number that is typed, and says why it takes no other', () => {
    const value = { family: 'normal', mean: 0, sd: 1 };
    expect(withNumber(value, 'sd', '2.5')).toEqual({ ok: true, value: { ...value, sd: 2.5 } });
    expect(withNumber(value, 'sd', '')).toEqual({ ok: false, message: 'Wanted a number.' });
    expect(withNumber(value, 'sd', 'two')).toEqual({ ok: false, message: 'Wanted a number, got two.' });
  });
});
