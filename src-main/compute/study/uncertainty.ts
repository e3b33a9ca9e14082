/** What is known of a model's parameters: a fit first, then a study at its end, and a report. */
import {
  Cancelled,
  type Density,
  type Device,
  type Estimate,
  FitRefusal,
  type FitProblem,
  type FitResult,
  fixedVerdict,
  idleVerdict,
  isCancelled,
  type Observations,
  orCancelled,
  type Part,
  type RowsRun,
  type ShardedUncertainty,
  StudyRefusal,
  type StudyRows,
  uncertainty as study,
  type UncertaintyOptions,
  type UncertaintyResult,
  uncertaintyRows,
} from '../../../engine/index.ts';
import type { LikelihoodBlock } from '../../../models/blocks/likelihood.ts';
import { parametersOf, type Model } from '../../../models/load/model.ts';
import { objectiveTerms } from '../../../models/load/objective-terms.ts';
import { freed } from '../../../models/lower/freed.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { variedEffects } from '../fit/random-effects.ts';
import { sampledModel } from './sampled-effects.ts';
import { studyMeaning } from '../../../models/lower/meaning.ts';
import { combinationOf } from '../../../models/objective/combination.ts';
import { priorQuantile } from '../../../models/objective/prior-quantiles.ts';
import { isKnownPrior, priorSupport } from '../../../models/objective/priors.ts';
import type { UncertaintyReport, UncertaintyRequest } from '../../contract/studies.ts';
import { Refused } from '../../refused.ts';
import { withRoom } from '../derivatives/checkpoints.ts';
import { realOutput } from '../running/derived.ts';
import { fitFirst, type FittedFirst } from './fit-first.ts';
import { emptyOnes, unread } from '../fit/fit.ts';
import { fittedValues } from '../fit/fitted.ts';
import { labelsTold } from '../fit/labels.ts';
import { naturalFit, naturalStudy, toldIds } from '../fit/natural.ts';
import { quantityIds, quantityModel, quantityRows, topLevel } from '../fit/quantities.ts';
import { asRefused } from '../running/refusals.ts';
import { explainedBy } from './explained.ts';
import { leftOut } from './leave-one-out.ts';
import { observedBlocks, redrawnOf, residualsOf, type Resampling } from './redrawn-data.ts';
import type { StudyContext } from './study-context.ts';

type Row = UncertaintyReport['parameters'][number];

/**
 * Throws `Refused` where the model cannot be fitted or studied so; a fit that does not converge is a report. `rows` were
 * run elsewhere, and none are then run here.
 */
