/** A sensitivity study of a model: from a reference and the parameters' ranges to the engine's problem, and a report. */
import {
  Cancelled,
  type Device,
  elementName,
  elementsOf,
  heeding,
  sensitivity as study,
  type SensitivityProblem,
  type SensitivityResult,
} from '../../../engine/index.ts';
import type { SensitivityFacts } from '../../../models/facts/method.ts';
import { sensitivityFacts, type SensitivityMethod } from '../../../models/facts/methods.ts';
import type { Link } from '../../../models/graph/checked.ts';
import { chosenParameters, findOutput, type Model } from '../../../models/load/model.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { courseOf } from '../../../models/plots/drawings.ts';
import { studyMeaning } from '../../../models/lower/meaning.ts';
import type { ParameterInfo } from '../../../models/objective/parameter-info.ts';
import type { SensitivityReport, SensitivityRequest } from '../../contract/studies.ts';
import { Refused } from '../../refused.ts';
import { realOutput } from '../running/derived.ts';
import type { ParameterValues } from '../running/run.ts';
import { fitParameter } from '../fit/fit.ts';
import { demandRanges, rangesOf } from './ranges.ts';
import { labelsTold } from '../fit/labels.ts';
import { isIntegrated, marginalObjective, outerParameters } from '../fit/marginal.ts';
import { asRefused } from '../running/refusals.ts';
import { demandSolved, solverErrors } from '../running/solver-errors.ts';
import { jumpingBlocks } from './jumps.ts';
import type { StudyContext } from './study-context.ts';

/** What a study asks of a model: the engine's problem, and the shape of what is studied. */
export interface Asked {
  readonly problem: SensitivityProblem;
  readonly shape: readonly number[];
}

/** Of free parameters: the points of a row take 8·d² bytes, eigenvectors d³ operations. */
const mostElements: { readonly [M in SensitivityMethod]: number } = {
  local: Infinity,
  morris: 4096,
  sobol: 4096,
  dgsm: Infinity,
  'active-subspace': 512,
};
/** Figures by element of more elements than these, times parameters, are no help to anybody. */
const mostCourses = 2 ** 20;

/** How many samples a method takes unless said. */
export function samplesOf(method: SensitivityMethod): number {
  const { samples = 1 }: SensitivityFacts = sensitivityFacts[method];
  return samples;
}

/** The shape of what is studied. Throws `Refused` where there is no such output, or nothing to vary. */
function shapeAsked(model: Model, { method, of, samples }: SensitivityRequest, inShards: boolean): readonly number[] {
  if (samples === 0) throw new Refused('a sample of 0 says nothing: --samples wants at least 1');
  const free = studiedParameters(model, of).filter(({ fixed }) => !fixed);
  if (free.length === 0) throw new Refused('no parameter is free: there is nothing whose influence could be studied');
  const elements = free.reduce((sum, { initial }) => sum + initial.length, 0);
  if (elements > mostElements[method])
    throw new Refused(
      `${elements} elements of parameters are free, and ${method} takes at most ${mostElements[method]}: take dgsm, whose cost does not grow with them, or fix some`,
    );
  const shape = of === undefined ? [] : realOutput(model, of);
  if (shape.length === 0 || method === 'local') return shape;
  const given = `"${of}" has shape [${shape.join(', ')}]`;
  if (method !== 'sobol' || inShards)
    throw new Refused(
      `${given}, and ${method}${inShards ? ' in shards' : ''} is of a scalar: name one (a reduce block over it, say), or take --method ${inShards ? 'sobol in one piece, which gives indices' : 'local or sobol, which give time courses'}`,
    );
  const courses = shape.reduce((product, size) => product * size, elements);
  if (courses > mostCourses)
    throw new Refused(
      `${given}: indices of every element would be ${courses} figures, and ${mostCourses} is the most; name a scalar, or fewer elements (a slice block)`,
    );
  return shape;
}

/** What is studied in shards. Throws `Refused` where it cannot be, or where a range is missing. */
export function sensitivityProblem(model: Model, request: SensitivityRequest, at: ParameterValues): Asked {
  return askedWith(model, request, at, shapeAsked(model, request, true));
}

function askedWith(
  model: Model,
  { method, of, logUniform = false }: SensitivityRequest,
  at: ParameterValues,
  shape: readonly number[],
): Asked {
  if (isIntegrated(model, of))
    throw new Refused(
      'random effects are integrated out of the objective, anew at each point: take --method local, or say by --of which output to study',
    );
  const distributions = method === 'local' ? [] : rangesOf(model, at, logUniform);
  return { problem: { ...problemOf(model, of, at), distributions }, shape };
}

