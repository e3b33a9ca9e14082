/** From a PEtab problem to a document: parameters, one solution for each kind of period, and a likelihood for each observable. */
import { fromNumber } from '../notation/numbers.ts';
import { printExpression } from '../formula/print.ts';
import { Along } from '../sbml/along.ts';
import type { BlockJson } from '../sbml/blocks.ts';
import { described, type ImportedModel } from '../sbml/import.ts';
import type { SbmlModel } from '../sbml/model.ts';
import { symbolsIn } from '../sbml/linear.ts';
import { freshNames, type Names } from '../sbml/names.ts';
import { outputNames, type NamedOutput } from '../sbml/outputs.ts';
import { readSbml } from '../sbml/read.ts';
import { refuse } from '../sbml/refusal.ts';
import { numberIn, Start } from '../sbml/start.ts';
import { Symbols } from '../sbml/symbols.ts';
import { translator } from '../sbml/translate.ts';
import type { ReadFile } from '../tables/read-tables.ts';
import { observe, type Measured, type Observed } from './observations.ts';
import { parameterBlock } from './parameters.ts';
import type { PetabProblem, SubProblem } from './problem.ts';
import { readProblem } from './read.ts';
import { experimentStages } from './stages.ts';
import { varyingConstants, type Shared } from './stage.ts';
import { Writing } from './writing.ts';

/** Throws a refusal. */
export async function importPetab(yaml: string, readFile: ReadFile, name: string): Promise<ImportedModel> {
  const problem = await readProblem(yaml, readFile);
  const warnings = [...problem.warnings];
  const names = freshNames([]);
  const writing = new Writing(names);
  const parameters = new Map<string, string>();
  for (const parameter of problem.parameters) {
    const id = names.fresh(parameter.id);
    parameters.set(parameter.id, id);
    writing.blocks.push(parameterBlock(id, parameter, warnings));
  }
  const outputs = new Map<string, NamedOutput>();
  for (const [id, block] of parameters) if (id !== block) outputs.set(id, block);
  const observed: Observed[] = [];
  for (const part of problem.parts) {
    const found = partOf(writing, problem, part, parameters);
    observed.push(...found.observed);
    warnings.push(...found.warnings);
    for (const [id, output] of Object.entries(found.outputs))
      if (!parameters.has(id) && !outputs.has(id)) outputs.set(id, output);
  }
  refuseShadows(problem);
  refuseIdle(problem);
  refuseStrangers(problem);
  const unmeasured = problem.parts.flatMap(({ measurements }) =>
    measurements.filter(({ value }) => Number.isNaN(value)),
  );
  if (unmeasured.length > 0)
    warnings.push(
      `${unmeasured[0]!.where} has no measurement${unmeasured.length > 1 ? `, nor have ${unmeasured.length - 1} others` : ''}: it counts for nothing`,
    );
  const idle = problem.parts[0]?.idle ?? [];
  if (idle.length > 0)
    warnings.push(`no experiment has the condition ${idle.map((id) => `"${id}"`).join(', ')}: nothing is made of it`);
  outputs.set('simulation', simulation(writing, observed));
  // A block answers to its id.
  for (const { id } of writing.blocks) outputs.delete(id);
  const [objective, ...more] = observed.map(({ likelihood }) => likelihood);
  return {
    document: {
      format: 'cotangent/1',
      name,
      note: `From a PEtab problem of version ${problem.version}.`,
      tables: Object.fromEntries(Object.entries(writing.tables).map(([id, columns]) => [id, { columns }])),
      blocks: writing.blocks,
      objective: more.length > 0 ? [objective, ...more] : objective,
      names: Object.fromEntries(outputs),
    },
    warnings,
  };
}

