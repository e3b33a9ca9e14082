/** Every rule, swept over sizes, axes, directions and operators: forward = reverse = central differences, nested once. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { arity } from '../../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import { realLiteral } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import { sizeValue, type Size } from '../../../engine/0-ir/sizes.ts';
import { arrayType, type Shape } from '../../../engine/0-ir/types.ts';
import { vjpRules } from '../../../engine/2-ad/vjp.ts';
import { vmap } from '../../../engine/2-ad/vmap.ts';
import { checkDerivatives, randomNumbers, type CheckOptions } from '../../support/derivatives.ts';
import { testOperators, type TestOperator } from '../../support/operators.ts';

const size = fc.constantFrom(0, 1, 2, 3, 5);
const some = fc.record({ n: size, m: fc.constantFrom(1, 2, 3), seed: fc.integer({ min: 1, max: 1e9 }) });

/** Fills every parameter: real ones in the range, int ones from `ints`, bool ones by a coin. */
function check(
  program: Program,
  sizes: { n: number; m: number },
  seed: number,
  range: readonly [number, number] = [-1.5, 1.5],
  ints: readonly [number, number] = [-1, 4],
  options: CheckOptions = {},
): void {
  const random = randomNumbers(seed);
  const inputs = new Map(
    program.parameters.map(({ name, value }) => {
      const length = value.type.shape.reduce<number>((n, s) => n * sizeValue(s, sizes), 1);
      const draw = {
        real: () => range[0] + (range[1] - range[0]) * random(),
        int: () => ints[0] + Math.floor((ints[1] - ints[0] + 1) * random()),
        bool: () => (random() < 0.3 ? 1 : 0),
      }[value.type.element];
      return [name, Array.from({ length }, draw)] as const;
    }),
  );
  checkDerivatives(program, inputs, sizes, { seed, ...options });
}

function inputsFor(b: ProgramBuilder, { operator }: TestOperator, shape: Shape): Value[] {
  return Array.from({ length: arity(operator) }, (_, i) => b.parameter(`x${i}`, arrayType('real', shape)));
}

const named = (values: readonly Value[]): Record<string, Value> =>
  Object.fromEntries(values.map((v, i) => [`y${i}`, v]));
const shapes: readonly { shape: Shape; axis: number }[] = [
  { shape: ['n'], axis: 0 },
  { shape: ['n', 'm'], axis: 0 },
  { shape: ['m', 'n'], axis: 1 },
  { shape: ['m', 'n', 2], axis: 1 },
];

function reduceOf(operator: TestOperator, shape: Shape, axis: number): Program {
  const b = new ProgramBuilder();
  b.origin = 'forced';
  return b.finish(named(b.reduce(operator.operator, inputsFor(b, operator, shape), axis)));
}

function histogramOf(operator: TestOperator, shape: Shape, keys: Shape, batch: number, withInitial: boolean): Program {
  const b = new ProgramBuilder();
  b.origin = 'forced';
  const index = b.parameter('keys', arrayType('int', keys));
  const inputs = inputsFor(b, operator, shape);
  const contents: Size[] = [...shape.slice(0, batch), 3, ...shape.slice(batch + 1)];
  const initial = inputs.map((_, i) => b.parameter(`initial${i}`, arrayType('real', contents)));
  return b.finish(named(b.histogram(operator.operator, index, inputs, 3, { batch, ...(withInitial && { initial }) })));
}

/** The names of all rules that a program's last statement can be differentiated by. */
function rulesFor({ statements }: Program): string[] {
  const construct = statements.at(-1)?.construct;
  return vjpRules
    .filter((rule) => construct && rule.construct === construct.kind && rule.matches(construct))
    .map(({ name }) => name);
}

