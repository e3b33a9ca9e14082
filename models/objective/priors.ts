/** Prior densities of parameters: what a document may say, and −log p(x) with its constants. */
import * as v from 'valibot';
import { realLiteral, type ScalarBuilder, type ScalarOperand } from '../../engine/index.ts';
import { jointPriorNames, priorNames, priors, type PriorFamily } from '../facts/families.ts';
import { refOrNumber, strict } from '../notation/fields.ts';
import { isDocumentNumber, toNumber } from '../notation/numbers.ts';
import { expression, type Expression } from './expression.ts';
import { beta as betaFamily } from './families/beta.ts';
import { gamma as gammaFamily } from './families/gamma.ts';
import { minusLogLaplace } from './families/laplace.ts';
import { minusLogStudent } from './families/student-t.ts';
import { within } from './observation.ts';

type Argument = 'any' | 'positive';

interface Family {
  /** Its arguments, in order; those marked must be above 0. */
  readonly arguments: Readonly<Record<string, Argument>>;
  /** The density is 0 outside: numbers, or the names of arguments. */
  readonly support: readonly [low: number | string, high: number | string];
  /** x inside the support, its ends among it where it has any. */
  readonly minusLog: (s: Expression, x: ScalarOperand, ...args: ScalarOperand[]) => ScalarOperand;
}

const real = realLiteral;
const everywhere = [-Infinity, Infinity] as const;
const positive = [0, Infinity] as const;

/** `write` above 0, where logarithms are finite; at 0 the density vanishes. */
const vanishingAtZero = (s: Expression, x: ScalarOperand, write: () => ScalarOperand): ScalarOperand =>
  s.choose(s.apply('lt', real(0), x), write, () => real(Infinity));

/** rate·x + log Γ(shape) − (shape − 1)·log x − shape·log rate */
function minusLogGamma(s: Expression, x: ScalarOperand, shape: ScalarOperand, rate: ScalarOperand): ScalarOperand {
  const mean = s.divide(shape, rate);
  return s.choose(
    s.apply('lt', real(0), x),
    // About the mean, where large shapes cancel nothing.
    () => gammaFamily.minusLog(s, x, mean, shape),
    () =>
      s.subtract(
        s.add(s.multiply(rate, x), s.apply('lgamma', shape)),
        s.add(s.apply('xlogy', s.subtract(shape, real(1)), x), s.multiply(shape, s.apply('log', rate))),
      ),
  );
}

/** log B(alpha, beta) − (alpha − 1)·log x − (beta − 1)·log(1 − x) */
function minusLogBeta(s: Expression, x: ScalarOperand, alpha: ScalarOperand, beta: ScalarOperand): ScalarOperand {
  const sum = s.add(alpha, beta);
  const rest = s.subtract(real(1), x);
  return s.choose(
    s.apply('and', s.apply('lt', real(0), x), s.apply('lt', x, real(1))),
    () => betaFamily.minusLog(s, x, s.divide(alpha, sum), sum),
    () => {
      const logBeta = s.subtract(s.add(s.apply('lgamma', alpha), s.apply('lgamma', beta)), s.apply('lgamma', sum));
      const below = s.apply('xlogy', s.subtract(alpha, real(1)), x);
      return s.subtract(logBeta, s.add(below, s.apply('xlogy', s.subtract(beta, real(1)), rest)));
    },
  );
}

function family<const A extends Readonly<Record<string, Argument>>>(
  args: A,
  support: Family['support'],
  minusLog: (s: Expression, x: ScalarOperand, ...args: [ScalarOperand, ScalarOperand, ScalarOperand]) => ScalarOperand,
): Family & { readonly arguments: A } {
  return { arguments: args, support, minusLog: minusLog };
}

/** ½z² + log scale + a constant */
function gauss(s: Expression, z: ScalarOperand, scale: ScalarOperand, constant: number): ScalarOperand {
  return s.add(s.multiply(real(0.5), z, z), s.apply('log', scale), real(constant));
}

