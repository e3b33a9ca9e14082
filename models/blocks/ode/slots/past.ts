/**
 * States of the past in a slot. A slot keeps a row: its time, the length of its step, and of each state that is looked
 * back at the value and the terms of its course,
 *
 *   x(t + θh) = x + θ(q₁ + θ(q₂ + …))
 *
 * and reads the rows in which the times lie that its stages ask for; before the start a state is its history. No step is
 * longer than the least lag, so that what is asked for has been found. The length of a step is settled in one slot, for
 * the next to ask by and to take.
 */
import {
  jvpFunction,
  realLiteral,
  type ScalarBuilder,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
import type { Role } from '../methods/role.ts';
import { courseTerms, shares as stageShares } from '../methods/tsitouras.ts';

/** What is looked back at. */
export interface PastLayout {
  /** A state's number, and that of a lag. */
  readonly pasts: readonly { readonly state: number; readonly lag: number }[];
  readonly lags: number;
  /** The states among these, of which rows tell. */
  readonly kept: readonly number[];
  readonly columns: number;
  /** Of the parameters of the rates, which those of the histories are too. */
  readonly roles: readonly Role[];
  /** Over the time and constants: what the states `of` were before the start. Others were what they begin as. */
  readonly histories: { readonly function: ScalarFunction; readonly of: readonly number[] } | undefined;
}

/** The same at every slot: when the solution starts, the lags, and what the kept states begin as. */
export interface PastConstants {
  readonly start: ScalarOperand;
  readonly lags: readonly ScalarOperand[];
  readonly initial: readonly ScalarOperand[];
}

/** Carried beside the rest: the length that was settled, 0 for none, and whether it is all that is left of the way. */
export const plannedCarries = ['planned', 'whole'] as const;

const shares = [...new Set(stageShares)];
const headColumns = 2;
const stateColumns = 1 + courseTerms;

/** Steps' ends are asked for from within: at a breaking point a state of the past jumps or bends. */
const inside = 1e-6;
const nearly = 1e-9;

export function pastLayout(
  pasts: PastLayout['pasts'],
  lags: number,
  roles: readonly Role[],
  histories: PastLayout['histories'],
): PastLayout {
  const kept = [...new Set(pasts.map(({ state }) => state))].sort((a, b) => a - b);
  return { pasts, lags, kept, columns: headColumns + stateColumns * kept.length, roles, histories };
}

/** How many reals a slot reads from rows, and how many are the same at every one. */
export function pastWidths({ lags, kept, columns }: PastLayout): { readonly read: number; readonly fixed: number } {
  return { read: lags * shares.length * columns, fixed: 1 + lags + kept.length };
}

/** In the order of `pastWidths`. */
export function pastConstants({ lags }: PastLayout, fixed: readonly ScalarOperand[]): PastConstants {
  return { start: fixed[0]!, lags: fixed.slice(1, 1 + lags), initial: fixed.slice(1 + lags) };
}

/** No step goes farther. */
export function leastLag(s: ScalarBuilder, { lags }: PastConstants): ScalarOperand {
  return lags.reduce((least, lag) => s.apply('min', least, lag));
}

/** When it is that a place is asked for: lag by lag, share by share. */
export function askedTimes(
  s: ScalarBuilder,
  time: ScalarOperand,
  planned: ScalarOperand,
  lags: readonly ScalarOperand[],
): ScalarOperand[] {
  const e = expression(s);
  return lags.flatMap((lag) =>
    shares.map((share) => {
      const within = Math.min(Math.max(share, inside), 1 - inside);
      const at = e.add(e.subtract(time, lag), e.multiply(realLiteral(within), planned));
      const still = e.apply('eq', planned, realLiteral(0));
      const wanted = e.choose(
        still,
        () => e.add(at, e.multiply(realLiteral(nearly), lag)),
        () => at,
      );
      return e.apply('min', wanted, e.subtract(time, e.multiply(realLiteral(nearly), lag)));
    }),
  );
}

/** Of a share of the step every past, and how fast it changes. */
export interface PastReader {
  readonly values: (share: number) => ScalarOperand[];
  readonly slopes: (share: number) => ScalarOperand[];
}

/** What a slot knows: `h` and `time` with their derivatives, `rows` as they were read. */
interface Given {
  readonly time: ScalarOperand;
  readonly planned: ScalarOperand;
  readonly h: ScalarOperand;
  readonly constants: readonly ScalarOperand[];
  readonly fixed: PastConstants;
  readonly rows: readonly ScalarOperand[];
}

export function pastReader(s: ScalarBuilder, layout: PastLayout, given: Given): PastReader {
  const e = expression(s);
  const { pasts, kept, columns, roles, histories } = layout;
  const { time, planned, h, constants, fixed, rows } = given;
  const searched = askedTimes(s, time, planned, fixed.lags);
  const known = new Map<string, ScalarOperand[]>();

  /** Of the states' histories at a time: one of them, or how fast it changes. */
  const history = (state: number, at: ScalarOperand, slope: boolean): ScalarOperand => {
    const result = histories?.of.indexOf(state) ?? -1;
    if (!histories || result < 0) return slope ? realLiteral(0) : fixed.initial[kept.indexOf(state)]!;
    const operands = roles.map((role) => {
      if (role.kind === 'constant') return constants[role.constant]!;
      return role.kind === 'time' ? at : realLiteral(NaN);
    });
    if (!slope) return s.inline(histories.function, operands)[result]!;
    const moving = roles.map(({ kind }) => kind === 'time');
    const pushed = jvpFunction(histories.function, moving);
    const tangents = s.inline(pushed.function, [...operands, ...moving.filter(Boolean).map(() => realLiteral(1))]);
    const place = pushed.active.slice(0, result).filter(Boolean).length;
    return pushed.active[result] ? tangents[pushed.active.length + place]! : realLiteral(0);
  };

  const read = (share: number, slope: boolean): ScalarOperand[] =>
    pasts.map(({ state, lag }) => {
      const place = lag * shares.length + shares.indexOf(share);
      const row = rows.slice(place * columns, (place + 1) * columns);
      const [from, length] = row as [ScalarOperand, ScalarOperand];
      const first = headColumns + stateColumns * kept.indexOf(state);
      const x = row[first]!;
      const terms = row.slice(first + 1, first + stateColumns);
      const moment = e.subtract(e.add(time, e.multiply(realLiteral(share), h)), fixed.lags[lag]!);
      const along = (): ScalarOperand => {
        const way = e.choose(
          e.apply('eq', length, realLiteral(0)),
          () => realLiteral(1),
          () => length,
        );
        const theta = e.divide(e.subtract(moment, from), way);
        const nested = (all: readonly ScalarOperand[]): ScalarOperand =>
          all.reduceRight((sum, term) => e.add(term, e.multiply(theta, sum)));
        if (!slope) return e.add(x, e.multiply(theta, nested(terms)));
        return e.divide(nested(terms.map((term, m) => e.multiply(realLiteral(m + 1), term))), way);
      };
      const early = e.apply('lt', searched[place]!, fixed.start);
      return e.choose(early, () => history(state, moment, slope), along);
    });

  const once = (share: number, slope: boolean): ScalarOperand[] => {
    const key = `${share} ${slope}`;
    const found = known.get(key) ?? read(share, slope);
    known.set(key, found);
    return found;
  };
  return { values: (share) => once(share, false), slopes: (share) => once(share, true) };
}

/** The row of a slot. `course` of a state, where a step was tried; else it stays as it is. */
export function rowOf(
  { kept }: PastLayout,
  time: ScalarOperand,
  h: ScalarOperand,
  states: readonly ScalarOperand[],
  course?: (state: number) => ScalarOperand[],
): ScalarOperand[] {
  const still = (): ScalarOperand[] => new Array<ScalarOperand>(courseTerms).fill(realLiteral(0));
  return [time, h, ...kept.flatMap((state) => [states[state]!, ...(course ? course(state) : still())])];
}
