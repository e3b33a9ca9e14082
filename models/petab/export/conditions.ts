/** Courses as version 1 has them: a condition is a row of everything that differs, and a measurement names one or two. */
import type { Expression } from '../../formula/syntax.ts';
import { refuse } from '../../sbml/refusal.ts';
import type { Lane } from './courses.ts';
import type { Naming } from './experiments.ts';
import { printNumber } from './print.ts';

export interface Conditions {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Of a measurement by its number. */
  readonly of: (measurement: number) => { readonly before: string; readonly during: string };
}

/** Throws a refusal for what is neither one period from 0 nor one after a steady state. */
export function conditionsOf(courses: readonly (readonly Lane[])[], naming: Naming): Conditions {
  const known = new Map<string, string>();
  const conditionOf = (lane: Lane, before: Lane | undefined): string => {
    const text = JSON.stringify(settingsOf(lane, before, naming));
    const id = known.get(text) ?? `condition_${known.size + 1}`;
    known.set(text, id);
    return id;
  };
  const named = courses.map((course) => {
    const [first, second] = course;
    const isSteady = first?.time === -Infinity;
    const last = isSteady ? second : first;
    if (!first || last?.time !== 0 || course.length !== (isSteady ? 2 : 1))
      return refuse(
        `an experiment has periods from ${course.map(({ time }) => printNumber(time)).join(', ')}, and version 1 of PEtab has one from 0, after a steady state or not`,
      );
    return {
      before: isSteady ? conditionOf(first, undefined) : '',
      during: conditionOf(last, isSteady ? first : undefined),
    };
  });
  const conditions = [...known].map(([text, id]) => ({
    id,
    settings: new Map(JSON.parse(text) as [string, string][]),
  }));
  const targets = [...new Set(conditions.flatMap(({ settings }) => [...settings.keys()]))];
  return {
    header: ['conditionId', ...targets],
    rows: conditions.map(({ id, settings }) => [id, ...targets.map((target) => settings.get(target) ?? 'NaN')]),
    of: (measurement) => named[measurement]!,
  };
}

function settingsOf(lane: Lane, before: Lane | undefined, naming: Naming): [target: string, value: string][] {
  const { varying, targetOf, stateOf, begins, endOf } = naming;
  const constants = [...varying].flatMap(([constant, id]): [string, string][] => {
    const value = lane.constants.get(constant);
    return value ? [[targetOf(id), plain(value, naming)]] : [];
  });
  const states = [...lane.states].flatMap(([state, value]): [string, string][] =>
    (before ? !endOf(value, state) : begins(state)) ? [[stateOf(state), plain(value, naming)]] : [],
  );
  return [...constants, ...states];
}

function plain(value: Expression, { print }: Naming): string {
  const text = print(value);
  return /^[A-Za-z_]\w*$/.test(text) || Number.isFinite(Number(text))
    ? text
    : refuse(`a condition sets "${text}", and those of version 1 of PEtab have numbers and parameters alone`);
}
