/**
 * One slot of an adaptive solution with events, in scalar code. A slot does one of three things: it carries out one event
 * that is due, or tries a step, or does nothing where the next knot is reached and all is settled.
 *
 * No step goes across a jump. Where something watched (watches.ts) is not at a step's end what it was at its start, the
 * step is cut to the estimate of where, until what is left is no longer than rounding; the step to just behind the jump is
 * then taken. So the times of events are found by the very steps of the solver. They are data; their derivative is the
 * implicit rule's: with g(x(t), t) the quantity that passes through 0, whose slope along the solution is ġ,
 *
 *   dt* = −dg/ġ,   x(t*) moves by f·dt*
 *
 * written as δ = −(g − detach g)/detach ġ, which is 0.
 *
 * Events follow SBML (Level 3 Version 2, section 4.11.6): an event is triggered where its condition becomes true, and due
 * after its delay; of those that are due that of the highest priority goes first, then conditions are looked at again; one
 * that is not persistent is forgotten where its condition ceases to hold. Of equal priorities
 * one is drawn, by numbers that are the same in every run; without priorities the one that is due longer goes first,
 * then the order of the document.
 */
import {
  jvpFunction,
  realLiteral,
  scalarFunction,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
import { carried as plainlyCarried, faults } from './adaptive-step.ts';
import { equationsOf } from '../methods/equations.ts';
import { increment } from '../methods/method.ts';
import { forcingOf, forcingWidth, rolesOf, stepTypes, type StepLayout } from '../step.ts';
import type { System } from '../system.ts';
import type { Tolerance } from './tolerance.ts';
import { watchWidth } from '../watches.ts';
import {
  askedTimes,
  leastLag,
  pastConstants,
  pastReader,
  pastWidths,
  plannedCarries,
  rowOf,
  type PastLayout,
  type PastReader,
} from './past.ts';
import { plannedStep, triedStep, type AdaptiveMethods, type Excused } from './tried-step.ts';
import type { Trigger } from '../triggers.ts';

/** How often an event may be waiting to be carried out. */
const mostWaiting = 8;

/** How far from its threshold, relative to its size, a quantity may be at both ends of a step that has not moved it. */
const restless = 2 ** -42;

/** Of the numbers by which events of one priority are drawn (Park & Miller 1988, doi:10.1145/63039.63042). */
const [multiplier, modulus] = [16807, 2147483647];

const waitingOf = ({ delayed }: Trigger): number => (delayed ? mostWaiting : 1);

/**
 * What is carried beside the states, and what it begins with: `happened` is when an event was carried out last; `fault` and
 * `when` as without events.
 */
export function eventCarries(triggers: readonly Trigger[]): { readonly name: string; readonly start: number }[] {
  const [fault, when] = plainlyCarried.slice(-2);
  return [
    ...['time', 'reach', 'cuts', 'step', 'stiff', 'open', 'draw', 'happened'].map((name) => ({
      name,
      start: name === 'reach' ? Infinity : name === 'happened' ? -Infinity : name === 'draw' ? 1 : 0,
    })),
    { name: fault as string, start: faults.none },
    { name: when as string, start: 0 },
    ...triggers.flatMap((trigger, i) => [
      { name: `held ${i}`, start: trigger.initial ? 1 : 0 },
      ...Array.from({ length: waitingOf(trigger) }, (_, q) => [
        { name: `due ${i} ${q}`, start: Infinity },
        ...(trigger.atTrigger ? trigger.sets.map((_, k) => ({ name: `value ${i} ${q} ${k}`, start: 0 })) : []),
      ]).flat(),
    ]),
  ];
}

/** How many echoes of events may be waited for, of each lag. */
const mostEchoes = 8;

/** Where a state jumps by an event, it jumps once more for who looks back at it: a step ends there, which moves with the event. */
function echoCarries(triggers: readonly Trigger[], past: PastLayout | undefined): string[] {
  if (!past || triggers.length === 0) return [];
  return Array.from({ length: past.lags * mostEchoes }, (_, i) => `echo ${i}`);
}

/** `eventCarries`, and what a slot that looks back carries beside them. */
export function carriesBack(
  triggers: readonly Trigger[],
  past: PastLayout,
): { readonly name: string; readonly start: number }[] {
  return [
    ...echoCarries(triggers, past).map((name) => ({ name, start: Infinity })),
    ...plannedCarries.map((name) => ({ name, start: 0 })),
  ];
}

interface Waiting {
  readonly trigger: number;
  due: ScalarOperand;
  values: ScalarOperand[];
}

export function eventStep(
  system: System,
  triggers: readonly Trigger[],
  layout: StepLayout,
  methods: AdaptiveMethods,
  tolerance: Tolerance,
  past?: PastLayout,
): ScalarFunction {
  const { states, dosed } = layout;
  const { rates: compiled, watches } = system;
  const roles = rolesOf(compiled, layout);
  const carries = eventCarries(triggers);
  // Inputs: the number of the slot, the knot's time, the way to the next, doses, forcing, and rows of the past.
  const widths = past ? pastWidths(past) : { read: 0, fixed: 0 };
  const plans = past ? plannedCarries.length : 0;
  const echoed = echoCarries(triggers, past).length;
  const reals =
    states.length +
    carries.length +
    echoed +
    plans +
    3 +
    dosed.filter(Boolean).length +
    forcingWidth(layout) +
    widths.read;
  const types = [...stepTypes(compiled, layout, reals), ...new Array<'real'>(widths.fixed).fill('real')];
  return scalarFunction(types, (s, ...parameters) => {
    const e = expression(s);
    const real = realLiteral;
    const detach = (x: ScalarOperand): ScalarOperand => e.apply('detach', x);
    const is = (x: ScalarOperand): ScalarOperand => e.apply('eq', x, real(1));
    const and = (a: ScalarOperand, b: ScalarOperand): ScalarOperand => e.apply('and', a, b);
    const or = (a: ScalarOperand, b: ScalarOperand): ScalarOperand => e.apply('or', a, b);
    const not = (a: ScalarOperand): ScalarOperand => e.apply('not', a);
    const less = (a: ScalarOperand, b: ScalarOperand): ScalarOperand => e.apply('lt', detach(a), detach(b));
    const most = (a: ScalarOperand, b: ScalarOperand): ScalarOperand => e.apply('le', detach(a), detach(b));
    const either = (condition: ScalarOperand, a: ScalarOperand, b: ScalarOperand): ScalarOperand =>
      e.choose(
        condition,
        () => a,
        () => b,
      );
    const asReal = (condition: ScalarOperand): ScalarOperand => either(condition, real(1), real(0));

    const left: ScalarOperand[] = [...parameters];
    const next = (): ScalarOperand => left.shift() as ScalarOperand;
    const lastStates = states.map(next);
    const [lastTime, lastReach, lastCuts] = [next(), next(), next()];
    const [lastStep, lastStiff, lastOpen, lastDraw, lastHappened] = [next(), next(), next(), next(), next()];
    const [lastFault, lastWhen] = [next(), next()];
    const held: ScalarOperand[] = [];
    const waiting: Waiting[] = [];
    for (const [i, trigger] of triggers.entries()) {
      held.push(next());
      for (let q = 0; q < waitingOf(trigger); q++)
        waiting.push({ trigger: i, due: next(), values: trigger.atTrigger ? trigger.sets.map(next) : [] });
    }
    const lastEchoes = Array.from({ length: echoed }, next);
    const [lastPlanned, lastWhole] = past ? [next(), next()] : [real(0), real(0)];
    const [slot, knot, span] = [next(), next(), next()];
    const dosedStates = lastStates.map((x, i) => (dosed[i] ? e.add(x, next()) : x));
    const forcing = forcingOf(layout, next);
    const rows = Array.from({ length: widths.read }, next);
    const constants = left.slice(0, left.length - widths.fixed);
    const fixed = left.slice(constants.length);

    const first = e.apply('eq', slot, real(0));
    const late = and(first, is(lastOpen));
    let fault = either(and(late, e.apply('eq', lastFault, real(faults.none))), real(faults.slots), lastFault);
    const time = either(first, knot, lastTime);
    const end = e.add(knot, span);
    const isWell = e.apply('eq', fault, real(faults.none));
    const started = dosedStates.map((x) => either(isWell, x, real(NaN)));
    const elapsedAt = (at: ScalarOperand): ScalarOperand => e.subtract(at, knot);
    const inputsAt = (at: ScalarOperand): { value: ScalarOperand; slope: ScalarOperand | undefined }[] =>
      forcing.map(({ value, slope }) => ({
        value: slope ? e.add(value, e.multiply(slope, elapsedAt(at))) : value,
        slope,
      }));
    const planned = past ? detach(either(first, real(0), lastPlanned)) : lastPlanned;
    const isWhole = past ? is(lastWhole) : lastWhole;
    const lags = past && pastConstants(past, fixed);
    const readerOf = (h: ScalarOperand): PastReader | undefined =>
      past && lags && pastReader(s, past, { time, planned, h, constants, fixed: lags, rows });
    const echoes = lastEchoes.map((echo) => either(most(echo, time), real(Infinity), echo));
    const before = readerOf(real(0))?.values(0) ?? [];
    const operandsAt = (x: readonly ScalarOperand[], at: ScalarOperand, ago = before): ScalarOperand[] => {
      const inputs = inputsAt(at);
      return roles.map((role) => {
        if (role.kind === 'past') return ago[role.past] as ScalarOperand;
        if (role.kind === 'state') return x[role.state] as ScalarOperand;
        if (role.kind === 'constant') return constants[role.constant] as ScalarOperand;
        return role.kind === 'time' ? at : (inputs[role.input]?.value as ScalarOperand);
      });
    };

    // What is triggered here, and what waits.
    const told = triggers.length > 0 ? s.inline(system.triggers.function, operandsAt(started, time)) : [];
    const tell = (): ScalarOperand => told.shift() as ScalarOperand;
    const priorities: ScalarOperand[] = [];
    const valuesNow: ScalarOperand[][] = [];
    let crowded: ScalarOperand = e.apply('lt', real(1), real(0));
    for (const [i, trigger] of triggers.entries()) {
      const holds = is(tell());
      const delay = trigger.delayed ? tell() : real(0);
      priorities.push(trigger.ranked ? tell() : real(-Infinity));
      const values = trigger.sets.map(tell);
      valuesNow.push(values);
      const risen = and(and(holds, not(is(held[i] as ScalarOperand))), isWell);
      const own = waiting.filter((each) => each.trigger === i);
      let toPlace = risen;
      for (const entry of own) {
        if (!trigger.persistent) entry.due = either(holds, entry.due, real(Infinity));
        const free = e.apply('eq', entry.due, real(Infinity));
        const placed = and(toPlace, free);
        const due = e.add(time, e.apply('max', delay, real(0)));
        entry.due = either(placed, due, entry.due);
        entry.values = entry.values.map((value, k) => either(placed, values[k] as ScalarOperand, value));
        toPlace = and(toPlace, not(free));
      }
      crowded = or(crowded, toPlace);
      held[i] = asReal(holds);
    }
    fault = either(and(isWell, crowded), real(faults.waiting), fault);
    const well = e.apply('eq', fault, real(faults.none));

    // The one that goes first.
    let chosen: ScalarOperand = real(-1);
    let [rank, since]: [ScalarOperand, ScalarOperand] = [real(-Infinity), real(Infinity)];
    let [alike, draw]: [ScalarOperand, ScalarOperand] = [real(0), detach(lastDraw)];
    for (const [i, entry] of waiting.entries()) {
      const isDue = most(entry.due, time);
      const priority = detach(priorities[entry.trigger] as ScalarOperand);
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
    const happens = and(well, most(real(0), chosen));
    const active = and(and(well, not(happens)), less(time, end));
    const waitingAfter = (): ScalarOperand[] =>
      triggers.flatMap((_, i) => [
        detach(held[i] as ScalarOperand),
        ...waiting.flatMap((entry, k) =>
          entry.trigger === i
            ? [either(and(happens, e.apply('eq', chosen, real(k))), real(Infinity), entry.due), ...entry.values]
            : [],
        ),
      ]);

    /** After an event each lag has an echo of it, in the first place that is free. */
    const echoing = ((): { readonly entries: ScalarOperand[]; readonly crowded: ScalarOperand | undefined } => {
      const entries = [...echoes];
      if (echoed === 0 || !lags) return { entries, crowded: undefined };
      let full: ScalarOperand = e.apply('lt', real(1), real(0));
      for (const [lag, own] of lags.lags.entries()) {
        const at = e.add(time, own);
        const range = Array.from({ length: mostEchoes }, (_, q) => lag * mostEchoes + q);
        let toPlace: ScalarOperand = happens;
        for (const q of range) toPlace = and(toPlace, e.apply('ne', detach(echoes[q] as ScalarOperand), detach(at)));
        for (const q of range) {
          const free = e.apply('eq', entries[q] as ScalarOperand, real(Infinity));
          entries[q] = either(and(toPlace, free), at, entries[q] as ScalarOperand);
          toPlace = and(toPlace, not(free));
        }
        full = or(full, toPlace);
      }
      return { entries, crowded: full };
    })();

    const carriedOut = (): ScalarOperand[] => {
      const set = [...started];
      for (const [k, entry] of waiting.entries()) {
        const { sets, atTrigger } = triggers[entry.trigger] as Trigger;
        const now = e.apply('eq', chosen, real(k));
        const values = atTrigger ? entry.values : (valuesNow[entry.trigger] as ScalarOperand[]);
        for (const [j, state] of sets.entries())
          set[state] = either(now, values[j] as ScalarOperand, set[state] as ScalarOperand);
      }
      return [
        ...set,
        time,
        real(Infinity),
        real(0),
        real(0),
        detach(lastStiff),
        real(1),
        detach(draw),
        detach(time),
        echoing.crowded ? either(echoing.crowded, real(faults.waiting), fault) : fault,
        detach(time),
        ...unplanned,
      ];
    };

    const unplanned = past ? [real(0), real(0), ...rowOf(past, time, real(0), started)] : [];
    const startOf = () => {
      // The nearest of the next knot and what is due.
      let target: ScalarOperand = end;
      for (const due of [...waiting.map((each) => each.due), ...echoes])
        target = either(less(due, target), due, target);
      const jumped = less(lastReach, target);
      target = either(jumped, detach(lastReach), target);
      const way = detach(span);
      const rest = detach(e.subtract(target, time));
      const lengthOf = (whole: ScalarOperand, length: ScalarOperand): ScalarOperand =>
        either(whole, e.subtract(target, time), length);
      const h = past ? either(e.apply('lt', real(0), planned), lengthOf(isWhole, planned), real(0)) : real(0);
      const reader = readerOf(h);
      const equations = equationsOf(s, compiled.function, roles, {
        ...{ time, inputs: inputsAt(time), constants },
        ...(reader && { past: reader.values }),
      });
      const beginning = {
        ...{ equations, states: started, time, rest, way },
        ...{ wished: lastStep, stiffness: lastStiff },
      };
      return { beginning, target, way, lengthOf, h, reader };
    };
    /** Of a slot that looks back: how long the next step is. */
    const settling = (): ScalarOperand[] => {
      if (!past || !lags) return [];
      const least = detach(leastLag(s, lags));
      const { wished, length, whole } = plannedStep(s, startOf().beginning, tolerance, least);
      return [
        ...started,
        time,
        detach(lastReach),
        detach(lastCuts),
        wished,
        detach(lastStiff),
        real(1),
        detach(lastDraw),
        detach(lastHappened),
        detach(either(less(real(0), least), fault, real(faults.lag))),
        detach(time),
        length,
        asReal(whole),
        ...rowOf(past, time, real(0), started),
      ];
    };

    const tried = (): ScalarOperand[] => {
      const { beginning, target, way, lengthOf, h, reader } = startOf();
      // What the clock tells, near a time of 0 by far less than the way is long.
      const clock = e.multiply(
        real(2 ** -48),
        e.apply('max', e.apply('abs', detach(time)), e.multiply(real(2 ** -40), e.apply('abs', detach(end)))),
      );
      let jump: ReturnType<typeof jumpIn> | undefined;
      // What is before a jump and what is behind it differ within any step across it.
      const excused: Excused = (after, whole, length) => {
        jump = jumpIn(after, either(whole, target, e.add(time, length)), length, reader);
        return and(jump.jumps, most(length, clock));
      };
      const step = triedStep(
        s,
        beginning,
        methods,
        tolerance,
        lengthOf,
        past && { whole: isWhole, length: planned, wished: lastStep },
        watches && excused,
      );
      const { length, whole, taken } = step;
      const reached = either(whole, target, e.add(time, length));
      const never = e.apply('lt', real(1), real(0));
      const jumps = jump ? and(taken, jump.jumps) : never;
      // As near as the clock tells, and as what passes through 0 does.
      const finest = jump ? e.apply('max', clock, e.apply('min', jump.blur, e.multiply(real(2 ** -30), way))) : clock;
      const located = and(jumps, most(length, finest));
      const cut = and(jumps, not(located));
      const goes = and(taken, not(cut));
      const shift = jump ? either(located, jump.shift, real(0)) : real(0);
      const slopes = jump ? jump.slopes : [];
      const moved = step.after.map((x, i) => (jump ? e.add(x, e.multiply(slopes[i] as ScalarOperand, shift)) : x));
      // Short of the estimate, by less the nearer it is, so that what is left shrinks from both sides; then halves.
      const near = e.apply('clamp', e.divide(length, way), real(1e-9), real(0.02));
      const estimate = jump ? e.multiply(jump.estimate, e.subtract(real(1), near)) : real(0);
      const aim = e.apply(
        'max',
        either(e.apply('le', real(2), lastCuts), e.multiply(real(0.5), length), estimate),
        finest,
      );
      const passed = most(lastReach, reached);
      return [
        ...started.map((x, i) => either(goes, moved[i] as ScalarOperand, x)),
        either(goes, e.add(reached, shift), time),
        detach(either(cut, reached, either(and(goes, or(passed, located)), real(Infinity), lastReach))),
        detach(either(cut, e.add(lastCuts, real(1)), either(goes, real(0), lastCuts))),
        detach(either(cut, aim, either(located, real(0), step.onward))),
        detach(step.stiffness),
        real(1),
        detach(lastDraw),
        detach(lastHappened),
        detach(either(step.stuck, real(faults.step), fault)),
        detach(time),
        ...(past ? [real(0), real(0), ...rowOf(past, time, h, started, step.course)] : []),
      ];
    };

    /**
     * Whether something watched is another at the end of a step than at its start, about where, how that moves, and how
     * long the quantity that passes through 0 takes for its own rounding.
     */
    const jumpIn = (
      after: readonly ScalarOperand[],
      reached: ScalarOperand,
      length: ScalarOperand,
      reader: PastReader | undefined,
    ): Record<'jumps' | 'estimate' | 'shift' | 'blur', ScalarOperand> & { slopes: ScalarOperand[] } => {
      const { function: watch, count } = system.watches as NonNullable<System['watches']>;
      const here = s.inline(watch, operandsAt(started, time)).map(detach);
      const arrived = operandsAt(after, reached, reader?.values(1));
      const there = s.inline(watch, arrived);
      // Those before the jump: the step to behind it has no length.
      const slopes = s.inline(compiled.function, operandsAt(started, time));
      const inputs = inputsAt(reached);
      const paces = reader?.slopes(1) ?? [];
      const direction = roles.map((role) => {
        if (role.kind === 'state') return detach(slopes[role.state] as ScalarOperand);
        if (role.kind === 'time') return real(1);
        if (role.kind === 'past') return detach(paces[role.past] as ScalarOperand);
        return role.kind === 'input'
          ? inputs[role.input]?.slope && detach(inputs[role.input]?.slope as ScalarOperand)
          : undefined;
      });
      const pushed = jvpFunction(
        watch,
        direction.map((each) => each !== undefined),
      );
      const moving = s
        .inline(pushed.function, [...arrived.map(detach), ...direction.filter((each) => each !== undefined)])
        .slice(pushed.active.length);
      const speeds = pushed.active.map((moves) => (moves ? moving.shift() : undefined));
      let jumps: ScalarOperand = e.apply('lt', real(1), real(0));
      let estimate: ScalarOperand = length;
      let shift: ScalarOperand = real(0);
      let blur: ScalarOperand = real(0);
      for (let i = 0; i < count; i++) {
        const of = (watched: readonly ScalarOperand[]): ScalarOperand[] => watched.slice(watchWidth * i);
        const [value, quantity, magnitude] = of(here) as [ScalarOperand, ScalarOperand, ScalarOperand];
        const [valueThen, quantityThen] = of(there) as [ScalarOperand, ScalarOperand];
        const known = not(e.apply('isnan', e.add(value, detach(valueThen))));
        // What rests at its threshold passes it to and fro by the rounding of a step, and is no jump; one that was seen is
        // followed as near as can be.
        const noise = e.multiply(real(restless), magnitude);
        const moved = or(less(noise, e.apply('abs', quantity)), less(noise, e.apply('abs', quantityThen)));
        const away = or(less(lastReach, real(Infinity)), moved);
        const other = and(and(known, away), e.apply('ne', value, detach(valueThen)));
        const through = e.apply('lt', e.multiply(quantity, detach(quantityThen)), real(0));
        const at = either(
          through,
          e.divide(e.multiply(length, quantity), e.subtract(quantity, detach(quantityThen))),
          e.multiply(real(0.5), length),
        );
        const earlier = and(other, e.apply('lt', at, estimate));
        const speed = speeds[watchWidth * i + 1];
        if (speed) {
          const still = e.apply('eq', detach(speed), real(0));
          const pace = either(still, real(1), detach(speed));
          const own = e.divide(e.subtract(detach(quantityThen), quantityThen), pace);
          const rounding = e.divide(e.multiply(real(2 ** -51), magnitude), e.apply('abs', pace));
          shift = either(and(earlier, not(still)), own, shift);
          blur = either(and(earlier, not(still)), rounding, blur);
        }
        estimate = either(earlier, at, estimate);
        jumps = or(jumps, other);
      }
      return { jumps, estimate, shift, blur, slopes };
    };

    // As in a slot without events.
    const together = (): ScalarOperand[] => {
      if (!past) return started;
      const rates = (): ScalarOperand[] => s.inline(compiled.function, operandsAt(started, time));
      return s.branch(
        and(first, e.apply('eq', detach(span), real(0))),
        () => rates().map((rate, i) => e.add(started[i] as ScalarOperand, increment(s, span, rate))),
        () => started,
      );
    };
    const idle = (): ScalarOperand[] => [
      ...together(),
      ...[
        time,
        real(Infinity),
        real(0),
        detach(lastStep),
        detach(lastStiff),
        real(0),
        detach(lastDraw),
        detach(lastHappened),
        fault,
        detach(lastWhen),
      ],
      ...unplanned,
    ];
    const step = (): ScalarOperand[] => (past ? s.branch(less(real(0), planned), tried, settling) : tried());
    const results = s.branch(happens, carriedOut, () => s.branch(active, step, idle));
    const own = results.length - unplanned.length;
    const row = results.slice(own + plans);
    return [
      ...results.slice(0, own),
      ...waitingAfter(),
      ...echoing.entries,
      ...results.slice(own, own + plans),
      ...started,
      ...before,
      ...row,
    ];
  });
}

/** As `adaptiveAsked`. */
export function eventAsked(
  { rates: compiled }: System,
  triggers: readonly Trigger[],
  layout: StepLayout,
  past: PastLayout,
): ScalarFunction {
  const { states, dosed } = layout;
  const { fixed } = pastWidths(past);
  const carries = states.length + eventCarries(triggers).length;
  const reals = carries + carriesBack(triggers, past).length + 3 + dosed.filter(Boolean).length + forcingWidth(layout);
  const types = [...stepTypes(compiled, layout, reals), ...new Array<'real'>(fixed).fill('real')];
  return scalarFunction(types, (s, ...parameters) => {
    const lastTime = parameters[states.length] as ScalarOperand;
    const [lastPlanned, , slot, knot] = parameters.slice(carries + echoCarries(triggers, past).length) as [
      ScalarOperand,
      ScalarOperand,
      ScalarOperand,
      ScalarOperand,
    ];
    const [time, planned] = s.branch(
      s.apply('eq', slot, realLiteral(0)),
      () => [knot, realLiteral(0)],
      () => [lastTime, lastPlanned],
    ) as [ScalarOperand, ScalarOperand];
    const { lags } = pastConstants(past, parameters.slice(parameters.length - fixed));
    return askedTimes(s, time, planned, lags);
  });
}
