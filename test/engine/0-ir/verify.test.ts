import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseProgram } from '../../../engine/0-ir/parse.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import { arrayType, IrError } from '../../../engine/0-ir/types.ts';
import { verify } from '../../../engine/0-ir/verify.ts';
import { constructKinds } from '../../support/random/constructs.ts';
import { randomProgram } from '../../support/random/programs.ts';

describe('verify', () => {
  test('accepts every random program', () => {
    fc.assert(
      fc.property(randomProgram({ constructs: constructKinds }), ({ program }) => verify(program)),
      { numRuns: 300 },
    );
  });

  test.each([
    [
      'a type that is not the inferred one',
      '%1: real[m] = reverse %0 along 0',
      '%1 is real[n], and declared as real[m]',
    ],
    ['an axis too many', '%1: real[n] = reverse %0 along 1', '[n] has no axis 1'],
    ['an id used twice', '%0: real[n] = reverse %0 along 0', '%0 is defined twice'],
    ['a size that is not canonical', '%1: int[1 + n] = iota [1 + n]', 'the size 1 + n is not canonical'],
    ['a size that is a number in disguise', '%1: int[2*3] = iota [2*3]', 'the size 2*3 is not canonical'],
    ['a negative size', '%1: int[-1] = iota [-1]', '%1 has an axis of -1 elements'],
    ['a result too few', '%1: real, %2: real = literal 1.0', 'it has 1 results, and 2 are named'],
    ['a wide int', '%1: int = literal 2147483648', '2147483648.0 is no int'],
    ['a negative int zero', '%1: int = literal -0', '-0.0 is no int'],
    [
      'a branch of another type',
      '%1: real[n] = map[n] (x0: real) { x1 = if true { yield x0 } else { yield 1 }; yield x1 } (%0)',
      'a branch of an if: wanted (real), got (int)',
    ],
    [
      'a scalar variable defined twice',
      '%1: real[n] = map[n] (x0: real) { x0 = sin(x0); yield x0 } (%0)',
      'x0 is defined twice',
    ],
    [
      'an operator that does not give its components back',
      '%1: real = reduce[n] along 0 operator neutral (0.0) (x0: real, x1: real) { yield } (%0)',
      'operator: results: wanted (real), got ()',
    ],
    [
      'an operator with too few parameters',
      '%1: real = reduce[n] along 0 operator neutral (0.0) (x0: real) { yield x0 } (%0)',
      'two tuples of 1: wanted (real, real), got (real)',
    ],
    [
      'a callee that breaks a rule',
      '%1: real = call program (%0 x: real[n]) { %1: real = reduce[n] along 2 add (%0) yield y = %1 } (%0)',
      '[n] has no axis 2',
    ],
    [
      'a loop whose body takes no index',
      '%1: real[n] = loop [2] program (%0 x: real[n]) { yield x = %0 } initial (%0) invariants ()',
      'the body takes (real[n])',
    ],
  ])('refuses %s', (_, statement, message) => {
    const program = parseProgram(`program (%0 x: real[n]) { ${statement} @ "the block" yield }`);
    expect(() => verify(program)).toThrow(IrError);
    expect(() => verify(program)).toThrow(message);
    expect(() => verify(program)).toThrow('(of the block)');
  });

  const x: Value = { id: 0, type: arrayType('real', ['n']) };
  const stranger: Value = { id: 7, type: arrayType('real') };
  const programOf = (parts: Partial<Program>): Program => ({
    parameters: [{ name: 'x', value: x }],
    statements: [],
    results: [],
    ...parts,
  });

  test('refuses free variables, as operands and as results', () => {
    const reverse = { kind: 'reverse', value: stranger, axis: 0 } as const;
    const statement = { results: [{ id: 8, type: stranger.type }], construct: reverse };
    expect(() => verify(programOf({ statements: [statement] }))).toThrow('%7 is used before it is defined');
    expect(() => verify(programOf({ results: [{ name: 'y', value: stranger }] }))).toThrow(
      'result y: %7 is used before',
    );
  });

  test('refuses a use in a type other than that of the definition', () => {
    const wrong = { ...x, type: arrayType('real', ['m']) };
    expect(() => verify(programOf({ results: [{ name: 'y', value: wrong }] }))).toThrow(
      '%0 is real[n], and used as real[m]',
    );
  });

  test('refuses two parameters or two results of one name', () => {
    const other = { id: 1, type: x.type };
    expect(() =>
      verify(
        programOf({
          parameters: [
            { name: 'x', value: x },
            { name: 'x', value: other },
          ],
        }),
      ),
    ).toThrow('two parameters are named x');
    expect(() =>
      verify(
        programOf({
          results: [
            { name: 'y', value: x },
            { name: 'y', value: x },
          ],
        }),
      ),
    ).toThrow('two results are named y');
  });
});
