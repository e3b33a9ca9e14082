/** × of reduce and histogram: every element takes the product of the others, whatever the product of all is. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../engine/0-ir/operators.ts';
import type { Program } from '../../../engine/0-ir/program.ts';
import type { SizeBinding } from '../../../engine/0-ir/sizes.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { jvp } from '../../../engine/2-ad/jvp.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { scale } from '../../../engine/4-backends/reference/scalar/binary-exponent.ts';
import { compile } from '../../../engine/5-runtime/compile.ts';
import { runOnCpu } from '../../support/run-on-cpu.ts';

type Lists = Readonly<Record<string, readonly number[]>>;

const devices: Record<string, (program: Program, inputs: Lists, sizes: SizeBinding) => Record<string, number[]>> = {
  'by interpretation': (program, inputs, sizes) =>
    Object.fromEntries(
      [...interpret(program, new Map(Object.entries(inputs)), sizes)].map(([name, { values }]) => [name, [...values]]),
    ),
  'on the CPU': (program, inputs, sizes) => runOnCpu(compile(program), new Map(Object.entries(inputs)), sizes),
};

const times = builtinOperator('multiply');

function reduced(): Program {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  return b.finish({ y: b.reduce(times, [x], 0)[0]! });
}

/** Elements and what their bins began with. */
function binned(): Program {
  const b = new ProgramBuilder();
  const keys = b.parameter('keys', arrayType('int', ['n']));
  const x = b.parameter('x', arrayType('real', ['n']));
  const initial = b.parameter('initial', arrayType('real', ['bins']));
  return b.finish({ y: b.histogram(times, keys, [x], 'bins', { initial: [initial] })[0]! });
}

const programs = { reduced: reduced(), binned: binned() };
const reverse = { reduced: vjp(programs.reduced), binned: vjp(programs.binned) };
const forward = { reduced: jvp(programs.reduced), binned: jvp(programs.binned) };
const nested = jvp(reverse.reduced);

const inf = Infinity;
const unsigned = (values: readonly number[] | undefined): number[] => (values ?? []).map((value) => value + 0);
const ones = (n: number, at?: number): number[] =>
  Array.from({ length: n }, (_, i) => Number(at === undefined || i === at));

/** [what, elements, what each takes] */
const edges: readonly (readonly [string, readonly number[], readonly number[]])[] = [
  ['no element', [], []],
  ['one element', [7], [1]],
  ['one zero alone', [0], [1]],
  ['no zero', [2, 3, 5], [15, 10, 6]],
  ['one zero', [2, 0, 5], [0, 10, 0]],
  ['one minus zero', [2, -0, 5], [0, 10, 0]],
  ['two zeros', [0, 3, -0], [0, 0, 0]],
  ['three zeros', [0, 0, 0, 4], [0, 0, 0, 0]],
  ['a product that overflows on the way', [1e200, 1e200, 1e-200, 1e-200], [1e-200, 1e-200, 1e200, 1e200]],
  ['a product that underflows on the way', [1e-200, 1e-200, 1e200, 4], [4, 4, 4e-400, 1e-200]],
  ['a product that overflows', [1e200, -1e200, 2], [-2e200, 2e200, -inf]],
  ['a product that underflows', [1e-200, 1e-200, 3], [3e-200, 3e-200, 0]],
  ['subnormal numbers', [5e-324, 2, 2 ** 1023], [inf, 2 ** -51, 2 ** -1073]],
  ['an overflow and a zero', [0, 1e200, 1e200], [inf, 0, 0]],
  ['one infinity', [inf, 2, -3], [-6, -inf, inf]],
  ['a negative infinity', [-inf, 2], [2, -inf]],
  ['two infinities', [inf, -inf, 2], [-inf, inf, -inf]],
  ['an infinity and a zero', [inf, 0, 2], [0, inf, NaN]],
  ['an infinity and two zeros', [inf, 0, 0], [0, NaN, NaN]],
  ['one NaN', [NaN, 2, 3], [6, NaN, NaN]],
  ['a NaN and a zero', [NaN, 0, 3], [0, NaN, NaN]],
  ['a NaN and an infinity', [NaN, inf, 3], [inf, NaN, NaN]],
  ['two NaN', [NaN, NaN], [NaN, NaN]],
];

