/**
 * Which events are triggered, which wait, and which goes first, in scalar code. As SBML has it (Level 3 Version 2, section
 * 4.11.6): an event is triggered where its condition becomes true, and due after its delay; of those that are due that of the
 * highest priority goes first; one that is not persistent is forgotten where its condition ceases to hold. Of equal
 * priorities one is drawn, by numbers that are the same in every run; without priorities the one that is due longer goes
 * first, then the order of the document.
 */
import type { ScalarOperand } from '../../../../engine/index.ts';
import type { Trigger } from '../triggers.ts';
import type { Logic } from './logic.ts';

/** How often an event may be waiting to be carried out. */
const mostWaiting = 8;

/** Of the numbers by which events of one priority are drawn (Park & Miller 1988, doi:10.1145/63039.63042). */
const [multiplier, modulus] = [16807, 2147483647];

const waitingOf = ({ delayed }: Trigger): number => (delayed ? mostWaiting : 1);

/** What is carried of each, and what it begins with: whether its condition held; when it is due, and with what values. */
export function waitingCarries(triggers: readonly Trigger[]): { readonly name: string; readonly start: number }[] {
  return triggers.flatMap((trigger, i) => [
    { name: `held ${i}`, start: trigger.initial ? 1 : 0 },
    ...Array.from({ length: waitingOf(trigger) }, (_, q) => [
      { name: `due ${i} ${q}`, start: Infinity },
      ...(trigger.atTrigger ? trigger.sets.map((_, k) => ({ name: `value ${i} ${q} ${k}`, start: 0 })) : []),
    ]).flat(),
  ]);
}

interface Entry {
  readonly trigger: number;
  /** Infinite where nothing waits. */
  readonly due: ScalarOperand;
  readonly values: readonly ScalarOperand[];
}

export interface Waiting {
  /** Of each event, as a number. */
  readonly held: readonly ScalarOperand[];
  readonly entries: readonly Entry[];
}

/** The carries in their order. */
export function readWaiting(triggers: readonly Trigger[], next: () => ScalarOperand): Waiting {
  const held: ScalarOperand[] = [];
  const entries: Entry[] = [];
  for (const [i, trigger] of triggers.entries()) {
    held.push(next());
    for (let q = 0; q < waitingOf(trigger); q++)
      entries.push({ trigger: i, due: next(), values: trigger.atTrigger ? trigger.sets.map(next) : [] });
  }
  return { held, entries };
}

/** What is told of an event somewhere. */
export interface Told {
  readonly holds: ScalarOperand;
  readonly delay: ScalarOperand;
  readonly priority: ScalarOperand;
  /** What it would set. */
  readonly values: readonly ScalarOperand[];
  /** What scales each value; undefined of one that nothing scales. */
  readonly scales: readonly (ScalarOperand | undefined)[];
}

/** The results of triggers.ts. */
export function toldOf(
  { real, is }: Logic,
  triggers: readonly Trigger[],
  results: readonly ScalarOperand[],
): readonly Told[] {
  const left = [...results];
  const next = (): ScalarOperand => left.shift()!;
  return triggers.map((trigger) => ({
    holds: is(next()),
    delay: trigger.delayed ? next() : real(0),
    priority: trigger.ranked ? next() : real(-Infinity),
    values: trigger.sets.map(next),
    scales: trigger.scaled.map((scaled) => (scaled ? next() : undefined)),
  }));
}

/** What becomes true at one instant, which is made to wait slot by slot: its times are as many. */
export interface News {
  /** Whether an event is the one that waits from here on, at most one of all; and whether another has to follow. */
  readonly now: readonly ScalarOperand[];
  readonly later: readonly ScalarOperand[];
}

export function newsOf(
  { never, is, not, and, or }: Logic,
  { held }: Waiting,
  told: readonly Told[],
  isWell: ScalarOperand,
): News {
  let any = never;
  const each = told.map(({ holds }, i) => {
    const isNew = and(and(holds, not(is(held[i]!))), isWell);
    const found = { now: and(isNew, not(any)), later: and(isNew, any) };
    any = or(any, isNew);
    return found;
  });
  return { now: each.map(({ now }) => now), later: each.map(({ later }) => later) };
}

export interface Triggered extends Waiting {
  /** Whether there was no place for one. */
  readonly crowded: ScalarOperand;
}

