import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseProgram } from '../../../../engine/0-ir/parse.ts';
import { sizeValue } from '../../../../engine/0-ir/sizes.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { constructKinds } from '../../../support/random/constructs.ts';
import { randomProgram } from '../../../support/random/programs.ts';
import { runText } from '../../../support/run-text.ts';

describe('interpret', () => {
  test('random programs run, and their results have the declared types', () => {
    fc.assert(
      fc.property(randomProgram({ constructs: constructKinds }), ({ program, inputs, sizes }) => {
        const results = interpret(program, inputs, sizes);
        expect([...results.keys()]).toEqual(program.results.map(({ name }) => name));
        for (const { name, value } of program.results) {
          const result = results.get(name)!;
          expect(result.element).toBe(value.type.element);
          expect(result.shape).toEqual(value.type.shape.map((size) => sizeValue(size, sizes)));
          expect(result.values).toHaveLength(result.shape.reduce((product, size) => product * size, 1));
          if (result.element === 'bool')
            expect([...result.values].every((flag) => flag === 0 || flag === 1)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('a call runs the callee with its own ids, and a fault in it names the caller’s block', () => {
    const callee = `program (%0 x: real[n], %1 k: int[1]) {
      %2: real[1] = gather %0 at %1 batch 0 outside fault
      yield y = %2
    }`;
    const body = `%5: real[1] = call ${callee} (%3, %4) @ "caller" yield y = %5`;
    const run = (k: number) => runText('%3 x: real[n], %4 k: int[1]', body, { x: [1, 2], k: [k] }, { n: 2 });
    expect(run(1)).toEqual({ y: [2] });
    expect(() => run(2)).toThrow(expect.objectContaining({ origin: 'caller', element: 0 }));
  });

  test('inputs that are missing or of another length are refused, and so are sizes that are not bound', () => {
    const program = parseProgram('program (%0 x: real[n, 2]) { yield x = %0 }');
    expect(() => interpret(program, new Map(), { n: 1 })).toThrow('the input x is missing');
    expect(() => interpret(program, new Map([['x', [1, 2, 3]]]), { n: 1 })).toThrow(
      'the input x is real[n, 2], 2 elements, and got 3',
    );
    expect(() => interpret(program, new Map([['x', []]]), {})).toThrow('n is not bound');
  });
});
