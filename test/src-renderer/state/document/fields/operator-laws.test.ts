import { describe, expect, it } from 'vitest';
import { loadOperator } from '../../../../../models/operators/load.ts';
import type { WrittenOperator } from '../../../../../models/operators/schema.ts';
import type { Law } from '../../../../../src-renderer/state/document/fields/operator-laws.ts';
import { breachOf, demanded, presets } from '../../../../../src-renderer/state/document/fields/operator-laws.ts';

function breaches(operator: WrittenOperator): (Law | undefined)[] {
  const loaded = loadOperator(
    operator,
    operator.left.map(() => 'real' as const),
    {},
  );
  return loaded.ok ? [] : loaded.errors.map((error) => breachOf(error)?.law);
}

const one = { left: ['a'], right: ['b'], neutral: [0] };

describe('the sentences of the engine', () => {
  it.each<[Law, WrittenOperator]>([
    ['associative', { ...one, result: ['a - b'] }],
    ['neutral', { ...one, result: ['a + b'], neutral: [1] }],
    [
      'commutative',
      { left: ['a', 'b'], right: ['c', 'd'], result: ['a + b*c', 'b*d'], neutral: [0, 1], commutative: true },
    ],
    ['inverse', { ...one, result: ['a + b'], inverse: ['a + b'] }],
  ])('are understood: %s', (law, operator) => {
    expect(breaches(operator)).toContain(law);
  });

  it('give the counter-example by itself', () => {
    const message = 'block "s": its operator: the operator is not associative: (a ⊙ b) ⊙ c = 1 but a ⊙ (b ⊙ c) = 3';
    expect(breachOf({ message })).toEqual({ law: 'associative', example: '(a ⊙ b) ⊙ c = 1 but a ⊙ (b ⊙ c) = 3' });
  });
});

it.each(presets)('keeps the laws: $title', ({ operator }) => {
  expect(breaches(operator as unknown as WrittenOperator)).toEqual([]);
});

it('asks for commutativity where it is claimed or where bins are filled in any order', () => {
  expect(demanded({}, 'scan')).toEqual(['associative', 'neutral']);
  expect(demanded({}, 'histogram')).toContain('commutative');
  expect(demanded({ commutative: true, inverse: [] }, 'scan')).toEqual([
    'associative',
    'neutral',
    'commutative',
    'inverse',
  ]);
});
