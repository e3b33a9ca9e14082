import { describe, expect, test } from 'vitest';
import type { WrittenLift } from '../../../models/operators/schema.ts';
import { load, messages, notNegative, scalar } from './support.ts';

function sumThrough(into: string, back: string, inverse = 'p1 - p2'): WrittenLift {
  return {
    into: [into],
    operator: { left: ['p1'], right: ['p2'], result: ['p1 + p2'], neutral: [0], inverse: [inverse] },
    back: [back],
  };
}

/** The paper's lift of ×: the product of what is not zero, and the number of zeros. */
const product: WrittenLift = {
  into: ['if(a == 0, 1, a)', 'if(a == 0, 1, 0)'],
  operator: {
    left: ['p1', 'z1'],
    right: ['p2', 'z2'],
    result: ['p1*p2', 'z1 + z2'],
    neutral: [1, 0],
    inverse: ['p1/p2', 'z1 - z2'],
  },
  back: ['if(z1 > 0, 0, p1)'],
};

const seeds = [0, 1, 2];

describe('lifts', () => {
  test('that do what the operator does are taken', () => {
    const norm = scalar('sqrt(a^2 + b^2)', 0, { domain: [[0.125, 'Infinity']], lift: sumThrough('a^2', 'sqrt(p1)') });
    const power = scalar('a*b', 1, { domain: [[0.125, 8]], lift: product });
    for (const operator of [scalar('a + b', 0, { lift: sumThrough('2*a', 'p1/2') }), norm, power])
      for (const seed of seeds) {
        const result = load(operator, { seed });
        expect(messages(result)).toEqual([]);
        expect(result.ok && result.operator.lift && result.operator.commutative).toBe(true);
      }
  });

  test('that lose the gradient of a zero are refused', () => {
    for (const seed of seeds)
      expect(messages(load(scalar('a*b', 1, { lift: product }), { seed }))).toEqual([
        expect.stringMatching(
          /^the lift does not do what the operator does: the derivative of l ⊙ a ⊙ r along v by the lift = 0 but by the general rule = \S+ for l = \S+, a = 0, /,
        ),
      ]);
  });

  test('that do not come back are refused', () => {
    const [message] = messages(load(scalar('a + b', 0, { lift: sumThrough('2*a', 'p1') })));
    expect(message).toMatch(/: back\(into\(a\)\) = \S+ and not a for a = /);
  });

  test('that combine otherwise are refused', () => {
    const [message] = messages(
      load(scalar('a + b', 0, { domain: [notNegative], lift: sumThrough('a^2', 'sqrt(p1)') })),
    );
    expect(message).toMatch(/: back\(into\(a\) ⊗ into\(b\)\) = \S+ but a ⊙ b = /);
  });

  test('whose operator breaks a law of its own are refused', () => {
    const [message] = messages(load(scalar('a + b', 0, { lift: sumThrough('a', 'p1', 'p2 - p1') })));
    expect(message).toMatch(/^the inverse is wrong: of the lifted operator, \(a ⊙ b\) ⊖ b = /);
  });
});
