import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parameterTypes, type ScalarBlock } from '../../../engine/0-ir/scalar.ts';
import type { ElementType } from '../../../engine/0-ir/types.ts';
import { evaluateScalar } from '../../../engine/4-backends/reference/scalar/evaluate.ts';
import { compileFormulas, type CompileResult, type FormulaSource } from '../../../models/formula/compile.ts';
import type { Port } from '../../../models/formula/names.ts';
import { printFormula } from '../../../models/formula/print.ts';
import type { BinaryOperator, Definition, Expression } from '../../../models/formula/syntax.ts';
import { evaluateSyntax, type Held } from './evaluate-syntax.ts';

const types = new Map<string, ElementType>([
  ['x', 'real'],
  ['y', 'real'],
  ['i', 'int'],
  ['j', 'int'],
  ['b', 'bool'],
  ['constructor', 'real'],
]);

function outcome(text: string, want?: ElementType): CompileResult {
  const source: FormulaSource = { output: 'o', text, ...(want && { want }) };
  return compileFormulas([source], (name) => types.get(name), { known: [...types.keys()] });
}

function compiled(text: string, want?: ElementType): CompileResult & { ok: true } {
  const result = outcome(text, want);
  if (!result.ok) throw new Error(result.errors.map((error) => error.message).join());
  return result;
}

/** The formula's value, its ports looked up by name; `length(x)` is 10 and `index` 7. */
function value(text: string, inputs: Record<string, number> = {}, want?: ElementType): number {
  const { function: fn, ports } = compiled(text, want);
  const argument = (port: Port) => (port.kind === 'index' ? 7 : port.kind === 'length' ? 10 : inputs[port.name]!);
  return evaluateScalar(fn, ports.map(argument))[0]!;
}

function code(text: string, want?: ElementType): string {
  return print(compiled(text, want).function.body);
}

function print(block: ScalarBlock): string {
  const statements = block.statements.map((statement) =>
    statement.kind === 'if'
      ? `if {${print(statement.then)}} {${print(statement.else)}}`
      : `${statement.operation}(${statement.operands.map((o) => (o.kind === 'literal' ? o.value : '_')).join()})`,
  );
  return statements.join(' ');
}

describe('values', () => {
  test.each([
    ['x + y*2', { x: 1, y: 3 }, 7],
    ['-x^2', { x: 3 }, -9],
    ['2^-1', {}, 0.5],
    ['if(x > 0, log(x), 0)', { x: -1 }, 0],
    ['r = x - y\nr*r', { x: 5, y: 2 }, 9],
    ['index + length(x)', {}, 17],
    ['pi + e', {}, Math.PI + Math.E],
    ['if(nan == nan, 1, inf)', {}, Infinity],
    ['round(x)', { x: 2.5 }, 2],
    ['mod(x, 3)', { x: -1 }, 2],
    ['clamp(x, 0, 1)', { x: 3 }, 1],
    ['real(x > 0)', { x: 3 }, 1],
    ['real(b)', { b: 1 }, 1],
    ['if(not b and (x < 1 or x >= 2), 1, 2)', { b: 0, x: 2 }, 1],
    ['if(b == (x > 0), 1, 2)', { b: 1, x: 2 }, 1],
    ['polygamma(1, 1)', {}, Math.PI ** 2 / 6],
    ['xlogy(0, x)', { x: 0 }, 0],
    ['constructor + 1', { constructor: 1 }, 2],
    ['i*2147483647 + 1', { i: 2 }, -1],
    ['i/2', { i: 1 }, 0.5],
    ['-2147483648 + i', { i: 0 }, -2147483648],
  ])('%s', (text, inputs, wanted) => {
    expect(value(text, inputs as Record<string, number>)).toBeCloseTo(wanted, 14);
  });

  test('a missing value is out of range where it is made an int', () => {
    expect(value('floor(x)', { x: NaN }, 'int')).toBe(-2147483648);
    expect(value('floor(x)', { x: 2.7 }, 'int')).toBe(2);
    expect(value('round(x)', { x: -1e12 }, 'int')).toBe(-2147483648);
  });
});

