/**
 * digamma(x) = Γ'(x)/Γ(x).
 *
 * Measured from its positive zero x₀, because every term then has the sign of d = x - x₀ and nothing cancels:
 *
 *     digamma(x) = Σ_{n<N} d/((n + x₀)(n + x)) + [digamma(x + N) - digamma(x₀ + N)]
 *
 * and the bracket by the difference of two asymptotic series, each of whose terms has the factor d as well. Below zero by
 * digamma(x) = digamma(1 - x) - π·cot πx, where the error is a few units in the last place of the larger term.
 */

/** x₀ = zero + zeroLow. */
const zero = 1.4616321449683622;
const zeroLow = 9.549995429965697e-17;
const shift = 12;

/** B₂ₖ/2k: digamma(x) ~ log x - 1/(2x) - Σ coefficientₖ/x²ᵏ. */
const asymptotic = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12];

export function digamma(x: number): number {
  // The side from which the pole at zero is approached decides; at the other poles nothing does.
  if (x === 0) return -1 / x;
  if (Number.isNaN(x) || x === -Infinity) return NaN;
  if (x > 0) return x < 10 ? fromZero(x) : large(x);
  const past = x - Math.round(x);
  return past === 0 ? NaN : digamma(1 - x) - Math.PI * cotangentOfPiTimes(past);
}

/** cot(πp) for |p| ≤ 1/2, exact at 1/2 where tan of the rounded π/2 is not. */
function cotangentOfPiTimes(p: number): number {
  if (Math.abs(p) < 0.25) return 1 / Math.tan(Math.PI * p);
  return Math.sign(p) * Math.tan(Math.PI * (0.5 - Math.abs(p)));
}

function large(x: number): number {
  const square = 1 / (x * x);
  let series = 0;
  for (let k = asymptotic.length - 1; k >= 0; k--) series = (series + asymptotic[k]!) * square;
  return Math.log(x) - 0.5 / x - series;
}

function fromZero(x: number): number {
  const d = x - zero - zeroLow;
  let sum = 0;
  for (let n = shift - 1; n >= 0; n--) sum += 1 / ((n + zero) * (n + x));
  const a = zero + shift;
  const b = x + shift;
  // u^k - v^k = (u - v)(u^(k-1) + … + v^(k-1)) with u = 1/b², v = 1/a²; u - v = -d(a + b)/(ab)².
  const u = 1 / (b * b);
  const v = 1 / (a * a);
  let powers = 0;
  let power = 1;
  let series = 0;
  for (const coefficient of asymptotic) {
    powers = powers * u + power;
    power *= v;
    series += coefficient * powers;
  }
  const slope = sum + 0.5 / (a * b) + (a + b) * u * v * series;
  return d * slope + Math.log1p(d / a);
}
