/** Whatever a model comes to, its reports are of the contract: the window drops what is not, and shows nothing. */
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { fitModel } from '../../../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../../../src-main/compute/running/load.ts';
import { runStudy } from '../../../../src-main/compute/study/study.ts';
import { fitReport } from '../../../../src-main/contract/contract.ts';
import { studyReport, type StudyRequest } from '../../../../src-main/contract/studies.ts';
import { Refused } from '../../../../src-main/refused.ts';
import { constant, documentOf, map, parameter } from '../../../support/command-line.ts';

const device = cpuDevice();
afterAll(() => device.close());

const document = (formula: string, y: readonly number[], starts: Readonly<Record<string, number>>) =>
  documentOf(
    [
      constant('x', [...y.keys()]),
      constant('y', y),
      ...Object.entries(starts).map(([id, initial]) => parameter(id, initial, { lower: -10, upper: 10 })),
      map('m', formula),
      { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' },
      { id: 'q', kind: 'quantity', formula: `sqrt(-1 - ${Object.keys(starts)[0]!}^2)` },
    ],
    { objective: 'l' },
  ) as unknown as Record<string, unknown>;

const odd: Readonly<Record<string, Record<string, unknown>>> = {
  'is NaN from its start': document('a*sqrt(-1 - x)', [1, 2, 3, 4, 6], { a: 1 }),
  'reads nothing of a parameter': document('a + 0*b + x', [1, 2, 3, 4, 6], { a: 1, b: 1 }),
  'meets its data wholly': document('a*x', [0, 2, 4, 6, 8], { a: 1 }),
  'has one observation': document('a + b*x', [1], { a: 1, b: 1 }),
  'overflows away from its start': document('exp(exp(a*10))*x', [0, 2, 4, 6, 8], { a: 0 }),
};

const requests: readonly StudyRequest[] = [
  ...(['covariance', 'profile', 'bootstrap'] as const).map(
    (method) => ({ kind: 'uncertainty', method, samples: 10, bands: ['m'] }) as const,
  ),
  ...(['local', 'morris', 'sobol', 'dgsm', 'active-subspace'] as const).map(
    (method) => ({ kind: 'sensitivity', method, samples: 8 }) as const,
  ),
  ...(['D', 'A'] as const).map((method) => ({ kind: 'design', method }) as const),
  {
    kind: 'comparison',
    method: 'aicc',
    name: 'this',
    others: [{ name: 'mean', document: document('a + 0*x', [1, 2, 3, 4, 6], { a: 1 }) }],
  },
];

const read = async (json: Readonly<Record<string, unknown>>) => demandModel(await load(json, undefined));

async function orRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

describe.each(Object.entries(odd))('a model that %s', (_, json) => {
  it('is fitted or refused', async () => {
    const report = await orRefused(fitModel(await read(json), device, { parameters: {} }));
    if (report) expect(v.safeParse(fitReport, report).issues).toBeUndefined();
  });

  it.each(requests.map((request) => [`${request.kind} ${request.method}`, request] as const))(
    '%s',
    async (_, request) => {
      const report = await orRefused(runStudy(await read(json), device, request, { parameters: {}, load: read }));
      if (report) expect(v.safeParse(studyReport, report).issues).toBeUndefined();
    },
  );
});
