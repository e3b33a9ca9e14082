/**
 * Every command on documents with random effects: what it answers is held to the normal marginal likelihood in closed form,
 * of which it is known how the modes move, or it is refused by name.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { createEvaluator } from '../../../src-main/compute/evaluate.ts';
import { design } from '../../../src-main/compute/study/design.ts';
import { forward, reverse } from '../../../src-main/compute/differentiate.ts';
import { fittedValues } from '../../../src-main/compute/fit/fitted.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { hessian } from '../../../src-main/compute/hessian.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import { createPlotter } from '../../../src-main/compute/plots/plots.ts';
import { sensitivity } from '../../../src-main/compute/study/sensitivity.ts';
import { compareModels } from '../../../src-main/compute/study/compare-models.ts';
import { uncertainty } from '../../../src-main/compute/study/uncertainty.ts';
import type { FitReport } from '../../../src-main/contract/contract.ts';
import { exportFuthark } from '../../../src-main/export/futhark.ts';
import { exportJax } from '../../../src-main/export/jax.ts';
import { Refused } from '../../../src-main/refused.ts';
import { documentOf, map, parameter, type PlainBlock } from '../../support/command-line.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

// prettier-ignore
const y = [0.77, 1.94, 1.82, 2.4, 3.01, 2.2, 2.41, 3.22, 3.49, 3.87, 1.45, 0.75, 0.61, -0.17, -0.64, 0.54, 1.32, 0.17, 0.49, 1.15];
const each = 5;
const groups = y.length / each;
const x = y.map((_, i) => (i % each) - 2);

const column = (id: string, type = 'real'): PlainBlock => ({ id, kind: 'column', table: 't', column: id, type });

/** Lines of four groups, each with an intercept of its own. */
const lines = documentOf(
  [
    ...[column('y'), column('x'), column('h', 'category')],
    ...[parameter('a', 1), parameter('s', 0.1), parameter('sigma', 0.8), parameter('q', 2)],
    { id: 'u', kind: 'random-effect', like: 'h', sd: 1.3 },
    { id: 'b', kind: 'gather', from: 'u', indices: 'h' },
    ...[map('m', 'a + b + s*x'), map('z', 'q*m')],
    { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma' },
  ],
  { tables: { t: { columns: { y, x, h: y.map((_, i) => `g${Math.floor(i / each)}`) } } }, objective: 'l' },
);
const modelOf = async () => demandModel(await load(lines, undefined));

interface Theta {
  readonly a: number;
  readonly s: number;
  readonly sigma: number;
  readonly sd: number;
}
const start: Theta = { a: 1, s: 0.1, sigma: 0.8, sd: 1.3 };

/** Of one group: Σ(y − μ) and Σ(y − μ)². */
function sumsIn(group: number, { a, s }: Theta): readonly [number, number] {
  const rows = y.flatMap((value, i) => (Math.floor(i / each) === group ? [value - a - s * x[i]!] : []));
  return [rows.reduce((sum, r) => sum + r, 0), rows.reduce((sum, r) => sum + r * r, 0)];
}

/** −log N(y; μ, σ²·I + τ²·11ᵀ) by each group: its determinant and inverse by Sherman and Morrison. */
function minusLog(theta: Theta): number {
  const [v, t] = [theta.sigma ** 2, theta.sd ** 2];
  let total = 0;
  for (let g = 0; g < groups; g++) {
    const [sum, squares] = sumsIn(g, theta);
    const form = (squares - (t * sum * sum) / (v + each * t)) / v;
    total += 0.5 * (form + (each - 1) * Math.log(v) + Math.log(v + each * t) + each * Math.log(2 * Math.PI));
  }
  return total;
}

/** b̂ of a group, and 1/H there. */
const modeIn = (group: number, theta: Theta): number =>
  (theta.sd ** 2 * sumsIn(group, theta)[0]) / (theta.sigma ** 2 + each * theta.sd ** 2);
const varianceAt = ({ sigma, sd }: Theta): number => 1 / (each / sigma ** 2 + 1 / sd ** 2);

const keys = ['a', 's', 'sigma', 'sd'] as const;
const slopes = (f: (theta: Theta) => number, at: Theta): number[] =>
  keys.map((key) => {
    const h = 1e-4;
    const to = (step: number): number => f({ ...at, [key]: at[key] + step });
    return (8 * (to(h) - to(-h)) - (to(2 * h) - to(-2 * h))) / (12 * h);
  });

/** −log L at the best a and s: it is quadratic in them. */
function bestMeans(theta: Theta): number {
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length;
  const s = y.reduce((sum, value, i) => sum + value * x[i]!, 0) / x.reduce((sum, value) => sum + value * value, 0);
  return minusLog({ ...theta, a: mean, s });
}

/** The least value of a function of one number above 0 that has one minimum, by golden sections about a guess. */
function leastOver(f: (x: number) => number, guess: number): number {
  let [low, high] = [guess / 20, guess * 20].map(Math.log) as [number, number];
  const share = (Math.sqrt(5) - 1) / 2;
  for (let i = 0; i < 80; i++) {
    const [a, b] = [high - share * (high - low), low + share * (high - low)];
    if (f(Math.exp(a)) < f(Math.exp(b))) high = b;
    else low = a;
  }
  return f(Math.exp((low + high) / 2));
}

const ids = ['a', 's', 'sigma', 'u.sd.b'];
/** jᵀ·C·j, the covariance of a fit by `ids`. */
function carried({ estimates, correlation, correlationNames }: FitReport, j: readonly number[]): number {
  const places = ids.map((id) => correlationNames.indexOf(id));
  const errors = ids.map((id) => estimates.find(({ name }) => name === id)!.standardError);
  let square = 0;
  for (const [i, p] of places.entries())
    for (const [k, q] of places.entries()) square += j[i]! * j[k]! * correlation[p]![q]! * errors[i]! * errors[k]!;
  return square;
}

const closeTo = (values: readonly number[], digits: number): unknown[] =>
  values.map((value): unknown => expect.closeTo(value, digits));

describe('of a document with random effects', () => {
  it('`objective` is −log L, in evaluate, differentiate and hessian', async () => {
    const model = await modelOf();
    const evaluator = await createEvaluator(model, ['objective', 'l'], device);
    const values = await evaluator.at({}).finally(() => evaluator.release());
    expect(values.get('objective')?.values[0]).toBeCloseTo(minusLog(start), 10);
    expect(values.get('l')?.values[0]).toBeGreaterThan(minusLog(start) + 1);

    const { value, adjoints } = await reverse(model, { of: 'objective' }, device);
    expect(value.values[0]).toBeCloseTo(minusLog(start), 10);
    expect([...adjoints.keys()]).toEqual(['a', 's', 'sigma', 'q', 'u.sd.b']);
    const gradient = slopes(minusLog, start);
    expect(ids.map((id) => adjoints.get(id)?.values[0])).toEqual(closeTo(gradient, 8));
    expect(adjoints.get('q')?.values[0]).toBe(0);
    const { tangent } = await forward(model, { of: 'objective', tangent: { a: 2, 'u.sd.b': -1 } }, device);
    expect(tangent.values[0]).toBeCloseTo(2 * gradient[0]! - gradient[3]!, 8);

    const second = await hessian(model, {}, device);
    expect(second.parameters).toEqual(['a', 's', 'sigma', 'q', 'u.sd.b']);
    const rows = [0, 1, 2, 4].map((i) => [0, 1, 2, 4].map((j) => second.hessian![i]![j]!));
    const wanted = keys.map((_, i) => slopes((theta) => slopes(minusLog, theta)[i]!, start));
    expect(rows.flat()).toEqual(closeTo(wanted.flat(), 5));
    const { product } = await hessian(model, { of: 'objective', vector: [1, 0, 0, 7, 0] }, device);
    expect([0, 1, 2, 4].map((i) => product?.[i])).toEqual(
      closeTo(
        rows.map((row) => row[0]!),
        8,
      ),
    );
    await expect(reverse(model, { of: 'objective', wrt: ['x'] }, device)).rejects.toThrow(/not by "x"/);
  });

  it('`objective` is differentiated by the names of a file, too', async () => {
    const named = demandModel(
      await load({ ...lines, names: { slope: 's', 'sd(u)': 'u.sd.b', effect: 'u' } }, undefined),
    );
    const [, s, , sd] = slopes(minusLog, start);
    const { adjoints } = await reverse(named, { of: 'objective', wrt: ['slope', 's', 'sd(u)'] }, device);
    expect([...adjoints.keys()]).toEqual(['slope', 's', 'sd(u)']);
    expect([...adjoints.values()].map(({ values }) => values[0])).toEqual(closeTo([s!, s!, sd!], 8));
    const { tangent } = await forward(named, { of: 'objective', tangent: { slope: 2 } }, device);
    expect(tangent.values[0]).toBeCloseTo(2 * s!, 8);
    for (const name of ['effect', 'slpoe'])
      await expect(reverse(named, { of: 'objective', wrt: [name] }, device)).rejects.toThrow(Refused);
  });

  it('an output is differentiated by effects and deviations too', async () => {
    const { adjoints } = await reverse(await modelOf(), { of: 'm', cotangent: x.map(() => 1) }, device);
    expect([...(adjoints.get('u.b')?.values ?? [])]).toEqual([5, 5, 5, 5]);
    expect([...(adjoints.get('u.sd.b')?.values ?? [])]).toEqual([0]);
    expect(adjoints.get('a')?.values[0]).toBe(20);
  });

  it('local sensitivity is that of −log L; a global study is refused, or varies what has a range', async () => {
    const model = await modelOf();
    const at = { parameters: {} };
    const local = await sensitivity(model, device, { kind: 'sensitivity', method: 'local' }, at);
    const derivatives = ids.map((id) => local.indices.find(({ name }) => name === id)?.figures['derivative'] as number);
    expect(derivatives).toEqual(closeTo(slopes(minusLog, start), 8));
    const study = (of?: string) =>
      sensitivity(model, device, { kind: 'sensitivity', method: 'morris', ...(of !== undefined && { of }) }, at);
    await expect(study()).rejects.toThrow(/integrated out of the objective/);
    await expect(study('l')).rejects.toThrow(/the parameters "a", "s", "sigma" and "q" have no range/);
  });

  it('the band of a group is that of its effects about their modes', async () => {
    const model = await modelOf();
    const fit = await fitModel(model, device, { parameters: {} });
    const known = new Map(fit.estimates.map((estimate) => [estimate.name, estimate]));
    const at = { ...start };
    keys.forEach((key, i) => Object.assign(at, { [key]: known.get(ids[i]!)?.value }));
    const places = ids.map((id) => fit.correlationNames.indexOf(id));
    const errors = ids.map((id) => known.get(id)!.standardError);
    const covariance = places.map((p, i) => places.map((q, j) => fit.correlation[p]![q]! * errors[i]! * errors[j]!));
    const request = { kind: 'uncertainty', method: 'covariance', bands: ['m'] } as const;
    const [band] = (await uncertainty(model, device, request, { parameters: {} })).bands ?? [];
    for (const row of [0, 3, 7, 16]) {
      const group = Math.floor(row / each);
      const of = (theta: Theta): number => theta.a + theta.s * x[row]! + modeIn(group, theta);
      const j = slopes(of, at);
      const square = j.reduce(
        (sum, a, i) => j.reduce((inner, b, k) => inner + a * b * covariance[i]![k]!, sum),
        varianceAt(at),
      );
      expect(band?.value[row]).toBeCloseTo(of(at), 6);
      expect((band!.upper[row]! - band!.lower[row]!) / 2).toBeCloseTo(1.959963984540054 * Math.sqrt(square), 6);
    }
  });

  it('a quantity of effects is one of their modes, which move and about which they vary', async () => {
    const blocks = lines['blocks'] as readonly PlainBlock[];
    const asked = {
      ...lines,
      blocks: [
        ...blocks,
        { id: 'all', kind: 'reduce', operator: 'add', values: 'u' },
        { id: 'k', kind: 'quantity', formula: '3*all + a' },
      ],
    };
    const fit = await fitModel(demandModel(await load(asked, undefined)), device, { parameters: {} });
    const known = new Map(fit.estimates.map((estimate) => [estimate.name, estimate]));
    const at = { ...start };
    keys.forEach((key, i) => Object.assign(at, { [key]: known.get(ids[i]!)?.value }));
    const of = (theta: Theta): number =>
      Array.from({ length: groups }, (_, g) => modeIn(g, theta)).reduce((sum, b) => sum + 3 * b, theta.a);
    const square = 9 * groups * varianceAt(at) + carried(fit, slopes(of, at));
    const [quantity] = fit.quantities ?? [];
    expect(quantity?.value).toBeCloseTo(of(at), 6);
    expect(quantity?.standardError).toBeCloseTo(Math.sqrt(square), 6);
  });

  describe('a quantity of a deviation', () => {
    const blocks = lines['blocks'] as readonly PlainBlock[];
    const asked = (more: readonly PlainBlock[]) => ({ ...lines, blocks: [...blocks, ...more] });
    const share: PlainBlock = {
      ...{ id: 'icc', kind: 'quantity', formula: 't^2/(t^2 + sigma^2)' },
      inputs: { t: 'u.sd.b' },
    };

    it('is the share of the variance that lies between the groups, by the delta method and by its profile', async () => {
      const given = demandModel(await load(asked([share]), undefined));
      const fit = await fitModel(given, device, { parameters: {} });
      const known = new Map(fit.estimates.map((estimate) => [estimate.name, estimate]));
      const at = { ...start };
      keys.forEach((key, i) => Object.assign(at, { [key]: known.get(ids[i]!)?.value }));
      const of = ({ sd, sigma }: Theta): number => sd ** 2 / (sd ** 2 + sigma ** 2);
      const square = carried(fit, slopes(of, at));
      const [quantity] = fit.quantities ?? [];
      expect(quantity?.value).toBeCloseTo(of(at), 6);
      expect(quantity?.standardError).toBeCloseTo(Math.sqrt(square), 6);

      const request = { kind: 'uncertainty', method: 'profile' } as const;
      const profile = await uncertainty(given, device, request, { parameters: {} });
      const [row] = profile.quantities ?? [];
      // Twice the rise of −log L at an end of the interval is the quantile of χ², the others at their best there.
      for (const end of [row!.lower, row!.upper]) {
        const sdOf = (sigma: number): number => sigma * Math.sqrt(end / (1 - end));
        const rise = 2 * (leastOver((sigma) => bestMeans({ ...at, sigma, sd: sdOf(sigma) }), at.sigma) - minusLog(at));
        expect(rise).toBeCloseTo(3.841458820694124, 4);
      }
    });

    it('is read by name alone: the effects are all that the block is', async () => {
      const model = demandModel(await load(asked([share, map('n', 'u*2')]), undefined));
      const evaluator = await createEvaluator(model, ['n', 'icc', 'u.sd.b', 'u'], device);
      const values = await evaluator.at({}).finally(() => evaluator.release());
      expect(values.get('icc')?.values[0]).toBeCloseTo(1.69 / (1.69 + 0.64), 12);
      expect(values.get('u.sd.b')?.values).toEqual(Float64Array.of(1.3));
      const reported = (await load(asked([share]), undefined)).blocks.find(({ id }) => id === 'u');
      expect(reported?.outputs.map(({ name }) => name)).toEqual(['b']);
      expect(reported?.aside?.map(({ name }) => name)).toEqual(['sd.b']);
    });

    it('is refused where the block has none of that name', async () => {
      const wrong = { ...share, inputs: { t: 'u.sd.c' } };
      expect((await load(asked([wrong]), undefined)).problems).toContainEqual(
        expect.objectContaining({ message: expect.stringContaining('"u" has no output "sd.c"') as string }),
      );
    });
  });

  it('compared with a model that has none, its variance is tested at its bound, as half of lmer’s test', async () => {
    const none = (lines['blocks'] as readonly PlainBlock[])
      .filter(({ id }) => id !== 'u' && id !== 'b')
      .map((block) => (block['id'] === 'm' ? map('m', 'a + s*x') : block));
    const loaded = async (document: Readonly<Record<string, unknown>>) => demandModel(await load(document, undefined));
    const { models, nested } = await compareModels(
      await loaded({ ...lines, blocks: none }),
      device,
      { kind: 'comparison', method: 'aicc', name: 'none', others: [{ name: 'groups', document: lines }] },
      { parameters: {}, load: loaded },
    );
    expect(models.map(({ logLikelihood }) => logLikelihood)).toEqual(closeTo([-32.363523861, -26.0596265963], 8));
    expect(nested).toEqual([
      { small: 'none', large: 'groups', test: 'likelihood-ratio', p: expect.closeTo(0.000192070746066, 8) as unknown },
    ]);
  });

  it('two deviations that make up for each other are neither at an edge nor in the way of the others’ errors', async () => {
    const fit = async (document: PlainBlock) =>
      fitModel(demandModel(await load(document, undefined)), device, { parameters: {} });
    const one = await fit(lines);
    for (const sd of [1.3, 0.7]) {
      const blocks = (lines['blocks'] as readonly PlainBlock[]).map((block) =>
        block['id'] === 'm' ? map('m', 'a + b + c + s*x') : block,
      );
      const second = [
        { id: 'v', kind: 'random-effect', like: 'h', sd },
        { id: 'c', kind: 'gather', from: 'v', indices: 'h' },
      ];
      const two = await fit({ ...lines, blocks: [...second, ...blocks] });
      expect([two.status, two.reason]).toEqual(['converged', expect.not.stringMatching('edge')]);
      expect(two.objective).toBeCloseTo(one.objective, 8);
      for (const name of ['a', 's', 'sigma']) {
        const [own, wanted] = [two, one].map((each) => each.estimates.find((estimate) => estimate.name === name));
        expect(own!.standardError / wanted!.standardError, name).toBeCloseTo(1, 2);
      }
      for (const name of ['u.sd.b', 'v.sd.b']) {
        const { verdict } = two.estimates.find((estimate) => estimate.name === name)!;
        expect(verdict.reason).toMatch('moves with');
      }
    }
  });

  it('compared with itself by another approximation, that is said', async () => {
    const loaded = async (document: Readonly<Record<string, unknown>>) => demandModel(await load(document, undefined));
    const compared = async (marginal: unknown) => {
      const others = [{ name: 'other', document: { ...lines, fit: { marginal } } }];
      const request = { kind: 'comparison', method: 'aicc', name: 'one', others } as const;
      return (await compareModels(await loaded(lines), device, request, { parameters: {}, load: loaded })).warnings;
    };
    expect(await compared('laplace')).toEqual([]);
    expect(await compared({ agq: 3 })).toEqual([
      'their effects are integrated out in different ways (laplace, agq 3), whose likelihoods differ by the approximation too: take one for all',
    ]);
  });

  it('each group has its curve at its modes, and that of the population beside it', async () => {
    const model = await modelOf();
    const fit = await fitModel(model, device, { parameters: {} });
    const at = fittedValues(fit) as Record<string, number[]>;
    const plotter = await createPlotter(model, device);
    const [plot] = await plotter.at(at);
    const [initial] = await plotter.at({});
    plotter.release();
    expect(initial?.groups.some(({ population }) => population !== undefined)).toBe(false);
    expect(plot?.groups.map(({ key }) => key)).toEqual(['g0', 'g1', 'g2', 'g3']);
    plot?.groups.forEach(({ curve, population }, group) => {
      const line = (effect: number): number[] => curve?.x.map((x) => at['a']![0]! + effect + at['s']![0]! * x) ?? [];
      expect(curve?.y).toEqual(closeTo(line(at['u.b']![group]!), 10));
      expect(population?.x).toEqual(curve?.x);
      expect(population?.y).toEqual(closeTo(line(0), 10));
    });
  });

  it('replicates are of groups: each is the mean of the groups that it drew, and the sandwich is of their scores', async () => {
    // Of a balanced design a and s are the means of each group's own line; of the last group nothing was observed.
    const h = [...y.map((_, i) => `g${Math.floor(i / each)}`), 'nobody'];
    const tables = { t: { columns: { y: [...y, 'NaN'], x: [...x, 0], h } } };
    const model = demandModel(await load({ ...lines, tables }, undefined));
    const none = { parameters: {} };
    const own = Array.from({ length: groups }, (_, g) => {
      const rows = y.slice(g * each, (g + 1) * each);
      const mean = rows.reduce((sum, value) => sum + value, 0) / each;
      return { a: mean, s: rows.reduce((sum, value, i) => sum + value * x[i]!, 0) / 10 };
    });
    const mean = (key: 'a' | 's', of: readonly (typeof own)[number][]): number =>
      of.reduce((sum, line) => sum + line[key], 0) / groups;
    const sandwich = await uncertainty(
      model,
      device,
      { kind: 'uncertainty', method: 'covariance', sandwich: true },
      none,
    );
    for (const key of ['a', 's'] as const) {
      const squares = own.reduce((sum, line) => sum + (line[key] - mean(key, own)) ** 2, 0);
      const row = sandwich.parameters.find(({ name }) => name === key);
      expect(row?.figures['standardError']).toBeCloseTo(Math.sqrt(squares) / groups, 7);
    }
    const asked = { kind: 'uncertainty', method: 'bootstrap', samples: 12 } as const;
    const { draws, diagnostics } = await uncertainty(model, device, asked, none);
    expect(diagnostics).toMatchObject({ replicates: 12, failed: 0 });
    const [a, s] = ['a', 's'].map((key) => [...(draws?.find(({ name }) => name === key)?.chains[0] ?? [])]);
    const some = own.flatMap((first) =>
      own.flatMap((second) => own.flatMap((third) => own.map((fourth) => [first, second, third, fourth]))),
    );
    for (const [k, value] of (a ?? []).entries()) {
      const near = some.filter((of) => Math.abs(mean('a', of) - value) < 1e-6);
      expect(near.some((of) => Math.abs(mean('s', of) - (s?.[k] ?? NaN)) < 1e-6)).toBe(true);
    }
    expect(new Set(a?.map((value) => value.toFixed(5))).size).toBeGreaterThan(6);
  });

  it('a deviation at its edge takes no part in the sandwich of the others, and is 0 in the replicates', async () => {
    // Groups whose means differ less than those of chance; beside a deviation of 0 a mean's error is √Σ_g(Σ_i r)²/n.
    const values = [1, 3, 2, 2.2, 3.1, 0.9, 2.8, 1.2, 2.1];
    const h = values.map((_, i) => 'abc'.charAt(Math.floor(i / 3)));
    const blocks = [
      ...[column('y'), column('h', 'category'), parameter('a', 1), parameter('sigma', 1, { scale: 'log' })],
      ...[
        { id: 'u', kind: 'random-effect', like: 'h' },
        { id: 'b', kind: 'gather', from: 'u', indices: 'h' },
      ],
      map('m', 'a + b'),
      { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma' },
    ];
    const tables = { t: { columns: { y: values, h } } };
    const model = demandModel(await load(documentOf(blocks, { tables, objective: 'l' }), undefined));
    const none = { parameters: {} };
    const asked = { kind: 'uncertainty', method: 'covariance', sandwich: true } as const;
    const { parameters } = await uncertainty(model, device, asked, none);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const left = [0, 3, 6].map((g) => values.slice(g, g + 3).reduce((sum, value) => sum + value - mean, 0));
    const error = Math.sqrt(left.reduce((sum, r) => sum + r * r, 0)) / values.length;
    expect(parameters.find(({ name }) => name === 'a')?.figures['standardError']).toBeCloseTo(error, 7);
    expect(parameters.find(({ name }) => name === 'u.sd.b')?.verdict.reason).toMatch('lies at its lower bound 0');
    const replicates = await uncertainty(
      model,
      device,
      { kind: 'uncertainty', method: 'bootstrap', samples: 12 },
      none,
    );
    const ends = replicates.draws?.find(({ name }) => name === 'u.sd.b')?.chains[0] ?? [];
    expect([...ends].every((value) => value === 0 || value > 1e-3)).toBe(true);
    expect([...ends]).toContain(0);
  });

  it('what is not known or not built is refused by name', async () => {
    const model = await modelOf();
    const none = { parameters: {} };
    const parametric = { kind: 'uncertainty', method: 'bootstrap', resample: 'parametric' } as const;
    await expect(uncertainty(model, device, parametric, none)).rejects.toThrow('it is groups that are drawn again');
    await expect(design(model, device, { kind: 'design', method: 'D' }, none)).rejects.toThrow(
      /random effects, as those of "u"/,
    );
    const band = { kind: 'uncertainty', method: 'covariance', bands: ['z'] } as const;
    await expect(uncertainty(model, device, band, none)).rejects.toThrow(/says nothing of "q"/);
  });

  it('exports say that effects are parameters there', async () => {
    const model = await modelOf();
    for (const text of [exportJax(model, '0'), exportFuthark(model, '0')]) {
      expect(text).toContain('a fit integrates them out');
      expect(text).toContain('u.sd.b');
    }
  });
});