describe('types', () => {
  test.each<[string, ElementType]>([
    ['i + j*2 - 1', 'int'],
    ['min(i, 3)', 'int'],
    ['mod(i, j)', 'int'],
    ['-i', 'int'],
    ['index', 'int'],
    ['length(x)', 'int'],
    ['if(b, i, 0)', 'int'],
    ['n = 2\ni*n', 'int'],
    ['2', 'real'],
    ['1/2', 'real'],
    ['i/j', 'real'],
    ['i^2', 'real'],
    ['abs(i)', 'real'],
    ['i + 1.0', 'real'],
    ['i + 1e0', 'real'],
    ['i + x', 'real'],
    ['floor(x)', 'real'],
    ['i + floor(x)', 'real'],
    ['if(b, i, x)', 'real'],
    ['real(i)', 'real'],
    ['i < 2.5', 'bool'],
    ['b and i == j', 'bool'],
    ['if(b, x > 0, true)', 'bool'],
  ])('%s is %s', (text, type) => expect(compiled(text).results).toEqual([type]));

  test.each([
    'floor(x/2)',
    'i + floor(x)',
    'mod(round(x), 7) - 1',
    'k = trunc(x)\nif(k > 3, k, -1)',
    '2',
    'ceil(i)',
    'max(floor(x), i)',
  ])('%s is int where int is wanted', (text) => expect(compiled(text, 'int').results).toEqual(['int']));

  test('an int becomes real where a real is wanted', () => {
    expect(compiled('i + 1', 'real').results).toEqual(['real']);
    expect(code('i + 1', 'real')).toBe('add(_,1) real(_)');
  });
});

describe('code', () => {
  test.each([
    ['a literal exponent stays one', 'x^-1 + x^(1/2) + x^-(2)', 'pow(_,-1) pow(_,0.5) add(_,_) pow(_,-2) add(_,_)'],
    ['also through a definition', 'n = 1/2\nx^n', 'pow(_,0.5)'],
    ['> is < the other way round', 'x > y', 'lt(_,_)'],
    ['a definition is computed once', 'd = exp(x)\nd*d + d', 'exp(_) mul(_,_) add(_,_)'],
    ['one that is not used, never', 'd = exp(x)\nx', ''],
    ['one that one branch uses, there', 'l = log(x)\nif(x > 0, l, 0)', 'lt(0,_) if {log(_)} {}'],
    ['one that both branches use, before them', 'd = exp(x)\nif(b, d, -d)', 'exp(_) if {} {neg(_)}'],
    ['in a branch and outside, before it', 'd = exp(x)\nif(b, d, 1) + d', 'exp(_) if {} {} add(_,_)'],
    [
      'in one branch each of two ifs, in each',
      'l = log(x)\nif(x > 0, l, 0) + if(b, l, 1)',
      'lt(0,_) if {log(_)} {} if {log(_)} {} add(_,_)',
    ],
    [
      'inside a branch once, for both uses there',
      'l = log(x)\nif(x > 0, l*l + if(b, l, 1), 0)',
      'lt(0,_) if {log(_) mul(_,_) if {} {} add(_,_)} {}',
    ],
    ['with the definitions that it needs', 'a = x*x\nl = log(a)\nif(b, l, 0)', 'if {mul(_,_) log(_)} {}'],
  ])('%s', (_, text, wanted) => expect(code(text)).toBe(wanted));
});

test('ports come in the order of first use, each once', () => {
  const result = compileFormulas(
    [
      { output: 'p', text: 'd = y*index\nd + length(y) + x' },
      { output: 'q', text: 'i + y + length(x) + length(y)' },
    ],
    (name) => types.get(name),
  );
  if (!result.ok) throw new Error('refused');
  expect(result.ports).toEqual([
    { kind: 'name', name: 'y' },
    { kind: 'index' },
    { kind: 'length', name: 'y' },
    { kind: 'name', name: 'x' },
    { kind: 'name', name: 'i' },
    { kind: 'length', name: 'x' },
  ]);
  expect(parameterTypes(result.function)).toEqual(['real', 'int', 'int', 'real', 'int', 'int']);
  expect(result.results).toEqual(['real', 'real']);
});

