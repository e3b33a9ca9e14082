/**
 * What is shown is what was computed, over random documents: each point of each curve is what the prediction is for a table
 * with that abscissa, however the table comes by it; each point and each residual is that of its row; each end of a
 * confidence band is as far away as the prediction moves along the one direction in which the fit is uncertain; and
 * between the ends of a prediction band lies as much as is said of one more observation.
 */
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import studentQuantile from '@stdlib/stats-base-dists-t-quantile';
import { cpuDevice, elementName } from '../../../../engine/index.ts';
import { kindFacts } from '../../../../models/facts/kinds.ts';
import { lowerModel, type Lowered } from '../../../../models/lower/lower.ts';
import type { Model } from '../../../../models/load/model.ts';
import { forward } from '../../../../src-main/compute/differentiate.ts';
import { problemOf } from '../../../../src-main/compute/fit/fit.ts';
import { conditionalModes } from '../../../../src-main/compute/fit/random-effects.ts';
import { demandModel, load } from '../../../../src-main/compute/running/load.ts';
import { createPlotter } from '../../../../src-main/compute/plots/plots.ts';
import { aroundModes, type Values } from '../../../support/around-modes.ts';
import { observationsOf } from '../../../support/random/observations.ts';
import { startInstance, writeParameters } from '../../../../src-main/compute/running/run.ts';
import type { FitReport } from '../../../../src-main/contract/contract.ts';
import type { Plot } from '../../../../src-main/contract/plots.ts';
import {
  randomMixedPlot,
  randomPlot,
  type Columns,
  type PlainBlock,
  type RandomPlot,
} from '../../../support/random/plots.ts';
import '../../../support/seed.ts';

const device = cpuDevice();
afterAll(() => device.close());

const numRuns = Number(process.env['SWEEP'] === 'long' ? 3000 : (process.env['SWEEP'] ?? 60));

type Cells = readonly (number | string | null)[];

async function modelOf(document: unknown): Promise<Model | undefined> {
  const { model } = await load(document, undefined);
  return model;
}

/** Where the deviations of random effects stand, a number for each: as if a fit had found these modes, or at 0. */
type Effects = (lowered: Pick<Lowered, 'parameters'>) => Record<string, number[]>;
const modes: Effects = ({ parameters }) =>
  Object.fromEntries(
    parameters.flatMap(({ id, effect, initial }) =>
      effect === undefined ? [] : [[id, Array.from(initial, (_, i) => 0.4 * Math.cos(3 * i + 1))]],
    ),
  );
const none: Effects = () => ({});

async function evaluate(document: unknown, output: string, effects = modes): Promise<number[]> {
  const model = demandModel(await load(document, undefined));
  const lowered = lowerModel(model, { outputs: [output] });
  const instance = await startInstance(device, lowered);
  try {
    writeParameters(instance, lowered, effects(lowered));
    await instance.run();
    return Array.from(await instance.read(output));
  } finally {
    instance.release();
  }
}

const withColumns = ({ document }: RandomPlot, columns: Columns, kept = true): PlainBlock => {
  const { obs } = document['tables'] as { obs: PlainBlock };
  return { ...document, tables: { obs: { ...(kept && obs), columns } } };
};

/** What is expected of an observation, of what is predicted. */
function expectedBy(family: unknown): (value: number) => number {
  if (family === 'log-normal') return Math.exp;
  const by = { binomial: 20, 'zero-inflated-poisson': 0.8 }[family as string] ?? 1;
  return (value) => by * value;
}

/** The prediction of which that is expected. */
function predictionOf(family: unknown): (value: number) => number {
  if (family === 'log-normal') return Math.log;
  const by = expectedBy(family)(1);
  return (value) => value / by;
}

function near(actual: readonly number[], wanted: readonly number[], what: string): void {
  expect(actual.length, what).toBe(wanted.length);
  actual.forEach((value, i) => {
    if (Object.is(value, wanted[i]) || value === wanted[i]) return;
    const apart = Math.abs(value - wanted[i]!);
    if (!(apart <= 1e-9 * Math.max(1, Math.abs(wanted[i]!))))
      expect.fail(`${what}: element ${i} is ${value}, wanted ${wanted[i]}`);
  });
}

