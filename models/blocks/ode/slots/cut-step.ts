/**
 * The step that a slot tries, in scalar code. No step goes across a jump: where something watched (watches.ts) is not at a
 * step's end what it was at its start, the step is cut to the estimate of where, until what is left is no longer than
 * rounding; the step to just behind the jump is then taken.
 */
import { type ScalarBuilder, type ScalarOperand } from '../../../../engine/index.ts';
import { triggerPlaces } from '../triggers.ts';
import { equationsOf } from '../methods/equations.ts';
import { faults } from './adaptive-step.ts';
import type { Given, Solved } from './given.ts';
import { grossOf } from './gross.ts';
import { jumpAcross, type Jump, type Motion } from './jump.ts';
import type { Logic } from './logic.ts';
import { directionOf, movedIn, type Driven } from './moved.ts';
import { rowOf, type PastReader } from './past.ts';
import { resolvedOver, type End } from './resolved.ts';
import type { Tolerance } from './tolerance.ts';
import { triedStep, type AdaptiveMethods, type Beginning, type Excused } from './tried-step.ts';
import type { Waiting } from './waiting.ts';

/** A slot with what has been found of it. */
export interface Slot {
  readonly s: ScalarBuilder;
  readonly logic: Logic;
  readonly solved: Solved;
  readonly given: Given;
  readonly waiting: Waiting;
  readonly fault: ScalarOperand;
}

/** How a step begins, and how far it may go. */
interface Start {
  readonly beginning: Beginning;
  readonly target: ScalarOperand;
  /** The nearest of the next knot, what is due and echoes, whether it is an echo, and whether a jump lies no later. */
  readonly goal: ScalarOperand;
  readonly isEcho: ScalarOperand;
  readonly jumped: ScalarOperand;
  readonly way: ScalarOperand;
  readonly lengthOf: (whole: ScalarOperand, length: ScalarOperand) => ScalarOperand;
  readonly h: ScalarOperand;
  readonly reader: PastReader | undefined;
}

/** What drives the rates of a slot. */
export const drivenBy = ({ roles, inputsAt, time }: Given): Driven => ({ roles, inputs: inputsAt(time) });

export function startOf({ s, logic, solved: { system, layout, past }, given, waiting }: Slot): Start {
  const { e, real, never, detach, and, or, not, less, most, either } = logic;
  const { last, time, end, span, started, constants, roles, inputsAt, planned, isWhole, readerOf, echoes } = given;
  // Of what comes together what is due goes first, and the knot last: what lies between is made up for there.
  let [goal, isEcho]: [ScalarOperand, ScalarOperand] = [end, never];
  for (const due of waiting.entries.map((each) => each.due)) goal = either(most(due, goal), due, goal);
  const due = less(goal, end);
  for (const echo of echoes) {
    const nearer = or(less(echo, goal), and(not(due), most(echo, goal)));
    isEcho = or(isEcho, nearer);
    goal = either(nearer, echo, goal);
  }
  const jumped = most(last.reach, goal);
  // A jump moves on its own (jump.ts), not with the length of the step to it, whose stages lie on both its sides.
  const target = either(jumped, e.add(detach(last.reach), e.subtract(time, detach(time))), goal);
  const way = detach(span);
  const rest = detach(e.subtract(target, time));
  const lengthOf = (whole: ScalarOperand, length: ScalarOperand): ScalarOperand =>
    either(whole, e.subtract(target, time), length);
  const h = past ? either(e.apply('lt', real(0), planned), lengthOf(isWhole, planned), real(0)) : real(0);
  const reader = readerOf(h);
  const equations = equationsOf(s, system.rates.function, roles, {
    ...{ time, inputs: inputsAt(time), constants },
    ...(reader && { past: reader.values }),
  });
  const beginning = {
    ...{ equations, states: started, open: layout.open, time, rest, way },
    ...{ wished: last.step, stiffness: last.stiff },
  };
  return { beginning, target, goal, isEcho, jumped, way, lengthOf, h, reader };
}

