/** Every shape of the library once more, as plain JavaScript, with the parameters and places that its test data have. */
export interface ClosedForm {
  readonly x: readonly number[];
  readonly truth: Readonly<Record<string, number>>;
  f(x: number, p: Record<string, number>): number;
}

const over = (low: number, high: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1));
const decades = (low: number, high: number, count: number): number[] =>
  over(Math.log10(low), Math.log10(high), count).map((exponent) => 10 ** exponent);

const time = over(0, 10, 30);
const later = over(0.3, 10, 30);
const dose = decades(0.01, 100, 26);
const withZero = [0, ...dose];
const channel = over(0, 100, 101);
const { exp, log, sqrt, max, sin, cos, PI } = Math;
const gauss = (x: number, m: number, w: number): number => exp((-0.5 * (x - m) ** 2) / w ** 2);
const lorentz = (x: number, m: number, g: number): number => g ** 2 / ((x - m) ** 2 + g ** 2);

/** By Simpson's rule from z on: an error function that shares nothing with ours. */
function erfc(z: number): number {
  const [n, far] = [4000, max(z, 0) + 7];
  const h = (far - z) / n;
  let sum = exp(-z * z) + exp(-far * far);
  for (let i = 1; i < n; i++) sum += (i % 2 === 1 ? 4 : 2) * exp(-((z + i * h) ** 2));
  return (2 / sqrt(PI)) * ((h / 3) * sum);
}

const form = (
  x: readonly number[],
  truth: Readonly<Record<string, number>>,
  f: (x: number, p: Record<string, number>) => number,
): ClosedForm => ({ x, truth, f });
/** The larger share of a ligand L that is bound by sites R: the smaller root of b² − (R + L + K)·b + R·L. */
const bound = (r: number, l: number, k: number): number => {
  const s = r + l + k;
  return (2 * r * l) / (s + sqrt(s * s - 4 * r * l));
};

/** Substrate over time by Runge and Kutta's method, in steps that leave 1e-11 of it. */
const substrate = (x: number, { S0, Vmax, Km }: Record<string, number>): number => {
  const n = 2000;
  const [h, f] = [x / n, (s: number): number => (-Vmax! * s) / (Km! + s)];
  let s = S0!;
  for (let i = 0; i < n; i++) {
    const k1 = f(s);
    const k2 = f(s + (h / 2) * k1);
    const k3 = f(s + (h / 2) * k2);
    s += (h / 6) * (k1 + 2 * k2 + 2 * k3 + f(s + h * k3));
  }
  return s;
};

