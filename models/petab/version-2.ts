/** Version 2: an experiment is a course of periods, each with conditions, and a condition is a set of changes. */
import type { Expression } from '../formula/syntax.ts';
import { refuse } from '../sbml/refusal.ts';
import type { Experiment, Observable, Period, SubProblem } from './problem.ts';
import { mentionedIn, readMeasurement, readObservable, readValue, targetsIn } from './rows.ts';
import { readNumber, type PetabTable, type Row } from './tsv.ts';

export interface Files2 {
  readonly models: ReadonlyMap<string, string>;
  readonly conditions: readonly PetabTable[];
  readonly experiments: readonly PetabTable[];
  readonly observables: readonly PetabTable[];
  readonly measurements: readonly PetabTable[];
}

export function readParts2({ models, ...tables }: Files2): SubProblem[] {
  const rowsOf = (list: readonly PetabTable[]): Row[] => list.flatMap(({ rows }) => rows);
  const observables = new Map<string, Observable>();
  for (const row of rowsOf(tables.observables)) {
    const observable = readObservable(row, 2);
    if (observables.has(observable.id)) refuse(`${row.where}: the observable "${observable.id}" is there twice`);
    observables.set(observable.id, observable);
  }
  const conditions = conditionsOf(rowsOf(tables.conditions));
  const mentioned = mentionedIn(conditions.values());
  const targets = targetsIn(conditions.values());
  const inExperiments = new Set(rowsOf(tables.experiments).map((row) => row.cell('conditionId')));
  const idle = [...conditions.keys()].filter((id) => !inExperiments.has(id));
  const experiments = experimentsOf(rowsOf(tables.experiments), conditions);
  const list = [...experiments.values()];
  const place = new Map([...experiments.keys()].map((id, i) => [id, i]));
  const rows = rowsOf(tables.measurements).map((row, at) => {
    const id = row.cell('experimentId');
    const experiment = place.get(id) ?? refuse(`${row.where} is of the experiment "${id}", which no table has`);
    const measurement = readMeasurement(row, observables, experiment);
    const model = row.cell('modelId');
    const only = models.size === 1 ? [...models.keys()][0] : undefined;
    const of = model === '' ? only : model;
    if (of === undefined || !models.has(of))
      return refuse(`${row.where} names the model "${model}", which the problem does not have`);
    return { of, at, measurement };
  });
  return [...models].flatMap(([id, model]) => {
    const own = rows.filter(({ of }) => of === id);
    if (own.length === 0) return [];
    return [
      {
        id,
        model,
        observables,
        mentioned,
        targets,
        idle,
        ...usedExperiments(
          list,
          own.map(({ measurement }) => measurement),
        ),
        places: own.map(({ at }) => at),
      },
    ];
  });
}

function conditionsOf(rows: readonly Row[]): Map<string, Map<string, Expression>> {
  const conditions = new Map<string, Map<string, Expression>>();
  for (const row of rows) {
    const [id, target] = [row.demand('conditionId'), row.demand('targetId')];
    const changes = conditions.get(id) ?? new Map<string, Expression>();
    if (changes.has(target)) refuse(`${row.where}: the condition "${id}" sets "${target}" twice`);
    changes.set(target, readValue(row.demand('targetValue'), `${row.where}: "${target}"`));
    conditions.set(id, changes);
  }
  return conditions;
}

function experimentsOf(
  rows: readonly Row[],
  conditions: ReadonlyMap<string, ReadonlyMap<string, Expression>>,
): Map<string, Experiment> {
  const found = new Map<string, Map<number, Map<string, Expression>>>();
  for (const row of rows) {
    const id = row.demand('experimentId');
    const time = readNumber(row.demand('time'), `${row.where}: "time"`);
    if (time === Infinity) refuse(`${row.where}: the experiment "${id}" has a period that begins at inf`);
    const periods = found.get(id) ?? new Map<number, Map<string, Expression>>();
    found.set(id, periods);
    const changes = periods.get(time) ?? new Map<string, Expression>();
    periods.set(time, changes);
    const condition = row.cell('conditionId');
    if (condition === '') continue;
    const given =
      conditions.get(condition) ?? refuse(`${row.where} names the condition "${condition}", which no table has`);
    for (const [target, value] of given) {
      if (changes.has(target)) refuse(`${row.where}: "${target}" is set twice at the time ${time} of "${id}"`);
      changes.set(target, value);
    }
  }
  const nothing: Period = { time: 0, changes: new Map() };
  return new Map<string, Experiment>([
    ['', { id: 'the model as it is', periods: [nothing] }],
    ...[...found].map(([id, byTime]): [string, Experiment] => {
      const all = [...byTime].sort(([a], [b]) => a - b).map(([time, changes]): Period => ({ time, changes }));
      // One that changes nothing goes on with the one before, but from a steady state time begins.
      const periods = all.filter(({ changes }, i) => changes.size > 0 || !Number.isFinite(all[i - 1]?.time ?? NaN));
      // What is measured after a steady state alone is measured from 0 on.
      return [id, { id, periods: periods.at(-1)?.time === -Infinity ? [...periods, nothing] : periods }];
    }),
  ]);
}

/** Those that are measured, and the measurements by their new numbers. */
function usedExperiments(
  experiments: readonly Experiment[],
  measurements: SubProblem['measurements'],
): Pick<SubProblem, 'experiments' | 'measurements'> {
  const used = [...new Set(measurements.map(({ experiment }) => experiment))].sort((a, b) => a - b);
  return {
    experiments: used.map((at) => experiments[at]!),
    measurements: measurements.map((each) => ({ ...each, experiment: used.indexOf(each.experiment) })),
  };
}
