/**
 * The solutions of a model: one for steady states before anything is measured, one for first periods, one for second ones
 * and so on. Each is an ode block whose lanes are the experiments that come so far; what a condition sets is an array over
 * them. A later one begins where the one before has ended.
 */
import { printExpression } from '../formula/print.ts';
import { walk, type Expression } from '../formula/syntax.ts';
import { fromNumber } from '../notation/numbers.ts';
import type { Along } from '../sbml/along.ts';
import { dynamicsOf } from '../sbml/dynamics.ts';
import { doesSomething, eventOf, type EventJson } from '../sbml/events.ts';
import type { SbmlEvent } from '../sbml/model.ts';
import { refuse } from '../sbml/refusal.ts';
import { numberIn, Start, type Beginnings } from '../sbml/start.ts';
import { binary, choose, name, number, symbolOf, times } from '../sbml/syntax.ts';
import type { Place } from '../sbml/translate.ts';
import type { Experiment, Period } from './problem.ts';
import type { Writing } from './writing.ts';

/** What all solutions of a model share. */
export interface Shared {
  readonly writing: Writing;
  readonly version: 1 | 2;
  readonly along: Along;
  readonly experiments: readonly Experiment[];
  /** Ids of the parameter table → blocks. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Id of a table → id of the model. */
  readonly modelId: (id: string) => string;
  /** What conditions set and the model does not have: id → block of the first periods. */
  readonly extra: ReadonlyMap<string, string>;
  /** Ids of constants that differ from experiment to experiment. */
  readonly varying: ReadonlySet<string>;
  readonly label: string | undefined;
}

export interface Lane {
  readonly experiment: number;
  readonly period: Period;
  /** The lane of the solution before. */
  readonly before: number | undefined;
  /** Where its next period begins. */
  readonly until: number | undefined;
}

export class Stage {
  readonly shared: Shared;
  readonly lanes: readonly Lane[];
  readonly before: Stage | undefined;
  readonly times: readonly (readonly number[])[];
  readonly along: Along;
  readonly extra = new Map<string, string>();
  readonly ode: string;
  readonly table: string;
  private readonly suffix: string;
  private readonly start: Start;
  private readonly flat = new Map<string, string>();
  private readonly carried = new Map<string, string>();
  private ends: string | undefined;

  constructor(
    shared: Shared,
    wanted: { readonly id: string; readonly suffix: string },
    lanes: readonly Lane[],
    times: readonly (readonly number[])[],
    before: Stage | undefined,
  ) {
    [this.shared, this.lanes, this.times, this.before] = [shared, lanes, times, before];
    const { writing, along, varying, extra } = shared;
    this.suffix = wanted.suffix;
    const own = (plain: string): string =>
      wanted.suffix === '' ? plain : writing.names.fresh(`${plain}${wanted.suffix}`);
    this.ode = writing.names.fresh(wanted.id);
    this.table = wanted.suffix === '' ? 'conditions' : `conditions${wanted.suffix}`;
    if (Object.hasOwn(writing.tables, this.table)) this.table = `${this.table}_${this.ode}`;
    const renamed = new Map<string, string>();
    for (const id of varying) {
      const plain = along.ids.get(id);
      if (plain !== undefined) renamed.set(id, own(plain));
    }
    for (const [id, plain] of extra) this.extra.set(id, own(plain));
    this.along = along.renamed(renamed);
    this.start = new Start(this.along, writing.names, this.beginnings());
    if (lanes.length > 1)
      writing.column(
        this.table,
        `experiment${wanted.suffix}`,
        lanes.map(({ experiment }) => shared.experiments[experiment]?.id ?? ''),
      );
  }

