/**
 * Priors of all elements of a parameter together.
 *
 *   multivariate-normal   ½‖L⁻¹z‖² + log det L + (K/2)·log 2π + Σ log sd,   z = (x − mean)/sd, L·Lᵀ = R
 *   lkj                   −(shape − 1)·log det R − log c
 *
 * with R the correlation, or the covariance where sd is 1; of a matrix with K columns each row is drawn by itself. The density of
 * a correlation matrix is by its entries above the diagonal (Lewandowski, Kurowicka & Joe 2009, DOI 10.1016/j.jmva.2009.04.008):
 *
 *   log c = (K − 1)·lgamma(shape + (K − 1)/2) − Σ_(k = 1 … K − 1) (½k·log π + lgamma(shape + (K − 1 − k)/2))
 */
import * as v from 'valibot';
import {
  realLiteral,
  scalarFunction,
  type ProgramBuilder,
  type ScalarOperand,
  type Value,
} from '../../engine/index.ts';
import { jointPriorNames, jointPriors } from '../facts/families.ts';
import { nestedOrRef, oneOf, strict } from '../notation/fields.ts';
import { isDocumentNumber } from '../notation/numbers.ts';
import { expression, type Expression } from './expression.ts';
import { within } from './observation.ts';
import { sumAll } from './sums.ts';

const argument = v.exactOptional(nestedOrRef);

export const jointPriorSchema = strict({
  family: oneOf(jointPriorNames),
  mean: argument,
  sd: argument,
  correlation: argument,
  covariance: argument,
  shape: argument,
});

export type JointPrior = v.InferOutput<typeof jointPriorSchema>;
export type JointArgument = Exclude<keyof JointPrior, 'family'>;

/** More columns than this would be written out too long: the factor is written entry by entry. */
export const mostColumns = 20;

const real = realLiteral;

/** The arguments that are given, in the order in which families list them; a sentence where they do not fit the family. */
export function jointArguments(prior: JointPrior): readonly JointArgument[] | string {
  const { family } = prior;
  const given = (Object.keys(prior) as (keyof JointPrior)[]).filter((key) => key !== 'family');
  const ways: readonly (readonly JointArgument[])[] = jointPriors[family].arguments;
  const way = ways.find((keys) => keys.length === given.length && keys.every((key) => given.includes(key)));
  if (way) return way;
  const list = (keys: readonly string[]): string => keys.map((key) => `"${key}"`).join(' and ');
  return `a ${family} prior takes ${ways.map(list).join(', or ')}, got ${given.length > 0 ? list(given) : 'nothing'}`;
}

/** Whether an argument of a document is a reference. */
export const isReference = (value: unknown): value is string => typeof value === 'string' && !isDocumentNumber(value);

/** Whether a matrix can be a covariance: symmetric, and positive definite. */
export function isDefinite(values: ArrayLike<number>, size: number): boolean {
  const at = (i: number, j: number): number => values[i * size + j]!;
  const factor: number[][] = [];
  for (let i = 0; i < size; i++) {
    const row: number[] = [];
    for (let j = 0; j < i; j++) {
      if (Math.abs(at(i, j) - at(j, i)) > 1e-8 * Math.sqrt(at(i, i) * at(j, j))) return false;
      const other = factor[j]!;
      row.push((at(i, j) - row.reduce((sum, x, k) => sum + x * other[k]!, 0)) / other[j]!);
    }
    const left = at(i, i) - row.reduce((sum, x) => sum + x * x, 0);
    if (!(left > 0)) return false;
    factor.push([...row, Math.sqrt(left)]);
  }
  return true;
}

const triangle = (size: number): [number, number][] =>
  Array.from({ length: size }, (_, i) => Array.from({ length: i + 1 }, (__, j): [number, number] => [i, j])).flat();
const place = (i: number, j: number): number => (i * (i + 1)) / 2 + j;