/** What the slot carries on: the states and the carries after a step that is tried, and what is planned next. */
export function cutStep(slot: Slot, methods: AdaptiveMethods, tolerance: Tolerance): ScalarOperand[] {
  const { s, logic, solved, given, fault } = slot;
  const { e, real, never, detach, and, or, not, most, either } = logic;
  const { past } = solved;
  const { last, time, end, started, planned, isWhole } = given;
  const { beginning, target, goal, isEcho, jumped, way, lengthOf, h, reader } = startOf(slot);
  // What the clock tells, near a time of 0 by far less than the way is long.
  const clock = e.multiply(
    real(2 ** -48),
    e.apply('max', e.apply('abs', detach(time)), e.multiply(real(2 ** -40), e.apply('abs', detach(end)))),
  );
  // A step that was to be as short as can be is longer by what would be left of the way.
  const atLeast = (shortest: ScalarOperand): ScalarOperand => e.multiply(real(1.001), shortest);
  let jump: Jump | undefined;
  // What is before a jump and what is behind it differ within any step across it.
  const excused: Excused = (after, whole, length) => {
    const across = { after, reached: either(whole, target, e.add(time, length)), length, reader };
    jump = jumpIn(slot, across, { way, tolerance });
    return { jumps: jump.jumps, excused: and(jump.jumps, most(length, atLeast(clock))) };
  };
  const step = triedStep(
    s,
    beginning,
    methods,
    tolerance,
    lengthOf,
    past && { whole: isWhole, length: planned, wished: last.step },
    solved.system.watches && excused,
  );
  const { length, whole, taken } = step;
  const reached = either(whole, target, e.add(time, length));
  const jumps = jump ? and(taken, jump.jumps) : never;
  // As near as the clock tells, and as what passes through 0 does.
  const finest = jump ? e.apply('max', clock, e.apply('min', jump.blur, e.multiply(real(2 ** -30), way))) : clock;
  const located = and(jumps, most(length, atLeast(finest)));
  const cut = and(jumps, not(located));
  const doubtful = solved.system.watches
    ? isDoubtful(slot, { after: step.after, reached, length, reader }, tolerance, {
        clear: and(taken, not(jumps)),
        least: e.apply('max', clock, e.multiply(real(finestDoubt), way)),
      })
    : never;
  const goes = and(taken, not(or(cut, doubtful)));
  const doubts = either(doubtful, e.add(last.doubts, real(1)), last.doubts);
  const lost = most(real(mostDoubts), doubts);
  const shift = jump ? either(located, jump.shift, real(0)) : real(0);
  const moved = step.after.map((x, i) => (jump ? e.add(x, either(located, jump.moved[i]!, real(0))) : x));
  // Where the jump is at an echo itself no further step goes to it.
  const arrives = jump ? and(and(and(goes, whole), isEcho), and(jumped, most(goal, reached))) : never;
  const behind = jump
    ? s.branch(
        arrives,
        () => {
          const then = e.add(reached, shift);
          const operands = given.operandsAt(moved, then, reader?.values(1));
          const slopes = s.inline(solved.system.rates.function, operands);
          const place = { operands, slopes, paces: reader?.slopes(1) ?? [] };
          return movedIn(s, solved.system.rates.function, drivenBy(given), place)(e.subtract(goal, then));
        },
        () => moved.map(() => real(0)),
      )
    : [];
  // Short of the estimate, by less the nearer it is, so that what is left shrinks from both sides; then halves.
  const near = e.apply('clamp', e.divide(length, way), real(1e-9), real(0.02));
  const estimate = jump ? e.multiply(jump.estimate, e.subtract(real(1), near)) : real(0);
  const halved = e.multiply(real(0.5), length);
  const aim = e.apply('max', either(e.apply('le', real(2), last.cuts), halved, estimate), finest);
  const passed = most(last.reach, reached);
  // A jump that makes a step too wrong to be taken is followed too, or what is left at last looks like rest.
  const refused = jump ? and(not(taken), jump.jumps) : never;
  return [
    ...started.map((x, i) => either(goes, jump ? e.add(moved[i]!, behind[i]!) : moved[i]!, x)),
    either(goes, either(arrives, goal, e.add(reached, shift)), time),
    detach(either(or(cut, refused), reached, either(and(goes, or(passed, located)), real(Infinity), last.reach))),
    detach(either(cut, e.add(last.cuts, real(1)), either(goes, real(0), last.cuts))),
    detach(doubts),
    detach(either(doubtful, halved, either(cut, aim, either(located, real(0), step.onward)))),
    detach(step.stiffness),
    real(1),
    detach(last.draw),
    detach(last.happened),
    detach(either(step.stuck, real(faults.step), either(lost, real(faults.unresolved), fault))),
    detach(time),
    ...solved.triggers.map((_, i) => (jump?.apart[i] ? either(located, jump.apart[i], real(0)) : real(0))),
    ...(past ? [real(0), real(0), ...rowOf(past, time, h, started, step.course)] : []),
  ];
}

