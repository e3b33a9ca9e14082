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
import type { Drawing } from '../../../models/plots/drawing.ts';
import { drawingsOf } from '../../../models/plots/drawings.ts';
import type { Plot } from '../../contract/plots.ts';
import type { FitReport } from '../../contract/contract.ts';
import { writeParameters, type ParameterValues } from '../running/run.ts';
import { bandsAround, type Around } from './plot-bands.ts';
import { keepingPrograms } from '../running/kept-programs.ts';
import { asRefused } from '../running/refusals.ts';
import type { Read } from './arguments.ts';
import type { Leveled } from './band-ends.ts';
import { closerThan, mostRounds, type Closer } from './closer.ts';
import { comparisonPlots, type Along } from './comparison-plots.ts';
import { samplePlots } from './sample-plots.ts';
import { survivalPlots } from './survival-plots.ts';
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
  const curves = await curveReaders(drawings, device);
  const closer = keepingPrograms(device);
  let around: { readonly of: string; readonly found: readonly Around[] } | undefined;
  /** A fit is looked at more than once: its bands are computed when it is new. */
  const bandsOf = async ({ fit, level }: Bands, along: readonly Drawing[]): Promise<readonly Around[]> => {
    const { estimates, correlation, objective } = fit;
    const grids = along.map(({ curve }) => curve?.on && Array.from(curve.grid));
    const of = JSON.stringify([estimates, correlation, objective, level, grids]);
    if (around?.of !== of) around = { of, found: await bandsAround(model, along, fit, level, device) };
    return around.found;
  };
  return {
    async at(parameters, { bands, thinned = false } = {}) {
      const found = await rows.at(parameters);
      const plotsOf = ({ drawings, dense }: Seen, i: number, band?: Leveled): Plot[] => {
        const drawing = drawings[i]!;
        const [own, middle] = (drawing.curve && dense.get(drawing.curve.model)) ?? [];
        const read: Read = (name) => found.get(`${name} ${i}`) ?? [];
        const along = (of: Dense | undefined): Along | undefined => of && ((j) => of.get(`argument ${j} ${i}`));
        if (drawing.sample) return samplePlots(drawing, along(own), band);
        if (drawing.survival) return survivalPlots(drawing, along(own), band);
        return comparisonPlots(drawing, { read, dense: along(own), population: along(middle), band }, thinned);
      };
      const first = { drawings, dense: await denseOf(curves, parameters) };
      const seen = await acrossJumps(first, plotsOf, parameters, closer.device);
      closer.settle();
      const around = bands && (await bandsOf(bands, seen.drawings));
      return drawings.flatMap((_, i) => plotsOf(seen, i, around?.[i] && bands && { level: bands.level, ...around[i] }));
    },
    release() {
      for (const held of [rows, ...curves, closer]) held.release();
    },
  };
}

/** Drawings, and by the model of a curve what was read along it: as it is, and of the population. */
interface Seen {
  readonly drawings: readonly Drawing[];
  readonly dense: ReadonlyMap<Model, readonly [Dense, Dense | undefined]>;
}

async function denseOf(curves: readonly CurveReader[], parameters: ParameterValues): Promise<Seen['dense']> {
  return new Map(
    await Promise.all(
      curves.map(
        async (reader) => [reader.of, [await reader.at(parameters), await populationAt(reader, parameters)]] as const,
      ),
    ),
  );
}

/** With more places on the curves where they jump and nobody could tell beforehand. */
async function acrossJumps(
  first: Seen,
  plotsOf: (seen: Seen, i: number) => Plot[],
  parameters: ParameterValues,
  device: Device,
): Promise<Seen> {
  let seen = first;
  let kept: Closer['kept'] = new Map();
  for (let round = 0; round < mostRounds; round++) {
    const { drawings, dense } = seen;
    const plots = drawings.map(({ curve }, i) => (curve?.on ? plotsOf(seen, i) : []));
    const closer = closerThan({ drawings, kept }, plots);
    if (!closer) break;
    const readers = await curveReaders(closer.drawings, device, dense);
    try {
      seen = { drawings: closer.drawings, dense: new Map([...dense, ...(await denseOf(readers, parameters))]) };
    } finally {
      for (const reader of readers) reader.release();
    }
    kept = closer.kept;
  }
  return seen;
}

interface CurveReader extends Reader {
  readonly of: Model;
}

/** What is read along the curves, once for all that are of one model: `argument 0 1`, as of the rows. Of `known` nothing is. */
function curveReaders(
  drawings: readonly Drawing[],
  device: Device,
  known?: ReadonlyMap<Model, unknown>,
): Promise<CurveReader[]> {
  const links = new Map<Model, Map<string, Link>>();
  drawings.forEach(({ curve }, i) => {
    if (!curve || known?.has(curve.model)) return;
    const own = links.get(curve.model) ?? new Map<string, Link>();
    links.set(curve.model, own);
    for (const [j, link] of curve.arguments) own.set(`argument ${j} ${i}`, link);
  });
  return Promise.all([...links].map(async ([of, own]) => ({ of, ...(await createReader(of, device, own)) })));
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

/** What is read of each comparison: `observed 0`, `argument 0 1`, `limit 0 1`. */
export function linksOf(drawings: readonly Drawing[]): Map<string, Link> {
  const links = new Map<string, Link>();
  drawings.forEach(({ comparison }, i) => {
    links.set(`observed ${i}`, comparison.observed);
    comparison.arguments.forEach((argument, j) => {
      if (typeof argument !== 'number') links.set(`argument ${j} ${i}`, argument);
    });
    comparison.limits.forEach(({ at }, k) => {
      if (typeof at !== 'number') links.set(`limit ${k} ${i}`, at);
    });
  });
  return links;
}
