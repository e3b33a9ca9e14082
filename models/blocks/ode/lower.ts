/**
 * A solution as a recurrence over the slots between knots T₀ ≤ T₁ ≤ …, S to each interval:
 *
 *   x ← x + (the dose at this knot),  emit x,  x ← step(x, t, h)
 *
 * What is emitted at the first slot of a knot is the state there, doses included. With fixed steps every slot is one, of
 * h = (Tₚ₊₁ − Tₚ)/S; adaptive ones are found as they go (adaptive.ts).
 */
import { realLiteral, sizeSubtract, type Size, type Value } from '../../../engine/index.ts';
import { asReal } from '../parts/convert.ts';
import type { LowerContext } from '../kind.ts';
import { invariantValue } from '../parts/recurrence-step.ts';
import { initialPort } from '../parts/states.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { portKey } from '../../formula/names.ts';
import { expression } from '../../objective/expression.ts';
import { fineSteps, type FineSteps } from './fine-steps.ts';
import { delaysIn } from './delays.ts';
import { forcingAt, forcingBefore, type Forcing } from './forcing.ts';
import type { OdeDetail } from './infer.ts';
import { constantPorts } from './named.ts';
import { dosesOf, whereTimed } from './doses.ts';
import { computedPlaces, knotsInOrder, knotTimes, passedOf, type Knots } from './knots.ts';
import type { OdeMethod } from './methods/method.ts';
import { lagValues } from './past-values.ts';
import { pieceValues, timePieces, type TimePiece } from './pieces.ts';
import { rosenbrock } from './methods/rosenbrock.ts';
import { rungeKutta } from './methods/runge-kutta.ts';
import { inputNames, stateNames, type OdeBlock } from './schema.ts';
import { stepFunction, type StepLayout } from './step.ts';

const methods = { rk4: rungeKutta, rosenbrock };

/** Of steps that are fixed. */
export function methodOf({ method }: OdeBlock): OdeMethod {
  return method === 'rosenbrock' ? methods.rosenbrock : methods.rk4;
}

/** What every way of solving starts from. */
export interface Course {
  readonly unsorted: Value;
  readonly knots: Knots;
  /** Tₚ₊₁ − Tₚ, and 0 after the last: [M, …timed]. */
  readonly spans: Value;
  /** At every slot. */
  readonly slots: FineSteps;
  /** Of the states that are dosed: the dose at the first slot of a knot, and 0. */
  readonly dosed: readonly Value[];
  readonly forcing: readonly Forcing[];
  readonly layout: StepLayout;
  readonly initial: readonly Value[];
  readonly constants: readonly Value[];
  /** Each the same all along a solution. */
  readonly lags: readonly Value[];
}

export function courseOf(block: OdeBlock, detail: OdeDetail, context: LowerContext, perInterval: Size): Course {
  const b = context.builder;
  const { batch, knots: count, compiled } = detail;
  const states = stateNames(block);
  const lags = lagValues(context, detail.system.lags);
  const list = timePieces(block);
  const pieces = pieceValues(context, list, lags);
  const unsorted = knotTimes(b, pieces, context.size(count), context.shape(detail.timed));
  const knots = inOrder(context, detail, unsorted);
  const slots = fineSteps(context, count, perInterval, batch.length);
  const doses = states.map((state) => dosesOf(block, detail, context, state, unsorted, pieces));
  const dosed = doses.flatMap((dose) => {
    if (!dose) return [];
    const first = (amount: Value): Value =>
      slots.over([amount], (s, step, x) =>
        expression(s).choose(
          s.apply('eq', s.apply('real', step), realLiteral(0)),
          () => x,
          () => realLiteral(0),
        ),
      );
    return [first(knots.sorted(dose))];
  });
  // Where no time moves it is all one which of two that fall together comes first.
  const passed = (isIt: (piece: TimePiece) => boolean): Value | undefined =>
    detail.places ? undefined : passedOf(b, { unsorted, knots }, pieces, list.findIndex(isIt));
  const forcing = Object.entries(block.inputs ?? {}).map(([name, { interpolation = 'step' }]) =>
    forcingAt(context, name, interpolation, knots.times, {
      passed: passed(({ kind, port }) => kind === 'input' && port === `${name}.times`),
    }),
  );
  const spans = spansOf(context, detail, knots.times);
  const delayed = delaysIn(block).inputs.map(({ of, lag }) =>
    forcingBefore(context, of, block.inputs?.[of]?.interpolation ?? 'step', knots.times, lags[lag]!, {
      spans,
      passed: passed(
        ({ kind, port, after = [] }) =>
          kind === 'echo' && port === `${of}.times` && after.length === 1 && after[0] === lag,
      ),
    }),
  );
  const constants = constantPorts(block, compiled);
  const layout = {
    states,
    open: Object.values(block.state).map(({ initial }) => isDocumentNumber(initial) && Number.isNaN(toNumber(initial))),
    dosed: doses.map((dose) => dose !== undefined),
    inputs: [...inputNames(block), ...delaysIn(block).inputs.map(({ name }) => name)].map((name, i) => ({
      name,
      linear: [...forcing, ...delayed][i]?.slope !== undefined,
    })),
    past: delaysIn(block).states.map(({ name }) => name),
    moves: detail.places === undefined,
    constants: constants.map(portKey),
  };
  const initial = Object.entries(block.state).map(([name, { initial: given }]) => initialValue(context, name, given));
  return {
    ...{ unsorted, knots, slots, dosed, layout, initial, spans, lags },
    forcing: [...forcing, ...delayed],
    constants: constants.map((port) => invariantValue(context, port, count)),
  };
}