/** One name for two things: whoever reads a formula could mean either. Names of version 1's placeholders are made, and not chosen. */
function refuseShadows({ version, parameters, parts, mapping }: PetabProblem): void {
  const roles = parts.map(({ model }) => new Symbols(readSbml(model)).roles);
  const isInModel = (id: string): boolean => roles.some((known) => known.has(id));
  for (const [id, inModel] of mapping)
    if (id !== inModel && isInModel(id))
      refuse(`the mapping table calls "${inModel}" of the model "${id}", and the model has another "${id}"`);
  if (version === 1) return;
  const entries = new Set([...parameters.map(({ id }) => id), ...mapping.keys()]);
  for (const [observable, { observablePlaceholders, noisePlaceholders }] of parts.flatMap((part) => [
    ...part.observables,
  ]))
    for (const id of [...observablePlaceholders, ...noisePlaceholders])
      if (entries.has(id) || isInModel(id))
        refuse(
          `the observable "${observable}" has the placeholder "${id}", which ${entries.has(id) ? 'the parameter or mapping table' : 'the model'} has already: give it another name`,
        );
}

/** What the parameter table has, and neither models, observables, measurements nor conditions know, is a mistake in one of them. */
function refuseIdle({ parameters, parts, mapping }: PetabProblem): void {
  const used = new Set(
    parts.flatMap(({ model, observables, measurements, experiments, mentioned }) => [
      ...new Symbols(readSbml(model)).roles.keys(),
      ...[...observables.values()].flatMap(({ formula, noise }) => [...symbolsIn(formula), ...symbolsIn(noise)]),
      ...measurements.flatMap(({ overrides }) => [...overrides.values()].flatMap((value) => [...symbolsIn(value)])),
      ...experiments.flatMap(({ periods }) => periods.flatMap(({ changes }) => [...changes.keys()])),
      ...mentioned,
    ]),
  );
  for (const { id, where } of parameters)
    if (!used.has(id) && !used.has(mapping.get(id) ?? id))
      refuse(`${where}: the parameter "${id}" is used nowhere: neither by a model nor in a formula or table`);
}

/**
 * Conditions set what a model or the formula of an observable has and the parameter table has not, of what these have; whether
 * they are measured or not, as PEtab's own linter has it. A name that is written wrongly would change nothing.
 */
function refuseStrangers({ version, parameters, parts, mapping }: PetabProblem): void {
  const entries = new Set(parameters.map(({ id }) => id));
  const known = new Set([
    ...parts.flatMap(({ model, observables, measurements }) => [
      ...new Symbols(readSbml(model)).roles.keys(),
      ...[...observables.values()].flatMap(({ formula, noise }) => [...symbolsIn(formula), ...symbolsIn(noise)]),
      ...measurements.flatMap(({ overrides }) => [...overrides.values()].flatMap((value) => [...symbolsIn(value)])),
    ]),
  ]);
  for (const { targets, mentioned } of parts) {
    for (const id of targets) {
      if (!known.has(id) && !known.has(mapping.get(id) ?? id))
        refuse(`a condition sets "${id}", which neither the model nor a formula of an observable has`);
      if (version === 2 && entries.has(id))
        refuse(`a condition sets "${id}", which the parameter table has: it is one or the other`);
    }
    for (const id of mentioned)
      if (!known.has(id) && !known.has(mapping.get(id) ?? id) && !entries.has(id) && id !== 'time')
        refuse(`a condition uses "${id}", which neither the model nor the parameter table has`);
  }
}

