/** Courses as experiments: a row for each period, and conditions of what changes at its beginning. */
import type { Expression } from '../../formula/syntax.ts';
import { isSame, keyOf, type Lane } from './courses.ts';
import { printNumber } from './print.ts';

export interface Naming {
  /** Constant of the model → what conditions set for it. */
  readonly varying: ReadonlyMap<string, string>;
  readonly targetOf: (id: string) => string;
  readonly stateOf: (state: string) => string;
  /** Whether conditions say how a state begins in a first period. */
  readonly begins: (state: string) => boolean;
  readonly print: (expression: Expression) => string;
  /** Whether it is what the period before leaves of a state. */
  readonly endOf: (expression: Expression, state: string) => boolean;
}

export interface Experiments {
  /** Rows of the tables; none where the model is taken as it is. */
  readonly experiments: string[][];
  readonly conditions: string[][];
  /** Of a measurement by its number. */
  readonly experimentOf: (measurement: number) => string;
}

/** `courses` and `times` are those of the measurements. */
export function experimentsOf(
  courses: readonly (readonly Lane[])[],
  times: readonly number[],
  naming: Naming,
): Experiments {
  const byKey = new Map(courses.map((course) => [keyOf(course), course]));
  // What is measured before a later period begins is measured in the experiment that goes on.
  const longest = [...byKey.values()].sort((a, b) => b.length - a.length);
  const homes = new Map<string, string>();
  for (const [key, course] of byKey) {
    const latest = Math.max(...times.filter((_, i) => keyOf(courses[i]!) === key));
    const home = longest.find(
      (each) =>
        each.length > course.length &&
        course.every(({ ode, lane, time }, k) => {
          const same = each[k]!;
          return same.ode === ode && same.lane === lane && same.time === time;
        }) &&
        latest < each[course.length]!.time,
    );
    homes.set(key, home ? keyOf(home) : key);
  }
  const conditions = new Map<string, string>();
  const experiments = new Map<string, { readonly id: string; readonly rows: string[][] }>();
  for (const key of new Set(homes.values())) {
    const course = byKey.get(key)!;
    const id = `experiment_${experiments.size + 1}`;
    const rows = course.map((lane, k) => {
      const changes = changesOf(lane, course[k - 1], naming);
      if (changes.length === 0) return [id, printNumber(lane.time), ''];
      const text = JSON.stringify(changes);
      const condition = conditions.get(text) ?? `condition_${conditions.size + 1}`;
      conditions.set(text, condition);
      return [id, printNumber(lane.time), condition];
    });
    experiments.set(key, { id, rows });
  }
  const all = [...experiments.values()].flatMap(({ rows }) => rows);
  const plain = all.length === 1 && all[0]?.[1] === '0' && all[0][2] === '';
  return {
    experiments: plain ? [] : all,
    conditions: [...conditions].flatMap(([text, id]) =>
      (JSON.parse(text) as [string, string][]).map(([target, value]) => [id, target, value]),
    ),
    experimentOf: (i) => (plain ? '' : (experiments.get(homes.get(keyOf(courses[i]!)) ?? '')?.id ?? '')),
  };
}

function changesOf(lane: Lane, before: Lane | undefined, naming: Naming): [target: string, value: string][] {
  const { varying, targetOf, stateOf, begins, print, endOf } = naming;
  const constants = [...varying].flatMap(([constant, id]): [string, string][] => {
    const value = lane.constants.get(constant);
    if (!value || (before && isSame(value, before.constants.get(constant)))) return [];
    return [[targetOf(id), print(value)]];
  });
  const states = [...lane.states].flatMap(([state, value]): [string, string][] => {
    const isSet = before ? !endOf(value, state) : begins(state);
    return isSet ? [[stateOf(state), print(value)]] : [];
  });
  return [...constants, ...states];
}
