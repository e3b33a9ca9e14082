/**
 * Whether a point is a minimum: the one test by which any method's end is `converged`.
 *
 * The undamped step from here, of Gauss and Newton for squares and of Newton otherwise, within the bounds, would change
 * −log L by the *decrement* ½·gᵀH⁺g. √(2·decrement) is how far it moves, in standard errors, whatever combination of
 * parameters it moves farthest; so a decrement of ½·10⁻⁶ leaves every one of them within a thousandth of its standard error.
 * Nothing here depends on the units of the parameters or of the data, or on where a method began.
 */
import { cholesky, choleskySolve } from '../algebra/cholesky.ts';
import { believable, clamp, type Bounds, type Coordinate } from '../coordinates.ts';
import { symmetricEigen } from '../algebra/eigen.ts';
import type { Linearisation, Quadratic } from '../expansion.ts';
import { backSubstitute, factorise, numericalRank } from '../algebra/qr.ts';
import { dot, norm, numbers } from '../algebra/vectors.ts';

/** A function's value and gradient by u. */
export interface Slope {
  readonly value: number;
  readonly gradient: Float64Array;
}

/** f and its gradient at u, and H·d. */
export interface Curved extends Slope {
  readonly product: Float64Array;
}

/** Where, and d. */
export interface CurvatureQuestion {
  readonly point: Float64Array;
  readonly direction: Float64Array;
}

/** What is known of the energy around a point: residuals with their Jacobian, or value, gradient and Hessian. */
export type Expansion = Linearisation | Quadratic;

/** Energies and slopes nearer to 0 than this have lost their digits, or will. */
export const EDGE_OF_NUMBERS = 1e-290;
export const isLost = (x: number): boolean => Math.abs(x) < EDGE_OF_NUMBERS;

/**
 * Whether the energy has run out to 0 together with its slope and its curvature, as −log L does where a curve tells rows of 0 from
 * rows of 1: it says nothing any more of where it falls. Of what is least at 0 the curvature is something.
 */
export function hasFaded({ value, gradient, hessian }: Quadratic): boolean {
  return isLost(value) && gradient.every(isLost) && hessian.every((row) => row.every(isLost));
}

/** Of its own size: a change of a coordinate that nobody can tell from its rounding. */
const LAST_DIGIT = 4 * 2 ** -52;

/** Coordinates whose last digits −log L tells apart as if they were standard errors: what they predict meets the data to the last digit. */
export function knownToTheLastDigit({ hessian }: Quadratic, point: Float64Array): number[] {
  return hessian.flatMap((row, j) => (row[j]! * (LAST_DIGIT * point[j]!) ** 2 >= 1 ? [j] : []));
}

/** What the energy is measured in. */
export interface EnergyUnits {
  /** Whether squares are in units of a known sigma, so that half of them is −log L. */
  readonly sigmaKnown?: boolean | undefined;
  /** Rows that count, where the residuals are not all of them. */
  readonly observations?: number | undefined;
  /** Whether residuals are bent by a robust loss, so that their curvature changes within a standard error. */
  readonly robust?: boolean | undefined;
  /** Relative rounding of the device's numbers. */
  readonly rounding: number;
  /** A gradient, in standard errors, below which further digits are not worth what they cost; 0 unless said. */
  readonly enough?: number | undefined;
}

/** What is left to do at a point. */
export interface Remaining {
  /** The undamped step, within the bounds. */
  readonly step: Float64Array;
  /** By how much it would lower −log L; NaN where the step is not known. */
  readonly decrement: number;
  /** Whether that is nothing, by the test above or to rounding. */
  readonly arrived: boolean;
  /** Coordinates that have no influence here, of those that are not held at a bound. */
  readonly idle: readonly number[];
  /** Whether other combinations of coordinates have none either, to first order. */
  readonly singular: boolean;
  /** Where the energy curves downwards: the way off a saddle. */
  readonly downhill?: Float64Array;
  /** Where it does not curve at all, to the digits of the Hessian: third derivatives decide. */
  readonly flat?: readonly Float64Array[];
}

/** −log L that may be left: a thousandth of a standard error. */
export const LEAST_DECREMENT = 0.5e-6;
/** Of the point, in units of rounding: a step as short as this is none. */
const SHORTEST = 1000;
/** −log L that a step lost in that rounding may lower; of residuals that are lost there themselves, in units of it. */
const SLIGHT = 1e-3;
const LOST_RESIDUALS = 100;
/** Of the energy: changes that are lost in its rounding, in units of that. */
const LOST = 4;
/** The sines of angles below which columns of a Jacobian are one. */
const DEPENDENT = 1e-12;
/** Eigenvalues of a Hessian with a unit diagonal that are 0 to the digits of its entries. */
const NEGLIGIBLE = 1e-10;

