/** The contract on formulas: precedence, functions, names, errors, and what `if` leaves alone. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  documentOf,
  expectClose,
  json,
  map,
  parameter,
  refusal,
  value,
  written,
} from '../support/command-line.ts';

const two = [constant('x', 2), constant('y', 3), constant('z', -1.5), constant('v', [1, 2, 3])];

describe('precedence', () => {
  it.each([
    ['-x^2', -4],
    ['2^-1', 0.5],
    ['2^3^2', 512],
    ['2^-x^2', 2 ** -4],
    ['(-x)^2', 4],
    ['-2^2', -4],
    ['x^2*y', 12],
    ['1/x/y', 1 / 6],
    ['10 - y - x', 5],
    ['1 - -x', 3],
    ['x*-y', -6],
    ['--x', 2],
    ['-x*y + 1', -5],
    ['2*x^2', 8],
    ['x + y*2', 8],
    ['sqrt(4)^2', 4],
    ['1e-3 + .5 + 2.', 2.501],
    ['1E2', 100],
    ['a = x*y\nb = a + 1\na*b', 42],
    ['a = x*y; a + 1', undefined],
  ] as [string, number | undefined][])('%s', async (formula, wanted) => {
    if (wanted === undefined) expect(await refusal(documentOf([...two, map('m', formula)]))).toMatch(/"m"/);
    else expectClose(await value([...two, map('m', formula)], 'm'), wanted);
  });

  it.each([
    ['not x > 1 or y == 3', true],
    ['not (x > 1 or y == 3)', false],
    ['x > 1 and y < 3 or z < 0', true],
    ['x > 5 or y > 2 and z > 0', false],
    ['not not x > 1', true],
    ['x + 1 == y', true],
    ['x != y and true', true],
    ['-x < 0', true],
    ['not false and x >= 2', true],
    ['x <= 2', true],
    ['0/0*x == 0/0', false],
    ['0/0*x != 0/0', true],
  ])('%s', async (formula, wanted) => {
    expect(await value([...two, map('m', formula)], 'm')).toBe(wanted);
  });
});

describe('functions', () => {
  // Values of the functions to 15 digits or more, from tables (DLMF, Abramowitz and Stegun) and exact identities.
  it.each([
    ['exp(1)', Math.E],
    ['exp2(10)', 1024],
    ['log(e)', 1],
    ['log2(8)', 3],
    ['log10(1000)', 3],
    ['log1p(1e-20)', 1e-20],
    ['expm1(1e-20)', 1e-20],
    ['sqrt(2)', Math.SQRT2],
    ['cbrt(-27)', -3],
    ['hypot(3e200, 4e200)', 5e200],
    ['abs(-3)', 3],
    ['sign(-3)', -1],
    ['sign(0)', 0],
    ['sin(pi/6)', 0.5],
    ['cos(pi/3)', 0.5],
    ['tan(pi/4)', 1],
    ['asin(1)', Math.PI / 2],
    ['acos(-1)', Math.PI],
    ['atan(1)', Math.PI / 4],
    ['atan2(1, -1)', (3 * Math.PI) / 4],
    ['atan2(-1, 0)', -Math.PI / 2],
    ['sinh(1)', 1.1752011936438014],
    ['cosh(1)', 1.5430806348152437],
    ['tanh(1)', 0.7615941559557649],
    ['pow(2, 0.5)', Math.SQRT2],
    ['min(2, -3)', -3],
    ['max(2, -3)', 2],
    ['floor(-1.5)', -2],
    ['ceil(-1.5)', -1],
    ['round(2.5)', 2],
    ['round(3.5)', 4],
    ['round(-2.5)', -2],
    ['round(0.5)', 0],
    ['round(0.49999999999999994)', 0],
    ['round(4503599627370497.5)', 4503599627370498],
    ['trunc(-1.7)', -1],
    ['mod(-1, 3)', 2],
    ['mod(5.5, 2)', 1.5],
    ['mod(-5.5, 2)', 0.5],
    ['mod(5.5, -2)', -0.5],
    ['erf(1)', 0.8427007929497149],
    ['erf(-0.5)', -0.5204998778130465],
    ['erfc(3)', 2.209049699858544e-5],
    ['erfc(10)', 2.088487583762545e-45],
    ['lgamma(0.5)', 0.5723649429247001],
    ['lgamma(10)', 12.801827480081469],
    ['lgamma(-0.5)', 1.2655121234846454],
    ['digamma(1)', -0.5772156649015329],
    ['digamma(0.5)', -1.9635100260214235],
    ['polygamma(0, 1)', -0.5772156649015329],
    ['polygamma(1, 1)', 1.6449340668482264],
    ['polygamma(2, 1)', -2.4041138063191885],
    ['polygamma(1, 0.5)', 4.934802200544679],
    ['polygamma(3, 1)', 6.493939402266829],
    ['xlogy(0, 0)', 0],
    ['xlogy(2, e)', 2],
    ['logistic(0)', 0.5],
    ['logistic(-800)', 0],
    ['logistic(800)', 1],
    ['logaddexp(1000, 1000)', 1000 + Math.LN2],
    ['logaddexp(-inf, -inf)', '-Infinity'],
    ['clamp(5, 0, 3)', 3],
    ['clamp(-5, 0, 3)', 0],
    ['clamp(2, 0, 3)', 2],
    ['real(3 > 2) + real(3 < 2)', 1],
    ['length(v)', 3],
    ['1/0', 'Infinity'],
    ['-1/0', '-Infinity'],
    ['nan', 'NaN'],
    ['inf - inf', 'NaN'],
    ['min(nan, 1)', 'NaN'],
    ['max(1, nan)', 'NaN'],
    ['0^0', 1],
    ['log(-1)', 'NaN'],
  ])('%s', async (formula, wanted) => {
    expectClose(await value([...two, map('m', formula)], 'm'), wanted, 2e-14);
    // The same from data, where nothing is folded away.
    if (!/length|real|v\b/.test(formula)) {
      const numbers: unknown[] = [];
      const named = formula.replace(
        /(?<![\w.])\d+(\.\d*)?(e[+-]?\d+)?/g,
        (text) => `p${numbers.push(Number(text)) - 1}`,
      );
      if (!/polygamma/.test(formula))
        expectClose(await value([...numbers.map((n, i) => constant(`p${i}`, n)), map('m', named)], 'm'), wanted, 2e-14);
    }
  });
});

describe('derivatives', () => {
  const adjoint = async (formula: string, initial: unknown): Promise<unknown> => {
    const array = Array.isArray(initial);
    const path = written(documentOf([parameter('x', initial), map('m', formula)]));
    const cotangent = array ? ['--cotangent', JSON.stringify(initial.map(() => 1))] : [];
    const found = [];
    for (const device of ['reference', 'cpu'])
      found.push(await json('differentiate', path, '--of', 'm', ...cotangent, '--device', device));
    const [reference, cpu] = found as { adjoints: { x: unknown } }[];
    expectClose(cpu, reference, 1e-13);
    const tangent = JSON.stringify({ x: array ? initial.map(() => 1) : 1 });
    const forward = (await json('differentiate', path, '--of', 'm', '--tangent', tangent)) as { tangent: unknown };
    expectClose(forward.tangent, reference?.adjoints.x, 1e-13);
    return reference?.adjoints.x;
  };
  it.each([
    ['if(x > 0, log(x), 0)', [-1, 0, 2], [0, 0, 0.5]],
    ['if(x > 0, sqrt(x), -x)', [-1, 0, 4], [-1, -1, 0.25]],
    ['if(x == 0, 1, sin(x)/x)', [0], [0]],
    ['y = log(x)\nif(x > 0, y, 0)', [0, 2], [0, 0.5]],
    ['if(x > 0 and log(x) > 0, log(x), 0)', [-1, 0, 2], [0, 0, 0.5]],
    ['abs(x)', [-2, 0, 3], [-1, 0, 1]],
    ['clamp(x, 0, 1)', [-1, 0, 0.5, 1, 2], [0, 1, 1, 1, 0]],
    ['min(x, 2)', [1, 2, 3], [1, 1, 0]],
    ['max(2, x)', [1, 2, 3], [0, 0, 1]],
    ['x^2', [-3, 0], [-6, 0]],
    ['x^0.5', [0, 4], ['Infinity', 0.25]],
    ['x^1', [0, -2], [1, 1]],
    ['x^0', [0, 5], [0, 0]],
    ['x^-1', [0, 2], ['-Infinity', -0.25]],
    ['2^x', [3], [8 * Math.LN2]],
    ['x^x', [2], [4 * (Math.LN2 + 1)]],
    ['0^x', [2], [0]],
    ['floor(x)*x', [1.5], [1]],
    ['round(x) + sign(x) + trunc(x) + ceil(x)', [1.2], [0]],
    ['mod(x, 3)', [7, -7.5], [1, 1]],
    ['real(x > 1)*x', [2, 0], [1, 0]],
    ['xlogy(x, 3)', [0, 2], [Math.log(3), Math.log(3)]],
    ['xlogy(2, x)', [4], [0.5]],
    ['logaddexp(x, 0)', [0, -800], [0.5, 0]],
    ['logistic(x)', [0], [0.25]],
    ['digamma(x)', [1], [1.6449340668482264]],
    ['lgamma(x)', [1], [-0.5772156649015329]],
    ['polygamma(1, x)', [1], [-2.4041138063191885]],
    ['erf(x)', [0], [2 / Math.sqrt(Math.PI)]],
    ['cbrt(x)', [8], [1 / 12]],
    ['hypot(x, 4)', [3], [0.6]],
    ['atan2(x, 1)', [1], [0.5]],
    ['atan2(1, x)', [1], [-0.5]],
    ['tanh(x)', [0, 400], [1, 0]],
    ['x', [5], [1]],
    ['3', 5, 0],
  ] as [string, unknown, unknown][])('%s at %j', async (formula, at, wanted) => {
    expectClose(await adjoint(formula, at), wanted, 1e-12);
  });
});

it('a formula of many cases is differentiated case by case', async () => {
  const cases = Array.from({ length: 40 }, (_, i) => i).reduceRight((rest, i) => `if(x < ${i}, ${i}*x, ${rest})`, '-x');
  const path = written(documentOf([parameter('x', [5.5, 38.5, 100]), map('m', cases)]));
  for (const options of [
    ['--cotangent', '[1, 1, 1]'],
    ['--tangent', '{"x": [1, 1, 1]}'],
  ])
    expect(JSON.stringify(await json('differentiate', path, '--of', 'm', ...options))).toContain('[6,39,-1]');
});

describe('names', () => {
  it.each([
    'exp',
    'length',
    'real',
    'clamp',
    'pi',
    'e',
    'inf',
    'nan',
    'index',
    'true',
    'false',
    'and',
    'or',
    'not',
    'if',
    'polygamma',
    'mod',
  ])('%s is no id, no operator argument, no definition, no state and no port', async (name) => {
    expect(await refusal(documentOf([constant(name, 1)]))).toMatch(new RegExp(`${name}.*reserved`));
    const operator = { left: [name], right: ['b'], result: ['b'], neutral: [0] };
    expect(
      await refusal(documentOf([constant('x', [1]), { id: 'r', kind: 'reduce', operator, values: 'x' }])),
    ).toContain(name);
    expect(await refusal(documentOf([constant('x', 1), map('m', `${name} = x\n2*x`)]))).toMatch(/"m"/);
    expect(
      await refusal(
        documentOf([{ id: 'r', kind: 'recurrence', steps: 1, state: { [name]: { initial: 0, next: '1' } } }]),
      ),
    ).toMatch(/"r"/);
    expect(await refusal(documentOf([constant('x', 1), map('m', 'x', { inputs: { [name]: 'x' } })]))).toMatch(/"m"/);
  });
  it('may be minimum, time, t, E, exp1 and the like', async () => {
    for (const name of [
      'minimum',
      'time',
      't',
      'E',
      'exp1',
      'Pi',
      'indexes',
      'lambda',
      'state',
      'values',
      '_',
      'If',
      'AND',
    ])
      expect(await value([constant(name, 2), map('M', `${name} + 1`)], 'M')).toBe(3);
  });
});

describe('errors', () => {
  it.each([
    ['1 +', /"m"/],
    ['(x', /"m"/],
    ['x)', /"m"/],
    ['x y', /"m"/],
    ['1 < x < 3', /"m".*(chain|and)/],
    ['x == y == z', /"m".*(chain|and)/],
    ['sqrt(x, y)', /"m".*sqrt/],
    ['atan2(x)', /"m".*atan2/],
    ['sqrt', /"m".*sqrt/],
    ['x(2)', /"m".*x/],
    ['foo(x)', /"m".*foo/],
    ['x = 3', /"m"/],
    ['a = x', /"m"/],
    ['x * not y', /"m"/],
    ['if(x > 1, 2)', /"m".*if/],
    ['if(x > 1, 2, y > 3)', /"m"/],
    ['x @ y', /"m".*@/],
    ['x ** y', /"m"/],
    ['1..2', /"m"/],
    ['"text"', /"m"/],
    ['', /"m".*formula/],
    ['  ', /"m".*formula/],
    ['a = 1\na = 2\na', /"m".*a/],
    ['a = b\nb = 2\na', /"m".*b/],
    ['length(x)', /"m".*length/],
    ['length(x + 1)', /"m".*length/],
    ['x && y', /"m".*(and|&)/],
    ['x = y', /"m"/],
    ['!x', /"m".*(not|!)/],
    ['x.y', /"m"/],
    ['x[0]', /"m"/],
    ['__proto__', /"m".*__proto__/],
    ['constructor(1)', /"m".*constructor/],
    ['toString + 1', /"m".*toString/],
    ['π', /"m"/],
    ['1e999', /"m"/],
    [`${'('.repeat(5000)}x${')'.repeat(5000)}`, /"m"/],
    [`${'-'.repeat(20000)}x`, /"m"/],
  ])('%s', async (formula, wanted) => {
    expect(await refusal(documentOf([...two, map('m', formula)]))).toMatch(wanted);
  });

  it('point at the character', async () => {
    expect(await refusal(documentOf([...two, map('m', 'x + rat*2')]))).toMatch(/"m".*character 5/);
    expect(await refusal(documentOf([...two, map('m', 'a = x\na + * 2')]))).toMatch(/line 2, character 5/);
  });
});
