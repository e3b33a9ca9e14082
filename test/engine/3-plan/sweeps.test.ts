/** Two scans from either end as one step: where that is so, and that it means the same. */
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { withSweeps } from '../../../engine/3-plan/sweeps.ts';
import { compile } from '../../../engine/5-runtime/compile.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { linFnComp, sumOfProd } from '../../support/operators.ts';
import { runPlan } from '../../support/run-plan.ts';

const inputs = { a: [1.5, -2, 0.25, 3, 1, -1], c: [2, 0.5, -1, 1, 4, 0.125] };
const sizes = { n: 3, m: 2 };

type Make = (b: ProgramBuilder, a: Value, c: Value) => Value[];

function programOf(make: Make): Program {
  const b = new ProgramBuilder();
  const [a, c] = ['a', 'c'].map((name) => b.parameter(name, arrayType('real', ['m', 'n']))) as [Value, Value];
  return b.finish(make(b, a, c).map((value, i) => ({ name: `y${i}`, value })));
}

const across: Make = (b, a, c) => {
  const [, left] = b.scan(linFnComp, [a, c], 1, { exclusive: true }) as [Value, Value];
  const [right] = b.scan(sumOfProd, [a, c], 1, { reverse: true }) as [Value, Value];
  return [left, right];
};

test.each([
  ['the second from the end', (b, a, c) => [b.apply('sub', ...(across(b, a, c) as [Value, Value]))]],
  [
    'the first from the end',
    (b, a, c) => {
      const [right] = b.scan(linFnComp, [a, c], 1, { reverse: true, exclusive: true }) as [Value, Value];
      const [left] = b.scan(sumOfProd, [a, c], 1) as [Value, Value];
      return [b.apply('mul', b.apply('sub', right, left), c), b.apply('add', left, right)];
    },
  ],
] as const satisfies [string, Make][])('one step, and nothing of their length between them: %s', (_, make) => {
  const program = programOf(make);
  const plan = withSweeps(compile(program));
  expect(plan.run.map(({ kind }) => kind)).toEqual(['sweep']);
  expect(plan.buffers.filter(({ role, length }) => role === 'temporary' && length !== 0)).toEqual([]);
  const wanted = interpret(program, new Map(Object.entries(inputs)), sizes);
  const got = runPlan(plan, inputs, sizes, { arena: true, backward: true });
  for (const [name, { values }] of wanted) expect(got[name]).toEqual([...values]);
});

const plus = builtinOperator('add');

test.each([
  [
    'one of them is a result',
    (b, a, c) => [...across(b, a, c), b.apply('sub', ...(across(b, a, c) as [Value, Value]))],
  ],
  ['both run the same way', (b, a, c) => [b.apply('mul', b.scan(plus, [a], 1)[0]!, b.scan(linFnComp, [a, c], 1)[1]!)]],
  [
    'one needs the other',
    (b, a, c) => {
      const [left] = b.scan(plus, [a], 1) as [Value];
      const [right] = b.scan(plus, [b.apply('mul', left, c)], 1, { reverse: true }) as [Value];
      return [b.apply('add', left, right)];
    },
  ],
  [
    'what is read of one is at other places',
    (b, a, c) => {
      const [left, right] = across(b, a, c) as [Value, Value];
      return [b.apply('sub', b.reverse(left, 1), right)];
    },
  ],
] as const satisfies [string, Make][])('two steps where %s', (_, make) => {
  const plan = compile(programOf(make));
  expect(withSweeps(plan)).toBe(plan);
});
