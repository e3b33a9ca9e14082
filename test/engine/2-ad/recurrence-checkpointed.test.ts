/** A recurrence of which the carries of segments' beginnings alone are kept: its derivatives, and the room that they take. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import { intLiteral, realLiteral } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import { sizeValue, type Size, type SizeBinding } from '../../../engine/0-ir/sizes.ts';
import { arrayType, type Shape } from '../../../engine/0-ir/types.ts';
import { vjp, vjpRules } from '../../../engine/2-ad/vjp.ts';
import { recurrenceCheckpointed } from '../../../engine/2-ad/vjp/recurrence-checkpointed.ts';
import { chooseRule } from '../../../engine/2-ad/choose.ts';
import { profiles } from '../../../engine/2-ad/cost.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../engine/5-runtime/compile.ts';
import { checkDerivatives, randomNumbers } from '../../support/derivatives.ts';

/** (x, k) ↦ (√x·v + u·w, k + 1), and x·u at each step: √ has an infinite derivative at the zeros beyond the last step. */
const step = scalarFunction(['real', 'int', 'real', 'real', 'real'], (s, x, k, u, w, v) => {
  const next = s.apply('add', s.apply('mul', s.apply('sqrt', x), v), s.apply('mul', s.apply('sqrt', u), w));
  return [next, s.apply('add', k, intLiteral(1)), s.apply('mul', x, u)];
});

interface Where {
  readonly shape: Shape;
  readonly axis: number;
  readonly initial: Shape;
  /** Of u and of w: the second stands still in some. */
  readonly inputs: readonly [Shape, Shape];
  readonly invariant: Shape;
  readonly reverse: boolean;
}

function written({ shape, axis, initial, inputs, invariant, reverse }: Where): Program {
  const b = new ProgramBuilder();
  const real = (name: string, of: Shape): Value => b.parameter(name, arrayType('real', of));
  const [x, u, w, v] = [real('x', initial), real('u', inputs[0]), real('w', inputs[1]), real('v', invariant)];
  b.origin = 'r';
  const [last, steps, products] = b.emit({
    kind: 'recurrence',
    step,
    shape,
    axis,
    reverse,
    initial: [x, b.literal(3, 'int')],
    inputs: [u, w],
    invariants: [v],
  }) as [Value, Value, Value];
  b.origin = undefined;
  return b.finish({ last, steps, products });
}

const force = new Map([['r', 'recurrence-checkpointed']]);

function drawn(program: Program, sizes: SizeBinding, seed: number): Map<string, number[]> {
  const random = randomNumbers(seed);
  return new Map(
    program.parameters.map(({ name, value }) => {
      const length = value.type.shape.reduce<number>((n, size) => n * sizeValue(size, sizes), 1);
      return [name, Array.from({ length }, () => 0.3 + 0.5 * random())];
    }),
  );
}

const along = (n: Size): Omit<Where, 'reverse'>[] => [
  { shape: [n], axis: 0, initial: [], inputs: [[n], []], invariant: [] },
  {
    shape: [n, 'm'],
    axis: 0,
    initial: ['m'],
    inputs: [
      [n, 1],
      [1, 'm'],
    ],
    invariant: [1],
  },
  { shape: ['m', n], axis: 1, initial: [], inputs: [[n], ['m', 1]], invariant: ['m'] },
  {
    shape: ['m', n, 2],
    axis: 1,
    initial: ['m', 1],
    inputs: [
      [1, n, 2],
      [n, 1],
    ],
    invariant: [2],
  },
];

/** Of a known length segments have ⌈√n⌉ steps: 10 has four, the last of two; 12 fills its three. */
const known = [0, 1, 2, 10, 12].flatMap((n) => along(n));

describe.each([false, true])('reverse %s', (reverse) => {
  it.each(known)('of known length along axis $axis of $shape', (where) => {
    const program = written({ ...where, reverse });
    const same = fc.record({ m: fc.constantFrom(1, 3), seed: fc.integer({ min: 1, max: 1e9 }) });
    fc.assert(
      fc.property(same, ({ seed, m }) =>
        checkDerivatives(program, drawn(program, { m }, seed), { m }, { seed, force }),
      ),
      { numRuns: 3 },
    );
  });

  it.each(along('n'))('gives what the whole trajectory gives, along axis $axis of $shape', (where) => {
    const program = written({ ...where, reverse });
    const [whole, cut] = [vjp(program, { force: new Map([['r', 'recurrence']]) }), vjp(program, { force })];
    for (const n of [0, 1, 255, 256, 257, 600]) {
      const inputs = drawn(whole, { n, m: 2 }, n + 1);
      const found = interpret(cut, inputs, { n, m: 2 });
      for (const [name, wanted] of interpret(whole, inputs, { n, m: 2 })) {
        const values = found.get(name)?.values ?? [];
        expect(values).toHaveLength(wanted.values.length);
        wanted.values.forEach((value, i) =>
          expect(Math.abs(values[i]! - value)).toBeLessThan(1e-10 * (1 + Math.abs(value))),
        );
      }
    }
  });
});

/** Two carries that depend on each other, of which the gradient of the last is asked for. */
function orbit(): Program {
  const b = new ProgramBuilder();
  const pull = scalarFunction(['real', 'real', 'real', 'real'], (s, x, y, u, k) => [
    s.apply('add', x, s.apply('mul', s.apply('mul', y, realLiteral(0.1)), k)),
    s.apply('sub', s.apply('add', y, u), s.apply('mul', s.apply('sin', x), k)),
  ]);
  const [x, y, u, k] = [
    b.parameter('x', arrayType('real')),
    b.parameter('y', arrayType('real')),
    b.parameter('u', arrayType('real', ['n'])),
    b.parameter('k', arrayType('real')),
  ];
  b.origin = 'r';
  const [last] = b.emit({
    kind: 'recurrence',
    step: pull,
    shape: ['n'],
    axis: 0,
    reverse: false,
    initial: [x, y],
    inputs: [u],
    invariants: [k],
  }) as [Value];
  b.origin = undefined;
  return b.finish({ last });
}

describe('the room', () => {
  /** Lengths of the plan's arrays that grow with the number of steps, longest first. */
  const growing = (rule: string): Size[] =>
    compile(vjp(orbit(), { force: new Map([['r', rule]]) }))
      .buffers.map(({ length }) => length)
      .filter((length) => sizeValue(length, { n: 1_000_000 }) > 256)
      .sort((a, b) => sizeValue(b, { n: 1_000_000 }) - sizeValue(a, { n: 1_000_000 }));

  it('is two trajectories beside the input and its adjoint where all carries are kept', () =>
    expect(growing('recurrence')).toEqual(['n', 'n', 'n', 'n']));

  it('is two rows of checkpoints where segments are run again', () =>
    expect(growing('recurrence-checkpointed')).toEqual(['n', 'n', 'ceil((n)/256)', 'ceil((n)/256)']));
});

it('is never chosen by time alone', () => {
  const construct = written({ ...along('n')[0]!, reverse: false }).statements.find(
    (statement) => statement.construct.kind === 'recurrence',
  )?.construct;
  if (!construct) return expect.fail('there is a recurrence');
  for (const profile of Object.values(profiles)) {
    const choice = chooseRule(vjpRules, construct, profile);
    expect(choice?.rule).not.toBe(recurrenceCheckpointed);
    expect(choice?.passedOver.map(({ rule }) => rule)).toContain(recurrenceCheckpointed);
  }
});