describe.each(testOperators)('with $name', (operator) => {
  it.each(shapes)('reduce over axis $axis of $shape', ({ shape, axis }) => {
    const b = new ProgramBuilder();
    const program = b.finish(named(b.reduce(operator.operator, inputsFor(b, operator, shape), axis)));
    fc.assert(
      fc.property(some, ({ seed, ...sizes }) => check(program, sizes, seed, operator.range)),
      { numRuns: 8 },
    );
  });

  const reduced = shapes.map(({ shape, axis }) => reduceOf(operator, shape, axis));
  it.each(reduced.flatMap((program, at) => rulesFor(program).map((rule) => ({ ...shapes[at], rule, program }))))(
    '$rule over axis $axis of $shape',
    ({ rule, program }) => {
      const force = new Map([['forced', rule]]);
      fc.assert(
        fc.property(some, ({ seed, ...sizes }) => check(program, sizes, seed, operator.range, undefined, { force })),
        { numRuns: 4 },
      );
    },
  );

  it.each(
    shapes.flatMap((where) =>
      [true, false].flatMap((exclusive) => [true, false].map((reverse) => ({ ...where, exclusive, reverse }))),
    ),
  )(
    'scan along axis $axis of $shape, exclusive $exclusive, reverse $reverse',
    ({ shape, axis, exclusive, reverse }) => {
      const b = new ProgramBuilder();
      const program = b.finish(
        named(b.scan(operator.operator, inputsFor(b, operator, shape), axis, { exclusive, reverse })),
      );
      fc.assert(
        fc.property(some, ({ seed, ...sizes }) => check(program, sizes, seed, operator.range)),
        { numRuns: 4 },
      );
    },
  );

  it.each([true, false].flatMap((exclusive) => [true, false].map((reverse) => ({ exclusive, reverse }))))(
    'segmented scan, exclusive $exclusive, reverse $reverse',
    ({ exclusive, reverse }) => {
      const b = new ProgramBuilder();
      const flags = b.parameter('flags', arrayType('bool', ['n', 1]));
      const inputs = inputsFor(b, operator, ['n', 'm']);
      const program = b.finish(named(b.segmentedScan(operator.operator, flags, inputs, 0, { exclusive, reverse })));
      fc.assert(
        fc.property(some, ({ seed, ...sizes }) => check(program, sizes, seed, operator.range)),
        { numRuns: 6 },
      );
    },
  );

  it.each(['scan-general', 'scan-ppad'].flatMap((rule) => [true, false].map((reverse) => ({ rule, reverse }))))(
    '$rule, and a segmented scan by its general rule, reverse $reverse',
    ({ rule, reverse }) => {
      const b = new ProgramBuilder();
      b.origin = 's';
      const plain = b.scan(operator.operator, inputsFor(b, operator, ['m', 'n']), 1, { reverse });
      b.origin = 'g';
      const flags = b.parameter('flags', arrayType('bool', ['m', 'n']));
      const segmented = b.segmentedScan(operator.operator, flags, plain, 1, { reverse });
      const force = new Map([
        ['s', rule],
        ['g', 'segmented-scan-general'],
      ]);
      const program = b.finish(named(segmented));
      fc.assert(
        fc.property(some, ({ seed, ...sizes }) =>
          check(program, sizes, seed, operator.range, undefined, { force, nested: false }),
        ),
        { numRuns: 5 },
      );
    },
  );

  const commutes = operator.operator.commutative;
  it.runIf(commutes).each([
    { batch: 0, shape: ['n'] as Shape, keys: ['n'] as Shape },
    { batch: 0, shape: ['n', 'm'] as Shape, keys: ['n'] as Shape },
    { batch: 1, shape: ['m', 'n'] as Shape, keys: [1, 'n'] as Shape },
    { batch: 1, shape: ['m', 'n', 2] as Shape, keys: ['m', 'n'] as Shape },
  ])('histogram of $shape by $keys', ({ batch, shape, keys }) => {
    for (const withInitial of [false, true]) {
      const program = histogramOf(operator, shape, keys, batch, withInitial);
      fc.assert(
        fc.property(some, ({ seed, ...sizes }) => check(program, sizes, seed, operator.range)),
        { numRuns: 5 },
      );
    }
  });

  const binned = histogramOf(operator, ['m', 'n', 2], [1, 'n'], 1, true);
  it.runIf(commutes).each(rulesFor(binned))('histogram by the rule %s', (rule) => {
    const force = new Map([['forced', rule]]);
    fc.assert(
      fc.property(some, ({ seed, ...sizes }) => check(binned, sizes, seed, operator.range, undefined, { force })),
      { numRuns: 4 },
    );
  });
});

