/** Version 1: a condition is a row, and a measurement names that before it and its own. */
import type { Expression } from '../formula/syntax.ts';
import { refuse } from '../sbml/refusal.ts';
import type { Experiment, Observable, SubProblem } from './problem.ts';
import { mentionedIn, readMeasurement, readObservable, readValue, targetsIn } from './rows.ts';
import { isMissing, type PetabTable, type Row } from './tsv.ts';

export interface Files1 {
  readonly id: string;
  readonly model: string;
  readonly conditions: readonly PetabTable[];
  readonly observables: readonly PetabTable[];
  readonly measurements: readonly PetabTable[];
}

const plain = new Set(['', 'conditionId', 'conditionName']);

/** `first`: how many measurements other parts have before it. */
export function readPart1({ id, model, ...tables }: Files1, first: number): SubProblem {
  const conditions = new Map<string, ReadonlyMap<string, Expression>>();
  for (const { columns, rows } of tables.conditions)
    for (const row of rows) {
      const name = row.demand('conditionId');
      if (conditions.has(name)) refuse(`${row.where}: the condition "${name}" is there twice`);
      conditions.set(name, changesOf(row, columns));
    }
  const observables = new Map<string, Observable>();
  for (const row of tables.observables.flatMap(({ rows }) => rows)) {
    const observable = readObservable(row, 1);
    if (observables.has(observable.id)) refuse(`${row.where}: the observable "${observable.id}" is there twice`);
    observables.set(observable.id, observable);
  }
  const experiments: Experiment[] = [];
  const known = new Map<string, number>();
  const experimentOf = (row: Row): number => {
    const before = row.cell('preequilibrationConditionId');
    const during = row.demand('simulationConditionId');
    const find = (name: string): ReadonlyMap<string, Expression> =>
      conditions.get(name) ?? refuse(`${row.where} is of the condition "${name}", which no table has`);
    const key = JSON.stringify([before, during]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const equilibrated = !isMissing(before);
    known.set(key, experiments.length);
    experiments.push({
      id: equilibrated ? `${before} → ${during}` : during,
      periods: [
        ...(equilibrated ? [{ time: -Infinity, changes: find(before) }] : []),
        { time: 0, changes: find(during) },
      ],
    });
    return experiments.length - 1;
  };
  const measurements = tables.measurements
    .flatMap(({ rows }) => rows)
    .map((row) => readMeasurement(row, observables, experimentOf(row)));
  const mentioned = mentionedIn(conditions.values());
  return {
    ...{ id, model, observables, experiments, measurements, mentioned },
    ...{ targets: targetsIn(conditions.values()), idle: [] },
    places: measurements.map((_, i) => first + i),
  };
}

function changesOf(row: Row, columns: readonly string[]): Map<string, Expression> {
  const changes = new Map<string, Expression>();
  for (const column of columns)
    if (!plain.has(column) && !isMissing(row.cell(column)))
      changes.set(column, readValue(row.cell(column), `${row.where}: "${column}"`));
  return changes;
}
