/**
 * Each kernel over shapes from nothing to thousands, on every axis, over contiguous, transposed, reversed and strided
 * operands, in both precisions. The data are whole numbers that stay exact in f32, so that equal means equal.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { builtinOperator, productOperator, type Operator } from '../../../../engine/0-ir/operators.ts';
import type { Value } from '../../../../engine/0-ir/program.ts';
import { intLiteral, realLiteral } from '../../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../../engine/0-ir/scalar-builder.ts';
import { sizeCeilDivide, sizeMultiply, sizeProduct, sizeValue, type Size } from '../../../../engine/0-ir/sizes.ts';
import { arrayType, withoutAxis, type ElementType, type Shape } from '../../../../engine/0-ir/types.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { runOnCpu } from '../../../support/run-on-cpu.ts';

/** A domain of symbols a, b, … (or the literal 3) and how its operands lie in memory. */
interface Setting {
  readonly shape: Shape;
  readonly sizes: Record<string, number>;
  readonly axis: number;
  readonly layout: 'dense' | 'transposed' | 'reversed' | 'strided' | 'broadcast';
  readonly seed: number;
  readonly precision: 'f64' | 'f32';
  readonly chunk: number | undefined;
  readonly tile: number | undefined;
}

const symbols = ['a', 'b', 'c'];
const length = fc.oneof(fc.constantFrom(0, 1, 2, 3, 5, 8), fc.integer({ min: 0, max: 40 }));

const setting: fc.Arbitrary<Setting> = fc
  .record({
    lengths: fc.oneof(
      fc.array(length, { minLength: 1, maxLength: 3 }),
      fc.tuple(fc.integer({ min: 500, max: 3000 })),
      fc.tuple(fc.constantFrom(2, 5), fc.integer({ min: 500, max: 1200 })),
      fc.tuple(fc.integer({ min: 500, max: 1200 }), fc.constantFrom(1, 3)),
    ),
    literal: fc.boolean(),
    axis: fc.nat(),
    layout: fc.constantFrom<Setting['layout'][]>('dense', 'transposed', 'reversed', 'strided', 'broadcast'),
    seed: fc.nat(),
    precision: fc.constantFrom<Setting['precision'][]>('f64', 'f32'),
    chunk: fc.constantFrom(undefined, 1, 3, 100),
    tile: fc.constantFrom(undefined, 1, 2, 7),
  })
  .map(({ lengths, literal, axis, ...rest }) => ({
    ...rest,
    axis: axis % lengths.length,
    shape: lengths.map((size, i): Size => (literal && size === 3 ? 3 : symbols[i]!)),
    sizes: Object.fromEntries(lengths.map((size, i) => [symbols[i]!, size])),
  }));

/** For what costs the product of three sizes. */
const smallSetting = setting.map((s): Setting => ({
  ...s,
  sizes: Object.fromEntries(Object.entries(s.sizes).map(([symbol, size]) => [symbol, size % 41])),
}));

/** A parameter that lies in memory as the setting has it, seen in the wanted shape. */
function operand(
  b: ProgramBuilder,
  name: string,
  element: ElementType,
  shape: Shape,
  s: Setting,
  axis = s.axis,
): Value {
  if (shape.length === 0) return b.parameter(name, arrayType(element));
  switch (s.layout) {
    case 'dense':
      return b.parameter(name, arrayType(element, shape));
    case 'transposed': {
      const order = shape.map((_, i) => shape.length - 1 - i);
      const stored = order.map((i) => shape[i]!);
      return b.transpose(b.parameter(name, arrayType(element, stored)), order);
    }
    case 'reversed':
      return b.reverse(b.parameter(name, arrayType(element, shape)), axis);
    case 'strided': {
      const stored = shape.map((size, i) => (i === axis ? sizeMultiply(2, size) : size));
      const half = sizeCeilDivide(stored[axis]!, 2);
      const sliced = b.slice(b.parameter(name, arrayType(element, stored)), axis, 0, half, 2);
      return b.reshape(sliced, shape);
    }
    case 'broadcast':
      return b.replicate(b.parameter(name, arrayType(element, shape.slice(1))), shape);
  }
}

type Write = (b: ProgramBuilder, s: Setting) => Value[];

