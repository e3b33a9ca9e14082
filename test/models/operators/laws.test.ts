import { describe, expect, test } from 'vitest';
import { builtinOperators, type BuiltinOperator } from '../../../engine/0-ir/operators.ts';
import { loadOperator } from '../../../models/operators/load.ts';
import { testLaws } from '../../../models/operators/laws.ts';
import { readOperator } from '../../../models/operators/operator.ts';
import type { WrittenOperator } from '../../../models/operators/schema.ts';
import {
  anyNumber,
  largestAndPlace,
  linearFunctions,
  load,
  matrixProduct,
  messages,
  moments,
  notNegative,
  scalar,
  sumOfProducts,
} from './support.ts';

const seeds = [0, 1, 2, 3, 4];

describe('laws that hold are not refuted', () => {
  test.each<[string, WrittenOperator]>([
    ['addition', scalar('a + b', 0, { commutative: true, inverse: ['a - b'] })],
    ['multiplication', scalar('a*b', 1, { commutative: true })],
    ['maximum', scalar('max(a, b)', '-Infinity', { commutative: true })],
    ['logaddexp', scalar('logaddexp(a, b)', '-Infinity', { commutative: true })],
    ['logaddexp, written out', scalar('max(a, b) + log1p(exp(-abs(a - b)))', '-Infinity', { commutative: true })],
    ['logaddexp that overflows', scalar('log(exp(a) + exp(b))', '-Infinity', { commutative: true })],
    ['saturated addition', scalar('min(a + b, 100)', 0, { domain: [notNegative], commutative: true })],
    ['addition of angles', scalar('mod(a + b, 2*pi)', 0, { domain: [[0, 6.28]], commutative: true })],
    ['addition of velocities', scalar('(a + b)/(1 + a*b)', 0, { domain: [[-0.99, 0.99]], commutative: true })],
    ['length of a vector', scalar('sqrt(a^2 + b^2)', 0, { domain: [notNegative], commutative: true })],
    ['sums of products', sumOfProducts],
    ['moments', moments],
    ['moments of counts', { ...moments, domain: [[1, 'Infinity'], anyNumber, notNegative] }],
    ['linear functions', linearFunctions],
    ['products of 2×2 matrices', matrixProduct(2)],
    ['products of 5×5 matrices', matrixProduct(5)],
    ['the largest and its place', largestAndPlace],
    [
      'a sum that starts anew at flags',
      {
        left: ['x1', 'f1'],
        right: ['x2', 'f2'],
        result: ['if(f2 > 0, x2, x1 + x2)', 'max(f1, f2)'],
        neutral: [0, 0],
        domain: [anyNumber, [0, 1]],
      },
    ],
  ])('%s', (_, operator) => {
    for (const seed of seeds) expect(messages(load(operator, { seed })), `seed ${seed}`).toEqual([]);
  });

  test.each(Object.keys(builtinOperators) as BuiltinOperator[])('the built-in %s', (name) => {
    for (const element of ['real', 'int'] as const) {
      const read = readOperator(name, [element]);
      if (!read.ok) throw new Error(read.errors[0]?.message);
      for (const seed of seeds) expect(testLaws(read.operator, { seed }).counterExamples).toEqual([]);
      expect(loadOperator(name, [element], { needsCommutative: true }).ok).toBe(true);
    }
  });

  test('int addition wraps and is associative all the same', () => {
    expect(load(scalar('a + b', 0, { commutative: true }), {}, 'int').ok).toBe(true);
  });
});

