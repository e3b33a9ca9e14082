/**
 * The one contract between the renderer and everything behind it. Client, router and preload derive from it; every
 * message is checked against its schema where it arrives, on both sides.
 *
 * A request has a schema for what is sent and one for what comes back; an event flows to the renderer alone.
 * `files.*` and `app.*` are served by the host (desktop main process, or the browser server), the rest by the engine
 * process. Structured clone carries it on the desktop; the browser's WebSocket codec keeps typed arrays and NaN.
 */
import * as v from 'valibot';
import { appRequests } from './app.ts';
import { count, elementLabels, misfit, number, record, text, verdict } from './fields.ts';
import { keepingRequests, keptCopy, keptRuns, location, stamp } from './keeping.ts';
import type { Location } from './keeping.ts';
import { contestProgress, importProgress, importRequests } from './import.ts';
import { diagnosis, plot } from './plots.ts';
import { heldStudies, storedStudies } from './stored-studies.ts';
import { studyReport, studyRequest } from './studies.ts';
import { exportTargets } from './export-targets.ts';

export { location };
export type { Location };

/** The document as parsed JSON. models/format checks it; here it is only known to be an object. */
const document = record(v.unknown());

const element = v.picklist(['real', 'int', 'bool']);

/** A dense row-major array. */
export const arrayValue = v.object({
  element,
  shape: v.array(count),
  values: v.union([v.instance(Float64Array), v.instance(Int32Array), v.instance(Uint8Array)]),
});
export type ArrayValue = v.InferOutput<typeof arrayValue>;

/** One thing wrong (or worth knowing) in a document, and where. */
export const problem = v.object({
  severity: v.picklist(['error', 'warning']),
  message: text,
  /** The block's id; the input port; where in the formula (of which output) the error points: [from, to) in characters. */
  block: v.optional(text),
  port: v.optional(text),
  output: v.optional(text),
  span: v.optional(v.tuple([count, count])),
  /** The same for a reader: `character 5`, `line 2, character 1`. */
  place: v.optional(text),
  wanted: v.optional(text),
  got: v.optional(text),
  /** The likely fix in words. */
  fix: v.optional(text),
  /** The likely fix as keys of blocks to be set, all at once, with what to call it on a button. */
  remedy: v.optional(v.object({ title: text, changes: v.array(v.object({ block: text, keys: record(v.unknown()) })) })),
});
export type Problem = v.InferOutput<typeof problem>;

/** What is known of one output of one block. `shape` is for people (`["n", 3]`), `sizes` its numbers. */
const outputReport = v.object({
  name: text,
  element,
  shape: v.array(v.union([text, count])),
  sizes: v.array(count),
  /** A real that goes where an int is wanted. */
  whole: v.optional(v.literal(true)),
  labels: v.optional(v.array(text)),
});

export const blockReport = v.object({
  id: text,
  kind: text,
  /** Port → the reference it takes; ports come in the order in which they are drawn. */
  inputs: v.array(v.object({ port: text, source: v.optional(text) })),
  /** Empty where the block has errors. */
  outputs: v.array(outputReport),
  /** What is had of it by a full name alone: `sd.b` of effects. */
  aside: v.optional(v.array(outputReport)),
});
export type BlockReport = v.InferOutput<typeof blockReport>;

export const checkReport = v.object({
  blocks: v.array(blockReport),
  problems: v.array(problem),
  /**
   * What the model means, of what is right and needs nothing that is not: its objective, each output of its top level, and each
   * quantity as a fit gives it. Absent where nothing is.
   */
  meaning: v.optional(v.object({ objective: v.optional(text), outputs: record(text), quantities: record(text) })),
  /** By which the model's plots are asked for; absent where its objective, or how it is fitted, is at fault. */
  handle: v.optional(text),
});
export type CheckReport = v.InferOutput<typeof checkReport>;