/** The rows that are not excluded. */
function countedRows({ document, columns }: RandomPlot): number[] {
  const { obs } = document['tables'] as { obs: { excluded?: readonly { row: number }[] } };
  const gone = new Set(obs.excluded?.map(({ row }) => row));
  return columns['t']!.flatMap((_, row) => (gone.has(row) ? [] : [row]));
}

/** The rows of the table that a prediction has an element for: neither excluded nor left out by the filter. */
function keptRows(random: RandomPlot): number[] {
  const { columns, steps } = random;
  const where = (row: number): boolean => {
    const t = columns['t']![row] as number;
    if (steps.includes('by another column')) return columns['q']![row] === 1;
    return !steps.includes('by the abscissa') || (t > 0.6 && t < 2.1);
  };
  return countedRows(random).filter(where);
}

/** What an observation is measured by, in units of its noise. */
function residualOf(loss: PlainBlock, y: number, predicted: number, s: number): number {
  const { kind, family, sigma, weights } = loss;
  if (kind === 'least-squares')
    return (y - predicted) * (sigma === undefined ? (weights === undefined ? 1 : Math.sqrt(s)) : 1 / s);
  const p = predicted / 20;
  const deviations: Readonly<Record<string, number>> = {
    ...{ normal: 0.5, 'student-t': 0.5, poisson: Math.sqrt(predicted) },
    ...{ 'negative-binomial': Math.sqrt(predicted + 0.3 * predicted ** 2), binomial: Math.sqrt(20 * p * (1 - p)) },
    ...{ gamma: predicted / Math.sqrt(3), 'zero-inflated-poisson': Math.sqrt(predicted * (1 + predicted / 4)) },
  };
  return family === 'log-normal'
    ? (Math.log(y) - Math.log(predicted)) / 0.7
    : (y - predicted) / deviations[family as string]!;
}

const byPlace = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((found, value, i) => found || value - b[i]!, 0);

/** Every observation that counts stands where its row says, once, with what is predicted of it and what is left. */
async function pointsHold(
  random: RandomPlot,
  [plot, residuals]: readonly [Plot, Plot],
  loss: PlainBlock,
  predicted: readonly number[],
): Promise<void> {
  const { columns } = random;
  // What lies in a group has no reference.
  if (plot.x.id?.includes('/')) return;
  const along = plot.x.id === null ? undefined : await evaluate(random.document, plot.x.id);
  const kept = keptRows(random);
  const rows = kept.flatMap((row, i) => {
    // Through a filter the abscissa is that of the rows that are kept.
    const place = plot.x.id !== null && plot.x.id in columns ? countedRows(random).indexOf(row) : i;
    const [x, y] = [along ? along[place]! : row, columns['y']![row] as number | null];
    return y === null || !Number.isFinite(x) ? [] : [{ x, y, row, p: predicted[i]!, s: columns['s']![row] as number }];
  });
  const shown = plot.groups.flatMap(({ points }) =>
    points.x.flatMap((x, i) =>
      points.excluded?.[i] ? [] : [[x, points.y[i]!, points.predicted![i]!, points.rows![i]!]],
    ),
  );
  near(
    shown.sort(byPlace).flat(),
    rows
      .map(({ x, y, p, row }) => [x, y, p, row])
      .sort(byPlace)
      .flat(),
    'points',
  );
  const left = residuals.groups.flatMap(({ points }) => points.x.map((x, i) => [x, points.y[i]!]));
  const wanted = rows.map(({ x, y, p, s }) => [x, residualOf(loss, y, p, s)]).filter(([, r]) => Number.isFinite(r));
  near(left.sort(byPlace).flat(), wanted.sort(byPlace).flat(), 'residuals');
}

