/** Operators with an inverse, declared or by a lift: which rule they get, and what it gives. */
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { arity, type Operator } from '../../../engine/0-ir/operators.ts';
import type { Program } from '../../../engine/0-ir/program.ts';
import type { SizeBinding } from '../../../engine/0-ir/sizes.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../engine/5-runtime/compile.ts';
import { loadOperator } from '../../../models/operators/load.ts';
import type { WrittenOperator } from '../../../models/operators/schema.ts';
import { hypotenuse, sumOfProd } from '../../support/operators.ts';
import { runOnCpu } from '../../support/run-on-cpu.ts';

type Lists = Readonly<Record<string, readonly number[]>>;

const devices: Record<string, (program: Program, inputs: Lists, sizes: SizeBinding) => Record<string, number[]>> = {
  'by interpretation': (program, inputs, sizes) =>
    Object.fromEntries(
      [...interpret(program, new Map(Object.entries(inputs)), sizes)].map(([name, { values }]) => [name, [...values]]),
    ),
  'on the CPU': (program, inputs, sizes) => runOnCpu(compile(program), new Map(Object.entries(inputs)), sizes),
};

/** The adjoint program, and the rules that its reduces and histograms were written by. */
function differentiated(operator: Operator, kind: 'reduce' | 'histogram') {
  const b = new ProgramBuilder();
  const inputs = Array.from({ length: arity(operator) }, (_, i) => b.parameter(`x${i}`, arrayType('real', ['n'])));
  const results =
    kind === 'reduce'
      ? b.reduce(operator, inputs, 0)
      : b.histogram(operator, b.parameter('keys', arrayType('int', ['n'])), inputs, 'bins');
  const rules: string[] = [];
  const program = vjp(b.finish(results.map((value, i) => ({ name: `y${i}`, value }))), {
    onChoice: ({ construct }, { rule }) => {
      if (construct.kind === kind) rules.push(rule.name);
    },
  });
  return { program, rules };
}

function read(operator: WrittenOperator): Operator {
  const result = loadOperator(
    operator,
    operator.left.map(() => 'real'),
  );
  if (!result.ok) throw new Error(result.errors[0]?.message);
  return result.operator;
}

describe('the rules that are chosen', () => {
  const written: WrittenOperator = {
    left: ['p1', 's1'],
    right: ['p2', 's2'],
    result: ['p1 + p2 + s1*s2', 's1 + s2'],
    neutral: [0, 0],
    inverse: ['p1 - p2 - (s1 - s2)*s2', 's1 - s2'],
  };
  const norm: WrittenOperator = {
    left: ['a'],
    right: ['b'],
    result: ['sqrt(a^2 + b^2)'],
    neutral: [0],
    domain: [[0.125, 'Infinity']],
    lift: {
      into: ['a^2'],
      operator: { left: ['p'], right: ['q'], result: ['p + q'], neutral: [0], inverse: ['p - q'] },
      back: ['sqrt(p)'],
    },
  };
  test.each([
    ['reduce', 'an inverse', sumOfProd, ['reduce-invertible']],
    ['reduce', 'an inverse in a document', read(written), ['reduce-invertible']],
    ['reduce', 'a lift', hypotenuse, ['reduce-lifted', 'reduce-add']],
    ['reduce', 'a lift in a document', read(norm), ['reduce-lifted', 'reduce-add']],
    ['histogram', 'an inverse', sumOfProd, ['histogram-invertible']],
    ['histogram', 'an inverse in a document', read(written), ['histogram-invertible']],
    ['histogram', 'a lift', hypotenuse, ['histogram-lifted', 'histogram-add']],
    ['histogram', 'a lift in a document', read(norm), ['histogram-lifted', 'histogram-add']],
  ] as const)('%s with %s', (kind, _, operator, expected) => {
    expect(differentiated(operator, kind).rules).toEqual(expected);
  });
});

describe.each(Object.entries(devices))('%s', (_, run) => {
  test('Σ aᵢaⱼ over i < j: the adjoint of an element is the sum of the others', () => {
    const x1 = [2, 3, 5, 7];
    const cotangents = { 'cotangent of y0': [10], 'cotangent of y1': [0] };
    const inputs = { x0: [0, 0, 0, 0], x1, ...cotangents };
    const found = run(differentiated(sumOfProd, 'reduce').program, inputs, { n: 4 });
    expect(found).toMatchObject({ y0: [101], y1: [17], 'adjoint of x0': [10, 10, 10, 10] });
    expect(found['adjoint of x1']).toEqual([150, 140, 120, 100]);
  });

  test('in each bin of its own, and exactly zero for keys out of range', () => {
    const inputs = {
      keys: [1, -1, 0, 1, 4, 1],
      x0: [0, 0, 0, 0, 0, 0],
      x1: [2, NaN, 3, 5, Infinity, 7],
      'cotangent of y0': [1, 10, Infinity, Infinity],
      'cotangent of y1': [1, 0, Infinity, Infinity],
    };
    const found = run(differentiated(sumOfProd, 'histogram').program, inputs, { n: 6, bins: 4 });
    expect(found['adjoint of x1']).toEqual([120, 0, 1, 90, 0, 70]);
    expect(found['adjoint of x0']).toEqual([10, 0, 1, 10, 0, 10]);
  });

  test('nothing to reduce, one element, and empty bins', () => {
    const { program } = differentiated(hypotenuse, 'reduce');
    expect(run(program, { x0: [], 'cotangent of y0': [3] }, { n: 0 })).toEqual({ y0: [0], 'adjoint of x0': [] });
    expect(run(program, { x0: [4], 'cotangent of y0': [3] }, { n: 1 })).toEqual({ y0: [4], 'adjoint of x0': [3] });
    const binned = differentiated(hypotenuse, 'histogram').program;
    const inputs = { keys: [2, 2, 5], x0: [3, 4, 1], 'cotangent of y0': [Infinity, 1, 10] };
    expect(run(binned, inputs, { n: 3, bins: 3 })).toEqual({ y0: [0, 0, 5], 'adjoint of x0': [6, 8, 0] });
    // By the cotangent too: √ has no derivative at the 0 of an empty bin.
    const twice = vjp(binned, { of: ['adjoint of x0'], by: ['cotangent of y0'] });
    const seeds = { ...inputs, 'cotangent of adjoint of x0': [1, 0, 1] };
    expect(run(twice, seeds, { n: 3, bins: 3 })['adjoint of cotangent of y0']).toEqual([0, 0, 0.6]);
  });
});