/** Runs what `write` builds on both; `ints` bounds the int data. */
function agrees(write: Write, ints = 4, runs = 60, settings = setting): void {
  fc.assert(
    fc.property(settings, (s) => {
      const b = new ProgramBuilder();
      const results = write(b, s);
      const program = b.finish(results.map((value, i) => ({ name: `r${i}`, value })));
      let state = s.seed | 1;
      const random = (below: number) => {
        state = (Math.imul(state, 1664525) + 1013904223) | 0;
        return (state >>> 8) % below;
      };
      const inputs = new Map<string, number[]>();
      for (const { name, value } of program.parameters) {
        const count = sizeValue(sizeProduct(value.type.shape), s.sizes);
        const draw = { real: () => random(5) - 2, int: () => random(ints + 2) - 1, bool: () => random(2) };
        inputs.set(name, Array.from({ length: count }, draw[value.type.element]));
      }
      const { precision, chunk, tile } = s;
      const options = { precision, ...(chunk !== undefined && { chunk }), ...(tile !== undefined && { tile }) };
      const expected = Object.fromEntries(
        [...interpret(program, inputs, s.sizes)].map(([name, { values }]) => [name, [...values]]),
      );
      expect(runOnCpu(lower(program), inputs, s.sizes, options)).toEqual(expected);
    }),
    { numRuns: runs },
  );
}

/** (a, b) ⊙ (c, d) = (max(a, c), d ≠ 0 ? d : b): no named operator, does not commute, stays small. */
const odd: Operator = {
  combine: scalarFunction(['int', 'real', 'int', 'real'], (s, a, b, c, d) => {
    const [last] = s.branch(
      s.apply('ne', d, realLiteral(0)),
      () => [d],
      () => [b],
    );
    return [s.apply('max', a, c), last!];
  }),
  neutral: [-2147483648, 0],
  commutative: false,
};

const operators: Record<string, { operator: Operator; types: ElementType[] }> = {
  'real sum': { operator: builtinOperator('add'), types: ['real'] },
  'int sum and real maximum': {
    operator: productOperator([builtinOperator('add', 'int'), builtinOperator('max')]),
    types: ['int', 'real'],
  },
  'an operator of its own': { operator: odd, types: ['int', 'real'] },
};

const inputsOf = (b: ProgramBuilder, s: Setting, types: readonly ElementType[]) =>
  types.map((type, i) => operand(b, `x${i}`, type, s.shape, s));

test('map', () => {
  agrees((b, s) => {
    const [x, y] = inputsOf(b, s, ['real', 'int']) as [Value, Value];
    const p = b.parameter('p', arrayType('real'));
    const fn = scalarFunction(['real', 'int', 'real'], (w, x, y, p) => [
      w.apply('add', w.apply('mul', x, p), w.apply('real', y)),
      w.apply('lt', y, intLiteral(2)),
      w.apply('sub', y, intLiteral(1)),
    ]);
    return b.map(fn, [x, y, p], s.shape);
  });
});

describe.each(Object.entries(operators))('%s', (_, { operator, types }) => {
  test('reduce', () => agrees((b, s) => b.reduce(operator, inputsOf(b, s, types), s.axis)));

  test.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])('scan, exclusive %s, reverse %s', (exclusive, reverse) => {
    agrees((b, s) => b.scan(operator, inputsOf(b, s, types), s.axis, { exclusive, reverse }), 4, 30);
  });

  test.each([false, true])('segmented scan, exclusive %s', (exclusive) => {
    agrees((b, s) => {
      const flags = operand(b, 'flags', 'bool', s.shape, s);
      return b.segmentedScan(operator, flags, inputsOf(b, s, types), s.axis, { exclusive });
    });
  });

  test.each([false, true])('histogram, initial contents %s', (initial) => {
    agrees((b, s) => {
      const batch = s.axis;
      const keys = operand(b, 'keys', 'int', s.shape.slice(0, batch + 1), s, batch);
      const shape = [...s.shape.slice(0, batch), 5, ...s.shape.slice(batch + 1)];
      const contents = types.map((type, i) => operand(b, `h${i}`, type, shape, { ...s, layout: 'dense' }));
      return b.histogram(operator, keys, inputsOf(b, s, types), 5, { batch, ...(initial && { initial: contents }) });
    }, 5);
  });

  test.each([false, true].flatMap((initial) => [false, true].map((exclusive) => ({ initial, exclusive }))))(
    'keyed scan, initial contents $initial, exclusive $exclusive',
    ({ initial, exclusive }) => {
      agrees((b, s) => {
        const batch = s.axis;
        const keys = operand(b, 'keys', 'int', s.shape.slice(0, batch + 1), s, batch);
        const shape = [...s.shape.slice(0, batch), 5, ...s.shape.slice(batch + 1)];
        const contents = types.map((type, i) => operand(b, `h${i}`, type, shape, { ...s, layout: 'dense' }));
        const options = { batch, exclusive, reverse: s.seed % 2 === 0, ...(initial && { initial: contents }) };
        const { running, totals } = b.keyedScan(operator, keys, inputsOf(b, s, types), 5, options);
        // Results that nobody reads are not written, and what only they need is not carried.
        return [[...running, ...totals], running, totals, running.slice(0, 1)][s.seed % 4]!;
      }, 5);
    },
  );
});

