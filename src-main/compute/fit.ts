/** A fit of a model: from its objective to the engine's problem, from one or many starts, to a report. */
import {
  Cancelled,
  defaultMethod,
  type Device,
  elementName,
  type Estimate,
  fit as fitProblem,
  type FitMethod,
  type FitParameter,
  type FitProblem,
  FitRefusal,
  type FitResult,
  startingPoints,
} from '../../engine/index.ts';
import type { ParameterInfo } from '../../models/blocks/parameter.ts';
import { parametersOf, type Model } from '../../models/load/model.ts';
import { lowerModel } from '../../models/lower/lower.ts';
import type { FitReport } from '../contract.ts';
import { Refused } from '../refused.ts';
import type { ParameterValues } from './evaluate.ts';
import { asRefused } from './refusals.ts';
import { startInstance } from './run.ts';
import { solverErrors } from './solver-errors.ts';

export interface FitRequest {
  /** Where to begin; all others at their initial values. */
  readonly parameters: ParameterValues;
  /** The document's own, or what suits the objective, unless said. */
  readonly method?: string | undefined;
  readonly starts?: number | undefined;
  readonly seed?: number | undefined;
  readonly documentHash: string;
  readonly cancel?: Int32Array;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly iteration: number;
  readonly objective: number;
  readonly parameters: Record<string, number[]>;
}

const methods: readonly FitMethod[] = ['levenberg-marquardt', 'newton-cg'];

export function methodOf(name: string): FitMethod {
  const method = methods.find((known) => known === name);
  if (method) return method;
  throw new Refused(`the method ${name} is not in this version; there are ${methods.join(' and ')}`);
}

/** The engine's parameter, at its initial values unless `starts` has others. */
export function fitParameter(info: ParameterInfo, starts: ParameterValues): FitParameter {
  const given = Object.hasOwn(starts, info.id) ? starts[info.id] : undefined;
  const initial = given === undefined ? info.initial : typeof given === 'number' ? [given] : given;
  if (initial.length !== info.initial.length)
    throw new Refused(`the parameter "${info.id}" takes ${info.initial.length} values, got ${initial.length}`);
  return { ...info, name: info.id, initial };
}

/** The engine's problem for the model's objective. Throws `Refused` where there is nothing to fit. */
export async function problemOf(model: Model, device: Device, starts: ParameterValues): Promise<FitProblem> {
  if (model.objective.length === 0)
    throw new Refused('the document has no objective: name a least-squares or likelihood block as "objective"');
  const lowered = lowerModel(model, { objective: 'residuals' });
  const results = new Set(lowered.program.results.map(({ name }) => name));
  const ids = new Set(lowered.parameters.map(({ id }) => id));
  const parameters = lowered.parameters.map((info) => fitParameter(info, starts));
  const hasPriors = results.has('posterior');
  const problem = {
    program: lowered.program,
    energy: hasPriors ? 'posterior' : 'objective',
    objective: 'objective',
    residuals: results.has('residuals') && !hasPriors ? ['residuals'] : [],
    sigmaKnown: lowered.terms.every(({ noise }) => noise === 'known'),
    parameters,
    data: new Map([...lowered.inputs].filter(([name]) => !ids.has(name)).map(([name, { values }]) => [name, values])),
    sizes: lowered.sizes,
  };
  if (!results.has('rows')) return { ...problem, observations: 0 };
  const instance = await startInstance(device, lowered);
  try {
    await instance.run();
    const [observations = 0] = await instance.read('rows');
    return { ...problem, observations };
  } finally {
    instance.release();
  }
}

const rank: Readonly<Record<FitResult['status'], number>> = {
  converged: 0,
  'not-converged': 1,
  cancelled: 1,
  failed: 2,
};

/** Lower is better; a failed fit and a NaN are worse than anything. */
function better(a: FitResult, b: FitResult): boolean {
  if ((rank[a.status] === 2) !== (rank[b.status] === 2)) return rank[a.status] !== 2;
  return a.energy < b.energy || (Number.isNaN(b.energy) && !Number.isNaN(a.energy));
}

interface Totals {
  readonly best: FitResult;
  readonly iterations: number;
  readonly evaluations: number;
}