describe('errors', () => {
  test.each<[string, string, ElementType?]>([
    ['«foo»(x)', "'foo' is not a function"],
    ['1 + «flor»(x)', "'flor' is not a function: did you mean 'floor'?"],
    ['«ln»(x)', "'ln' is not a function: did you mean 'log'?"],
    ['«__proto__»(x)', "'__proto__' is not a function"],
    ['x + «z1»', "'z1' is not known here"],
    ['x + «konstructor»', "'konstructor' is not known here: did you mean 'constructor'?"],
    ['x + «sin»', "'sin' is a function: write sin(…)"],
    ['«sum»(x)/3', "'sum' is not a function: a reduce block adds up an array"],
    ['«mean»(x)', "'mean' is not a function: a reduce block adds up an array, and its mean is that over length(…)"],
    ['«prod»(x)', "'prod' is not a function: a reduce block multiplies the elements of an array"],
    [
      '«min(x)»',
      'min takes 2 arguments, min(x, y); here it has 1: a reduce block finds the smallest element of an array',
    ],
    ['«max(x, y, 1)»', 'max takes 2 arguments, max(x, y); here it has 3'],
    ['«exp()»', 'exp takes 1 argument, exp(x); here it has 0'],
    ['«if(b, x)»', 'if takes 3 arguments, if(c, a, b); here it has 2'],
    ['x + «b»', "'+' takes numbers; this is true or false: write if(…, 1, 0)"],
    ['exp(«x > 0»)', "'exp' takes numbers; this is true or false: write if(…, 1, 0)"],
    ['b and «x»', "'and' takes a condition here, such as x > 0; this is a number (real)"],
    ['b == «1»', "'==' takes a condition here, such as x > 0; this is a number"],
    ['«b» < 1', "'<' takes numbers; this is true or false: write if(…, 1, 0)"],
    ['if(«x», 1, 2)', 'if takes a condition first, such as x > 0; this is a number (real)'],
    ['if(b, 1, «b»)', 'the branches of an if are both numbers or both conditions; one is a number, this true or false'],
    ['length(«x + 1»)', 'length takes the name of an input, as in length(x)'],
    ['d = x\nlength(«d»)', "length takes the name of an input, and 'd' is none"],
    ['length(«pi»)', "length takes the name of an input, and 'pi' is none"],
    ['a = «a» + 1\na', "'a' is used in its own definition"],
    ['a = «c»\nc = x\na', "'c' is used before the line that defines it"],
    ['a = x\n«a» = y\na', "'a' is defined twice"],
    ['«pi» = 3\npi', "'pi' is reserved: give this another name"],
    ['d = «z1»\nx', "'z1' is not known here"],
    ['floor(x) + «y»*2', 'an int is wanted here, and this is real: write floor, ceil, round or trunc', 'int'],
    ['«i/2»', 'an int is wanted here, and this is real: write floor, ceil, round or trunc', 'int'],
    ['«x > 0»', 'a number is wanted here; this is true or false: write if(…, 1, 0)', 'real'],
    ['«x»', 'a condition is wanted here, such as x > 0; this is a number', 'bool'],
    ['i + «3000000000»', '3000000000 does not fit the 32 bits of an int: write 3000000000.0 for a real'],
  ])('%j', (marked, message, want) => {
    const result = outcome(marked.replace(/[«»]/g, ''), want);
    if (result.ok) throw new Error('taken');
    const from = marked.indexOf('«');
    expect(result.errors).toEqual([{ output: 'o', message, from, to: marked.indexOf('»') - 1 }]);
  });

  test('each formula has its own', () => {
    const sources = ['x +', 'x', 'zz'].map((text, i) => ({ output: `o${i}`, text }));
    const result = compileFormulas(sources, (name) => types.get(name));
    expect(result.ok || result.errors.map((error) => error.output)).toEqual(['o0', 'o2']);
  });

  test('definitions that multiply under branches are refused before they fill the memory', () => {
    const lines = Array.from({ length: 40 }, (_, n) => `d${n + 1} = if(x > ${n}, d${n}, 0) + if(y > ${n}, d${n}, 1)`);
    const result = outcome(`d0 = x*x\n${lines.join('\n')}\nd40`);
    expect(result.ok || result.errors[0]?.message).toBe('this formula grows too large: split it into several blocks');
  });

  test('a sum of very many terms, ints among them, is the sum of them', () => {
    const terms = Array.from({ length: 12_000 }, (_, k) => (k % 2 === 0 ? 'i' : `i*${k % 5}`));
    const ints = terms.reduce((sum, term) => sum + (term === 'i' ? 3 : 3 * Number(term.slice(2))), 0);
    expect(value(terms.join(' + '), { i: 3 })).toBe(ints);
    expect(value(`${terms.join(' + ')} - x`, { i: 3, x: 0.5 })).toBe(ints - 0.5);
    const conditions = Array.from({ length: 12_000 }, (_, k) => `x > ${k}`).join(' and ');
    expect(value(`if(${conditions}, 1, 2)`, { x: 11_999.5 })).toBe(1);
    expect(value(`if(${conditions}, 1, 2)`, { x: 11_998.5 })).toBe(2);
  });
});