export async function uncertainty(
  document: Model,
  device: Device,
  request: UncertaintyRequest,
  context: StudyContext,
  rows?: Partial<StudyRows>,
): Promise<UncertaintyReport> {
  const startedAt = performance.now();
  const { method, seed = 0, bands = [] } = request;
  return refusing(async () => {
    const model = method === 'hmc' ? await sampledModel(document, context) : document;
    const inner = freed(model, context.parameters);
    const { problem, result } = await fitBefore(inner, device, request, context);
    const told = await naturalFit(model, inner, problem, result, device);
    const freedOnes = toldIds(model, problem);
    const shapes = new Map(bands.map((output) => [output, realOutput(model, output)]));
    // Where it was stopped before anything was found the fit is what is known.
    const found = studied(method, result)
      ? await orCancelled(() =>
          withRoom(new Map(), (force, onChoice) =>
            study({ ...problem, sweep: { force, onChoice } }, result, densityOf(inner), device, method, {
              ...optionsOf(inner, problem, request, context),
              quantities: quantityModel(inner, problem, [...freedOnes, ...quantityIds(model)]),
              rows,
            }),
          ),
        )
      : undefined;
    const cancelled = result.status === 'cancelled' || (found ? found.cancelled : isCancelled(context.cancel));
    const natural = found && naturalStudy(model, problem, told, found, method);
    const quantities = quantityRows(
      model,
      (found?.quantities ?? []).filter(({ quantity }) => !freedOnes.includes(quantity)),
    ).map((row) => ({ ...row, verdict: atLevel(row.verdict, levelOf(request)) }));
    const estimates = [...told.estimates, ...unread(model, problem)];
    const parameters = estimates.map((estimate) => rowOf(estimate, result, natural, levelOf(request)));
    // Of the fit, as all that is said of it as a whole: draws have medians of their own.
    const atFit = parameters.map((row, i) => ({ ...row, value: estimates[i]!.value }));
    const explained =
      found && !cancelled && result.status === 'converged' && !problem.effects && observedBlocks(model).length > 0
        ? await explainedBy(model, fittedValues({ estimates: atFit }), found.statistics['logLikelihood'])
        : {};
    const loo = request.leaveOneOut && found && !cancelled ? await leftOut(inner, problem, result, context) : undefined;
    return {
      kind: 'uncertainty',
      method,
      level: levelOf(request),
      fit: { status: result.status, reason: result.reason, objective: result.objective },
      parameters,
      ...emptyOnes(model),
      quantities,
      names: natural?.names ?? [],
      sloppy: found?.sloppy ?? [],
      statistics: { ...found?.statistics, ...explained },
      diagnostics: { ...found?.diagnostics },
      warnings: found?.warnings ?? [],
      ...loo,
      ...(natural && { correlation: natural.correlation, conditionNumber: natural.conditionNumber }),
      ...(natural?.profiles && { profiles: natural.profiles }),
      ...(found?.cutoff !== undefined && { cutoff: found.cutoff }),
      ...(found?.divergent && { divergent: found.divergent }),
      ...(natural?.draws && { draws: natural.names.map((name, j) => ({ name, chains: natural.draws?.[j] ?? [] })) }),
      ...(found &&
        found.bands.length > 0 && {
          bands: found.bands.map((band) => ({ ...band, shape: shapes.get(band.output) ?? [] })),
        }),
      ...(found?.predictive && {
        loo: { ...found.predictive.loo },
        predictive: found.predictive.checks.map(({ term, ...checks }) => ({
          block: observedBlocks(model)[term] ?? '',
          checks,
        })),
      }),
      cancelled,
      seed,
      device: device.kind,
      precision: device.precision,
      milliseconds: performance.now() - startedAt,
      finishedAt: new Date().toISOString(),
      meaning: studyMeaning(document, undefined, [...bands, ...topLevel(quantities)]),
      ...labelsTold(document),
    };
  });
}

/** A density has draws whether or not it has a mode. */
const studied = (method: UncertaintyRequest['method'], { status }: FitResult): boolean =>
  status === 'converged' || (method === 'hmc' && status !== 'cancelled');

/** Those of the study's rows that the part has. Throws `Refused` as the study does, and where the fit does not converge. */
export async function uncertaintyPart(
  model: Model,
  device: Device,
  request: UncertaintyRequest & { readonly method: ShardedUncertainty },
  part: Part,
): Promise<RowsRun> {
  return refusing(async () => {
    const context = { parameters: {} };
    const inner = freed(model);
    const { problem, result } = await fitBefore(inner, device, request, context);
    if (result.status !== 'converged')
      throw new Refused(`the fit ended ${result.status}, ${result.reason}: there is no end to study it at`);
    const options = optionsOf(inner, problem, request, context);
    return withRoom(new Map(), (force, onChoice) =>
      uncertaintyRows({ ...problem, sweep: { force, onChoice } }, result, device, request.method, part, options),
    );
  });
}

const levelOf = ({ level = 0.95 }: UncertaintyRequest): number => level;