function partOf(
  writing: Writing,
  problem: PetabProblem,
  part: SubProblem,
  parameters: ReadonlyMap<string, string>,
): { observed: Observed[]; outputs: Record<string, NamedOutput>; warnings: readonly string[] } {
  const model = readSbml(part.model);
  const symbols = new Symbols(model);
  const modelId = (id: string): string => problem.mapping.get(id) ?? id;
  const byModel = new Map([...parameters].map(([id, block]) => [modelId(id), block]));
  for (const id of byModel.keys())
    if (symbols.role(id) === 'formula' || symbols.role(id) === 'state')
      refuse(`the parameter table has "${id}", which the model changes along its solution`);
  // Names of the parameter table are given away already.
  const kept: Names = { fresh: (wanted) => byModel.get(wanted) ?? writing.names.fresh(wanted) };
  const along = new Along(model, symbols, translator(model.functions), kept);
  const targets = targetsOf(part, symbols, modelId, byModel);
  const varying = varyingConstants(along, targets);
  for (const id of byModel.keys()) varying.delete(id);
  const extra = new Map<string, string>();
  for (const id of targets) if (symbols.role(id) === undefined) extra.set(id, writing.names.fresh(id));
  const label = model.name ?? model.id;
  const shared: Shared = {
    ...{ writing, along, parameters, modelId, extra, varying, label },
    version: problem.version,
    experiments: part.experiments,
  };
  writeConstants(shared, model, new Set(byModel.keys()));
  const { stages, placeOf } = experimentStages(shared, part);
  for (const stage of stages) stage.write();
  const groups = new Map<string, { readonly place: ReturnType<typeof placeOf>; readonly measured: Measured[] }>();
  for (const [i, measurement] of part.measurements.entries()) {
    const place = placeOf(measurement);
    const key = `${measurement.observable} ${stages.indexOf(place.stage)}`;
    const group = groups.get(key) ?? { place, measured: [] };
    groups.set(key, group);
    group.measured.push({ measurement, at: part.places[i]!, lane: place.lane });
  }
  const observed = [...groups.values()].map(({ place, measured }) => {
    const id = measured[0]?.measurement.observable ?? '';
    const observable = part.observables.get(id);
    if (!observable) return refuse(`no table has the observable "${id}"`);
    return observe(shared, place.stage, observable, part.observables, measured);
  });
  // What was before the experiments began has names of its own.
  const main = stages.find(({ lanes }) => lanes.some((lane) => Number.isFinite(lane.period.time))) ?? stages[0];
  return { observed, outputs: main ? outputNames(main.along, main.ode) : {}, warnings: model.warnings };
}

/** What conditions set, by the ids of the model. */
function targetsOf(
  part: SubProblem,
  symbols: Symbols,
  modelId: (id: string) => string,
  parameters: ReadonlyMap<string, string>,
): Set<string> {
  const targets = new Set<string>();
  for (const { periods } of part.experiments)
    for (const { changes } of periods)
      for (const id of changes.keys()) {
        const own = modelId(id);
        if (parameters.has(own)) refuse(`a condition sets "${id}", which the parameter table has too`);
        if (symbols.role(own) === 'formula') refuse(`a condition sets "${id}", which a rule of the model gives`);
        targets.add(own);
      }
  return targets;
}

/** What stays as it is in every experiment. */
function writeConstants({ writing, along, varying }: Shared, model: SbmlModel, estimated: ReadonlySet<string>): void {
  const start = new Start(along, writing.names);
  const found: BlockJson[] = [];
  for (const [id, role] of along.symbols.roles) {
    if (role !== 'constant' || varying.has(id) || estimated.has(id)) continue;
    const amount = along.amounts.get(id);
    const value = amount === undefined ? start.value(id) : start.amount(id);
    const constant = numberIn(value);
    const block = amount ?? along.ids.get(id) ?? id;
    const { words } = described(model, id);
    if (constant === undefined) found.push({ id: block, kind: 'map', ...words, formula: printExpression(value) });
    else found.push({ id: block, kind: 'parameter', ...words, initial: fromNumber(constant), fixed: true });
  }
  writing.blocks.push(...found, ...start.blocks);
}

/** All predictions in the order of the measurements. */
function simulation(writing: Writing, observed: readonly Observed[]): string {
  const rows = observed.flatMap((each) => each.rows);
  const [only] = observed;
  const inOrder = rows.every((row, i) => row === i);
  if (only && observed.length === 1 && inOrder) return only.prediction;
  const all = writing.add(inOrder ? 'simulation' : 'predictions', {
    kind: 'concatenate',
    values: observed.map(({ prediction }) => prediction),
  });
  if (inOrder) return all;
  const place = new Array<number>(rows.length);
  rows.forEach((row, i) => (place[row] = i));
  const order = writing.constant('order', place, { label: 'of the measurements', type: 'int' });
  return writing.add('simulation', { kind: 'gather', from: all, indices: order });
}
