/**
 * lgamma(x) = log |Γ(x)|.
 *
 * Around 2 by its Taylor series (so the zeros at 1 and 2 keep their relative accuracy), from 10 on by Stirling's, between
 * them by Γ(x + 1) = x·Γ(x), below zero by Γ(x)Γ(-x) = -π/(x·sin πx). Near the zeros below -2 the error is absolute.
 */

/** ζ(k) - 1 for k = 2, 3, … */
const zetaMinusOne = [
  0.64493406684822643647, 0.2020569031595942854, 0.082323233711138191516, 0.036927755143369926331,
  0.017343061984449139715, 0.0083492773819228268398, 0.0040773561979443393787, 0.0020083928260822144179,
  0.00099457512781808533715, 0.0004941886041194645587, 0.00024608655330804829864, 0.00012271334757848914675,
  0.000061248135058704829259, 0.000030588236307020493552, 0.000015282259408651871733, 7.6371976378997622736e-6,
  3.8172932649998398565e-6, 1.9082127165539389257e-6, 9.5396203387279611315e-7, 4.7693298678780646312e-7,
  2.3845050272773299e-7, 1.1921992596531107307e-7, 5.9608189051259479612e-8, 2.9803503514652280186e-8,
  1.4901554828365041235e-8, 7.450711789835429492e-9,
];
const oneMinusEuler = 0.4227843350984671393934879;

/** B₂ₖ/(2k(2k - 1)) */
const stirling = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];
const halfLogTwoPi = 0.918938533204672741780329736;

export function lgamma(x: number): number {
  if (Number.isNaN(x)) return NaN;
  if (x > 0) return positive(x);
  const past = Math.abs(x - Math.round(x));
  if (x === -Infinity || past === 0) return Infinity;
  if (x > -1e-17) return -Math.log(-x);
  return Math.log(Math.PI / (-x * Math.sin(Math.PI * past))) - positive(-x);
}

function positive(x: number): number {
  if (x < 0.5) return aroundTwo(x) - Math.log1p(x) - Math.log(x);
  if (x < 1.5) return aroundTwo(x - 1) - Math.log1p(x - 1);
  if (x >= 10) return large(x);
  let y = x;
  let product = 1;
  while (y > 2.5) product *= --y;
  return aroundTwo(y - 2) + Math.log(product);
}

/** lgamma(2 + s) = (1 - γ)s + Σ_{k≥2} (ζ(k) - 1)(-s)ᵏ/k for |s| ≤ 1/2. */
function aroundTwo(s: number): number {
  let series = 0;
  for (let k = zetaMinusOne.length + 1; k >= 2; k--) series = (series + zetaMinusOne[k - 2]! / k) * -s;
  return s * (oneMinusEuler - series);
}

/** (x - 1/2)·log x - x + log(2π)/2 + Σ coefficientₖ/x²ᵏ⁻¹ */
function large(x: number): number {
  if (x > 1e17) return x * (Math.log(x) - 1);
  const square = 1 / (x * x);
  let series = 0;
  for (let k = stirling.length - 1; k >= 0; k--) series = series * square + stirling[k]!;
  return (x - 0.5) * (Math.log(x) - 1) + (halfLogTwoPi - 0.5 + series / x);
}