/** Of the way, how short a step may be that is still cut, and how often in a row. */
const finestDoubt = 2 ** -30;
const mostDoubts = 4096;

/** Whether something watched may be another for a moment within a step that is `clear` otherwise. */
function isDoubtful(
  { s, logic, solved: { system }, given }: Slot,
  { after, reached, length, reader }: Across,
  tolerance: Tolerance,
  { clear, least }: { readonly clear: ScalarOperand; readonly least: ScalarOperand },
): ScalarOperand {
  const { and, not, less, detach } = logic;
  const { time, started, roles, operandsAt } = given;
  const [doubtful] = s.branch(
    and(clear, less(least, length)),
    () => {
      const endAt = (x: readonly ScalarOperand[], at: ScalarOperand, share: number): End => {
        const operands = operandsAt(x, at, reader?.values(share));
        const slopes = directionOf(
          s,
          drivenBy(given),
          s.inline(system.rates.function, operands),
          reader?.slopes(share) ?? [],
        );
        return { operands: operands.map((each) => (each.type === 'real' ? detach(each) : each)), slopes };
      };
      const [from, to] = [endAt(started, time, 0), endAt(after, reached, 1)];
      const watches = system.watches!;
      return [not(resolvedOver(s, logic, watches, { roles, from, to, length, tolerance }))];
    },
    () => [logic.never],
  );
  return doubtful as ScalarOperand;
}

/** A step that may go across a jump: the states after it, when that is, how long it is, and what is looked back at in it. */
interface Across {
  readonly after: readonly ScalarOperand[];
  readonly reached: ScalarOperand;
  readonly length: ScalarOperand;
  readonly reader: PastReader | undefined;
}

function jumpIn(
  slot: Slot,
  { after, reached, length, reader }: Across,
  { way, tolerance }: { readonly way: ScalarOperand; readonly tolerance: Tolerance },
): Jump {
  const { s, logic, solved, given } = slot;
  const { system, triggers } = solved;
  const { detach } = logic;
  const { time, started, operandsAt } = given;
  const start = operandsAt(started, time);
  const arrived = operandsAt(after, reached, reader?.values(1));
  // Those before the jump: the step to behind it has no length.
  const slopes = s.inline(system.rates.function, start);
  const paces = reader?.slopes(1) ?? [];
  const rounded = grossOf(system.rates.function);
  const motion = (operands: readonly ScalarOperand[], rates: readonly ScalarOperand[]): Motion => {
    const at = operands.map((each) => (each.type === 'real' ? detach(each) : each));
    const sizes = at.filter(({ type }) => type === 'real').map((x) => logic.e.apply('abs', x));
    const made = s.inline(rounded, [...at, ...sizes]);
    const of = (all: readonly ScalarOperand[]): (ScalarOperand | undefined)[] =>
      directionOf(s, drivenBy(given), all, paces);
    const gross = of(made).filter((each) => each !== undefined);
    return { direction: of(rates), gross: gross.map((each) => logic.e.apply('abs', each)) };
  };
  const watched = system.watches!;
  return jumpAcross(s, logic, watched, {
    ...{ start, arrived, length, after, way, tolerance },
    moved: movedIn(s, system.rates.function, drivenBy(given), { operands: start, slopes, paces }),
    arrivedAfter: (moved, shift) =>
      operandsAt(
        after.map((x, i) => logic.e.add(x, moved[i]!)),
        logic.e.add(reached, shift),
        // What is looked back at moves along.
        reader?.values(1).map((x, i) => logic.e.add(x, logic.e.multiply(paces[i]!, shift))),
      ),
    before: () => motion(start, slopes),
    behind: () => motion(arrived, s.inline(system.rates.function, arrived)),
    conditions: watched.count > 1 ? triggerPlaces(triggers).map((place) => watched.behind[place]!) : [],
  });
}
