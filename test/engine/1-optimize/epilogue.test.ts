/** A map after a scan, taken into it. */
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator, type Operator } from '../../../engine/0-ir/operators.ts';
import { parseProgram } from '../../../engine/0-ir/parse.ts';
import { printProgram } from '../../../engine/0-ir/print.ts';
import type { ConstructKind, Program, Value } from '../../../engine/0-ir/program.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { optimize } from '../../../engine/1-optimize/index.ts';
import { unfuse } from '../../../engine/1-optimize/unfuse.ts';
import { lower } from '../../../engine/3-plan/lower.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { runOnCpu } from '../../support/run-on-cpu.ts';

const add = builtinOperator('add');

/** b₂ + c₂·b₁, c₂·c₁ */
const affine: Operator = {
  combine: scalarFunction(['real', 'real', 'real', 'real'], (s, b1, c1, b2, c2) => [
    s.apply('add', b2, s.apply('mul', c2, b1)),
    s.apply('mul', c2, c1),
  ]),
  neutral: [0, 1],
  commutative: false,
};

const kinds = (program: Program): ConstructKind[] => program.statements.map(({ construct }) => construct.kind);

/** exp(-scan + x)·z, along the first axis. */
function decaying(reverse: boolean, exclusive: boolean, rank: 1 | 2): Program {
  const b = new ProgramBuilder();
  const shape = rank === 1 ? ['n'] : ['n', 'm'];
  const [x, z] = [b.parameter('x', arrayType('real', shape)), b.parameter('z', arrayType('real', ['n']))];
  const [total] = b.scan(add, [x], 0, { reverse, exclusive }) as [Value];
  const weights = rank === 1 ? z : b.reshape(z, ['n', 1]);
  return b.finish({ y: b.apply('mul', b.apply('exp', b.apply('neg', total)), weights) });
}

test('what a map alone reads of a scan is not written', () => {
  const optimized = optimize(decaying(false, false, 1));
  expect(kinds(optimized)).toEqual(['scan']);
  expect(lower(optimized).buffers.map(({ role }) => role)).toEqual(['input', 'input', 'result']);
});

test('a scan that is read elsewhere too keeps its results', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const [total] = b.scan(add, [x], 0) as [Value];
  expect(kinds(optimize(b.finish({ total, y: b.apply('exp', total) })))).toEqual(['scan', 'map']);
});

test('what is prepared once stays out of what changes', () => {
  const b = new ProgramBuilder();
  const [x, k] = [b.parameter('x', arrayType('real', ['n'])), b.parameter('k', arrayType('real'))];
  const [total] = b.scan(add, [x], 0) as [Value];
  const program = b.finish({ y: b.apply('mul', k, total) });
  expect(kinds(optimize(program, { varying: new Set(['k']) }))).toEqual(['scan', 'map']);
});

test('a component that only its operator needs is not written', () => {
  const b = new ProgramBuilder();
  const [x, c] = [b.parameter('x', arrayType('real', ['n'])), b.parameter('c', arrayType('real', ['n']))];
  const [state] = b.scan(affine, [x, c], 0) as [Value];
  const [sum] = b.reduce(add, [b.apply('mul', state, x)], 0) as [Value];
  const plan = lower(optimize(b.finish({ sum })));
  expect(plan.run).toMatchObject([{ kind: 'scan', outputs: [{}] }, { kind: 'reduce' }]);
});

test('written out again it is the scan and the map', () => {
  const plain = unfuse(optimize(decaying(true, true, 2)));
  expect(printProgram(plain)).not.toContain('epilogue');
  expect(kinds(plain).slice(-2)).toEqual(['scan', 'map']);
});

test('its text reads back', () => {
  const text = printProgram(optimize(decaying(true, false, 1)));
  expect(text).toContain('epilogue');
  expect(printProgram(parseProgram(text))).toBe(text);
});

const cases = [false, true].flatMap((reverse) =>
  [false, true].flatMap((exclusive) => ([1, 2] as const).map((rank) => ({ reverse, exclusive, rank }))),
);

test.each(cases)('over many tiles: reverse $reverse, exclusive $exclusive, rank $rank', (how) => {
  const program = decaying(how.reverse, how.exclusive, how.rank);
  const sizes = { n: 40_000, m: 3 };
  const length = how.rank === 1 ? sizes.n : sizes.n * sizes.m;
  // Multiples of a power of two: sums are exact in whatever order.
  const x = Array.from({ length }, (_, i) => (((i * 37) % 11) - 5) / 64);
  const z = Array.from({ length: sizes.n }, (_, i) => (i % 7) - 3);
  const inputs = new Map([
    ['x', x],
    ['z', z],
  ]);
  const found = runOnCpu(lower(optimize(program)), inputs, sizes).y ?? [];
  const wanted = interpret(program, inputs, sizes).get('y')?.values ?? [];
  found.forEach((value, i) => {
    if (Math.abs(value - wanted[i]!) > 1e-14 * Math.abs(wanted[i]!))
      throw new Error(`element ${i} is ${value}, not ${wanted[i]}`);
  });
  expect(found).toHaveLength(length);
});
