/** The contract on studies: what is asked of one, and its report. Numbers that are not defined are NaN. */
import * as v from 'valibot';
import { count, elementLabels, number, record, text, verdict } from './fields.ts';
import { axis } from './plots.ts';
import { namesOf, sensitivityFacts, uncertaintyFacts } from '../../models/facts/methods.ts';
import { comparisonMethods, designMethods, resamplings } from './study-choices.ts';

const list = <S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.readonly());

export const sensitivityRequest = v.object({
  kind: v.literal('sensitivity'),
  method: v.picklist(namesOf(sensitivityFacts)),
  /** A reference; the objective unless said. */
  of: v.optional(text),
  /** The base sample. */
  samples: v.optional(count),
  seed: v.optional(count),
  /** Between bounds, parameters whose scale is log are drawn with a uniform logarithm. */
  logUniform: v.optional(v.boolean()),
});

export const uncertaintyRequest = v.object({
  kind: v.literal('uncertainty'),
  method: v.picklist(namesOf(uncertaintyFacts)),
  /** 0.95 unless said. */
  level: v.optional(number),
  seed: v.optional(count),
  /** Bootstrap replicates, or draws of each chain. */
  samples: v.optional(count),
  /** Markov chains. */
  chains: v.optional(count),
  /** What the bootstrap draws again. */
  resample: v.optional(v.picklist(resamplings)),
  /** The covariance that a wrong variance of the noise does not mislead. */
  sandwich: v.optional(v.boolean()),
  /** References to outputs for which confidence and prediction bands are wanted. */
  bands: v.optional(list(text)),
  /** Leave-one-out prediction at the fit's end. */
  leaveOneOut: v.optional(v.boolean()),
});

export const designRequest = v.object({
  kind: v.literal('design'),
  method: v.picklist(designMethods),
  /** Of the criterion c: what is to be narrowed: a parameter, an element of one, a quantity or another scalar. */
  of: v.optional(text),
  /** How many observations are added: 1 unless said. */
  add: v.optional(count),
  /** By column: the range of the abscissa, or the value at which another column is held. */
  range: v.optional(record(v.unknown())),
});

/** Models of the same data, the document itself among them as the first. */
export const comparisonRequest = v.object({
  kind: v.literal('comparison'),
  method: v.picklist(comparisonMethods),
  /** What the document is called, and the others with their documents. */
  name: text,
  others: list(v.object({ name: text, document: record(v.unknown()) })),
});

export const studyRequest = v.variant('kind', [
  sensitivityRequest,
  uncertaintyRequest,
  designRequest,
  comparisonRequest,
]);
export type StudyRequest = v.InferOutput<typeof studyRequest>;
export type SensitivityRequest = v.InferOutput<typeof sensitivityRequest>;
export type ComparisonRequest = v.InferOutput<typeof comparisonRequest>;
export type DesignRequest = v.InferOutput<typeof designRequest>;
export type UncertaintyRequest = v.InferOutput<typeof uncertaintyRequest>;

const ran = {
  /** By the user: what was found until then. */
  cancelled: v.boolean(),
  seed: count,
  device: text,
  precision: v.picklist(['f64', 'f32']),
  milliseconds: number,
  /** ISO 8601. */
  finishedAt: text,
  /** What was studied (`models/lower/meaning.ts`): of the objective or output, and of each band's output after a space. */
  meaning: text,
  labels: elementLabels,
};

/** Of one element of one parameter: numbers, intervals, time courses. */
const figures = record(v.union([number, list(number)]));

const sensitivityReport = v.object({
  kind: v.literal('sensitivity'),
  method: sensitivityRequest.entries.method,
  of: text,
  /** Of the output; time courses are row-major over it. */
  shape: list(count),
  /** Where its elements stand, as plots of it do, and in which of the groups; absent where there is no abscissa. */
  along: v.optional(v.object({ x: axis, values: list(number), group: list(count), labels: list(v.nullable(text)) })),
  indices: list(v.object({ name: text, block: text, figures })),
  samples: count,
  /** Evaluations of the model. */
  runs: count,
  failed: count,
  /** The first of the runs that were not finite, their points in the order of `indices`. */
  failures: list(v.object({ point: list(number), reason: text })),
  mean: v.optional(number),
  variance: v.optional(number),
  convergence: v.optional(list(v.object({ samples: count, indices: list(figures) }))),
  directions: v.optional(list(list(number))),
  eigenvalues: v.optional(list(number)),
  /** Blocks in which the output may jump, where that matters. */
  jumps: v.optional(list(text)),
  /** Reports of old have none, as those of shards. */
  asked: v.optional(sensitivityRequest),
  ...ran,
});
export type SensitivityReport = v.InferOutput<typeof sensitivityReport>;

