/**
 * What a model plots, computed: of every comparison of a prediction with data its points, the curve where there is one
 * between them, and its residuals; of counts in bins a histogram over their quantity. What is compared, against what, and
 * whether anything lies between the rows is decided in models/plots; here are the values at one point of the parameters
 * after another.
 */
import type { Device, HostArray } from '../../../engine/index.ts';
import type { Link } from '../../../models/graph/checked.ts';
import type { Model } from '../../../models/load/model.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { shownRows } from '../../../models/plots/shown-rows.ts';
import { residualOf, type Measure } from '../../../models/plots/measures.ts';
import { predictiveInterval } from '../../../models/plots/predictive.ts';
import { drawingsOf, type Drawing } from '../../../models/plots/drawings.ts';
import type { Plot, PlotGroup } from '../../contract/plots.ts';
import type { FitReport } from '../../contract/contract.ts';
import { writeParameters, type ParameterValues } from '../running/run.ts';
import { bandsAround, type Around } from './plot-bands.ts';
import { asRefused } from '../running/refusals.ts';
import { samplePlots } from './sample-plots.ts';
import { startInstance } from '../running/run.ts';

/** The plots of one model, ready to be computed at one point after another: nothing is compiled on the way. */
export interface Plotter {
  /** Throws `Refused` where the run meets a fault. */
  at(parameters: ParameterValues, options?: PlotOptions): Promise<Plot[]>;
  release(): void;
}

export interface PlotOptions {
  readonly bands?: Bands | undefined;
  /** Of very many rows those alone in which something happens: as a screen can show them. */
  readonly thinned?: boolean;
}

/** Bands are of a fit, at whose end the plots must be. */
export interface Bands {
  readonly fit: FitReport;
  readonly level: number;
}

export async function createPlotter(model: Model, device: Device): Promise<Plotter> {
  return plotterOf(model, device, drawingsOf(model));
}

export async function plotterOf(model: Model, device: Device, drawings: readonly Drawing[]): Promise<Plotter> {
  const rows = await createReader(model, device, linksOf(drawings));
  const curves = await Promise.all(
    drawings.map(async ({ curve }) =>
      curve
        ? createReader(curve.model, device, new Map([...curve.arguments].map(([j, link]) => [`argument ${j}`, link])))
        : undefined,
    ),
  );
  let around: { readonly of: string; readonly found: readonly Around[] } | undefined;
  /** A fit is looked at more than once: its bands are computed when it is new. */
  const bandsOf = async ({ fit, level }: Bands): Promise<readonly Around[]> => {
    const { estimates, correlation, objective } = fit;
    const of = JSON.stringify([estimates, correlation, objective, level]);
    if (around?.of !== of) around = { of, found: await bandsAround(model, drawings, fit, level, device) };
    return around.found;
  };
  return {
    async at(parameters, { bands, thinned = false } = {}) {
      const found = await rows.at(parameters);
      const around = bands && (await bandsOf(bands));
      const plots = await Promise.all(
        drawings.map(async (drawing, i) => {
          const dense = await curves[i]?.at(parameters);
          const middle = await populationAt(curves[i], parameters);
          const band = around?.[i] && bands && { level: bands.level, ...around[i] };
          const read = (name: string): ArrayLike<number> => found.get(`${name} ${i}`) ?? [];
          const along = (of: Dense | undefined) => of && ((j: number) => of.get(`argument ${j}`));
          if (drawing.sample) return samplePlots(drawing, dense, band);
          return plotsOf(drawing, read, { dense: along(dense), population: along(middle) }, { band, thinned });
        }),
      );
      return plots.flat();
    },
    release() {
      for (const reader of [rows, ...curves]) reader?.release();
    },
  };
}

interface Reader {
  /** The random effects that are read. */
  readonly effects: readonly string[];
  at(parameters: ParameterValues): Promise<Map<string, HostArray>>;
  release(): void;
}