/** A row of the group with this label that counts. */
function rowOf(random: RandomPlot, by: string | null, key: string | null): number {
  const labels = (by ?? '').split(', ').filter((id) => id !== '');
  const values = new Map(
    labels.length === 1
      ? [[labels[0]!, key!]]
      : (key ?? '').split(', ').map((part) => part.split(' ') as [string, string]),
  );
  return keptRows(random).find((row) => labels.every((id) => String(random.columns[id]![row]) === values.get(id)))!;
}

type Evaluate = (columns: Columns, kept: boolean) => Promise<number[]>;

/** The abscissa's values take the place of the table's, stand after them, or one of them in one row's. */
async function curveHolds(
  random: RandomPlot,
  plot: Plot,
  { key, line: { x, y } }: { readonly key: string | null; readonly line: NonNullable<Plot['groups'][number]['curve']> },
  at: Evaluate,
): Promise<void> {
  const id = plot.x.id!;
  const row = rowOf(random, plot.by, key);
  const entries = Object.entries(random.columns);
  const grid = (name: string, cells: Cells): Cells => (name === id ? x : x.map(() => cells[row]!));
  const longer = Object.fromEntries(entries.map(([name, cells]) => [name, [...cells, ...grid(name, cells)]]));
  const after = (await at(longer, true)).slice(keptRows(random).length);
  near(y.filter(Number.isFinite), after.filter(Number.isFinite), `${key}, after the rows`);
  // One group alone would have other categories.
  if (plot.by === null && !random.steps.some((name) => /category|parameters|effects|histogram/.test(name))) {
    const alone = await at(Object.fromEntries(entries.map(([name, cells]) => [name, grid(name, cells)])), false);
    near(y.filter(Number.isFinite), alone.filter(Number.isFinite), 'alone');
  }
  // A solver's steps follow all the times there are.
  if (random.steps.some((name) => name.startsWith('ode'))) return;
  for (const i of [0, Math.floor(x.length / 3), x.length - 1]) {
    if (!Number.isFinite(y[i])) continue;
    const one = Object.fromEntries(
      entries.map(([name, cells]) => [name, name === id ? cells.with(row, x[i]!) : cells]),
    );
    const place = keptRows({ ...random, columns: one }).indexOf(row);
    near([y[i]!], [(await at(one, true))[place]!], `${key}, in place of row ${row}`);
  }
}

/** A fit at the initial values whose covariance is v·vᵀ, and v by parameter: se² = J·C·Jᵀ is then the square of J·v. */
async function uncertainAlong(
  model: Model,
): Promise<{ fit: FitReport; v: Record<string, number | number[]>; free: number }> {
  const problem = await problemOf(model, device, {});
  const effects = new Set(problem.effects?.flatMap((level) => level.effects));
  const parameters = problem.parameters.filter(({ name }) => !effects.has(name));
  const estimates = parameters.flatMap(({ name: block, shape, initial }, p) =>
    initial.map((value, element) => ({
      ...{ name: elementName(block, shape, element), block, value, fixed: false, lower95: NaN, upper95: NaN },
      ...{ standardError: 0.05 * (1 + ((p + 2 * element) % 3)), verdict: { status: 'determined', reason: '' } },
    })),
  );
  const sign = (i: number): number => (i % 2 === 0 ? 1 : -1);
  const correlation = estimates.map((_, i) => estimates.map((__, j) => sign(i) * sign(j)));
  const v = new Map<string, number[]>();
  estimates.forEach(({ block, standardError }, i) => v.set(block, [...(v.get(block) ?? []), sign(i) * standardError]));
  const shaped = parameters.map(({ name, shape }) => [name, shape.length === 0 ? v.get(name)![0] : v.get(name)]);
  const names = estimates.map(({ name }) => name);
  return {
    fit: { estimates, correlation, correlationNames: names, objective: 1 } as unknown as FitReport,
    v: Object.fromEntries(shaped) as Record<string, number | number[]>,
    free: estimates.length,
  };
}