const standard = (s: Expression, x: ScalarOperand, location: ScalarOperand, scale: ScalarOperand): ScalarOperand =>
  s.divide(s.subtract(x, location), scale);

export const priorFamilies = {
  /** ½((x − mean)/sd)² + log sd + ½ log 2π */
  normal: family(priors.normal.arguments, everywhere, (s, x, mean, sd) =>
    gauss(s, standard(s, x, mean, sd), sd, 0.5 * Math.log(2 * Math.PI)),
  ),
  /** mean and sd are those of log x. */
  'log-normal': family(priors['log-normal'].arguments, positive, (s, x, mean, sd) =>
    vanishingAtZero(s, x, () => {
      const log = s.apply('log', x);
      return s.add(gauss(s, standard(s, log, mean, sd), sd, 0.5 * Math.log(2 * Math.PI)), log);
    }),
  ),
  /** Of ends that are references, none where they have changed places. */
  uniform: family(priors.uniform.arguments, ['lower', 'upper'], (s, _, lower, upper) =>
    s.choose(
      s.apply('lt', lower, upper),
      () => s.apply('log', s.subtract(upper, lower)),
      () => real(NaN),
    ),
  ),
  /** rate^shape·x^(shape − 1)·e^(−rate·x)/Γ(shape) */
  gamma: family(priors.gamma.arguments, positive, minusLogGamma),
  /** x^(alpha − 1)·(1 − x)^(beta − 1)/B(alpha, beta) */
  beta: family(priors.beta.arguments, [0, 1], minusLogBeta),
  /** 1/(π·scale·(1 + ((x − location)/scale)²)) */
  cauchy: family(priors.cauchy.arguments, everywhere, (s, x, location, scale) => {
    const z = standard(s, x, location, scale);
    return s.add(s.apply('log1p', s.multiply(z, z)), s.apply('log', scale), real(Math.log(Math.PI)));
  }),
  exponential: family(priors.exponential.arguments, positive, (s, x, rate) =>
    s.subtract(s.multiply(rate, x), s.apply('log', rate)),
  ),
  /** Twice the normal density of mean 0, on x ≥ 0. */
  'half-normal': family(priors['half-normal'].arguments, positive, (s, x, sd) =>
    gauss(s, s.divide(x, sd), sd, 0.5 * Math.log(Math.PI / 2)),
  ),
  /** 2/(π·scale·(1 + (x/scale)²)) on x ≥ 0 */
  'half-cauchy': family(priors['half-cauchy'].arguments, positive, (s, x, scale) => {
    const z = s.divide(x, scale);
    return s.add(s.apply('log1p', s.multiply(z, z)), s.apply('log', scale), real(Math.log(Math.PI / 2)));
  }),
  /** (x − location)/scale has Student's t distribution with `degrees` degrees of freedom. */
  'student-t': family(priors['student-t'].arguments, everywhere, (s, x, location, scale, degrees) =>
    minusLogStudent(s, x, location, scale, degrees),
  ),
  /** scale^shape/Γ(shape)·x^(−shape − 1)·e^(−scale/x): 1/x is gamma with the rate `scale`. */
  'inverse-gamma': family(priors['inverse-gamma'].arguments, positive, (s, x, shape, scale) =>
    vanishingAtZero(s, x, () =>
      s.choose(
        s.apply('lt', x, real(1e-150)),
        // Near 0, where 1/x is soon no number any more, scale/x is nearly all of it.
        () => {
          const power = s.subtract(s.multiply(shape, s.apply('log', scale)), s.apply('lgamma', shape));
          return s.subtract(s.add(s.divide(scale, x), s.multiply(s.add(shape, real(1)), s.apply('log', x))), power);
        },
        () => s.add(minusLogGamma(s, s.divide(real(1), x), shape, scale), s.multiply(real(2), s.apply('log', x))),
      ),
    ),
  ),
  /** e^(−|x − location|/scale)/(2·scale) */
  laplace: family(priors.laplace.arguments, everywhere, (s, x, location, scale) =>
    s.add(s.apply('abs', standard(s, x, location, scale)), s.apply('log', scale), real(Math.LN2)),
  ),
  /** log x has Laplace's density. */
  'log-laplace': family(priors['log-laplace'].arguments, positive, (s, x, location, scale) =>
    vanishingAtZero(s, x, () => {
      const log = s.apply('log', x);
      return s.add(minusLogLaplace(s, log, location, scale), log);
    }),
  ),
  /** 1/(x·log(upper/lower)) */
  'log-uniform': family(priors['log-uniform'].arguments, ['lower', 'upper'], (s, x, lower, upper) =>
    s.add(s.apply('log', x), s.apply('log', s.subtract(s.apply('log', upper), s.apply('log', lower)))),
  ),
  /** x/scale²·e^(−x²/(2·scale²)) */
  rayleigh: family(priors.rayleigh.arguments, positive, (s, x, scale) => {
    const z = s.divide(x, scale);
    const logs = s.subtract(s.multiply(real(2), s.apply('log', scale)), s.apply('log', x));
    return s.add(s.multiply(real(0.5), z, z), logs);
  }),
} as const satisfies { readonly [F in PriorFamily]: Family };