describe('laws that do not hold are refuted', () => {
  test.each<[string, string, WrittenOperator]>([
    ['subtraction', 'result', scalar('a - b', 0)],
    ['the mean of two', 'result', scalar('(a + b)/2', 0)],
    ['a + b + 1 with 0', 'neutral', scalar('a + b + 1', 0)],
    ['saturated addition of all reals', 'result', scalar('min(a + b, 100)', 0)],
    ['what fails on ties alone', 'result', scalar('if(a == b, a, a + b)', 0)],
    ['what fails beyond a literal alone', 'result', scalar('if(a + b > 12345.5, 12345.5, a + b)', 0)],
    ['what fails by little', 'result', scalar('a + b + 1e-6*a*b*b', 0)],
    ['powers', 'result', scalar('a^b', 1)],
    ['multiplication with 0', 'neutral', scalar('a*b', 0)],
    ['maximum with 0', 'neutral', scalar('max(a, b)', 0)],
    ['addition with almost 0', 'neutral', scalar('a + b', 1e-9)],
    ['the first of two, which has none', 'neutral', scalar('a', 0)],
    ['linear functions, as if commutative', 'commutative', { ...linearFunctions, commutative: true }],
    ['the first place of the largest, as if commutative', 'commutative', { ...largestAndPlace, commutative: true }],
    ['an inverse the wrong way round', 'inverse', scalar('a + b', 0, { inverse: ['b - a'] })],
    ['division as the inverse of × where 0 is meant too', 'inverse', scalar('a*b', 1, { inverse: ['a/b'] })],
    ['an inverse of what is not commutative', 'commutative', { ...linearFunctions, inverse: ['b1 - b2', 'c1/c2'] }],
    [
      'a mean that forgets its weights',
      'result',
      { ...moments, result: ['n1 + n2', '(m1 + m2)/2', 'q1 + q2'], domain: [notNegative, anyNumber, notNegative] },
    ],
  ])('%s', (_, key, operator) => {
    for (const seed of seeds) {
      const result = load(operator, { seed });
      expect(result.ok ? [] : result.errors.map((error) => error.key), `seed ${seed}`).toContain(key);
    }
  });

  test('a histogram wants a commutative operator, claimed or not', () => {
    expect(load(linearFunctions).ok).toBe(true);
    expect(messages(load(linearFunctions, { needsCommutative: true }))[0]).toMatch(/^the operator is not commutative/);
    expect(messages(load({ ...linearFunctions, commutative: false }, { needsCommutative: true }))).toEqual([
      'a histogram combines elements in any order and wants an operator that is commutative',
    ]);
    const sum = load(scalar('a + b', 0), { needsCommutative: true });
    expect(sum.ok && sum.operator.commutative).toBe(true);
  });
});

describe('a counter-example', () => {
  /** Reads `a = 1, b = (2, 3)` back. */
  function given(text: string): Record<string, number[]> {
    const parts = [...text.slice(text.lastIndexOf(' for ') + 5).matchAll(/(\w) = \(?(-?[^a-z()]*?)\)?(?=, \w = |$)/g)];
    return Object.fromEntries(parts.map(([, name = '', values = '']) => [name, values.split(', ').map(Number)]));
  }

  test('says what was combined and what came out', () => {
    const [message = ''] = messages(load(scalar('a - b', 0)));
    const [, left, right] =
      /^the operator is not associative: \(a ⊙ b\) ⊙ c = (\S+) but a ⊙ \(b ⊙ c\) = (\S+) for a = .+, b = .+, c = .+$/.exec(
        message,
      )!;
    const { a, b, c } = given(message) as { a: [number]; b: [number]; c: [number] };
    expect(Number(left)).toBe(a[0] - b[0] - c[0]);
    expect(Number(right)).toBe(a[0] - (b[0] - c[0]));
    expect(left).not.toBe(right);
  });

  test('writes tuples and the neutral element', () => {
    const [message = ''] = messages(load({ ...linearFunctions, neutral: [0, 2] }));
    const { e, a } = given(message);
    expect(message).toMatch(/^the neutral element is wrong: (e ⊙ a|a ⊙ e) = \(\S+, \S+\) and not a for e = /);
    expect(e).toEqual([0, 2]);
    expect(a).toHaveLength(2);
  });

  test('is the same for the same seed, and lies in the domain', () => {
    const operator = scalar('a + b + 1e-3*a*b*b', 0, { domain: [[2, 3]] });
    expect(messages(load(operator, { seed: 7 }))).toEqual(messages(load(operator, { seed: 7 })));
    const { a, b, c } = given(messages(load(operator))[0] ?? '');
    for (const value of [a, b, c].flat()) expect(value! >= 2 && value! <= 3).toBe(true);
  });
});

describe('warnings', () => {
  function warnings(operator: WrittenOperator): readonly string[] {
    const result = load(operator);
    if (!result.ok) throw new Error(messages(result).join());
    return result.warnings;
  }

  test('two empty means make NaN', () => {
    expect(warnings(moments)).toEqual([
      'e ⊙ e = (0, NaN, NaN) for e = (0, 0, 0): nothing combines two neutral elements',
    ]);
  });

  test('a neutral element that changes what the operator never gives', () => {
    const [warning] = warnings(scalar('min(a + b, 100)', 0, { domain: [notNegative] }));
    expect(warning).toMatch(/^e ⊙ a = 100 and not a for e = 0, a = \S+: the neutral element changes/);
  });

  test('laws that could hardly be tested', () => {
    const everywhere = scalar('exp(log(a) + log(b))', 1);
    expect(warnings(everywhere).some((text) => /could be tested on \d+ of 400 random elements only/.test(text))).toBe(
      true,
    );
    expect(warnings({ ...everywhere, domain: [[0.125, 100]] })).toEqual([]);
  });

  test('none for an operator without oddities', () => expect(warnings(sumOfProducts)).toEqual([]));
});
