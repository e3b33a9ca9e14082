/** A fit of a model: from its objective to the engine's problem, from one or many starts, to a report. */
import {
  type AdamOptions,
  Cancelled,
  cpuDevice,
  inPieces,
  defaultMethod,
  type Device,
  elementName,
  type Estimate,
  fitFromStarts,
  type FitMethod,
  type FitParameter,
  fitPolished,
  type FitProblem,
  FitRefusal,
  fixedVerdict,
  heeding,
  idleVerdict,
  type FitResult,
  type MultistartOptions,
  type MultistartResult,
  orCancelled,
  quantitiesAtFit,
  stoppedAt,
  uninformed,
} from '../../../engine/index.ts';
import type { ParameterInfo } from '../../../models/objective/parameter-info.ts';
import { priorEnds } from '../../../models/objective/priors.ts';
import { fitFacts, namesOf } from '../../../models/facts/methods.ts';
import { parametersOf, type Model } from '../../../models/load/model.ts';
import { freed } from '../../../models/lower/freed.ts';
import { lowerModel, type Lowered } from '../../../models/lower/lower.ts';
import { withStandardEffects } from '../../../models/lower/standard-effects.ts';
import { objectiveMeaning, quantityMeaning } from '../../../models/lower/meaning.ts';
import { combinationOf } from '../../../models/objective/combination.ts';
import { supports } from '../../../models/supports/index.ts';
import type { FitReport } from '../../contract/contract.ts';
import { Refused, type SolverError } from '../../refused.ts';
import { untied } from '../../contract/ties.ts';
import { withRoom } from '../derivatives/checkpoints.ts';
import { labelsTold } from './labels.ts';
import { quantityModel, quantityRows } from './quantities.ts';
import { naturalFit, naturalValues } from './natural.ts';
import {
  byInformation,
  byRestriction,
  conditionalModes,
  demandModes,
  effectLevels,
  isMarginal,
  quadratureDoubt,
  quadratureOf,
  withMeetings,
} from './random-effects.ts';
import { asRefused } from '../running/refusals.ts';
import { startInstance, type ParameterValues } from '../running/run.ts';
import { solverErrors, withSolverErrors } from '../running/solver-errors.ts';

export interface FitRequest {
  /** Where to begin; all others at their initial values. */
  readonly parameters: ParameterValues;
  /** Where the free ones begin instead: those of an earlier fit. */
  readonly start?: ParameterValues | undefined;
  /** The document's own, or what suits the objective, unless said. */
  readonly method?: string | undefined;
  readonly starts?: number | undefined;
  readonly seed?: number | undefined;
  readonly maxIterations?: number | undefined;
  readonly adam?: AdamOptions | undefined;
  readonly cancel?: Int32Array;
  /** Called after each iteration with how far it is; it returns once the fit may go on. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly iteration: number;
  readonly objective: number;
  readonly parameters: Record<string, number[]>;
  /** Of many: how many have ended, and from that how long the others will take. */
  readonly starts?: { readonly done: number; readonly all: number };
  readonly secondsLeft?: number;
}

export function methodOf(name: string): FitMethod {
  const methods = namesOf(fitFacts);
  const method = methods.find((known) => known === name);
  if (method) return method;
  throw new Refused(`there is no method ${name}; there are ${methods.join(', ')}`);
}

/** The engine's parameter, at its initial values unless `starts` has others. */
export function fitParameter(info: ParameterInfo, starts: ParameterValues): FitParameter {
  // What is varied in the place of a parameter knows where it starts.
  const given = !info.freed && Object.hasOwn(starts, info.id) ? starts[info.id] : undefined;
  const initial = given === undefined ? info.initial : typeof given === 'number' ? [given] : given;
  if (initial.length !== info.initial.length)
    throw new Refused(`the parameter "${info.id}" takes ${info.initial.length} values, got ${initial.length}`);
  const { freed: isFree, ...rest } = info;
  const [lowest, highest] = priorEnds(info.freed ? undefined : info.prior);
  const bounds = {
    lower: info.lower.map((bound) => Math.max(bound, lowest)),
    upper: info.upper.map((bound) => Math.min(bound, highest)),
  };
  // What lies between bounds that move has a free number for each element, and its name.
  return {
    ...rest,
    ...bounds,
    name: info.id,
    initial,
    ...(isFree && info.support !== 'between' && { freed: true as const }),
  };
}