  /** Writes constants that differ, and the ode block. */
  write(): void {
    this.writeConstants();
    const { writing, label } = this.shared;
    const { state, reactions, formulas } = dynamicsOf(this.along, this.start);
    const events = this.events();
    writing.blocks.push(...this.start.blocks);
    const none = Object.keys(state).length === 0;
    const times = writing.constant(`times${this.suffix}`, this.timesValue());
    const from = this.perLane('from', ({ period }) => number(period.time === -Infinity ? 0 : period.time));
    const begin = numberIn(from);
    writing.blocks.push({
      id: this.ode,
      kind: 'ode',
      ...(label !== undefined && { label }),
      times,
      from: begin === undefined ? (from as { name: string }).name : fromNumber(begin),
      state: none ? { [writing.names.fresh('nothing')]: { initial: 0, rate: '0' } } : state,
      ...(reactions.length > 0 && { reactions }),
      ...(Object.keys(formulas).length > 0 && { formulas }),
      ...(events.length > 0 && { events }),
    });
  }

  private timesValue(): unknown {
    const count = Math.max(1, ...this.times.map((times) => times.length));
    const at = (lane: readonly number[], i: number): unknown => fromNumber(lane[i] ?? NaN);
    const slots = Array.from({ length: count }, (_, i) => i);
    const [only] = this.times;
    if (this.times.length === 1 && only) return slots.map((i) => at(only, i));
    return slots.map((i) => this.times.map((lane) => at(lane, i)));
  }

  /** Where an output stands among those of this solution, one after the other. */
  place(lane: number, time: number): number {
    const slot = this.times[lane]?.indexOf(time) ?? -1;
    return slot * this.lanes.length + lane;
  }

  /** All values of a name along this solution, in one row. */
  values(own: string): string {
    const known = this.flat.get(own);
    if (known !== undefined) return known;
    const reference = `${this.ode}.${own}`;
    const found =
      this.lanes.length === 1
        ? reference
        : this.shared.writing.add(`${own}${this.suffix}_all`, { kind: 'reshape', values: reference, shape: [-1] });
    this.flat.set(own, found);
    return found;
  }

  perLane(wanted: string, value: (lane: Lane, at: number) => Expression): Expression {
    return this.shared.writing.along(this.table, `${wanted}${this.suffix}`, this.lanes.map(value));
  }

  /** Whether what conditions change is, of a lane, computed from where the solution before has ended. */
  private continues(lane: Lane): boolean {
    return lane.before !== undefined;
  }

  /** What its condition sets, of a lane. */
  private changed(lane: Lane, id: string): Expression | undefined {
    const { modelId, along } = this.shared;
    for (const [target, value] of lane.period.changes)
      if (modelId(target) === id) return along.translate.number(value, this.placeOfChanges(lane));
    return undefined;
  }

  private placeOfChanges(lane: Lane): Place {
    const { version, parameters, modelId, along } = this.shared;
    const later = version === 2 && this.continues(lane);
    return {
      symbol: (id) => {
        const parameter = parameters.get(id);
        if (parameter !== undefined) return name(parameter);
        if (later) return this.ended(modelId(id));
        if (version === 2) this.demandUnset(lane, id);
        const extra = this.extra.get(id);
        if (extra !== undefined) return name(extra);
        return along.ids.has(modelId(id))
          ? this.start.symbol(modelId(id))
          : refuse(`a condition uses "${id}", which neither the model nor the parameter table has`);
      },
      time: () => number(lane.period.time === -Infinity ? 0 : lane.period.time),
      rateOf: (id) => refuse(`a condition asks for the rate of "${id}"`),
    };
  }

  /** Before its first period an experiment has no values: what it sets there is none to compute with. */
  private demandUnset({ experiment, period }: Lane, id: string): void {
    const { modelId, experiments } = this.shared;
    if (![...period.changes.keys()].some((target) => modelId(target) === modelId(id))) return;
    refuse(
      `the first period of "${experiments[experiment]?.id ?? ''}" computes with "${id}", which it sets itself and which has no value before ` +
        '(PEtab computes what an experiment begins with of the parameter table alone: write the number, or a parameter)',
    );
  }

