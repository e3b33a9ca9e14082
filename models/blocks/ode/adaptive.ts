/**
 * A solution whose steps are found as they are taken: a recurrence over the S slots of each interval (adaptive-step.ts),
 * S a size that the device makes larger where it is too small for the parameters at hand, and compiles nothing anew.
 */
import { mostGrown, realLiteral, simplifyFunction, type Value } from '../../../engine/index.ts';
import type { LowerContext } from '../kind.ts';
import { enough } from '../parts/enough.ts';
import { expression } from '../../objective/expression.ts';
import { delaysIn, looksBack } from './delays.ts';
import { adaptiveAsked, adaptiveStep, carried, faults } from './slots/adaptive-step.ts';
import { carriesBack, eventCarries } from './slots/carries.ts';
import { eventAsked, eventStep } from './slots/event-step.ts';
import { pastLayout, plannedCarries, type PastLayout } from './slots/past.ts';
import { rolesOf, type StepLayout } from './step.ts';
import { statesWithHistory } from './system.ts';
import type { OdeDetail } from './infer.ts';
import { atOutputs, courseOf } from './lower.ts';
import { dormandPrince } from './methods/dormand-prince.ts';
import { rodas5p } from './methods/rodas5p.ts';
import { stateNames, type OdeBlock } from './schema.ts';
import type { Tolerance } from './slots/tolerance.ts';
import { triggersIn } from './triggers.ts';
import type { AdaptiveMethods } from './slots/tried-step.ts';
import { tsitouras } from './methods/tsitouras.ts';

const plainStart = { share: 1, step: 0, stiff: 0, fault: faults.none, when: 0 };
const plainCarries = carried.map((name) => ({ name, start: plainStart[name] }));

/** Slots that an interval begins with. */
const usualSlots = 32;

function methodsOf(block: OdeBlock, { stiffStep }: OdeDetail): AdaptiveMethods {
  const { method } = block;
  if (looksBack(block)) return { explicit: tsitouras };
  if (method === 'explicit' || stiffStep === 'unbearable') return { explicit: dormandPrince };
  // The one that does for both, where there is no room for two.
  return method === 'stiff' || stiffStep === 'long' ? { stiff: rodas5p } : { explicit: dormandPrince, stiff: rodas5p };
}

export interface AdaptiveCourse {
  /** One value for each state: [n, …batch]. */
  readonly states: Value[];
  /** What stopped it (`faults`), and the time that it had reached: […batch]. */
  readonly fault: Value;
  readonly when: Value;
  /** When the last event happened that has a condition, −∞ where none did: […batch]; undefined without such events. */
  readonly happened: Value | undefined;
  /** One value for each state of the past: as `states`. */
  readonly past: Value[];
}

/** Of each block at its times: what has been solved, for its values and for their error alike. */
const solved = new WeakMap<OdeDetail, WeakMap<Value, Map<string, AdaptiveCourse>>>();

export function lowerAdaptive(
  block: OdeBlock,
  detail: OdeDetail,
  context: LowerContext,
  tolerance: Tolerance,
): AdaptiveCourse {
  const times = context.input('times');
  const ofBlock = solved.get(detail) ?? new WeakMap<Value, Map<string, AdaptiveCourse>>();
  const atTimes = ofBlock.get(times) ?? new Map<string, AdaptiveCourse>();
  const key = `${tolerance.relative} ${tolerance.absolute}`;
  const course = atTimes.get(key) ?? solve(block, detail, context, tolerance);
  solved.set(detail, ofBlock.set(times, atTimes.set(key, course)));
  return course;
}

function solve(block: OdeBlock, detail: OdeDetail, context: LowerContext, tolerance: Tolerance): AdaptiveCourse {
  const b = context.builder;
  // A block that looks back settles a step in one slot and takes it in the next.
  const slotCount = context.growing('slots', looksBack(block) ? 2 * usualSlots : usualSlots);
  const course = courseOf(block, detail, context, slotCount);
  const { knots, slots, layout } = course;
  const number = slots.over([knots.times], (s, step) => s.apply('real', step));
  const forced = course.forcing.flatMap(({ value, slope }) => [value, ...(slope ? [slope] : [])]).map(slots.repeated);
  const { system } = detail;
  const triggers = triggersIn(block);
  const jumps = triggers.length > 0 || system.watches !== undefined;
  const methods = methodsOf(block, detail);
  const past = looksBack(block) ? pastOf(block, detail, layout) : undefined;
  const carries = [
    ...(jumps ? eventCarries(triggers) : plainCarries),
    ...(past ? (jumps ? carriesBack(triggers, past) : plannedCarries.map((name) => ({ name, start: 0 }))) : []),
  ];
  const written = jumps
    ? eventStep({ system, triggers, layout, past }, methods, tolerance)
    : adaptiveStep(detail.compiled, layout, methods, tolerance, past);
  // Stages ask for the same rates again and again: it is several times shorter before anything is derived from it.
  const step = simplifyFunction(written);
  const common = {
    step,
    shape: [slots.size, ...context.shape(detail.batch)],
    axis: 0,
    initial: [...course.initial, ...carries.map(({ start }) => b.literal(start))],
    inputs: [number, slots.repeated(knots.times), slots.repeated(course.spans), ...course.dosed, ...forced],
  };
  const results = b.emit(
    past
      ? {
          ...{ ...common, kind: 'history', backward: false, columns: past.columns, places: [] },
          asked: jumps ? eventAsked(system, triggers, layout, past) : adaptiveAsked(detail.compiled, layout, past),
          invariants: [
            ...course.constants,
            b.reshape(b.slice(knots.times, 0, 0, 1), knots.times.type.shape.slice(1)),
            ...course.lags,
            ...past.kept.map((state) => course.initial[state]!),
          ],
        }
      : { ...common, kind: 'recurrence', reverse: false, invariants: course.constants },
  );
  const states = layout.states.length;
  const last = (wanted: string): Value => results[states + carries.findIndex(({ name }) => name === wanted)]!;
  const fault = last('fault');
  const more = enough(context, fault, slotCount, mostGrown, (s, code) =>
    s.apply('eq', code, realLiteral(faults.slots)),
  );
  const given = states + carries.length;
  const emitted = results.slice(given, given + states + (past?.pasts.length ?? 0));
  const found = atOutputs(context, detail, course, emitted, slotCount).map((each) =>
    b.elementwise([each, more], (s, x, short) =>
      // It is found, or the run is made again with more slots; so every use of x hangs on it.
      expression(s).choose(
        s.apply('eq', s.apply('real', short), realLiteral(0)),
        () => x,
        () => realLiteral(NaN),
      ),
    ),
  );
  return {
    states: found.slice(0, states),
    past: found.slice(states),
    fault,
    when: last('when'),
    happened: triggers.length > 0 ? last('happened') : undefined,
  };
}

function pastOf(block: OdeBlock, { system, compiled }: OdeDetail, layout: StepLayout): PastLayout {
  const names = stateNames(block);
  const { states, lags } = delaysIn(block);
  const pasts = states.map(({ of, lag }) => ({ state: names.indexOf(of), lag }));
  const of = statesWithHistory(block).map((name) => names.indexOf(name));
  const histories = of.length > 0 ? { function: system.histories.function, of } : undefined;
  return pastLayout(pasts, lags.length, rolesOf(compiled, layout), histories);
}
