/** Derivatives at the edges: ties, zeros, infinities, NaN, nothing at all. In plain steps and as WebAssembly. */
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { arity, builtinOperator, type Operator } from '../../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import { realLiteral } from '../../../engine/0-ir/scalar.ts';
import type { Size, SizeBinding } from '../../../engine/0-ir/sizes.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { jvp } from '../../../engine/2-ad/jvp.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../engine/5-runtime/compile.ts';
import { linFnComp } from '../../support/operators.ts';
import { runOnCpu } from '../../support/run-on-cpu.ts';

type Lists = Readonly<Record<string, readonly number[]>>;
type Run = (program: Program, inputs: Lists, sizes: SizeBinding) => Record<string, number[]>;

const devices: Record<string, Run> = {
  'by interpretation': (program, inputs, sizes) =>
    Object.fromEntries(
      [...interpret(program, new Map(Object.entries(inputs)), sizes)].map(([name, { values }]) => [name, [...values]]),
    ),
  'on the CPU': (program, inputs, sizes) => runOnCpu(compile(program), new Map(Object.entries(inputs)), sizes),
};

const real = (b: ProgramBuilder, name: string, ...shape: Size[]): Value => b.parameter(name, arrayType('real', shape));
const int = (b: ProgramBuilder, name: string, ...shape: Size[]): Value => b.parameter(name, arrayType('int', shape));
const one = (values: readonly Value[]): Value => values[0] as Value;
const unsigned = (values: readonly number[] | undefined): number[] => (values ?? []).map((value) => value + 0);

/** y = write(x, …); the result is always called y. */
function programOf(write: (b: ProgramBuilder) => Value): Program {
  const b = new ProgramBuilder();
  return b.finish({ y: write(b) });
}

const reduced = (operator: Operator): Program => programOf((b) => one(b.reduce(operator, [real(b, 'x', 'n')], 0)));
const builtin = (name: Parameters<typeof builtinOperator>[0]): Program => reduced(builtinOperator(name));

/** A histogram of x (and of `initial`, where it starts from something) by keys. */
function histogramOf(operator: Operator, bins: Size, initial = false): Program {
  return programOf((b) => {
    const keys = int(b, 'keys', 'n');
    const x = real(b, 'x', 'n');
    const options = initial ? { initial: [real(b, 'initial', bins)] } : {};
    return one(b.histogram(operator, keys, [x], bins, options));
  });
}

