/** Histograms of min and max: which element of a bin takes its cotangent. */
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../engine/0-ir/operators.ts';
import type { Program } from '../../../engine/0-ir/program.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { jvp } from '../../../engine/2-ad/jvp.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../engine/5-runtime/compile.ts';
import { runOnCpu } from '../../support/run-on-cpu.ts';

type Lists = Readonly<Record<string, readonly number[]>>;

const devices: Record<string, (program: Program, inputs: Lists, n: number) => Record<string, number[]>> = {
  'by interpretation': (program, inputs, n) =>
    Object.fromEntries(
      [...interpret(program, new Map(Object.entries(inputs)), { n })].map(([name, { values }]) => [name, [...values]]),
    ),
  'on the CPU': (program, inputs, n) => runOnCpu(compile(program), new Map(Object.entries(inputs)), { n }),
};

function histogramOf(name: 'min' | 'max', initial: boolean): Program {
  const b = new ProgramBuilder();
  const keys = b.parameter('keys', arrayType('int', ['n']));
  const x = b.parameter('x', arrayType('real', ['n']));
  const options = initial ? { initial: [b.parameter('initial', arrayType('real', [1]))] } : {};
  return b.finish({ y: b.histogram(builtinOperator(name), keys, [x], 1, options)[0]! });
}

/** [what, operator, elements of one bin, what it began with, adjoints of the elements, of the initial contents] */
type Case = readonly [
  string,
  'min' | 'max',
  readonly number[],
  number | undefined,
  readonly number[],
  number | undefined,
];
const inf = Infinity;
const cases: readonly Case[] = [
  ['the smallest index takes all', 'min', [3, 1, 2, 1], undefined, [0, 1, 0, 0], undefined],
  ['the smallest index takes all', 'max', [1, 3, 2, 3], undefined, [0, 1, 0, 0], undefined],
  ['zeros of either sign are equal', 'min', [0, -0], undefined, [1, 0], undefined],
  ['the first NaN wins', 'min', [-inf, NaN, 1, NaN], undefined, [0, 1, 0, 0], undefined],
  ['the first NaN wins', 'max', [inf, NaN, NaN], undefined, [0, 1, 0], undefined],
  ['an element beats the neutral element', 'min', [inf, inf], undefined, [1, 0], undefined],
  ['an element beats the neutral element', 'max', [-inf], undefined, [1], undefined],
  ['initial contents beat equal elements', 'min', [2, 1, 1], 1, [0, 0, 0], 1],
  ['initial contents beat equal elements', 'max', [inf], inf, [0], 1],
  ['initial contents beat nothing else', 'max', [2, 5, 5], 4, [0, 1, 0], 0],
  ['initial contents that are NaN win', 'min', [NaN, -inf], NaN, [0, 0], 1],
  ['a NaN beats initial contents', 'max', [7, NaN], inf, [0, 1], 0],
  ['no element: the initial contents stay', 'min', [], inf, [], 1],
];

describe.each(Object.entries(devices))('%s', (_, run) => {
  test.each(cases)('%s: %s of %j after %d', (__, name, x, initial, expected, expectedInitial) => {
    const program = histogramOf(name, initial !== undefined);
    const rules: string[] = [];
    const reverse = vjp(program, { onChoice: (___, { rule }) => rules.push(rule.name) });
    expect(rules).toContain('histogram-min-max');
    const inputs = { keys: x.map(() => 0), x, ...(initial !== undefined && { initial: [initial] }) };
    const found = run(reverse, { ...inputs, 'cotangent of y': [inf] }, x.length);
    expect(found['adjoint of x']).toEqual(expected.map((share) => (share === 0 ? 0 : inf)));
    if (initial !== undefined) expect(found['adjoint of initial']).toEqual([expectedInitial === 0 ? 0 : inf]);
    const pushed = x.map((___, i) => {
      const tangents = { 'tangent of x': x.map((____, j) => Number(i === j)), 'tangent of initial': [0] };
      return run(jvp(program), { ...inputs, ...tangents }, x.length)['tangent of y']?.[0];
    });
    expect(pushed).toEqual(expected);
  });
});