  /** What a symbol of the model was at the end of the solution before, in the lanes of this one. */
  private ended(id: string): Expression {
    const { along, varying } = this.shared;
    const before = this.before!;
    const extra = before.extra.get(id);
    if (extra !== undefined) return this.carry(extra, false);
    const own = before.along.ids.get(id);
    if (own === undefined)
      return refuse(`a condition uses "${id}", which neither the model nor the parameter table has`);
    if (along.symbols.role(id) === 'constant' && !along.amounts.has(id))
      return varying.has(id) ? this.carry(own, false) : name(own);
    return this.carry(own, true);
  }

  /** A value of the solution before in the lanes of this one: of its ends, or of an array over its lanes. */
  private carry(own: string, solved: boolean): Expression {
    const before = this.before!;
    const { writing } = this.shared;
    const lanes = this.lanes.map((lane) => lane.before ?? 0);
    if (!solved && (!writing.isArray(own) || isIdentity(lanes, before.lanes.length))) return name(own);
    const key = `${own} ${solved}`;
    const known = this.carried.get(key);
    if (known !== undefined) return name(known);
    const indices = solved
      ? this.endIndices(lanes)
      : writing.constant(`lanes${this.suffix}`, oneIfSame(lanes), { type: 'int' });
    const from = solved ? before.values(own) : own;
    const id = writing.add(`${own}_before${this.suffix}`, { kind: 'gather', from, indices });
    this.carried.set(key, id);
    return name(id);
  }

  private endIndices(lanes: readonly number[]): string {
    const before = this.before!;
    const places = lanes.map((lane) => before.place(lane, before.times[lane]?.at(-1) ?? NaN));
    this.ends ??= this.shared.writing.constant(`ends${this.suffix}`, oneIfSame(places), {
      label: 'where the solution before has ended',
      type: 'int',
    });
    return this.ends;
  }

  /** What states and constants begin with here. */
  private beginnings(): Beginnings {
    const { along, modelId } = this.shared;
    const { symbols } = along;
    const values = new Map<string, (own: () => Expression) => Expression>();
    const amounts = new Map<string, (own: () => Expression) => Expression>();
    const continued = this.lanes.some((lane) => this.continues(lane));
    for (const [id, role] of symbols.roles) {
      const isTarget = this.lanes.some(({ period }) => [...period.changes.keys()].some((each) => modelId(each) === id));
      if (role !== 'state' || (!isTarget && !continued)) continue;
      const amount = along.amounts.get(id);
      values.set(id, (own) =>
        this.perLane(`${along.ids.get(id) ?? id}_0`, (lane) => {
          return this.changed(lane, id) ?? (this.continues(lane) ? this.ended(id) : own());
        }),
      );
      if (amount === undefined) continue;
      const size = (): Expression => this.start.symbol(symbols.species.get(id)?.compartment ?? '');
      amounts.set(id, (own) =>
        this.perLane(`${amount}_0`, (lane) => {
          const set = this.changed(lane, id);
          if (set) return times(set, size());
          return this.continues(lane) ? this.carry(amount, true) : own();
        }),
      );
    }
    return { values, amounts };
  }

  private writeConstants(): void {
    const { writing, along, varying, version } = this.shared;
    const carries = (lane: Lane): boolean => this.continues(lane) && version === 2;
    for (const id of varying) {
      const own = this.along.ids.get(id)!;
      const each = this.lanes.map(
        (lane) => this.changed(lane, id) ?? (carries(lane) ? this.ended(id) : this.start.ownValue(id)),
      );
      const found = along.model.parameters.find((parameter) => parameter.id === id)?.name;
      writing.define(own, this.table, each, found !== undefined && found !== id ? { label: found } : {});
    }
    for (const [id, own] of this.extra) {
      const each = this.lanes.map((lane) => this.changed(lane, id) ?? (carries(lane) ? this.ended(id) : number(NaN)));
      writing.define(own, this.table, each);
    }
  }