/** Which arguments a family takes is checked by `priorDensity`, which can say it better than a union of schemas. */
export const priorSchema = strict({
  family: v.picklist(priorNames, `one of ${[...priorNames, ...jointPriorNames].map((name) => `"${name}"`).join(', ')}`),
  mean: v.exactOptional(refOrNumber),
  sd: v.exactOptional(refOrNumber),
  lower: v.exactOptional(refOrNumber),
  upper: v.exactOptional(refOrNumber),
  shape: v.exactOptional(refOrNumber),
  rate: v.exactOptional(refOrNumber),
  alpha: v.exactOptional(refOrNumber),
  beta: v.exactOptional(refOrNumber),
  location: v.exactOptional(refOrNumber),
  scale: v.exactOptional(refOrNumber),
  degrees: v.exactOptional(refOrNumber),
  /** Of what the density is: of the parameter (absent), or of its logarithm, without the factor of that change. */
  of: v.exactOptional(v.picklist(['log', 'log10'], '"log" or "log10"')),
});

export type Prior = v.InferOutput<typeof priorSchema>;

export interface PriorDensity {
  readonly family: PriorFamily;
  /** In the order of the family's arguments: a number, or the port at which a reference comes in. */
  readonly arguments: readonly (number | string)[];
  /** Where the density is that of the parameter's logarithm. */
  readonly of?: 'log' | 'log10';
}

/** Whose arguments are all numbers. */
export interface KnownPrior extends PriorDensity {
  readonly arguments: readonly number[];
}

export const isKnownPrior = (prior: PriorDensity): prior is KnownPrior =>
  prior.arguments.every((argument) => typeof argument === 'number');

export const portOf = (argument: string): string => `prior.${argument}`;

/** The references among its arguments. */
export function priorWires(
  prior: Prior | undefined,
): { readonly argument: string; readonly port: string; readonly ref: string }[] {
  return Object.entries(prior ?? {}).flatMap(([key, value]) =>
    key !== 'family' && key !== 'of' && typeof value === 'string' && !isDocumentNumber(value)
      ? [{ argument: key, port: portOf(key), ref: value }]
      : [],
  );
}

/** A sentence where the arguments do not fit the family. */
export function priorDensity(prior: Prior): PriorDensity | string {
  const { family, of, ...given } = prior;
  const wanted: Family['arguments'] = priorFamilies[family].arguments;
  const names = Object.keys(wanted)
    .map((name) => `"${name}"`)
    .join(' and ');
  const extra = Object.keys(given).find((key) => !Object.hasOwn(wanted, key));
  if (extra !== undefined) return `a ${family} prior takes ${names}, got "${extra}"`;
  const values: (number | string)[] = [];
  for (const [key, range] of Object.entries(wanted)) {
    const value = given[key as keyof typeof given];
    if (value === undefined) return `a ${family} prior takes ${names}, and "${key}" is missing`;
    if (!isDocumentNumber(value)) {
      values.push(portOf(key));
      continue;
    }
    const number = toNumber(value);
    if (!Number.isFinite(number) || (range === 'positive' && number <= 0))
      return `"${key}" of a ${family} prior wants a finite number${range === 'positive' ? ' above 0' : ''}, got ${number}`;
    values.push(number);
  }
  const [low, high] = values;
  if (
    (family === 'uniform' || family === 'log-uniform') &&
    typeof low === 'number' &&
    typeof high === 'number' &&
    !(low < high)
  )
    return `a ${family} prior wants "lower" below "upper", got ${low} and ${high}`;
  return { family, arguments: values, ...(of && { of }) };
}

