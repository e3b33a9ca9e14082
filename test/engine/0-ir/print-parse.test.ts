import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../engine/0-ir/operators.ts';
import { parseProgram, parseScalarFunction } from '../../../engine/0-ir/parse.ts';
import { printProgram } from '../../../engine/0-ir/print.ts';
import { printScalarFunction } from '../../../engine/0-ir/print-scalar.ts';
import { identityFunction, scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import { boolLiteral, intLiteral, realLiteral } from '../../../engine/0-ir/scalar.ts';
import { constructKinds } from '../../support/random/constructs.ts';
import { randomProgram } from '../../support/random/programs.ts';

describe('text of programs', () => {
  test('reads as it is documented', () => {
    const b = new ProgramBuilder();
    const x = b.parameter('x', arrayType('real', ['n']));
    const k = b.parameter('a step', arrayType('real'));
    const scaled = b.apply('mul', x, k);
    b.origin = 'loss';
    const [loss] = b.reduce(builtinOperator('add'), [scaled], 0);
    const program = b.finish({ loss: loss! });
    expect(printProgram(program)).toBe(
      [
        'program (%0 x: real[n], %1 "a step": real) {',
        '  %2: real[n] = map[n] (x0: real, x1: real) { x2 = x0 * x1; yield x2 } (%0, %1)',
        '  %3: real = reduce[n] along 0 add (%2) @ "loss"',
        '  yield loss = %3',
        '}',
      ].join('\n'),
    );
  });

  test('parsing gives back the very program that was printed', () => {
    fc.assert(
      fc.property(randomProgram({ constructs: constructKinds }), ({ program }) => {
        const text = printProgram(program);
        const parsed = parseProgram(text);
        expect(parsed).toStrictEqual(program);
        expect(printProgram(parsed)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test('data with missing cells are still such when they are read', () => {
    const b = new ProgramBuilder();
    const x = b.parameter('x', arrayType('real', ['n']), { missing: true });
    const program = b.finish({ y: b.apply('exp', x) });
    expect(printProgram(program)).toContain('(%0 x: real[n] missing)');
    expect(parseProgram(printProgram(program))).toStrictEqual(program);
  });

  test('names that are no identifiers, and those of Object.prototype, survive', () => {
    const b = new ProgramBuilder();
    const names = ['__proto__', 'constructor', 'a "quoted" one', 'line\nbreak', 'yield', ''];
    const results = names.map((name) => ({ name, value: b.parameter(name, arrayType('real')) }));
    const program = b.finish(results);
    expect(parseProgram(printProgram(program))).toStrictEqual(program);
  });

  test.each([
    [NaN, 'NaN'],
    [Infinity, 'Infinity'],
    [-Infinity, '-Infinity'],
    [-0, '-0.0'],
    [0, '0.0'],
    [3, '3.0'],
    [5e-324, '5e-324'],
    [1e21, '1e+21'],
    [0.1, '0.1'],
  ])('the real literal %d is %s and survives', (value, text) => {
    const fn = scalarFunction([], () => [realLiteral(value)]);
    expect(printScalarFunction(fn)).toBe(`() { yield ${text} }`);
    expect(parseScalarFunction(printScalarFunction(fn))).toStrictEqual(fn);
  });

  test('every kind of literal and branch survives, on one line or several', () => {
    const fn = scalarFunction(['real', 'bool'], (b, x, flag) => {
      const [inner] = b.branch(
        flag,
        () =>
          b.branch(
            b.apply('le', x, realLiteral(-2)),
            () => [b.apply('neg', x)],
            () => [b.apply('sub', x, realLiteral(-1))],
          ),
        () => [realLiteral(-Infinity)],
      );
      return [inner!, boolLiteral(true), intLiteral(-3), b.apply('clamp', x, realLiteral(0), realLiteral(1))];
    });
    expect(parseScalarFunction(printScalarFunction(fn))).toStrictEqual(fn);
  });

  test('operators keep their inverse and their lift', () => {
    const add = builtinOperator('add');
    const subtract = scalarFunction(['real', 'real'], (b, total, element) => [b.apply('sub', total, element)]);
    const same = identityFunction(['real']);
    const operator = {
      ...add,
      inverse: subtract,
      lift: { into: same, operator: { ...add, inverse: subtract }, back: same },
    };
    const b = new ProgramBuilder();
    const [sum] = b.reduce(operator, [b.parameter('x', arrayType('real', ['n']))], 0);
    const program = b.finish({ sum: sum! });
    expect(parseProgram(printProgram(program))).toStrictEqual(program);
  });

  test('the nested quotients of sliced slices survive as sizes', () => {
    const size = 'ceil((ceil((n - 1)/2) + 3*n*m - 1)/2) + 1';
    const b = new ProgramBuilder();
    const program = b.finish({ x: b.parameter('x', arrayType('int', [size, 2])) });
    expect(parseProgram(printProgram(program))).toStrictEqual(program);
  });

  test.each([
    ['program () {\n  %0: real = literl 1.0\n  yield\n}', 'line 2, column 20: there is no construct literl'],
    ['program () { yield a = %3 }', '%3 is used before it is defined'],
    ['program () { yield "\\q" = %0 }', '"\\q" is no text in the quotes of JSON'],
    ['program () { yield } x', 'wanted the end, got x'],
    ['program (%0 x: float) { yield }', 'wanted real, int or bool, got float'],
    ['program (%0 x: real[]]) { yield }', "wanted ')', got ]"],
    [
      'program () { %0: real[n] = map[n] () { x0 = sine(1.0); yield x0 } () yield }',
      'there is no scalar operation sine',
    ],
    ['program () { %0: int[n] = iota [n, m] yield }', 'wanted one size'],
  ])('%j is refused with place and reason', (text, message) => {
    expect(() => parseProgram(text)).toThrow(message);
  });
});
