/**
 * A solution as a recurrence over fine steps, S to each interval between knots T₀ ≤ T₁ ≤ …:
 *
 *   x ← x + (the dose at this knot),  emit x,  x ← step(x, t, h),    h = (Tₚ₊₁ − Tₚ)/S
 *
 * What is emitted at the first fine step of a knot is the state there, doses included.
 */
import { realLiteral, sizeSubtract, type Value } from '../../engine/index.ts';
import { asReal } from '../blocks/convert.ts';
import type { LowerContext } from '../blocks/kind.ts';
import { invariantValue } from '../blocks/recurrence-step.ts';
import { initialPort } from '../blocks/states.ts';
import { isDocumentNumber, toNumber } from '../format/numbers.ts';
import { portKey } from '../formula/names.ts';
import { expression } from '../objective/expression.ts';
import { fineSteps } from './fine-steps.ts';
import { forcingAt } from './forcing.ts';
import { constantPorts, type OdeDetail } from './infer.ts';
import { dosesOf, whereTimed } from './doses.ts';
import { computedPlaces, knotsInOrder, knotTimes, type Knots } from './knots.ts';
import type { OdeMethod } from './method.ts';
import { pieceValues, timePieces } from './pieces.ts';
import { rosenbrock } from './rosenbrock.ts';
import { rungeKutta } from './runge-kutta.ts';
import { inputNames, stateNames, type OdeBlock } from './schema.ts';
import { stepFunction } from './step.ts';

const methods = { rk4: rungeKutta, rosenbrock } satisfies Record<NonNullable<OdeBlock['method']>, OdeMethod>;

export function methodOf(block: OdeBlock): OdeMethod {
  return methods[block.method ?? 'rk4'];
}

/** One value for each state: [n, …batch]. */
export function lowerOde(block: OdeBlock, detail: OdeDetail, context: LowerContext, substeps: number): Value[] {
  const b = context.builder;
  const { batch, knots: count, compiled } = detail;
  const states = stateNames(block);
  const pieces = pieceValues(context, timePieces(block));
  const unsorted = knotTimes(b, pieces, context.size(count), context.shape(detail.timed));
  const knots = inOrder(context, detail, unsorted);
  const fine = fineSteps(context, count, substeps, batch.length);

  const h = b.elementwise([spans(context, detail, knots.times)], (s, span) =>
    expression(s).divide(span, realLiteral(substeps)),
  );
  const elapsed = fine.over([h], (s, step, each) => s.apply('mul', s.apply('real', step), each));
  const time = b.apply('add', fine.repeated(knots.times), elapsed);
  const doses = states.map((state) => dosesOf(block, detail, context, state, unsorted, pieces));
  const dosed = doses.flatMap((dose) => {
    if (!dose) return [];
    const first = (amount: Value): Value =>
      fine.over([amount], (s, step, x) =>
        expression(s).choose(
          s.apply('eq', s.apply('real', step), realLiteral(0)),
          () => x,
          () => realLiteral(0),
        ),
      );
    return [first(knots.sorted(dose))];
  });
  const forcing = Object.entries(block.inputs ?? {}).map(([name, { interpolation = 'step' }]) =>
    forcingAt(context, name, interpolation, knots.times),
  );
  const forced = forcing.flatMap(({ value, slope }) => {
    if (!slope) return [fine.repeated(value)];
    const rate = fine.repeated(slope);
    const moved = b.elementwise([fine.repeated(value), rate, elapsed], (s, u, du, dt) =>
      s.apply('add', u, s.apply('mul', du, dt)),
    );
    return [moved, rate];
  });
  const constants = constantPorts(block, compiled);
  const layout = {
    states,
    dosed: doses.map((dose) => dose !== undefined),
    inputs: inputNames(block).map((name, i) => ({ name, linear: forcing[i]?.slope !== undefined })),
    constants: constants.map(portKey),
  };
  const results = b.emit({
    kind: 'recurrence',
    step: stepFunction(compiled, layout, methodOf(block)),
    shape: [fine.size, ...context.shape(batch)],
    axis: 0,
    reverse: false,
    initial: Object.entries(block.state).map(([name, { initial }]) => initialValue(context, name, initial)),
    inputs: [time, fine.repeated(h), ...dosed, ...forced],
    invariants: constants.map((port) => invariantValue(context, port, count)),
  });
  const rows = results.slice(states.length).map((each) => b.slice(each, 0, 0, context.size(count), substeps));
  return rows.map((row) => whereTimed(context, unsorted, knots.atOutputs(row)));
}

/** The states' initial values where a time was asked for, else NaN: where a solution should be finite. One for each state. */
export function askedFrom(
  block: OdeBlock,
  { knots, timed }: OdeDetail,
  context: LowerContext,
  solution: readonly Value[],
): Value[] {
  const b = context.builder;
  const unsorted = knotTimes(b, pieceValues(context, timePieces(block)), context.size(knots), context.shape(timed));
  return Object.entries(block.state).map(([name, { initial }], i) => {
    const start = initialValue(context, name, initial);
    const everywhere = b.elementwise([solution[i] as Value, start], (_, __, x) => x);
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

/** Tₚ₊₁ − Tₚ, and 0 after the last: [M, …timed]. */
function spans(context: LowerContext, { knots, timed }: OdeDetail, times: Value): Value {
  const b = context.builder;
  const size = context.size(knots);
  const most = sizeSubtract(size, 1);
  const between = b.apply('sub', b.slice(times, 0, 1, most), b.slice(times, 0, 0, most));
  const last = b.replicate(b.literal(0), [1, ...context.shape(timed)]);
  return b.reshape(b.concatenate([between, last], 0), times.type.shape);
}
