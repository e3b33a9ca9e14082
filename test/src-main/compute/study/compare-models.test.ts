/** The comparison of the window is that of the command line, which is held to R. */
import * as v from 'valibot';
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { compareModels } from '../../../../src-main/compute/study/compare-models.ts';
import { demandModel, load } from '../../../../src-main/compute/running/load.ts';
import { studyReport } from '../../../../src-main/contract/studies.ts';
import { constant, documentOf, map, parameter } from '../../../support/command-line.ts';

const device = cpuDevice();
afterAll(() => device.close());

const document = (formula: string, starts: Readonly<Record<string, number>>, y: readonly number[]) =>
  documentOf(
    [
      constant('x', [0, 1, 2, 3, 4, 5, 6, 7]),
      constant('y', y),
      ...Object.entries(starts).map(([id, initial]) => parameter(id, initial)),
      map('m', formula),
      { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' },
    ],
    { objective: 'l' },
  ) as unknown as Record<string, unknown>;
const ys = [1.1, 2.9, 5.2, 6.8, 9.1, 11.4, 12.7, 15.6];
const read = async (json: Readonly<Record<string, unknown>>) => demandModel(await load(json, undefined));

async function compare(others: Record<string, Record<string, unknown>>) {
  const model = await read(document('a + k*x', { a: 0, k: 1 }, ys));
  const request = {
    ...({ kind: 'comparison', method: 'aicc', name: 'line' } as const),
    others: Object.entries(others).map(([name, json]) => ({ name, document: json })),
  };
  return compareModels(model, device, request, { parameters: {}, load: read });
}

it('ranks by the AICc of R and finds which is a case of which', async () => {
  const { models, nested } = await compare({
    parabola: document('a + k*x + q*x^2', { a: 0, k: 1, q: 0.1 }, ys),
    square: document('a + q*x^2', { a: 1, q: 0.1 }, ys),
  });
  // AIC, with its correction, and BIC of lm in R 4.2.
  expect(models[0]?.aicc).toBeCloseTo(13.587223866382, 9);
  expect(models[1]?.aicc).toBeCloseTo(22.0177950607864, 9);
  expect(models[1]?.bic).toBeCloseTo(9.00222789417239, 9);
  expect(models.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
  expect(nested.map(({ small, large, test }) => [small, large, test])).toEqual([
    ['line', 'parabola', 'F'],
    ['square', 'parabola', 'F'],
  ]);
});

it('gives a model that is there twice one share of the weights, and says which it is', async () => {
  const square = document('a + q*x^2', { a: 1, q: 0.1 }, ys);
  const alone = await compare({ square });
  const { models, nested, warnings } = await compare({ square, twin: document('a + k*x', { a: 3, k: 2 }, ys) });
  const [line, , twin] = models;
  expect(models.slice(0, 2).map(({ weight }) => weight)).toEqual(alone.models.map(({ weight }) => weight));
  expect(twin).toMatchObject({ same: 'line', weight: NaN, delta: line!.delta });
  expect(line).not.toHaveProperty('same');
  expect([nested, warnings]).toEqual([alone.nested, []]);
});

it('takes of one model from two starts the fit that got further', async () => {
  // A wave of nearly the same frequency: the first start is in the valley beside.
  const wave = (k: number) => document('sin(k*x)', { k }, [0, 0.84, 0.91, 0.14, -0.76, -0.96, -0.28, 0.66]);
  const model = await read(wave(2));
  const others = [{ name: 'right', document: wave(1.1) }];
  const request = { kind: 'comparison', method: 'aicc', name: 'wrong', others } as const;
  const { models, warnings } = await compareModels(model, device, request, { parameters: {}, load: read });
  expect(models[1]).toMatchObject({ name: 'right', delta: 0, weight: 1 });
  expect(models[0]).toMatchObject({ same: 'right', weight: NaN });
  expect(warnings).toEqual(['"wrong" is the same model as "right" and fits worse: give it other starts']);
});

it('refuses other data, and names the model that is at fault', async () => {
  await expect(compare({ other: document('a', { a: 1 }, [...ys.slice(1), 3]) })).rejects.toThrow(/same data/);
  await expect(compare({ broken: document('a + nobody', { a: 1 }, ys) })).rejects.toThrow(/^broken: /);
});

it('ranks the others beside a model whose fit fails, and the report passes the contract', async () => {
  const report = await compare({ root: document('a + k*sqrt(-1 - x)', { a: 1, k: 1 }, ys) });
  const [line, root] = report.models;
  expect(line).toMatchObject({ name: 'line', status: 'converged', delta: 0, weight: 1 });
  expect(root).toMatchObject({ name: 'root', status: 'failed', aicc: NaN, weight: NaN });
  expect(v.is(studyReport, report)).toBe(true);
});
