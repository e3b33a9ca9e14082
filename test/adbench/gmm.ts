/**
 * ADBench's Gaussian mixture (Šrajer, Kukelova & Fitzgibbon 2018, DOI 10.1080/10556788.2018.1435651;
 * https://github.com/microsoft/ADBench, MIT): a reader of its files, and objective and gradient in plain TypeScript.
 *
 *   L = −½·n·d·log 2π + Σ_i log Σ_k exp(α_k + Σ_j q_kj − ½‖Q_k(x_i − μ_k)‖²) − n·log Σ_k exp α_k
 *       + Σ_k (½γ²‖Q_k‖² − m·Σ_j q_kj) − K·C
 *   C = ν·d·(log γ − ½ log 2) − log Γ_d(ν/2),   ν = d + m + 1          (Wishart prior on the Q_k)
 *
 * Q_k is lower triangular; its diagonal is exp(q_k1), … , exp(q_kd). What is below it follows in `icf`, by columns.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Mixture {
  readonly d: number;
  readonly K: number;
  readonly n: number;
  readonly gamma: number;
  readonly m: number;
  /** K */
  readonly alphas: readonly number[];
  /** K × d */
  readonly means: readonly number[];
  /** K × d(d + 1)/2: for each component q, then the entries below the diagonal. */
  readonly icf: readonly number[];
  /** n × d */
  readonly x: readonly number[];
}

export const mixtureFiles = ['gmm_d2_K5', 'gmm_d2_K10', 'gmm_d10_K5'] as const;

export function readMixture(name: (typeof mixtureFiles)[number]): Mixture {
  const text = readFileSync(join(import.meta.dirname, 'data', `${name}.txt`), 'utf8');
  const numbers = text.trim().split(/\s+/).map(Number);
  let at = 0;
  const take = (count: number): number[] => numbers.slice(at, (at += count));
  const [d, K, n] = take(3) as [number, number, number];
  const [alphas, means, icf, x] = [take(K), take(K * d), take((K * d * (d + 1)) / 2), take(n * d)];
  const [gamma, m] = take(2) as [number, number];
  if (at !== numbers.length) throw new Error(`${name} has ${numbers.length} numbers, and ${at} were wanted`);
  return { d, K, n, gamma, m, alphas, means, icf, x };
}

/** Where the entry of Q below its diagonal, in this row and column, lies in a component's icf. */
export function belowDiagonal(d: number, row: number, column: number): number {
  return d + column * d - (column * (column + 1)) / 2 + (row - column - 1);
}

export interface Point {
  readonly alphas: readonly number[];
  readonly means: readonly number[];
  readonly icf: readonly number[];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The shares exp(v_k)/Σ exp(v), and log Σ exp(v). */
function softmax(values: readonly number[]): { readonly shares: number[]; readonly logSum: number } {
  const most = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - most));
  const total = sum(powers);
  return { shares: powers.map((power) => power / total), logSum: most + Math.log(total) };
}

/** log Γ(x) of a positive multiple of ½, by Γ(x + 1) = x·Γ(x). */
function logGammaOfHalves(x: number): number {
  if (x === 0.5) return Math.log(Math.PI) / 2;
  return x === 1 ? 0 : Math.log(x - 1) + logGammaOfHalves(x - 1);
}

/**
 * L and its gradient by alphas, means and icf, derived by hand: with r_ik the share of component k in row i,
 * c = x_i − μ_k and z = Q_k·c,
 *
 *   ∂α_k = Σ_i r − n·softmax(α)_k       ∂μ_k = Σ_i r·Qᵀz
 *   ∂q_kj = Σ_i r·(1 − z_j·c_j·e^q_kj) + γ²·e^(2q_kj) − m       ∂Q_jl = −Σ_i r·z_j·c_l + γ²·Q_jl   (l < j)
 */
export function valueAndGradient({ d, K, n, gamma, m, x }: Mixture, point: Point): { value: number; gradient: Point } {
  const size = (d * (d + 1)) / 2;
  const entry = (k: number, row: number, column: number): number =>
    row === column ? Math.exp(point.icf[k * size + row]!) : point.icf[k * size + belowDiagonal(d, row, column)]!;
  const Q = Array.from({ length: K }, (_, k) =>
    Array.from({ length: d }, (__, row) => Array.from({ length: row + 1 }, (___, column) => entry(k, row, column))),
  );
  const logDeterminants = Q.map((_, k) => sum(point.icf.slice(k * size, k * size + d)));
  const alphas = point.alphas.map(() => 0);
  const means = point.means.map(() => 0);
  const icf = point.icf.map(() => 0);
  const add = (into: number[], at: number, value: number): void => void (into[at] = into[at]! + value);

  let value = -0.5 * n * d * Math.log(2 * Math.PI);
  for (let i = 0; i < n; i++) {
    const c = Q.map((_, k) => Array.from({ length: d }, (__, j) => x[i * d + j]! - point.means[k * d + j]!));
    const z = Q.map((rows, k) => rows.map((row) => sum(row.map((q, l) => q * c[k]![l]!))));
    const terms = z.map((zk, k) => point.alphas[k]! + logDeterminants[k]! - 0.5 * sum(zk.map((zj) => zj * zj)));
    const { shares, logSum } = softmax(terms);
    value += logSum;
    shares.forEach((share, k) => {
      add(alphas, k, share);
      for (let j = 0; j < d; j++) {
        const zj = z[k]![j]!;
        add(icf, k * size + j, share);
        for (let l = 0; l <= j; l++) {
          const [q, cl] = [Q[k]![j]![l]!, c[k]![l]!];
          add(means, k * d + l, share * q * zj);
          if (l === j) add(icf, k * size + j, -share * zj * cl * q);
          else add(icf, k * size + belowDiagonal(d, j, l), -share * zj * cl);
        }
      }
    });
  }

  const { shares, logSum } = softmax(point.alphas);
  value -= n * logSum;
  shares.forEach((share, k) => add(alphas, k, -n * share));

  const nu = d + m + 1;
  const logGamma =
    0.25 * d * (d - 1) * Math.log(Math.PI) +
    sum(Array.from({ length: d }, (_, j) => logGammaOfHalves(0.5 * nu - 0.5 * j)));
  value -= K * (nu * d * (Math.log(gamma) - 0.5 * Math.log(2)) - logGamma);
  Q.forEach((rows, k) => {
    value -= m * logDeterminants[k]!;
    rows.forEach((row, j) =>
      row.forEach((q, l) => {
        value += 0.5 * gamma ** 2 * q * q;
        if (l === j) add(icf, k * size + j, gamma ** 2 * q * q - m);
        else add(icf, k * size + belowDiagonal(d, j, l), gamma ** 2 * q);
      }),
    );
  });
  return { value, gradient: { alphas, means, icf } };
}