const parameterEstimate = v.object({
  /** `k`, or `ke[3]` for an element. */
  name: text,
  block: text,
  value: number,
  /** NaN where undefined. */
  standardError: number,
  lower95: number,
  upper95: number,
  fixed: v.boolean(),
  atBound: v.optional(v.picklist(['lower', 'upper'])),
  /** By its 95 % interval. Reports of old have none. */
  verdict: v.optional(verdict, { status: 'none', reason: 'not known: the fit was stored without a verdict' }),
  /** It is another in a minimum that is as low: no interval about one of them says otherwise. */
  tied: v.optional(v.literal(true)),
});

const quantityEstimate = v.object({
  name: text,
  block: text,
  value: number,
  /** NaN where undefined. */
  standardError: number,
  lower95: number,
  upper95: number,
  verdict,
  /** What it means, where no group hides it: with another its figures are stale. */
  meaning: v.optional(text),
});

const fitStatus = v.picklist(['converged', 'not-converged', 'failed', 'cancelled']);

export const fitReport = v.object({
  status: fitStatus,
  /** One sentence: why it stopped. */
  reason: text,
  objective: number,
  /** Where it converged and yet misses a shape of the data: by objective block, how likely noise does so, and where. */
  misfits: v.optional(v.array(misfit)),
  /** What its figures do not mean. */
  warnings: v.optional(v.array(text)),
  /** Why the end may not be the model's: a sentence. */
  doubt: v.optional(text),
  /** −log of the posterior density, which was minimised where parameters have priors. */
  posterior: v.optional(number),
  estimates: v.array(parameterEstimate),
  /** Parameters that have no elements, and so no estimates. */
  empty: v.optional(v.array(v.object({ block: text, shape: v.array(count) }))),
  /** Of every quantity, element by element: its interval by the covariance. */
  quantities: v.optional(v.array(quantityEstimate)),
  /** Row-major, over the free parameters in the order of `correlationNames`. */
  correlationNames: v.array(text),
  correlation: v.array(v.array(number)),
  /** Of each ode block, the largest estimated error of its states at the end point, in their units. */
  odeErrors: v.optional(v.array(v.object({ block: text, error: number, size: v.optional(number) }))),
  /**
   * Of a fit from many starts: where they ended, the lowest first (start 0 is `initial`; of very many the lowest alone),
   * how many reached the lowest, and how many ended.
   */
  starts: v.optional(
    v.object({
      atBest: count,
      ended: v.optional(count),
      ends: v.array(v.object({ start: count, objective: number, status: fitStatus })),
    }),
  ),
  /** Of how many directions of the free parameters the data say nothing. */
  unseen: v.optional(count),
  /** Every row is met to rounding, and nothing is known of a noise that is not given. */
  exact: v.optional(v.literal(true)),
  /** By how much the undamped step would lower −log L: half of the square of how far it moves in standard errors. NaN where it is not known. */
  decrement: v.optional(number),
  /** Parameters that enter linearly and were solved for at every step of the others. */
  solved: v.optional(v.array(text)),
  /** Of a fit from many starts: the minima that were found, the lowest first, with every parameter's elements. */
  basins: v.optional(
    v.array(
      v.object({
        objective: number,
        starts: count,
        /** None is lower, to rounding: so it is said of the lowest, too. */
        asLow: v.optional(v.literal(true)),
        parameters: record(v.array(number)),
      }),
    ),
  ),
  /** The symmetries of the model by which starts ended in one minimum at different points, in words: `A, k ↔ B, l`. */
  symmetries: v.optional(v.array(text)),
  /** Of effects that were integrated out: their conditional modes and deviations, an element for each group. */
  random: v.optional(
    record(
      v.object({
        groups: v.array(text),
        effects: record(
          v.object({
            value: v.array(number),
            standardDeviation: v.array(number),
            /** By how much less the modes scatter than the population: 1 − sd(b̂)/sd. Absent where that has vanished. */
            shrinkage: v.optional(number),
          }),
        ),
        /** Of three effects or more, by rows; NaN where undefined. The parameters are partial correlations then. */
        correlation: v.optional(
          v.object({
            value: v.array(v.array(number)),
            standardError: v.array(v.array(number)),
            lower95: v.array(v.array(number)),
            upper95: v.array(v.array(number)),
          }),
        ),
      }),
    ),
  ),
  iterations: count,
  evaluations: count,
  history: v.array(number),
  device: text,
  precision: v.picklist(['f64', 'f32']),
  milliseconds: number,
  /** ISO 8601. */
  finishedAt: text,
  /** What was fitted (`models/lower/meaning.ts`); a fit of another model is stale. Reports of old tell none. */
  meaning: v.optional(text, ''),
  labels: elementLabels,
});
export type FitReport = v.InferOutput<typeof fitReport>;