/** The entries of L of a matrix [K, K], row by row up to the diagonal; NaN where it is not positive definite. */
function factorEntries(b: ProgramBuilder, matrix: Value, size: number): Value[] {
  const entry = (i: number, j: number): Value => b.reshape(b.slice(b.slice(matrix, 0, i, 1), 1, j, 1), []);
  const places = triangle(size);
  const cholesky = scalarFunction(
    places.map(() => 'real' as const),
    (builder, ...given) => {
      const s = expression(builder);
      const found: ScalarOperand[] = [];
      for (const [i, j] of places) {
        let left: ScalarOperand = given[place(i, j)] as ScalarOperand;
        for (let k = 0; k < j; k++) left = s.subtract(left, s.multiply(found[place(i, k)]!, found[place(j, k)]!));
        found.push(i === j ? s.apply('sqrt', left) : s.divide(left, found[place(j, j)]!));
      }
      return found;
    },
  );
  return b.map(
    cholesky,
    places.map(([i, j]) => entry(i, j)),
  );
}

/** Σ log L_ii */
const logDeterminant = (s: Expression, factor: readonly ScalarOperand[], size: number): ScalarOperand =>
  s.add(...Array.from({ length: size }, (_, i) => s.apply('log', factor[place(i, i)]!)));

/** −log p(x), a scalar. `x` is [K], [n, K], or of lkj [K, K]; arguments broadcast to it from their last axis on. */
export function minusLogJoint(
  b: ProgramBuilder,
  { family }: JointPrior,
  x: Value,
  size: number,
  args: Readonly<Partial<Record<JointArgument, Value>>>,
): Value {
  return family === 'lkj'
    ? minusLogCorrelation(b, x, size, args.shape!)
    : minusLogNormal(b, x, size, args.mean!, args.covariance ?? args.correlation!, args.sd);
}

function minusLogCorrelation(b: ProgramBuilder, matrix: Value, size: number, shape: Value): Value {
  return b.elementwise([shape, ...factorEntries(b, matrix, size)], (builder, eta, ...factor) => {
    const s = expression(builder);
    const half = (k: number): ScalarOperand => s.apply('lgamma', s.add(eta, real(k / 2)));
    const terms = Array.from({ length: size - 1 }, (_, k) =>
      s.add(real(0.5 * (k + 1) * Math.log(Math.PI)), half(size - 2 - k)),
    );
    const constant = s.subtract(s.multiply(real(size - 1), half(size - 1)), s.add(...terms));
    const power = s.multiply(real(2), s.subtract(eta, real(1)), logDeterminant(s, factor, size));
    return within(s, [['positive', eta]], () => s.apply('neg', s.add(constant, power)));
  });
}

function minusLogNormal(
  b: ProgramBuilder,
  x: Value,
  size: number,
  mean: Value,
  matrix: Value,
  sd: Value | undefined,
): Value {
  /** Of the last axis, element k of each row. */
  const column = (value: Value, k: number): Value => {
    const { shape } = value.type;
    if (shape.length === 0) return value;
    const axis = shape.length - 1;
    return b.reshape(b.slice(value, axis, shape[axis] === 1 ? 0 : k, 1), shape.slice(0, axis));
  };
  const columns = (value: Value): Value[] => Array.from({ length: size }, (_, k) => column(value, k));
  const scales = sd ? columns(sd) : [];
  const terms = b.elementwise(
    [...columns(x), ...columns(mean), ...scales, ...factorEntries(b, matrix, size)],
    (builder, ...given) => {
      const s = expression(builder);
      const [point, centre] = [given.slice(0, size), given.slice(size, 2 * size)];
      const [spread, factor] = [given.slice(2 * size, 2 * size + scales.length), given.slice(2 * size + scales.length)];
      const z: ScalarOperand[] = [];
      for (let i = 0; i < size; i++) {
        const beyond = s.subtract(point[i] as ScalarOperand, centre[i] as ScalarOperand);
        const scale = spread[i];
        let left = scale ? s.divide(beyond, scale) : beyond;
        for (let k = 0; k < i; k++) left = s.subtract(left, s.multiply(factor[place(i, k)] as ScalarOperand, z[k]!));
        z.push(s.divide(left, factor[place(i, i)] as ScalarOperand));
      }
      const constant = real(0.5 * size * Math.log(2 * Math.PI));
      const squares = s.multiply(real(0.5), s.add(...z.map((each) => s.multiply(each, each))));
      const limits = spread.map((each) => ['positive', each] as const);
      return within(s, limits, () =>
        s.add(squares, constant, logDeterminant(s, factor, size), ...spread.map((each) => s.apply('log', each))),
      );
    },
  );
  return sumAll(b, terms);
}
