/** What one slot of a solution with events is given, in scalar code: what was carried to it, and what is known at its time. */
import type { ElementType, ScalarBuilder, ScalarOperand } from '../../../../engine/index.ts';
import { forcingOf, forcingWidth, rolesOf, stepTypes, type StepLayout } from '../step.ts';
import type { System } from '../system.ts';
import type { Trigger } from '../triggers.ts';
import { faults } from './adaptive-step.ts';
import { eventCarries } from './carries.ts';
import { echoCarries } from './echoes.ts';
import type { Logic } from './logic.ts';
import {
  pastConstants,
  pastReader,
  pastWidths,
  plannedCarries,
  type PastConstants,
  type PastLayout,
  type PastReader,
} from './past.ts';
import { rushCarries } from './rush.ts';
import { readWaiting, type Waiting } from './waiting.ts';

export interface Solved {
  readonly system: System;
  readonly triggers: readonly Trigger[];
  readonly layout: StepLayout;
  /** Where it looks back. */
  readonly past: PastLayout | undefined;
}

const widthsOf = (past: PastLayout | undefined) => (past ? pastWidths(past) : { read: 0, fixed: 0 });

/** Of its parameters: states and carries, the number of the slot, the knot's time, the way to the next, doses, forcing, and rows of the past. */
export function givenTypes({ system, triggers, layout, past }: Solved): ElementType[] {
  const { states, dosed } = layout;
  const widths = widthsOf(past);
  const carries =
    eventCarries(triggers).length + echoCarries(triggers, past).length + (past ? plannedCarries.length : 0);
  const reals = states.length + carries + 3 + dosed.filter(Boolean).length + forcingWidth(layout) + widths.read;
  return [...stepTypes(system.rates, layout, reals), ...new Array<'real'>(widths.fixed).fill('real')];
}

/** What drives it at a time. */
interface Driving {
  readonly value: ScalarOperand;
  readonly slope: ScalarOperand | undefined;
}

/** What was carried, as it was. */
interface Carried {
  readonly reach: ScalarOperand;
  readonly cuts: ScalarOperand;
  /** How often, since the last knot or event, a step was cut that was not resolved. */
  readonly doubts: ScalarOperand;
  readonly step: ScalarOperand;
  readonly stiff: ScalarOperand;
  readonly draw: ScalarOperand;
  readonly happened: ScalarOperand;
  readonly when: ScalarOperand;
  readonly apart: readonly ScalarOperand[];
  /** Whether the way to the next knot was not gone yet. */
  readonly open: ScalarOperand;
  readonly waiting: Waiting;
  readonly rush: readonly ScalarOperand[];
}

export interface Given {
  readonly last: Carried;
  /** Whether it is the first between its knots. */
  readonly first: ScalarOperand;
  readonly fault: ScalarOperand;
  readonly isWell: ScalarOperand;
  readonly time: ScalarOperand;
  /** Of the next knot, and the way there from the last one. */
  readonly end: ScalarOperand;
  readonly span: ScalarOperand;
  /** With the doses that are due at the knot. */
  readonly started: readonly ScalarOperand[];
  readonly constants: readonly ScalarOperand[];
  readonly roles: ReturnType<typeof rolesOf>;
  readonly inputsAt: (at: ScalarOperand) => readonly Driving[];
  /** The arguments of formulas with these states at a time; `ago` is what they look back at. */
  readonly operandsAt: (
    x: readonly ScalarOperand[],
    at: ScalarOperand,
    ago?: readonly ScalarOperand[],
  ) => ScalarOperand[];
  /** Of a solution that looks back: the step that is planned, and whether it ends where it is to. */
  readonly planned: ScalarOperand;
  readonly isWhole: ScalarOperand;
  readonly lags: PastConstants | undefined;
  /** What is looked back at in a step of this length. */
  readonly readerOf: (h: ScalarOperand) => PastReader | undefined;
  readonly before: readonly ScalarOperand[];
  readonly echoes: readonly ScalarOperand[];
}

export function givenTo(
  s: ScalarBuilder,
  { e, real, detach, is, and, most, either }: Logic,
  { system, triggers, layout, past }: Solved,
  parameters: readonly ScalarOperand[],
): Given {
  const { states, dosed } = layout;
  const roles = rolesOf(system.rates, layout);
  const widths = widthsOf(past);
  const left: ScalarOperand[] = [...parameters];
  const next = (): ScalarOperand => left.shift()!;
  const lastStates = states.map(next);
  const [lastTime, lastReach, lastCuts, lastDoubts] = [next(), next(), next(), next()];
  const [lastStep, lastStiff, lastOpen, lastDraw, lastHappened] = [next(), next(), next(), next(), next()];
  const [lastFault, lastWhen] = [next(), next()];
  const lastApart = triggers.map(next);
  const lastWaiting = readWaiting(triggers, next);
  const lastRush = rushCarries(triggers).map(next);
  const lastEchoes = echoCarries(triggers, past).map(next);
  const [lastPlanned, lastWhole] = past ? [next(), next()] : [real(0), real(0)];
  const [slot, knot, span] = [next(), next(), next()];
  const dosedStates = lastStates.map((x, i) => (dosed[i] ? e.add(x, next()) : x));
  const forcing = forcingOf(layout, next);
  const rows = Array.from({ length: widths.read }, next);
  const constants = left.slice(0, left.length - widths.fixed);
  const fixed = left.slice(constants.length);

  const first = e.apply('eq', slot, real(0));
  const late = and(first, is(lastOpen));
  const fault = either(and(late, e.apply('eq', lastFault, real(faults.none))), real(faults.slots), lastFault);
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
  const operandsAt = (
    x: readonly ScalarOperand[],
    at: ScalarOperand,
    ago: readonly ScalarOperand[] = before,
  ): ScalarOperand[] => {
    const inputs = inputsAt(at);
    return roles.map((role) => {
      if (role.kind === 'past') return ago[role.past]!;
      if (role.kind === 'state') return x[role.state]!;
      if (role.kind === 'constant') return constants[role.constant]!;
      return role.kind === 'time' ? at : inputs[role.input]!.value;
    });
  };

  const last: Carried = {
    ...{ reach: lastReach, cuts: lastCuts, step: lastStep, stiff: lastStiff, draw: lastDraw },
    ...{
      happened: lastHappened,
      when: lastWhen,
      apart: lastApart,
      open: lastOpen,
      waiting: lastWaiting,
      rush: lastRush,
    },
    doubts: either(first, real(0), lastDoubts),
  };
  return {
    ...{ last, first, fault, isWell, time, end, span, started, constants, roles, inputsAt, operandsAt },
    ...{ planned, isWhole, lags, readerOf, before, echoes },
  };
}