interface Uncertain {
  readonly loss: PlainBlock;
  readonly along: Readonly<Record<string, number | number[]>>;
  /** Of random effects: their modes, about which they vary. */
  readonly modes: Values | undefined;
  /** Those of z and of Student's t, one of which it is. */
  readonly quantiles: readonly number[];
  /** Of an observation of weight 1, where it is estimated. */
  readonly variance: number;
}

/** One standard error of each element of the output: how far it moves along v; with effects, and how they vary. */
async function uncertainty(
  random: RandomPlot,
  columns: Columns,
  of: string,
  { v, modes }: { readonly v: Uncertain['along']; readonly modes: Values | undefined },
): Promise<number[] | undefined> {
  const model = demandModel(await load(withColumns(random, columns), undefined));
  if (!modes) return Array.from((await forward(model, { of, tangent: v }, device)).tangent.values);
  const along = Object.fromEntries(Object.entries(v).map(([id, x]) => [id, Array.isArray(x) ? x : [x]]));
  const found = await aroundModes([(await modelOf(random.document))!, model], { of, along, near: modes }, device);
  // The modes that the engine found are those that are asked about.
  if (found) near(Object.values(found.modes).flat(), Object.values(modes).flat(), 'modes');
  return found?.moved.map((moved, i) => Math.hypot(moved, Math.sqrt(found.variance[i]!)));
}

/** Half the width on the prediction's own scale, over how far the prediction moves: the quantile, everywhere. */
async function bandHolds(
  random: RandomPlot,
  plot: Plot,
  group: Plot['groups'][number],
  output: string,
  { loss, along: v, modes, quantiles, variance }: Uncertain,
): Promise<void> {
  const back = predictionOf(loss['family']);
  const { curve, band } = group;
  if (!curve || !band) return;
  const row = rowOf(random, plot.by, group.key);
  const longer = Object.fromEntries(
    Object.entries(random.columns).map(([name, cells]) => [
      name,
      [...cells, ...(name === plot.x.id ? curve.x : curve.x.map(() => cells[row]!))],
    ]),
  );
  const all = await uncertainty(random, longer, output, { v, modes });
  if (!all) return;
  const moved = all.slice(keptRows(random).length);
  const finite = curve.y.flatMap((y, i) => (Number.isFinite(y) ? [i] : []));
  // Where a filter keeps no row there is no element.
  if (moved.length !== finite.length && moved.length !== curve.x.length) expect.fail('a band of other rows');
  finite.forEach((i, k) => {
    const along = Math.abs(moved[moved.length === curve.x.length ? i : k]!);
    const exact = modes ? 1e-6 : 1e-7;
    const [lower, upper] = [back(band.confidence.lower[i]!), back(band.confidence.upper[i]!)];
    const near = (q: number): boolean =>
      Math.abs(upper - lower - 2 * q * along) <= exact * Math.max(1, Math.abs(upper), Math.abs(lower));
    const quantile = quantiles.find(near);
    if (quantile === undefined && Number.isFinite(along))
      expect.fail(
        `${group.key}: at ${curve.x[i]} the band is ${upper - lower} wide, and the prediction moves ${along}`,
      );
    seen.bands++;
    const wide = [band.prediction?.lower[i] ?? NaN, band.prediction?.upper[i] ?? NaN] as const;
    if (quantile === undefined || !wide.every(Number.isFinite)) return;
    observationsOf(loss, { centre: back(curve.y[i]!), error: along, quantile, variance }).expectBetween(wide);
    seen.predictions++;
  });
}

/** The modes of the effects at the initial values, as a report tells them. */
async function modesOf(model: Model): Promise<Values | undefined> {
  const problem = await problemOf(model, device, {});
  const told = await conditionalModes(model, problem, { estimates: [], correlation: { names: [], matrix: [] } });
  return (
    told &&
    Object.fromEntries(
      Object.entries(told).flatMap(([id, { effects }]) =>
        Object.entries(effects).map(([name, { value }]) => [`${id}.${name}`, value]),
      ),
    )
  );
}

