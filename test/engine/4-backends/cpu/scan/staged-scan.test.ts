/** Scans in stages of a block: what is carried, shown and handed on must not show where blocks and tiles end. */
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../../engine/0-ir/builder.ts';
import { realLiteral } from '../../../../../engine/0-ir/scalar.ts';
import { arrayType } from '../../../../../engine/0-ir/types.ts';
import { optimize } from '../../../../../engine/1-optimize/index.ts';
import { liftedMinMax } from '../../../../../engine/0-ir/lifted-min-max.ts';
import { lower } from '../../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../../engine/4-backends/reference/interpret.ts';
import { linFnComp } from '../../../../support/operators.ts';
import { runOnCpu } from '../../../../support/run-on-cpu.ts';

/** Of (b, c) only b is read, by a map after the scan; a map before it makes both. */
function staged(exclusive: boolean, reverse: boolean) {
  const b = new ProgramBuilder();
  const [x, y] = ['x', 'y'].map((name) => b.parameter(name, arrayType('real', ['n']))) as [never, never];
  const first = b.elementwise([x, y], (s, u, v) => s.apply('sub', u, v));
  const second = b.elementwise([y], (s, v) => s.apply('mul', v, realLiteral(0.75)));
  const [carried] = b.scan(linFnComp, [first, second], 0, { exclusive, reverse });
  const after = b.elementwise([carried as never, x], (s, r, u) => s.apply('mul', r, u));
  return b.finish([{ name: 'r', value: after }]);
}

test.each([
  [false, false],
  [true, false],
  [false, true],
  [true, true],
])('every bit is that of one element after the other: exclusive %s, reverse %s', (exclusive, reverse) => {
  const program = staged(exclusive, reverse);
  const plan = lower(optimize(program));
  expect(plan.run.map(({ kind }) => kind)).toEqual(['scan']);
  for (const n of [0, 1, 3, 63, 64, 65, 1023, 1025, 5000]) {
    const inputs = new Map([
      ['x', Array.from({ length: n }, (_, i) => Math.sin(i + 1))],
      ['y', Array.from({ length: n }, (_, i) => Math.cos(3 * i))],
    ]);
    const wanted = [...(interpret(program, inputs, { n }).get('r')?.values ?? [])];
    expect([...(runOnCpu(plan, inputs, { n }).r ?? [])]).toEqual(wanted);
  }
});

test.each(['min', 'max'] as const)('the first of several winners of %s is found, and NaN', (which) => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const [index, value] = b.emit({
    kind: 'reduce',
    operator: liftedMinMax(which),
    shape: ['n'],
    axis: 0,
    inputs: [b.iota('n'), x],
  });
  const program = b.finish([
    { name: 'index', value: index as never },
    { name: 'value', value: value as never },
  ]);
  const cases = [1, 15, 16, 17, 100, 40_000].flatMap((n) => [
    Array.from({ length: n }, (_, i) => Math.sin(17 * i)),
    Array.from({ length: n }, (_, i) => (i % 3 === 1 ? -0 : 0)),
    Array.from({ length: n }, (_, i) => (i % 19 === 18 ? NaN : i)),
    Array.from({ length: n }, () => Infinity),
  ]);
  for (const values of cases) {
    const [inputs, sizes] = [new Map([['x', values]]), { n: values.length }];
    const wanted = interpret(program, inputs, sizes);
    const got = runOnCpu(lower(program), inputs, sizes);
    for (const name of ['index', 'value'])
      expect([...(got[name] ?? [])]).toEqual([...(wanted.get(name)?.values ?? [])]);
  }
});