export async function createReader(model: Model, device: Device, links: ReadonlyMap<string, Link>): Promise<Reader> {
  const lowered = lowerModel(model, { links });
  const instance = await startInstance(device, lowered);
  return {
    effects: lowered.parameters.flatMap(({ id, effect }) => (effect === undefined ? [] : [id])),
    async at(parameters) {
      writeParameters(instance, lowered, parameters);
      try {
        await instance.run();
      } catch (error) {
        throw asRefused(error);
      }
      const read = [...links.keys()].map(async (name) => [name, await instance.read(name)] as const);
      return new Map(await Promise.all(read));
    },
    release: () => instance.release(),
  };
}

type Dense = ReadonlyMap<string, HostArray>;

/** With all effects 0; undefined where they are, or where there are none. */
async function populationAt(reader: Reader | undefined, parameters: ParameterValues): Promise<Dense | undefined> {
  const moved = (reader?.effects ?? []).flatMap((id) => {
    const values = parameters[id];
    return Array.isArray(values) && values.some((value) => value !== 0) ? [[id, values.map(() => 0)] as const] : [];
  });
  return moved.length > 0 ? reader?.at({ ...parameters, ...Object.fromEntries(moved) }) : undefined;
}

/** What is read of each comparison: `observed 0`, `argument 0 1`. */
export function linksOf(drawings: readonly Drawing[]): Map<string, Link> {
  const links = new Map<string, Link>();
  drawings.forEach(({ comparison }, i) => {
    links.set(`observed ${i}`, comparison.observed);
    comparison.arguments.forEach((argument, j) => {
      if (typeof argument !== 'number') links.set(`argument ${j} ${i}`, argument);
    });
  });
  return links;
}

export type Read = (name: string) => ArrayLike<number>;

/** The arguments of a drawing's measure: its columns, and the values of a row. */
export function argumentsOf({ comparison }: Drawing, read: Read) {
  const { measure } = comparison;
  const columns = comparison.arguments.map((argument, j) =>
    typeof argument === 'number' ? [argument] : read(`argument ${j}`),
  );
  const isList = (j: number): boolean => measure.shared === true && j === columns.length - 1;
  const valuesAt = (row: number): number[] => {
    const values: number[] = [];
    columns.forEach((column, j) => {
      if (isList(j)) values.push(...Array.from(column));
      else values.push((column.length === 1 ? column[0] : column[row]) as number);
    });
    return values;
  };
  return { columns, isList, valuesAt };
}

/** Along a curve an argument of the measure. */
type Along = (argument: number) => ArrayLike<number> | undefined;

