/** What depends on no varying input is computed once, in `prepare`, whatever construct it is. */
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator, type Operator } from '../../../engine/0-ir/operators.ts';
import type { ConstructKind, Program, Value } from '../../../engine/0-ir/program.ts';
import { intLiteral } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import type { Plan } from '../../../engine/3-plan/plan.ts';
import { kernelsOf } from '../../../engine/3-plan/step-parts.ts';
import { compile } from '../../../engine/5-runtime/compile.ts';

interface Data {
  readonly b: ProgramBuilder;
  readonly x: Value;
  readonly z: Value;
  readonly k: Value;
}

const add = builtinOperator('add');
/** (a, b) ⊙ (c, d) = (a·d + c·b, b·d), which commutes. */
const linear: Operator = {
  combine: scalarFunction(['real', 'real', 'real', 'real'], (s, a, b, c, d) => [
    s.apply('add', s.apply('mul', a, d), s.apply('mul', c, b)),
    s.apply('mul', b, d),
  ]),
  neutral: [0, 1],
  commutative: true,
};
const one = (values: readonly Value[]): Value => values[0]!;
/** (c, x) ↦ (c + sin x, c). */
const running = scalarFunction(['real', 'real'], (s, c, x) => [s.apply('add', c, s.apply('sin', x)), c]);

/** Of data x: real[n], z: real[n, n], k: int[n]. Shape operations are views, and cost nothing anywhere. */
const ofData: Partial<Record<ConstructKind, (data: Data) => Value>> = {
  map: ({ b, x }) => b.apply('exp', x),
  reduce: ({ b, z }) => one(b.reduce(add, [z], 0)),
  scan: ({ b, x }) => one(b.scan(add, [x], 0)),
  'segmented-scan': ({ b, x, k }) =>
    one(
      b.segmentedScan(
        add,
        b.elementwise([k], (s, key) => s.apply('eq', key, intLiteral(0))),
        [x],
        0,
      ),
    ),
  histogram: ({ b, x, k }) => one(b.histogram(add, k, [x], 'n')),
  'keyed-scan': ({ b, x, k }) => one(b.keyedScan(add, k, [x], 'n').running),
  recurrence: ({ b, x }) =>
    b
      .emit({
        kind: 'recurrence',
        step: running,
        shape: ['n'],
        axis: 0,
        reverse: false,
        initial: [b.literal(0)],
        inputs: [x],
        invariants: [],
      })
      .at(-1)!,
  loop: ({ b, x }) => {
    const body = new ProgramBuilder();
    body.parameter('t', arrayType('int'));
    const c = body.parameter('c', arrayType('real', ['n']));
    const program = body.finish({ c: body.apply('sin', c) });
    return one(b.emit({ kind: 'loop', count: 3, body: program, initial: [x], invariants: [] }));
  },
  gather: ({ b, x, k }) => b.gather(x, k, 'zero'),
  scatter: ({ b, x, k }) => b.scatter(x, k, b.apply('sin', x)),
  'sort-permutation': ({ b, x, k }) => b.gather(x, b.sortPermutation(k), 'zero'),
  concatenate: ({ b, x }) => b.slice(b.concatenate([x, x], 0), 0, 1, 'n', 1),
  matmul: ({ b, z }) => one(b.reduce(add, [b.matmul(z, z)], 0)),
};

function data(): Data & { readonly p: Value } {
  const b = new ProgramBuilder();
  return {
    b,
    x: b.parameter('x', arrayType('real', ['n'])),
    z: b.parameter('z', arrayType('real', ['n', 'n'])),
    k: b.parameter('k', arrayType('int', ['n'])),
    p: b.parameter('p', arrayType('real')),
  };
}

/** Σ p·f(data), of which a run needs p alone once f(data) is known. */
function weighted(write: (data: Data) => Value): Program {
  const { p, ...all } = data();
  const known = write(all);
  return all.b.finish({ y: one(all.b.reduce(add, [all.b.apply('mul', known, p)], 0)) });
}

const fixed = ['x', 'z', 'k'];

/** The plan of a program in which the data do not change. */
function planned(program: Program): Plan {
  const names = program.parameters.map(({ name }) => name).filter((name) => !fixed.includes(name));
  return compile(program, new Set(names));
}

describe.each(Object.entries(ofData))('%s of data', (_, write) => {
  test.each([
    ['forward', weighted(write)],
    ['in reverse', vjp(weighted(write), { by: ['p'] })],
  ])('lies in prepare, %s', (__, program) => {
    const { run, prepare } = planned(program);
    // What is left is the sum, with the product in it or without.
    expect(run.map(({ kind }) => kind).every((kind) => kind === 'map' || kind === 'reduce')).toBe(true);
    expect(run.length).toBeLessThanOrEqual(3);
    expect(prepare.length).toBeGreaterThan(0);
  });
});

describe('what a rule makes of keys that do not change', () => {
  const hidden = [
    ['histogram-sorted-general', 'sort'],
    ['histogram-sorted-structured', 'sort'],
  ] as const;
  test.each(hidden)('%s sorts once', (rule, kind) => {
    const { b, x, k, p } = data();
    b.origin = 'binned';
    const [h] = b.histogram(linear, k, [b.apply('mul', x, p), b.apply('add', x, p)], 'n');
    b.origin = undefined;
    const program = vjp(b.finish({ h: h! }), { by: ['p'], force: new Map([['binned', rule]]) });
    const { run, prepare } = planned(program);
    expect(kernelsOf(prepare).map((step) => step.kind)).toContain(kind);
    expect(kernelsOf(run).map((step) => step.kind)).not.toContain(kind);
  });
});
