/** What to measure next: the candidates of a model, what each would tell, and the best of them. */
import {
  type BandModel,
  bestDesign,
  Cancelled,
  type Device,
  type DesignCandidate,
  designAt,
  type DesignPoint,
  elementName,
  heeding,
} from '../../../engine/index.ts';
import type { LeastSquaresBlock } from '../../../models/blocks/least-squares.ts';
import type { LikelihoodBlock } from '../../../models/blocks/likelihood.ts';
import { freedIds } from '../../../models/lower/freed.ts';
import { outputAt, type Link } from '../../../models/graph/checked.ts';
import { findOutput, type Model } from '../../../models/load/model.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { studyMeaning } from '../../../models/lower/meaning.ts';
import { isDocumentNumber, toNumber } from '../../../models/notation/numbers.ts';
import { informationFactors } from '../../../models/plots/information.ts';
import {
  linksOf,
  modelAtSites,
  sampledIn,
  unknownAtSites,
  whyNowhere,
  type Sampled,
  type Site,
} from '../../../models/plots/candidates.ts';
import { gridOver } from '../../../models/plots/grid.ts';
import type { DesignReport, DesignRequest } from '../../contract/studies.ts';
import { Refused } from '../../refused.ts';
import { fittedValues } from '../fit/fitted.ts';
import { measuredBy } from '../fit/measured.ts';
import { fitFirst, type FittedFirst } from './fit-first.ts';
import { labelsTold } from '../fit/labels.ts';
import { asRefused } from '../running/refusals.ts';
import type { StudyContext } from './study-context.ts';

/** Along each group's curve. */
const gridPoints = 201;
/** Between neighbours of the grid the best are looked for so often, in so many steps. */
const zooms = 2;
const zoomSteps = 20;

interface Candidates {
  readonly sampled: Sampled;
  readonly range: readonly [low: number, high: number];
  readonly groups: readonly number[];
}

interface Told extends Site {
  readonly of: number;
  readonly told: DesignCandidate;
}

/** Where the model has no value, or lies at the edge of what its family allows, nobody knows what an observation tells. */
const isKnown = ({ told }: Told): boolean => told.every((vector) => vector.every(Number.isFinite));