/** The engine's problem for the model's objective, its groups one by one where that is asked for and can be. Throws `Refused` where there is nothing to fit. */
export async function problemOf(
  model: Model,
  device: Device,
  starts: ParameterValues,
  { byGroup = false }: { readonly byGroup?: boolean } = {},
): Promise<FitProblem> {
  if (model.objective.length === 0)
    throw new Refused('the document has no objective: name a least-squares or likelihood block as "objective"');
  const lowered = lowerModel(isMarginal(model) ? withStandardEffects(model) : model, {
    objective: byGroup ? 'grouped' : 'residuals',
  });
  const results = new Set(lowered.program.results.map(({ name }) => name));
  const { joint, density } = combinationOf(lowered.terms);
  const ids = new Set(lowered.parameters.map(({ id }) => id));
  const marginal = results.has('joint') && isMarginal(model);
  const believed = lowered.parameters.some(({ prior, joint }) => prior ?? joint) || !marginal;
  const energy =
    results.has('posterior') && believed ? 'posterior' : marginal ? 'joint' : joint ? 'density' : 'objective';
  const effects = marginal ? await effectLevels(model, lowered) : undefined;
  const parameters = lowered.parameters.map((info) => ({
    ...fitParameter(info, starts),
    ...(marginal && info.effect !== undefined && { fixed: true }),
  }));
  const written: FitProblem = {
    program: lowered.program,
    observations: 0,
    energy,
    objective: marginal ? 'joint' : 'objective',
    ...(effects && { effects }),
    ...(effects && quadratureOf(model, results, effects)),
    residuals: results.has('residuals') && energy === 'objective' ? ['residuals'] : [],
    sigmaKnown: lowered.terms.every(({ noise }) => noise === 'known'),
    robust: lowered.terms.some(({ robust }) => robust),
    ...(!density && energy === 'objective' && { noDensity: true as const }),
    parameters,
    tied: tiedElements(lowered.parameters),
    data: new Map([...lowered.inputs].filter(([name]) => !ids.has(name)).map(([name, { values }]) => [name, values])),
    sizes: lowered.sizes,
    ...(!marginal && scoringOf(lowered, energy, parameters)),
  };
  const problem = await withMeetings(byRestriction(byInformation(model, written, lowered), lowered));
  if (!results.has('rows')) return problem;
  // Only what is read is computed: nothing of the rows' length.
  const counts = problem.program.results.filter(({ name }) => name === 'rows' || name === 'logWeights');
  const instance = await startInstance(device, { ...lowered, program: { ...problem.program, results: counts } });
  try {
    await instance.run();
    const [observations = 0] = await instance.read('rows');
    const [logWeights = 0] = results.has('logWeights') ? await instance.read('logWeights') : [];
    return { ...problem, observations, logWeights };
  } finally {
    instance.release();
  }
}

/** Where every argument of a distribution that a parameter moves has its information. */
function scoringOf(
  { program, informed }: Lowered,
  energy: string,
  parameters: readonly FitParameter[],
): Pick<FitProblem, 'scoring'> {
  if (!informed || 'lacking' in informed) return {};
  const free = parameters.flatMap(({ name, fixed }) => (fixed ? [] : [name]));
  if (uninformed(program, free, informed)) return {};
  const { terms, effects: priors } = informed;
  return { scoring: { terms, ...(energy === 'posterior' && { priors }) } };
}

/** By how much fewer numbers are varied than parameters have elements: of a stored fit, which is told of the parameters. */
function tiedElements(parameters: readonly ParameterInfo[]): number {
  return parameters.reduce((sum, { support, shape, initial, fixed, freed: isFree }) => {
    if (support === undefined || support === 'between' || fixed || isFree) return sum;
    const free = supports[support].free(shape);
    return sum + initial.length - (typeof free === 'string' ? 0 : free.reduce((count, size) => count * size, 1));
  }, 0);
}