function expectNear(found: readonly number[], wanted: readonly number[]): void {
  expect(found.length).toBe(wanted.length);
  wanted.forEach((value, i) => {
    const own = found[i]!;
    const close = Object.is(own, value) || Math.abs(own - value) <= Math.max(1e-14 * Math.abs(value), 1e-323);
    expect(close, `[${i}] is ${own}, not ${value}`).toBe(true);
  });
}

describe.each(Object.entries(devices))('%s', (_, run) => {
  test.each(edges)('%s: reduce %j gives %j', (__, x, expected) => {
    const n = x.length;
    const found = run(reverse.reduced, { x, 'cotangent of y': [1] }, { n });
    expectNear(unsigned(found['adjoint of x']), expected);
    expectNear(found['y'] ?? [], [x.reduce((product, value) => product * value, 1)]);
    const columns = x.map(
      (___, i) => run(forward.reduced, { x, 'tangent of x': ones(n, i) }, { n })['tangent of y']?.[0],
    );
    expectNear(unsigned(columns as number[]), expected);
  });

  test('in a bin, and of what the bin began with', () => {
    const cases = edges.filter(([, x]) => x.length > 0);
    const initial = cases.map(([, x]) => x[0]!);
    // The elements of all bins, dealt in turn, and one beyond the last bin.
    const dealt = [0, 1, 2].flatMap((round) =>
      cases.flatMap(([, x, expected], bin) => {
        const element = x[round + 1];
        return element === undefined ? [] : [{ bin, element, expected: expected[round + 1]! }];
      }),
    );
    const keys = [...dealt.map(({ bin }) => bin), cases.length];
    const x = [...dealt.map(({ element }) => element), inf];
    const sizes = { n: x.length, bins: cases.length };
    const expected = [...dealt.map((each) => each.expected), 0];
    const expectedInitial = cases.map(([, , wanted]) => wanted[0]!);

    const inputs = { keys, x, initial };
    const found = run(reverse.binned, { ...inputs, 'cotangent of y': ones(cases.length) }, sizes);
    expectNear(unsigned(found['adjoint of x']), expected);
    expectNear(unsigned(found['adjoint of initial']), expectedInitial);

    const still = ones(x.length, -1);
    x.forEach((___, i) => {
      const tangents = { 'tangent of x': ones(x.length, i), 'tangent of initial': ones(cases.length, -1) };
      const pushed = run(forward.binned, { ...inputs, ...tangents }, sizes)['tangent of y'] ?? [];
      expectNear(
        unsigned(pushed),
        cases.map((____, bin) => (bin === keys[i] ? expected[i]! : 0)),
      );
    });
    cases.forEach((___, bin) => {
      const tangents = { 'tangent of x': still, 'tangent of initial': ones(cases.length, bin) };
      const pushed = run(forward.binned, { ...inputs, ...tangents }, sizes)['tangent of y'] ?? [];
      expectNear(
        unsigned(pushed),
        cases.map((____, other) => (bin === other ? expectedInitial[bin]! : 0)),
      );
    });
  });

  test('a key out of range takes an exact zero under an infinite cotangent', () => {
    const inputs = { keys: [-1, 0, 1, 7], x: [0, 2, 3, inf], initial: [5], 'cotangent of y': [inf] };
    expect(run(reverse.binned, inputs, { n: 4, bins: 1 })['adjoint of x']).toEqual([0, inf, 0, 0]);
  });

  test.each([
    [
      [0, 3, 5],
      [
        [0, 5, 3],
        [5, 0, 0],
        [3, 0, 0],
      ],
    ],
    [
      [0, 0, 5],
      [
        [0, 5, 0],
        [5, 0, 0],
        [0, 0, 0],
      ],
    ],
    [
      [2, 3, 5],
      [
        [0, 5, 3],
        [5, 0, 2],
        [3, 2, 0],
      ],
    ],
  ])('second derivatives over %j', (x, hessian) => {
    const columns = x.map((__, i) => {
      const inputs = { x, 'cotangent of y': [1], 'tangent of x': ones(3, i), 'tangent of cotangent of y': [0] };
      return unsigned(run(nested, inputs, { n: 3 })['tangent of adjoint of x']).map((v) => Math.round(v * 1e12) / 1e12);
    });
    expect(columns.map(unsigned)).toEqual(hessian);
  });
});

