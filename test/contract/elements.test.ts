/** One element of an array in a formula, by its place or the label of its group: `k[1]`, `k["CMP-001"]`. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/index.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import { uncertainty } from '../../src-main/compute/study/uncertainty.ts';
import type { UncertaintyReport, UncertaintyRequest } from '../../src-main/contract/studies.ts';
import {
  column,
  constant,
  cotangent,
  documentOf,
  fitJson,
  folderWith,
  map,
  parameter,
  quietJson,
  refusal,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

const labels = ['wild type', 'CMP-001'];
const times = [0.5, 1, 2, 3, 4, 6];
const columns = {
  x: [...times, ...times],
  g: [...times.map(() => labels[0]!), ...times.map(() => labels[1]!)],
  y: [8.1, 6.5, 4.6, 2.9, 2.2, 0.8, 9.1, 8.3, 6.6, 5.7, 4.4, 3.2],
};
const quantity = (id: string, formula: string, more: PlainBlock = {}): PlainBlock => ({
  ...{ id, kind: 'quantity', formula },
  ...more,
});
const decays = (rates: readonly PlainBlock[], formula: string, ...more: readonly PlainBlock[]): PlainBlock =>
  documentOf(
    [
      ...[column('x'), column('y'), column('g', { type: 'category' }), parameter('A', 8), ...rates],
      map('m', formula),
      { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' },
      ...more,
    ],
    { objective: 'l', tables: { T: { columns } } },
  );
const grouped = (...more: readonly PlainBlock[]): PlainBlock =>
  decays(
    [
      { id: 'k', kind: 'parameter', initial: 0.3, like: 'g' },
      { id: 'kg', kind: 'gather', from: 'k', indices: 'g' },
    ],
    'A*exp(-kg*x)',
    ...more,
  );
const ratio = grouped(quantity('ratio', 'k["CMP-001"]/k[0]'));

async function studied(
  document: PlainBlock,
  method: UncertaintyRequest['method'],
  samples?: number,
): Promise<UncertaintyReport> {
  const model = demandModel(await load(document, undefined));
  return uncertainty(model, device, { kind: 'uncertainty', method, samples }, { parameters: {} });
}

describe('an element in the formula of a quantity', () => {
  it.each(['covariance', 'profile'] as const)(
    'has by %s the interval of the parameter in its place',
    async (method) => {
      const direct = decays([parameter('k', 0.3), parameter('ratio', 0.7)], 'A*exp(-k*if(g == 1, ratio, 1)*x)');
      const wanted = (await studied(direct, method)).parameters.find(({ name }) => name === 'ratio')!;
      const [found] = (await studied(ratio, method)).quantities!;
      expect(found!.value).toBeCloseTo(wanted.value, 6);
      expect(found!.lower).toBeCloseTo(wanted.lower, 4);
      expect(found!.upper).toBeCloseTo(wanted.upper, 4);
      if (method === 'covariance')
        expect(found!.standardError).toBeCloseTo(wanted.figures['standardError'] as number, 6);
    },
  );

  it.each([
    ['bootstrap', 100],
    ['hmc', 200],
  ] as const)('has by %s what the same element has that a block takes out', async (method, samples) => {
    const taken = (id: string, place: number): PlainBlock[] => [
      { id: `at_${id}`, kind: 'constant', value: place, type: 'int' },
      { id, kind: 'gather', from: 'k', indices: `at_${id}` },
    ];
    const twin = grouped(...taken('one', 1), ...taken('none', 0), quantity('ratio', 'one/none'));
    const [wanted] = (await studied(twin, method, samples)).quantities!;
    const [found] = (await studied(ratio, method, samples)).quantities!;
    for (const key of ['value', 'lower', 'upper', 'standardError'] as const)
      expect(found![key]).toBeCloseTo(wanted![key], 9);
  });

  it('is told by fit, whose text calls elements by their labels and whose JSON keeps places', async () => {
    const path = written(grouped(quantity('ratio', 'k["CMP-001"]/k["wild type"]'), quantity('half', 'log(2)/k')));
    const { parameters, quantities } = await fitJson<Record<string, Record<string, { value: number[] | number }>>>([
      path,
    ]);
    const [none, one] = parameters!['k']!.value as number[];
    expect(quantities!['ratio']!.value).toBeCloseTo(one! / none!, 12);
    const { stdout } = await cotangent('fit', path);
    for (const name of ['k[wild type]', 'k[CMP-001]', 'half[CMP-001]']) expect(stdout).toContain(name);
    const study = (await cotangent('uncertainty', path, '--method', 'covariance')).stdout;
    for (const name of ['k[wild type]', 'k[CMP-001]', 'half[CMP-001]']) expect(study).toContain(name);
    expect(study).not.toMatch(/k\[\d\]/);
  });

  it.each<[string, string, RegExp]>([
    ['a place beyond the last', 'k[2]', /k\[2\] is no element: those of "k" are 0 to 1/],
    ['a label that there is not', 'k["CMP-002"]', /"k" has no label "CMP-002": it has "wild type", "CMP-001"/],
    ['an element of one number', 'A[0]', /A\[0\] wants "A" to be a list, got .*real/],
    ['a label where there are none', 'y["a"]', /"y" has no labels: write y\[0\]/],
    ['a place that is no whole number', 'k[0.5]', /whole number, counted from 0, or at a "label"/],
    ['a computed place', 'k[A]', /an element is that of a name, at a number or at a "label"/],
  ])('refuses %s', async (_, formula, why) => {
    expect(await refusal(grouped(quantity('q', formula)))).toMatch(why);
  });

  it('is refused where a formula goes along rows', async () => {
    const looking = { id: 'f', kind: 'filter', values: 'y', where: 'y > x[0]' };
    expect(await refusal(grouped(looking))).toMatch(/one element of 'x' at a time/);
  });

  it('stands in a map too, whose gradient is that of the element alone', async () => {
    const document = documentOf([parameter('k', [2, 3, 5]), constant('c', 1), map('m', 'k[1]^2 + c')], {
      objective: 'm',
    });
    const { stdout } = await cotangent('differentiate', written(document), '--of', 'm', '--wrt', 'k', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ value: 10, adjoints: { k: [0, 6, 0] } });
  });
});

describe('elements in text by their labels', () => {
  it('are those that a design is for', async () => {
    const path = written(grouped());
    const { stdout, status } = await cotangent('design', path, '--for', 'k[1]');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^standard error of k\[CMP-001\]; /);
    expect(stdout).not.toContain('k[1]');
    expect((await quietJson<{ for: string }>(['design', path, '--for', 'k[1]'])).for).toBe('k[1]');
  });

  it('are those that shards have told of', async () => {
    const path = written(grouped());
    const folder = join(folderWith({}), 'shards');
    const runs = [
      ['prepare', path, '--study', 'bootstrap', '--samples', '20', '--shards', '1', '--out', folder],
      ['run', folder, '--shard', '0/1'],
    ];
    for (const run of runs) expect((await cotangent('ensemble', ...run)).stderr).toBe('');
    const { stdout } = await cotangent('ensemble', 'collect', folder);
    expect(stdout).toContain('k[CMP-001]');
    expect(stdout).not.toContain('k[1]');
    expect((await cotangent('ensemble', 'collect', folder, '--json')).stdout).toContain('"k[1]"');
  });
});
