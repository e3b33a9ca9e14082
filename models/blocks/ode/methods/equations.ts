/** dx/dt = f(x, t) at one step of a solver: the rates' scalar function, and its derivatives by state and by time. */
import {
  jvpFunction,
  realLiteral,
  simplifyFunction,
  type ScalarBuilder,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
import { jacobianFunction, jacobianPattern } from './jacobian.ts';
import type { Role } from './role.ts';

/** The values of one step, at its start. */
export interface StepValues {
  readonly time: ScalarOperand;
  readonly inputs: readonly { readonly value: ScalarOperand; readonly slope: ScalarOperand | undefined }[];
  readonly constants: readonly ScalarOperand[];
  /** States of the past, at a share of the step. */
  readonly past?: (share: number) => readonly ScalarOperand[];
}

export interface Equations {
  readonly function: ScalarFunction;
  /** What each of its parameters stands for. */
  readonly roles: readonly Role[];
  /** Its parameters after so much of the step. */
  operands(states: readonly ScalarOperand[], elapsed: ScalarOperand, share: number): ScalarOperand[];
  /** f(x, start + elapsed); `share`: how much of the step has elapsed, where states of the past are known. */
  rates(states: readonly ScalarOperand[], elapsed: ScalarOperand, share?: number): ScalarOperand[];
  /** ∂fᵢ/∂xⱼ at the start, [i][j]; undefined where it is zero by its form. */
  byState(states: readonly ScalarOperand[]): (ScalarOperand | undefined)[][];
  /** ∂fᵢ/∂t at the start. */
  byTime(states: readonly ScalarOperand[]): (ScalarOperand | undefined)[];
  /** The same, of which nothing is differentiated by time, inputs and constants. */
  readonly detached: () => Equations;
}

export function equationsOf(
  s: ScalarBuilder,
  written: ScalarFunction,
  roles: readonly Role[],
  { time, inputs, constants, past }: StepValues,
): Equations {
  const e = expression(s);
  // They are written down at every stage of a step.
  const rates = simplifyFunction(written);
  const operandsAt = (
    states: readonly ScalarOperand[],
    elapsed: ScalarOperand | undefined,
    share = 0,
  ): ScalarOperand[] => {
    const before = past?.(share) ?? [];
    return roles.map((role) => {
      if (role.kind === 'state') return states[role.state]!;
      if (role.kind === 'constant') return constants[role.constant]!;
      if (role.kind === 'past') return before[role.past]!;
      if (role.kind === 'time') return elapsed ? e.add(time, elapsed) : time;
      const input = inputs[role.input]!;
      return elapsed && input.slope ? e.add(input.value, e.multiply(input.slope, elapsed)) : input.value;
    });
  };
  /** ∂f along a direction that moves these parameters by so much. */
  const along = (
    states: readonly ScalarOperand[],
    direction: (role: Role) => ScalarOperand | undefined,
  ): (ScalarOperand | undefined)[] => {
    const tangents = roles.map(direction);
    const { function: pushed, active } = jvpFunction(
      rates,
      tangents.map((tangent) => tangent !== undefined),
    );
    const operands = [...operandsAt(states, undefined), ...tangents.filter((tangent) => tangent !== undefined)];
    const moved = s.inline(pushed, operands).slice(active.length);
    return active.map((moves) => (moves ? moved.shift() : undefined));
  };
  return {
    ...{ function: rates, roles, operands: operandsAt },
    rates: (states, elapsed, share) => s.inline(rates, operandsAt(states, elapsed, share)),
    byState(states) {
      const pattern = jacobianPattern(rates, roles, states.length);
      const found = s.inline(jacobianFunction(rates, roles, states.length), operandsAt(states, undefined));
      const entries = states.map(() => new Array<ScalarOperand | undefined>(states.length).fill(undefined));
      for (const [i, row] of pattern.entries()) for (const j of row) entries[i]![j] = found.shift();
      return entries;
    },
    byTime: (states) =>
      along(states, (role) => {
        if (role.kind === 'time') return realLiteral(1);
        return role.kind === 'input' ? inputs[role.input]?.slope : undefined;
      }),
    detached: () => {
      const detach = (x: ScalarOperand): ScalarOperand => (x.type === 'real' ? e.apply('detach', x) : x);
      return equationsOf(s, written, roles, {
        time: detach(time),
        inputs: inputs.map(({ value, slope }) => ({ value: detach(value), slope: slope && detach(slope) })),
        constants: constants.map(detach),
        ...(past && { past: (share) => past(share).map(detach) }),
      });
    },
  };
}
