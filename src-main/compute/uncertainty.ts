/** What is known of a model's parameters: a fit first, then a study at its end, and a report. */
import {
  Cancelled,
  defaultMethod,
  type Density,
  type Device,
  type Estimate,
  FitRefusal,
  type FitProblem,
  type FitResult,
  fixedVerdict,
  type Redrawn,
  StudyRefusal,
  uncertainty as study,
  type UncertaintyResult,
} from '../../engine/index.ts';
import { parametersOf, type Model } from '../../models/load/model.ts';
import { lowerModel } from '../../models/lower/lower.ts';
import { priorSupport } from '../../models/objective/prior-quantiles.ts';
import type { UncertaintyReport, UncertaintyRequest } from '../contract-studies.ts';
import { Refused } from '../refused.ts';
import type { resamplings } from '../study-methods.ts';
import { withRoom } from './checkpoints.ts';
import { realOutput } from './derived.ts';
import { fitFromAll, methodOf, problemOf, unread } from './fit.ts';
import { asRefused } from './refusals.ts';
import type { StudyContext } from './study-context.ts';

type Resampling = (typeof resamplings)[number];
type Row = UncertaintyReport['parameters'][number];

/** Throws `Refused` where the model cannot be fitted or studied so; a fit that does not converge is a report. */
export async function uncertainty(
  model: Model,
  device: Device,
  request: UncertaintyRequest,
  context: StudyContext,
): Promise<UncertaintyReport> {
  const startedAt = performance.now();
  const { method, level = 0.95, seed = 0, bands = [] } = request;
  const { cancel, onProgress, documentHash } = context;
  if (!(level > 0 && level < 1)) throw new Refused(`--level wants a number between 0 and 1, got ${level}`);
  try {
    const shapes = new Map(bands.map((output) => [output, realOutput(model, output)]));
    const problem = await problemOf(model, device, context.parameters);
    const { document } = model;
    const result = await fitFromAll(problem, device, methodOf(document.fit?.method ?? defaultMethod(problem)), {
      ...context,
      starts: document.fit?.starts,
      seed: document.fit?.seed,
      onProgress: () => onProgress?.('fitting', 0),
    });
    const priors = problem.energy === 'posterior';
    const resample = request.resample ?? usualResampling(model, problem);
    const found =
      result.status === 'converged'
        ? await withRoom(new Map(), (force, onChoice) =>
            study({ ...problem, sweep: { force, onChoice } }, result, densityOf(model), device, method, {
              ...request,
              level,
              seed,
              priors,
              resample,
              redrawn:
                method === 'bootstrap' && problem.residuals.length === 0 ? redrawnOf(model, resample) : undefined,
              bands: bands.length > 0 ? bandModel(model, bands) : undefined,
              ...(cancel && { cancel }),
              ...(onProgress && { onProgress: (share: number) => onProgress(stages[method], share) }),
            }),
          )
        : undefined;
    return {
      kind: 'uncertainty',
      method,
      level,
      fit: { status: result.status, reason: result.reason, objective: result.objective },
      parameters: [...result.estimates, ...unread(model, problem)].map((estimate) => rowOf(estimate, result, found)),
      names: found?.names ?? [],
      sloppy: found?.sloppy ?? [],
      statistics: { ...found?.statistics },
      diagnostics: { ...found?.diagnostics },
      warnings: found?.warnings ?? [],
      ...(found && { correlation: found.correlation, conditionNumber: found.conditionNumber }),
      ...(found?.profiles && { profiles: found.profiles }),
      ...(found?.cutoff !== undefined && { cutoff: found.cutoff }),
      ...(found?.draws && { draws: found.names.map((name, j) => ({ name, chains: found.draws?.[j] ?? [] })) }),
      ...(found &&
        found.bands.length > 0 && {
          bands: found.bands.map((band) => ({ ...band, shape: shapes.get(band.output) ?? [] })),
        }),
      cancelled: result.status === 'cancelled' || (found?.cancelled ?? false),
      seed,
      device: device.kind,
      precision: device.precision,
      milliseconds: performance.now() - startedAt,
      finishedAt: new Date().toISOString(),
      documentHash,
    };
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
function usualResampling(model: Model, { residuals }: FitProblem): Resampling {
  if (residuals.length === 0) return 'parametric';
  return isRobust(model) ? 'cases' : 'residuals';
}

/** The density with data drawn again, over the same parameters as the fit. Undefined where there are residuals to draw. */
function redrawnOf(model: Model, resample: Resampling): Redrawn | undefined {
  if (resample === 'residuals') return undefined;
  const { program, inputs, sizes, parameters, redrawn } = lowerModel(model, { objective: resample });
  const ids = new Set(parameters.map(({ id }) => id));
  return {
    ...{ resample, program, sizes, result: 'density', terms: redrawn },
    data: new Map([...inputs].filter(([name]) => !ids.has(name)).map(([name, { values }]) => [name, values])),
  };
}

function isRobust({ objective, blocks }: Model): boolean {
  return objective.some((link) => {
    const block = blocks.get(link.block)?.node.block;
    return block?.kind === 'least-squares' && block.loss !== undefined;
  });
}

/** The density that chains sample, over the same parameters and data as the fit. */
function densityOf(model: Model): Density {
  const support = new Map(
    parametersOf(model).flatMap(({ id, prior }) => (prior ? [[id, priorSupport(prior)] as const] : [])),
  );
  const { program } = lowerModel(model, { objective: 'density' });
  return {
    program: { ...program, results: program.results.filter(({ name }) => name === 'density') },
    result: 'density',
    support,
  };
}

function bandModel(model: Model, outputs: readonly string[]) {
  const sources = parametersOf(model).map(({ id }) => id);
  const { program, inputs, sizes } = lowerModel(model, { outputs, sources });
  const ids = new Set(sources);
  return {
    program,
    sizes,
    data: new Map([...inputs].filter(([name]) => !ids.has(name)).map(([name, { values }]) => [name, values])),
  };
}

function rowOf(estimate: Estimate, result: FitResult, found: UncertaintyResult | undefined): Row {
  const { name, parameter: block, value, fixed } = estimate;
  const row = { name, block, fixed, value };
  if (fixed) return { ...row, lower: value, upper: value, verdict: fixedVerdict, figures: {} };
  const none = { lower: NaN, upper: NaN, figures: {} };
  if (!found) {
    const reason = `not known: the fit ended ${result.status}, ${result.reason}`;
    return { ...row, ...none, verdict: { status: 'none', reason } };
  }
  const interval = found.intervals[found.names.indexOf(name)];
  if (!interval)
    return {
      ...row,
      ...none,
      verdict: { status: 'none', reason: 'not determined: the objective does not depend on it' },
    };
  const { lower, upper, verdict, figures } = interval;
  return { ...row, lower, upper, verdict, figures };
}
