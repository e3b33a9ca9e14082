import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { parseProgram } from '../../../engine/0-ir/parse.ts';
import { printProgram } from '../../../engine/0-ir/print.ts';
import type { Program } from '../../../engine/0-ir/program.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { verify } from '../../../engine/0-ir/verify.ts';
import {
  definitionsOf,
  firstFreeId,
  inlineCalls,
  inlineProgram,
  programSymbols,
  renumber,
  substituteValues,
  usesOf,
} from '../../../engine/0-ir/walk.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { constructKinds } from '../../support/random/constructs.ts';
import { randomProgram, type RandomProgram } from '../../support/random/programs.ts';

const sample = parseProgram(`program (%0 x: real[n], %1 k: int[m]) {
  %2: real[m] = gather %0 at %1 batch 0 outside zero
  %5: real[n] = scatter %2 into %0 at %1 batch 0
  yield y = %5, x = %0
}`);

function resultsOf({ inputs, sizes }: RandomProgram, program: Program) {
  return [...interpret(program, inputs, sizes).values()];
}

describe('walking programs', () => {
  test('uses come in the order of the program, operands in that of the construct', () => {
    expect(usesOf(sample).get(0)).toEqual([
      { kind: 'operand', statement: 0, operand: 0 },
      { kind: 'operand', statement: 1, operand: 0 },
      { kind: 'result', result: 1 },
    ]);
    expect(usesOf(sample).get(2)).toEqual([{ kind: 'operand', statement: 1, operand: 2 }]);
  });

  test('definitions, and ids that are free', () => {
    expect(definitionsOf(sample).get(5)?.construct.kind).toBe('scatter');
    expect(definitionsOf(sample).has(0)).toBe(false);
    expect(firstFreeId(sample)).toBe(6);
  });

  test('substitution replaces reads, in operands and results', () => {
    const swapped = substituteValues(sample, new Map([[5, sample.parameters[0]!.value]]));
    expect(swapped.results[0]!.value.id).toBe(0);
    expect(swapped.statements).toStrictEqual(sample.statements);
  });

  test('the symbols of a program include those of bodies, counts and bins', () => {
    const program = parseProgram(`program (%0 x: real[n]) {
      %1: int[w] = iota [w]
      %2: real[n] = loop [steps] program (%0 t: int, %1 x: real[n]) {
        %2: int[inner] = iota [inner]
        yield x = %1
      } initial (%0) invariants ()
      %3: real[n] = slice %0 along 0 from [a - 1] length [n] step [1]
      yield x = %0
    }`);
    expect(new Set(programSymbols(program))).toEqual(new Set(['n', 'w', 'steps', 'inner', 'a']));
  });

  test('renumbering counts from 0 and changes nothing else', () => {
    fc.assert(
      fc.property(randomProgram({ constructs: constructKinds, maxStatements: 4 }), (random) => {
        const { program } = random;
        const renumbered = renumber(substituteIds(program));
        verify(renumbered);
        expect(printProgram(renumbered)).toBe(printProgram(renumber(program)));
        expect(resultsOf(random, renumbered)).toEqual(resultsOf(random, program));
      }),
      { numRuns: 60 },
    );
  });

  test('a program without its calls, in loops too, computes the same', () => {
    fc.assert(
      fc.property(randomProgram({ constructs: ['call', 'loop', 'map', 'scan'] }), (random) => {
        const program = wrappedInCall(random.program);
        const flat = inlineCalls(program);
        verify(flat);
        expect(printProgram(flat)).not.toContain(' call ');
        expect(resultsOf(random, flat)).toEqual(resultsOf(random, program));
      }),
      { numRuns: 60 },
    );
  });

  test('inlining stamps the caller’s origin on statements that have none, and keeps others', () => {
    const callee = parseProgram(`program (%0 x: real[n]) {
      %1: real[n] = reverse %0 along 0
      %2: real[n] = reverse %1 along 0 @ "inner"
      yield y = %2
    }`);
    const b = new ProgramBuilder(10);
    b.origin = 'caller';
    const [y] = inlineProgram(b, callee, [b.parameter('x', arrayType('real', ['n']))]);
    const program = b.finish({ y: y! });
    verify(program);
    expect(program.statements.map(({ origin }) => origin)).toEqual(['caller', 'inner']);
  });

  test('inlining refuses arguments of another type', () => {
    const b = new ProgramBuilder();
    expect(() => inlineProgram(b, sample, [b.literal(1), b.literal(2)])).toThrow(
      'the argument for x is of another type',
    );
    expect(() => inlineProgram(b, sample, [])).toThrow('2 parameters got 0 arguments');
  });
});

/** The same program under ids that are neither dense nor begin at 0. */
function substituteIds(program: Program): Program {
  const text = printProgram(program).replace(/%(\d+)/g, (_, id: string) => `%${Number(id) * 3 + 5}`);
  return parseProgram(text);
}

/** A program that calls the given one through another. */
function wrappedInCall(program: Program): Program {
  const wrap = (callee: Program): Program => {
    const b = new ProgramBuilder();
    const inputs = callee.parameters.map(({ name, value }) => b.parameter(name, value.type));
    const values = b.emit({ kind: 'call', program: callee, inputs });
    return b.finish(callee.results.map(({ name }, i) => ({ name, value: values[i]! })));
  };
  return wrap(wrap(program));
}
