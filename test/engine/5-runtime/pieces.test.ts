/** Programs run in pieces of rows give what they give whole; those that cannot be cut are refused as before. */
import { afterAll, describe, expect, it } from 'vitest';
import { OutOfMemory } from '../../../engine/0-ir/errors.ts';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device, Executable } from '../../../engine/5-runtime/device.ts';
import { inPieces } from '../../../engine/5-runtime/pieces/in-pieces.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { model, type PlainBlock } from '../../support/documents.ts';

const cpu = cpuDevice({ threads: 1 });
afterAll(() => cpu.close());

/** A device that holds so many rows of the table, and says of more that it lacks memory. */
function holding(rows: number, device: Device = cpu): Device {
  const limited = (executable: Executable): Executable => ({
    ...executable,
    release: () => executable.release(),
    bind(sizes) {
      const asked = sizes['n_d'] ?? 0;
      if (asked > rows) throw new OutOfMemory(asked, 8 * rows);
      return executable.bind(sizes);
    },
  });
  return {
    ...{ kind: device.kind, precision: device.precision, name: device.name },
    close: () => undefined,
    load: async (program, options) => limited(await device.load(program, options)),
  };
}

const n = 41;
const t = Array.from({ length: n }, (_, i) => i / 10);
const tables = {
  d: {
    columns: { t, y: t.map((x, i) => 2 * Math.exp(-0.5 * x) + 0.05 * Math.sin(7 * i)), g: t.map((_, i) => i % 3) },
  },
};
const columns: readonly PlainBlock[] = [
  { id: 't', kind: 'column', table: 'd', column: 't' },
  { id: 'y', kind: 'column', table: 'd', column: 'y' },
  { id: 'g', kind: 'column', table: 'd', column: 'g', type: 'int' },
  { id: 'k', kind: 'parameter', initial: 0.4 },
];
const map = (id: string, formula: string): PlainBlock => ({ id, kind: 'map', formula });
const curve = map('m', 'exp(-k*t)');
const squares: PlainBlock = { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' };
const total = (id: string, values: string, operator: unknown = 'add'): PlainBlock => ({
  id,
  kind: 'reduce',
  operator,
  values,
});

const loaded = (...blocks: readonly PlainBlock[]) => model([...columns, ...blocks], { tables });

/** What a device gives of these outputs, in its second run: the first leaves nothing behind. */
async function given(device: Device, blocks: readonly PlainBlock[], outputs: readonly string[]): Promise<number[][]> {
  const { program, inputs, sizes } = lowerModel(await loaded(...blocks), { outputs });
  const executable = await device.load(program);
  const instance = await executable.bind(sizes);
  try {
    for (const [name, { values }] of inputs) instance.write(name, values);
    await instance.run();
    await instance.run();
    const results: number[][] = [];
    for (const { name } of program.results) results.push(Array.from(await instance.read(name)));
    return results;
  } finally {
    instance.release();
    executable.release();
  }
}

const close = (found: readonly number[][], wanted: readonly number[][]): void => {
  expect(found.map(({ length }) => length)).toEqual(wanted.map(({ length }) => length));
  const [a, b] = [found.flat(), wanted.flat()];
  b.forEach((value, i) =>
    Number.isFinite(value)
      ? expect(Math.abs(a[i]! - value)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(value)))
      : expect(a[i]).toBe(value),
  );
};

