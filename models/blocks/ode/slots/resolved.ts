/**
 * Whether what is watched stays as it is from one end of a step to the other, in scalar code. The ends tell that it is the
 * same there; between them its argument (watches.ts) has a course a(θ), 0 ≤ θ ≤ 1, of which a and ȧ at the ends are known:
 *
 *   H(θ) the cubic with these,   |a(θ) − H(θ)| ≤ m·16θ²(1 − θ)²
 *
 * where m is read off places between, at which states are on their own such cubics; off how much H is bent, as these
 * cubics are no solutions; and, of what the time makes, off the range of ȧ over a third of the step (enclosure.ts), which
 * no pulse escapes however short it is. Both bounds are polynomials of degree 4, and lie between their Bernstein
 * coefficients. A step is resolved where these keep within the argument's bounds, or rise or fall all along, since then
 * nothing passes a bound and comes back.
 */
import { jvpFunction, simplifyFunction, type ScalarBuilder, type ScalarOperand } from '../../../../engine/index.ts';
import type { Role } from '../methods/role.ts';
import { watchWidth, type Watches } from '../watches.ts';
import { enclosing } from './enclosure.ts';
import type { Logic } from './logic.ts';
import type { Tolerance } from './tolerance.ts';

/** One in each third, and none in the middle of anything. */
const places = [0.19, 0.47, 0.83];
/** Of what is read off them, and of how much the cubic is bent. */
const [caution, bend] = [2, 0.25];

const lobe = (theta: number): number => 16 * theta ** 2 * (1 - theta) ** 2;
/** Of the lobe's middle Bernstein coefficient; the others are 0. */
const crest = 16 / 6;

/** The operands of the watched functions at an end of the step, and how they move there; undefined where they do not. */
export interface End {
  readonly operands: readonly ScalarOperand[];
  readonly slopes: readonly (ScalarOperand | undefined)[];
}

export interface Stretch {
  readonly roles: readonly Role[];
  readonly from: End;
  readonly to: End;
  readonly length: ScalarOperand;
  readonly tolerance: Tolerance;
}

