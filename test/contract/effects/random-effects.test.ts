/**
 * The contract on blocks `random-effect`: marginal likelihoods against `lmer` (where Laplace's approximation is exact) and
 * `glmer` of R's lme4 1.1, both run to 10⁻¹³; the exact gradient against central differences; what is refused.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice, marginalQuestions } from '../../../engine/index.ts';
import { openAnswers } from '../../../engine/6-fit/answers.ts';
import { coordinates, startingPoint } from '../../../engine/6-fit/coordinates.ts';
import { marginalOf } from '../../../engine/6-fit/marginal/marginal.ts';
import { correlationMatrix } from '../../../models/blocks/random-effect.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import { fitJson } from '../../../src-main/cli/output/fit-output.ts';
import { fitModel, problemOf } from '../../../src-main/compute/fit/fit.ts';
import { uncertainty } from '../../../src-main/compute/study/uncertainty.ts';
import { documentOf, map, parameter, refusal, type PlainBlock } from '../../support/command-line.ts';
import { expectMarginalGradient } from '../../support/fits/marginal-gradient.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

interface Row {
  readonly value: number;
  readonly standardError: number | null;
}
interface Effect {
  readonly shrinkage?: number;
  readonly value: readonly number[];
  readonly standardDeviation: readonly number[];
}
interface Fit {
  readonly status: string;
  readonly reason: string;
  readonly objective: number;
  readonly posterior?: number;
  readonly decrement: number;
  readonly parameters: Readonly<Record<string, Row>>;
  readonly random?: Readonly<Record<string, { readonly groups: readonly string[] } & Readonly<Record<string, Effect>>>>;
  readonly warnings?: readonly string[];
}

const column = (id: string, type = 'real'): PlainBlock => ({ id, kind: 'column', table: 't', column: id, type });
const effect = (like: string, more: PlainBlock = {}): PlainBlock => ({ id: 'u', kind: 'random-effect', like, ...more });
const taken = (id: string, from: string, indices: string): PlainBlock => ({ id, kind: 'gather', from, indices });
const normal: PlainBlock = { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma' };
const repeated = (values: readonly (number | string)[], each: number): (number | string)[] =>
  values.flatMap((value) => new Array<number | string>(each).fill(value));

function model(
  columns: Readonly<Record<string, readonly (number | string)[]>>,
  blocks: readonly PlainBlock[],
  more: PlainBlock = {},
): PlainBlock {
  const types = Object.entries(columns).map(([id, values]) =>
    column(id, typeof values[0] === 'string' ? 'category' : 'real'),
  );
  return documentOf([...types, ...blocks], { tables: { t: { columns } }, objective: 'l', ...more });
}

/** What the command prints, without a process of its own. */
async function fitted(document: PlainBlock): Promise<Fit> {
  const model = demandModel(await load(document, undefined));
  return JSON.parse(JSON.stringify(fitJson(await fitModel(model, device, { parameters: {} })))) as Fit;
}

/** Lines of eight groups, each with an intercept and a slope of its own. */
// prettier-ignore
const lines = model(
  {
    y: [0.77,1.94,1.82,2.4,3.01,2.2,2.41,3.22,3.49,3.87,1.45,0.75,0.61,-0.17,-0.64,0.54,1.32,0.17,0.49,1.15,3.11,4.76,4.46,5.38,5.52,1.04,1.76,1.16,2.33,2,1.68,4.32,5.35,6.2,7.59,1.06,2.15,4.19,5.4,6.97],
    x: Array.from({ length: 40 }, (_, i) => (i % 5) - 2),
    h: repeated(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], 5),
  },
  [
    parameter('a', 1), parameter('s', 0.1), parameter('sigma', 1, { scale: 'log' }),
    effect('h', { names: ['b0', 'b1'], covariance: 'full', sd: [1, 0.5] }),
    taken('b0', 'u.b0', 'h'), taken('b1', 'u.b1', 'h'), map('m', 'a + b0 + (s + b1)*x'), normal,
  ],
);

/** Counts of six groups. */
// prettier-ignore
const counts = (fit: PlainBlock = {}): PlainBlock => model(
  {
    y: [3, 5, 2, 4, 0, 1, 0, 2, 7, 9, 12, 15, 1, 0, 2, 1, 4, 4, 6, 8, 2, 3, 1, 6],
    x: Array.from({ length: 24 }, (_, i) => (i % 4) - 1.5),
    g: repeated(['a', 'b', 'c', 'd', 'e', 'f'], 4),
  },
  [
    parameter('a', 0), parameter('s', 0), effect('g', { sd: 0.5 }), taken('b', 'u', 'g'), map('m', 'exp(a + b + s*x)'),
    { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'y', mean: 'm' },
  ],
  { fit },
);

