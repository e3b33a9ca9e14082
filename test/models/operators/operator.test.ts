import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { componentTypes, recognise } from '../../../engine/0-ir/operators.ts';
import { resultTypes } from '../../../engine/0-ir/scalar.ts';
import type { ElementType } from '../../../engine/0-ir/types.ts';
import { evaluateScalar } from '../../../engine/4-backends/reference/scalar/evaluate.ts';
import { readOperator } from '../../../models/operators/operator.ts';
import { operatorSchema, type DocumentOperator, type WrittenOperator } from '../../../models/operators/schema.ts';
import { linearFunctions, scalar, sumOfProducts } from './support.ts';

function read(document: DocumentOperator, ...elements: ElementType[]) {
  const result = readOperator(document, elements);
  if (!result.ok) throw new Error(result.errors[0]?.message);
  return result;
}

function refusal(document: DocumentOperator, ...elements: ElementType[]) {
  const result = readOperator(document, elements);
  if (result.ok) throw new Error('taken');
  return result.errors[0];
}

describe('reading', () => {
  test('arguments are the left tuple, then the right', () => {
    const { combine } = read(linearFunctions, 'real', 'real').operator;
    expect(evaluateScalar(combine, [2, 3, 5, 7])).toEqual([5 + 7 * 2, 7 * 3]);
    const { inverse } = read(sumOfProducts, 'real', 'real').operator;
    expect(evaluateScalar(inverse!, [17, 8, 2, 3])).toEqual([17 - 2 - (8 - 3) * 3, 5]);
  });

  test('arguments that a formula does not use are there all the same', () => {
    const { combine } = read(scalar('b', 0), 'real').operator;
    expect(evaluateScalar(combine, [1, 2])).toEqual([2]);
  });

  test("a model's own a + b is recognised as addition", () => {
    expect(recognise(read(scalar('a + b', 0), 'real').operator)).toBe('add');
    expect(recognise(read(scalar('max(a, b)', '-Infinity'), 'real').operator)).toBe('max');
  });

  test('Infinity is written as a string', () => {
    const { operator, domain } = read(scalar('min(a, b)', 'Infinity', { domain: [['-Infinity', 5]] }), 'real');
    expect(operator.neutral).toEqual([Infinity]);
    expect(domain).toEqual([[-Infinity, 5]]);
  });

  test('commutative is what is claimed, or what an inverse implies', () => {
    expect(read(scalar('a + b', 0), 'real').operator.commutative).toBe(false);
    expect(read(scalar('a + b', 0, { commutative: true }), 'real').operator.commutative).toBe(true);
    expect(read(scalar('a + b', 0, { inverse: ['a - b'] }), 'real').operator.commutative).toBe(true);
  });

  test.each<[string, WrittenOperator, ElementType[], ElementType[]]>([
    ['int stays int', scalar('a + b', 0), ['int'], ['int']],
    ['floor gives int', scalar('floor((a + b)/2)', 0), ['int'], ['int']],
    ['a real result makes its component real', scalar('(a + b)/2', 0), ['int'], ['real']],
    ['a neutral element that is no int too', scalar('min(a, b)', 'Infinity'), ['int'], ['real']],
    ['and what depends on it', linearFunctions, ['int', 'real'], ['real', 'real']],
    ['bool stays bool', scalar('a or b', 0), ['bool'], ['bool']],
  ])('%s', (_, document, elements, wanted) => {
    const { operator } = read(document, ...elements);
    expect(componentTypes(operator)).toEqual(wanted);
    expect(resultTypes(operator.combine)).toEqual(wanted);
  });
});