const seen = { plots: 0, curves: 0, bands: 0, predictions: 0, populations: 0, kinds: new Set<string>() };

async function holds(random: RandomPlot): Promise<void> {
  const model = await modelOf(random.document);
  if (!model) return;
  for (const { node } of model.blocks.values()) seen.kinds.add(node.id.includes('/') ? 'group' : node.block.kind);
  const plotter = await createPlotter(model, device);
  const effects = modes(lowerModel(model, { outputs: ['curve'] }));
  const isMixed = Object.keys(effects).length > 0;
  const uncertain = await uncertainAlong(model);
  const bands = { fit: uncertain.fit, level: 0.95 };
  const plots = await plotter.at(effects, isMixed ? {} : { bands });
  const found = isMixed ? await modesOf(model) : undefined;
  // A group that has no mode has no band.
  const banded = found ? await plotter.at(found, { bands }) : plots;
  plotter.release();
  const blocks = random.document['blocks'] as readonly PlainBlock[];
  for (const [i, plot] of plots.entries()) {
    if (plot.kind !== 'comparison') continue;
    seen.plots++;
    const loss = blocks.find(({ id }) => id === plot.of)!;
    const output = (loss['prediction'] ?? loss['mean'] ?? loss['probability']) as string;
    const expected = expectedBy(loss['family']);
    const predicted = (await evaluate(random.document, output)).map(expected);
    await pointsHold(random, [plot, plots[i + 1]!], loss, predicted);
    const rows = plots.flatMap(({ kind, groups }) => (kind === 'residuals' ? [] : groups));
    const counted = rows.flatMap(({ points }) => points.y.filter((_, k) => !points.excluded?.[k])).length;
    const freedom = counted - uncertain.free;
    const quantiles = [1.959963984540054, ...(freedom > 0 ? [studentQuantile(0.975, freedom)] : [])];
    for (const [g, group] of plot.groups.entries()) {
      const { key, curve } = group;
      if (!curve) continue;
      seen.curves++;
      const told = { loss, along: uncertain.v, modes: found, quantiles, variance: 1 / freedom };
      // Each is a program of its own: one of the groups will do.
      if (g === 0) await bandHolds(random, plot, banded[i]!.groups[0]!, output, told);
      expect(curve.x.every((x, i) => i === 0 || x > curve.x[i - 1]!)).toBe(true);
      const along =
        (effects?: Effects): Evaluate =>
        async (columns, kept) =>
          (await evaluate(withColumns(random, columns, kept), output, effects)).map(expected);
      await curveHolds(random, plot, { key, line: curve }, along());
      // Where the effects enter what is predicted, beside it stands what is predicted without them.
      const { population } = group;
      if (population) seen.populations++;
      if (population) await curveHolds(random, plot, { key, line: population }, along(none));
    }
  }
}

it('points, residuals, curves and bands are what is evaluated', async () => {
  await fc.assert(fc.asyncProperty(randomPlot, holds), { numRuns });
  expect(Object.keys(kindFacts).filter((kind) => !seen.kinds.has(kind))).toEqual(['random-effect']);
  // A generator of models that are refused, or have no curve, would show nothing.
  expect(seen.plots).toBeGreaterThan(numRuns);
  expect(seen.curves).toBeGreaterThan(numRuns / 10);
  expect(seen.bands).toBeGreaterThan(numRuns);
  expect(seen.predictions).toBeGreaterThan(numRuns);
});

it('curves and bands at the modes of random effects, and curves where they are 0, are what is evaluated', async () => {
  const before = seen.bands;
  const mixedRuns = Math.ceil(numRuns / 8);
  await fc.assert(fc.asyncProperty(randomMixedPlot, holds), { numRuns: mixedRuns });
  expect(seen.bands - before).toBeGreaterThan(4 * mixedRuns);
  expect(seen.kinds).toContain('random-effect');
  expect(seen.populations).toBeGreaterThan(mixedRuns);
});
