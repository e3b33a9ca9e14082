/** Maps that are zero but at one place. */
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../../engine/0-ir/builder.ts';
import { realLiteral } from '../../../../../engine/0-ir/scalar.ts';
import { arrayType } from '../../../../../engine/0-ir/types.ts';
import { optimize } from '../../../../../engine/1-optimize/index.ts';
import { lower } from '../../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../../engine/4-backends/reference/interpret.ts';
import { runOnCpu } from '../../../../support/run-on-cpu.ts';

/** (i = k) ? v : elsewhere, with v an input or 2.5. */
function atOnePlace(elsewhere: number, literal: boolean, reversed: boolean) {
  const b = new ProgramBuilder();
  const [k, v] = [b.parameter('k', arrayType('int', [])), b.parameter('v', arrayType('real', []))];
  const y = b.elementwise(
    [b.iota('n'), k, v],
    (s, i, at, value) =>
      s.branch(
        s.apply('eq', i, at),
        () => [literal ? realLiteral(2.5) : value],
        () => [realLiteral(elsewhere)],
      )[0]!,
    ['n'],
  );
  return b.finish({ y: reversed ? b.reverse(y, 0) : y });
}

test.each([
  [0, false, false],
  [0, true, false],
  [-0, false, false],
  [1, false, false],
  [0, false, true],
])('elsewhere %d, a literal %s, reversed %s', (elsewhere, literal, reversed) => {
  const program = atOnePlace(elsewhere, literal, reversed);
  const plan = lower(optimize(program));
  for (const n of [0, 1, 5, 64, 1000])
    for (const k of [-1, 0, 3, n - 1, n, 2 ** 31 - 1, -(2 ** 31)])
      for (const v of [1.5, -0, NaN, Infinity]) {
        const inputs = new Map([
          ['k', [k]],
          ['v', [v]],
        ]);
        const wanted = [...(interpret(program, inputs, { n }).get('y')?.values ?? [])];
        for (const precision of ['f64', 'f32'] as const)
          expect(runOnCpu(plan, inputs, { n }, { precision }).y).toEqual(wanted);
        expect(runOnCpu(plan, inputs, { n }, { chunk: 7 }).y).toEqual(wanted);
      }
});

test('zeros alone', () => {
  const b = new ProgramBuilder();
  const program = b.finish({ y: b.elementwise([b.iota('n')], () => realLiteral(0), ['n']), z: b.iota('n') });
  for (const n of [0, 1, 777])
    expect(runOnCpu(lower(program), new Map(), { n }).y).toEqual(Array.from({ length: n }, () => 0));
});