/** x = units·2^power, exactly. */
function integerParts(x: number): { units: bigint; power: number } {
  let [value, power] = [x, 0];
  while (!Number.isInteger(value)) [value, power] = [value * 2, power - 1];
  return { units: BigInt(value), power };
}

/** The product with an unbounded exponent and all digits, rounded at the end. */
function exactProduct(factors: readonly number[]): number {
  const parts = factors.map(integerParts);
  const units = parts.reduce((product, part) => product * part.units, 1n);
  const power = parts.reduce((sum, part) => sum + part.power, 0);
  const lost = Math.max(0, units.toString(2).length - 64);
  return scale(Number(units / (1n << BigInt(lost))), power + lost);
}

test('of any finite numbers: the product of the others as integers give it', () => {
  const element = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 1e200, -1e200, 1e-200, 5e-324, 1.7e308, 3),
  );
  fc.assert(
    fc.property(fc.array(element, { maxLength: 8 }), (x) => {
      const run = devices['on the CPU']!;
      const found = run(reverse.reduced, { x, 'cotangent of y': [1] }, { n: x.length })['adjoint of x'];
      expectNear(unsigned(found), unsigned(x.map((_, i) => exactProduct(x.filter((__, j) => j !== i)))));
    }),
    { numRuns: 60 },
  );
});

describe.each([
  ['f64', 1023, -1074],
  ['f32', 127, -149],
] as const)('in vectors of %s', (precision, most, least) => {
  const adjoint = (x: readonly number[]) => {
    const inputs = new Map(Object.entries({ x, 'cotangent of y': [1] }));
    return runOnCpu(compile(reverse.reduced), inputs, { n: x.length }, { precision })['adjoint of x'];
  };
  /** 2ᵏ as the precision has it. */
  const power = (k: number): number => (k > most ? inf : k < least ? 0 : scale(1, k));

  test('powers of two, odd ones among many ordinary ones', () => {
    const ordinary = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 200, maxLength: 900 });
    const odd = fc.array(fc.tuple(fc.nat(899), fc.integer({ min: least, max: most })), { maxLength: 12 });
    fc.assert(
      fc.property(ordinary, odd, (powers, strange) => {
        for (const [at, k] of strange) powers[at % powers.length] = k;
        // So that the product of all is 1, or nearly.
        for (let i = 0, rest = powers.reduce((sum, k) => sum + k, 0); rest !== 0 && i < powers.length; i++) {
          const by = Math.max(least, Math.min(most, powers[i]! - rest)) - powers[i]!;
          powers[i] = powers[i]! + by;
          rest += by;
        }
        const sum = powers.reduce((total, k) => total + k, 0);
        expect(adjoint(powers.map(power))).toEqual(powers.map((k) => power(sum - k)));
      }),
      { numRuns: 25 },
    );
  });

  test('a sum of exponents beyond 2²⁴ on the way', () => {
    const n = 300_000;
    const x = Array.from({ length: n }, (_, i) => (i < n / 2 ? 2 ** -126 : 2 ** 126));
    const found = adjoint([...x, 3])!;
    expect([0, 1, n / 2 - 1, n / 2, n - 1, n].map((i) => found[i])).toEqual([
      3 * 2 ** 126,
      3 * 2 ** 126,
      3 * 2 ** 126,
      3 * 2 ** -126,
      3 * 2 ** -126,
      1,
    ]);
  });
});