/** What waits, with what is triggered now: when it is due, and the values of all. */
export function triggered(
  { e, real, never, asReal, not, and, or, either }: Logic,
  triggers: readonly Trigger[],
  before: Waiting,
  told: readonly Told[],
  { news, due, values }: { news: News; due: ScalarOperand; values: readonly (readonly ScalarOperand[])[] },
): Triggered {
  let crowded = never;
  const all = triggers.map((trigger, i) => {
    const { holds } = told[i]!;
    let toPlace = news.now[i]!;
    const entries = before.entries
      .filter((entry) => entry.trigger === i)
      .map((entry): Entry => {
        const kept = trigger.persistent ? entry.due : either(holds, entry.due, real(Infinity));
        const free = e.apply('eq', kept, real(Infinity));
        const placed = and(toPlace, free);
        toPlace = and(toPlace, not(free));
        return {
          ...entry,
          due: either(placed, due, kept),
          values: entry.values.map((v, k) => either(placed, values[i]![k]!, v)),
        };
      });
    crowded = or(crowded, toPlace);
    return { held: asReal(and(holds, not(news.later[i]!))), entries };
  });
  return { held: all.map(({ held }) => held), entries: all.flatMap(({ entries }) => entries), crowded };
}

/** The number of the entry that goes first, -1 where none is due; and the number drawn last. */
export function firstDue(
  { e, real, detach, and, or, not, most, either }: Logic,
  triggers: readonly Trigger[],
  { entries }: Waiting,
  { told, time, lastDraw }: { told: readonly Told[]; time: ScalarOperand; lastDraw: ScalarOperand },
): { readonly chosen: ScalarOperand; readonly draw: ScalarOperand } {
  let chosen: ScalarOperand = real(-1);
  let [rank, since]: [ScalarOperand, ScalarOperand] = [real(-Infinity), real(Infinity)];
  let [alike, draw]: [ScalarOperand, ScalarOperand] = [real(0), detach(lastDraw)];
  for (const [i, entry] of entries.entries()) {
    const isDue = most(entry.due, time);
    const priority = detach(told[entry.trigger]!.priority);
    const none = e.apply('lt', chosen, real(0));
    const even = e.apply('eq', rank, priority);
    // Of k that are even each is taken with probability 1/k.
    const draws = triggers[entry.trigger]?.ranked ?? false;
    if (draws) draw = e.apply('mod', e.multiply(real(multiplier), draw), real(modulus));
    alike = either(and(isDue, even), e.add(alike, real(1)), alike);
    const wins = draws
      ? e.apply('lt', e.multiply(draw, alike), real(modulus))
      : e.apply('lt', detach(entry.due), since);
    const ahead = or(e.apply('lt', rank, priority), and(even, wins));
    const better = and(isDue, or(none, ahead));
    alike = either(and(better, not(even)), real(1), alike);
    chosen = either(better, real(i), chosen);
    rank = either(better, priority, rank);
    since = either(better, detach(entry.due), since);
  }
  return { chosen, draw };
}

/** The states once the chosen entry is carried out. */
export function statesSet(
  { e, real, either }: Logic,
  triggers: readonly Trigger[],
  { entries }: Waiting,
  told: readonly Told[],
  chosen: ScalarOperand,
  states: readonly ScalarOperand[],
): ScalarOperand[] {
  const set = [...states];
  for (const [k, entry] of entries.entries()) {
    const { sets, atTrigger } = triggers[entry.trigger]!;
    const now = e.apply('eq', chosen, real(k));
    const { values, scales } = told[entry.trigger]!;
    const own = atTrigger ? entry.values : values;
    for (const [j, state] of sets.entries()) {
      const scale = scales[j];
      const value = scale ? e.multiply(own[j]!, scale) : own[j]!;
      set[state] = either(now, value, set[state]!);
    }
  }
  return set;
}

/** What is carried on, the chosen entry's place free where it `happens`. */
export function waitingAfter(
  { e, real, detach, and, either }: Logic,
  { held, entries }: Waiting,
  { happens, chosen }: { happens: ScalarOperand; chosen: ScalarOperand },
): ScalarOperand[] {
  return held.flatMap((own, i) => [
    detach(own),
    ...entries.flatMap((entry, k) =>
      entry.trigger === i
        ? [either(and(happens, e.apply('eq', chosen, real(k))), real(Infinity), entry.due), ...entry.values]
        : [],
    ),
  ]);
}