export async function fitFromAll(
  problem: FitProblem,
  device: Device,
  method: FitMethod,
  request: FitRequest,
): Promise<Totals> {
  const { starts = 1, seed = 0, cancel, onProgress } = request;
  let best: FitResult | undefined;
  let iterations = 0;
  let evaluations = 0;
  /** Over all starts: what is shown is the best point so far, whichever start it came from. */
  let shown = Infinity;
  for (const parameters of startingPoints(problem.parameters, starts, seed)) {
    const before = iterations;
    const options = {
      method,
      ...(cancel && { cancel }),
      onProgress: (iteration: number, energy: number, point: ReadonlyMap<string, number[]>) => {
        if (energy > shown) return;
        shown = energy;
        onProgress?.({ iteration: before + iteration, objective: energy, parameters: Object.fromEntries(point) });
      },
    };
    let result: FitResult;
    try {
      result = await fitProblem({ ...problem, parameters }, device, options);
    } catch (error) {
      // A start that was stopped before its first point leaves the best of those before it.
      if (!(error instanceof Cancelled) || !best) throw error;
      best = { ...best, status: 'cancelled', reason: 'stopped by the user' };
      break;
    }
    iterations += result.iterations;
    evaluations += result.evaluations;
    if (!best || better(result, best)) best = result;
    if (result.status === 'cancelled') {
      best = { ...best, status: 'cancelled', reason: result.reason };
      break;
    }
  }
  return { best: best as FitResult, iterations, evaluations };
}

/** Parameters that the objective does not read keep their values, of which nothing is known. */
export function unread(model: Model, problem: FitProblem): Estimate[] {
  const read = new Set(problem.parameters.map(({ name }) => name));
  return parametersOf(model)
    .filter(({ id }) => !read.has(id))
    .flatMap(({ id, initial, shape, fixed }) =>
      initial.map((value, element): Estimate => {
        const name = elementName(id, shape, element);
        const known = { standardError: 0, lower95: value, upper95: value };
        const unknown = { standardError: NaN, lower95: NaN, upper95: NaN };
        return { name, parameter: id, value, fixed, ...(fixed ? known : unknown) };
      }),
    );
}

/** The parameters where a fit ended. */
function pointOf({ estimates }: FitResult): ParameterValues {
  const values = new Map<string, number[]>();
  for (const { parameter, value } of estimates) values.set(parameter, [...(values.get(parameter) ?? []), value]);
  return Object.fromEntries(values);
}

/** Throws `Refused` where the model cannot be fitted at all; what goes wrong on the way is a status of the report. */
export async function fitModel(model: Model, device: Device, request: FitRequest): Promise<FitReport> {
  const startedAt = performance.now();
  try {
    const problem = await problemOf(model, device, request.parameters);
    const method = methodOf(request.method ?? model.document.fit?.method ?? defaultMethod(problem));
    const starts = request.starts ?? model.document.fit?.starts;
    const seed = request.seed ?? model.document.fit?.seed;
    const { best, iterations, evaluations } = await fitFromAll(problem, device, method, { ...request, starts, seed });
    const odeErrors = await solverErrors(model, device, { objective: 'value' }, pointOf(best));
    return {
      status: best.status,
      reason: best.reason,
      objective: best.objective,
      ...(problem.energy !== problem.objective && { posterior: best.energy }),
      estimates: [...best.estimates, ...unread(model, problem)].map(({ parameter, ...estimate }) => ({
        ...estimate,
        block: parameter,
      })),
      correlationNames: [...best.correlation.names],
      correlation: best.correlation.matrix.map((row) => [...row]),
      ...(odeErrors.length > 0 && { odeErrors }),
      iterations,
      evaluations,
      history: [...best.history],
      device: best.device,
      precision: best.precision,
      milliseconds: performance.now() - startedAt,
      finishedAt: new Date().toISOString(),
      documentHash: request.documentHash,
    };
  } catch (error) {
    if (error instanceof FitRefusal) throw new Refused(error.message);
    if (error instanceof Cancelled) throw new Refused('stopped before a first point was known');
    throw asRefused(error);
  }
}
