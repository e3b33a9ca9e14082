/**
 * One slot of an adaptive solution with events, in scalar code. A slot does one of four things: it takes down one of several
 * events that are triggered together, carries out one that is due, tries a step, or does nothing where the next knot is
 * reached and all is settled.
 *
 * No step goes across a jump (cut-step.ts), so that the times of events are found by the very steps of the solver. They are
 * data; their derivative is the implicit rule's (jump.ts), and x(t*) moves by f·dt*.
 *
 * Events go one by one as SBML has it (waiting.ts); after each, conditions are looked at again. Those that are triggered at
 * one instant have a time of their own each, as the solution goes on from the first of them (jump.ts).
 */
import { realLiteral, scalarFunction, type ScalarFunction, type ScalarOperand } from '../../../../engine/index.ts';
import { forcingWidth, stepTypes, type StepLayout } from '../step.ts';
import type { System } from '../system.ts';
import type { Trigger } from '../triggers.ts';
import { faults } from './adaptive-step.ts';
import { carriesBack, eventCarries } from './carries.ts';
import { cutStep, drivenBy, startOf, type Slot } from './cut-step.ts';
import { echoCarries, echoing } from './echoes.ts';
import { givenTo, givenTypes, type Solved } from './given.ts';
import { logicOf } from './logic.ts';
import { movedIn } from './moved.ts';
import { askedTimes, leastLag, pastConstants, pastWidths, plannedCarries, rowOf, type PastLayout } from './past.ts';
import type { Tolerance } from './tolerance.ts';
import { plannedStep, type AdaptiveMethods } from './tried-step.ts';
import { rushing } from './rush.ts';
import { firstDue, newsOf, statesSet, toldOf, triggered, waitingAfter, type Told } from './waiting.ts';