const wireAdjoint = v.object({
  /** The block that takes the value, and its port. */
  block: text,
  port: text,
  shape: v.array(count),
  /** max |x̄| and √Σ x̄² over what is finite. */
  largest: number,
  norm: number,
  /** Σ |x·x̄| over what is finite: times p, at most what moving every element by the share p moves the objective by. */
  effect: number,
  /** Elements that are NaN, and where the first of them stands in row-major order. */
  missing: count,
  firstMissing: v.optional(count),
  /** Some of the elements, evenly spaced. */
  sample: v.array(number),
});

const ruleReport = v.object({
  id: text,
  construct: text,
  rule: text,
  /** Scalars of the operator's Jacobian that are stored for each element, of how many; null where none is formed. */
  stored: v.nullable(count),
  of: v.nullable(count),
  /** Estimated, nanoseconds for each element; and in units of what the block costs by itself (NaN where unknown). */
  cost: number,
  timesPrimal: number,
  /** What decided, in one word. */
  because: text,
  passedOver: v.array(v.object({ rule: text, cost: number })),
});

/** What lies where a document does. */
const held = v.object({
  document,
  /** The last fit stored beside the document. */
  fit: v.nullable(fitReport),
  /** What studies found, as it was saved. */
  studies: v.optional(heldStudies),
  /** Why that cannot be read. */
  unread: v.optional(text),
  /** What the file holds; null of an example. */
  stamp: v.nullable(stamp),
});
export type Held = v.InferOutput<typeof held>;

export const opened = v.object({
  location,
  ...held.entries,
  /** What ran of it, as it was kept last. */
  runs: v.optional(keptRuns),
  /** The newest copy with unsaved edits of this document that nobody has open, which is to be restored. */
  kept: v.nullable(keptCopy),
  /** The same of one of which nothing can be read. */
  damaged: v.optional(keptCopy),
  /** Another window, of this process or another, edits the document. */
  elsewhere: v.boolean(),
});
export type Opened = v.InferOutput<typeof opened>;

const exampleSummary = v.object({
  name: text,
  title: text,
  /** Of science, as `pharmacology`. */
  field: text,
  /** One line: constructs and number of parameters. */
  summary: text,
  origin: text,
});

const deviceReport = v.object({
  kind: v.picklist(['cpu', 'webgpu', 'reference']),
  name: text,
  usable: v.boolean(),
  /** Why it was chosen or passed over, in one sentence. */
  why: text,
});

const model = { document, location };

