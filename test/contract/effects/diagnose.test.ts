/** `diagnose`: residuals of a model whose covariance is known in closed form, and what counts have of it. */
import { expect, it } from 'vitest';
import { erfc } from '../../../engine/4-backends/reference/scalar/erf.ts';
import {
  cotangent,
  documentOf,
  fitJson,
  json,
  map,
  parameter,
  refusal,
  written,
  type PlainBlock,
} from '../../support/command-line.ts';

const groups = ['a', 'b', 'c', 'd', 'e', 'f'];
const sizes = [4, 3, 5, 4, 2, 4];
const subject = groups.flatMap((name, g) => new Array<string>(sizes[g]!).fill(name));
const t = sizes.flatMap((n) => Array.from({ length: n }, (_, i) => i));
const bend = (i: number): number => Math.sin(7 * i + 1);
const y = subject.map((name, i) => (i === 5 ? 'NaN' : 2 + 0.5 * t[i]! + groups.indexOf(name) * 0.6 + 0.4 * bend(i)));
const counts = subject.map((name, i) => Math.round(3 + groups.indexOf(name) + bend(i)));

function model(loss: PlainBlock, more: readonly PlainBlock[]): PlainBlock {
  const column = (id: string, type = 'real'): PlainBlock => ({ id, kind: 'column', table: 'd', column: id, type });
  const blocks: PlainBlock[] = [
    ...[column('subject', 'category'), column('t'), column('y'), column('n')],
    { id: 'u', kind: 'random-effect', like: 'subject' },
    { id: 'ui', kind: 'gather', from: 'u', indices: 'subject' },
    ...[parameter('a', 1), parameter('s', 0.1), map('m', 'a + s*t + ui'), ...more],
    { id: 'l', kind: 'likelihood', ...loss },
  ];
  return documentOf(blocks, { tables: { d: { columns: { subject, t, y, n: counts } } }, objective: 'l' });
}

interface Block {
  readonly x: { readonly id: string; readonly values: readonly number[] };
  readonly observed: readonly (number | string)[];
  readonly population: readonly number[];
  readonly individual: readonly number[];
  readonly individualResiduals: readonly (number | string)[];
  readonly conditionalResiduals?: readonly (number | string)[];
  readonly predictionErrors?: readonly (number | string)[];
  readonly withoutValue?: number;
  readonly check: readonly { readonly count: number; readonly quantiles: readonly Record<string, number>[] }[];
}
interface Diagnosis {
  readonly status: string;
  readonly blocks: readonly [Block];
  readonly random: {
    readonly u: { readonly groups: readonly string[]; readonly b: { readonly value: readonly number[] } };
  };
}