/** From all starts. Single precision goes on in double on the CPU, where there is such a device. */
export async function fitFromAll(
  problem: FitProblem,
  device: Device,
  method: FitMethod,
  { starts, seed, maxIterations, adam, cancel, onProgress }: Partial<FitRequest>,
): Promise<MultistartResult> {
  const startedAt = performance.now();
  const options: MultistartOptions = {
    ...{ method, starts, seed },
    ...(maxIterations !== undefined && { maxIterations }),
    ...(adam && { adam: { ...adam, seed } }),
    ...(cancel && { cancel }),
    onProgress(iteration, objective, point, lanes) {
      const share = lanes && lanes.done > 0 ? lanes.done / lanes.all : undefined;
      const spent = (performance.now() - startedAt) / 1000;
      const progress = {
        ...{ iteration, objective, parameters: Object.fromEntries(point) },
        ...(lanes && { starts: lanes }),
        ...(share !== undefined && { secondsLeft: (spent * (1 - share)) / share }),
      };
      onProgress?.(progress);
    },
  };
  return withRoom(new Map(), async (force, onChoice) => {
    const within = { ...problem, sweep: { force, onChoice } };
    if (device.kind !== 'webgpu') return fitFromStarts(within, device, options);
    const exact = inPieces(cpuDevice());
    try {
      // The modes of effects are found to rounding, or the marginal likelihood has no derivatives.
      if (problem.effects) return await fitFromStarts(within, exact, options);
      return await fitPolished(within, device, exact, options);
    } finally {
      exact.close();
    }
  });
}

/** Of an earlier fit's values those of parameters that are free. Throws `Refused` where the model has no such parameter. */
function freeStart(model: Model, start: ParameterValues): ParameterValues {
  const known = new Map(parametersOf(model).map((parameter) => [parameter.id, parameter]));
  const unknown = Object.keys(start).find((id) => !known.has(id));
  if (unknown !== undefined)
    throw new Refused(`the fit to begin from has a parameter "${unknown}", the model has none`);
  return Object.fromEntries(Object.entries(start).filter(([id]) => known.get(id)?.fixed === false));
}

/** Parameters that the objective does not read keep their values, of which nothing is known. */
export function unread(model: Model, problem: FitProblem): Estimate[] {
  const read = new Set(problem.parameters.map(({ name }) => name));
  return parametersOf(model)
    .filter(({ id, effect }) => !read.has(id) && (effect === undefined || !isMarginal(model)))
    .flatMap(({ id, initial, shape, fixed }) =>
      initial.map((value, element): Estimate => {
        const name = elementName(id, shape, element);
        const known = { standardError: 0, lower95: value, upper95: value, verdict: fixedVerdict };
        const unknown = { standardError: NaN, lower95: NaN, upper95: NaN, verdict: idleVerdict };
        return { name, parameter: id, value, fixed, ...(fixed ? known : unknown) };
      }),
    );
}

/** Arrays of length 0: parameters of which no estimate tells. Nothing where there are none. */
export function emptyOnes(model: Model): { readonly empty?: { block: string; shape: number[] }[] } {
  const empty = parametersOf(model).filter(({ initial }) => initial.length === 0);
  return empty.length === 0 ? {} : { empty: empty.map(({ id, shape }) => ({ block: id, shape: [...shape] })) };
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
    const from = { ...request.parameters, ...freeStart(model, request.start ?? {}) };
    const inner = freed(model, from);
    const natural = naturalValues(model, inner);
    const told = (progress: Progress): Progress => ({ ...progress, parameters: natural(progress.parameters) });
    const { onProgress } = request;
    const hearing = {
      ...(onProgress && { onProgress: (progress: Progress) => onProgress(told(progress)) }),
    };
    const problem = await problemOf(inner, device, from);
    const method = methodOf(request.method ?? model.document.fit?.method ?? defaultMethod(problem));
    const ofAdam = Object.entries(request.adam ?? {}).find(([, value]) => value !== undefined)?.[0];
    if (ofAdam !== undefined && method !== 'adam')
      throw new Refused(`--${ofAdam} is of adam, and this fit is by ${method}`);
    await demandModes(problem);
    const starts = request.starts ?? model.document.fit?.starts;
    const seed = request.seed ?? model.document.fit?.seed;
    const best = await fitFromAll(problem, device, method, { ...request, ...hearing, starts, seed });
    return await fitReport(model, inner, device, problem, best, startedAt, request.cancel);
  } catch (error) {
    if (error instanceof FitRefusal) throw new Refused(error.message);
    if (error instanceof Cancelled) throw new Refused('stopped before a first point was known');
    throw asRefused(error);
  }
}

