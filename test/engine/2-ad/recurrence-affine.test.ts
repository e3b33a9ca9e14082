/** A recurrence that is affine in its carries, as a scan: its values, its derivatives, and when it is chosen. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import type { Program, RecurrenceConstruct, Value } from '../../../engine/0-ir/program.ts';
import { realLiteral, type ScalarFunction } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import { sizeValue } from '../../../engine/0-ir/sizes.ts';
import { arrayType, type Shape } from '../../../engine/0-ir/types.ts';
import { chooseRule } from '../../../engine/2-ad/choose.ts';
import { profiles } from '../../../engine/2-ad/cost.ts';
import { affineParts } from '../../../engine/2-ad/scalar/affine-parts.ts';
import { vjp, vjpRules } from '../../../engine/2-ad/vjp.ts';
import { recurrenceAffine } from '../../../engine/2-ad/vjp/recurrence-affine.ts';
import { recurrenceAsScan } from '../../../engine/2-ad/vjp/parts/recurrence-as-scan.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { checkDerivatives, randomNumbers } from '../../support/derivatives.ts';

interface Case {
  readonly name: string;
  readonly step: ScalarFunction;
  readonly carries: number;
}

/** Every step takes its carries, two inputs and two invariants. */
const cases: readonly Case[] = [
  {
    name: 'x = k·x + u',
    carries: 1,
    step: scalarFunction(['real', 'real', 'real', 'real', 'real'], (s, x, u, _, k) => {
      const next = s.apply('add', s.apply('mul', k, x), u);
      return [next, next];
    }),
  },
  {
    name: 'a running sum with outputs that are not affine',
    carries: 1,
    step: scalarFunction(['real', 'real', 'real', 'real', 'real'], (s, x, u, w, k) => [
      s.apply('add', x, u),
      s.apply('mul', s.apply('sin', x), w),
      s.apply('mul', s.apply('mul', x, x), k),
    ]),
  },
  {
    name: 'two compartments that exchange, with an if on the input',
    carries: 2,
    step: scalarFunction(['real', 'real', 'real', 'real', 'real', 'real'], (s, p, q, u, w, k, l) => {
      const flow = s.apply('mul', k, s.apply('sub', p, q));
      const dose = s.branch(
        s.apply('lt', realLiteral(0), w),
        () => [s.apply('mul', u, q)],
        () => [s.apply('sub', u, p)],
      );
      return [s.apply('sub', dose[0] ?? u, flow), s.apply('add', s.apply('mul', q, l), flow), s.apply('mul', p, q)];
    }),
  },
];

const shapes: readonly { shape: Shape; axis: number; initial: Shape; input: Shape; invariant: Shape }[] = [
  { shape: ['n'], axis: 0, initial: [], input: ['n'], invariant: [] },
  { shape: ['n', 'm'], axis: 0, initial: [], input: ['n', 1], invariant: ['m'] },
  { shape: ['m', 'n'], axis: 1, initial: ['m'], input: ['n'], invariant: ['m'] },
  { shape: ['m', 'n', 2], axis: 1, initial: [1, 2], input: ['n', 2], invariant: [2] },
];

interface Written {
  readonly b: ProgramBuilder;
  readonly construct: RecurrenceConstruct;
}

function recurrenceOf({ step, carries }: Case, where: (typeof shapes)[number], reverse: boolean): Written {
  const b = new ProgramBuilder();
  b.origin = 'r';
  const many = (name: string, count: number, shape: Shape): Value[] =>
    Array.from({ length: count }, (_, i) => b.parameter(`${name}${i}`, arrayType('real', shape)));
  const construct: RecurrenceConstruct = {
    kind: 'recurrence',
    step,
    shape: where.shape,
    axis: where.axis,
    reverse,
    initial: many('c', carries, where.initial),
    inputs: [...many('u', 1, where.input), ...many('w', 1, where.shape)],
    invariants: many('v', step.parameters.length - carries - 2, where.invariant),
  };
  return { b, construct };
}