describe('constructs', () => {
  const sweep = (write: (b: ProgramBuilder) => Record<string, Value>, ints?: readonly [number, number]): void => {
    const b = new ProgramBuilder();
    const program = b.finish(write(b));
    fc.assert(
      fc.property(some, ({ seed, ...sizes }) => check(program, sizes, seed, undefined, ints)),
      { numRuns: 12 },
    );
  };
  const real = (b: ProgramBuilder, name: string, ...shape: Size[]): Value =>
    b.parameter(name, arrayType('real', shape));

  it('map with broadcasting and if', () =>
    sweep((b) => {
      const inputs = [real(b, 'a'), real(b, 'x', 'm', 'n'), real(b, 'row', 'n'), real(b, 'column', 'm', 1)];
      const f = scalarFunction(['real', 'real', 'real', 'real'], (s, a, x, r, c) => {
        const product = s.apply('mul', a, s.apply('sin', x));
        const [chosen] = s.branch(
          s.apply('lt', r, c),
          () => [s.apply('mul', s.apply('exp', r), product)],
          () => [s.apply('add', s.apply('mul', c, c), realLiteral(1))],
        );
        return [chosen ?? a, s.apply('div', product, s.apply('add', realLiteral(2), s.apply('mul', c, c)))];
      });
      return named(b.map(f, inputs));
    }));

  it.each(['nan', 'zero'] as const)('gather, batched, %s outside', (outside) =>
    sweep((b) => {
      const from = real(b, 'from', 'm', 3, 2);
      const indices = b.parameter('indices', arrayType('int', [1, 'n', 2]));
      const safe = b.gather(from, indices, outside, 1);
      return {
        y:
          outside === 'nan'
            ? b.elementwise(
                [safe],
                (s, x) =>
                  s.branch(
                    s.apply('isnan', x),
                    () => [realLiteral(0)],
                    () => [x],
                  )[0] ?? x,
              )
            : safe,
      };
    }),
  );

  it('scatter, batched', () =>
    sweep((b) => {
      const into = real(b, 'into', 'm', 'n', 2);
      const order = b.sortPermutation(b.parameter('keys', arrayType('int', ['m', 'n'])));
      return { y: b.scatter(into, order, real(b, 'values', 'm', 'n', 2), { batch: 1 }) };
    }));

  it('replicate', () => sweep((b) => ({ y: b.replicate(real(b, 'x', 'm', 1), ['n', 'm', 3]) })));
  it('reverse', () => sweep((b) => ({ y: b.reverse(real(b, 'x', 'm', 'n'), 1) })));
  it('transpose', () => sweep((b) => ({ y: b.transpose(real(b, 'x', 'm', 'n', 2), [2, 0, 1]) })));
  it('reshape', () => sweep((b) => ({ y: b.reshape(real(b, 'x', 'm', 'n', 2), ['2*m*n']) })));
  it.each([1, 2])('slice with step %i', (step) =>
    sweep((b) => {
      const x = b.concatenate([real(b, 'x', 'm', 'n'), real(b, 'tail', 'm', 3)], 1);
      return { y: b.slice(x, 1, 1, step === 1 ? 'n + 1' : 'ceil((n + 2)/2)', step) };
    }),
  );
  it('concatenate', () => sweep((b) => ({ y: b.concatenate([real(b, 'x', 'm', 'n'), real(b, 'z', 'm', 2)], 1) })));
  it('matmul, batched', () => sweep((b) => ({ y: b.matmul(real(b, 'l', 'm', 2, 'n'), real(b, 'r', 1, 'n', 3)) })));

  it.each([false, true])('recurrence, reverse %s', (reverse) =>
    sweep((b) => {
      const step = scalarFunction(['real', 'real', 'real', 'real'], (s, p, q, u, k) => [
        s.apply('add', s.apply('mul', k, p), s.apply('sin', q)),
        s.apply('mul', s.apply('sub', u, p), realLiteral(0.5)),
        s.apply('mul', p, q),
      ]);
      const results = b.emit({
        kind: 'recurrence',
        step,
        shape: ['n', 'm'],
        axis: 0,
        reverse,
        initial: [real(b, 'p0'), real(b, 'q0', 'm')],
        inputs: [real(b, 'u', 'n', 1)],
        invariants: [real(b, 'k', 'm')],
      });
      return named(results);
    }),
  );

  /** A vector and a scalar that move each other, an int that picks a row, and the index. */
  const body = (): Program => {
    const b = new ProgramBuilder();
    const t = b.parameter('t', arrayType('int'));
    const [c, d] = [real(b, 'c', 'm', 2), real(b, 'd')];
    const k = b.parameter('k', arrayType('int'));
    const [v, w] = [real(b, 'v', 'm', 1), real(b, 'w', 2, 2)];
    const turned = b.apply('sin', b.matmul(c, w));
    const later = b.apply('mul', b.apply('real', b.apply('add', t, k)), v);
    const [total] = b.reduce((testOperators[0] as TestOperator).operator, [b.reshape(c, ['2*m'])], 0);
    return b.finish({
      c: b.apply('add', turned, b.apply('mul', later, d)),
      d: b.apply('tanh', b.apply('sub', total as Value, d)),
      k: b.apply('sub', b.literal(3, 'int'), k),
    });
  };
  const loopOf = (b: ProgramBuilder, count: Size): Value[] =>
    b.emit({
      kind: 'loop',
      count,
      body: body(),
      initial: [real(b, 'c', 'm', 2), real(b, 'd'), b.parameter('k', arrayType('int'))],
      invariants: [real(b, 'v', 'm', 1), real(b, 'w', 2, 2)],
    });

  it.each(['n', 0, 1] as const)('loop, %s times', (count) => sweep((b) => named(loopOf(b, count))));

  it('loop in a loop', () =>
    sweep((b) => {
      const inner = new ProgramBuilder();
      const t = inner.parameter('t', arrayType('int'));
      const c = real(inner, 'c', 'm', 2);
      const v = real(inner, 'v', 'm', 1);
      const [moved] = inner.emit({
        kind: 'loop',
        count: 2,
        body: body(),
        initial: [c, inner.literal(0.5), t],
        invariants: [v, inner.replicate(inner.literal(0.25), [2, 2])],
      });
      const outer = inner.finish({ c: moved as Value });
      return named(
        b.emit({
          kind: 'loop',
          count: 'n',
          body: outer,
          initial: [real(b, 'c', 'm', 2)],
          invariants: [real(b, 'v', 'm', 1)],
        }),
      );
    }));

  it('loop, many at once', () => {
    const b = new ProgramBuilder();
    const program = vmap(b.finish(named(loopOf(b, 'n'))), 3, ['d', 'v', 'k']);
    fc.assert(
      fc.property(some, ({ seed, ...sizes }) => check(program, sizes, seed)),
      { numRuns: 6 },
    );
  });

  it('reduce of products of vectors (several uses, several results)', () =>
    sweep((b) => {
      const x = real(b, 'x', 'n');
      const y = real(b, 'y', 'n');
      const add = testOperators[0] as TestOperator;
      return {
        a: b.reduce(add.operator, [b.apply('mul', x, y)], 0)[0] as Value,
        c: b.reduce(add.operator, [b.apply('mul', x, x)], 0)[0] as Value,
      };
    }));
});