/** Twenty pairs in five plots. */
// prettier-ignore
const nested = model(
  {
    y: [2.66, 6.63, 5.51, 6.75, 3.05, 6.56, 5.14, 6.77, 0.57, 4.18, 0.59, 3.09, 0.52, 4.66, 2.29, 4.52, -0.39, 3.53, 1.97,
        4.21, -0.17, 4.28, 0.78, 2.46, 0.16, 3.44, 1.5, 3.52, 1.38, 4.74, 2.29, 3.34, -0.04, 3.65, 1.39, 3.65, -1.57, 2.33,
        2.01, 3.73],
    x: Array.from({ length: 40 }, (_, i) => [-1, 1.5, 0, 1.25][i % 4]!),
    h: repeated(['1', '2', '3', '4', '5'].map((h) => `plot ${h}`), 8),
    g: repeated(Array.from({ length: 20 }, (_, i) => `pair ${i}`), 2),
  },
  [
    parameter('a', 1), parameter('s', 0.1), parameter('sigma', 1, { scale: 'log' }), effect('h'),
    { ...effect('g'), id: 'w' }, taken('bh', 'u', 'h'), taken('bg', 'w', 'g'), map('m', 'a + bh + bg + s*x'), normal,
  ],
);

/** Counts of nine items by six judges, four of them missing. */
// prettier-ignore
const crossed = ((): PlainBlock => {
  const cells = Array.from({ length: 54 }, (_, i) => i).filter((i) => ![2, 16, 29, 43].includes(i));
  return model(
    {
      y: [1,2,3,6,3,6,5,2,6,3,1,9,6,6,5,3,0,0,0,0,5,0,1,3,4,2,3,6,4,1,1,2,5,2,3,2,14,10,1,9,5,1,0,0,1,1,2,0,2,1],
      x: [-0.96,-0.29,-1.15,0.2,0.03,0.09,1.12,-1.22,1.27,-0.74,-1.13,-0.72,0.25,0.15,-0.31,-0.65,1.22,0.2,-0.58,-0.94,-0.2,-1.67,-0.48,-0.74,1.16,1.01,-0.07,0.9,0.85,0.73,0.74,-0.35,0.71,1.3,0.04,-0.98,0.79,0.79,-0.31,1.7,0.35,-2.27,-0.16,1.13,-0.46,-0.9,0.73,-0.81,0.27,-1.74],
      i: cells.map((cell) => `item ${cell % 9}`),
      j: cells.map((cell) => `judge ${Math.floor(cell / 9)}`),
    },
    [
      parameter('a', 0), parameter('s', 0), effect('i'), { ...effect('j'), id: 'w' }, taken('bi', 'u', 'i'),
      taken('bj', 'w', 'j'), map('m', 'exp(a + s*x + bi + bj)'),
      { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'y', mean: 'm' },
    ],
  );
})();

/** Three effects of twelve subjects, of whom the data tell two apart; the start is far off. */
const theophylline = ((): PlainBlock => {
  const file = join(import.meta.dirname, '../../../models/catalogue/theoph.csv');
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.replaceAll('"', '').split(','));
  const numbers = (k: number): number[] => rows.map((row) => Number(row[k]));
  const logs = ['ka', 'ke', 'cl'].flatMap((id) => [
    taken(`b${id}`, `u.${id}`, 'subject'),
    map(id, `exp(l${id} + b${id})`),
  ]);
  return model(
    { subject: rows.map(([subject = '']) => `s${subject}`), dose: numbers(2), time: numbers(3), y: numbers(4) },
    [
      ...[
        parameter('lka', -0.3),
        parameter('lke', -1.6),
        parameter('lcl', -2.6),
        parameter('sigma', 5, { scale: 'log' }),
      ],
      effect('subject', { names: ['ka', 'ke', 'cl'], covariance: 'full', sd: [0.3, 2, 4] }),
      ...[...logs, map('m', 'dose*ke*ka/(cl*(ka - ke))*(exp(-ke*time) - exp(-ka*time))'), normal],
    ],
  );
})();

