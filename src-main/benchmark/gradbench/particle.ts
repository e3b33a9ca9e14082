/**
 * `particle`: the w for which a charged particle flies through the origin (J. M. Siskind and B. A. Pearlmutter, Using programming
 * language theory to make automatic differentiation sound and efficient, 2008), and in it the force as a derivative:
 *
 *   min_w x₁(t_f)²,   ẍ = −∇ₓp(x; w),   p(x; w) = 1/‖x − (10, 10 − w)‖ + 1/‖x − (10, 0)‖,   x₂(t_f) = 0
 *
 * from x = (0, 8) and ẋ = (¾, 0) by Euler's steps of 0.1, the last as long as it takes. A function's name is the modes of
 * differentiation of the search and of the force: f forward, r in reverse.
 */
import * as v from 'valibot';
import {
  arrayType,
  type Program,
  ProgramBuilder,
  realLiteral,
  type ScalarBuilder,
  scalarFunction,
  type ScalarOperand,
  type Value,
} from '../../../engine/index.ts';
import { leastOfProgram, whereTrue } from './descent.ts';
import { evaluation, VALUE, valueOf } from './evaluation.ts';
import { type Mode, modePairs, modesOf, withProgramSlopes, withSlopes } from './modes.ts';

const [STEPS, SLOTS] = ['growing_steps', 'growing_slots'];
const TIME_STEP = 0.1;

const potential = scalarFunction(['real', 'real', 'real'], (s, x, y, w) => {
  const from = (height: ScalarOperand): ScalarOperand => {
    const [across, up] = [s.apply('sub', x, realLiteral(10)), s.apply('sub', y, height)];
    const square = s.apply('add', s.apply('mul', across, across), s.apply('mul', up, up));
    return s.apply('div', realLiteral(1), s.apply('sqrt', square));
  };
  return [s.apply('add', from(s.apply('sub', realLiteral(10), w)), from(realLiteral(0)))];
});

/** x + time·v. */
const along = (s: ScalarBuilder, x: ScalarOperand, time: ScalarOperand, speed: ScalarOperand): ScalarOperand =>
  s.apply('add', x, s.apply('mul', time, speed));

/** (place, velocity, whether a step would lead below the axis; w) ↦ the same one step on, or as they are where it would. */
const flight = (mode: Mode) =>
  scalarFunction(['real', 'real', 'real', 'real', 'bool', 'real'], (s, x, y, speedX, speedY, landed, w) => {
    const [, slopeX, slopeY] = s.inline(withSlopes(potential, 2, mode), [x, y, w]) as [
      ScalarOperand,
      ScalarOperand,
      ScalarOperand,
    ];
    const [step, back] = [realLiteral(TIME_STEP), realLiteral(-TIME_STEP)];
    const [nextX, nextY] = [along(s, x, step, speedX), along(s, y, step, speedY)];
    const below = s.apply('or', landed, s.apply('le', nextY, realLiteral(0)));
    return s.branch(
      below,
      () => [x, y, speedX, speedY, below],
      () => [nextX, nextY, along(s, speedX, back, slopeX), along(s, speedY, back, slopeY), below],
    );
  });

/** w ↦ x₁(t_f)². */
function miss(mode: Mode): Program {
  const b = new ProgramBuilder();
  const w = b.parameter('w', arrayType('real', []));
  const initial = [...[0, 8, 0.75, 0].map((each) => b.literal(each)), b.literal(0, 'bool')];
  const [x, y, speedX, speedY, landed] = b.emit({
    ...{ kind: 'recurrence', step: flight(mode), shape: [STEPS], axis: 0, reverse: false },
    ...{ initial, inputs: [], invariants: [w] },
  }) as [Value, Value, Value, Value, Value];
  const square = b.elementwise([x, y, speedX, speedY], (s, ...[atX, atY, alongX, alongY]) => {
    const end = along(s, atX!, s.apply('neg', s.apply('div', atY!, alongY!)), alongX!);
    return s.apply('mul', end, end);
  });
  return b.finish(valueOf(whereTrue(b, landed, square)));
}

function program([outer, inner]: readonly [Mode, Mode]): Program {
  const b = new ProgramBuilder();
  const w = b.parameter('w', arrayType('real', []));
  const [least] = leastOfProgram(b, withProgramSlopes(miss(inner), ['w'], outer), [w], [], SLOTS);
  return b.finish(valueOf(least!));
}

export const particle = evaluation({
  name: 'particle',
  input: v.object({ w: v.number() }),
  functions: Object.fromEntries(
    modePairs.map((pair) => [
      pair,
      ({ w }: { w: number }) => ({
        program: program(modesOf(pair)),
        inputs: { w: [w] },
        sizes: { [STEPS]: 128, [SLOTS]: 32 },
        answer: (result: (name: string) => Float64Array) => result(VALUE)[0],
      }),
    ]),
  ),
});