/** Served by the host: the desktop's main process, or the browser server. */
const hostRequests = {
  'app.info': {
    input: v.object({}),
    output: v.object({
      version: text,
      host: v.picklist(['desktop', 'browser']),
      platform: text,
      initial: v.nullable(location),
      /** Whether this build has a source of newer versions; a page in a browser is served by what it is. */
      updates: v.boolean(),
      /** What the window says when it has come back. */
      told: v.optional(text),
    }),
  },

  ...appRequests,

  /** The example documents that ship. */
  'files.examples': { input: v.object({}), output: v.array(exampleSummary) },
  /** Recently used files, newest first. */
  'files.recent': { input: v.object({}), output: v.array(v.object({ path: text, name: text, openedAt: text })) },
  /** The documents in the server's folder (browser), which stand in for an open dialog. */
  'files.list': { input: v.object({}), output: v.array(v.object({ path: text, name: text })) },
  /** From now on the page has it open: it is told of changes to the file. */
  'files.open': { input: v.object({ location }), output: opened },
  /** The same without opening it, to compare with it or to go back to it. */
  'files.read': { input: v.object({ location }), output: held },
  /** The page has had the file open, and knows what it held: it is told of changes since, after its connection was lost too. */
  'files.watch': { input: v.object({ location, stamp: v.nullable(stamp) }), output: v.object({}) },
  /** The files that its tables name, as they are named: the page is told when one is written. */
  'files.watchTables': { input: v.object({ location, files: v.array(text) }), output: v.object({}) },
  /** Asks with the native dialog (desktop) which document to open; null when dismissed. */
  'files.chooseOpen': { input: v.object({}), output: v.nullable(location) },
  /**
   * Asks for a name to save under. In the browser `suggestion` is the name, in the server's folder. `over`: the file that the
   * user has agreed to write over there; null where nobody has asked.
   */
  'files.chooseSave': {
    input: v.object({ suggestion: text }),
    output: v.nullable(v.object({ location, over: v.nullable(stamp) })),
  },
  /**
   * Writes document, fit and studies (those of before stay where none are given) atomically. The location must be a file;
   * the tables come along `from` where it was. `over` is what the page believes the file to hold, null that there is none:
   * where that is not so, nothing is written, and `changed` is what there is. `without`, `withoutStudies`: why what should
   * be beside the document is not, which itself is saved; `withoutBackup`: why it is not among the earlier saves.
   */
  'files.save': {
    input: v.object({
      ...model,
      fit: v.nullable(fitReport),
      /** Of the objective, null where it is not known: without a fit to write, one of it that is there stays. */
      meaning: v.optional(v.nullable(text)),
      studies: v.optional(storedStudies),
      from: v.optional(location),
      over: v.optional(v.nullable(stamp)),
    }),
    output: v.union([
      v.object({
        location,
        savedAt: text,
        stamp,
        without: v.optional(text),
        withoutStudies: v.optional(text),
        withoutBackup: v.optional(text),
      }),
      v.object({ changed: stamp }),
    ]),
  },
  /**
   * Asks with the native dialog (desktop) where a plot, a table, a report goes, and writes it as documents are written; false
   * when dismissed. Browsers have downloads of their own.
   */
  'files.handOver': {
    input: v.object({ name: text, content: v.instance(Uint8Array) }),
    output: v.object({ written: v.boolean() }),
  },
  /** What the page shows on paper, as the first page of a PDF (desktop). Browsers print themselves. */
  'files.print': { input: v.object({}), output: v.object({ content: v.instance(Uint8Array) }) },
  ...keepingRequests,
} as const;

