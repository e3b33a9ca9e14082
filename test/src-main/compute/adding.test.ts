/**
 * To add a kind of block or a family is one file of facts, one of what it does, and its line in the list of each: here both
 * are added to the lists as they are loaded, and schema, types, derivatives, fits, plots and the window's words have them.
 */
import { afterAll, expect, it, vi } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import type * as Kinds from '../../../models/facts/kinds.ts';
import type * as Blocks from '../../../models/blocks/index.ts';
import type * as FamilyFacts from '../../../models/facts/families.ts';
import type * as Families from '../../../models/objective/families.ts';
import { factsOf, type KindName } from '../../../models/facts/kinds.ts';
import { reverse } from '../../../src-main/compute/differentiate.ts';
import { helpTopics } from '../../../src-renderer/state/words/help.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { createPlotter } from '../../../src-main/compute/plots/plots.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';

vi.mock('../../../models/facts/kinds.ts', async (original) => {
  const real = await original<typeof Kinds>();
  const { reverse } = await import('../../../models/facts/kinds/reverse.ts');
  Object.assign(real.kindFacts, { mirror: { ...reverse, title: 'mirror', fields: [] } });
  return real;
});

vi.mock('../../../models/blocks/index.ts', async (original) => {
  const real = await original<typeof Blocks>();
  const v = await import('valibot');
  const { common, ref, strict } = await import('../../../models/notation/fields.ts');
  type Contexts = { input(port: string): never; readonly builder: { reverse(value: never, axis: number): never } };
  const mirror = {
    kind: 'mirror',
    schema: strict({ kind: v.literal('mirror'), ...common, values: ref }),
    wires: (block: { readonly values: string }) => [{ port: 'values', ref: block.values }],
    infer(_: unknown, context: Contexts) {
      const values = context.input('values') as object | undefined;
      return values && { outputs: [{ ...values, name: '', data: undefined }], detail: undefined };
    },
    lower: (_: unknown, __: unknown, context: Contexts) => [context.builder.reverse(context.input('values'), 0)],
  };
  Object.assign(real.blockKinds, { mirror });
  (real.blockKindNames as string[]).push('mirror');
  return real;
});

vi.mock('../../../models/facts/families.ts', async (original) => {
  const real = await original<typeof FamilyFacts>();
  const logistic = { arguments: { mean: 'any', scale: 'positive' }, observed: 'number' };
  Object.assign(real.families, { logistic });
  (real.familyNames as string[]).push('logistic');
  return real;
});

vi.mock('../../../models/objective/families.ts', async (original) => {
  const real = await original<typeof Families>();
  const { family } = await import('../../../models/objective/families/family.ts');
  const looks = {
    prediction: 'mean',
    expected: (mean: number) => mean,
    deviation: (_: number, scale = NaN) => (Math.PI * scale) / Math.sqrt(3),
    errors: false,
    distribution: 'normal',
    residual: 'residual over the standard deviation',
  } as const;
  const logistic = family({
    arguments: { mean: 'any', scale: 'positive' },
    observed: 'number',
    // z + log scale + 2·log(1 + e^(−z))
    minusLog(s, y, { mean, scale }) {
      const z = s.divide(s.subtract(y, mean), scale);
      const tail = s.apply('log1p', s.apply('exp', s.apply('neg', z)));
      return s.add(z, s.apply('log', scale), tail, tail);
    },
    looks,
  });
  Object.assign(real.families, { logistic });
  return real;
});

const device = cpuDevice();
afterAll(() => device.close());

const y = [1.2, 0.4, 2.1, 3.3, 2.8];
const written = {
  format: 'cotangent/1',
  tables: { obs: { columns: { x: [0, 1, 2, 3, 4], y } } },
  blocks: [
    ...['x', 'y'].map((id) => ({ id, kind: 'column', table: 'obs', column: id })),
    { id: 'a', kind: 'parameter', initial: 4 },
    { id: 'b', kind: 'parameter', initial: -0.5 },
    { id: 'line', kind: 'map', formula: 'a + b*x' },
    { id: 'back', kind: 'mirror', values: 'line' },
    { id: 'loss', kind: 'likelihood', family: 'logistic', observed: 'y', mean: 'back', scale: 0.5 },
  ],
  objective: 'loss',
};

/** −log p of the logistic distribution of scale ½ about a + b·(4 − i). */
const minusLog = (a: number, b: number): number =>
  y.reduce((sum, seen, i) => {
    const z = (seen - (a + b * (4 - i))) / 0.5;
    return sum + z + Math.log(0.5) + 2 * Math.log1p(Math.exp(-z));
  }, 0);

it('a kind and a family of one’s own are evaluated, differentiated, fitted and plotted', async () => {
  const model = demandModel(await load(written, undefined));
  const found = await reverse(model, { of: 'loss' }, device);
  expect(found.value.values[0]).toBeCloseTo(minusLog(4, -0.5), 12);
  const step = 1e-5;
  const slope = (minusLog(4, -0.5 + step) - minusLog(4, -0.5 - step)) / (2 * step);
  expect(found.adjoints.get('b')?.values[0]).toBeCloseTo(slope, 7);

  const fit = await fitModel(model, device, { parameters: {} });
  expect(fit.status).toBe('converged');
  const [a = NaN, b = NaN] = fit.estimates.map(({ value }) => value);
  expect(fit.objective).toBeCloseTo(minusLog(a, b), 10);
  for (const [da, db] of [
    [0.01, 0],
    [-0.01, 0],
    [0, 0.01],
    [0, -0.01],
  ] as const)
    expect(minusLog(a + da, b + db)).toBeGreaterThan(fit.objective);

  const plotter = await createPlotter(model, device);
  const [plot] = await plotter.at({ a, b });
  plotter.release();
  // Rows change places: between them there is nothing.
  expect(plot!.groups[0]!.curve).toBeUndefined();
  plot!.groups[0]!.points.predicted!.forEach((value, i) => expect(value).toBeCloseTo(a + b * (4 - i), 12));
});

it('what is said of them is said by the lists alone', async () => {
  expect(factsOf('mirror')?.title).toBe('mirror');
  expect(helpTopics.some(({ title }) => title === 'mirror')).toBe(true);
  const { problems } = await load({ ...written, blocks: [{ id: 'm', kind: 'mirror' as KindName }] }, undefined);
  expect(problems.map(({ message }) => message).join()).toContain('values');
  const unknown = written.blocks.map((block) => (block.id === 'loss' ? { ...block, family: 'logistc' } : block));
  const refused = await load({ ...written, blocks: unknown }, undefined);
  expect(refused.problems.map(({ message }) => message).join()).toContain('logistic');
});