export const closedForms: Readonly<Record<string, ClosedForm>> = {
  'log-dose-stimulation': form(over(-9, -4, 26), { top: 95, bottom: 4, logEC50: -6.7, h: 1.3 }, (x, p) => {
    const ratio = (10 ** x / 10 ** p['logEC50']!) ** p['h']!;
    return (p['bottom']! + p['top']! * ratio) / (1 + ratio);
  }),
  'log-dose-inhibition': form(over(-9, -4, 26), { top: 95, bottom: 4, logIC50: -6.7, h: 1.3 }, (x, p) => {
    const ratio = (10 ** x / 10 ** p['logIC50']!) ** p['h']!;
    return (p['top']! + p['bottom']! * ratio) / (1 + ratio);
  }),
  'log-dose-stimulation-slope-1': form(over(-9, -4, 26), { top: 95, bottom: 4, logEC50: -6.7 }, (x, p) => {
    const ratio = 10 ** x / 10 ** p['logEC50']!;
    return (p['bottom']! + p['top']! * ratio) / (1 + ratio);
  }),
  'log-dose-inhibition-slope-1': form(over(-9, -4, 26), { top: 95, bottom: 4, logIC50: -6.7 }, (x, p) => {
    const ratio = 10 ** x / 10 ** p['logIC50']!;
    return (p['top']! + p['bottom']! * ratio) / (1 + ratio);
  }),
  logit: form(time, { s: 1.2, x50: 4 }, (x, { s, x50 }) => exp(s! * (x - x50!)) / (1 + exp(s! * (x - x50!)))),
  'log-logit': form(dose, { LD50: 3, s: 1.4 }, (x, { LD50, s }) => x ** s! / (x ** s! + LD50! ** s!)),
  'log-logit-survival': form(dose, { LD50: 3, s: 1.4 }, (x, { LD50, s }) => LD50! ** s! / (x ** s! + LD50! ** s!)),
  probit: form(time, { m: 4, sd: 1.5 }, (x, { m, sd }) => erfc((m! - x) / (sd! * sqrt(2))) / 2),
  'log-probit': form(
    dose,
    { LD50: 3, sd: 0.9 },
    (x, { LD50, sd }) => erfc((log(LD50!) - log(x)) / (sd! * sqrt(2))) / 2,
  ),
  'complementary-log-log': form(dose, { x63: 3, k: 1.2 }, (x, { x63, k }) => 1 - exp(-((x / x63!) ** k!))),
  'log-logit-with-background': form(
    dose,
    { c: 0.1, LD50: 3, s: 1.4 },
    (x, { c, LD50, s }) => (c! * LD50! ** s! + x ** s!) / (x ** s! + LD50! ** s!),
  ),
  line: form(time, { a: 3, b: -2 }, (x, p) => p['b']! * x + p['a']!),
  parabola: form(time, { a: 3, b: -2, c: 0.4 }, (x, { a, b, c }) => a! + x * (b! + x * c!)),
  cubic: form(time, { a: 3, b: -2, c: 0.4, d: 0.1 }, (x, { a, b, c, d }) => a! + x * (b! + x * (c! + x * d!))),
  power: form(later, { A: 3, p: 1.7 }, (x, { A, p }) => A! * exp(p! * log(x))),
  'power-offset': form(later, { c: 10, A: 3, p: 1.7 }, (x, { c, A, p }) => c! + A! * exp(p! * log(x))),
  logarithm: form(later, { a: 2, b: 3 }, (x, { a, b }) => a! + b! * log(x)),
  'square-root': form(time, { a: 2, b: 3 }, (x, { a, b }) => a! + b! * x ** 0.5),
  'broken-line': form(time, { a: 1, b: 2, c: -3, x0: 6 }, (x, { a, b, c, x0 }) =>
    x < x0! ? a! + b! * x : a! + b! * x0! + (b! + c!) * (x - x0!),
  ),
  proportional: form(time, { b: 2 }, (x, { b }) => b! * x),
  'quadratic-through-origin': form(time, { b: 2, c: -0.05 }, (x, { b, c }) => x * (b! + c! * x)),
  'log-log-line': form(later, { blank: 2, a: 1, p: 1.3 }, (x, { blank, a, p }) => blank! + exp(a! + p! * log(x))),
  'standard-addition': form(time, { b: 2, c: 3 }, (x, { b, c }) => b! * x + b! * c!),
  decay: form(time, { A: 5, k: 0.4 }, (x, { A, k }) => A! / exp(k! * x)),
  'decay-to-level': form(time, { A: 5, k: 0.7, c: 2 }, (x, { A, k, c }) => A! / exp(k! * x) + c!),
  'two-phase-decay': form(
    over(0, 20, 60),
    { A1: 6, k1: 1.8, A2: 4, k2: 0.15 },
    (x, p) => p['A1']! / exp(p['k1']! * x) + p['A2']! / exp(p['k2']! * x),
  ),
  'two-phase-decay-to-level': form(
    over(0, 20, 80),
    { A1: 6, k1: 2, A2: 4, k2: 0.25, c: 1 },
    (x, p) => p['c']! + p['A1']! / exp(p['k1']! * x) + p['A2']! / exp(p['k2']! * x),
  ),
  'three-phase-decay': form(
    [...over(0, 2, 60), ...over(2.2, 40, 80)],
    { A1: 8, k1: 5, A2: 5, k2: 0.6, A3: 3, k3: 0.04 },
    (x, p) => p['A1']! / exp(p['k1']! * x) + p['A2']! / exp(p['k2']! * x) + p['A3']! / exp(p['k3']! * x),
  ),
  'delayed-decay': form(over(0, 10, 40), { A: 5, k: 0.9, x0: 3.1, c: 1 }, (x, { A, k, x0, c }) =>
    x < x0! ? c! + A! : c! + A! / exp(k! * (x - x0!)),
  ),
  rise: form(time, { A: 5, k: 0.4 }, (x, { A, k }) => A! - A! / exp(k! * x)),
  'rise-with-offset': form(time, { c: 2, A: 5, k: 0.4 }, (x, { c, A, k }) => c! + A! - A! / exp(k! * x)),
  'two-phase-association': form(
    over(0, 20, 60),
    { A1: 6, k1: 1.8, A2: 4, k2: 0.15 },
    (x, p) => p['A1']! - p['A1']! / exp(p['k1']! * x) + p['A2']! - p['A2']! / exp(p['k2']! * x),
  ),
  'delayed-rise': form(over(0, 10, 40), { A: 5, k: 0.7, x0: 2.1 }, (x, { A, k, x0 }) =>
    x < x0! ? 0 : A! - A! / exp(k! * (x - x0!)),
  ),
  'stretched-exponential': form(
    later,
    { A: 5, tau: 2, beta: 0.6 },
    (x, { A, tau, beta }) => A! / exp(exp(beta! * log(x / tau!))),
  ),
  'second-order-decay': form(time, { A: 5, k: 0.7 }, (x, { A, k }) => A! / (k! * x + 1)),
  growth: form(over(0, 5, 20), { A: 2, k: 0.6 }, (x, { A, k }) => A! * exp(k! * x)),
  'logistic-growth': form(
    time,
    { K: 8, r: 1.1, m: 4 },
    (x, { K, r, m }) => (K! * exp(r! * x)) / (exp(r! * m!) + exp(r! * x)),
  ),
  sigmoid: form(
    over(-5, 5, 30),
    { c: 1, d: 4, m: 0.5, s: 0.6 },
    (x, { c, d, m, s }) => c! + (d! * exp(x / s!)) / (exp(m! / s!) + exp(x / s!)),
  ),
  'gompertz-growth': form(time, { K: 8, r: 0.8, m: 3 }, (x, { K, r, m }) => K! / exp(exp(r! * (m! - x)))),
  'gompertz-microbial': form(
    over(0, 24, 30),
    { y0: 2, A: 7, mu: 1.1, lag: 4 },
    (x, { y0, A, mu, lag }) => y0! + A! / exp(exp(((mu! * Math.E) / A!) * (lag! - x) + 1)),
  ),
  'richards-growth': form(
    over(0, 14, 50),
    { K: 8, r: 1.2, m: 6, v: 2.5 },
    (x, { K, r, m, v }) => K! / (1 + v! / exp(r! * (x - m!))) ** (1 / v!),
  ),
  'baranyi-growth': form(over(0, 24, 30), { y0: 5, ymax: 19, mu: 1.6, lag: 4 }, (x, { y0, ymax, mu, lag }) => {
    const h = mu! * lag!;
    const a = x + log(exp(-mu! * x) + exp(-h) - exp(-mu! * x - h)) / mu!;
    return y0! + mu! * a - log(1 + (exp(mu! * a) - 1) / exp(ymax! - y0!));
  }),
  'von-bertalanffy': form(
    over(1, 12, 30),
    { L: 60, k: 0.3, x0: -0.8 },
    (x, { L, k, x0 }) => L! - L! / exp(k! * (x - x0!)),
  ),
  'weibull-growth': form(
    over(0.5, 12, 40),
    { a: 70, d: 60, lrc: -5, p: 2.6 },
    (x, { a, d, lrc, p }) => a! - d! / exp(exp(lrc! + p! * log(x))),
  ),
  'morgan-mercer-flodin': form(
    over(0.5, 12, 40),
    { a: 90, d: 85, m: 4, p: 1.6 },
    (x, { a, d, m, p }) => a! - d! / (1 + exp(p! * log(x / m!))),
  ),
  'linear-plateau': form(time, { a: 1, b: 2, x0: 6 }, (x, { a, b, x0 }) => (x < x0! ? a! + b! * x : a! + b! * x0!)),
  'michaelis-menten': form(dose, { Vmax: 200, Km: 0.6 }, (x, { Vmax, Km }) => Vmax! / (1 + Km! / x)),
  'hill-kinetics': form(dose, { Vmax: 200, K: 3, h: 2.2 }, (x, { Vmax, K, h }) => Vmax! / (1 + (K! / x) ** h!)),
  'substrate-inhibition': form(
    withZero,
    { Vmax: 200, Km: 0.6, Ki: 15 },
    (x, { Vmax, Km, Ki }) => (Vmax! * x) / (Km! + x + (x * x) / Ki!),
  ),
  'competitive-inhibition': form(
    dose,
    { Vmax: 200, Km: 0.6, Ki: 2 },
    (x, { Vmax, Km, Ki, I }) => Vmax! / (1 + (Km! / x) * (1 + I! / Ki!)),
  ),
  'uncompetitive-inhibition': form(
    dose,
    { Vmax: 200, Km: 0.6, Ki: 2 },
    (x, { Vmax, Km, Ki, I }) => Vmax! / (1 + I! / Ki! + Km! / x),
  ),
  'noncompetitive-inhibition': form(
    dose,
    { Vmax: 200, Km: 0.6, Ki: 2 },
    (x, { Vmax, Km, Ki, I }) => Vmax! / (1 + I! / Ki!) / (1 + Km! / x),
  ),
  'mixed-inhibition': form(
    dose,
    { Vmax: 200, Km: 0.6, Kic: 2, Kiu: 7 },
    (x, { Vmax, Km, Kic, Kiu, I }) => Vmax! / ((Km! / x) * (1 + I! / Kic!) + 1 + I! / Kiu!),
  ),
  morrison: form(withZero, { v0: 10, E: 2, Ki: 0.4 }, (x, { v0, E, Ki }) => v0! * (1 - bound(E!, x, Ki!) / E!)),
  'total-and-nonspecific': form(
    dose,
    { Bmax: 50, Kd: 2, NS: 0.6 },
    (x, p) => p['I']! * p['Bmax']! * (1 - p['Kd']! / (p['Kd']! + x)) + p['NS']! * x,
  ),
  'total-and-nonspecific-with-background': form(
    dose,
    { background: 7, Bmax: 50, Kd: 2, NS: 0.6 },
    (x, p) => p['background']! + p['I']! * p['Bmax']! * (1 - p['Kd']! / (p['Kd']! + x)) + p['NS']! * x,
  ),
  'progress-curve': form(time, { S0: 2, Vmax: 0.5, Km: 0.4 }, (x, p) => p['S0']! - substrate(x, p)),
  'substrate-depletion': form(time, { S0: 2, Vmax: 0.5, Km: 0.4 }, substrate),
  'slow-binding': form(
    over(0, 20, 50),
    { P0: 1, v0: 3, vs: 0.4, k: 0.5 },
    (x, { P0, v0, vs, k }) => P0! + vs! * x + ((v0! - vs!) / k!) * (1 - exp(-k! * x)),
  ),
  'ph-activity': form(
    over(3, 11, 33),
    { Vopt: 10, pKa1: 5.5, pKa2: 8.8 },
    (x, { Vopt, pKa1, pKa2 }) => Vopt! / (1 + exp((pKa1! - x) * log(10)) + exp((x - pKa2!) * log(10))),
  ),
  'four-parameter-logistic': form(
    withZero,
    { top: 100, bottom: 8, IC50: 1.7, h: 1.3 },
    (x, { top, bottom, IC50, h }) => (x === 0 ? top! : bottom! + (top! - bottom!) / (1 + exp(h! * log(x / IC50!)))),
  ),
  'four-parameter-logistic-stimulation': form(
    dose,
    { top: 100, bottom: 8, EC50: 1.7, h: 1.3 },
    (x, { top, bottom, EC50, h }) => bottom! + (top! - bottom!) / (1 + exp(h! * log(EC50! / x))),
  ),
  'four-parameter-logistic-with-zero': form(
    withZero,
    { top: 100, bottom: 8, EC50: 1.7, h: 1.3 },
    (x, { top, bottom, EC50, h }) => (x === 0 ? bottom! : bottom! + (top! - bottom!) / (1 + exp(h! * log(EC50! / x)))),
  ),
  'three-parameter-slope-1': form(
    withZero,
    { top: 100, bottom: 8, IC50: 1.7 },
    (x, { top, bottom, IC50 }) => (top! * IC50! + bottom! * x) / (IC50! + x),
  ),
  'three-parameter-stimulation': form(
    withZero,
    { top: 100, bottom: 8, EC50: 1.7 },
    (x, { top, bottom, EC50 }) => (bottom! * EC50! + top! * x) / (EC50! + x),
  ),
  'three-parameter-bottom-0': form(withZero, { top: 90, IC50: 1.7, h: 1.3 }, (x, { top, IC50, h }) =>
    x === 0 ? top! : top! / (1 + exp(h! * log(x / IC50!))),
  ),
  'normalised-inhibition': form(withZero, { IC50: 1.7, h: 1.3 }, (x, { IC50, h }) =>
    x === 0 ? 100 : 100 / (1 + exp(h! * log(x / IC50!))),
  ),
  'normalised-stimulation': form(withZero, { EC50: 1.7, h: 1.3 }, (x, { EC50, h }) =>
    x === 0 ? 0 : 100 / (1 + exp(h! * log(EC50! / x))),
  ),
  'five-parameter-logistic': form(
    dose,
    { top: 100, bottom: 8, c: 1.7, h: 1.5, s: 0.5 },
    (x, { top, bottom, c, h, s }) => bottom! + (top! - bottom!) / exp(s! * log(1 + (x / c!) ** h!)),
  ),
  'five-parameter-logistic-stimulation': form(
    dose,
    { top: 100, bottom: 8, c: 1.7, h: 1.5, s: 0.5 },
    (x, { top, bottom, c, h, s }) => top! - (top! - bottom!) / exp(s! * log(1 + (x / c!) ** h!)),
  ),
  'two-site-inhibition': form(
    decades(0.001, 1000, 40),
    { bottom: 5, a: 50, b: 45, IC50a: 0.05, IC50b: 30 },
    (x, p) => p['bottom']! + (p['a']! * p['IC50a']!) / (p['IC50a']! + x) + (p['b']! * p['IC50b']!) / (p['IC50b']! + x),
  ),
  hormesis: form(
    withZero,
    { bottom: 5, top: 100, f: 30, e50: 2, h: 2.5 },
    (x, { bottom, top, f, e50, h }) => bottom! + (top! - bottom! + f! * x) / (1 + (x / e50!) ** h!),
  ),
  'bell-shaped': form(
    withZero,
    { bottom: 5, height: 100, EC50: 0.2, IC50: 15 },
    (x, { bottom, height, EC50, IC50 }) => bottom! + (height! * x * IC50!) / ((EC50! + x) * (IC50! + x)),
  ),
  'exponential-in-dose': form(
    time,
    { top: 100, bottom: 8, x0: 2 },
    (x, { top, bottom, x0 }) => bottom! + (top! - bottom!) / exp(x / x0!),
  ),
  'weibull-dose': form(
    withZero,
    { top: 100, bottom: 8, e50: 2, h: 1.4 },
    (x, { top, bottom, e50, h }) => bottom! + (top! - bottom!) / exp((x / e50!) ** h!),
  ),
  'probit-dose': form(
    dose,
    { top: 100, bottom: 8, IC50: 2, h: 1.1 },
    (x, { top, bottom, IC50, h }) => bottom! + ((top! - bottom!) / 2) * erfc((h! / sqrt(2)) * log(x / IC50!)),
  ),
  'one-site-binding': form(withZero, { Bmax: 200, Kd: 0.6 }, (x, { Bmax, Kd }) => Bmax! * (1 - Kd! / (Kd! + x))),
  'one-site-nonspecific': form(
    withZero,
    { Bmax: 200, Kd: 0.6, NS: 1.5 },
    (x, { Bmax, Kd, NS }) => Bmax! * (1 - Kd! / (Kd! + x)) + NS! * x,
  ),
  'one-site-background': form(
    withZero,
    { background: 20, Bmax: 200, Kd: 0.6 },
    (x, { background, Bmax, Kd }) => background! + Bmax! * (1 - Kd! / (Kd! + x)),
  ),
  'hill-binding': form(dose, { Bmax: 200, Kd: 0.6, h: 1.6 }, (x, { Bmax, Kd, h }) => Bmax! / (1 + (Kd! / x) ** h!)),
  'two-site-binding': form(
    decades(0.001, 1000, 40),
    { Bmax1: 60, Kd1: 0.03, Bmax2: 100, Kd2: 20 },
    (x, p) => p['Bmax1']! / (1 + p['Kd1']! / x) + p['Bmax2']! / (1 + p['Kd2']! / x),
  ),
  'ligand-depletion': form(
    over(0, 12, 30),
    { background: 10, amplitude: 90, R: 4, Kd: 0.5 },
    (x, { background, amplitude, R, Kd }) => background! + (amplitude! * bound(R!, x, Kd!)) / R!,
  ),
  competition: form(
    dose,
    { NS: 10, total: 100, IC50: 1.7 },
    (x, { NS, total, IC50 }) => (total! * IC50! + NS! * x) / (IC50! + x),
  ),
  'two-site-competition': form(
    decades(0.001, 1000, 40),
    { NS: 5, A1: 50, IC50a: 0.05, A2: 45, IC50b: 30 },
    (x, p) => p['NS']! + (p['A1']! * p['IC50a']!) / (p['IC50a']! + x) + (p['A2']! * p['IC50b']!) / (p['IC50b']! + x),
  ),
  'two-state-unfolding': form(
    over(0, 8, 40),
    { aN: 10, bN: 0.3, aU: 2, bU: -0.1, m: 3, Cm: 4 },
    (x, { aN, bN, aU, bU, m, Cm }) => {
      const unfolded = 1 / (1 + exp(-m! * (x - Cm!)));
      return (1 - unfolded) * (aN! + bN! * x) + unfolded * (aU! + bU! * x);
    },
  ),
  'iv-bolus': form(time, { V: 0.2, ke: 0.4 }, (x, { V, ke, dose: D }) => D! / (V! * exp(ke! * x))),
  'oral-one-compartment': form(
    over(0, 24, 30),
    { V: 0.2, ka: 1.5, ke: 0.12 },
    (x, { V, ka, ke, dose: D }) => (D! * ka! * (exp((ka! - ke!) * x) - 1)) / (V! * (ka! - ke!) * exp(ka! * x)),
  ),
  'oral-with-lag': form(over(0, 24, 49), { V: 0.2, ka: 1.5, ke: 0.12, lag: 1.2 }, (x, { V, ka, ke, lag, dose: D }) =>
    x < lag! ? 0 : ((D! * ka!) / (V! * (ka! - ke!))) * (exp(ke! * (lag! - x)) - exp(ka! * (lag! - x))),
  ),
  'iv-two-compartments': form(
    over(0, 20, 60),
    { A: 6, alpha: 1.8, B: 4, beta: 0.15 },
    (x, p) => p['dose']! * (p['A']! / exp(p['alpha']! * x) + p['B']! / exp(p['beta']! * x)),
  ),
  'iv-three-compartments': form(
    [...over(0, 2, 60), ...over(2.2, 40, 80)],
    { P: 8, pi1: 5, A: 5, alpha: 0.6, B: 3, beta: 0.04 },
    (x, p) =>
      p['dose']! * (p['P']! / exp(p['pi1']! * x) + p['A']! / exp(p['alpha']! * x) + p['B']! / exp(p['beta']! * x)),
  ),
  'oral-two-compartments': form(
    over(0, 24, 97),
    { A: 7, alpha: 0.9, B: 3, beta: 0.08, ka: 3 },
    (x, p) =>
      p['dose']! *
      (p['A']! * (exp(-p['alpha']! * x) - exp(-p['ka']! * x)) + p['B']! * (exp(-p['beta']! * x) - exp(-p['ka']! * x))),
  ),
  infusion: form(over(0, 12, 40), { V: 0.2, ke: 0.4, T: 3.1 }, (x, { V, ke, T, dose: D }) =>
    x < T!
      ? (D! / (V! * ke! * T!)) * (1 - exp(-ke! * x))
      : (D! / (V! * ke! * T!)) * (exp(ke! * T!) - 1) * exp(-ke! * x),
  ),
  'gamma-variate': form(
    over(0.5, 20, 40),
    { C: 9, tm: 4, a: 3 },
    (x, { C, tm, a }) => C! * exp(a! * (log(x / tm!) + 1 - x / tm!)),
  ),
  gaussian: form(channel, { h: 20, m: 40, w: 5 }, (x, { h, m, w }) => h! * gauss(x, m!, w!)),
  peak: form(channel, { c: 3, h: 20, m: 40, w: 5 }, (x, { c, h, m, w }) => c! + h! * gauss(x, m!, w!)),
  'gaussian-on-line': form(
    channel,
    { c: 3, b: 0.05, h: 20, m: 40, w: 5 },
    (x, { c, b, h, m, w }) => c! + b! * x + h! * gauss(x, m!, w!),
  ),
  lorentzian: form(channel, { c: 3, h: 20, m: 40, g: 5 }, (x, { c, h, m, g }) => c! + h! * lorentz(x, m!, g!)),
  'lorentzian-on-line': form(
    channel,
    { c: 3, b: 0.05, h: 20, m: 40, g: 5 },
    (x, { c, b, h, m, g }) => c! + b! * x + h! * lorentz(x, m!, g!),
  ),
  'pseudo-voigt': form(
    channel,
    { c: 3, h: 20, m: 40, g: 6, eta: 0.4 },
    (x, { c, h, m, g, eta }) => c! + h! * (eta! * lorentz(x, m!, g!) + (1 - eta!) * 0.5 ** (((x - m!) / g!) ** 2)),
  ),
  'two-gaussians': form(
    channel,
    { c: 3, h1: 20, m1: 35, w1: 5, h2: 12, m2: 62, w2: 7 },
    (x, p) => p['c']! + p['h1']! * gauss(x, p['m1']!, p['w1']!) + p['h2']! * gauss(x, p['m2']!, p['w2']!),
  ),
  'two-gaussians-on-line': form(
    channel,
    { c: 3, b: 0.04, h1: 20, m1: 35, w1: 5, h2: 12, m2: 62, w2: 7 },
    (x, p) => p['c']! + p['b']! * x + p['h1']! * gauss(x, p['m1']!, p['w1']!) + p['h2']! * gauss(x, p['m2']!, p['w2']!),
  ),
  'gaussian-on-decay': form(
    channel,
    { A: 30, k: 0.03, h: 12, m: 60, w: 6 },
    (x, { A, k, h, m, w }) => A! / exp(k! * x) + h! * gauss(x, m!, w!),
  ),
  'two-lorentzians': form(
    channel,
    { c: 3, h1: 20, m1: 35, g1: 5, h2: 12, m2: 62, g2: 7 },
    (x, p) => p['c']! + p['h1']! * lorentz(x, p['m1']!, p['g1']!) + p['h2']! * lorentz(x, p['m2']!, p['g2']!),
  ),
  emg: form(channel, { c: 3, h: 20, m: 40, w: 4, tau: 8 }, (x, { c, h, m, w, tau }) => {
    const z = (w! / tau! - (x - m!) / w!) / sqrt(2);
    return z > 6
      ? // Erfc's own asymptotic series, where the product overflows.
        c! + (h! * gauss(x, m!, w!) * w!) / tau! / sqrt(2) / (z + 0.5 / (z + 1 / (z + 1.5 / (z + 2 / (z + 2.5 / z)))))
      : c! + h! * gauss(x, m!, w!) * exp(z * z) * erfc(z) * (w! / tau!) * sqrt(PI / 2);
  }),
  'log-normal-peak': form(
    over(1, 100, 100),
    { c: 3, h: 20, m: 30, s: 0.4 },
    (x, { c, h, m, s }) => c! + h! * gauss(log(x), log(m!), s!),
  ),
  arrhenius: form(
    over(280, 360, 17),
    { kref: 3, Ea: 50000 },
    (x, { kref, Ea, x0 }) => kref! * exp((Ea! / 8.314462618) * ((x - x0!) / (x * x0!))),
  ),
  'arrhenius-celsius': form(
    over(5, 85, 17),
    { kref: 3, Ea: 50000 },
    (x, { kref, Ea, x0 }) => kref! * exp((Ea! / 8.314462618) * ((x - x0!) / ((x + 273.15) * (x0! + 273.15)))),
  ),
  eyring: form(
    over(280, 360, 17),
    { kref: 3, H: 50000 },
    (x, { kref, H, x0 }) => kref! * (x / x0!) * exp((H! / 8.314462618) * ((x - x0!) / (x * x0!))),
  ),
  antoine: form(
    over(10, 120, 23),
    { P0: 30, B: 1700, C: 230 },
    (x, { P0, B, C, x0 }) => P0! * exp(log(10) * B! * ((x - x0!) / ((C! + x0!) * (C! + x)))),
  ),
  langmuir: form(withZero, { q: 5, K: 1.4 }, (x, { q, K }) => q! - q! / (1 + K! * x)),
  freundlich: form(dose, { KF: 3, n: 2.2 }, (x, { KF, n }) => KF! * exp(log(x) / n!)),
  sips: form(dose, { q: 5, K: 1.4, n: 0.7 }, (x, { q, K, n }) => q! / (1 + exp(-n! * log(K! * x)))),
  bet: form(over(0.03, 0.6, 25), { q: 4, C: 60 }, (x, { q, C }) => (q! * C! * x) / (1 - x) / (1 - x + C! * x)),
  morse: form(
    over(0.8, 4, 40),
    { c: -4, D: 4.5, a: 1.9, r0: 1.3 },
    (x, { c, D, a, r0 }) => c! + D! - 2 * D! * exp(-a! * (x - r0!)) + D! * exp(-2 * a! * (x - r0!)),
  ),
  diode: form(over(0, 0.7, 30), { I0: 0.002, nVT: 0.09 }, (x, { I0, nVT }) => I0! * (exp(x / nVT!) - 1)),
  'threshold-current': form(
    over(-80, 60, 29),
    { g: 0.5, E: 40, V: -20, s: 7 },
    (x, { g, E, V, s }) => (g! * (x - E!) * exp(x / s!)) / (exp(x / s!) + exp(V! / s!)),
  ),
  resonance: form(
    over(0.2, 3, 60),
    { A: 1, f0: 1.4, Q: 6 },
    (x, { A, f0, Q }) => (A! * f0! ** 2) / sqrt((f0! ** 2 - x ** 2) ** 2 + ((x * f0!) / Q!) ** 2),
  ),
  wave: form(
    over(0, 20, 60),
    { c: 1, a: 2, b: 1, w: 1.3 },
    (x, { c, a, b, w }) => c! + Math.hypot(a!, b!) * sin(w! * x + Math.atan2(b!, a!)),
  ),
  'wave-on-line': form(
    over(0, 20, 60),
    { c: 1, d: 0.2, a: 2, b: 1, w: 1.3 },
    (x, { c, d, a, b, w }) => c! + d! * x + Math.hypot(a!, b!) * sin(w! * x + Math.atan2(b!, a!)),
  ),
  'wave-with-harmonic': form(
    over(0, 20, 80),
    { c: 1, a: 2, b: 1, a2: 0.7, b2: -0.5, w: 1.3 },
    (x, p) =>
      p['c']! +
      p['a']! * sin(p['w']! * x) +
      p['b']! * cos(p['w']! * x) +
      p['a2']! * sin(2 * p['w']! * x) +
      p['b2']! * cos(2 * p['w']! * x),
  ),
  'damped-wave': form(
    over(0, 20, 80),
    { c: 1, k: 0.15, a: 3, b: 2, w: 2.1 },
    (x, { c, k, a, b, w }) => c! + (Math.hypot(a!, b!) * sin(w! * x + Math.atan2(b!, a!))) / exp(k! * x),
  ),
};