const uncertaintyReport = v.object({
  kind: v.literal('uncertainty'),
  method: uncertaintyRequest.entries.method,
  level: number,
  /** Of the fit at whose end all is taken. */
  fit: v.object({
    status: v.picklist(['converged', 'not-converged', 'failed', 'cancelled']),
    reason: text,
    objective: number,
  }),
  parameters: list(
    v.object({
      name: text,
      block: text,
      fixed: v.boolean(),
      value: number,
      lower: number,
      upper: number,
      verdict,
      figures,
    }),
  ),
  /** Parameters that have no elements, and so no row. */
  empty: v.optional(list(v.object({ block: text, shape: list(count) }))),
  /** Of every quantity, element by element; figures are the method's. Reports of old have none. */
  quantities: v.optional(
    list(
      v.object({
        name: text,
        block: text,
        value: number,
        lower: number,
        upper: number,
        standardError: number,
        verdict,
        figures,
      }),
    ),
  ),
  /** Of the free elements, in the order of `names`. */
  names: list(text),
  correlation: v.optional(list(list(number))),
  conditionNumber: v.optional(number),
  /** Directions in which the data say little, in words. */
  sloppy: list(text),
  /** Profiles as drawn: values of the element, and the signed root of the likelihood ratio, in units of its scale. */
  profiles: v.optional(list(v.object({ name: text, values: list(number), roots: list(number) }))),
  /** Where the signed root ends an interval. */
  cutoff: v.optional(number),
  /** By element and chain, what was sampled: draws, or the estimates of replicates as a single chain. */
  draws: v.optional(list(v.object({ name: text, chains: list(v.instance(Float64Array)) }))),
  /** By chain, the draws (from 0) whose trajectories diverged. */
  divergent: v.optional(list(list(count))),
  /** By their names: of draws PSIS-LOO and WAIC, and where it was asked for leave-one-out prediction at the fit's end. */
  loo: v.optional(record(number)),
  /** Why there is none, a clause, where it was asked for. */
  withoutLoo: v.optional(text),
  /** Of draws, by block of the objective: how often data drawn again reach a statistic of what was observed. */
  predictive: v.optional(list(v.object({ block: text, checks: record(number) }))),
  bands: v.optional(
    list(
      v.object({
        output: text,
        shape: list(count),
        value: list(number),
        lower: list(number),
        upper: list(number),
        predictionLower: list(number),
        predictionUpper: list(number),
      }),
    ),
  ),
  /** Of the fit as a whole: AIC, BIC, reduced χ², tests of the residuals. */
  statistics: record(number),
  /** Of the method: replicates that failed, divergences, … */
  diagnostics: record(number),
  warnings: list(text),
  asked: v.optional(uncertaintyRequest),
  ...ran,
});
export type UncertaintyReport = v.InferOutput<typeof uncertaintyReport>;

const designReport = v.object({
  kind: v.literal('design'),
  method: designRequest.entries.method,
  of: v.optional(text),
  fit: uncertaintyReport.entries.fit,
  /** The criterion as the data have it; after a point it is with those before it too. */
  now: number,
  points: list(
    v.object({
      /** The block of misfit that it would be an observation of. */
      of: text,
      /** By column block, a category by its label. */
      x: record(v.union([number, text])),
      after: number,
    }),
  ),
  /** Along the abscissa, the block `column`, in each group. */
  curves: list(v.object({ of: text, group: v.optional(text), column: text, x: list(number), after: list(number) })),
  asked: v.optional(designRequest),
  ...ran,
});
export type DesignReport = v.InferOutput<typeof designReport>;

const comparisonReport = v.object({
  kind: v.literal('comparison'),
  method: comparisonRequest.entries.method,
  models: list(
    v.object({
      name: text,
      status: uncertaintyReport.entries.fit.entries.status,
      objective: number,
      /** Free elements, sigma not among them; NaN, as all that follows, of one whose fit failed. */
      parameters: number,
      observations: number,
      logLikelihood: number,
      aicc: number,
      delta: number,
      weight: number,
      bic: number,
      /** Σ log p of each observation at the estimate of all others, where that is known. */
      elpdLoo: v.optional(number),
      /** Why there is none: a clause. */
      withoutLoo: v.optional(text),
      /** The model that this one is, but for its start values: it has no weight of its own. */
      same: v.optional(text),
    }),
  ),
  /** Of which models which are a case, as found by fits. */
  nested: list(v.object({ small: text, large: text, test: v.picklist(['F', 'likelihood-ratio']), p: number })),
  warnings: list(text),
  ...ran,
});
export type ComparisonReport = v.InferOutput<typeof comparisonReport>;

export const studyReport = v.variant('kind', [sensitivityReport, uncertaintyReport, designReport, comparisonReport]);
export type StudyReport = v.InferOutput<typeof studyReport>;

/** `k` of `k[2]`. */
const elementBlock = (element: string): string => element.replace(/\[.*/, '');

/** The outputs on which a study rests beside the objective, in the order of its `meaning`. */
export function studiedOutputs(report: StudyReport): readonly string[] {
  switch (report.kind) {
    case 'sensitivity':
    case 'comparison':
      return [];
    case 'design':
      return report.of === undefined ? [] : [elementBlock(report.of)];
    case 'uncertainty': {
      const bands = (report.bands ?? []).map(({ output }) => output);
      const quantities = new Set((report.quantities ?? []).map(({ block }) => block));
      return [...bands, ...[...quantities].filter((id) => !id.includes('/'))];
    }
  }
}
