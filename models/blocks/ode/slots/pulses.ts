/**
 * Whether a step sees what the time alone makes of the rates, in scalar code. A step knows its rates at a few moments, and
 * a pulse between two of them is none to it. So ∂f/∂t is enclosed over each quarter of a step (enclosure.ts), which no
 * pulse escapes however short it is, and held against what it is at the ends of the quarters:
 *
 *   widest range within a quarter  ≤  8·(range over the ends) + 0.2·(largest at the ends)
 *
 * A step that leaves this open is to be halved, unless all that the ranges allow is within what the state may be wrong by.
 * Where ∂f/∂t overflows the same is asked of f itself; where that has no bounds either, nothing is said.
 */
import {
  jvpFunction,
  realLiteral,
  scalarFunction,
  simplifyFunction,
  type ScalarBlock,
  type ScalarBuilder,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../../engine/index.ts';
import type { Equations } from '../methods/equations.ts';
import { enclosing } from './enclosure.ts';
import { logicOf } from './logic.ts';

const quarters = 4;
/** How much wider a range may be than what is seen of it. */
const [overRange, overSize] = [8, 0.2];
/** Of what a state may be wrong by, how much a step may leave open. */
const harmless = 0.1;

/** A function of the rates' parameters for some states, and between what it lies up to a later time, its last parameter. */
interface Enclosed {
  readonly at: ScalarFunction;
  readonly over: ScalarFunction;
}

interface Bent {
  /** Numbers of the states whose rates the time bends. */
  readonly states: readonly number[];
  readonly clock: number;
  readonly slopes: Enclosed;
  readonly values: Enclosed;
}

/** Undefined where the time bends no rate, or no range of it is known. */
function bentByTime({ function: rates, roles }: Equations): Bent | undefined {
  const clock = roles.findIndex(({ kind }) => kind === 'time');
  if (clock < 0) return undefined;
  const isTime = roles.map((_, i) => i === clock);
  const types = rates.parameters.map(({ type }) => type);
  const pushed = jvpFunction(rates, isTime);
  const slopesOf = (s: ScalarBuilder, x: readonly ScalarOperand[]): (ScalarOperand | undefined)[] => {
    const moved = s.inline(pushed.function, [...x, realLiteral(1)]).slice(pushed.active.length);
    return pushed.active.map((moves) => (moves ? moved.shift() : undefined));
  };
  const all = scalarFunction(types, (s, ...x) => slopesOf(s, x).map((each) => each ?? realLiteral(0)));
  const states = readersOf(all, clock);
  if (states.length === 0) return undefined;
  const enclosed = (fn: ScalarFunction): Enclosed | undefined => {
    const at = simplifyFunction(scalarFunction(types, (s, ...x) => pick(s.inline(fn, x))));
    const over = enclosing(at, isTime);
    return over && { at, over };
  };
  const pick = (found: readonly ScalarOperand[]): ScalarOperand[] => states.map((i) => found[i]!);
  const [slopes, values] = [enclosed(all), enclosed(rates)];
  return slopes && values && { states, clock, slopes, values };
}

/** Which results hang on a parameter, be it by a condition: the slope of what has corners has no slope itself. */
function readersOf(fn: ScalarFunction, parameter: number): number[] {
  const types = fn.parameters.map(({ type }) => type);
  return fn.body.results.flatMap((_, i) => {
    const { parameters, body } = simplifyFunction(scalarFunction(types, (s, ...x) => [s.inline(fn, x)[i]!]));
    return reads(body, parameters[parameter]!.id) ? [i] : [];
  });
}

function reads({ statements, results }: ScalarBlock, id: number): boolean {
  const isIt = (operand: ScalarOperand): boolean => operand.kind === 'variable' && operand.id === id;
  return (
    results.some(isIt) ||
    statements.some((each) =>
      each.kind === 'if'
        ? isIt(each.condition) || reads(each.then, id) || reads(each.else, id)
        : each.operands.some(isIt),
    )
  );
}

export interface Passage {
  readonly equations: Equations;
  readonly before: readonly ScalarOperand[];
  readonly after: readonly ScalarOperand[];
  readonly length: ScalarOperand;
  /** What each state may be wrong by. */
  readonly scales: readonly ScalarOperand[];
}

/** Undefined where there is nothing to be missed. */
export function seesPulses(
  s: ScalarBuilder,
  { equations, before, after, length, scales }: Passage,
): (() => ScalarOperand) | undefined {
  const bent = bentByTime(equations);
  if (!bent) return undefined;
  const { e, real, detach, and, or, not, most } = logicOf(s);
  const { states, clock } = bent;
  const largest = (all: readonly ScalarOperand[]): ScalarOperand => all.reduce((a, b) => e.apply('max', a, b));
  const smallest = (all: readonly ScalarOperand[]): ScalarOperand => all.reduce((a, b) => e.apply('min', a, b));
  const times = (factor: number, x: ScalarOperand): ScalarOperand => e.multiply(real(factor), x);
  // States of the past are known at both ends.
  const operandsAt = (share: number): ScalarOperand[] => {
    const x = before.map((from, i) => e.add(times(1 - share, from), times(share, after[i]!)));
    return equations
      .operands(x, times(share, length), Math.round(share))
      .map((each) => (each.type === 'real' ? detach(each) : each));
  };
  const timeAt = (share: number): ScalarOperand => operandsAt(share)[clock]!;

  /** Of each state the widest range within a quarter, the range over the ends of the quarters, and the largest there. */
  const found = ({ at, over }: Enclosed): { widest: ScalarOperand; range: ScalarOperand; size: ScalarOperand }[] => {
    const ends = Array.from({ length: quarters + 1 }, (_, k) => s.inline(at, operandsAt(k / quarters)));
    const ranges = Array.from({ length: quarters }, (_, k) => {
      const given = operandsAt((k + 0.5) / quarters);
      given[clock] = timeAt(k / quarters);
      return s.inline(over, [...given, timeAt((k + 1) / quarters)]);
    });
    return states.map((_, i) => {
      const seen = ends.map((all) => all[i]!);
      const widths = ranges.map((all) => e.subtract(all[2 * i + 1]!, all[2 * i]!));
      return {
        widest: largest(widths),
        range: e.subtract(largest(seen), smallest(seen)),
        size: largest(seen.map((x) => e.apply('abs', x))),
      };
    });
  };
  const isKnown = (x: ScalarOperand): ScalarOperand => e.apply('lt', e.apply('abs', x), real(Infinity));
  return () => {
    const bySlope = found(bent.slopes).map(({ widest, range, size }, i) => {
      const scale = times(harmless, scales[states[i]!]!);
      const quarter = times(1 / quarters, length);
      return {
        known: isKnown(widest),
        seen: or(
          most(widest, e.add(times(overRange, range), times(overSize, size))),
          most(e.multiply(length, quarter, widest), scale),
        ),
      };
    });
    const byValue = (): ScalarOperand =>
      found(bent.values)
        .map(({ widest, range }, i) => {
          const scale = times(harmless, scales[states[i]!]!);
          const seen = or(most(widest, times(overRange, range)), most(e.multiply(length, widest), scale));
          return or(bySlope[i]!.known, or(not(isKnown(widest)), seen));
        })
        .reduce(and);
    const sure = bySlope.map(({ known, seen }) => or(not(known), seen)).reduce(and);
    const [seen] = s.branch(
      and(sure, not(bySlope.map(({ known }) => known).reduce(and))),
      () => [byValue()],
      () => [sure],
    );
    return seen as ScalarOperand;
  };
}