/** What is believed of a slope is no part of any group. */
const withPrior: PlainBlock = {
  ...counts({ marginal: { agq: 4 } }),
  blocks: (counts()['blocks'] as PlainBlock[]).map((block) =>
    block['id'] === 's' ? { ...block, prior: { family: 'normal', mean: 1, sd: 0.5 } } : block,
  ),
};

describe('a marginal likelihood', () => {
  it('of intercepts and slopes is that of lmer', async () => {
    const fit = await fitted(lines);
    expect(fit.status).toBe('converged');
    expect(fit.decrement).toBeLessThan(1e-9);
    expect(fit).not.toHaveProperty('posterior');
    expect(fit.objective).toBeCloseTo(45.640184944002, 9);
    const lmer: Readonly<Record<string, number>> = {
      ...{ a: 2.68075, s: 0.516875, sigma: 0.399750436 },
      ...{ 'u.sd.b0': 1.634873095, 'u.sd.b1': 0.606402185, 'u.correlation': 0.863925 },
    };
    for (const [id, value] of Object.entries(lmer)) expect(fit.parameters[id]?.value, id).toBeCloseTo(value, 6);
    expect(fit.parameters['a']?.standardError).toBeCloseTo(0.58146046, 5);
    expect(fit.parameters['s']?.standardError).toBeCloseTo(0.21900447, 5);
    const u = fit.random?.['u'];
    const [b0, b1] = [u?.['b0'], u?.['b1']];
    expect(u?.groups).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    expect(b0?.value[0]).toBeCloseTo(-0.666886697, 6);
    expect(b1?.value[1]).toBeCloseTo(-0.0481680734, 6);
    expect([b0?.standardDeviation[0], b1?.standardDeviation[0]]).toEqual([
      expect.closeTo(0.175134036, 6),
      expect.closeTo(0.117089537, 6),
    ]);
    expect([b0?.shrinkage, b1?.shrinkage]).toEqual([expect.closeTo(-0.0628934, 6), expect.closeTo(-0.0489269, 6)]);
  });

  it('of nested groups is that of lmer', async () => {
    const { status, objective, parameters, random } = await fitted(nested);
    expect(status).toBe('converged');
    expect(objective).toBeCloseTo(36.673667559381, 9);
    expect(parameters['a']?.value).toBeCloseTo(2.231585094, 6);
    expect(parameters['u.sd.b']?.value).toBeCloseTo(1.230160854, 6);
    expect(parameters['w.sd.b']?.value).toBeCloseTo(0.617516161, 6);
    expect(parameters['sigma']?.value).toBeCloseTo(0.283566856, 6);
    expect(random?.['u']?.groups).toEqual(['plot 1', 'plot 2', 'plot 3', 'plot 4', 'plot 5']);
    const modes = [2.329526532, -0.317397113, -0.755629505, -0.323240212, -0.933259701];
    random?.['u']?.['b']?.value.forEach((value, i) => expect(value).toBeCloseTo(modes[i]!, 6));
  });

  it('of counts by groups that cross is that of glmer', async () => {
    const { status, objective, parameters, random } = await fitted(crossed);
    expect(status).toBe('converged');
    expect(objective).toBeCloseTo(99.6367929, 6);
    expect(parameters['a']?.value).toBeCloseTo(0.8806, 4);
    expect(parameters['s']?.value).toBeCloseTo(0.44348, 4);
    expect(parameters['u.sd.b']?.value).toBeCloseTo(0.44068, 4);
    expect(parameters['w.sd.b']?.value).toBeCloseTo(0.53815, 4);
    expect(random?.['w']?.['b']?.value[0]).toBeCloseTo(0.278859, 4);
    expect(random?.['w']?.['b']?.standardDeviation[0]).toBeCloseTo(0.216268, 4);
  });

  it('of counts is that of glmer, whose deviance leaves log y! out', async () => {
    const { status, objective, parameters, random } = await fitted(counts());
    expect(status).toBe('converged');
    expect(objective).toBeCloseTo(48.5696281986, 6);
    expect(parameters['a']?.value).toBeCloseTo(1.039530163, 4);
    expect(parameters['s']?.value).toBeCloseTo(0.2405953488, 5);
    expect(parameters['u.sd.b']?.value).toBeCloseTo(0.847364636, 4);
    expect(random?.['u']?.['b']?.value[1]).toBeCloseTo(-0.986162455, 4);
  });

  it('of counts by quadrature is that of glmer with as many points', async () => {
    const { status, objective, parameters } = await fitted(counts({ marginal: { agq: 7 } }));
    expect(status).toBe('converged');
    // glmer's own value has no constants of the counts: Σ log of the saturated densities.
    expect(objective).toBeCloseTo(15.68626047354 + 32.8620968523, 6);
    expect(parameters['a']?.value).toBeCloseTo(1.0389794395, 5);
    expect(parameters['s']?.value).toBeCloseTo(0.2405953507, 5);
    expect(parameters['u.sd.b']?.value).toBeCloseTo(0.850761163, 5);
  });

  it('by quadrature is exact where Laplace is', async () => {
    const { objective, status } = await fitted({ ...lines, fit: { marginal: { agq: 3 } } });
    expect(status).toBe('converged');
    expect(objective).toBeCloseTo(45.640184944002, 9);
  });

  it('by quadrature has groups of one row each where effects are by an array', async () => {
    const fit = { marginal: { agq: 5 } };
    const byRows = (counts(fit)['blocks'] as PlainBlock[]).flatMap((block) => {
      if (block['id'] === 'b') return [];
      return [block['id'] === 'u' ? effect('x') : block['id'] === 'm' ? map('m', 'exp(a + u + s*x)') : block];
    });
    const columns = {
      ...(counts()['tables'] as { t: { columns: Record<string, unknown[]> } }).t.columns,
      g: Array.from({ length: 24 }, (_, i) => `row ${i}`),
    };
    const byLabels = { ...counts(fit), tables: { t: { columns } } };
    const rows = await fitted({ ...counts(fit), blocks: byRows });
    expect(rows.objective).toBeCloseTo((await fitted(byLabels)).objective, 8);
  });

  it('of numbers that come again warns that each row is a group', async () => {
    const columns = { y: [1, 2, 3, 5, 4], g: [7, 7, 9, 9, 8] };
    const blocks = [parameter('a', 1), parameter('sigma', 1), effect('g'), map('m', 'a + u'), normal];
    const { problems } = await load(model(columns, blocks), undefined);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('a group for each of its 5 elements, not for each of its 3 values'),
    ]);
  });

  it('is found from noise that is far too small, where the effects are thousands of their deviations away', async () => {
    const blocks = (lines['blocks'] as PlainBlock[]).map((block) =>
      block['id'] === 'sigma' ? { ...block, initial: 1e-3 } : block,
    );
    expect((await fitted({ ...lines, blocks })).objective).toBeCloseTo(45.640184944002, 6);
  });

  it('tells of no effect that the objective does not read', async () => {
    const blocks = [...(lines['blocks'] as PlainBlock[]), { ...effect('h'), id: 'idle' }];
    const { parameters } = await fitted({ ...lines, blocks });
    expect(parameters['idle.sd.b']?.standardError).toBeNull();
    expect(Object.keys(parameters)).not.toContain('idle.b');
  });

  it.each([
    ['lines', lines],
    ['counts', counts()],
    ['counts by quadrature', counts({ marginal: { agq: 5 } })],
    ['counts by quadrature, with a prior', withPrior],
    ['pairs in plots', nested],
    ['counts by groups that cross', crossed],
  ])('has the gradient of central differences: %s', async (_, document) => {
    const problem = await problemOf(demandModel(await load(document, undefined)), device, {});
    await expectMarginalGradient(problem, device);
  });

  it.each([
    ['lines', lines],
    ['counts by quadrature', counts({ marginal: { agq: 5 } })],
  ])('has a gradient where a deviation all but vanishes and effects go together: %s', async (_, document) => {
    const problem = await problemOf(demandModel(await load(document, undefined)), device, {});
    const questions = marginalQuestions(problem, device);
    const names = problem.parameters.filter(({ fixed }) => !fixed).map(({ name }) => name);
    try {
      for (const [small, turned] of [
        [-20, 0.3],
        [-1, 1 - 1e-6],
      ] as const) {
        const at = questions.start.slice();
        names.forEach((name, j) => {
          if (/^u\.sd\.b1?$/.test(name)) at[j] = small;
          if (name === 'u.correlation') at[j] = turned;
        });
        const { gradient } = await questions.slope(at);
        for (const j of at.keys()) {
          const h = names[j] === 'u.correlation' ? 1e-7 : 1e-3;
          const beside = (d: number) => questions.value(at.map((u, k) => (k === j ? u + d : u)));
          const [one, two] = [(await beside(h)) - (await beside(-h)), (await beside(2 * h)) - (await beside(-2 * h))];
          expect(gradient[j], names[j]).toBeCloseTo((8 * one - two) / (12 * h), h < 1e-6 ? 3 : 6);
        }
      }
    } finally {
      questions.release();
    }
  });

  it.each([
    ['lines', lines],
    ['counts by quadrature, with a prior', withPrior],
    ['pairs in plots, by plots', nested],
  ] as const)('is the sum of its groups, taken one by one: %s', async (_, document) => {
    const problem = await problemOf(demandModel(await load(document, undefined)), device, {}, { byGroup: true });
    const all = coordinates(problem.parameters);
    const { slope, counted, layout } = marginalOf(problem, all);
    const answers = openAnswers(device, problem);
    const point = startingPoint(all);
    const none = await answers.ask(counted.slope, { point, counts: new Float64Array(layout.blocks.length) });
    const total = { value: none.value, gradient: none.gradient.slice() };
    for (const t of layout.blocks.keys()) {
      const counts = new Float64Array(layout.blocks.length).fill(1, t, t + 1);
      const { value, gradient } = await answers.ask(counted.slope, { point, counts });
      total.value += value - none.value;
      gradient.forEach((g, j) => (total.gradient[j] = total.gradient[j]! + g - none.gradient[j]!));
    }
    const whole = await answers.ask(slope, point);
    answers.release();
    expect(total.value).toBeCloseTo(whole.value, 8);
    whole.gradient.forEach((g, j) => expect(total.gradient[j]).toBeCloseTo(g, 8));
  });

  it('of nested groups is drawn again by the outermost: a plot that comes twice is two, with its pairs', async () => {
    const problem = await problemOf(demandModel(await load(nested, undefined)), device, {}, { byGroup: true });
    const { counted } = marginalOf(problem, coordinates(problem.parameters));
    const answers = openAnswers(device, problem);
    const point = startingPoint(coordinates(problem.parameters));
    const drawnAgain = await answers.ask(counted.slope, { point, counts: Float64Array.of(2, 0, 1, 1, 1) });
    answers.release();
    // The same as a document with the first plot twice and without the second.
    const { columns } = (nested['tables'] as { t: { columns: Record<string, unknown[]> } }).t;
    const rows = [0, 0, 2, 3, 4].flatMap((plot) => Array.from({ length: 8 }, (_, i) => 8 * plot + i));
    const again = (values: unknown[], name: string) =>
      rows.map((row, i) =>
        name === 'y' || name === 'x' ? values[row] : `${String(values[row])} ${i < 8 ? 'again' : ''}`,
      );
    const written = Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, again(values, name)]));
    const document = { ...nested, tables: { t: { columns: written } } };
    const whole = await problemOf(demandModel(await load(document, undefined)), device, {});
    const questions = marginalQuestions(whole, device);
    const { value, gradient } = await questions.slope(questions.start);
    questions.release();
    expect(drawnAgain.value).toBeCloseTo(value, 9);
    gradient.forEach((g, j) => expect(drawnAgain.gradient[j]).toBeCloseTo(g, 8));
  });

  it('of theophylline with three effects ends in the same place from afar, at a singular covariance', async () => {
    const { status, reason, objective, parameters } = await fitted(theophylline);
    expect(status).toBe('converged');
    expect(reason).toContain('"u.correlation[2]" is at its edge: the covariance of the effects is singular');
    // TMB 1.9.2 with the same effects and exact Hessian, by nlminb to 10⁻¹².
    expect(objective).toBeCloseTo(173.97546502, 6);
    const tmb: Readonly<Record<string, number>> = {
      ...{ lka: 0.46831568, lke: -2.442150467, lcl: -3.217128839, sigma: 0.6804136425 },
      ...{ 'u.sd.ka': 0.6468059967, 'u.sd.ke': 0.1326789133, 'u.sd.cl': 0.2523130365 },
    };
    for (const [id, value] of Object.entries(tmb)) expect(parameters[id]?.value, id).toBeCloseTo(value, 6);
  });

  it('whose variance goes to zero has arrived, and says so', async () => {
    const y = Array.from({ length: 24 }, (_, i) => (i % 4) + ((i * 7) % 5) / 10);
    const flat = model({ y, g: repeated(['a', 'b', 'c', 'd', 'e', 'f'], 4) }, [
      parameter('a', 1),
      parameter('sigma', 1, { scale: 'log' }),
      effect('g'),
      taken('b', 'u', 'g'),
      map('m', 'a + b'),
      normal,
    ]);
    const { status, reason, parameters } = await fitted(flat);
    expect(status).toBe('converged');
    expect(reason).toContain('"u.sd.b" is at its edge, 0');
    expect(parameters['u.sd.b']?.value).toBeLessThan(1e-3);
    // As whatever is at a bound: half of an interval about 0 would be negative deviations.
    expect(parameters['u.sd.b']?.standardError).toBeNull();
    const mean = y.reduce((sum, value) => sum + value, 0) / y.length;
    expect(parameters['a']?.value).toBeCloseTo(mean, 8);
    expect(parameters['sigma']?.value).toBeCloseTo(
      Math.sqrt(y.reduce((sum, value) => sum + (value - mean) ** 2, 0) / y.length),
      6,
    );
  });

  it('is that of the criteria', async () => {
    const loaded = demandModel(await load(lines, undefined));
    const request = { kind: 'uncertainty' as const, method: 'covariance' as const };
    const study = await uncertainty(loaded, device, request, { parameters: {} });
    expect(study.statistics['logLikelihood']).toBeCloseTo(-45.640184944, 8);
    expect(study.statistics['aic']).toBeCloseTo(2 * 6 + 2 * 45.640184944, 7);
  });
});