export function resolvedOver(
  s: ScalarBuilder,
  logic: Logic,
  watches: Watches,
  { roles, from, to, length, tolerance }: Stretch,
): ScalarOperand {
  const { e, real, and, or, not, most } = logic;
  const times = (factor: number, x: ScalarOperand): ScalarOperand => e.multiply(real(factor), x);
  const size = (x: ScalarOperand): ScalarOperand => e.apply('abs', x);
  const largest = (all: readonly ScalarOperand[]): ScalarOperand => all.reduce((a, b) => e.apply('max', a, b));
  const smallest = (all: readonly ScalarOperand[]): ScalarOperand => all.reduce((a, b) => e.apply('min', a, b));
  const moving = roles.map((_, i) => from.slopes[i] !== undefined);
  const pushed = jvpFunction(watches.arguments, moving);
  const timed = slopeByTime(pushed, roles);

  const argumentsAt = ({ operands, slopes }: End): { readonly a: ScalarOperand[]; readonly slope: ScalarOperand[] } => {
    const found = s.inline(pushed.function, [...operands, ...slopes.filter((each) => each !== undefined)]);
    const slopesFound = found.slice(watches.count);
    return {
      a: found.slice(0, watches.count),
      slope: pushed.active.map((moves) => (moves ? slopesFound.shift()! : real(0))),
    };
  };
  /** Where everything is on a cubic of its own. */
  const between = (theta: number): End => {
    const all = roles.map((role, i) => {
      const [x, y] = [from.operands[i]!, to.operands[i]!];
      const [v, w] = [from.slopes[i], to.slopes[i]];
      if (!v || !w) return { value: x, slope: undefined };
      if (role.kind === 'time' || role.kind === 'input')
        return { value: e.add(x, e.multiply(real(theta), length, v)), slope: v };
      const b = bernstein(x, v, w, y);
      return { value: cubic(b, theta), slope: e.divide(cubicSlope(b, theta), length) };
    });
    return { operands: all.map(({ value }) => value), slopes: all.map(({ slope }) => slope) };
  };
  const bernstein = (x: ScalarOperand, v: ScalarOperand, w: ScalarOperand, y: ScalarOperand): ScalarOperand[] => [
    x,
    e.add(x, times(1 / 3, e.multiply(length, v))),
    e.subtract(y, times(1 / 3, e.multiply(length, w))),
    y,
  ];
  const cubic = (b: readonly ScalarOperand[], theta: number): ScalarOperand =>
    e.add(
      ...[(1 - theta) ** 3, 3 * theta * (1 - theta) ** 2, 3 * theta ** 2 * (1 - theta), theta ** 3].map((weight, i) =>
        times(weight, b[i]!),
      ),
    );
  const cubicSlope = (b: readonly ScalarOperand[], theta: number): ScalarOperand =>
    e.add(
      ...[3 * (1 - theta) ** 2, 6 * theta * (1 - theta), 3 * theta ** 2].map((weight, i) =>
        times(weight, e.subtract(b[i + 1]!, b[i]!)),
      ),
    );
  const here = s.inline(watches.function, from.operands);
  const [start, end] = [argumentsAt(from), argumentsAt(to)];
  const inner = places.map((theta, k) => {
    const at = between(theta);
    const ranges = timed && timed(s, at, [timeAt(k / 3), timeAt((k + 1) / 3)]);
    return { theta, a: argumentsAt(at).a, ranges };
  });
  function timeAt(theta: number): ScalarOperand {
    const clock = roles.findIndex(({ kind }) => kind === 'time');
    return e.add(from.operands[clock]!, times(theta, length));
  }

  let resolved = not(logic.never);
  for (let i = 0; i < watches.count; i++) {
    const [low, high] = here.slice(watchWidth * i + 4) as [ScalarOperand, ScalarOperand];
    const [a, z] = [start.a[i]!, end.a[i]!];
    const b = bernstein(a, start.slope[i]!, end.slope[i]!, z);
    const [, b1, b2] = b as [ScalarOperand, ScalarOperand, ScalarOperand, ScalarOperand];
    const bent = [e.add(a, times(-2, b1), b2), e.add(b1, times(-2, b2), z)].map(size);
    const off = inner.map(({ theta, a: found }) =>
      times(caution / lobe(theta), size(e.subtract(found[i]!, cubic(b, theta)))),
    );
    const ranges = inner.flatMap(({ ranges: all }) => {
      const range = all?.[i];
      return range ? [times(1 / 3, e.multiply(length, e.subtract(range[1], range[0])))] : [];
    });
    const m = times(
      crest,
      e.add(largest(off), times(bend, largest(bent)), ...(ranges.length > 0 ? [largest(ranges)] : [])),
    );
    const c = [
      a,
      times(0.25, e.add(a, times(3, b1))),
      times(0.5, e.add(b1, b2)),
      times(0.25, e.add(times(3, b2), z)),
      z,
    ];
    const [c1, c2, c3] = c.slice(1, 4) as [ScalarOperand, ScalarOperand, ScalarOperand];
    // What a solution of this tolerance tells.
    const magnitude = here[watchWidth * i + 2]!;
    const blur = e.add(times(tolerance.relative, magnitude), real(tolerance.absolute));
    const lowest = smallest([...c, e.subtract(c2, m)]);
    const highest = largest([...c, e.add(c2, m)]);
    const keeps = and(most(e.subtract(low, blur), lowest), most(highest, e.add(high, blur)));
    const zero = real(0);
    const [up, down] = [e.subtract(c1, a), e.subtract(z, c3)];
    const [within, after] = [e.subtract(c2, c1), e.subtract(c3, c2)];
    const rises = most(m, smallest([within, after]));
    const falls = most(largest([within, after]), e.subtract(zero, m));
    const monotone = or(and(rises, most(zero, smallest([up, down]))), and(falls, most(largest([up, down]), zero)));
    // What is infinite at both ends passes nothing: `time < Infinity`.
    const unknown = or(e.apply('isnan', e.add(a, z)), e.apply('isnan', e.subtract(a, z)));
    resolved = and(resolved, or(unknown, or(keeps, monotone)));
  }
  return resolved;
}

type JvpFunction = ReturnType<typeof jvpFunction>;
type Ranges = readonly (readonly [ScalarOperand, ScalarOperand] | undefined)[];

/** Of all arguments between what their slopes lie while the time passes and all else stays; undefined where the time is not bent. */
function slopeByTime(
  { function: pushed, active }: JvpFunction,
  roles: readonly Role[],
): ((s: ScalarBuilder, at: End, time: readonly [ScalarOperand, ScalarOperand]) => Ranges) | undefined {
  const clock = roles.findIndex(({ kind }) => kind === 'time');
  if (clock < 0) return undefined;
  const isTime = pushed.parameters.map((_, i) => i === clock);
  const bends = jvpFunction(pushed, isTime).active.slice(active.length);
  const ranged = bends.includes(true) ? enclosing(simplifyFunction(pushed), isTime) : undefined;
  if (!ranged) return undefined;
  return (s, { operands, slopes }, [first, last]) => {
    const given = operands.map((x, i) => (i === clock ? first : x));
    const found = s.inline(ranged, [...given, ...slopes.filter((each) => each !== undefined), last]);
    let next = active.length;
    return active.map((moves) => {
      if (!moves) return undefined;
      const at = 2 * next++;
      return found.slice(at, at + 2) as [ScalarOperand, ScalarOperand];
    });
  };
}
