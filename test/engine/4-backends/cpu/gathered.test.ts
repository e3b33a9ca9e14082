/** Rows that are looked up where they are read: by maps, reductions and histograms, in vectors and one by one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../../engine/0-ir/operators.ts';
import type { Value } from '../../../../engine/0-ir/program.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../../engine/5-runtime/compile.ts';
import { runOnCpu } from '../../../support/run-on-cpu.ts';
import { runPlan } from '../../../support/run-plan.ts';

type Write = (b: ProgramBuilder, rows: Value, counts: Value, at: Value, x: Value) => Value[];

const scaled: Write = (b, rows, counts, at, x) => {
  const [real, int] = [b.gather(rows, at, 'nan'), b.gather(counts, at, 'zero')];
  return [b.elementwise([real, int, x], (s, r, c, v) => s.apply('add', s.apply('mul', r, v), s.apply('real', c)))];
};

const uses: Record<string, Write> = {
  'a map': scaled,
  'a map of two tables with the same rows': (b, rows, _, at, x) => {
    const squares = b.elementwise([rows], (s, r) => s.apply('mul', r, r));
    const read = [rows, squares].map((table) => b.gather(table, at, 'zero'));
    return [b.elementwise([...read, x], (s, r, q, v) => s.apply('add', s.apply('mul', r, v), q))];
  },
  'a map, from the end': (b, rows, _, at, x) => {
    const read = b.reverse(b.gather(b.reverse(rows, 0), at, 'zero'), 0);
    return [b.elementwise([read, x], (s, r, v) => s.apply('sub', r, v))];
  },
  'a map of rows of several elements, each by another number': (b, _, __, at, x) => {
    const wide = b.parameter('wide', arrayType('real', ['m', 'w']));
    const across = b.transpose(b.parameter('across', arrayType('real', ['w', 'm'])), [1, 0]);
    const [row, other] = [b.gather(wide, at, 'nan'), b.gather(across, at, 'zero')];
    const column = b.reshape(x, ['n', 1]);
    return [b.elementwise([row, other, column], (s, r, o, v) => s.apply('add', s.apply('mul', r, v), o))];
  },
  'a reduction': (b, ...given) => b.reduce(builtinOperator('add'), scaled(b, ...given), 0),
  'a slow reduction': (b, ...given) => {
    const { combine, neutral } = builtinOperator('add');
    return b.reduce({ combine, neutral, commutative: false }, scaled(b, ...given), 0);
  },
  'a histogram': (b, rows, counts, at, x) => b.histogram(builtinOperator('add'), at, scaled(b, rows, counts, at, x), 4),
  'a scan': (b, ...given) => b.scan(builtinOperator('add'), scaled(b, ...given), 0),
  'a result': (b, rows, _, at) => [b.gather(rows, at, 'nan')],
  'a domain with one more axis': (b, rows, _, at, x) => {
    const column = b.parameter('column', arrayType('real', [3, 1]));
    const read = b.gather(rows, at, 'zero');
    return b.reduce(
      builtinOperator('add'),
      [b.elementwise([read, x, column], (s, r, v, c) => s.apply('mul', s.apply('add', r, v), c))],
      1,
    );
  },
};

const settings = fc.record({
  n: fc.oneof(fc.nat(20), fc.constantFrom(64, 65, 127, 1000)),
  m: fc.nat(5),
  w: fc.constantFrom(1, 3, 4, 10),
  seed: fc.nat(),
  tile: fc.constantFrom(undefined, 1, 7),
  precision: fc.constantFrom('f32' as const, 'f64' as const),
});

describe.each(Object.entries(uses))('%s', (_, write) => {
  test('agrees with the interpreter', () => {
    const b = new ProgramBuilder();
    const [rows, counts] = [
      b.parameter('rows', arrayType('real', ['m'])),
      b.parameter('counts', arrayType('int', ['m'])),
    ];
    const [at, x] = [b.parameter('at', arrayType('int', ['n'])), b.parameter('x', arrayType('real', ['n']))];
    const program = b.finish(write(b, rows, counts, at, x).map((value, i) => ({ name: `r${i}`, value })));
    const plan = compile(program);
    fc.assert(
      fc.property(settings, ({ n, m, w, seed, tile, precision }) => {
        const draw = (length: number, from: number, to: number) =>
          Array.from({ length }, (_, i) => from + ((((seed % 1009) + 7 * i) * 31) % (to - from + 1)));
        const inputs = new Map([
          ['rows', draw(m, -2, 2)],
          ['counts', draw(m, 0, 9)],
          ['at', draw(n, -1, m)],
          ['x', draw(n, -2, 3)],
          ['column', [1, 2, 3]],
          ['wide', draw(m * w, -2, 2)],
          ['across', draw(m * w, -3, 1)],
        ]);
        const sizes = { n, m, w };
        const expected = Object.fromEntries(
          [...interpret(program, inputs, sizes)].map(([name, { values }]) => [name, [...values]]),
        );
        const options = { precision, ...(tile !== undefined && { tile }) };
        expect(runOnCpu(plan, inputs, sizes, options)).toEqual(expected);
        expect(runPlan(plan, Object.fromEntries(inputs), sizes)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

test('what is looked up is not written, unless it is wanted itself or stays from run to run', () => {
  const stepsOf = (wanted: boolean, varying?: ReadonlySet<string>) => {
    const b = new ProgramBuilder();
    const rows = b.parameter('rows', arrayType('real', ['m']));
    const at = b.parameter('at', arrayType('int', ['n']));
    const x = b.parameter('x', arrayType('real', ['n']));
    const read = b.gather(rows, at, 'zero');
    const scaled = b.elementwise([read, x], (s, r, v) => s.apply('exp', s.apply('mul', r, v)));
    const [sum] = b.reduce(builtinOperator('add'), [scaled], 0) as [Value];
    const results = [sum, ...(wanted ? [read] : [])].map((value, i) => ({ name: `r${i}`, value }));
    const plan = compile(b.finish(results), varying);
    return { prepare: plan.prepare.map(({ kind }) => kind), run: plan.run.map(({ kind }) => kind) };
  };
  expect(stepsOf(false)).toEqual({ prepare: [], run: ['reduce'] });
  expect(stepsOf(true)).toEqual({ prepare: [], run: ['gather', 'reduce'] });
  expect(stepsOf(false, new Set(['x']))).toEqual({ prepare: ['gather'], run: ['reduce'] });
});