const nowhere = { from: 0, to: 0 };
const small = fc.nat({ max: 9 }).map((n): Expression => ({ kind: 'number', value: n, whole: true, ...nowhere }));

function name(...names: string[]): fc.Arbitrary<Expression> {
  return fc.constantFrom(...names).map((n): Expression => ({ kind: 'name', name: n, ...nowhere }));
}

function binary(operators: BinaryOperator[], side: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc
    .tuple(fc.constantFrom(...operators), side, side)
    .map(([operator, left, right]): Expression => ({ kind: 'binary', operator, left, right, ...nowhere }));
}

function call(names: string[], ...operands: fc.Arbitrary<Expression>[]): fc.Arbitrary<Expression> {
  return fc
    .tuple(fc.constantFrom(...names), fc.tuple(...operands))
    .map(([n, parts]): Expression => ({ kind: 'call', name: n, operands: parts, ...nowhere }));
}

function unary(operator: '-' | 'not', operand: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return operand.map((part): Expression => ({ kind: 'unary', operator, operand: part, ...nowhere }));
}

/** Expressions that are well typed; `local` names numbers that the formula defines. */
function wellTyped(...local: string[]) {
  return fc.letrec<{ number: Expression; condition: Expression }>((tie) => ({
    number: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(small, name('x', 'y', 'i', 'j', ...local)),
      binary(['+', '-', '*', '/', '^'], tie('number')),
      unary('-', tie('number')),
      call(['exp', 'abs', 'sin', 'log', 'floor', 'ceil', 'trunc', 'real'], tie('number')),
      call(['min', 'max', 'mod'], tie('number'), tie('number')),
      call(['if'], tie('condition'), tie('number'), tie('number')),
    ),
    condition: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(
        name('b'),
        fc.boolean().map((value): Expression => ({ kind: 'boolean', value, ...nowhere })),
      ),
      binary(['<', '<=', '>', '>=', '==', '!='], tie('number')),
      binary(['and', 'or', '==', '!='], tie('condition')),
      unary('not', tie('condition')),
      call(['if'], tie('condition'), tie('condition'), tie('condition')),
    ),
  }));
}

function define(n: string) {
  return (value: Expression): Definition => ({ name: n, nameSpan: nowhere, value });
}

test('compiled formulas compute what their trees say', () => {
  const formulas = fc.record({
    definitions: fc.tuple(wellTyped().number.map(define('d1')), wellTyped('d1').number.map(define('d2'))),
    result: wellTyped('d1', 'd2').number,
  });
  const real = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -10, max: 10, noNaN: true }));
  const int = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer());
  fc.assert(
    fc.property(formulas, fc.tuple(real, real, int, int, fc.boolean()), (formula, [x, y, i, j, b]) => {
      const inputs: Record<string, number> = { x, y, i, j, b: Number(b) };
      const held = Object.entries(inputs).map(([n, v]): [string, Held] => [n, { type: types.get(n)!, value: v }]);
      const wanted = evaluateSyntax(formula, new Map(held));
      const text = printFormula(formula);
      expect(compiled(text).results, text).toEqual([wanted.type === 'whole' ? 'real' : wanted.type]);
      // Math.exp(1) has had another last digit in one run of many: it is the machine's to choose.
      const [computed, told] = [value(text, inputs) + 0, wanted.value + 0];
      if (!(Math.abs(computed - told) <= 1e-14 * Math.abs(told))) expect(computed, text).toBe(told);
    }),
    { numRuns: 1000 },
  );
});
