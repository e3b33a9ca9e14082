/**
 * What a model means, as a short text: what it computes of which parameters and data. Ids of what lies between,
 * grouping, labels, notes, units, places on the canvas, names of tables and files and the settings of an optimiser are no
 * part of it. Results belong to a meaning: with another they are stale.
 */
import { fingerprints, hashNumbers, hashText, type Named } from '../../engine/index.ts';
import type { ParameterInfo } from '../objective/parameter-info.ts';
import type { Document } from '../format/document.ts';
import { outputReferences, parametersOf, type Model } from '../load/model.ts';
import { lowerModel, type Lowered, type LowerRequest } from './lower.ts';

export interface Meaning {
  /** Of the objective, with all that a fit knows; absent where the document names none. */
  readonly objective?: string;
  /** Of each output of the top level, by its reference. */
  readonly outputs: ReadonlyMap<string, string>;
  /** Of each quantity of the top level, as a fit gives it: wherever the fit began. */
  readonly quantities: ReadonlyMap<string, string>;
}

export function modelMeaning(model: Model): Meaning {
  const { blocks } = model.graph.top;
  const references = [...blocks.keys()].flatMap((id) => outputReferences(model, id));
  const outputs = fingerprintsOf(lowerPlain(model, { outputs: references }));
  const objective = objectiveMeaning(model);
  const quantities = [...blocks].flatMap(([id, { block }]) => (block.kind === 'quantity' ? [id] : []));
  return { ...(objective !== undefined && { objective }), outputs, quantities: quantityMeanings(model, quantities) };
}

/** What quantities are of the parameters that a fit finds: where it started is no part of that. */
export const quantityMeaning = (model: Model, quantity: string): string | undefined =>
  quantityMeanings(model, [quantity]).get(quantity);

const quantityMeanings = (model: Model, quantities: readonly string[]): ReadonlyMap<string, string> =>
  fingerprintsOf(lowerPlain(model, { outputs: quantities }), (info) => told(info.fixed ? info : startless(info)));

/** Of a study of the objective, or of the output `of`, that also takes these outputs. */
export function studyMeaning(model: Model, of?: string, outputs: readonly string[] = []): string {
  const ofObjective = of === undefined || (of === 'objective' && !model.graph.top.blocks.has(of));
  const taken = ofObjective ? outputs : [of, ...outputs];
  const known = fingerprintsOf(lowerPlain(model, { outputs: [...new Set(taken)] }));
  const parts = taken.map((reference) => known.get(reference));
  return (ofObjective ? [objectiveMeaning(model), ...parts] : parts).join(' ');
}

/** Undefined where the document names no objective. */
export const objectiveMeaning = (model: Model): string | undefined => meaningOfObjective(model, told);

/** The same of models that differ in nothing but where a fit begins. */
export const meaningButStart = (model: Model): string | undefined =>
  meaningOfObjective(model, (info) => told(startless(info)));

const startless = (info: ParameterInfo): ParameterInfo => ({ ...info, initial: info.initial.map(() => 0) });

function meaningOfObjective(model: Model, tell: typeof told): string | undefined {
  if (model.objective.length === 0) return undefined;
  const lowered = lowerPlain(model, { objective: 'residuals' });
  const parts = [...fingerprintsOf(lowered, tell)].map((entry) => entry.join(' '));
  const noise = lowered.terms.map(({ kind, noise, robust }) => `${kind} ${noise} ${robust}`);
  // A fit tells of every parameter, read or not.
  return hashText([...parts, ...noise, ...parametersOf(model).map(tell).sort(), estimator(model.document)].join('\n'));
}

const lowerPlain = (model: Model, request: LowerRequest): Lowered =>
  lowerModel(model, { ...request, plainSizes: true });

function fingerprintsOf({ program, inputs, parameters }: Lowered, tell = told): ReadonlyMap<string, string> {
  const known = new Map(parameters.map((info) => [info.id, info]));
  return fingerprints(program, ({ name }: Named) => {
    const parameter = known.get(name);
    if (parameter) return tell(parameter);
    // What a fit computes and puts in itself, as noise that is held, has no values of its own.
    const given = inputs.get(name);
    return given ? hashNumbers(given.values) : name;
  });
}

/** All that is known of a parameter but the labels of its elements. */
function told({ labels: _, prior, ...info }: ParameterInfo): string {
  return JSON.stringify({ ...info, prior }, (_, value: unknown) => (typeof value === 'number' ? String(value) : value));
}

/** What a fit is of, where it is more than the objective; how the optimum is come by is left out. */
function estimator({ fit }: Document): string {
  const { method: _method, starts: _starts, seed: _seed, ...rest } = fit ?? {};
  return JSON.stringify(rest);
}