/** The end of a fit, held against how well its differential equations were solved there. */
export async function solved<R extends FitResult>(
  model: Model,
  device: Device,
  ended: R,
  cancel?: Int32Array,
): Promise<{ readonly result: R; readonly odeErrors: readonly SolverError[] }> {
  // Who stops a fit waits for nothing more.
  if (ended.status === 'cancelled') return { result: ended, odeErrors: [] };
  const heeded = heeding(device, cancel);
  const odeErrors = await orCancelled(() =>
    solverErrors(model, heeded, { objective: 'value' }, pointOf(ended), 'derivatives'),
  );
  if (!odeErrors) return { result: stoppedAt(ended), odeErrors: [] };
  const ofSteps = odeErrors.filter(({ stopped }) => stopped?.why !== 'turning');
  return { result: withSolverErrors(ended, odeErrors), odeErrors: ofSteps };
}

/** What the engine found, in the words of the contract. `inner`: the model as it is varied (models/lower/freed.ts). */
export async function fitReport(
  model: Model,
  inner: Model,
  device: Device,
  problem: FitProblem,
  ended: MultistartResult,
  startedAt: number,
  cancel?: Int32Array,
): Promise<FitReport> {
  const { result, odeErrors } = await solved(inner, device, ended, cancel);
  const best = await naturalFit(model, inner, problem, result, device);
  const random = await conditionalModes(inner, problem, result);
  const doubt = best.status === 'cancelled' ? undefined : await quadratureDoubt(problem, result);
  const { warnings } = model;
  const wanted = best.status === 'cancelled' ? undefined : quantityModel(inner, problem);
  const quantities =
    wanted && (await orCancelled(() => quantitiesAtFit(problem, result, wanted, 0.95, heeding(device, cancel))));
  const { status, reason } = wanted && !quantities ? stoppedAt(best) : best;
  return {
    status,
    reason,
    objective: best.objective,
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    ...(doubt !== undefined && { doubt }),
    ...(problem.energy === 'posterior' && { posterior: best.energy }),
    estimates: [...untied(best.estimates, best.basins ?? []), ...unread(model, problem)].map(
      ({ parameter, ...estimate }) => ({
        ...estimate,
        block: parameter,
      }),
    ),
    ...emptyOnes(model),
    ...(quantities && {
      quantities: quantityRows(model, quantities).map(({ lower, upper, figures: _, ...row }) => ({
        ...row,
        ...(row.block.includes('/') ? {} : { meaning: quantityMeaning(model, row.block) }),
        lower95: lower,
        upper95: upper,
      })),
    }),
    correlationNames: [...best.correlation.names],
    correlation: best.correlation.matrix.map((row) => [...row]),
    ...(random && { random }),
    ...(odeErrors.length > 0 && { odeErrors: [...odeErrors] }),
    ...(best.starts && { starts: { ...best.starts, ends: best.starts.ends.map((end) => ({ ...end })) } }),
    ...(best.unseen > 0 && { unseen: best.unseen }),
    ...(best.exact && { exact: best.exact }),
    decrement: best.decrement,
    solved: best.solved.filter(
      (name) => !problem.parameters.some((each) => each.name === name && each.initial.length === 0),
    ),
    ...(best.basins && {
      basins: best.basins.map(({ objective, starts, asLow, parameters }) => ({
        objective,
        starts,
        ...(asLow && { asLow }),
        parameters: Object.fromEntries([...parameters].map(([id, values]) => [id, [...values]])),
      })),
    }),
    ...(best.symmetries && { symmetries: [...best.symmetries] }),
    iterations: best.iterations,
    evaluations: best.evaluations,
    history: [...best.history],
    device: best.device,
    precision: best.precision,
    milliseconds: performance.now() - startedAt,
    finishedAt: new Date().toISOString(),
    meaning: objectiveMeaning(model) ?? '',
    ...labelsTold(model),
  };
}
