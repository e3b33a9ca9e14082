/**
 * One step towards F(y) = 0 within a trust region: Powell's dogleg between Newton's step and the steepest descent of ½‖F‖²,
 * with unknowns measured by their size and equations by what such a change of the unknowns does to them, so that neither
 * units nor scales of equations matter. Powell (1970), "A hybrid method for nonlinear equations"; Nocedal & Wright, Numerical
 * Optimization, section 11.2.
 *
 *   sⱼ = max(|yⱼ|, |pⱼ|), p = −F_y⁻¹·F;   rᵢ = Σⱼ |∂Fᵢ/∂yⱼ|·sⱼ;   z = step/s;   ‖z‖ ≤ Δ
 *
 * It goes on until steps shrink no more: to what rounding leaves, in any precision, and not to a tolerance. Steps are measured
 * by where the unknowns are, for a root may be many orders smaller than what it was looked for from. One that is 0 is known by
 * its equations: they are as near to 0 as rounding lets them be (rounding-function.ts).
 */
import { solveEnds } from '../../0-ir/program.ts';
import { intLiteral, realLiteral as real, type ScalarFunction } from '../../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import { roundingFunction } from '../scalar/rounding-function.ts';
import { Arithmetic, byPrecision, rounding, type Operand } from './arithmetic.ts';
import { factored, type Matrix } from './elimination.ts';
import { linearized } from './jacobian.ts';

/** What is carried beside y and the largest that each unknown has been: Δ, the last whole Newton step (∞: none), the end. */
export const newtonStart = { radius: 4, last: Infinity, end: solveEnds.unfinished } as const;

/** Newton's step relative to the unknowns: from here on it converges as it does near a root, and is taken untested. */
const near = 1e-5;
/** Where steps shrink no more, and are larger than this: the root is known to half of the digits alone, and is none of one sheet. */
const singular = { f64: 1e-9, f32: 1e-3 };
/** Equations are 0 where they are less than so many times what rounding may make of them. */
const noise = 8;
/** Unknowns that rounding may move by more than this share of them are not determined. */
const undetermined = 1e-3;

/** (y…, largest…, Δ, last, end, x…) ↦ (y…, largest…, Δ, last, end). */
export function newtonStep(residual: ScalarFunction, d: number): ScalarFunction {
  const types = residual.parameters.slice(d).map(({ type }) => type);
  const reals = Array.from({ length: 2 * d + 2 }, () => 'real' as const);
  return scalarFunction([...reals, 'int', ...types], (s, ...operands) => {
    const [y, largest] = [operands.slice(0, d), operands.slice(d, 2 * d)];
    const [radius, last, end] = operands.slice(2 * d, 2 * d + 3) as [Operand, Operand, Operand];
    const given = operands.slice(2 * d + 3);
    const idle = (): Operand[] => [...y, ...largest, radius, last, end];
    return s.branch(
      s.apply('eq', end, intLiteral(solveEnds.unfinished)),
      () => taken(s, residual, y, largest, radius, last, given),
      idle,
    );
  });
}

/** Where a step begins: F and its derivative there, Newton's step p, and by what unknowns are measured. */
interface Here {
  readonly values: readonly Operand[];
  readonly jacobian: Matrix;
  /** Zeros where there is none. */
  readonly p: readonly Operand[];
  /** Whether there is Newton's step: a singular matrix has not. */
  readonly isWhole: Operand;
  readonly sizes: readonly Operand[];
  readonly largest: readonly Operand[];
  /** The length of p relative to the largest that the unknowns have been. */
  readonly relative: Operand;
  /** The same relative to the unknowns as they are. */
  readonly closeness: Operand;
  /** Whether it is so short that it converges as it does near a root. */
  readonly small: Operand;
  readonly solution: (right: readonly Operand[]) => Operand[];
}

function lookAround(
  m: Arithmetic,
  residual: ScalarFunction,
  y: readonly Operand[],
  before: readonly Operand[],
  given: readonly Operand[],
): Here {
  const { values, jacobian } = linearized(m.s, residual, y, given);
  const solution = factored(m.s, jacobian);
  const newton = solution(values).map((each) => m.apply('neg', each));
  const isWhole = m.apply('eq', m.times(m.sum(newton.map(m.size)), real(0)), real(0));
  const largest = y.map((each, j) => m.apply('max', before[j]!, m.size(each)));
  // Without Newton's step unknowns are measured by what they have been.
  const p = newton.map((each) => m.either(isWhole, each, real(0)));
  const sizes = y.map((each, j) =>
    m.either(isWhole, m.orOne(m.apply('max', m.size(each), m.size(p[j]!))), m.orOne(largest[j]!)),
  );
  const relative = m.most(p.map((each, j) => m.over(m.size(each), m.orOne(m.apply('max', largest[j]!, m.size(each))))));
  const closeness = m.most(
    p.map((each, j) => m.over(m.size(each), m.orOne(m.apply('max', m.size(y[j]!), m.size(each))))),
  );
  const small = m.apply('and', isWhole, m.apply('le', closeness, real(near)));
  return { values, jacobian, p, isWhole, sizes, largest, relative, closeness, small, solution };
}