it('residuals of one intercept for each group are V^(−½)·(y − Xβ), and prediction errors L⁻¹·(y − Xβ)', async () => {
  const sigma = parameter('sigma', 0.5, { lower: 0 });
  const document = written(model({ family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma' }, [sigma]));
  const fit = await fitJson<{ parameters: Record<string, { value: number }> }>([document]);
  const { status, blocks, random } = (await json('diagnose', document, '--samples', '3000')) as Diagnosis;
  const of = (name: string): number => fit.parameters[name]!.value;
  const [block] = blocks;
  expect(status).toBe('converged');
  expect(block.x.id).toBe('t');
  const [noise, between] = [of('sigma') ** 2, of('u.sd.b') ** 2];
  const left = subject.map((_, i) => Number(y[i]) - of('a') - of('s') * t[i]!);
  let squares = 0;
  for (const [g, name] of groups.entries()) {
    const rows = subject.flatMap((own, i) => (own === name && i !== 5 ? [i] : []));
    const sum = rows.reduce((total, i) => total + left[i]!, 0);
    const whole = noise + rows.length * between;
    // V = σ²·I + ω²·J: its root shares the vector of ones.
    const share = (1 - Math.sqrt(noise / whole)) / rows.length;
    const mode = (between * sum) / whole;
    expect(random.u.b.value[g]).toBeCloseTo(mode, 8);
    let before = 0;
    for (const [k, i] of rows.entries()) {
      const own = left[i]!;
      expect(block.conditionalResiduals?.[i]).toBeCloseTo((own - share * sum) / Math.sqrt(noise), 7);
      expect(block.individualResiduals[i]).toBeCloseTo((own - mode) / Math.sqrt(noise), 7);
      expect(block.population[i]).toBeCloseTo(Number(y[i]) - own, 8);
      expect(block.individual[i]).toBeCloseTo(Number(y[i]) - own + mode, 8);
      // Given those before it, an observation is normal about their shrunken mean.
      const known = between / (noise + k * between);
      const exact = (own - known * before) / Math.sqrt(noise * (1 + known));
      squares += (exact - (block.predictionErrors?.[i] as number)) ** 2;
      before += own;
    }
  }
  expect(Math.sqrt(squares / (subject.length - 1))).toBeLessThan(0.1);
  expect([block.conditionalResiduals?.[5], block.predictionErrors?.[5]]).toEqual(['NaN', 'NaN']);
  expect(block.check.map(({ count }) => count)).toEqual([6, 5, 5, 4, 1]);
  for (const { quantiles } of block.check)
    for (const { lower, median, upper } of quantiles) {
      expect(lower!).toBeLessThan(median!);
      expect(median!).toBeLessThan(upper!);
    }
});

it('counts are held against draws alone, and without random effects nothing is told', async () => {
  const rate = map('rate', 'exp(m)');
  const document = written(model({ family: 'poisson', observed: 'n', mean: 'rate' }, [rate]));
  const [block] = ((await json('diagnose', document, '--samples', '50')) as Diagnosis).blocks;
  expect(block).not.toHaveProperty('conditionalResiduals');
  expect(block).not.toHaveProperty('predictionErrors');
  expect(block.check).toHaveLength(5);
  const plain = documentOf(
    [
      parameter('k', 1),
      { id: 'l', kind: 'likelihood', family: 'normal', observed: 'o', mean: 'k', sigma: 1 },
      { id: 'o', kind: 'constant', value: [1, 2] },
    ],
    { objective: 'l' },
  );
  expect(await refusal(plain, {}, ['diagnose'])).toMatch(/no random effects/);
});

it('data sets that the model cannot draw count nowhere, and it is said how many there are', async () => {
  // m itself is the mean, about 7 ± 6 by group: in one of six data sets or more some group's lies below 0.
  const own = [1, 3, 5, 7, 9, 18];
  const n = subject.map((name, i) => own[groups.indexOf(name)]! + (i % 2));
  const { tables, ...rest } = model({ family: 'poisson', observed: 'n', mean: 'm' }, []) as {
    tables: { d: { columns: Record<string, unknown> } };
  };
  const document = written({ ...rest, tables: { d: { columns: { ...tables.d.columns, n } } } });
  const { parameters } = await fitJson<{ parameters: Record<string, { value: number }> }>([document]);
  const samples = 2000;
  const [block] = ((await json('diagnose', document, '--samples', String(samples))) as Diagnosis).blocks;
  const [a, s, sd] = ['a', 's', 'u.sd.b'].map((name) => parameters[name]!.value) as [number, number, number];
  // With slope s each group's least mean is that of one of its ends.
  const reach = sizes.map((size) => (a + Math.min(0, s * (size - 1))) / sd);
  const share = 1 - reach.reduce((product, z) => product * (erfc(-z / Math.SQRT2) / 2), 1);
  expect(share).toBeGreaterThan(0.1);
  const spread = 4 * Math.sqrt((share * (1 - share)) / samples);
  expect(Math.abs((block.withoutValue ?? 0) / samples - share)).toBeLessThan(spread);
  for (const { quantiles } of block.check)
    for (const each of quantiles) for (const figure of Object.values(each)) expect(figure).toBeTypeOf('number');
  const { stdout } = await cotangent('diagnose', document, '--samples', String(samples));
  expect(stdout).toContain(`in ${block.withoutValue} of ${samples} data sets the model has somewhere no value`);
});

it('of a limit there are no residuals, and its cell changes none', async () => {
  const sigma = parameter('sigma', 0.5, { lower: 0 });
  const told = async (cell: number): Promise<readonly (number | string)[]> => {
    const values = y.map((value, i) => (i === 1 ? cell : value));
    const loss = { family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma', censored: { left: 2.2 } };
    const { tables, ...rest } = model(loss, [sigma]) as { tables: { d: { columns: Record<string, unknown> } } };
    const document = { ...rest, tables: { d: { columns: { ...tables.d.columns, y: values } } } };
    const [block] = ((await json('diagnose', written(document), '--samples', '2')) as Diagnosis).blocks;
    expect(block.individualResiduals[1]).toBe('NaN');
    return block.conditionalResiduals ?? [];
  };
  const [near, far] = [await told(2.2), await told(-50)];
  expect(near[1]).toBe('NaN');
  expect(near[2]).toBeTypeOf('number');
  expect(far).toEqual(near);
});
