/**
 * Long sums in f32 keep six digits: reductions in lanes and tiles, scans, histograms of few bins, the gradient of a
 * least-squares loss. `SWEEP=long` adds up 10⁸ terms, which takes two gigabytes; else it is 10⁶.
 */
import { afterAll, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../../engine/0-ir/operators.ts';
import type { Value } from '../../../../engine/0-ir/program.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { vjp } from '../../../../engine/2-ad/vjp.ts';

const n = process.env['SWEEP'] === 'long' ? 10 ** 8 : 10 ** 6;
const BINS = 10;

const device = cpuDevice({ precision: 'f32', threads: 2 });
afterAll(() => device.close());

/** Numbers of f32 between 0.5 and 1.5 without a pattern, all positive: where nothing cancels, digits are those of the terms. */
const x = new Float32Array(n);
let state = 1;
for (let i = 0; i < n; i++) {
  state = (Math.imul(state, 1664525) + 1013904223) | 0;
  x[i] = 0.5 + (state >>> 8) * 2 ** -24;
}

/** Compensated (Neumaier), in f64. */
function exactSum(term: (i: number) => number, from = 0, step = 1): number {
  let [sum, lost] = [0, 0];
  for (let i = from; i < n; i += step) {
    const value = term(i);
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

const add = builtinOperator('add');

function resultsOf(write: (b: ProgramBuilder, x: Value) => Record<string, Value>, differentiated = false) {
  const b = new ProgramBuilder();
  const program = b.finish(write(b, b.parameter('x', arrayType('real', ['n']))));
  const run = differentiated ? vjp(program, { by: ['a'] }) : program;
  const instance = device.load(run).bind({ n });
  try {
    instance.write('x', x);
    for (const { name } of run.parameters.filter((parameter) => parameter.name !== 'x')) {
      if (name === 'keys')
        instance.write(
          name,
          Int32Array.from({ length: n }, (_, i) => i % BINS),
        );
      else instance.write(name, [1]);
    }
    instance.run();
    return Object.fromEntries(run.results.map(({ name }) => [name, [...instance.read(name)]]));
  } finally {
    instance.release();
  }
}

const digits = (got: number | undefined, wanted: number) => expect(Math.abs(got! / wanted - 1));

test('a reduction', () => {
  const { sum } = resultsOf((b, values) => ({ sum: b.reduce(add, [values], 0)[0]! }));
  digits(
    sum?.[0],
    exactSum((i) => x[i]!),
  ).toBeLessThan(1e-6);
});

test('the end of a scan', () => {
  const { last } = resultsOf((b, values) => {
    const [sums] = b.scan(add, [values], 0) as [Value];
    return { last: b.slice(b.reverse(sums, 0), 0, 0, 1, 1) };
  });
  digits(
    last?.[0],
    exactSum((i) => x[i]!),
  ).toBeLessThan(1e-6);
});

test('a histogram', () => {
  const { bins } = resultsOf((b, values) => {
    const keys = b.parameter('keys', arrayType('int', ['n']));
    return { bins: b.histogram(add, keys, [values], BINS)[0]! };
  });
  for (let bin = 0; bin < BINS; bin++)
    digits(
      bins?.[bin],
      exactSum((i) => x[i]!, bin, BINS),
    ).toBeLessThan(1e-6);
});

test('a loss and its gradient', () => {
  const found = resultsOf((b, values) => {
    const a = b.parameter('a', arrayType('real'));
    const squares = b.elementwise([values, a], (s, v, scale) => {
      const residual = s.apply('mul', scale, v);
      return s.apply('mul', residual, residual);
    });
    return { loss: b.reduce(add, [squares], 0)[0]! };
  }, true);
  const wanted = exactSum((i) => x[i]! ** 2);
  digits(found['loss']?.[0], wanted).toBeLessThan(1e-6);
  digits(found['adjoint of a']?.[0], 2 * wanted).toBeLessThan(1e-6);
});
