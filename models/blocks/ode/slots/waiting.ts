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

export interface Triggered extends Waiting {
  readonly priorities: readonly ScalarOperand[];
  /** What each would set now. */
  readonly values: readonly (readonly ScalarOperand[])[];
  /** What scales the values of each now; undefined of one that nothing scales. */
  readonly scales: readonly (readonly (ScalarOperand | undefined)[])[];
  /** Whether there was no place for one. */
  readonly crowded: ScalarOperand;
}

/** Of the results of triggers.ts the values of each, and what scales them. */
export function toldOf(
  triggers: readonly Trigger[],
  results: readonly ScalarOperand[],
): Pick<Triggered, 'values' | 'scales'> {
  const left = [...results];
  const next = (): ScalarOperand => left.shift()!;
  const all = triggers.map((trigger) => {
    left.splice(0, 1 + Number(trigger.delayed) + Number(trigger.ranked));
    return { values: trigger.sets.map(next), scales: trigger.scaled.map((scaled) => (scaled ? next() : undefined)) };
  });
  return { values: all.map(({ values }) => values), scales: all.map(({ scales }) => scales) };
}

/** What waits at `time`, with what is triggered there; `tell` gives the results of triggers.ts one by one. */
export function triggered(
  { e, real, never, is, asReal, not, and, or, either }: Logic,
  triggers: readonly Trigger[],
  before: Waiting,
  { time, isWell, tell }: { time: ScalarOperand; isWell: ScalarOperand; tell: () => ScalarOperand },
): Triggered {
  let crowded = never;
  const told = triggers.map((trigger, i) => {
    const holds = is(tell());
    const delay = trigger.delayed ? tell() : real(0);
    const priority = trigger.ranked ? tell() : real(-Infinity);
    const values = trigger.sets.map(tell);
    const scales = trigger.scaled.map((scaled) => (scaled ? tell() : undefined));
    let toPlace = and(and(holds, not(is(before.held[i]!))), isWell);
    const entries = before.entries
      .filter((entry) => entry.trigger === i)
      .map((entry): Entry => {
        const kept = trigger.persistent ? entry.due : either(holds, entry.due, real(Infinity));
        const free = e.apply('eq', kept, real(Infinity));
        const placed = and(toPlace, free);
        const due = either(placed, e.add(time, e.apply('max', delay, real(0))), kept);
        toPlace = and(toPlace, not(free));
        return { ...entry, due, values: entry.values.map((v, k) => either(placed, values[k]!, v)) };
      });
    crowded = or(crowded, toPlace);
    return { held: asReal(holds), priority, values, scales, entries };
  });
  return {
    held: told.map(({ held }) => held),
    entries: told.flatMap(({ entries }) => entries),
    priorities: told.map(({ priority }) => priority),
    values: told.map(({ values }) => values),
    scales: told.map(({ scales }) => scales),
    crowded,
  };
}

/** The number of the entry that goes first, -1 where none is due; and the number drawn last. */
export function firstDue(
  { e, real, detach, and, or, not, most, either }: Logic,
  triggers: readonly Trigger[],
  { entries, priorities }: Triggered,
  { time, lastDraw }: { time: ScalarOperand; lastDraw: ScalarOperand },
): { readonly chosen: ScalarOperand; readonly draw: ScalarOperand } {
  let chosen: ScalarOperand = real(-1);
  let [rank, since]: [ScalarOperand, ScalarOperand] = [real(-Infinity), real(Infinity)];
  let [alike, draw]: [ScalarOperand, ScalarOperand] = [real(0), detach(lastDraw)];
  for (const [i, entry] of entries.entries()) {
    const isDue = most(entry.due, time);
    const priority = detach(priorities[entry.trigger]!);
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
  { entries, values, scales }: Triggered,
  chosen: ScalarOperand,
  states: readonly ScalarOperand[],
): ScalarOperand[] {
  const set = [...states];
  for (const [k, entry] of entries.entries()) {
    const { sets, atTrigger } = triggers[entry.trigger]!;
    const now = e.apply('eq', chosen, real(k));
    const own = atTrigger ? entry.values : values[entry.trigger]!;
    for (const [j, state] of sets.entries()) {
      const scale = scales[entry.trigger]?.[j];
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