test('recurrence', () => {
  const step = scalarFunction(['real', 'int', 'real', 'real'], (w, state, count, x, p) => [
    w.apply('max', w.apply('sub', x, state), p),
    w.apply('add', count, intLiteral(1)),
    w.apply('add', state, x),
  ]);
  agrees((b, s) => {
    const across = withoutAxis(s.shape, s.axis);
    const [x] = inputsOf(b, s, ['real']) as [Value];
    const initial = [b.parameter('s', arrayType('real', across)), b.parameter('t', arrayType('int'))];
    const invariants = [b.parameter('p', arrayType('real', across))];
    const reverse = s.seed % 2 === 0;
    return b.emit({
      kind: 'recurrence',
      step,
      shape: s.shape,
      axis: s.axis,
      reverse,
      initial,
      inputs: [x],
      invariants,
    });
  });
});

test.each(['nan', 'zero'] as const)('gather, %s outside', (outside) => {
  agrees((b, s) => {
    const from = operand(b, 'from', 'real', s.shape, s);
    const indices = b.parameter('i', arrayType('int', [...s.shape.slice(0, s.axis), 7]));
    return [b.gather(from, indices, outside, s.axis)];
  }, 6);
});

test.each([false, true])('scatter of a sort, checked %s', (checked) => {
  agrees((b, s) => {
    const into = operand(b, 'into', 'real', s.shape, s);
    const values = operand(b, 'values', 'real', s.shape, s);
    const keys = b.parameter('k', arrayType('int', s.shape.slice(0, s.axis + 1)));
    const indices = b.sortPermutation(keys);
    return [b.scatter(into, indices, values, { batch: s.axis, checked })];
  });
});

describe('sort', () => {
  const sorts: [string, number, Size?][] = [
    ['few values', 2],
    ['a bound of one digit', 200, 201],
    ['a bound of two digits', 60000, 60001],
    ['any int', 2 ** 31],
  ];
  test.each(sorts)('%s', (_, ints, bound) => {
    agrees(
      (b, s) => {
        const drawn = operand(b, 'k', 'int', s.shape, s, s.shape.length - 1);
        if (bound !== undefined)
          return [
            b.sortPermutation(
              b.elementwise([drawn], (w, k) => w.apply('abs', k)),
              bound,
            ),
          ];
        return [b.sortPermutation(b.elementwise([drawn], (w, k) => w.apply('mul', k, intLiteral(3))))];
      },
      ints,
      30,
    );
  });
});

test.each([
  ['dense', 'dense'],
  ['dense', 'transposed'],
  ['transposed', 'dense'],
  ['reversed', 'strided'],
] as const)('matmul, %s by %s', (left, right) => {
  agrees(
    (b, s) => {
      const [batch, rows, inner] = [s.shape.slice(2), s.shape[0]!, s.shape[1] ?? 2];
      const columns = s.shape[1] ?? 9;
      const layout = (own: Setting['layout']): Setting => ({ ...s, layout: own });
      const x = operand(b, 'x', 'real', [...batch, rows, inner], layout(left), 0);
      const y = operand(b, 'y', 'real', [...batch, inner, columns], layout(right), 0);
      return [b.matmul(x, y)];
    },
    4,
    25,
    smallSetting,
  );
});