/** Densities: the logarithm at x; what they are drawn by, from a number between 0 and 1 and another. */
export interface Density {
  readonly truth: Readonly<Record<string, number>>;
  draw(u: number, v: number): number;
  log(x: number, p: Record<string, number>): number;
}

const normalDraw = (u: number, v: number): number => sqrt(-2 * log(1 - u)) * cos(2 * PI * v);
const normal = (x: number, m: number, s: number): number => gauss(x, m, s) / (s * sqrt(2 * PI));

const factorial = (k: number): number => (k < 2 ? 1 : k * factorial(k - 1));

/** The least count of which no more than u lies below. */
function quantile(u: number, mass: (k: number) => number): number {
  let [k, below] = [0, mass(0)];
  while (below < u) below += mass(++k);
  return k;
}

export const densities: Readonly<Record<string, Density>> = {
  'exponential-times': {
    truth: { tau: 3 },
    draw: (u) => -3 * log(1 - u),
    log: (x, { tau }) => log(exp(-x / tau!) / tau!),
  },
  'weibull-times': {
    truth: { tau: 3, k: 1.8 },
    draw: (u) => 3 * (-log(1 - u)) ** (1 / 1.8),
    log: (x, { tau, k }) => log((k! * x ** (k! - 1)) / tau! ** k! / exp((x / tau!) ** k!)),
  },
  'log-logistic-times': {
    truth: { tau: 3, k: 2.5 },
    draw: (u) => 3 * (u / (1 - u)) ** (1 / 2.5),
    log: (x, { tau, k }) => log(((k! / tau!) * (x / tau!) ** (k! - 1)) / (1 + (x / tau!) ** k!) ** 2),
  },
  'gompertz-times': {
    truth: { a: 0.8, b: 0.05 },
    draw: (u) => log(1 - (0.8 / 0.05) * log(1 - u)) / 0.8,
    log: (x, { a, b }) => log(b! * exp(a! * x) * exp((b! / a!) * (1 - exp(a! * x)))),
  },
  'gamma-times': {
    truth: { k: 2, theta: 1.5 },
    draw: (u, v) => -1.5 * log((1 - u) * (1 - v)),
    // Γ(2) is 1.
    log: (x, { k, theta }) => log(x ** (k! - 1) / theta! ** k! / exp(x / theta!)),
  },
  'normal-values': {
    truth: { m: 5, s: 2 },
    draw: (u, v) => 5 + 2 * normalDraw(u, v),
    log: (x, { m, s }) => log(normal(x, m!, s!)),
  },
  'log-normal-values': {
    truth: { m: 4, s: 0.5 },
    draw: (u, v) => 4 * exp(0.5 * normalDraw(u, v)),
    log: (x, { m, s }) => log(normal(log(x), log(m!), s!) / x),
  },
  'cauchy-values': {
    truth: { m: 5, g: 1.2 },
    draw: (u) => 5 + 1.2 * Math.tan(PI * (u - 0.5)),
    log: (x, { m, g }) => log(lorentz(x, m!, g!) / (PI * g!)),
  },
  'two-normals': {
    truth: { f: 0.35, m1: 54, s1: 5, m2: 80, s2: 6 },
    draw: (u, v) => (u < 0.35 ? 54 + 5 * normalDraw(u / 0.35, v) : 80 + 6 * normalDraw((u - 0.35) / 0.65, v)),
    log: (x, p) => log(p['f']! * normal(x, p['m1']!, p['s1']!) + (1 - p['f']!) * normal(x, p['m2']!, p['s2']!)),
  },
  'two-exponentials': {
    truth: { f: 0.5, tau1: 0.5, tau2: 6 },
    draw: (u, v) => (v < 0.5 ? -0.5 : -6) * log(1 - u),
    log: (x, p) => log(p['f']! / p['tau1']! / exp(x / p['tau1']!) + (1 - p['f']!) / p['tau2']! / exp(x / p['tau2']!)),
  },
  'exponential-on-background': {
    truth: { f: 0.7, tau: 2 },
    draw: (u, v) => (v < 0.7 ? -2 * log(1 - u * (1 - exp(-10))) : 20 * u),
    log: (x, { f, tau, low, high }) =>
      log((f! * exp(-x / tau!)) / tau! / (exp(-low! / tau!) - exp(-high! / tau!)) + (1 - f!) / (high! - low!)),
  },
  'gauss-on-background': {
    truth: { f: 0.4, m: 90, s: 2.5 },
    draw: (u, v) => (v < 0.4 ? 90 + 2.5 * normalDraw(u, v / 0.4) : 70 + 40 * u),
    log: (x, { f, m, s, low, high }) => log(f! * normal(x, m!, s!) + (1 - f!) / (high! - low!)),
  },
  'poisson-counts': {
    truth: { lambda: 2.4 },
    draw: (u) => quantile(u, (k) => (2.4 ** k * exp(-2.4)) / factorial(k)),
    log: (x, { lambda }) => log((lambda! ** x * exp(-lambda!)) / factorial(x)),
  },
  'negative-binomial-counts': {
    truth: { lambda: 6, k: 2 },
    draw: (u) => quantile(u, (x) => (x + 1) * 0.25 ** 2 * 0.75 ** x),
    // Γ(x + 2)/Γ(2)x! is x + 1.
    log: (x, { lambda, k }) => log((x + 1) * (k! / (k! + lambda!)) ** k! * (lambda! / (k! + lambda!)) ** x),
  },
};