/** What the window asks about a model and its devices. */
export const modelRequests = {
  'devices.list': { input: v.object({}), output: v.array(deviceReport) },
  'model.check': { input: v.object(model), output: checkReport },
  /** What keeps JSON from being a document: the form of each block, before anything is asked of what they mean together. */
  'model.read': { input: v.object({ document }), output: v.object({ problems: v.array(problem) }) },
  /**
   * Values of outputs (`id` or `id.name`) at parameter values (all others at their initial ones). An output that cannot
   * be had is missing from `values`. `faults` says why.
   */
  'model.evaluate': {
    input: v.object({
      ...model,
      outputs: v.array(text),
      parameters: record(v.union([number, v.array(number)])),
    }),
    output: v.object({ values: record(arrayValue), faults: v.array(problem), milliseconds: number }),
  },
  /**
   * What a model that was checked plots, at parameter values, and values of a few outputs: all that a slider needs. With
   * `bands`, at the end of that fit. Null where the handle is not known any more: the model has to be checked again.
   */
  'model.plots': {
    input: v.object({
      handle: text,
      parameters: record(v.union([number, v.array(number)])),
      outputs: v.array(text),
      bands: v.optional(v.object({ fit: fitReport, level: number })),
    }),
    output: v.nullable(
      v.object({
        plots: v.pipe(v.array(plot), v.readonly()),
        values: record(arrayValue),
        faults: v.array(problem),
        milliseconds: number,
      }),
    ),
  },
  /**
   * The adjoint view: of every wire that `of` (the objective unless said) depends on, its derivative by what flows
   * there, at parameter values; the rewrite rule of every reduce, scan and histogram; the differentiated program as text.
   */
  'model.adjoints': {
    input: v.object({
      ...model,
      parameters: record(v.union([number, v.array(number)])),
      of: v.optional(text),
    }),
    output: v.object({
      value: number,
      wires: v.array(wireAdjoint),
      rules: v.array(ruleReport),
      program: text,
      milliseconds: number,
    }),
  },
  /** The model as text for elsewhere, or as a report with the fit that is shown. `version` is the app's. */
  'model.export': {
    input: v.object({
      ...model,
      to: v.picklist([...exportTargets, 'html']),
      fit: v.nullable(fitReport),
      /** For a report: what was run beside the fit. */
      studies: v.optional(v.array(studyReport)),
      version: text,
    }),
    output: v.object({ text }),
  },
  /** The first rows of a table as text, for the data tab. */
  'model.table': {
    input: v.object({ ...model, table: text, from: count, rows: count }),
    output: v.object({ columns: v.array(text), rows: v.array(v.array(text)), total: count }),
  },
  /** A table out of its file, as columns of the document; refused where a document cannot take it. */
  'model.inline': {
    input: v.object({ ...model, table: text }),
    output: v.object({ columns: record(v.array(v.nullable(v.union([number, text])))) }),
  },
} as const;

/** What a job does. */
export const fitWork = v.object({
  kind: v.literal('fit'),
  method: v.optional(text),
  /** How many points to begin at, and the seed that scatters them. */
  starts: v.optional(count),
  seed: v.optional(count),
});
export const studyWork = v.object({ kind: v.literal('study'), study: studyRequest });
/** How observations lie about a fit of this model with random effects: data sets are drawn from it. */
export const diagnosisWork = v.object({ kind: v.literal('diagnosis'), fit: fitReport });
const work = v.variant('kind', [fitWork, studyWork, diagnosisWork]);
const job = v.object({ job: text });

/**
 * Long work: a fit, a study, or the diagnosis of a fit. The reply that names a job comes before its first event; then comes progress, and once a
 * result or a refusal, after which nothing comes any more.
 */
const jobRequests = {
  /** Parameters begin at `parameters`, else `initial`. */
  'job.start': {
    input: v.object({ ...model, parameters: record(v.union([number, v.array(number)])), work }),
    output: job,
  },
  /**
   * Within 100 ms; what was found is kept: `job.done` follows with the best point of a fit, or what a study knows by then, or
   * where that is nothing `job.refused` with a warning.
   */
  'job.stop': { input: job, output: v.object({}) },
  /** It waits after the step it is in; progress that is `paused` follows. */
  'job.pause': { input: job, output: v.object({}) },
  'job.resume': { input: job, output: v.object({}) },
} as const;

/** Served by the engine process. */
const engineRequests = { ...modelRequests, ...jobRequests, ...importRequests } as const;

export const requests = { ...hostRequests, ...engineRequests } as const;

const progress = v.variant('kind', [
  /** The best point so far. */
  v.object({
    kind: v.literal('fit'),
    /** Of what is fitted. */
    meaning: text,
    iteration: count,
    objective: number,
    parameters: record(v.array(number)),
    /** From many starts: how many have ended, of how many. */
    starts: v.optional(v.object({ done: count, all: count })),
    /** Where it can be known. */
    secondsLeft: v.optional(number),
  }),
  /** What it is at, and how much of that is done, from 0 to 1. */
  v.object({ kind: v.picklist(['study', 'diagnosis']), stage: text, share: number }),
]);
export type Progress = v.InferOutput<typeof progress>;

