/** By how much states move in a time that is 0, and only moves with a parameter, in scalar code. */
import {
  jvpFunction,
  realLiteral,
  type ScalarBuilder,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
import type { Role } from '../methods/role.ts';

/** What drives the rates somewhere. */
export interface Driven {
  readonly roles: readonly Role[];
  readonly inputs: readonly { readonly slope: ScalarOperand | undefined }[];
}

/** What the rates read somewhere, the rates there, and those of what is looked back at. */
export interface Place {
  readonly operands: readonly ScalarOperand[];
  readonly slopes: readonly ScalarOperand[];
  readonly paces: readonly ScalarOperand[];
}

/** How what formulas read moves along the solution; undefined where it does not. Inputs bend at knots alone. */
export function directionOf(
  s: ScalarBuilder,
  { roles, inputs }: Driven,
  rates: readonly ScalarOperand[],
  paces: readonly ScalarOperand[],
): (ScalarOperand | undefined)[] {
  const detach = (x: ScalarOperand): ScalarOperand => s.apply('detach', x);
  return roles.map((role) => {
    if (role.kind === 'state') return detach(rates[role.state]!);
    if (role.kind === 'time') return realLiteral(1);
    if (role.kind === 'past') return detach(paces[role.past]!);
    const slope = role.kind === 'input' ? inputs[role.input]!.slope : undefined;
    return slope && detach(slope);
  });
}

/** ẋ·δ + ½ẍ·δ². */
export function movedIn(
  s: ScalarBuilder,
  rates: ScalarFunction,
  driven: Driven,
  { operands, slopes, paces }: Place,
): (shift: ScalarOperand) => ScalarOperand[] {
  const e = expression(s);
  const detach = (x: ScalarOperand): ScalarOperand => e.apply('detach', x);
  const direction = directionOf(s, driven, slopes, paces);
  const pushed = jvpFunction(
    rates,
    direction.map((each) => each !== undefined),
  );
  const at = operands.map((each) => (each.type === 'real' ? detach(each) : each));
  const along = direction.filter((each) => each !== undefined);
  return (shift) => {
    const found = s.inline(pushed.function, [...at, ...along]).slice(pushed.active.length);
    const half = e.multiply(realLiteral(0.5), shift, shift);
    // What is infinite moves nothing in no time: 0·∞ would be none of the states.
    const times = (rate: ScalarOperand, span: ScalarOperand): ScalarOperand =>
      e.choose(
        e.apply('eq', detach(e.subtract(rate, rate)), realLiteral(0)),
        () => e.multiply(rate, span),
        () => realLiteral(0),
      );
    return slopes.map((slope, i) => {
      const bend = pushed.active[i] ? found.shift() : undefined;
      const first = times(slope, shift);
      return bend ? e.add(first, times(detach(bend), half)) : first;
    });
  };
}
