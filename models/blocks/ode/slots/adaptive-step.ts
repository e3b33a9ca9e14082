/**
 * One slot of an adaptive solution, in scalar code. Between two knots there are S slots; each is a step that is tried, and
 * taken where its error is in bounds, until the next knot is reached. Slots that are left do nothing.
 *
 * Steps are shares of the way from knot to knot, and the shares are data: nothing is differentiated by how they were
 * found (`detach`), so that derivatives are those of the very steps that were taken, those by the knots' times too.
 */
import {
  realLiteral,
  scalarFunction,
  type ScalarBuilder,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../../engine/index.ts';
import type { CompiledFormulas } from '../../parts/formulas.ts';
import { solverFaults } from '../../parts/solver-faults.ts';
import { expression } from '../../../objective/expression.ts';
import { equationsOf } from '../methods/equations.ts';
import { forcingOf, forcingWidth, rolesOf, stepTypes, type StepLayout } from '../step.ts';
import { movedIn } from './moved.ts';
import type { Tolerance } from './tolerance.ts';
import {
  askedTimes,
  leastLag,
  plannedCarries,
  pastConstants,
  pastReader,
  pastWidths,
  rowOf,
  type PastLayout,
} from './past.ts';
import { plannedStep, triedStep, type AdaptiveMethods, type Beginning } from './tried-step.ts';

/** What is carried from slot to slot beside the states. */
export const carried = ['share', 'step', 'stiff', 'fault', 'when'] as const;

/** What `fault` says; states are NaN from there on. */
export const faults = solverFaults;

export function adaptiveStep(
  compiled: CompiledFormulas,
  layout: StepLayout,
  methods: AdaptiveMethods,
  tolerance: Tolerance,
  past?: PastLayout,
): ScalarFunction {
  const { read, fixed } = past ? pastWidths(past) : { read: 0, fixed: 0 };
  const carries = layout.states.length + carried.length + (past ? plannedCarries.length : 0);
  const reals = carries + 3 + layout.dosed.filter(Boolean).length + forcingWidth(layout) + read;
  const types = [...stepTypes(compiled, layout, reals), ...new Array<'real'>(fixed).fill('real')];
  return scalarFunction(types, (s, ...parameters) => {
    const slot = slotOf(s, { compiled, layout, past }, parameters);
    const { e, past: back } = slot;
    const step = (): ScalarOperand[] =>
      back
        ? s.branch(
            e.apply('eq', back.planned, realLiteral(0)),
            () => settling(slot, back, tolerance),
            () => tried(slot, methods, tolerance),
          )
        : tried(slot, methods, tolerance);
    const results = s.branch(slot.active, step, () => idle(slot));
    const end = results.length - (past?.columns ?? 0);
    return [...results.slice(0, end), ...slot.started, ...(back?.before ?? []), ...results.slice(end)];
  });
}

type Slot = ReturnType<typeof slotOf>;
type Back = NonNullable<Slot['past']>;

/** The states, `carried`, what looks back, the slot's number, the knot's time, the way to the next, doses, forcing, rows. */
function slotOf(
  s: ScalarBuilder,
  {
    compiled,
    layout,
    past,
  }: { readonly compiled: CompiledFormulas; readonly layout: StepLayout; readonly past: PastLayout | undefined },
  parameters: readonly ScalarOperand[],
) {
  const e = expression(s);
  const real = realLiteral;
  const detach = (x: ScalarOperand): ScalarOperand => e.apply('detach', x);
  const either = (condition: ScalarOperand, a: ScalarOperand, b: ScalarOperand): ScalarOperand =>
    e.choose(
      condition,
      () => a,
      () => b,
    );
  const left: ScalarOperand[] = [...parameters];
  const next = (): ScalarOperand => left.shift()!;
  const lastStates = layout.states.map(next);
  const [lastShare, lastStep, stiffness, lastFault, lastWhen] = [next(), next(), next(), next(), next()];
  const [lastPlanned, lastWhole] = past ? [next(), next()] : [real(0), real(0)];
  const [number, knot, span] = [next(), next(), next()];
  const dosedStates = lastStates.map((x, i) => (layout.dosed[i] ? e.add(x, next()) : x));
  const forcing = forcingOf(layout, next);
  const { read, fixed } = past ? pastWidths(past) : { read: 0, fixed: 0 };
  const rows = Array.from({ length: read }, next);
  const constants = left.slice(0, left.length - fixed);

  const first = e.apply('eq', number, real(0));
  const late = e.apply('and', first, e.apply('lt', lastShare, real(1)));
  const share = detach(either(first, real(0), lastShare));
  const fault = either(
    e.apply('and', late, e.apply('eq', lastFault, real(faults.none))),
    real(faults.slots),
    lastFault,
  );
  const well = e.apply('eq', fault, real(faults.none));
  const started = dosedStates.map((x) => either(well, x, real(NaN)));
  const way = detach(span);
  const active = e.apply('and', e.apply('and', e.apply('lt', share, real(1)), well), e.apply('lt', real(0), way));
  const time = e.add(knot, e.multiply(span, share));
  const inputs = forcing.map(({ value, slope }) => ({
    value: slope ? e.add(value, e.multiply(slope, e.multiply(span, share))) : value,
    slope,
  }));
  const stepOf = (whole: ScalarOperand, length: ScalarOperand): ScalarOperand =>
    detach(either(whole, e.subtract(real(1), share), e.divide(length, way)));

  const lookingBack = (from: PastLayout) => {
    const planned = detach(either(first, real(0), lastPlanned));
    const isWhole = e.apply('eq', lastWhole, real(1));
    const fixedThere = pastConstants(from, left.slice(constants.length));
    const h = e.choose(
      e.apply('lt', real(0), planned),
      () => e.multiply(span, stepOf(isWhole, planned)),
      () => real(0),
    );
    const reader = pastReader(s, from, { time, planned, constants, rows, fixed: fixedThere, h });
    return {
      ...{ layout: from, planned, isWhole, fixed: fixedThere, h, values: reader.values, before: reader.values(0) },
      paces: () => reader.slopes(0),
    };
  };
  const back = past && lookingBack(past);

  const beginning = (): Beginning => {
    const equations = equationsOf(s, compiled.function, rolesOf(compiled, layout), {
      ...{ time, inputs, constants },
      ...(back && { past: back.values }),
    });
    const rest = e.multiply(way, e.subtract(real(1), share));
    return { equations, states: started, open: layout.open, time, rest, way, wished: lastStep, stiffness };
  };
  /** By how much states move in a time that is 0. */
  const moved = (shift: ScalarOperand): ScalarOperand[] => {
    const roles = rolesOf(compiled, layout);
    const operands = roles.map((role): ScalarOperand => {
      if (role.kind === 'past') return back!.before[role.past]!;
      if (role.kind === 'state') return started[role.state]!;
      if (role.kind === 'constant') return constants[role.constant]!;
      return role.kind === 'time' ? time : inputs[role.input]!.value;
    });
    const slopes = s.inline(compiled.function, operands);
    return movedIn(s, compiled.function, { roles, inputs }, { operands, slopes, paces: back?.paces() ?? [] })(shift);
  };
  return {
    ...{ s, e, detach, either, first, share, fault, started, span, way, active, time },
    ...{ lastStep, lastWhen, stiffness, stepOf, past: back, beginning, moves: layout.moves, movedIn: moved },
  };
}

/** Of a slot that looks back: how long the next step is. */
function settling({ s, detach, either, ...slot }: Slot, { layout, fixed }: Back, tolerance: Tolerance) {
  const { share, started, stiffness, time, fault, e } = slot;
  const real = realLiteral;
  const least = detach(leastLag(s, fixed));
  const { wished, length, whole } = plannedStep(s, slot.beginning(), tolerance, least);
  return [
    ...started,
    detach(share),
    wished,
    detach(stiffness),
    either(e.apply('lt', real(0), least), fault, real(faults.lag)),
    detach(time),
    length,
    either(whole, real(1), real(0)),
    ...rowOf(layout, time, real(0), started),
  ];
}

function tried({ s, detach, either, ...slot }: Slot, methods: AdaptiveMethods, tolerance: Tolerance) {
  const { e, share, span, started, fault, time, past, stepOf } = slot;
  const real = realLiteral;
  const step = triedStep(
    s,
    slot.beginning(),
    methods,
    tolerance,
    (whole, length) => e.multiply(span, stepOf(whole, length)),
    past && { whole: past.isWhole, length: past.planned, wished: slot.lastStep },
  );
  const reached = detach(either(step.whole, real(1), e.add(share, stepOf(step.whole, step.length))));
  return [
    ...started.map((x, i) => either(step.taken, step.after[i]!, x)),
    detach(either(step.taken, reached, share)),
    detach(step.onward),
    detach(step.stiffness),
    detach(either(step.stuck, real(faults.step), fault)),
    detach(time),
    ...(past ? [real(0), real(0), ...rowOf(past.layout, time, past.h, started, step.course)] : []),
  ];
}

function idle({ s, e, detach, either, ...slot }: Slot): ScalarOperand[] {
  const { first, share, span, way, started, time, past } = slot;
  const real = realLiteral;
  // Knots that fall together move apart by a parameter, though nothing lies between.
  const together = (): ScalarOperand[] =>
    s.branch(
      e.apply('and', first, e.apply('eq', way, real(0))),
      () => {
        const shifts = slot.movedIn(span);
        return started.map((x, i) => e.add(x, shifts[i]!));
      },
      () => started,
    );
  return [
    ...(slot.moves ? together() : started),
    // Knots that fall together are reached at once.
    detach(either(e.apply('lt', real(0), way), share, real(1))),
    detach(slot.lastStep),
    detach(slot.stiffness),
    detach(slot.fault),
    detach(slot.lastWhen),
    ...(past ? [real(0), real(0), ...rowOf(past.layout, time, real(0), started)] : []),
  ];
}

/** When it is that a slot which looks back asks for rows. Its parameters are those of the step without the rows. */
export function adaptiveAsked(compiled: CompiledFormulas, layout: StepLayout, past: PastLayout): ScalarFunction {
  const { states, dosed } = layout;
  const { fixed } = pastWidths(past);
  const carries = states.length + carried.length + plannedCarries.length;
  const reals = carries + 3 + dosed.filter(Boolean).length + forcingWidth(layout);
  const types = [...stepTypes(compiled, layout, reals), ...new Array<'real'>(fixed).fill('real')];
  return scalarFunction(types, (s, ...parameters) => {
    const e = expression(s);
    const [share] = parameters.slice(states.length) as [ScalarOperand];
    const [lastPlanned, , slot, knot, span] = parameters.slice(states.length + carried.length) as [
      ScalarOperand,
      ScalarOperand,
      ScalarOperand,
      ScalarOperand,
      ScalarOperand,
    ];
    const first = e.apply('eq', slot, realLiteral(0));
    const or0 = (x: ScalarOperand): ScalarOperand =>
      e.choose(
        first,
        () => realLiteral(0),
        () => x,
      );
    const { lags } = pastConstants(past, parameters.slice(parameters.length - fixed));
    return askedTimes(s, e.add(knot, e.multiply(span, or0(share))), or0(lastPlanned), lags);
  });
}