/** One value for each state: [n, …batch]. */
export function lowerFixed(block: OdeBlock, detail: OdeDetail, context: LowerContext, substeps: number): Value[] {
  const b = context.builder;
  const course = courseOf(block, detail, context, substeps);
  const { knots, slots, layout } = course;
  const h = b.elementwise([course.spans], (s, span) => expression(s).divide(span, realLiteral(substeps)));
  const elapsed = slots.over([h], (s, step, each) => s.apply('mul', s.apply('real', step), each));
  const time = b.apply('add', slots.repeated(knots.times), elapsed);
  const forced = course.forcing.flatMap(({ value, slope }) => {
    if (!slope) return [slots.repeated(value)];
    const rate = slots.repeated(slope);
    const moved = b.elementwise([slots.repeated(value), rate, elapsed], (s, u, du, dt) =>
      s.apply('add', u, s.apply('mul', du, dt)),
    );
    return [moved, rate];
  });
  const results = b.emit({
    kind: 'recurrence',
    step: stepFunction(detail.compiled, layout, methodOf(block)),
    shape: [slots.size, ...context.shape(detail.batch)],
    axis: 0,
    reverse: false,
    initial: course.initial,
    inputs: [time, slots.repeated(h), ...course.dosed, ...forced],
    invariants: course.constants,
  });
  return atOutputs(context, detail, course, results.slice(layout.states.length), substeps);
}

/** What was emitted at the first slots of the knots, at the times that were asked for. */
export function atOutputs(
  context: LowerContext,
  { knots: count, batch }: OdeDetail,
  { unsorted, knots }: Course,
  emitted: readonly Value[],
  perInterval: Size,
): Value[] {
  const b = context.builder;
  const rest = context.shape(batch);
  return emitted.map((each) => {
    const slots = b.reshape(each, [context.size(count), perInterval, ...rest]);
    const first = b.reshape(b.slice(slots, 1, 0, 1), [context.size(count), ...rest]);
    return whereTimed(context, unsorted, knots.atOutputs(first));
  });
}

/** The states' initial values where a time was asked for, else NaN: where a solution should be finite. One for each state. */
export function askedFrom(
  block: OdeBlock,
  { knots, timed, system }: OdeDetail,
  context: LowerContext,
  solution: readonly Value[],
): Value[] {
  const b = context.builder;
  const pieces = pieceValues(context, timePieces(block), lagValues(context, system.lags));
  const unsorted = knotTimes(b, pieces, context.size(knots), context.shape(timed));
  return Object.entries(block.state).map(([name, { initial }], i) => {
    const start = initialValue(context, name, initial);
    const everywhere = b.elementwise([solution[i]!, start], (_, __, x) => x);
    return whereTimed(context, unsorted, everywhere);
  });
}

function initialValue(context: LowerContext, name: string, initial: string | number): Value {
  return isDocumentNumber(initial)
    ? context.builder.literal(toNumber(initial))
    : asReal(context.builder, context.input(initialPort(name)));
}

function inOrder(context: LowerContext, detail: OdeDetail, unsorted: Value): Knots {
  const b = context.builder;
  const { knots, timed, places, times } = detail;
  const order = places
    ? context.source(`order of ${context.id}`, 'int', [...timed, knots], () => places)
    : computedPlaces(b, unsorted);
  const length = context.size(times);
  return knotsInOrder(b, unsorted, order, { before: sizeSubtract(context.size(knots), length), length });
}

function spansOf(context: LowerContext, { knots, timed }: OdeDetail, times: Value): Value {
  const b = context.builder;
  const size = context.size(knots);
  const most = sizeSubtract(size, 1);
  const between = b.apply('sub', b.slice(times, 0, 1, most), b.slice(times, 0, 0, most));
  const last = b.replicate(b.literal(0), [1, ...context.shape(timed)]);
  return b.reshape(b.concatenate([between, last], 0), times.type.shape);
}
