/**
 * To add a kind of block, a family or a method of fitting is one file of facts, one of what it does, and its line in the list
 * of each: here they are added to the lists as they are loaded, and schema, types, derivatives, fits, plots and the window's
 * words have them.
 */
import { afterAll, expect, it, vi } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import type * as Kinds from '../../../models/facts/kinds.ts';
import type * as Blocks from '../../../models/blocks/index.ts';
import type * as FamilyFacts from '../../../models/facts/families.ts';
import type * as MethodFacts from '../../../models/facts/methods.ts';
import type * as Methods from '../../../engine/6-fit/methods.ts';
import type { Method } from '../../../engine/6-fit/method.ts';
import type * as Families from '../../../models/objective/families.ts';
import { factsOf, type KindName } from '../../../models/facts/kinds.ts';
import { reverse } from '../../../src-main/compute/differentiate.ts';
import { helpTopics } from '../../../src-renderer/state/words/help.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { createPlotter } from '../../../src-main/compute/plots/plots.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';

/** What the method of one’s own was asked. */
const asked = vi.hoisted(() => ({ slopes: 0 }));

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

vi.mock('../../../models/facts/methods.ts', async (original) => {
  const real = await original<typeof MethodFacts>();
  const descent = { ...real.fitFacts.adam, title: 'Steepest descent' };
  Object.assign(real.fitFacts, { descent });
  return real;
});

vi.mock('../../../engine/6-fit/methods.ts', async (original) => {
  const real = await original<typeof Methods>();
  const { slopeOf } = await import('../../../engine/6-fit/marginal/questions.ts');
  const descent: Method = {
    iterations: 1000,
    refuses: ({ residuals }) => (residuals.length > 0 ? 'descent is for likelihoods' : undefined),
    minimiser: ({ problem, all }, use) =>
      use({
        question: slopeOf(problem, all, problem.energy, {}),
        // u ← u − ρ·g, where ρ is halved until it goes down.
        async minimise(ask, start, { maxIterations }) {
          let [point, at, rate] = [start, await ask(start), 1];
          const history = [at.value];
          while (history.length <= maxIterations && rate > 1e-12) {
            const next = point.map((u, j) => u - rate * at.gradient[j]!);
            const there = await ask(next);
            asked.slopes++;
            if (there.value < at.value) [point, at, rate] = [next, there, 2 * rate];
            else rate /= 2;
            history.push(at.value);
          }
          const iterations = history.length - 1;
          return { status: 'not-converged', reason: 'it is level', point, iterations, history, unjudged: true };
        },
      }),
  };
  Object.assign(real.fitMethods, { descent });
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

it('a kind, a family and a method of one’s own are evaluated, differentiated, fitted and plotted', async () => {
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

  const other = await load({ ...written, fit: { method: 'descent' } }, undefined);
  expect(other.problems).toEqual([]);
  const descended = await fitModel(demandModel(other), device, { parameters: {} });
  expect(descended.status).toBe('converged');
  expect(asked.slopes).toBeGreaterThan(fit.iterations);
  expect(descended.objective).toBeCloseTo(fit.objective, 10);

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
  expect(helpTopics.some(({ title }) => title === 'Steepest descent')).toBe(true);
  const { problems } = await load({ ...written, blocks: [{ id: 'm', kind: 'mirror' as KindName }] }, undefined);
  expect(problems.map(({ message }) => message).join()).toContain('values');
  const descnt = fitModel(demandModel(await load(written, undefined)), device, { parameters: {}, method: 'descnt' });
  await expect(descnt).rejects.toThrow(
    'no method descnt; there are levenberg-marquardt, l-bfgs-b, newton-cg, adam, nelder-mead, descent',
  );
  const unknown = written.blocks.map((block) => (block.id === 'loss' ? { ...block, family: 'logistc' } : block));
  const refused = await load({ ...written, blocks: unknown }, undefined);
  expect(refused.problems.map(({ message }) => message).join()).toContain('logistic');
});