/** Throws `Refused` where the model has no abscissa along which one more observation could be made. */
export async function design(
  model: Model,
  device: Device,
  request: DesignRequest,
  context: StudyContext,
): Promise<DesignReport> {
  const startedAt = performance.now();
  const { of, add = 1, method } = request;
  if (method === 'c' && of === undefined)
    throw new Refused('the criterion c is of one thing: name a parameter or a quantity with --for');
  if (method !== 'c' && of !== undefined)
    throw new Refused(`--for is of the criterion c, and this design is by ${method}`);
  const all = candidatesOf(model, request.range ?? {});
  try {
    const drawn = [...model.blocks].find(([, { node }]) => node.block.kind === 'random-effect')?.[0];
    if (drawn !== undefined)
      throw new Refused(
        `no design is made of a model with random effects, as those of "${drawn}": what one more observation tells depends on which group it is of, and is not built yet`,
      );
    const [tied] = freedIds(model);
    if (tied !== undefined)
      throw new Refused(
        `no design is made where parameters depend on one another, as "${tied}" does; keep it at its value by "fixed": true`,
      );
    const { problem, result } = await fitFirst(model, device, context);
    const report = (found: Pick<DesignReport, 'now' | 'points' | 'curves'>): DesignReport => ({
      ...{ kind: 'design', method, ...(of !== undefined && { of }), fit: fitOf(result), ...found },
      ...{ cancelled: result.status === 'cancelled', seed: 0, device: device.kind, precision: device.precision },
      milliseconds: performance.now() - startedAt,
      finishedAt: new Date().toISOString(),
      meaning: studyMeaning(model, undefined, of === undefined ? [] : [of.replace(/\[.*/, '')]),
      ...labelsTold(model),
    });
    if (result.status !== 'converged') return report({ now: NaN, points: [], curves: [] });
    if (problem.robust)
      throw new Refused('a design counts what each observation tells, and a robust loss has no likelihood');
    const point = await designAt(problem, result, heeding(device, context.cancel));
    const c = of === undefined ? undefined : await gradientOf(model, point, of);
    const held = point.bounded.find((name) => c && c[point.names.indexOf(name)] !== 0);
    if (held !== undefined)
      throw new Refused(
        `--for ${of}: "${held}" is at a bound, where it has no standard error that one more sample could narrow`,
      );
    const measure = point.criterion(method, c);
    const variance = point.variance ?? (await marginalVariance(model, result));
    const tellers = all.map((each, i) => (sites: readonly Site[]) => toldAt(model, each, i, point, variance, sites));
    const told = (await Promise.all(all.map((each, i) => tellers[i]!(gridSites(each))))).flat();
    const known = told.filter(isKnown);
    if (known.length === 0)
      throw new Refused(
        `nowhere in the range of ${[...new Set(all.map(({ sampled }) => `"${sampled.x}"`))].join(', ')} is it known what one more sample would tell`,
      );
    const after = told.map((site) => (isKnown(site) ? measure.after([site.told]) : NaN));
    const curves = all.flatMap(({ sampled, groups }, i) =>
      groups.map((group) => {
        const own = told.flatMap((site, k) => (site.of === i && site.group === group ? [k] : []));
        return {
          of: sampled.comparison.of,
          ...labelOf(sampled, group),
          column: sampled.x,
          x: own.map((k) => told[k]!.at),
          after: own.map((k) => after[k]!),
        };
      }),
    );
    let sites = known;
    let best = bestDesign(
      measure,
      known.map((site) => site.told),
      add,
    );
    for (let zoom = 1; zoom <= zooms; zoom++) {
      const near = best.flatMap(({ index }) => between(all, sites[index]!, zoom));
      const finer = await Promise.all(tellers.map((tell, i) => tell(near.filter((site) => site.of === i))));
      // What was best stays among the candidates: more of them can only be better.
      sites = [...best.map(({ index }) => sites[index]!), ...known, ...finer.flat().filter(isKnown)];
      best = bestDesign(
        measure,
        sites.map((site) => site.told),
        add,
      );
    }
    const points = best.map(({ index, after: value }) => {
      const { of: i, group, at } = sites[index]!;
      const { sampled } = all[i]!;
      return { of: sampled.comparison.of, x: placeOf(model, sampled, { group, at }), after: value };
    });
    return report({ now: measure.now, points, curves });
  } catch (error) {
    if (error instanceof Cancelled) throw new Refused('stopped before a design was found');
    throw asRefused(error);
  }
}

/**
 * σ̂² = SSR/m of the blocks that share one unknown noise, beside priors or other terms: by it the Hessian of (m/2)·log SSR counts their
 * rows, and one more is to count as one of them.
 */
async function marginalVariance(model: Model, { estimates }: FittedFirst['result']): Promise<number> {
  const objective = model.objective.filter((link) => {
    const block = model.blocks.get(link.block)?.node.block;
    return block?.kind === 'least-squares' && block.sigma === undefined;
  });
  if (objective.length === 0) return NaN;
  const values = fittedValues({ estimates: estimates.map(({ parameter: block, value }) => ({ block, value })) });
  const measured = await measuredBy({ ...model, objective }, values);
  let [squares, rows] = [0, 0];
  for (const [id, ports] of measured) {
    const { weights = 1 } = model.blocks.get(id)!.node.block as LeastSquaresBlock;
    const written = isDocumentNumber(weights) ? toNumber(weights) : NaN;
    const at = (port: string, row: number): number => {
      const { values: found, shape } = ports.get(port) ?? { values: [written], shape: [] };
      return found[shape.length === 0 ? 0 : row]!;
    };
    ports.get('observed')?.values.forEach((y, row) => {
      const weight = at('weights', row);
      if (Number.isNaN(y) || weight === 0) return;
      squares += weight * (y - at('prediction', row)) ** 2;
      rows += 1;
    });
  }
  return squares / rows;
}

const fitOf = ({ status, reason, objective }: FittedFirst['result']) => ({ status, reason, objective });

/** Throws `Refused` where there is none, or the range names what is no column of them. */
function candidatesOf(model: Model, range: Readonly<Record<string, unknown>>): Candidates[] {
  const all = sampledIn(model);
  if (all.length === 0)
    throw new Refused(`there is no abscissa along which one more sample could be taken: ${whyNowhere(model)}`);
  const unknown = all.map((sampled) => unknownAtSites(model, sampled));
  const known = all.filter((_, i) => unknown[i]?.length === 0);
  if (known.length === 0)
    throw new Refused(
      `of one more sample nobody knows "${unknown[0]?.[0]}": it is not made row by row of the same table`,
    );
  const names = new Set(known.flatMap(({ x, column, abscissa }) => [x, column, ...abscissa.groups.by]));
  const odd = Object.keys(range).find((name) => !names.has(name));
  if (odd !== undefined)
    throw new Refused(
      `--range names "${odd}", and samples differ in ${[...names].map((name) => `"${name}"`).join(', ')}`,
    );
  const given = known.map((sampled) => ({
    sampled,
    groups: groupsIn(model, sampled, range),
    range: rangeOf(sampled, range),
  }));
  const left = given.filter(({ groups }) => groups.length > 0);
  if (left.length === 0) throw new Refused('--range holds columns at values that no sample has');
  return left;
}

function rangeOf({ x, column, abscissa }: Sampled, range: Readonly<Record<string, unknown>>): [number, number] {
  const given = range[x] ?? range[column];
  if (given === undefined) {
    const finite = [...abscissa.values].filter(Number.isFinite);
    return [Math.min(...finite), Math.max(...finite)];
  }
  const [low, high, ...more] = Array.isArray(given) ? (given as unknown[]) : [given, given];
  if (
    typeof low !== 'number' ||
    typeof high !== 'number' ||
    !(low <= high) ||
    !Number.isFinite(high - low) ||
    more.length > 0
  )
    throw new Refused(`--range wants two finite numbers for "${x}", the lower first, got ${JSON.stringify(given)}`);
  return [low, high];
}

function groupsIn(model: Model, { abscissa, behind }: Sampled, range: Readonly<Record<string, unknown>>): number[] {
  const { groups } = abscissa;
  return groups.labels.flatMap((_, group) => {
    const row = behind[groups.of.indexOf(group)]!;
    const fits = groups.by.every((id) => !Object.hasOwn(range, id) || range[id] === valueAt(model, id, row));
    return fits ? [group] : [];
  });
}

/** A category's label, else the number. */
function valueAt(model: Model, id: string, row: number): string | number {
  const output = outputAt(model, { block: id, output: 0 });
  const value = output.data?.[row] ?? NaN;
  return output.category?.[value] ?? value;
}

function placeOf(model: Model, { x, abscissa, behind }: Sampled, { group, at }: Site): Record<string, string | number> {
  const row = behind[abscissa.groups.of.indexOf(group)]!;
  return Object.fromEntries([[x, at], ...abscissa.groups.by.map((id) => [id, valueAt(model, id, row)] as const)]);
}

const labelOf = ({ abscissa }: Sampled, group: number): { group?: string } => {
  const label = abscissa.groups.labels[group];
  return label == null ? {} : { group: label };
};

/** On a logarithmic abscissa the steps are those of its logarithm. */
function gridSites({ sampled, range: [low, high], groups }: Candidates): Site[] {
  const scale = low > 0 ? sampled.scale : 'linear';
  const own = [...sampled.abscissa.values].filter((x) => x >= low && x <= high);
  const grid = new Set([...gridOver([low, high], gridPoints, { scale, through: false }), ...own]);
  const ascending = [...grid].sort((a, b) => a - b);
  return groups.flatMap((group) => ascending.map((at) => ({ group, at })));
}

function between(all: readonly Candidates[], { of, group, at }: Told, zoom: number): (Site & { of: number })[] {
  const { range, sampled } = all[of]!;
  const [low, high] = range;
  const log = low > 0 && sampled.scale === 'log';
  const step = (log ? Math.log(high / low) : high - low) / (gridPoints - 1) / zoomSteps ** (zoom - 1);
  return Array.from({ length: 2 * zoomSteps + 1 }, (_, i) => {
    const away = ((i - zoomSteps) / zoomSteps) * step;
    const moved = log ? at * Math.exp(away) : at + away;
    return { of, group, at: Math.min(high, Math.max(low, moved)) };
  });
}

async function toldAt(
  model: Model,
  { sampled }: Candidates,
  of: number,
  point: DesignPoint,
  variance: number,
  sites: readonly Site[],
): Promise<Told[]> {
  if (sites.length === 0) return [];
  const found = modelAtSites(model, sampled, sites);
  if (!found) throw new Refused(`"${sampled.x}" takes no other values than those of its table`);
  const { model: finer, kept } = found;
  if (kept.length === 0) return [];
  const { comparison } = sampled;
  const links = linksOf(comparison);
  const named = links.map((link, i) => [`argument ${i}`, link] as const);
  const { values, gradients } = await point.slopes(readBy(finer, point, new Map(named)));
  let offset = 0;
  const starts = links.map((link) => {
    const single = outputAt(finer, link).sizes.length === 0;
    const start = offset;
    offset += single ? 1 : kept.length;
    return (row: number): number => (single ? start : start + row);
  });
  const block = model.blocks.get(comparison.of)?.node.block as LeastSquaresBlock | LikelihoodBlock;
  const factors = informationFactors(block, variance);
  if (!factors)
    throw new Refused(`what one more observation of "${comparison.of}" tells is not known: its ${toldBy(block)}`);
  return kept.map((site, row) => {
    let next = 0;
    const rows = comparison.arguments.map((argument) =>
      typeof argument === 'number' ? undefined : (starts[next++] as (row: number) => number)(row),
    );
    const given = comparison.arguments.map((argument, i) =>
      typeof argument === 'number' ? argument : values[rows[i]!]!,
    );
    const told = factors(...given).flatMap(({ argument, factor }) => {
      const at = rows[argument];
      // A count whose mean has run out to 0 tells nothing: its slope has gone there too, and before it.
      return at === undefined ? [] : [gradients[at]!.map((slope) => (slope === 0 ? 0 : factor * slope))];
    });
    return { ...site, of, told };
  });
}

/** Of an element of a parameter, or of a scalar. */
async function gradientOf(model: Model, point: DesignPoint, of: string): Promise<Float64Array> {
  const index = point.names.indexOf(of);
  if (index >= 0) return Float64Array.from(point.names, (_, j) => (j === index ? 1 : 0));
  const [, name = of, position] = /^(.*)\[(\d+(?:,\d+)*)\]$/.exec(of) ?? [];
  const link = findOutput(model, name);
  if ('message' in link) throw new Refused(`--for ${of}: ${link.message}`);
  const { sizes, element } = outputAt(model, link);
  const shape = sizes.map(({ value }) => value);
  const count = shape.reduce((product, size) => product * size, 1);
  const at = Array.from({ length: count }, (_, i) => elementName(name, shape, i)).indexOf(of);
  if (element !== 'real' || at < 0)
    throw new Refused(
      `--for wants a scalar, a parameter or a quantity, and "${of}" is ${position === undefined && sizes.length > 0 ? `an array: name an element, ${elementName(name, shape, 0)}` : 'none'}`,
    );
  const links = new Map([['quantity', link]]);
  const unread = lowerModel(model, { links }).parameters.find(({ id, fixed }) => !fixed && !point.parameters.has(id));
  if (unread)
    throw new Refused(`"${of}" depends on "${unread.id}", which the objective does not read: no sample narrows it`);
  const { gradients } = await point.slopes(readBy(model, point, links));
  return gradients[at]!;
}

/** A program for these links, over the parameters of the fit. */
function readBy(model: Model, point: DesignPoint, links: ReadonlyMap<string, Link>): BandModel {
  const { program, inputs, sizes } = lowerModel(model, { links });
  const data = [...inputs].flatMap(([id, { values }]) => (point.parameters.has(id) ? [] : [[id, values] as const]));
  return { program, sizes, data: new Map(data) };
}

const toldBy = (block: LeastSquaresBlock | LikelihoodBlock): string =>
  block.kind !== 'likelihood'
    ? 'loss has none'
    : block.truncated !== undefined
      ? 'observations are truncated'
      : `family "${block.family}" is none of those whose information has a closed form here`;
