/** ADBench's Gaussian mixtures as programs: value and gradient against those derived by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProgramBuilder } from '../../engine/0-ir/builder.ts';
import { builtinOperator, type BuiltinOperator } from '../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../engine/0-ir/program.ts';
import { realLiteral } from '../../engine/0-ir/scalar.ts';
import type { Size } from '../../engine/0-ir/sizes.ts';
import { arrayType } from '../../engine/0-ir/types.ts';
import { cpuDevice } from '../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../engine/5-runtime/device.ts';
import { gradientName, withGradient } from '../../engine/6-fit/derivative-programs.ts';
import { belowDiagonal, mixtureFiles, readMixture, valueAndGradient, type Mixture, type Point } from './gmm.ts';

const names = ['alphas', 'means', 'icf'] as const;

/** L as in gmm.ts. `diagonal` and `below` say where in icf the entries of the Q_k lie; −1 is a zero. */
function mixtureProgram({ d, K, n: rows, gamma, m }: Mixture): Program {
  const b = new ProgramBuilder();
  const size = (d * (d + 1)) / 2;
  const alphas = b.parameter('alphas', arrayType('real', [K]));
  const means = b.parameter('means', arrayType('real', [K, d]));
  const icf = b.parameter('icf', arrayType('real', [K * size]));
  const x = b.parameter('x', arrayType('real', ['n', d]));
  const diagonal = b.parameter('diagonal', arrayType('int', [K, d]));
  const below = b.parameter('below', arrayType('int', [K, d, d]));

  const reduced = (value: Value, axis: number, by: BuiltinOperator = 'add'): Value =>
    b.reduce(builtinOperator(by), [value], axis)[0]!;
  const total = (value: Value): Value =>
    value.type.shape.reduceRight<Value>((sum, _, axis) => reduced(sum, axis), value);
  const scaled = (value: Value, factor: number): Value =>
    b.elementwise([value], (s, v) => s.apply('mul', v, realLiteral(factor)));
  const square = (value: Value): Value => b.apply('mul', value, value);
  const shaped = (value: Value, ...shape: Size[]): Value => b.reshape(value, shape);

  const q = b.gather(icf, diagonal, 'zero');
  const lower = b.gather(icf, below, 'zero');
  const scales = b.apply('exp', q);
  const logDeterminants = reduced(q, 1);

  const centred = b.apply('sub', shaped(x, 'n', 1, d), shaped(means, 1, K, d));
  const mixed = reduced(b.apply('mul', shaped(lower, 1, K, d, d), shaped(centred, 'n', K, 1, d)), 3);
  const z = b.apply('add', b.apply('mul', shaped(scales, 1, K, d), centred), mixed);
  const inner = b.elementwise(
    [shaped(alphas, 1, K), shaped(logDeterminants, 1, K), reduced(square(z), 2)],
    (s, alpha, q, squares) => s.apply('sub', s.apply('add', alpha, q), s.apply('mul', realLiteral(0.5), squares)),
  );
  const likelihood = b.apply(
    'sub',
    total(reduced(inner, 1, 'logaddexp')),
    scaled(reduced(alphas, 0, 'logaddexp'), rows),
  );

  const nu = d + m + 1;
  const logGammas = total(
    b.elementwise([b.iota(d)], (s, j) =>
      s.apply('lgamma', s.apply('mul', realLiteral(0.5), s.apply('sub', realLiteral(nu), s.apply('real', j)))),
    ),
  );
  const frobenius = b.apply('add', total(square(scales)), total(square(lower)));
  const prior = b.apply('sub', scaled(frobenius, 0.5 * gamma ** 2), scaled(total(q), m));
  const constant =
    -0.5 * rows * d * Math.log(2 * Math.PI) -
    K * (nu * d * (Math.log(gamma) - 0.5 * Math.log(2)) - 0.25 * d * (d - 1) * Math.log(Math.PI));
  const value = [prior, scaled(logGammas, K), b.literal(constant)].reduce(
    (sum, term) => b.apply('add', sum, term),
    likelihood,
  );
  return b.finish({ value });
}

function indicesOf({ d, K }: Mixture): { readonly diagonal: number[]; readonly below: number[] } {
  const size = (d * (d + 1)) / 2;
  const entries = Array.from({ length: K * d * d }, (_, i) => ({
    first: Math.floor(i / (d * d)) * size,
    row: Math.floor(i / d) % d,
    column: i % d,
  }));
  return {
    diagonal: Array.from({ length: K * d }, (_, i) => Math.floor(i / d) * size + (i % d)),
    below: entries.map(({ first, row, column }) => (column < row ? first + belowDiagonal(d, row, column) : -1)),
  };
}

const relative = (found: number, wanted: number): number => Math.abs(found - wanted) / Math.abs(wanted);

describe.each(mixtureFiles)('%s', (name) => {
  let device: Device;
  beforeAll(() => {
    device = cpuDevice();
  });
  afterAll(() => device.close());
  const mixture = readMixture(name);

  it('is evaluated and differentiated to 1e-8 of what is derived by hand', async () => {
    const program = withGradient(mixtureProgram(mixture), 'value', names);
    const executable = await device.load(program, { varying: new Set(names) });
    const instance = await executable.bind({ n: mixture.n });
    const { alphas, means, icf, x } = mixture;
    for (const [input, values] of Object.entries({ alphas, means, icf, x, ...indicesOf(mixture) }))
      instance.write(input, values);
    await instance.run();
    const { value, gradient } = valueAndGradient(mixture, mixture);
    expect(relative((await instance.read('value'))[0]!, value)).toBeLessThan(1e-8);
    for (const parameter of names) {
      const found = [...(await instance.read(gradientName(parameter)))];
      expect(found).toHaveLength(gradient[parameter].length);
      found.forEach((slope, i) =>
        expect(relative(slope, gradient[parameter][i]!), `${parameter}[${i}]`).toBeLessThan(1e-8),
      );
    }
    instance.release();
    executable.release();
  });

  it('has the gradient by hand that central differences have', () => {
    const { gradient } = valueAndGradient(mixture, mixture);
    const step = 1e-5;
    for (const parameter of names) {
      const directions = mixture[parameter].map((_, i) => Math.cos(1 + 7 * i));
      const at = (share: number): number => {
        const moved = mixture[parameter].map((value, i) => value + share * directions[i]!);
        const point: Point = { ...mixture, [parameter]: moved };
        return valueAndGradient(mixture, point).value;
      };
      const wanted = gradient[parameter].reduce((sum, slope, i) => sum + slope * directions[i]!, 0);
      expect(relative((at(step) - at(-step)) / (2 * step), wanted), parameter).toBeLessThan(1e-6);
    }
  });
});
