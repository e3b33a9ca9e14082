/** vjp by values and by uses: of plain programs, of optimised ones, and through calls. */
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../engine/0-ir/operators.ts';
import { operandsOf } from '../../../engine/0-ir/operands.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { verify } from '../../../engine/0-ir/verify.ts';
import { optimize } from '../../../engine/1-optimize/index.ts';
import { vjp, type VjpOptions } from '../../../engine/2-ad/vjp.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';

const add = builtinOperator('add');

/** y = Σ (x·s + s), s = sin x: a trunk with two branches. */
function forked(): { program: Program; s: Value } {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const s = b.apply('sin', x);
  const [y] = b.reduce(add, [b.apply('add', b.apply('mul', x, s), s)], 0) as [Value];
  return { program: b.finish({ y }), s };
}

const x = [0.5, -1, 2];

function adjoints(program: Program, by: NonNullable<VjpOptions['by']>): number[][] {
  const derived = vjp(program, { by });
  verify(derived);
  const inputs = new Map([
    ['x', x],
    ['cotangent of y', [1]],
  ]);
  const found = interpret(derived, inputs, { n: x.length });
  return derived.results.slice(1).map(({ name }) => [...(found.get(name)?.values ?? [])]);
}

test('a trunk takes the sum of what its branches take', () => {
  const { program, s } = forked();
  const uses = program.statements.flatMap(({ construct }, statement) =>
    operandsOf(construct).flatMap(({ id }, operand) => (id === s.id ? [{ statement, operand }] : [])),
  );
  const [trunk, ...branches] = adjoints(program, [s, ...uses]);
  expect(trunk).toEqual(x.map((v) => v + 1));
  expect(branches).toEqual([x, [1, 1, 1]]);
  // By a parameter, a value and a use at once, each as if the others were not asked for.
  expect(adjoints(program, ['x', s, ...uses]).slice(1)).toEqual([trunk, ...branches]);
});

test('of an optimised program: the inputs of a fused reduction', () => {
  const program = optimize(forked().program);
  expect(program.statements.map(({ construct }) => 'prologue' in construct)).toContain(true);
  const statement = program.statements.findIndex(({ construct }) => 'prologue' in construct);
  const [use, whole] = adjoints(program, [{ statement, operand: 0 }, program.parameters[0]!.value]);
  const expected = x.map((v) => Math.sin(v) + (v + 1) * Math.cos(v));
  expected.forEach((value, i) => {
    expect(use?.[i]).toBeCloseTo(value, 12);
    expect(whole?.[i]).toBeCloseTo(value, 12);
  });
});

test('of what a call gives', () => {
  const b = new ProgramBuilder();
  const [given] = b.emit({
    kind: 'call',
    program: forked().program,
    inputs: [b.parameter('x', arrayType('real', ['n']))],
  }) as [Value];
  const program = b.finish({ y: b.apply('mul', given, given) });
  const value = x.reduce((total, v) => total + (v + 1) * Math.sin(v), 0);
  expect(adjoints(program, [given])[0]?.[0]).toBeCloseTo(2 * value, 12);
});

test('refuses values and uses that are not there, or not real', () => {
  const { program } = forked();
  expect(() => vjp(program, { by: [{ statement: 99, operand: 0 }] })).toThrow('no use 99.0');
  expect(() => vjp(program, { by: [{ id: 99, type: arrayType('real') }] })).toThrow('no value %99');
});