const result = v.variant('kind', [
  v.object({ kind: v.literal('fit'), report: fitReport }),
  v.object({ kind: v.literal('study'), report: studyReport }),
  v.object({ kind: v.literal('diagnosis'), report: diagnosis }),
]);
export type Result = v.InferOutput<typeof result>;

export const events = {
  /** At most every 30 ms. `paused`: it waits until it is resumed or stopped. */
  'job.progress': v.object({ job: text, progress, paused: v.optional(v.literal(true)) }),
  'job.done': v.object({ job: text, result }),
  /** A job that could not start or met a fault. */
  'job.refused': v.object({
    job: text,
    problems: v.array(problem),
    /** Where it rests on a solution of a differential equation that is none: how far each is off. */
    unsolved: v.optional(v.array(v.object({ block: text, error: number, size: number }))),
  }),
  'import.progress': importProgress,
  'import.contest': contestProgress,
  /** The engine was started again, and running jobs are gone: it died of `reason`, or goes by other settings now. */
  'engine.restarted': v.object({ reason: v.optional(text) }),
  /** One sentence on something that went wrong and was mended. */
  'engine.notice': v.object({ message: text }),
  /** Another program has written the file that is open; null where it is gone. */
  'files.changed': v.object({ location, stamp: v.nullable(stamp) }),
  /** Another program has written a table of the document that is open, or it is there no more. */
  'files.tables': v.object({ location }),
  /** What lies beside the open file was written or removed: whether its fit, and what studies found, are there. */
  'files.beside': v.object({ location, fit: v.boolean(), studies: v.boolean() }),
  /** The window is about to close, or the machine to sleep: what is not kept yet is to be kept, then `files.flushed` sent. */
  'files.flush': v.object({}),
  /** The system asks for a document: a file double-clicked, or named to a second start of the app. */
  'files.asked': v.object({ location }),
  /** Said by the page's own end: its connection to the host stands from now on, or has been lost. */
  'host.connected': v.object({ connected: v.boolean() }),
  /** A native menu item or accelerator: an action id of the renderer. */
  'menu.action': v.object({ action: text }),
} as const;

export type Requests = typeof requests;
export type RequestName = keyof Requests;
export type RequestInput<N extends RequestName> = v.InferOutput<Requests[N]['input']>;
export type RequestOutput<N extends RequestName> = v.InferOutput<Requests[N]['output']>;

export type EngineRequestName = keyof typeof engineRequests;

/** Whether the engine process serves a request; the host serves the others. */
export function isEngineRequest(name: RequestName): name is EngineRequestName {
  return Object.hasOwn(engineRequests, name);
}

export type Events = typeof events;
export type EventName = keyof Events;
export type EventBody<N extends EventName> = v.InferOutput<Events[N]>;

/** What travels over the port or socket. */
export type Message =
  | { readonly type: 'request'; readonly id: number; readonly name: RequestName; readonly body: unknown }
  | { readonly type: 'reply'; readonly id: number; readonly body: unknown }
  /** A reply whose body is a frame of codec.ts: written where it is computed and read where it is shown, bytes in between. */
  | { readonly type: 'packed'; readonly id: number; readonly frame: Uint8Array }
  /** `message` is one sentence for the user; `problems` where a document is at fault. */
  | { readonly type: 'refusal'; readonly id: number; readonly message: string; readonly problems?: readonly Problem[] }
  | { readonly type: 'event'; readonly name: EventName; readonly body: unknown };

/** What the renderer sees. */
export interface Client {
  request<N extends RequestName>(name: N, body: RequestInput<N>): Promise<RequestOutput<N>>;
  on<N extends EventName>(name: N, listener: (body: EventBody<N>) => void): () => void;
}