function plotsOf(
  drawing: Drawing,
  read: Read,
  { dense, population }: { readonly dense: Along | undefined; readonly population: Along | undefined },
  { band, thinned }: { readonly band: Leveled | undefined; readonly thinned: boolean },
): Plot[] {
  const { comparison, x, y, kind, edges, curve, table } = drawing;
  const { measure } = comparison;
  const observed = read('observed');
  const { columns, isList, valuesAt } = argumentsOf(drawing, read);
  const at = measure.arguments.indexOf(measure.prediction);
  const residual = residualOf(measure);
  const shown = thinned ? shownRows(observed) : Array.from(observed, (_, row) => row);
  const rows = Array.from(shown, (row): Row => {
    const [seen, values] = [observed[row] as number, valuesAt(row)];
    return {
      ...{ row, group: drawing.groups.of[row] as number, x: drawing.values[row] as number, y: seen },
      ...(table && { tableRow: table.rows[row] as number }),
      ...{ predicted: measure.expected(...values), residual: residual(seen, values) },
      ...(measure.errors && { error: measure.deviation(...values) }),
    };
  });
  // Along a curve an argument is known there, or the same for all rows, or what a new observation has.
  const valuesAlong = (element: number, along = dense): number[] =>
    columns.flatMap((column, j) =>
      isList(j)
        ? Array.from(column)
        : [along?.(j)?.[element] ?? (drawing.alone[j] ? column[0] : measure.usual?.[j]) ?? NaN],
    );
  const labels = [...drawing.groups.labels, ...(drawing.excluded?.labels ?? [])];
  const groups = labels.map((key, group): PlotGroup => {
    const own = rows.filter((row) => row.group === group);
    const left = leftOut(drawing, group);
    if (curve && group < drawing.groups.labels.length) {
      const placesOf = (along: Along | undefined): readonly Place[] => {
        const all = Array.from(curve.grid, (px, i): Place => {
          const element = curve.elements[group * curve.grid.length + i] as number;
          return { x: px, element, values: valuesAlong(element, along) };
        });
        return withoutEnds(all, ({ values }) => Number.isFinite(measure.expected(...values)));
      };
      const lineOf = (places: readonly Place[]) => ({
        x: places.map((place) => place.x),
        y: places.map(({ values }) => measure.expected(...values)),
      });
      const places = placesOf(dense);
      const line = lineOf(places);
      const around = band && bandAt(measure, at, places, band);
      return {
        key,
        points: pointsOf(own, left),
        ...(places.length > 0 && { curve: line }),
        ...(population && { population: lineOf(placesOf(population)) }),
        ...(around && { band: around }),
      };
    }
    const places = own.filter(isSeen).map(({ row, x: px }): Place => ({ x: px, element: row, values: valuesAt(row) }));
    const inside = band && bandAt(measure, at, places, band);
    const around = inside && beyond(inside, left.length);
    return { key, points: pointsOf(own, left), ...(around && { band: around }) };
  });
  const { by } = drawing.groups;
  const prediction = comparison.prediction?.block.includes('/') ? null : (drawing.prediction ?? null);
  const shared = {
    of: comparison.of,
    x,
    prediction,
    by: by.length > 0 ? by.join(', ') : null,
    ...(table && { table: table.table }),
  };
  const residuals = drawing.groups.labels.map((key, group): PlotGroup => {
    return { key, points: residualsOf(rows.filter((row) => row.group === group)) };
  });
  return [
    { ...shared, kind, y, ...(edges && { edges: Array.from(edges) }), groups },
    {
      ...{ ...shared, kind: 'residuals', groups: residuals },
      y: { id: null, label: measure.residual, unit: '', scale: 'linear' },
    },
  ];
}

/** Where a band is computed: which element of the prediction, and the arguments of the measure there. */
interface Place {
  readonly x: number;
  readonly element: number;
  readonly values: readonly number[];
}

type Leveled = Around & { readonly level: number };
type Band = NonNullable<PlotGroup['band']>;

/** Ends are taken on the prediction's own scale and carried to that of the observations. None where none is known. */
function bandAt(measure: Measure, at: number, places: readonly Place[], band: Leveled): Band | undefined {
  const ends = places.map(({ element, values }) => {
    const half = band.half[band.half.length === 1 ? 0 : element] ?? NaN;
    const centre = values[at] as number;
    const expected = (prediction: number): number => measure.expected(...values.with(at, prediction));
    const [lower, upper] = [expected(centre - half), expected(centre + half)];
    return { lower, upper, wide: wideAt(measure, values, { at, half, lower, upper }, band) };
  });
  const confidence = { lower: ends.map(({ lower }) => lower), upper: ends.map(({ upper }) => upper) };
  if (!ends.some(({ lower, upper }) => Number.isFinite(lower) && Number.isFinite(upper))) return undefined;
  const known = ends.some(({ wide }) => wide.every(Number.isFinite));
  const prediction = { lower: ends.map(({ wide }) => wide[0]), upper: ends.map(({ wide }) => wide[1]) };
  const held = band.held.length > 0 && { held: [...band.held] };
  return { level: band.level, confidence, ...(known && { prediction }), ...held };
}

