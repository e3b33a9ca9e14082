/**
 * erf(x) = 2/√π ∫₀ˣ exp(-t²) dt and erfc(x) = 1 - erf(x).
 *
 * Near zero the Maclaurin series; elsewhere erfc(x) = exp(-x²)·g(t)/(1 + 2x) with g a Chebyshev series in
 * t = (x - 15/4)/(x + 15/4), the form of Shepherd and Laframboise (Math. Comp. 36, 1981).
 */

/** Chebyshev coefficients of (1 + 2x)·exp(x²)·erfc(x) for 0 ≤ x < ∞, computed with 60 digits. */
const chebyshev = [
  1.1775789345674017541, -0.0045900545806464773309, -0.084249133366517915584, 0.059209939998191890498,
  -0.026658668435305752277, 0.0090749976707052650939, -0.0024131635404176081909, 0.00049077583652580863229,
  -0.000069169733025012063671, 4.1390279860730101675e-6, 7.7403830661984906686e-7, -2.1886401049234395661e-7,
  1.0764999465670910377e-8, 4.5219598112182868979e-9, -7.7544002088313511065e-10, -6.3180883408866844944e-11,
  2.8687950109306698981e-11, 1.945586854577734723e-13, -9.6546967484334389059e-13, 3.2525481481487398415e-14,
  3.3478119482868053878e-14, -1.8645628804193131015e-15, -1.2507950530688647085e-15, 7.418235256624043463e-17,
  5.0681489047961113168e-17,
];

/** 2/√π = 2/√π rounded + its remainder. */
const twoOverRootPi = 1.1283791670955126;
const twoOverRootPiLow = 1.5335459613165881e-17;

/** (-1)ⁿ/(n!(2n + 1)), for erf(x) = 2/√π Σ coefficientₙ x²ⁿ⁺¹. */
const maclaurin = Array.from({ length: 20 }, (_, n) => {
  let factorial = 1;
  for (let k = 2; k <= n; k++) factorial *= k;
  return (n % 2 === 0 ? 1 : -1) / (factorial * (2 * n + 1));
});

export function erf(x: number): number {
  if (Math.abs(x) < 1) return erfNearZero(x);
  return x > 0 ? 1 - erfcPositive(x) : erfcPositive(-x) - 1;
}

export function erfc(x: number): number {
  if (x < 0.5) return x < -1 ? 2 - erfcPositive(-x) : 1 - erfNearZero(x);
  return erfcPositive(x);
}

function erfNearZero(x: number): number {
  const square = x * x;
  let tail = 0;
  for (let n = maclaurin.length - 1; n > 0; n--) tail = (tail + maclaurin[n]!) * square;
  return x * twoOverRootPi + x * (twoOverRootPiLow + twoOverRootPi * tail);
}

function erfcPositive(x: number): number {
  if (x > 27.3) return 0;
  const t = (x - 3.75) / (x + 3.75);
  let next = 0;
  let sum = 0;
  for (let k = chebyshev.length - 1; k > 0; k--) [sum, next] = [2 * t * sum - next + chebyshev[k]!, sum];
  const series = t * sum - next + chebyshev[0]!;
  // x² is rounded; exp would magnify its error 700 times, so x = high + low with high² exact.
  const high = Math.fround(x);
  return (Math.exp(-high * high) * Math.exp((high - x) * (high + x)) * series) / (1 + 2 * x);
}