export function isSquares(expansion: Expansion): expansion is Linearisation {
  return 'residuals' in expansion;
}

export function isFiniteSlope({ value, gradient }: Slope): boolean {
  return Number.isFinite(value) && gradient.every(Number.isFinite);
}

/** The start is no start: what is wrong there, and what to do. */
export const nothingAtStart = (what: string): string =>
  `at the starting values ${what}: begin elsewhere, or from many starts`;

export const noStart = ({ value }: Pick<Slope, 'value'>): string =>
  nothingAtStart(
    Number.isFinite(value) ? 'the derivatives of the objective are not finite' : `the objective is ${value}`,
  );

/** Whether u_j is at a bound towards which -gradient points. */
export function isHeld(point: Float64Array, gradient: Float64Array, all: readonly Bounds[], j: number): boolean {
  const { lower, upper } = all[j]!;
  const [u, slope] = [point[j]!, gradient[j]!];
  return (u <= lower && slope > 0) || (u >= upper && slope < 0);
}

/** u + t·d, moved inside the bounds. */
export function moved(point: Float64Array, step: Float64Array, all: readonly Bounds[], t = 1): Float64Array {
  return numbers(point.length, (j) => clamp(point[j]! + t * step[j]!, all[j]!));
}

/**
 * max over the coordinates that are not held of |g_j|·max(|u_j|, 1) / |f|: the relative change of f for a change of u_j
 * of its own size. No test of a minimum, but where a method that has no curvature may stop looking.
 */
export function slopeLeft({ value, gradient }: Slope, point: Float64Array, all: readonly Bounds[]): number {
  let most = 0;
  for (let j = 0; j < point.length; j++)
    if (!isHeld(point, gradient, all, j))
      most = Math.max(most, Math.abs(gradient[j]!) * Math.max(Math.abs(point[j]!), 1));
  return most === 0 ? 0 : most / Math.abs(value);
}

/** Σr², or the energy. */
export function energyAt(expansion: Expansion): number {
  return isSquares(expansion) ? dot(expansion.residuals, expansion.residuals) : expansion.value;
}

/** The energy and its gradient. */
export function slopeAt(expansion: Expansion): Slope {
  if (!isSquares(expansion)) return expansion;
  const { residuals, jacobian } = expansion;
  return { value: energyAt(expansion), gradient: Float64Array.from(jacobian, (column) => 2 * dot(column, residuals)) };
}

export function isFiniteExpansion(expansion: Expansion): boolean {
  if (!Number.isFinite(energyAt(expansion))) return false;
  if (isSquares(expansion)) return expansion.jacobian.every((column) => Number.isFinite(norm(column)));
  return expansion.gradient.every(Number.isFinite) && expansion.hessian.every((row) => row.every(Number.isFinite));
}

/** Residuals that are nothing but this many times the rounding of the parameters. */
const ROUNDED = 1000;

/** Σr² of residuals that are nothing but what the rounding of the parameters makes of the rows. */
export function energyOfRounding({ jacobian }: Linearisation, point: Float64Array, { rounding }: EnergyUnits): number {
  return (ROUNDED * rounding) ** 2 * jacobian.reduce((sum, column, j) => sum + (point[j]! * norm(column)) ** 2, 0);
}

export function remaining(
  expansion: Expansion,
  point: Float64Array,
  all: readonly Coordinate[],
  units: EnergyUnits,
): Remaining {
  return isSquares(expansion)
    ? remainingOfSquares(expansion, point, all, units)
    : remainingOfQuadratic(expansion, point, all, units);
}

/** −log L for a change of Σr², and the size of it that the test goes by. */
export function squaresUnit(cost: number, rows: number, p: number, units: EnergyUnits): readonly [number, number] {
  const estimated = cost / Math.max(1, (units.observations ?? rows) - p);
  return units.sigmaKnown === true ? [1, Math.min(1, estimated)] : [estimated, estimated];
}

