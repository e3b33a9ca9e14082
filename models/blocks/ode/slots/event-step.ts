/**
 * One slot of an adaptive solution with events, in scalar code. A slot does one of three things: it carries out one event
 * that is due, or tries a step, or does nothing where the next knot is reached and all is settled.
 *
 * No step goes across a jump. Where something watched (watches.ts) is not at a step's end what it was at its start, the
 * step is cut to the estimate of where, until what is left is no longer than rounding; the step to just behind the jump is
 * then taken. So the times of events are found by the very steps of the solver. They are data; their derivative is the
 * implicit rule's (jump.ts), and x(t*) moves by f·dt*.
 *
 * Events go one by one as SBML has it (waiting.ts); after each, conditions are looked at again.
 */
import { realLiteral, scalarFunction, type ScalarFunction, type ScalarOperand } from '../../../../engine/index.ts';
import { carried as plainlyCarried, faults } from './adaptive-step.ts';
import { equationsOf } from '../methods/equations.ts';
import { increment } from '../methods/method.ts';
import { forcingOf, forcingWidth, rolesOf, stepTypes, type StepLayout } from '../step.ts';
import type { System } from '../system.ts';
import type { Tolerance } from './tolerance.ts';
import { echoCarries, echoing } from './echoes.ts';
import { jumpAcross, type Jump } from './jump.ts';
import { logicOf } from './logic.ts';
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
import { firstDue, readWaiting, statesSet, triggered, waitingAfter, waitingCarries } from './waiting.ts';

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
    ...waitingCarries(triggers),
  ];
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
  const echoCount = echoCarries(triggers, past).length;
  const reals =
    states.length +
    carries.length +
    echoCount +
    plans +
    3 +
    dosed.filter(Boolean).length +
    forcingWidth(layout) +
    widths.read;
  const types = [...stepTypes(compiled, layout, reals), ...new Array<'real'>(widths.fixed).fill('real')];
  return scalarFunction(types, (s, ...parameters) => {
    const logic = logicOf(s);
    const { e, real, never, detach, is, and, or, not, less, most, either, asReal } = logic;

    const left: ScalarOperand[] = [...parameters];
    const next = (): ScalarOperand => left.shift() as ScalarOperand;
    const lastStates = states.map(next);
    const [lastTime, lastReach, lastCuts] = [next(), next(), next()];
    const [lastStep, lastStiff, lastOpen, lastDraw, lastHappened] = [next(), next(), next(), next(), next()];
    const [lastFault, lastWhen] = [next(), next()];
    const lastWaiting = readWaiting(triggers, next);
    const lastEchoes = Array.from({ length: echoCount }, next);
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
    const waiting = triggered(logic, triggers, lastWaiting, { time, isWell, tell });
    fault = either(and(isWell, waiting.crowded), real(faults.waiting), fault);
    const well = e.apply('eq', fault, real(faults.none));

    const { chosen, draw } = firstDue(logic, triggers, waiting, { time, lastDraw });
    const happens = and(well, most(real(0), chosen));
    const active = and(and(well, not(happens)), less(time, end));
    const echoed = echoing(logic, echoes, lags?.lags ?? [], { time, happens });

    const carriedOut = (): ScalarOperand[] => {
      return [
        ...statesSet(logic, triggers, waiting, chosen, started),
        time,
        real(Infinity),
        real(0),
        real(0),
        detach(lastStiff),
        real(1),
        detach(draw),
        detach(time),
        echoed.crowded ? either(echoed.crowded, real(faults.waiting), fault) : fault,
        detach(time),
        ...unplanned,
      ];
    };

    const unplanned = past ? [real(0), real(0), ...rowOf(past, time, real(0), started)] : [];
    const startOf = () => {
      // The nearest of the next knot and what is due.
      let target: ScalarOperand = end;
      for (const due of [...waiting.entries.map((each) => each.due), ...echoes])
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
      // A step that was to be as short as can be is longer by what would be left of the way.
      const atLeast = (shortest: ScalarOperand): ScalarOperand => e.multiply(real(1.001), shortest);
      let jump: ReturnType<typeof jumpIn> | undefined;
      // What is before a jump and what is behind it differ within any step across it.
      const excused: Excused = (after, whole, length) => {
        jump = jumpIn(after, either(whole, target, e.add(time, length)), length, reader);
        return and(jump.jumps, most(length, atLeast(clock)));
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
      const jumps = jump ? and(taken, jump.jumps) : never;
      // As near as the clock tells, and as what passes through 0 does.
      const finest = jump ? e.apply('max', clock, e.apply('min', jump.blur, e.multiply(real(2 ** -30), way))) : clock;
      const located = and(jumps, most(length, atLeast(finest)));
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

    const jumpIn = (
      after: readonly ScalarOperand[],
      reached: ScalarOperand,
      length: ScalarOperand,
      reader: PastReader | undefined,
    ): Jump & { readonly slopes: readonly ScalarOperand[] } => {
      const start = operandsAt(started, time);
      // Those before the jump: the step to behind it has no length.
      const slopes = s.inline(compiled.function, start);
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
      const arrived = operandsAt(after, reached, reader?.values(1));
      const followed = less(lastReach, real(Infinity));
      const watched = system.watches as NonNullable<System['watches']>;
      return { ...jumpAcross(s, logic, watched, { start, arrived, direction, length, followed }), slopes };
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
      ...waitingAfter(logic, waiting, { happens, chosen }),
      ...echoed.entries,
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
