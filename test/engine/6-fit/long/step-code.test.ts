/** Derivatives of programs whose steps are long: along directions that are data, in place of code for each direction. */
import { afterAll, expect, test } from 'vitest';
import { OutOfMemory } from '../../../../engine/0-ir/errors.ts';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import type { Program } from '../../../../engine/0-ir/program.ts';
import { realLiteral, type ScalarOperand } from '../../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { openAnswers } from '../../../../engine/6-fit/answers.ts';
import { coordinates } from '../../../../engine/6-fit/coordinates.ts';
import { jacobianName, withJacobian } from '../../../../engine/6-fit/derivative-programs.ts';
import { curvedOf, isSifting } from '../../../../engine/6-fit/long/hessian-products.ts';
import type { Quadratic } from '../../../../engine/6-fit/expansion.ts';
import type { FitParameter } from '../../../../engine/6-fit/problem.ts';
import { quadraticOf, type Ask } from '../../../../engine/6-fit/questions.ts';
import { isLong } from '../../../../engine/6-fit/step-code.ts';

const scalars = ['a', 'b', 'c', 'd', 'e'];
const names = [...scalars, 'k'];

/** xₜ = xₜ₋₁ + h·Σ of `terms` sines of it and of the parameters, five times over; `last` is the last, `all` are all. */
function long(terms: number): Program {
  const b = new ProgramBuilder();
  const parameters = names.map((name) => b.parameter(name, arrayType('real', name === 'k' ? [2] : [])));
  const start = b.literal(0.5);
  const given = [...parameters.slice(0, -1), ...[0, 1].map((i) => b.reshape(b.slice(parameters.at(-1)!, 0, i, 1), []))];
  const step = scalarFunction(
    Array.from({ length: 1 + given.length }, () => 'real' as const),
    (s, x, ...p) => {
      let now: ScalarOperand = x;
      for (let i = 0; i < terms; i++) {
        const moved = s.apply('mul', p[i % p.length]!, s.apply('add', now, realLiteral(i / terms)));
        now = s.apply('add', now, s.apply('mul', realLiteral(1 / terms), s.apply('sin', moved)));
      }
      return [now, now];
    },
  );
  const results = b.emit({
    ...{ kind: 'recurrence', step, shape: [5], axis: 0, reverse: false },
    ...{ initial: [start], inputs: [], invariants: given },
  });
  return b.finish([
    { name: 'last', value: results[0]! },
    { name: 'all', value: results[1]! },
  ]);
}

const values = new Map(
  names.map((name, i) => [name, name === 'k' ? [0.7, 1.9] : [0.3 + 0.2 * i]] as [string, readonly number[]]),
);

test('the Jacobian of a long program by many scalars is that by each', () => {
  const program = long(2600);
  expect(isLong(program, scalars.length)).toBe(true);
  expect(isLong(program, 1)).toBe(false);
  const at = (by: readonly string[]) => interpret(withJacobian(program, ['last', 'all'], by), values, {});
  const together = at(names);
  for (const name of names) {
    const alone = at([name]);
    for (const of of ['last', 'all'])
      expect(together.get(jacobianName(of, name))).toEqual(alone.get(jacobianName(of, name)));
  }
});

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

test('the Hessian by products along some directions at once is that of code for each, on every scale', async () => {
  const program = long(360);
  const parameters = names.map((name, i): FitParameter => ({
    ...{ name, initial: values.get(name)!, shape: name === 'k' ? [2] : [], fixed: name === 'c' },
    ...{ scale: i === 1 ? 'log' : i === 3 ? 'logit' : 'linear' },
    lower: values.get(name)!.map(() => (i === 3 ? 0.1 : -Infinity)),
    upper: values.get(name)!.map(() => (i === 3 ? 2 : Infinity)),
  }));
  const problem = { program, parameters, data: new Map(), sizes: {} };
  const all = coordinates(parameters);
  const answers = openAnswers(device, problem);
  try {
    const byProducts = curvedOf(problem, all, 'last', {});
    if (!isSifting(byProducts)) throw new Error('it is long');
    const point = Float64Array.from(all, (_, j) => 0.2 + 0.1 * j);
    const wanted = await answers.ask(quadraticOf(problem, all, 'last', {}), point);
    const expectHessian = ({ value, gradient, hessian }: Quadratic): void => {
      expect(value).toBeCloseTo(wanted.value, 12);
      all.forEach((_, i) => {
        expect(gradient[i]).toBeCloseTo(wanted.gradient[i]!, 10);
        all.forEach((__, j) => expect(hessian[i]![j]).toBeCloseTo(wanted.hessian[i]![j]!, 9));
      });
    };
    expectHessian(await answers.ask(byProducts, point));

    // Of what is tried no Hessian is asked for; of what is no lower, or NaN, no gradient either.
    const { value } = wanted;
    const lower = await answers.ask(byProducts, { point, below: value + 1e-9 });
    expect(lower.hessian).toEqual([]);
    all.forEach((_, i) => expect(lower.gradient[i]).toBeCloseTo(wanted.gradient[i]!, 10));
    for (const below of [value - 1e-9, NaN])
      expect((await answers.ask(byProducts, { point, below })).gradient).toEqual(new Float64Array(0));

    // What has been asked is known; with less room fewer directions are followed at once.
    const none: Ask = () => Promise.reject(new OutOfMemory(2, 1));
    expectHessian(await byProducts.compose(none, point));
    const elsewhere = point.map((u) => u + 1e-13);
    const widths: number[] = [];
    const narrow: Ask = (question, at) => {
      const width = 'program' in question ? Number(question.program.results[0]!.value.type.shape[0] ?? 0) : 0;
      widths.push(width);
      return width > 2 ? Promise.reject(new OutOfMemory(2, 1)) : answers.ask(question, at);
    };
    expectHessian(await byProducts.compose(narrow, elsewhere));
    expect(widths).toEqual([6, 3, 1, 1, 1, 1, 1, 1]);
    await expect(
      byProducts.compose(
        none,
        point.map((u) => u + 1),
      ),
    ).rejects.toThrow(OutOfMemory);
  } finally {
    answers.release();
  }
});