function remainingOfSquares(
  { residuals, jacobian }: Linearisation,
  point: Float64Array,
  all: readonly Bounds[],
  units: EnergyUnits,
): Remaining {
  const p = point.length;
  const cost = dot(residuals, residuals);
  const norms = numbers(p, (j) => norm(jacobian[j]!));
  const slopes = numbers(p, (j) => dot(jacobian[j]!, residuals));
  const { open, idle } = released(point, slopes, all, (j) => norms[j] === 0);
  let singular = false;
  let seen = open.length;
  const step = activeSet(
    point,
    all,
    open,
    (free, fixed) => {
      const left = residuals.slice();
      for (const [j, length] of fixed) add(left, length, jacobian[j]!);
      const columns = free.map((j) => jacobian[j]!.map((value) => value / norms[j]!));
      const factors = factorise(columns, left);
      const rank = numericalRank(factors, DEPENDENT);
      if (rank < free.length) singular = true;
      seen = rank;
      const solved = backSubstitute(factors, factors.qtb, rank);
      const found = new Float64Array(free.length);
      factors.permutation.forEach((k, i) => (found[k] = -solved[i]! / norms[free[k]!]!));
      return found;
    },
    (step) => {
      const left = residuals.slice();
      for (let j = 0; j < p; j++) add(left, step[j]!, jacobian[j]!);
      return numbers(p, (j) => dot(jacobian[j]!, left));
    },
  );
  // ‖r‖² - ‖r + J·s‖², formed without cancellation, and how far the rounding of u alone moves r.
  const change = new Float64Array(residuals.length);
  const noise = new Float64Array(residuals.length);
  for (let j = 0; j < p; j++) {
    const column = jacobian[j]!;
    add(change, step[j]!, column);
    const u = Math.abs(point[j]!);
    for (let i = 0; i < noise.length; i++) noise[i] = noise[i]! + u * Math.abs(column[i]!);
  }
  let lowered = 0;
  for (let i = 0; i < change.length; i++) lowered -= change[i]! * (2 * residuals[i]! + change[i]!);
  const [unit, strict] = squaresUnit(cost, residuals.length, seen, units);
  const decrement = Math.max(0, lowered) / (2 * unit);
  // What is lost in rounding is an end; a step that is lost there and would still lower -log L is none, unless all residuals are.
  const lost = units.rounding * norm(noise);
  const settled = norm(change) <= SHORTEST * lost && (decrement <= SLIGHT || Math.sqrt(cost) <= LOST_RESIDUALS * lost);
  const arrived = settled || lowered <= Math.max(2 * LEAST_DECREMENT * strict, LOST * units.rounding * cost);
  return { step, decrement: settled ? 0 : decrement, arrived, idle, singular };
}

function remainingOfQuadratic(
  { value, gradient, hessian }: Quadratic,
  point: Float64Array,
  all: readonly Coordinate[],
  { rounding }: EnergyUnits,
): Remaining {
  const entry = (i: number, j: number): number => (hessian[i]![j]! + hessian[j]![i]!) / 2;
  const { open, idle } = released(
    point,
    gradient,
    all,
    (j) => gradient[j] === 0 && hessian[j]!.every((value) => value === 0),
  );
  let singular = false;
  let unknown = false;
  let downhill: Float64Array | undefined;
  let flat: Float64Array[] = [];
  const least = LEAST_DECREMENT * Math.min(1, Math.abs(value));
  const step = activeSet(
    point,
    all,
    open,
    (free, fixed) => {
      const sizes = free.map((j) => Math.sqrt(Math.abs(entry(j, j))) || largest(hessian[j]!) ** 0.5 || 1);
      const scaled = free.map((i, a) => Float64Array.from(free, (j, b) => entry(i, j) / (sizes[a]! * sizes[b]!)));
      const slope = Float64Array.from(free, (j, a) => {
        let total = gradient[j]!;
        for (const [k, length] of fixed) total += length * entry(j, k);
        return -total / sizes[a]!;
      });
      const inUnits = (v: Float64Array): Float64Array => v.map((x, a) => x / sizes[a]!);
      const factor = cholesky(scaled);
      if (factor && factor.every((row, a) => row[a]! ** 2 > NEGLIGIBLE)) return inUnits(choleskySolve(factor, slope));
      const { values, vectors } = symmetricEigen(scaled);
      const most = Math.max(Math.abs(values[0]!), Math.abs(values.at(-1)!));
      const found = new Float64Array(free.length);
      const whole = (vector: Float64Array, factor = 1): Float64Array => {
        const direction = new Float64Array(point.length);
        inUnits(vector).forEach((x, a) => (direction[free[a]!] = factor * x));
        return direction;
      };
      flat = [];
      let down: Float64Array | undefined;
      vectors.forEach((vector, k) => {
        const curvature = values[k]!;
        const along = dot(vector, slope);
        if (curvature > NEGLIGIBLE * most) return add(found, along / curvature, vector);
        singular = true;
        const direction = whole(vector, along < 0 ? -1 : 1);
        // What moves next to nothing has a curvature of either sign, of its own size: as far as that can be believed it promises nothing.
        const far = direction.reduce(
          (least, d, j) => (d === 0 ? least : Math.min(least, believable(all[j]!) / Math.abs(d))),
          Infinity,
        );
        const promised = far * (Math.abs(along) - (far * Math.min(0, curvature)) / 2);
        const matters = !(promised <= least);
        // Along what does not curve nothing may be left at all: there is no standard error to compare with.
        if (matters && Math.abs(along) > Math.sqrt(2 * least)) unknown = true;
        if (matters && !down && curvature < -1e4 * NEGLIGIBLE * most) down = direction;
        else flat.push(direction);
      });
      downhill = down ?? downhill;
      return inUnits(found);
    },
    (step) => numbers(point.length, (i) => gradient[i]! + step.reduce((sum, s, j) => sum + s * entry(i, j), 0)),
  );
  let lowered = 0;
  let [length, size] = [0, 0];
  for (const i of open) {
    const s = step[i]!;
    lowered -= s * gradient[i]!;
    for (const j of open) lowered -= (s * entry(i, j) * step[j]!) / 2;
    const curvature = Math.abs(entry(i, i));
    length += curvature * s * s;
    size += curvature * point[i]! ** 2;
  }
  // A step that is lost in the rounding of u lowers nothing, though where residuals are nothing else it seems to, in units of them.
  const settled = Math.sqrt(length) <= SHORTEST * rounding * Math.sqrt(size);
  const small = lowered <= Math.max(least, LOST * rounding * Math.abs(value));
  return {
    ...{ step, idle, singular },
    decrement: unknown || downhill ? NaN : settled ? 0 : Math.max(0, lowered),
    arrived: !unknown && !downhill && (settled || small),
    ...(downhill && { downhill }),
    flat,
  };
}