describe.each(Object.entries(devices))('%s', (_, run) => {
  /** Value and adjoints (by parameter) for the cotangent of y. Zeros without their signs. */
  function reverse(program: Program, inputs: Lists, cotangent: readonly number[], sizes: SizeBinding = {}) {
    const n = inputs['x']?.length ?? 0;
    const found = run(vjp(program), { ...inputs, 'cotangent of y': cotangent }, { n, ...sizes });
    return {
      y: found['y'],
      x: unsigned(found['adjoint of x']),
      initial: unsigned(found['adjoint of initial']),
    };
  }

  /** ẏ for a change of each element of x alone: what reverse mode gives for a cotangent of one, for a scalar y. */
  function forward(program: Program, x: readonly number[]): number[] {
    return x.map((_, i) => {
      const tangent = x.map((__, j) => (i === j ? 1 : 0));
      return (run(jvp(program), { x, 'tangent of x': tangent }, { n: x.length })['tangent of y']?.[0] ?? NaN) + 0;
    });
  }

  describe('reduce min and max', () => {
    test.each([
      ['min', [3, 1, 2, 1, 1], [0, 1, 0, 0, 0]],
      ['max', [1, 3, 2, 3, 3], [0, 1, 0, 0, 0]],
      ['min', [0, -0, 0], [1, 0, 0]],
      ['max', [-0, 0], [1, 0]],
    ] as const)('ties of %s over %j: the smallest index takes all', (name, x, expected) => {
      expect(reverse(builtin(name), { x }, [1]).x).toEqual(expected);
      expect(forward(builtin(name), x)).toEqual(expected);
    });

    test.each([
      ['min', [1, NaN, -Infinity, NaN], NaN, [0, 1, 0, 0]],
      ['max', [1, NaN, Infinity, NaN], NaN, [0, 1, 0, 0]],
      ['min', [2, -Infinity, -Infinity], -Infinity, [0, 1, 0]],
      ['max', [2, Infinity, Infinity], Infinity, [0, 1, 0]],
      ['min', [Infinity, Infinity], Infinity, [1, 0]],
      ['max', [-Infinity, -Infinity], -Infinity, [1, 0]],
    ] as const)('%s over %j: the first NaN wins, and an element beats the neutral one', (name, x, y, expected) => {
      expect(reverse(builtin(name), { x }, [1])).toMatchObject({ y: [y], x: expected });
      expect(forward(builtin(name), x)).toEqual(expected);
    });

    test('an infinite cotangent reaches the winner alone', () => {
      expect(reverse(builtin('min'), { x: [2, 1, 3] }, [Infinity]).x).toEqual([0, Infinity, 0]);
    });
  });

  describe('nothing to reduce', () => {
    test.each([
      ['add', 0],
      ['multiply', 1],
      ['min', Infinity],
      ['max', -Infinity],
      ['logaddexp', -Infinity],
    ] as const)('%s gives %d and no gradient', (name, neutral) => {
      const program = programOf((b) => {
        const x = real(b, 'x', 'm');
        return one(
          b.emit({ kind: 'reduce', operator: builtinOperator(name), shape: ['n', 'm'], axis: 0, inputs: [x] }),
        );
      });
      const sizes = { n: 0, m: 2 };
      expect(reverse(program, { x: [5, 6] }, [Infinity, 1], sizes)).toMatchObject({ y: [neutral, neutral], x: [0, 0] });
    });
  });

  describe('reduce ×', () => {
    test.each([
      [
        [2, 3, 5],
        [15, 10, 6],
      ],
      [
        [2, 0, 5],
        [0, 10, 0],
      ],
      [
        [2, -0, 5],
        [0, 10, 0],
      ],
      [
        [0, 3, -0],
        [0, 0, 0],
      ],
      [[7], [1]],
      [[-0], [1]],
    ])('over %j: each takes the product of the others', (x, expected) => {
      const y = x.reduce((product, value) => product * value, 1);
      expect(reverse(builtin('multiply'), { x }, [1])).toMatchObject({ y: [y], x: expected });
      expect(forward(builtin('multiply'), x)).toEqual(expected);
    });
  });

  describe('histograms', () => {
    const operators = ['add', 'multiply', 'min', 'max', 'logaddexp'] as const;
    const keys = [-1, 0, 3, 2, 2147483647, 0, -2147483648];

    test.each(operators)('%s: a key out of range takes an exact zero, where bins are infinite too', (name) => {
      const x = [NaN, 1, Infinity, 2, -Infinity, 3, 0];
      for (const initial of [false, true]) {
        const program = histogramOf(builtinOperator(name), 'bins', initial);
        const inputs = { keys, x, ...(initial && { initial: [1, 1, 1] }) };
        const found = reverse(program, inputs, [Infinity, Infinity, Infinity], { bins: 3 });
        expect([0, 2, 4, 6].map((i) => found.x[i])).toEqual([0, 0, 0, 0]);
      }
    });

    test.each(operators)('%s: an empty bin holds the neutral element, or what it began with', (name) => {
      const operator = builtinOperator(name);
      const inputs = { keys: [4, 1], x: [2, 3] };
      const plain = reverse(histogramOf(operator, 'bins'), inputs, [1, 2, 3, 4, 5, 6], { bins: 6 });
      const neutral = operator.neutral[0];
      expect(plain.y).toEqual([neutral, 3, neutral, neutral, 2, neutral]);
      expect(plain.x).toEqual([5, 2]);
      const initial = [7, 0.5, 8, NaN, 0.25, Infinity];
      const begun = reverse(histogramOf(operator, 'bins', true), { ...inputs, initial }, [1, 2, 3, 4, 5, 6], {
        bins: 6,
      });
      expect([0, 2, 3, 5].map((bin) => begun.y?.[bin])).toEqual([7, 8, NaN, Infinity]);
      expect([0, 2, 3, 5].map((bin) => begun.initial[bin])).toEqual([1, 3, 4, 6]);
    });

    test('no elements at all: the contents and their adjoints stay', () => {
      const program = histogramOf(builtinOperator('min'), 'bins', true);
      const found = reverse(program, { keys: [], x: [], initial: [4, 5] }, [2, 3], { bins: 2 });
      expect(found).toEqual({ y: [4, 5], x: [], initial: [2, 3] });
    });

    test('min and max: in each bin the smallest index takes all, and initial contents come before', () => {
      const inputs = { keys: [1, 0, 1, 1, 0], x: [5, 4, 2, 2, 4] };
      expect(reverse(histogramOf(builtinOperator('min'), 2), inputs, [10, 20]).x).toEqual([0, 10, 20, 0, 0]);
      const begun = reverse(histogramOf(builtinOperator('min'), 2, true), { ...inputs, initial: [4, 3] }, [10, 20]);
      expect(begun).toMatchObject({ x: [0, 0, 20, 0, 0], initial: [10, 0] });
    });

    test('×: none, one and several zeros in a bin', () => {
      const inputs = { keys: [0, 1, 2, 2, 1, 0], x: [2, -0, 0, 0, 7, 3] };
      expect(reverse(histogramOf(builtinOperator('multiply'), 3), inputs, [1, 1, 1]).x).toEqual([3, 7, 0, 0, 0, 2]);
    });
  });

  describe('gather', () => {
    const program = (outside: 'nan' | 'zero'): Program =>
      programOf((b) => b.gather(real(b, 'x', 'n'), int(b, 'indices', 5), outside));

    test.each([
      ['nan', NaN],
      ['zero', 0],
    ] as const)('out of range gives %s and takes nothing', (outside, value) => {
      const inputs = { x: [10, 20, 30], indices: [2, -1, 0, 3, 2] };
      const found = reverse(program(outside), inputs, [1, Infinity, 2, NaN, 4]);
      expect(found).toMatchObject({ y: [30, value, 10, value, 30], x: [2, 0, 5] });
    });
  });

  test('if(x > 0, log(x), 0): nothing comes from the branch that is not taken', () => {
    const program = programOf((b) =>
      b.elementwise(
        [real(b, 'x', 'n')],
        (s, x) =>
          s.branch(
            s.apply('lt', realLiteral(0), x),
            () => [s.apply('log', x)],
            () => [realLiteral(0)],
          )[0] as typeof x,
      ),
    );
    const x = [-1, 0, -0, 4, NaN, -Infinity];
    const found = reverse(program, { x }, [1, Infinity, NaN, 1, Infinity, Infinity]);
    expect(found).toMatchObject({ y: [0, 0, 0, Math.log(4), 0, 0], x: [0, 0, 0, 0.25, 0, 0] });
    const tangent = run(jvp(program), { x, 'tangent of x': [1, 1, 1, 1, 1, 1] }, { n: 6 })['tangent of y'];
    expect(tangent).toEqual([0, 0, 0, 0.25, 0, 0]);
  });

  describe('scans whose Jacobians overflow', () => {
    test("x' = 3x + u with u = 0 for 1990 steps stays finite, backwards too", () => {
      const steps = 1990;
      const b = new ProgramBuilder();
      const inputs = [real(b, 'u', 'n'), real(b, 'c', 'n')];
      expect(arity(linFnComp)).toBe(inputs.length);
      const states = one(b.scan(linFnComp, inputs, 0));
      const program = b.finish({ y: states });
      const lists = {
        u: new Array<number>(steps).fill(0),
        c: new Array<number>(steps).fill(3),
        'cotangent of y': Array.from({ length: steps }, (_, t) => (t === 500 ? 1 : 0)),
      };
      const found = run(vjp(program), lists, { n: steps });
      expect(found['y']).toEqual(lists.u);
      expect(unsigned(found['adjoint of c'])).toEqual(lists.u);
      const expected = Array.from({ length: steps }, (_, t) => (t <= 500 ? 3 ** (500 - t) : 0));
      const largest = 3 ** 500;
      (found['adjoint of u'] as number[]).forEach((value, t) =>
        expect(Math.abs(value - (expected[t] as number))).toBeLessThan(1e-12 * largest),
      );
    });

    test('scan × over 800 values of 100, with a cotangent at 0 alone', () => {
      const program = programOf((b) => one(b.scan(builtinOperator('multiply'), [real(b, 'x', 'n')], 0)));
      const cotangent = Array.from({ length: 800 }, (_, t) => (t === 0 ? 1 : 0));
      const found = reverse(program, { x: new Array<number>(800).fill(100) }, cotangent);
      expect(found.y?.at(-1)).toBe(Infinity);
      expect(found.x).toEqual(cotangent);
    });
  });

  test('a carry of a loop that reaches nothing differentiated brings no ∞·0', () => {
    const body = new ProgramBuilder();
    body.parameter('t', arrayType('int'));
    const [c, d] = [real(body, 'c'), real(body, 'd')];
    const x = real(body, 'x', 'n');
    const grown = body.apply('mul', d, body.literal(1e200));
    const sum = one(body.reduce(builtinOperator('add'), [x], 0));
    const step = body.finish({ c: body.apply('add', c, sum), d: body.apply('mul', grown, sum) });
    const program = programOf((b) =>
      one(
        b.emit({
          kind: 'loop',
          count: 5,
          body: step,
          initial: [b.literal(0), b.literal(1)],
          invariants: [real(b, 'x', 'n')],
        }),
      ),
    );
    expect(reverse(program, { x: [1, 2] }, [1])).toMatchObject({ y: [15], x: [5, 5] });
  });
});