describe('what is refused', () => {
  const foreign = 'an operator may use no name but its arguments (a, b), and';
  const asValue = 'is none: to use it, pass it as one more of "values" and carry it as one more component';
  test.each<[string, WrittenOperator, string, string, [number, number]?]>([
    ['a parameter', scalar('a + 2*k', 0), 'result[0]', `result[0]: ${foreign} 'k' ${asValue}`, [6, 7]],
    ['index', scalar('a + index', 0), 'result[0]', `result[0]: ${foreign} 'index' ${asValue}`, [4, 9]],
    [
      'length',
      scalar('a + length(b)', 0),
      'result[0]',
      'result[0]: an operator combines two elements and knows no length',
      [4, 13],
    ],
    ['a syntax error', scalar('a +', 0), 'result[0]', "result[0]: expected an expression after '+'", [2, 3]],
    [
      'a condition as a result',
      scalar('a < b', 0),
      'result[0]',
      'result[0]: a number is wanted here; this is true or false: write if(…, 1, 0)',
      [0, 5],
    ],
    [
      'a name in the inverse',
      scalar('a + b', 0, { inverse: ['a - c'] }),
      'inverse[0]',
      `inverse[0]: ${foreign} 'c' ${asValue}`,
      [4, 5],
    ],
    [
      'a reserved argument',
      { ...scalar('a', 0), left: ['pi'] },
      'left[0]',
      '"pi" is reserved in formulas: give this argument another name',
    ],
    ['an argument twice', { ...scalar('a', 0), right: ['a'] }, 'right[0]', 'the argument "a" is named twice'],
    [
      'sides of different sizes',
      { ...scalar('a', 0), right: ['b', 'c'] },
      'right',
      '"left" has 1 component and "right" 2: an operator combines two of a kind',
    ],
    [
      'too few results',
      { ...linearFunctions, result: ['b1'] },
      'result',
      '"result" has 1 of the 2 components that "left" names',
    ],
    [
      'too few neutral numbers',
      { ...linearFunctions, neutral: [0] },
      'neutral',
      '"neutral" has 1 of the 2 components that "left" names',
    ],
    [
      'too few inverses',
      { ...linearFunctions, inverse: ['b1'] },
      'inverse',
      '"inverse" has 1 of the 2 components that "left" names',
    ],
    [
      'too few ranges',
      { ...linearFunctions, domain: [[0, 1]] },
      'domain',
      '"domain" has 1 of the 2 components that "left" names',
    ],
    [
      'a range upside down',
      scalar('a + b', 0, { domain: [[1, 0]] }),
      'domain[0]',
      'a range wants its lower end first, got [1, 0]',
    ],
    [
      'an inverse of what does not commute',
      scalar('a + b', 0, { commutative: false, inverse: ['a - b'] }),
      'commutative',
      'has an "inverse", which takes elements out in any order, and so it must be commutative',
    ],
    [
      'a lift without an inverse',
      scalar('a + b', 0, { lift: { into: ['a'], operator: scalar('a + b', 0), back: ['a'] } }),
      'lift.operator',
      'the operator of a "lift" must have an "inverse": that is what it is for',
    ],
    [
      'a lift that comes back to less',
      {
        ...linearFunctions,
        lift: { into: ['b1'], operator: scalar('a + b', 0, { inverse: ['a - b'] }), back: ['a'] },
      },
      'lift.back',
      '"back" of the lift wants a formula for each of 2 components, got 1',
    ],
    [
      'a name in the lifted operator',
      scalar('a + b', 0, { lift: { into: ['a'], operator: scalar('a + q', 0, { inverse: ['a - b'] }), back: ['a'] } }),
      'lift.operator.result[0]',
      `lift.operator.result[0]: ${foreign} 'q' ${asValue}`,
      [4, 5],
    ],
  ])('%s', (_, document, key, message, span) => {
    const elements = document.left.map((): ElementType => 'real');
    expect(refusal(document, ...elements)).toEqual({ message, key, ...(span && { span }) });
  });

  test('values that do not fit', () => {
    expect(refusal(linearFunctions, 'real')).toEqual({
      key: 'left',
      message: 'acts on tuples of 1 component, and "left" names 2',
    });
    expect(refusal('add', 'real', 'real')?.message).toBe('"add" acts on one array of values, and "values" has 2');
    expect(refusal('max', 'bool')?.message).toBe('"max" acts on numbers, and the values are bool');
    expect(refusal(scalar('a or b', 2), 'bool')?.message).toBe(
      'component 0 is bool: its neutral element is 0 or 1, got 2',
    );
  });
});

describe('the schema', () => {
  test('takes names and written operators, lifts in them too', () => {
    const lifted = scalar('a + b', 0, {
      domain: [[0, 'Infinity']],
      lift: { into: ['a'], operator: scalar('a + b', 0, { inverse: ['a - b'] }), back: ['a'] },
    });
    for (const document of ['add', 'logaddexp', linearFunctions, sumOfProducts, lifted])
      expect(v.safeParse(operatorSchema, document).issues).toBeUndefined();
  });

  test.each<[unknown, string]>([
    ['plus', 'one of "add", "multiply", "min", "max", "logaddexp"'],
    [3, 'one of "add", "multiply", "min", "max", "logaddexp"'],
    [{ ...linearFunctions, neutral: [0, 'one'] }, 'a number'],
    [{ ...linearFunctions, left: [] }, 'at least one name'],
    [{ ...linearFunctions, left: ['b 1', 'c1'] }, 'a name (letters, digits and _)'],
    [{ ...linearFunctions, domain: [[0]] }, 'a range [low, high]'],
  ])('wants what it wants of %j', (document, wanted) => {
    expect(v.safeParse(operatorSchema, document).issues?.map((issue) => issue.message)).toContain(wanted);
  });

  test('refuses a key that it does not know', () => {
    const issues = v.safeParse(operatorSchema, { ...linearFunctions, comutative: true }).issues;
    expect(issues?.[0]?.message).toContain('unknown key');
  });
});