describe('correlations of three effects', () => {
  it('are a matrix, made of partial ones', () => {
    const [p, q, r] = [0.3, -0.5, 0.7] as const;
    const last = p * q + r * Math.sqrt((1 - p * p) * (1 - q * q));
    const wanted = [
      [1, p, q],
      [p, 1, last],
      [q, last, 1],
    ];
    correlationMatrix(3, [p, q, r]).forEach((row, i) =>
      row.forEach((value, j) => expect(value).toBeCloseTo(wanted[i]![j]!, 14)),
    );
  });
});

describe('the joint mode', () => {
  it('is had with "marginal": false, and warned of', async () => {
    const fit = await fitted(counts({ marginal: false }));
    expect(fit.warnings?.join()).toContain('joint mode');
    expect(fit.random).toBeUndefined();
  });
});

describe('what is refused', () => {
  const pairs = { y: [1, 2, 3, 4], g: ['a', 'a', 'b', 'b'], h: ['c', 'd', 'c', 'd'] };
  const shared = [parameter('a', 1), parameter('sigma', 1), effect('g'), taken('b', 'u', 'g')];

  it.each([
    ['sd', [effect('g', { sd: -1 })], '"sd" wants a number above 0'],
    ['names', [effect('g', { names: ['b', 'b'] })], 'each once'],
    ['like', [parameter('k', 1), effect('k')], 'wants a category, or an array'],
    [
      'squares without sigma',
      [...shared, map('m', 'a + b'), { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' }],
      'want an objective of likelihoods, and "l" has no sigma',
    ],
  ] as const)('%s', async (_, blocks, message) => {
    const hasLoss = blocks.some(({ id }) => id === 'l');
    expect(await refusal(model(pairs, blocks, hasLoss ? {} : { objective: undefined }))).toContain(message);
  });

  it('quadrature that it does not have, or that would not end', async () => {
    await expect(fitted({ ...nested, fit: { marginal: { agq: 3 } } })).rejects.toThrow('effects by one category');
    await expect(fitted({ ...lines, fit: { marginal: { agq: 1000 } } })).rejects.toThrow('20000 are the most');
    expect(await refusal({ ...lines, fit: { marginal: { agq: 0 } } })).toContain('"fit.marginal" wants');
  });

  it('quadrature over the rows of other groups than those by which effects are taken', async () => {
    const columns = { y: [1, 2, 3, 4, 2, 6], g: ['a', 'b', 'c', 'a', 'b', 'c'], h: ['a', 'b', 'c', 'b', 'c', 'a'] };
    const blocks = [
      parameter('a', 1),
      parameter('sigma', 1),
      effect('g'),
      taken('b', 'u', 'h'),
      map('m', 'a + b'),
      normal,
    ];
    const fit = { marginal: { agq: 3 } };
    await expect(fitted(model(columns, blocks, { fit }))).rejects.toThrow(
      'groups of "u" meet in the model, and are to be taken one by one',
    );
  });

  it('the expected information of groups that cross', async () => {
    await expect(fitted({ ...crossed, fit: { marginal: 'focei' } })).rejects.toThrow(
      'groups one by one, and these cross',
    );
  });
});
