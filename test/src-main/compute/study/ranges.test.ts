/** Where parameters have no range, a study is refused with one, which set as it stands makes the study run. */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { sensitivity } from '../../../../src-main/compute/study/sensitivity.ts';
import type { ParameterValues } from '../../../../src-main/compute/running/run.ts';
import type { Problem } from '../../../../src-main/contract/contract.ts';
import { Refused } from '../../../../src-main/refused.ts';
import { map, parameter } from '../../../support/command-line.ts';
import { c, model, type PlainBlock } from '../../../support/documents.ts';

const device = cpuDevice();
afterAll(() => device.close());

interface Plain {
  readonly blocks: readonly PlainBlock[];
  readonly objective: string;
}

async function study({ blocks, ...more }: Plain, at: ParameterValues = {}) {
  const request = { kind: 'sensitivity', method: 'sobol', samples: 64 } as const;
  return sensitivity(await model(blocks, more), device, request, { parameters: at });
}

async function problemOf(document: Plain, at: ParameterValues = {}): Promise<Problem> {
  const error: unknown = await study(document, at).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Refused)) throw error;
  expect(error.problems).toHaveLength(1);
  return error.problems[0]!;
}

function applied(document: Plain, { remedy }: Problem): Plain {
  const keys = new Map(remedy?.changes.map((change) => [change.block, change.keys]));
  return { ...document, blocks: document.blocks.map((block) => ({ ...block, ...keys.get(String(block['id'])) })) };
}

const x = [0, 1, 2, 3, 4];
const y = [1.1, 2.9, 5.2, 6.9, 9.1];
const line: Plain = {
  blocks: [
    c('x', x),
    c('y', y),
    parameter('a', 10),
    parameter('b', 1, { scale: 'log' }),
    map('curve', 'a + b*x'),
    { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
  ],
  objective: 'loss',
};
/** The line's own least squares, in closed form. */
const fitted = { a: 1.04, b: 2 };
const residuals = x.map((x, i) => fitted.a + fitted.b * x - y[i]!);
const variance = residuals.reduce((sum, r) => sum + r * r, 0) / 3;
const errors = { a: Math.sqrt(variance * 0.6), b: Math.sqrt(variance / 10) };

describe('a parameter without a range', () => {
  it('gets one of half its value, twice it on a log scale', async () => {
    const problem = await problemOf(line);
    expect(problem.message).toBe(
      'the parameters "a" and "b" have no range to vary over: give each "lower" and "upper", or a "prior", or keep it out by "fixed": true',
    );
    expect(problem.fix).toBe('to begin with, say "a" from 5 to 15, "b" from 0.5 to 2');
    expect(problem.remedy?.changes).toEqual([
      { block: 'a', keys: { lower: 5, upper: 15 } },
      { block: 'b', keys: { lower: 0.5, upper: 2 } },
    ]);
    expect((await study(applied(line, problem))).failed).toBe(0);
  });

  it('at the fit gets one of ± 3 standard errors, and a start within it', async () => {
    const problem = await problemOf(line, fitted);
    expect(problem.remedy?.title).toBe('Vary within 3 standard errors of the fit');
    const [a, b] = (problem.remedy?.changes ?? []).map(({ keys }) => keys as Record<string, number>);
    expect(a?.['initial']).toBe(fitted.a);
    expect(Math.abs(a!['lower']! - (fitted.a - 3 * errors.a))).toBeLessThan(0.1 * errors.a);
    expect(Math.abs(a!['upper']! - (fitted.a + 3 * errors.a))).toBeLessThan(0.1 * errors.a);
    expect(a?.['lower']).toBeLessThanOrEqual(fitted.a - 3 * errors.a + 1e-12);
    const factor = Math.exp((3 * errors.b) / fitted.b);
    expect(b!['upper']! / (fitted.b * factor)).toBeCloseTo(1, 1);
    expect((await study(applied(line, problem))).failed).toBe(0);
  });

  it('keeps the bound that it has, has elements of its own, and a value of 0 is no width', async () => {
    const document: Plain = {
      blocks: [
        parameter('K', [0, -4], { lower: -5 }),
        parameter('known', 1, { lower: 0, upper: 2 }),
        { id: 'sum', kind: 'reduce', operator: 'add', values: 'K' },
        map('f', 'sum*known'),
      ],
      objective: 'f',
    };
    const problem = await problemOf(document);
    expect(problem.remedy?.changes).toEqual([{ block: 'K', keys: { lower: [-1, -5], upper: [1, -2] } }]);
    expect(problem.fix).toBe('to begin with, say "K" from -5 to 1');
    expect((await study(applied(document, problem))).failed).toBe(0);
  });
});