/** The ends of the support, each a number or one of these. */
function supportOf<T>({ family }: PriorDensity, args: readonly T[]): readonly [number | T, number | T] {
  const { arguments: names, support }: Family = priorFamilies[family];
  const end = (at: number | string): number | T =>
    typeof at === 'number' ? at : args[Object.keys(names).indexOf(at)]!;
  return [end(support[0]), end(support[1])];
}

/** Where its density is not 0; of an end that is a reference, as far as may be. */
export function priorSupport(prior: PriorDensity): readonly [lower: number, upper: number] {
  const [low, high] = supportOf(prior, prior.arguments);
  const ends = [typeof low === 'number' ? low : -Infinity, typeof high === 'number' ? high : Infinity] as const;
  return [unscaled(prior, ends[0]), unscaled(prior, ends[1])];
}

type Arguments = PriorDensity['arguments'];
const always = (): boolean => true;

/** At which ends of its support a density is a number above 0, so that the mode may lie there; where nothing is said, at none. */
const reaches: {
  readonly [F in PriorFamily]?: readonly [lower: (args: Arguments) => boolean, upper: (args: Arguments) => boolean];
} = {
  uniform: [always, always],
  'log-uniform': [always, always],
  exponential: [always, always],
  'half-normal': [always, always],
  'half-cauchy': [always, always],
  gamma: [([shape]) => shape === 1, always],
  beta: [([alpha]) => alpha === 1, ([, beta]) => beta === 1],
};

/** Between what a prior holds its parameter as bounds would; infinite where it does not. */
export function priorEnds(prior: PriorDensity | undefined): readonly [lower: number, upper: number] {
  const [lower, upper] = (prior && reaches[prior.family]) ?? [];
  if (!prior || !lower || !upper) return [-Infinity, Infinity];
  const ends = priorSupport(prior);
  return [lower(prior.arguments) ? ends[0] : -Infinity, upper(prior.arguments) ? ends[1] : Infinity];
}

/** The parameter of what its prior is about. */
export const unscaled = ({ of }: PriorDensity, u: number): number =>
  of === undefined ? u : of === 'log' ? Math.exp(u) : 10 ** u;

/**
 * −log p(x), constants included; +∞ where the density is 0, NaN where an argument that is a reference lies where there is no
 * such distribution. `args`: in the order of the family's.
 */
export function minusLogPrior(
  builder: ScalarBuilder,
  prior: PriorDensity,
  value: ScalarOperand,
  args: readonly ScalarOperand[],
): ScalarOperand {
  const { arguments: ranges, minusLog }: Family = priorFamilies[prior.family];
  const s = expression(builder);
  const x = prior.of === undefined ? value : s.apply(prior.of, value);
  const [low, high] = supportOf(prior, args);
  const limits = Object.values(ranges).flatMap((range, i) =>
    typeof prior.arguments[i] === 'string' ? [[range, args[i]!] as const] : [],
  );
  const operand = (end: number | ScalarOperand): ScalarOperand => (typeof end === 'number' ? real(end) : end);
  return within(s, limits, () => {
    const density = (): ScalarOperand => minusLog(s, x, ...args);
    if (low === -Infinity && high === Infinity) return density();
    const inside = s.apply('and', s.apply('le', operand(low), x), s.apply('le', x, operand(high)));
    // Structured, so that outside the support no derivative is taken of what is not evaluated.
    return s.choose(inside, density, () => real(Infinity));
  });
}
