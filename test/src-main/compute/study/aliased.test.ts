/**
 * Columns that say the same: what the data see of the parameters has the freedom, errors and criteria that R 4.3 gives for
 * `lm(y ~ x + I(2*x))`, whichever parameters carry it.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/index.ts';
import type { Model } from '../../../../models/load/model.ts';
import { fitModel } from '../../../../src-main/compute/fit/fit.ts';
import { createPlotter } from '../../../../src-main/compute/plots/plots.ts';
import { demandModel, load } from '../../../../src-main/compute/running/load.ts';
import { compareModels } from '../../../../src-main/compute/study/compare-models.ts';
import { uncertainty } from '../../../../src-main/compute/study/uncertainty.ts';
import { fittedValues } from '../../../../src-main/compute/fit/fitted.ts';

const device = cpuDevice();
afterAll(() => device.close());

const columns = { x: [0.5, 1, 1.5, 2.5, 3, 4.5, 5, 7], y: [1.9, 3.2, 3.1, 5.8, 6.1, 9.7, 10.4, 15.1] };

const documentOf = (formula: string, more: object = {}, parameters = ['a', 'b', 'c']) => ({
  format: 'cotangent/1',
  tables: { obs: { columns } },
  blocks: [
    ...['x', 'y'].map((column) => ({ id: column, kind: 'column', table: 'obs', column })),
    ...parameters.map((id, i) => ({ id, kind: 'parameter', initial: i / 2 })),
    { id: 'line', kind: 'map', formula },
    { id: 'loss', kind: 'least-squares', prediction: 'line', observed: 'y', ...more },
  ],
  objective: 'loss',
});
const modelOf = async (document: unknown): Promise<Model> => demandModel(await load(document, undefined));
const aliased = 'a + b*x + c*(2*x)';
const covariance = { kind: 'uncertainty', method: 'covariance' } as const;

describe('two parameters for one slope', () => {
  it.each(['levenberg-marquardt', 'l-bfgs-b'])('have the intercept’s error of one, by %s', async (method) => {
    const fit = await fitModel(await modelOf(documentOf(aliased)), device, { method, parameters: {} });
    expect(fit.status).toBe('converged');
    expect(fit.unseen).toBe(1);
    const [a, b] = fit.estimates;
    expect(a?.value).toBeCloseTo(0.627777777777777, 8);
    expect(a?.standardError).toBeCloseTo(0.290996128577694, 8);
    expect(a?.lower95).toBeCloseTo(-0.0842640978762862, 7);
    expect(a?.upper95).toBeCloseTo(1.33981965343184, 7);
    expect(b?.standardError).toBeNaN();
  });

  it('take one parameter’s freedom in all that is told of the fit', async () => {
    const model = await modelOf(documentOf(aliased));
    const { statistics, parameters } = await uncertainty(model, device, covariance, { parameters: {} });
    expect(statistics).toMatchObject({ observations: 8, parameters: 2, degreesOfFreedom: 6 });
    expect(statistics['residualStandardError']).toBeCloseTo(0.457246185412272, 9);
    expect(statistics['logLikelihood']).toBeCloseTo(-3.940513302219438, 9);
    expect(statistics['aic']).toBeCloseTo(13.881026604438876, 9);
    expect(statistics['bic']).toBeCloseTo(14.119351229478383, 9);
    expect(parameters[0]).toMatchObject({ name: 'a' });
    expect(parameters[0]!.lower).toBeCloseTo(-0.0842640978762862, 7);
  });

  it('have the bands of one, of a stored fit too', async () => {
    // predict(m, data.frame(x = c(1, 6)), interval = …): its data have these rows, and its curve runs between them.
    const ends = { 1: [2.07447786436212, 3.20329991341566, 1.38574674452539, 3.89203103325239] };
    for (const formula of [aliased, 'a + b*x + 0*c']) {
      const model = await modelOf(documentOf(formula));
      const fit = await fitModel(model, device, { parameters: {} });
      const plotter = await createPlotter(model, device);
      const stored = JSON.parse(JSON.stringify(fit), (_, value: unknown) => value ?? NaN) as typeof fit;
      const [plot] = await plotter.at(fittedValues(fit), { bands: { fit: stored, level: 0.95 } });
      plotter.release();
      const { curve, band } = plot!.groups[0]!;
      const at = (list: readonly number[], x: number): number => {
        const i = curve!.x.findIndex((value) => value >= x);
        const [low, high] = [curve!.x[i - 1]!, curve!.x[i]!];
        return list[i - 1]! + ((x - low) / (high - low)) * (list[i]! - list[i - 1]!);
      };
      const { confidence, prediction } = band!;
      const found = [confidence.lower, confidence.upper, prediction!.lower, prediction!.upper].map((l) => at(l, 1));
      found.forEach((end, i) => expect(end).toBeCloseTo(ends[1][i]!, 3));
    }
  });

  it('are no larger a model than one for it', async () => {
    const model = await modelOf(documentOf('a + b*x', {}, ['a', 'b']));
    const others = [{ name: 'two', document: documentOf(aliased) }];
    const request = { kind: 'comparison', name: 'one', others, method: 'aicc' } as const;
    const { models, nested } = await compareModels(model, device, request, { parameters: {}, load: modelOf });
    expect(models.map(({ parameters }) => parameters)).toEqual([2, 2]);
    expect(models[1]!.aicc).toBeCloseTo(models[0]!.aicc, 9);
    expect(nested).toEqual([]);
  });
});

it('as many parameters as observations leave a freedom where one says nothing', async () => {
  const document = { ...documentOf(aliased), tables: { obs: { columns: { x: [0, 1, 2], y: [1, 2.2, 2.9] } } } };
  const fit = await fitModel(await modelOf(document), device, { parameters: {} });
  // summary(lm(y ~ x))
  expect(fit.estimates[0]?.standardError).toBeCloseTo(0.1863389981, 9);
});

describe('a parameter at its bound', () => {
  const bounded = (lower: number) => {
    const document = documentOf('a + b*x + c*x^2');
    const blocks = document.blocks.map((block) => (block.id === 'c' ? { ...block, lower, initial: lower } : block));
    return { ...document, blocks };
  };

  it('is held there by the band, which says so and is that of the model without it', async () => {
    const [held, without] = await Promise.all(
      [bounded(0.1), documentOf('a + b*x + 0.1*x^2', {}, ['a', 'b'])].map(async (document) => {
        const model = await modelOf(document);
        const fit = await fitModel(model, device, { parameters: {} });
        expect(fit.status).toBe('converged');
        const plotter = await createPlotter(model, device);
        const [plot] = await plotter.at(fittedValues(fit), { bands: { fit, level: 0.95 } });
        plotter.release();
        return plot!.groups[0]!.band!;
      }),
    );
    expect(held!.held).toEqual(['c']);
    expect(without!.held).toBeUndefined();
    for (const ends of ['confidence', 'prediction'] as const)
      for (const side of ['lower', 'upper'] as const)
        held![ends]![side].forEach((end, i) => expect(end).toBeCloseTo(without![ends]![side][i]!, 7));
  });

  it('has no band where nothing else moves what is predicted', async () => {
    const document = documentOf('c*x', {}, ['c']);
    const blocks = document.blocks.map((block) => (block.id === 'c' ? { ...block, lower: 3, initial: 3 } : block));
    const model = await modelOf({ ...document, blocks });
    const fit = await fitModel(model, device, { parameters: {} });
    expect(fit.estimates[0]?.atBound).toBe('lower');
    const plotter = await createPlotter(model, device);
    const [plot] = await plotter.at(fittedValues(fit), { bands: { fit, level: 0.95 } });
    plotter.release();
    expect(plot!.groups[0]!.band).toBeUndefined();
  });
});