/** Throws `Refused` as `sensitivityProblem` does. */
export async function sensitivity(
  model: Model,
  device: Device,
  request: SensitivityRequest,
  { parameters: at, cancel, onProgress }: StudyContext,
): Promise<SensitivityReport> {
  const startedAt = performance.now();
  const { method, seed = 0, samples = samplesOf(method) } = request;
  const heeded = heeding(device, cancel);
  try {
    const shape = shapeAsked(model, request, false);
    if (method === 'local' && isIntegrated(model, request.of)) {
      const { problem, result } = await ofMarginal(model, at);
      return sensitivityReport({ problem, shape }, result, request, { model, device, startedAt });
    }
    if (method !== 'local' && !isIntegrated(model, request.of)) await demandRanges(model, heeded, at);
    const asked = askedWith(model, request, at, shape);
    // What the study moves about must itself be a solution.
    const read = request.of === undefined ? { objective: 'value' as const } : { outputs: [request.of] };
    const use = method === 'local' ? 'derivatives' : 'values';
    demandSolved(await solverErrors(model, heeded, read, at, use));
    const result = await study(asked.problem, device, method, {
      samples,
      seed,
      ...(cancel && { cancel }),
      ...(onProgress && { onProgress: (share: number) => onProgress('sampling the parameters', share) }),
    });
    return sensitivityReport(asked, result, request, { model, device, startedAt });
  } catch (error) {
    if (error instanceof Cancelled) throw new Refused('stopped before anything was found');
    throw asRefused(error);
  }
}

interface Ran {
  readonly model: Model;
  readonly device: Device;
  readonly startedAt: number;
}

export function sensitivityReport(
  { problem, shape }: Asked,
  { indices, ...found }: SensitivityResult,
  { method, of, seed = 0 }: SensitivityRequest,
  { model, device, startedAt }: Ran,
): SensitivityReport {
  return {
    ...found,
    kind: 'sensitivity',
    method,
    of: of ?? 'objective',
    shape,
    ...(of !== undefined && shape.length === 1 && alongOf(model, of, shape)),
    ...((method === 'dgsm' || method === 'active-subspace') && { jumps: jumpingBlocks(model, linksOf(model, of)) }),
    indices: elementsOf(problem).map(({ parameter, element }, i) => ({
      name: elementName(parameter.name, parameter.shape, element),
      block: parameter.name,
      figures: indices[i] ?? {},
    })),
    seed,
    device: device.kind,
    precision: device.precision,
    milliseconds: performance.now() - startedAt,
    finishedAt: new Date().toISOString(),
    meaning: studyMeaning(model, of),
    ...labelsTold(model),
  };
}

function linksOf(model: Model, of: string | undefined): readonly Link[] {
  const found = of === undefined ? undefined : findOutput(model, of);
  return found && !('message' in found) ? [found] : model.objective;
}

function alongOf(model: Model, of: string, [size]: readonly number[]): Pick<SensitivityReport, 'along'> {
  const link = findOutput(model, of);
  const course = 'message' in link ? undefined : courseOf(model, link);
  if (course?.values.length !== size || !course) return {};
  const { x, values, groups } = course;
  return { along: { x, values: Array.from(values), group: Array.from(groups.of), labels: groups.labels } };
}

/** Every parameter is an input, be it read or not: one without influence has indices of 0. */
function problemOf(
  model: Model,
  of: string | undefined,
  at: ParameterValues,
): Omit<SensitivityProblem, 'distributions'> {
  const all = studiedParameters(model, of);
  const sources = all.map(({ id }) => id);
  if (of === undefined && model.objective.length === 0)
    throw new Refused('the document has no objective: say by --of which scalar to study');
  const lowered = lowerModel(model, of === undefined ? { objective: 'value', sources } : { outputs: [of], sources });
  const output = of ?? 'objective';
  const ids = new Set(sources);
  return {
    // A posterior is no objective: the study is of the misfit alone.
    program: { ...lowered.program, results: lowered.program.results.filter(({ name }) => name === output) },
    output,
    parameters: all.map((info) => fitParameter(info, at)),
    data: new Map([
      ...[...lowered.inputs].flatMap(([name, { values }]) => (ids.has(name) ? [] : [[name, values] as const])),
      // Those that are not studied are as they are.
      ...lowered.parameters.flatMap((info) =>
        ids.has(info.id) ? [] : [[info.id, Float64Array.from(fitParameter(info, at).initial)] as const],
      ),
    ]),
    sizes: lowered.sizes,
  };
}

/**
 * What is varied: the parameters, and those of a distribution of effects where it is the objective that they change. Effects
 * themselves are drawn, not chosen.
 */
const studiedParameters = (model: Model, of: string | undefined): ParameterInfo[] =>
  isIntegrated(model, of) ? outerParameters(model) : chosenParameters(model);

/** Of an objective of which effects are integrated out, at one point. */
async function ofMarginal(
  model: Model,
  at: ParameterValues,
): Promise<{ readonly problem: SensitivityProblem; readonly result: SensitivityResult }> {
  const { value, gradient } = await marginalObjective(model, at);
  const { program, sizes } = lowerModel(model, { objective: 'value' });
  const parameters = outerParameters(model).map((info) => fitParameter(info, at));
  const problem = { program, output: 'objective', parameters, data: new Map(), sizes, distributions: [] };
  const indices = elementsOf(problem).map(({ parameter, element }) => {
    const derivative = gradient.get(parameter.name)?.[element] ?? NaN;
    return {
      derivative,
      elasticity: value === 0 ? NaN : (parameter.initial[element]! * derivative) / value,
    };
  });
  return { problem, result: { indices, samples: 1, runs: 1, failed: 0, failures: [], cancelled: false } };
}