function taken(
  s: ScalarBuilder,
  residual: ScalarFunction,
  y: readonly Operand[],
  before: readonly Operand[],
  radius: Operand,
  last: Operand,
  given: readonly Operand[],
): Operand[] {
  const m = new Arithmetic(s);
  const here = lookAround(m, residual, y, before, given);
  const { values, largest, relative, closeness, small, isWhole } = here;
  const exact = m.apply('eq', m.sum(values.map(m.size)), real(0));
  const idle = m.apply('le', m.times(real(0.9), last), relative);
  const settled = m.apply('and', small, m.apply('or', m.apply('le', closeness, real(2 ** -52)), idle));
  // Short beside what an unknown has been, and yet not beside what it is: it is 0, or far from its root still.
  const faint = m.apply('and', m.apply('and', isWhole, m.apply('not', small)), m.apply('le', relative, real(near)));
  const errors = (): Operand[] =>
    s.inline(
      roundingFunction(
        residual,
        residual.parameters.map((_, i) => i < y.length),
      ),
      [...y, ...given],
    );
  const stop = (ending: Operand): Operand[] => [...y, ...largest, radius, last, ending];
  const go = (): Operand[] => onward(m, residual, y, here, radius, given);
  const goIfFaint = (): Operand[] =>
    s.branch(faint, () => s.branch(isNoise(m, here, errors()), () => stop(intLiteral(solveEnds.found)), go), go);
  return s.branch(
    exact,
    () => stop(atZero(m, y, here, errors())),
    () => s.branch(settled, () => stop(ended(m, isFound(m, here))), goIfFaint),
  );
}

const ended = (m: Arithmetic, isFound: Operand): Operand =>
  m.either(isFound, intLiteral(solveEnds.found), intLiteral(solveEnds.singular));

/** Whether steps that shrink no more are short enough, in the precision that this is computed in. */
const isFound = (m: Arithmetic, here: Here): Operand =>
  m.apply('le', here.relative, byPrecision(m, here.largest[0]!, singular));

/**
 * Whether the equations are as near to 0 as rounding lets them be; or Newton's step is no longer than it makes them move the
 * unknowns, as where a product is 0 and a difference of its factors is known to rounding alone.
 */
function isNoise(m: Arithmetic, { values, p, solution, largest }: Here, errors: readonly Operand[]): Operand {
  const unit = m.times(real(noise), byPrecision(m, largest[0]!, rounding));
  const all = (each: readonly Operand[]): Operand => each.reduce((a, b) => m.apply('and', a, b));
  const isZero = all(values.map((each, i) => m.apply('le', m.size(each), m.times(unit, errors[i]!))));
  const moved = solution(errors.map((each) => m.times(unit, each))).map(m.size);
  const isWithin = all(
    moved.map((each, j) => {
      const isKnown = m.apply('le', each, m.times(real(undetermined), largest[j]!));
      return m.apply('and', isKnown, m.apply('le', m.size(p[j]!), each));
    }),
  );
  return m.apply('or', isZero, isWithin);
}

/**
 * How the search ends where the equations are exactly 0. An equation that rounding makes 0 far from a root, as tanh(x) − 1 at
 * 20, moves its unknown by much; one that underflows, as exp(−x) at 750, depends on it no more. Several of which one says what
 * others say leave a row of roots. One of a single unknown that is 0 without rounding and flat, as x² at 0, touches its root,
 * and says what that unknown is all the same: of the others the other equations are asked.
 */
function atZero(m: Arithmetic, y: readonly Operand[], here: Here, errors: readonly Operand[]): Operand {
  const { isWhole, largest, jacobian, solution } = here;
  const unit = byPrecision(m, largest[0]!, rounding);
  const isKnown = (solved: Here['solution']): Operand => {
    const moved = solved(errors.map((each) => m.times(unit, each)));
    const share = m.most(
      moved.map((each, j) => m.over(m.size(each), m.orOne(m.apply('max', largest[j]!, m.size(y[j]!))))),
    );
    return m.apply('le', share, real(undetermined));
  };
  const touching = jacobian.map((row, i) => {
    const entries = row.flatMap((entry) => (entry ? [entry] : []));
    if (entries.length !== 1) return undefined;
    return m.apply('and', m.apply('eq', entries[0]!, real(0)), m.apply('eq', errors[i]!, real(0)));
  });
  if (touching.every((each) => each === undefined)) return ended(m, m.apply('and', isWhole, isKnown(solution)));
  const rest: Matrix = jacobian.map((row, i) =>
    row.map((entry) => entry && (touching[i] ? m.either(touching[i], real(1), entry) : entry)),
  );
  const [isRoot] = m.s.branch(
    isWhole,
    () => [isKnown(solution)],
    () => [y.length === 1 ? touching[0]! : isKnown(factored(m.s, rest))],
  );
  return ended(m, isRoot!);
}