const cuttable: readonly [string, readonly PlainBlock[], readonly string[]][] = [
  ['a sum', [curve, squares], ['l']],
  ['what is made of a sum', [curve, squares, map('a', 'log(l) + k')], ['a', 'l', 'k']],
  ['a sum of what is left of a mean', [total('s', 't'), map('c', '(t - s/41)^2'), total('v', 'c')], ['v', 's']],
  [
    'three passes',
    [total('a', 't'), map('b', 't/a'), total('c', 'b', 'max'), map('d', '(b - c)^2'), total('f', 'd')],
    ['f'],
  ],
  ['the place of a row', [map('p', '(index - 20)*y'), total('s', 'p')], ['s']],
  ['a minimum and a product', [total('a', 'y', 'min'), map('b', '1 + t/100'), total('c', 'b', 'multiply')], ['a', 'c']],
  ['a histogram', [{ id: 'h', kind: 'histogram', operator: 'add', values: 'y', keys: 'g', bins: 3 }], ['h']],
  ['the fullest of bins', [{ id: 'h', kind: 'histogram', operator: 'max', values: 'y', keys: 'g', bins: 5 }], ['h']],
  [
    'parameters of groups',
    [
      { id: 'A', kind: 'parameter', initial: [1, 1.5, 2] },
      { id: 'a', kind: 'gather', from: 'A', indices: 'g' },
      map('m', 'a*exp(-k*t)'),
      squares,
    ],
    ['l'],
  ],
];

describe('in pieces', () => {
  it.each(cuttable)('%s', async (_, blocks, outputs) => {
    const whole = await given(cpu, blocks, outputs);
    await expect(given(holding(8), blocks, outputs)).rejects.toThrow(OutOfMemory);
    for (const rows of [1, 2, 5, 8, 40]) close(await given(inPieces(holding(rows)), blocks, outputs), whole);
    expect(await given(inPieces(cpu), blocks, outputs)).toEqual(whole);
  });

  it('any operator that is associative, in the order of the rows', async () => {
    // x ↦ a·x + b, one after the other: not commutative.
    const blocks: PlainBlock[] = [
      map('a', '1 + sin(t)/10'),
      {
        ...{ id: 'r', kind: 'reduce', values: ['a', 'y'] },
        operator: { left: ['a1', 'b1'], right: ['a2', 'b2'], result: ['a1*a2', 'b1*a2 + b2'], neutral: [1, 0] },
      },
    ];
    close(await given(inPieces(holding(3)), blocks, ['r.0', 'r.1']), await given(cpu, blocks, ['r.0', 'r.1']));
  });

  it.each<[string, readonly PlainBlock[], string]>([
    ['rows', [curve], 'm'],
    ['a scan', [{ id: 's', kind: 'scan', operator: 'add', values: 't' }, total('l', 's')], 'l'],
  ])('not %s, of which it says what the device says', async (_, blocks, output) => {
    await expect(given(inPieces(holding(8)), blocks, [output])).rejects.toThrow(OutOfMemory);
  });

  it.each<[string, readonly PlainBlock[]]>([
    ['a likelihood', [curve, { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 0.5 }]],
    ['least squares of many rows', [curve, squares]],
  ])('fits as whole: %s', async (name, blocks) => {
    const rows = name.endsWith('many rows') ? 600_000 : n;
    const long = { t: Float64Array.from({ length: rows }, (_, i) => (10 * i) / rows), y: new Float64Array(rows) };
    long.y.set(long.t.map((x, i) => Math.exp(-0.5 * x) + 0.05 * Math.sin(7 * i)));
    const document = await model([...columns.slice(0, 2), ...columns.slice(3), ...blocks], {
      tables: { d: { columns: { t: Array.from(long.t), y: Array.from(long.y) } } },
      objective: 'l',
    });
    const limited = inPieces(holding(rows / 4 - 1));
    const [whole, pieces] = [
      await fitModel(document, cpu, { parameters: {} }),
      await fitModel(document, limited, { parameters: {} }),
    ];
    expect(pieces.status, pieces.reason).toBe('converged');
    expect(pieces.objective).toBeCloseTo(whole.objective, 10);
    pieces.estimates.forEach(({ value, standardError }, j) => {
      expect(value).toBeCloseTo(whole.estimates[j]!.value, 9);
      expect(standardError).toBeCloseTo(whole.estimates[j]!.standardError, 9);
    });
  });
});
