/**
 * One slot of an adaptive solution with events, in scalar code. A slot does one of three things: it carries out one event
 * that is due, or tries a step, or does nothing where the next knot is reached and all is settled.
 *
 * No step goes across a jump (cut-step.ts), so that the times of events are found by the very steps of the solver. They are
 * data; their derivative is the implicit rule's (jump.ts), and x(t*) moves by f·dt*.
 *
 * Events go one by one as SBML has it (waiting.ts); after each, conditions are looked at again.
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
import { firstDue, statesSet, toldOf, triggered, waitingAfter } from './waiting.ts';

export function eventStep(solved: Solved, methods: AdaptiveMethods, tolerance: Tolerance): ScalarFunction {
  const { system, triggers, past } = solved;
  const plans = past ? plannedCarries.length : 0;
  return scalarFunction(givenTypes(solved), (s, ...parameters) => {
    const logic = logicOf(s);
    const { e, real, detach, is, and, or, not, less, most, either, asReal } = logic;
    const given = givenTo(s, logic, solved, parameters);
    const { last, first, isWell, time, end, started, operandsAt, planned, lags, before, echoes, readerOf } = given;
    let { fault } = given;

    // What is triggered here, and what waits.
    const told = triggers.length > 0 ? s.inline(system.triggers.function, operandsAt(started, time)) : [];
    const tell = (): ScalarOperand => told.shift()!;
    const waiting = triggered(logic, triggers, last.waiting, { time, isWell, tell });
    fault = either(and(isWell, waiting.crowded), real(faults.waiting), fault);
    const well = e.apply('eq', fault, real(faults.none));

    const { chosen, draw } = firstDue(logic, triggers, waiting, { time, lastDraw: last.draw });
    const happens = and(well, most(real(0), chosen));
    const active = and(and(well, not(happens)), less(time, end));
    const rush = rushing(logic, last.rush, { wait: detach(e.subtract(time, last.happened)), happens });
    const echoed = echoing(logic, echoes, lags?.lags ?? [], { time, happens });

    /** What is 0, and moves. */
    const onlyMoves = (span: ScalarOperand): ScalarOperand => e.subtract(span, detach(span));
    const moved = (by: ScalarOperand): ScalarOperand[] => {
      const operands = operandsAt(started, time);
      const slopes = s.inline(system.rates.function, operands);
      const place = { operands, slopes, paces: readerOf(real(0))?.slopes(0) ?? [] };
      const shifts = movedIn(s, system.rates.function, drivenBy(given), place)(by);
      return started.map((x, i) => e.add(x, shifts[i]!));
    };
    const carriedOut = (): ScalarOperand[] => {
      // It is where it is due, be it by another parameter than what brought the solution there.
      let due: ScalarOperand = time;
      for (const [k, each] of waiting.entries.entries())
        due = either(and(e.apply('eq', chosen, real(k)), e.apply('eq', detach(each.due), detach(time))), each.due, due);
      const by = onlyMoves(e.subtract(due, time));
      const [there, then] = [moved(by), e.add(time, by)];
      const again = triggers.length > 0 ? s.inline(system.triggers.function, operandsAt(there, then)) : [];
      const heard = echoed.crowded ? either(echoed.crowded, real(faults.waiting), fault) : fault;
      return [
        ...statesSet(logic, triggers, { ...waiting, ...toldOf(triggers, again) }, chosen, there),
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
        ...unplanned,
      ];
    };

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
        ...unplanned,
      ];
    };
    const tried = (): ScalarOperand[] => cutStep(slot, methods, tolerance);
    const step = (): ScalarOperand[] => (past ? s.branch(less(real(0), planned), tried, settling) : tried());
    const results = s.branch(happens, carriedOut, () => s.branch(active, step, idle));
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