  /**
   * At the instant of a border the conditions of the period that begins come first (version 2, "Detailed semantics"): what is due
   * there is left to that period. It is triggered at its start where it did not hold just before and holds now: a second event says
   * so, and the first goes on as if the condition had held.
   */
  private events(): EventJson[] {
    const { along } = this;
    const all = along.model.events.flatMap((event) => {
      const found = eventOf(along, event, along.model.events);
      return doesSomething(found) ? [{ event, found: { ...found, ...this.beforeBorder(event) } }] : [];
    });
    const later = this.lanes.some((lane) => this.continues(lane)) && this.shared.version === 2;
    if (!later || all.length === 0) return all.map(({ found }) => found);
    this.demandCarried(all.map(({ event }) => event));
    const changes = this.lanes.some(({ period }) => period.changes.size > 0);
    return all.flatMap(({ event, found }) => {
      const { initial, ...continued } = found;
      void initial;
      return changes ? [continued, { ...continued, when: this.onBorder(event), initial: false as const }] : [continued];
    });
  }

  private demandCarried(events: readonly SbmlEvent[]): void {
    const { lanes } = this;
    if (!lanes.every((lane) => this.continues(lane)))
      refuse('it has events, and some of its experiments begin at a steady state and others do not');
    const delayed = events.find(({ delay }) => delay);
    if (delayed && lanes.some(({ period }) => period.changes.size > 0))
      refuse(
        `the event "${delayed.id}" is delayed, and an experiment has several periods: what waits from one to the next is not carried over`,
      );
  }

  /** The condition of an event, which does not become true where a period ends. */
  private beforeBorder({ trigger }: SbmlEvent): { when: string } | undefined {
    if (this.lanes.every(({ until }) => until === undefined)) return undefined;
    const end = this.perLane('until', (lane) => number(justBefore(lane)));
    const when = binary('and', this.along.translate.truth(trigger, this.along), binary('<', name('time'), end));
    return { when: printExpression(when) };
  }

  private onBorder({ id, trigger }: SbmlEvent): string {
    const { translate, symbols } = this.along;
    const before: Place = {
      symbol: (each) => {
        const rule = symbols.assignments.get(each);
        return rule ? translate.number(rule, before) : this.ended(each);
      },
      time: () => this.perLane('ended', (lane) => number(justBefore(this.before!.lanes[lane.before ?? 0]!))),
      rateOf: (of) => refuse(`the event "${id}" asks for the rate of "${of}"`),
    };
    const held = this.shared.writing.formula(
      `${id}_held${this.suffix}`,
      choose(translate.truth(trigger, before), number(1), number(0)),
      { label: `whether ${id} held at the end of the period before` },
    );
    const begin = this.perLane('from', ({ period }) => number(period.time));
    const atOnce = binary('and', binary('<', name(held), number(1)), binary('<=', name('time'), begin));
    return printExpression(binary('and', atOnce, translate.truth(trigger, this.along)));
  }
}

/**
 * Where a period ends, for triggers: less by a few roundings, so that what becomes true at its border, as `0.1*time >= 0.5` does
 * at 5, is not true yet.
 */
function justBefore({ period, until }: Lane): number {
  return until === undefined ? Infinity : until - 2 ** -48 * Math.max(Math.abs(period.time), Math.abs(until));
}

const isIdentity = (lanes: readonly number[], count: number): boolean =>
  lanes.length === count && lanes.every((lane, i) => lane === i);

/** What is the same in all lanes is a scalar. */
const oneIfSame = (each: readonly number[]): number | readonly number[] =>
  each[0] !== undefined && each.every((value) => value === each[0]) ? each[0] : each;

/** Constants whose beginnings hang on others that vary, and those others. */
export function varyingConstants(along: Along, targets: ReadonlySet<string>): Set<string> {
  const { symbols } = along;
  const varying = new Set([...targets].filter((id) => symbols.role(id) === 'constant'));
  const hangs = (id: string, seen: ReadonlySet<string>): boolean => {
    if (targets.has(id)) return true;
    const math = symbols.starts.get(id) ?? symbols.assignments.get(id);
    if (!math || seen.has(id)) return false;
    return [...walk(math)].some((node) => {
      const used = symbolOf(node);
      return used !== undefined && hangs(used, new Set([...seen, id]));
    });
  };
  for (const id of symbols.starts.keys()) if (symbols.role(id) === 'constant' && hangs(id, new Set())) varying.add(id);
  return varying;
}