const largest = (row: Float64Array): number => row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Coordinates that are not held: those that matter, and those that do not. */
function released(
  point: Float64Array,
  gradient: Float64Array,
  all: readonly Bounds[],
  isIdle: (j: number) => boolean,
): { readonly open: readonly number[]; readonly idle: readonly number[] } {
  const [open, idle]: [number[], number[]] = [[], []];
  for (let j = 0; j < point.length; j++)
    if (isIdle(j)) idle.push(j);
    else if (!isHeld(point, gradient, all, j)) open.push(j);
  return { open, idle };
}

/**
 * The minimum of the model over the open coordinates within the bounds, by active sets (Nocedal & Wright, algorithm 16.3):
 * the step of those that are free goes as far as the first bound, which is then held; what is held is let go where the
 * model's slope there points inwards.
 */
function activeSet(
  point: Float64Array,
  all: readonly Bounds[],
  open: readonly number[],
  solve: (free: readonly number[], fixed: ReadonlyMap<number, number>) => Float64Array,
  slopeAt: (step: Float64Array) => Float64Array,
): Float64Array {
  const step = new Float64Array(point.length);
  const fixed = new Map<number, number>();
  const room = (j: number, towards: number): number => {
    const { lower, upper } = all[j]!;
    return (towards < 0 ? lower : upper) - point[j]!;
  };
  for (let k = 0; k < 3 * open.length + 10; k++) {
    const free = open.filter((j) => !fixed.has(j));
    const solved = solve(free, fixed);
    let [share, first]: [number, number | undefined] = [1, undefined];
    free.forEach((j, i) => {
      const towards = solved[i]! - step[j]!;
      const most = towards === 0 ? Infinity : (room(j, towards) - step[j]!) / towards;
      if (most < share) [share, first] = [Math.max(0, most), j];
    });
    free.forEach((j, i) => {
      const towards = solved[i]! - step[j]!;
      step[j] = share === 1 ? solved[i]! : step[j]! + share * towards;
      if (j === first) fixed.set(j, (step[j] = room(j, towards)));
    });
    if (first !== undefined) continue;
    const slopes = fixed.size > 0 ? slopeAt(step) : undefined;
    const inwards = [...fixed].find(([j, s]) => slopes![j]! * (s === room(j, -1) ? -1 : 1) > 0);
    if (!inwards) break;
    fixed.delete(inwards[0]);
  }
  return step;
}

/** into += factor·v. */
function add(into: Float64Array, factor: number, v: Float64Array): void {
  if (factor !== 0) for (let i = 0; i < v.length; i++) into[i] = into[i]! + factor * v[i]!;
}