/** The fit at whose end all is taken. */
async function fitBefore(
  model: Model,
  device: Device,
  request: UncertaintyRequest,
  context: StudyContext,
): Promise<FittedFirst> {
  const level = levelOf(request);
  if (!(level > 0 && level < 1)) throw new Refused(`--level wants a number between 0 and 1, got ${level}`);
  for (const output of request.bands ?? []) realOutput(model, output);
  // Chains draw the effects with all else.
  const jointly = {
    ...model,
    document: { ...model.document, fit: { ...model.document.fit, marginal: false as const } },
  };
  const byGroup = request.method === 'bootstrap' || request.sandwich === true;
  const fitted = await fitFirst(request.method === 'hmc' ? jointly : model, device, context, { byGroup });
  if (byGroup) demandGroups(model, fitted.problem, request);
  return fitted;
}

/** Throws `Refused` where random effects are integrated out and groups cannot be taken one by one. */
function demandGroups(
  { document }: Model,
  { effects, byGroup }: FitProblem,
  { resample, method }: UncertaintyRequest,
): void {
  if (!effects) return;
  if (method === 'bootstrap' && resample !== undefined && resample !== 'cases')
    throw new Refused(`with random effects it is groups that are drawn again: --resample cases, not ${resample}`);
  const { marginal = 'laplace' } = document.fit ?? {};
  if (marginal === 'foce' || marginal === 'fo' || marginal === 'reml')
    throw new Refused(`"${marginal}" does not take groups one by one: take "laplace" or profile`);
  if (!byGroup)
    throw new Refused(
      'groups are drawn again where effects are by one category or by nested ones, and losses over the rows of its table: take profile, or hmc, which draws the effects too',
    );
}

/** What the request asks of the engine, the usual filled in. */
function optionsOf(
  model: Model,
  problem: FitProblem,
  request: UncertaintyRequest,
  { cancel, onProgress }: StudyContext,
): UncertaintyOptions {
  const { method, seed = 0, bands = [], resample = usualResampling(model, problem) } = request;
  return {
    ...request,
    ...{ level: levelOf(request), seed, resample },
    comparable: problem.energy !== 'posterior' && combinationOf(termsOf(model)).comparable,
    redrawn:
      method === 'bootstrap' && problem.residuals.length === 0 && !problem.effects
        ? redrawnOf(model, resample)
        : undefined,
    observations: method === 'hmc' ? observationsOf(model) : undefined,
    bands: bands.length > 0 ? bandModel(model, problem, bands) : undefined,
    ...(cancel && { cancel }),
    ...(onProgress && { onProgress: (share: number) => onProgress(stages[method], share) }),
  };
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FitRefusal || error instanceof StudyRefusal) throw new Refused(error.message);
    if (error instanceof Cancelled) throw new Refused('stopped before a first point was known');
    throw asRefused(error);
  }
}

const stages: { readonly [M in UncertaintyRequest['method']]: string } = {
  covariance: 'forming the covariance',
  profile: 'following profiles',
  bootstrap: 'fitting replicates',
  hmc: 'sampling the posterior',
};

/** A robust loss bends the residuals: only rows as they are can be drawn again. */
function usualResampling(model: Model, { residuals, effects }: FitProblem): Resampling {
  if (effects) return 'cases';
  if (residuals.length === 0) return 'parametric';
  return isRobust(model) ? 'cases' : 'residuals';
}

const termsOf = ({ blocks, objective }: Model) => objectiveTerms(blocks, objective);

const isRobust = (model: Model): boolean => termsOf(model).some(({ robust }) => robust);