/** Between which one more observation lies. */
function wideAt(
  measure: Measure,
  values: readonly number[],
  { at, half, lower, upper }: { readonly [K in 'at' | 'half' | 'lower' | 'upper']: number },
  { quantile, variance, level }: Leveled,
): readonly [lower: number, upper: number] {
  const centre = values[at] as number;
  const [expected, deviation] = [measure.expected(...values), measure.deviation(...values)];
  if (measure.distribution !== 'normal') {
    const [standardError, shift] = [half / quantile, Math.abs(upper - lower) / (2 * quantile)];
    return predictiveInterval(measure.distribution, { values, at, standardError, shift, expected, deviation }, level);
  }
  const noise = quantile ** 2 * (measure.relative ? variance : 1) * deviation ** 2;
  if (measure.scale) {
    const wide = Math.sqrt(half ** 2 + noise);
    return [measure.scale.from(centre - wide), measure.scale.from(centre + wide)];
  }
  return [expected - Math.sqrt((expected - lower) ** 2 + noise), expected + Math.sqrt((upper - expected) ** 2 + noise)];
}

/** From the first of which it holds to the last: what is undefined between them is a gap. */
function withoutEnds<T>(all: readonly T[], holds: (entry: T) => boolean): readonly T[] {
  return all.slice(Math.max(0, all.findIndex(holds)), all.findLastIndex(holds) + 1);
}

/** With so many points after the others, of which nothing is known. */
function beyond(band: Band, count: number): Band {
  const longer = ({ lower, upper }: Band['confidence']): Band['confidence'] => {
    const unknown = new Array<number>(count).fill(NaN);
    return { lower: [...lower, ...unknown], upper: [...upper, ...unknown] };
  };
  const { confidence, prediction } = band;
  return { ...band, confidence: longer(confidence), ...(prediction && { prediction: longer(prediction) }) };
}

interface Row {
  /** Its place among the observations; -1 where it is none of them. */
  readonly row: number;
  /** The row of the table that it is, if it is one. */
  readonly tableRow?: number;
  readonly group: number;
  readonly x: number;
  readonly y: number;
  readonly predicted: number;
  readonly residual: number;
  readonly error?: number;
}

/** A missing value is no point. */
const isSeen = ({ x, y }: Row): boolean => Number.isFinite(x) && Number.isFinite(y);

/** Those that count for nothing; nothing is predicted of them. */
function leftOut({ excluded }: Drawing, group: number): Row[] {
  return (excluded?.group ?? []).flatMap((of, i): Row[] => {
    const [x, y] = [excluded?.x[i] ?? NaN, excluded?.y[i] ?? NaN];
    const tableRow = excluded?.rows[i] ?? -1;
    return of === group ? [{ row: -1, tableRow, group, x, y, predicted: NaN, residual: NaN }] : [];
  });
}

/** `left`: what is shown beside those that count. */
function pointsOf(rows: readonly Row[], left: readonly Row[]): PlotGroup['points'] {
  const seen = [...rows, ...left].filter(isSeen);
  return {
    x: seen.map(({ x }) => x),
    y: seen.map(({ y }) => y),
    predicted: seen.map(({ predicted }) => predicted),
    ...(seen.some(({ error }) => error !== undefined) && { error: seen.map(({ error = NaN }) => error) }),
    ...tableRowsOf(seen),
    ...(left.length > 0 && { excluded: seen.map((row) => left.includes(row)) }),
  };
}

function residualsOf(rows: readonly Row[]): PlotGroup['points'] {
  const seen = rows.filter(({ x, residual }) => Number.isFinite(x) && Number.isFinite(residual));
  return { x: seen.map(({ x }) => x), y: seen.map(({ residual }) => residual), ...tableRowsOf(seen) };
}

function tableRowsOf(rows: readonly Row[]): { readonly rows?: number[] } {
  const found = rows.flatMap(({ tableRow }) => tableRow ?? []);
  return found.length > 0 ? { rows: found } : {};
}