const named = (values: readonly Value[]): Record<string, Value> =>
  Object.fromEntries(values.map((value, i) => [`y${i}`, value]));

type Sizes = Readonly<Record<string, number>>;

function drawn(program: Program, sizes: Sizes, seed: number): Map<string, number[]> {
  const random = randomNumbers(seed);
  return new Map(
    program.parameters.map(({ name, value }) => {
      const length = value.type.shape.reduce<number>((n, size) => n * sizeValue(size, sizes), 1);
      return [name, Array.from({ length }, () => random() * 2 - 1)];
    }),
  );
}

const some = fc.record({
  n: fc.constantFrom(0, 1, 2, 3, 6),
  m: fc.constantFrom(1, 3),
  seed: fc.integer({ min: 1, max: 1e9 }),
});

describe.each(cases)('$name', (given) => {
  const everywhere = shapes.flatMap((where) => [false, true].map((reverse) => ({ ...where, reverse })));

  it.each(everywhere)('along axis $axis of $shape, reverse $reverse, is the recurrence', ({ reverse, ...where }) => {
    const plain = recurrenceOf(given, where, reverse);
    const recurrence = plain.b.finish(named(plain.b.emit(plain.construct)));
    const { b, construct } = recurrenceOf(given, where, reverse);
    const parts = affineParts(construct.step, given.carries);
    if (!parts) return expect.fail('the step is affine');
    const scan = b.finish(named(recurrenceAsScan(b, construct, parts).results));
    expect(scan.statements.map((statement) => statement.construct.kind)).not.toContain('recurrence');
    fc.assert(
      fc.property(some, ({ seed, ...sizes }) => {
        const inputs = drawn(recurrence, sizes, seed);
        const found = interpret(scan, inputs, sizes);
        for (const [name, wanted] of interpret(recurrence, inputs, sizes)) {
          const values = found.get(name)?.values ?? [];
          expect(values).toHaveLength(wanted.values.length);
          wanted.values.forEach((value, i) => expect(values[i]).toBeCloseTo(value, 10));
        }
      }),
      { numRuns: 8 },
    );
  });

  it.each(everywhere)('along axis $axis of $shape, reverse $reverse, has its derivatives', ({ reverse, ...where }) => {
    const { b, construct } = recurrenceOf(given, where, reverse);
    const program = b.finish(named(b.emit(construct)));
    const force = new Map([['r', 'recurrence-affine']]);
    fc.assert(
      fc.property(some, ({ seed, ...sizes }) =>
        checkDerivatives(program, drawn(program, sizes, seed), sizes, { seed, force }),
      ),
      { numRuns: 5 },
    );
  });
});

describe('the choice', () => {
  const [filter] = cases as [Case];
  const chosen = (where: (typeof shapes)[number], device: keyof typeof profiles): string | undefined =>
    chooseRule(vjpRules, recurrenceOf(filter, where, false).construct, profiles[device])?.rule.name;
  const [alone, beside] = shapes as [(typeof shapes)[number], (typeof shapes)[number]];

  it('is the scan for one long recurrence on a GPU', () => expect(chosen(alone, 'webgpu')).toBe('recurrence-affine'));
  it('is the recurrence for many side by side', () => expect(chosen(beside, 'webgpu')).toBe('recurrence'));
  it('is the recurrence on the CPU', () => expect(chosen(alone, 'cpu')).toBe('recurrence'));

  it('says what of A is stored', () =>
    expect(cases.map((given) => recurrenceAffine.stored?.(recurrenceOf(given, alone, false).construct))).toEqual([
      [1, 1],
      [0, 1],
      [4, 4],
    ]));
});

it('leaves no recurrence in either sweep', () => {
  const { b, construct } = recurrenceOf(cases[2]!, shapes[1]!, false);
  const program = vjp(b.finish(named(b.emit(construct))), { force: new Map([['r', 'recurrence-affine']]) });
  expect(program.statements.map((statement) => statement.construct.kind)).not.toContain('recurrence');
});