/** What was observed, as far as it has a distribution of its own; a likelihood of what the model computes is a prior. */
function observationsOf(model: Model): Observations | undefined {
  const terms = objectiveTerms(model.blocks, model.objective);
  if (terms.every(({ kind, noise, robust }) => kind === 'least-squares' && noise === 'estimated' && !robust))
    return terms.some(({ block }) => model.blocks.get(block)?.links.has('weights'))
      ? undefined
      : { kind: 'residuals', ...residualsOf(model) };
  if (terms.some(({ kind, noise, robust }) => kind === 'scalar' || noise === 'estimated' || robust)) return undefined;
  const redrawn = redrawnOf(model, 'cases');
  const data = new Set(observedBlocks(model));
  const observed = (redrawn?.terms ?? []).flatMap((term, i) => {
    const id = terms[i]?.block ?? '';
    if (!data.has(id)) return [];
    const { draw, ...undrawn } = term;
    // What stands in the cell of a limit is no value that could be held beside one that is drawn.
    return [draw && isSeenWhole(model, id) ? { ...undrawn, draw } : undrawn];
  });
  return redrawn && observed.length > 0 ? { kind: 'terms', redrawn: { ...redrawn, terms: observed } } : undefined;
}

function isSeenWhole(model: Model, id: string): boolean {
  const block = model.blocks.get(id)?.node.block as Partial<LikelihoodBlock> | undefined;
  return block?.censored === undefined && block?.truncated === undefined;
}

/** The density that chains sample, over the same parameters and data as the fit. */
function densityOf(model: Model): Density {
  const support = new Map(
    parametersOf(model).flatMap(({ id, prior, freed }) =>
      prior && !freed ? [[id, priorSupport(prior)] as const] : [],
    ),
  );
  const { program } = lowerModel(model, { objective: 'density' });
  return {
    program: { ...program, results: program.results.filter(({ name }) => name === 'density' || name === 'sampled') },
    ...{ result: 'sampled', ofParameters: 'density' },
    support,
    quantile: new Map(
      parametersOf(model).flatMap(({ id, prior, freed }) =>
        prior && !freed && isKnownPrior(prior) ? [[id, (share: number) => priorQuantile(prior, share)] as const] : [],
      ),
    ),
  };
}

/** Throws `Refused` where nothing is known of a parameter that an output is made of. */
function bandModel(model: Model, problem: FitProblem, outputs: readonly string[]) {
  const { program, inputs, sizes, parameters } = lowerModel(variedEffects(model, problem), { outputs });
  const read = new Set(problem.parameters.map(({ name }) => name));
  const unknown = parameters.find(({ id, fixed }) => !fixed && !read.has(id));
  if (unknown)
    throw new Refused(
      `no band is known of ${outputs.map((output) => `"${output}"`).join(', ')}: the objective says nothing of "${unknown.id}", of which it is made (keep that at its value by "fixed": true)`,
    );
  return {
    ...{ program, sizes },
    data: new Map([...inputs].flatMap(([name, { values }]) => (read.has(name) ? [] : [[name, values] as const]))),
  };
}

function rowOf(estimate: Estimate, result: FitResult, found: UncertaintyResult | undefined, level: number): Row {
  const { name, parameter: block, value, fixed } = estimate;
  const row = { name, block, fixed, value };
  if (fixed) return { ...row, lower: value, upper: value, verdict: fixedVerdict, figures: {} };
  const none = { lower: NaN, upper: NaN, figures: {} };
  if (!found) {
    const why =
      result.status === 'converged' ? 'the study was stopped' : `the fit ended ${result.status}, ${result.reason}`;
    const reason = `not known: ${why}`;
    return { ...row, ...none, verdict: { status: 'none', reason } };
  }
  const interval = found.intervals[found.names.indexOf(name)];
  if (!interval)
    return {
      ...row,
      ...none,
      verdict: idleVerdict,
    };
  const { lower, upper, verdict, figures } = interval;
  const known = found.values?.[found.names.indexOf(name)] ?? value;
  return { ...row, value: known, lower, upper, verdict: atLevel(verdict, level), figures };
}

/** Its reason says the level, where that is not the usual one. */
function atLevel<V extends Row['verdict']>(verdict: V, level: number): V {
  const at = level === 0.95 || verdict.status === 'none' ? '' : ` (at ${Number((100 * level).toPrecision(6))} %)`;
  return { ...verdict, reason: `${verdict.reason}${at}` };
}