/** F/r and its derivative by the unknowns in units of their sizes. */
function scaledBy(m: Arithmetic, { values, jacobian, sizes }: Here) {
  const weights = jacobian.map((row, i) => {
    const weight = m.sum(row.flatMap((entry, j) => (entry ? [m.times(m.size(entry), sizes[j]!)] : [])));
    return m.either(m.apply('lt', real(0), weight), weight, m.orOne(m.size(values[i]!)));
  });
  const scaled: Matrix = jacobian.map((row, i) =>
    row.map((entry, j) => entry && m.over(m.times(entry, sizes[j]!), weights[i]!)),
  );
  return { weights, scaled, f: values.map((each, i) => m.over(each, weights[i]!)) };
}

/** −t·g as far as the region goes, then towards Newton's step; which is `whole` where it lies within. */
function dogleg(m: Arithmetic, scaled: Matrix, f: readonly Operand[], { p, sizes, isWhole }: Here, radius: Operand) {
  const gradient = p.map((_, j) => m.sum(scaled.flatMap((row, i) => (row[j] ? [m.times(row[j], f[i]!)] : []))));
  const newton = p.map((each, j) => m.over(each, sizes[j]!));
  const lengthOfNewton = m.apply('sqrt', m.square(newton));
  const steep = m.square(gradient);
  const share = m.over(steep, m.orOne(m.square(m.product(scaled, gradient))));
  const lengthOfCauchy = m.times(share, m.apply('sqrt', steep));
  const whole = m.apply('and', isWhole, m.apply('le', lengthOfNewton, radius));
  const inner = m.apply('min', share, m.over(radius, m.orOne(m.apply('sqrt', steep))));
  const cauchy = gradient.map((each) => m.apply('neg', m.times(inner, each)));
  const bend = m.apply('and', isWhole, m.apply('lt', lengthOfCauchy, radius));
  const difference = newton.map((each, j) => m.apply('sub', each, cauchy[j]!));
  // ‖cauchy + along·difference‖ = Δ
  const [a, b2, c] = [
    m.square(difference),
    m.sum(difference.map((each, j) => m.times(each, cauchy[j]!))),
    m.apply('sub', m.times(radius, radius), m.square(cauchy)),
  ];
  const root = m.apply('sqrt', m.apply('max', m.apply('add', m.times(b2, b2), m.times(a, c)), real(0)));
  const along = m.over(c, m.orOne(m.apply('add', b2, root)));
  const z = newton.map((each, j) =>
    m.either(
      whole,
      each,
      m.apply('add', cauchy[j]!, m.times(m.either(bend, along, real(0)), m.either(bend, difference[j]!, real(0)))),
    ),
  );
  return { z, whole };
}

/** The step, if what it gains is near what F's derivative promised; and the region for the next. */
function onward(
  m: Arithmetic,
  residual: ScalarFunction,
  y: readonly Operand[],
  here: Here,
  radius: Operand,
  given: readonly Operand[],
): Operand[] {
  const { s } = m;
  const { sizes, largest, relative, small } = here;
  const { weights, scaled, f } = scaledBy(m, here);
  const { z, whole } = dogleg(m, scaled, f, here, radius);
  const to = y.map((each, j) => m.apply('add', each, m.times(sizes[j]!, z[j]!)));
  const there = s.inline(residual, [...to, ...given]).map((each, i) => m.over(each, weights[i]!));
  // By the largest, that no square underflows before the equations do.
  const top = m.orOne(m.most(f.map(m.size)));
  const squared = (parts: readonly Operand[]): Operand => m.square(parts.map((each) => m.over(each, top)));
  const merit = squared(f);
  const meritThere = squared(there);
  const model = squared(m.product(scaled, z).map((each, i) => m.apply('add', each, f[i]!)));
  const ratio = m.over(m.apply('sub', merit, meritThere), m.apply('sub', merit, model));
  const known = m.apply('eq', m.times(meritThere, real(0)), real(0));
  // Near a root it converges; and where the equations are lost by underflow beside their weights nothing tests it.
  const untested = m.apply('and', whole, m.apply('or', small, m.apply('eq', merit, real(0))));
  const trusted = m.apply('and', known, m.apply('or', m.apply('lt', real(1e-4), ratio), untested));
  const length = m.apply('sqrt', m.square(z));
  const good = m.apply('and', known, m.apply('lt', real(0.75), ratio));
  const poor = m.apply('or', m.apply('not', known), m.apply('not', m.apply('le', real(0.25), ratio)));
  const shrunk = m.times(real(0.25), m.apply('min', length, radius));
  const next = m.either(
    m.apply('and', poor, m.apply('not', untested)),
    shrunk,
    m.either(good, m.apply('max', radius, m.times(real(2), length)), radius),
  );
  const lost = m.apply(
    'or',
    m.apply('le', next, real(1e-14)),
    m.apply('not', m.apply('eq', m.times(merit, real(0)), real(0))),
  );
  const [ending] = s.branch(
    lost,
    () => [intLiteral(solveEnds.stuck)],
    () => [intLiteral(solveEnds.unfinished)],
  );
  return [
    ...y.map((each, j) => m.either(trusted, to[j]!, each)),
    ...largest,
    next,
    m.either(m.apply('and', trusted, whole), relative, real(Infinity)),
    ending!,
  ];
}
