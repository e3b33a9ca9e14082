/**
 * erf and erfc, in the form of the reference's: the Maclaurin series near zero, elsewhere
 * erfc(x) = exp(-x²)·g(t)/(1 + 2x), g a Chebyshev series in t = (x - 15/4)/(x + 15/4) (Shepherd and Laframboise 1981).
 */
import { f32Literal, horner } from './literal.ts';

/** As many coefficients of the reference's as f32 can tell. */
const chebyshev = [
  1.1775789345674017541, -0.0045900545806464773309, -0.084249133366517915584, 0.059209939998191890498,
  -0.026658668435305752277, 0.0090749976707052650939, -0.0024131635404176081909, 0.00049077583652580863229,
  -0.000069169733025012063671, 4.1390279860730101675e-6, 7.7403830661984906686e-7, -2.1886401049234395661e-7,
  1.0764999465910370877e-8,
];

/** (-1)ⁿ/(n!(2n + 1)), times 2/√π */
const maclaurin = Array.from({ length: 11 }, (_, n) => {
  let factorial = 1;
  for (let k = 2; k <= n; k++) factorial *= k;
  return ((n % 2 === 0 ? 1 : -1) * 1.1283791670955126) / (factorial * (2 * n + 1));
});

/** Clenshaw's recurrence, written out. */
const clenshaw = chebyshev
  .slice(1)
  .reverse()
  .map((c) => `  before = sum; sum = 2.0 * t * sum - next + ${f32Literal(c)}; next = before;`)
  .join('\n');

export const errorFunctions = {
  erf_near_zero: `fn erf_near_zero(x: f32) -> f32 {
  let z = x * x;
  return ${horner(maclaurin.slice(1), 'z')} * z * x + ${f32Literal(maclaurin[0] ?? 0)} * x;
}`,
  // x > 0. x² is split so that its rounding, which exp would magnify, does not matter.
  positive_erfc: `fn positive_erfc(x: f32) -> f32 {
  if (x > 10.1) { return 0.0; }
  let t = (x - 3.75) / (x + 3.75);
  var next = 0.0;
  var before = 0.0;
  var sum = 0.0;
${clenshaw}
  let series = t * sum - next + ${f32Literal(chebyshev[0] ?? 0)};
  let high = upper_half(x);
  return exp_f32(-high * high) * exp_f32((high - x) * (high + x)) * series / (1.0 + 2.0 * x);
}`,
  erf_f32: `fn erf_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (abs(x) < 1.0) { return erf_near_zero(x); }
  return with_sign_of(1.0 - positive_erfc(abs(x)), x);
}`,
  erfc_f32: `fn erfc_f32(x: f32) -> f32 {
  if (is_nan(x)) { return x; }
  if (x < -1.0) { return 2.0 - positive_erfc(-x); }
  if (x < 0.5) { return 1.0 - erf_near_zero(x); }
  return positive_erfc(x);
}`,
} as const;