export function eventStep(solved: Solved, methods: AdaptiveMethods, tolerance: Tolerance): ScalarFunction {
  const { system, triggers, past } = solved;
  const plans = past ? plannedCarries.length : 0;
  return scalarFunction(givenTypes(solved), (s, ...parameters) => {
    const logic = logicOf(s);
    const { e, real, never, detach, is, and, or, not, less, most, either, asReal } = logic;
    const given = givenTo(s, logic, solved, parameters);
    const { last, first, isWell, time, end, started, operandsAt, planned, lags, before, echoes, readerOf } = given;
    let { fault } = given;

    /** What is 0, and moves. */
    const onlyMoves = (span: ScalarOperand): ScalarOperand => e.subtract(span, detach(span));
    const moved = (by: ScalarOperand): ScalarOperand[] => {
      const operands = operandsAt(started, time);
      const slopes = s.inline(system.rates.function, operands);
      const place = { operands, slopes, paces: readerOf(real(0))?.slopes(0) ?? [] };
      const shifts = movedIn(s, system.rates.function, drivenBy(given), place)(by);
      return started.map((x, i) => e.add(x, shifts[i]!));
    };
    const toldAt = (x: readonly ScalarOperand[], at: ScalarOperand): readonly Told[] =>
      triggers.length > 0 ? toldOf(logic, triggers, s.inline(system.triggers.function, operandsAt(x, at))) : [];

    // What is triggered here, and what waits.
    const told = toldAt(started, time);
    const news = newsOf(logic, last.waiting, told, isWell);
    const ofThat = (each: readonly ScalarOperand[]): ScalarOperand =>
      each.reduce((so, x, i) => either(news.now[i]!, x, so), real(0));
    const [due = real(0), ...setThen] = s.branch(
      news.now.reduce(or, never),
      () => {
        const by = ofThat(last.apart);
        const there = mayFallApart(system) ? moved(by) : started;
        const all = toldAt(there, e.add(time, by));
        const delay = ofThat(all.map((each) => e.apply('max', each.delay, real(0))));
        return [e.add(time, by, delay), ...all.flatMap(({ values }) => values)];
      },
      () => [real(0), ...told.flatMap(({ values }) => values.map(() => real(0)))],
    );
    const values = triggers.map(({ sets }) => setThen.splice(0, sets.length));
    const waiting = triggered(logic, triggers, last.waiting, told, { news, due, values });
    // By rounding alone a delay until a given time may be below 0.
    const least = e.apply('mul', real(-(2 ** -40)), e.apply('max', real(1), e.apply('abs', time)));
    const early = triggers
      .map(({ delayed }, i) =>
        delayed ? and(news.now[i]!, not(e.apply('le', detach(least), detach(told[i]!.delay)))) : never,
      )
      .reduce(or, never);
    fault = either(and(isWell, early), real(faults.delay), fault);
    fault = either(and(isWell, waiting.crowded), real(faults.waiting), fault);
    const well = e.apply('eq', fault, real(faults.none));

    const gathers = and(well, news.later.reduce(or, never));
    const { chosen, draw } = firstDue(logic, triggers, waiting, { told, time, lastDraw: last.draw });
    const happens = and(and(well, not(gathers)), most(real(0), chosen));
    const active = and(and(well, not(happens)), less(time, end));
    const rush = rushing(logic, last.rush, { wait: detach(e.subtract(time, last.happened)), happens });
    // What is carried out is where it is due, be it by another parameter than what brought the solution there.
    let occasion: ScalarOperand = time;
    for (const [k, each] of waiting.entries.entries())
      occasion = either(
        and(e.apply('eq', chosen, real(k)), e.apply('eq', detach(each.due), detach(time))),
        each.due,
        occasion,
      );
    const by = onlyMoves(e.subtract(occasion, time));
    const then = e.add(time, by);
    const tells = waiting.entries
      .map(({ trigger }, k) => ({ k, sets: triggers[trigger]!.sets }))
      .filter(({ sets }) => sets.some((state) => past?.kept.includes(state)))
      .map(({ k }) => e.apply('eq', chosen, real(k)))
      .reduce(or, never);
    const echoed = echoing(logic, echoes, lags?.lags ?? [], { time: then, happens, tells });

    const carriedOut = (): ScalarOperand[] => {
      const there = moved(by);
      const heard = echoed.crowded ? either(echoed.crowded, real(faults.waiting), fault) : fault;
      return [
        ...statesSet(logic, triggers, waiting, toldAt(there, then), chosen, there),
        then,
        real(Infinity),
        real(0),
        real(0),
        real(0),
        detach(last.stiff),
        real(1),
        detach(draw),
        detach(time),
        either(rush.endless, real(faults.endless), heard),
        detach(time),
        ...together,
        ...unplanned,
      ];
    };
    const gathered = (): ScalarOperand[] => [
      ...started,
      time,
      ...[last.reach, last.cuts, last.doubts, last.step, last.stiff].map(detach),
      real(1),
      ...[last.draw, last.happened, fault, time].map(detach),
      ...last.apart,
      ...unplanned,
    ];

    const together = triggers.map(() => real(0));
    const unplanned = past ? [real(0), real(0), ...rowOf(past, time, real(0), started)] : [];
    const slot: Slot = { s, logic, solved, given, waiting, fault };
    /** Of a slot that looks back: how long the next step is. */
    const settling = (): ScalarOperand[] => {
      if (!past || !lags) return [];
      const least = detach(leastLag(s, lags));
      const { wished, length, whole } = plannedStep(s, startOf(slot).beginning, tolerance, least);
      return [
        ...started,
        time,
        detach(last.reach),
        detach(last.cuts),
        detach(last.doubts),
        wished,
        detach(last.stiff),
        real(1),
        detach(last.draw),
        detach(last.happened),
        detach(either(less(real(0), least), fault, real(faults.lag))),
        detach(time),
        ...together,
        length,
        asReal(whole),
        ...rowOf(past, time, real(0), started),
      ];
    };

    // As in a slot without events.
    // What fell together with the knot, and what was cut short of it by less than rounding, lies as far from it as that moves.
    const settles = or(first, is(last.open));
    const idle = (): ScalarOperand[] => {
      const at = s.branch(
        settles,
        () => [...moved(onlyMoves(e.subtract(end, time))), e.add(time, onlyMoves(e.subtract(end, time)))],
        () => [...started, time],
      );
      return [
        ...at,
        ...[
          real(Infinity),
          real(0),
          real(0),
          detach(last.step),
          detach(last.stiff),
          real(0),
          detach(last.draw),
          detach(last.happened),
          fault,
          detach(last.when),
        ],
        ...together,
        ...unplanned,
      ];
    };
    const tried = (): ScalarOperand[] => cutStep(slot, methods, tolerance);
    const step = (): ScalarOperand[] => (past ? s.branch(less(real(0), planned), tried, settling) : tried());
    const results = s.branch(gathers, gathered, () =>
      s.branch(happens, carriedOut, () => s.branch(active, step, idle)),
    );
    const own = results.length - unplanned.length;
    const row = results.slice(own + plans);
    return [
      ...results.slice(0, own),
      ...waitingAfter(logic, waiting, { happens, chosen }),
      ...rush.entries,
      ...echoed.entries,
      ...results.slice(own, own + plans),
      ...started,
      ...before,
      ...row,
    ];
  });
}

/** Whether more than one thing may pass its threshold at an instant. */
const mayFallApart = ({ watches }: System): boolean => (watches?.count ?? 0) > 1;

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
