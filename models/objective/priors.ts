/** Prior densities of parameters: what a document may say, and −log p(x) with its constants. */
import * as v from 'valibot';
import { realLiteral, type ScalarBuilder, type ScalarOperand } from '../../engine/index.ts';
import { number, oneOf, strict } from '../format/fields.ts';
import { toNumber } from '../format/numbers.ts';
import { expression, type Expression } from './expression.ts';

interface Family {
  /** Its arguments, in order; those marked must be above 0. */
  readonly arguments: Readonly<Record<string, 'any' | 'positive'>>;
  /** The density is 0 outside. */
  readonly support: (...args: number[]) => readonly [number, number];
  readonly minusLog: (s: Expression, x: ScalarOperand, ...args: number[]) => ScalarOperand;
}

const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI);
const everywhere = [-Infinity, Infinity] as const;
const positive = [0, Infinity] as const;

export const priorFamilies = {
  /** ½((x − mean)/sd)² + log sd + ½ log 2π */
  normal: {
    arguments: { mean: 'any', sd: 'positive' },
    support: () => everywhere,
    minusLog: (s, x, mean, sd) => s.add(halfSquare(s, x, mean, sd), realLiteral(Math.log(sd) + halfLogTwoPi)),
  },
  /** mean and sd are those of log x. */
  'log-normal': {
    arguments: { mean: 'any', sd: 'positive' },
    support: () => positive,
    minusLog: (s, x, mean, sd) => {
      const log = s.apply('log', x);
      return s.add(halfSquare(s, log, mean, sd), log, realLiteral(Math.log(sd) + halfLogTwoPi));
    },
  },
  uniform: {
    arguments: { lower: 'any', upper: 'any' },
    support: (lower, upper) => [lower, upper],
    minusLog: (_, __, lower, upper) => realLiteral(Math.log(upper - lower)),
  },
  /** rate^shape·x^(shape − 1)·e^(−rate·x)/Γ(shape) */
  gamma: {
    arguments: { shape: 'positive', rate: 'positive' },
    support: () => positive,
    minusLog: (s, x, shape, rate) =>
      s.subtract(
        s.add(s.multiply(realLiteral(rate), x), s.apply('lgamma', realLiteral(shape))),
        s.add(s.apply('xlogy', realLiteral(shape - 1), x), realLiteral(shape * Math.log(rate))),
      ),
  },
  /** x^(alpha − 1)·(1 − x)^(beta − 1)/B(alpha, beta) */
  beta: {
    arguments: { alpha: 'positive', beta: 'positive' },
    support: () => [0, 1],
    minusLog: (s, x, alpha, beta) => {
      const [a, b] = [realLiteral(alpha), realLiteral(beta)];
      const sum = s.apply('lgamma', realLiteral(alpha + beta));
      const logBeta = s.subtract(s.add(s.apply('lgamma', a), s.apply('lgamma', b)), sum);
      const below = s.apply('xlogy', realLiteral(alpha - 1), x);
      const above = s.apply('xlogy', realLiteral(beta - 1), s.subtract(realLiteral(1), x));
      return s.subtract(logBeta, s.add(below, above));
    },
  },
  /** 1/(π·scale·(1 + ((x − location)/scale)²)) */
  cauchy: {
    arguments: { location: 'any', scale: 'positive' },
    support: () => everywhere,
    minusLog: (s, x, location, scale) => {
      const z = s.divide(s.subtract(x, realLiteral(location)), realLiteral(scale));
      return s.add(s.apply('log1p', s.multiply(z, z)), realLiteral(Math.log(Math.PI * scale)));
    },
  },
  exponential: {
    arguments: { rate: 'positive' },
    support: () => positive,
    minusLog: (s, x, rate) => s.subtract(s.multiply(realLiteral(rate), x), realLiteral(Math.log(rate))),
  },
} as const satisfies Record<string, Family>;

function halfSquare(s: Expression, x: ScalarOperand, mean = 0, sd = 1): ScalarOperand {
  const z = s.divide(s.subtract(x, realLiteral(mean)), realLiteral(sd));
  return s.multiply(realLiteral(0.5), z, z);
}

export type PriorFamily = keyof typeof priorFamilies;
const familyNames = Object.keys(priorFamilies) as PriorFamily[];

/** Which arguments a family takes is checked by `priorDensity`, which can say it better than a union of schemas. */
export const priorSchema = strict({
  family: oneOf(familyNames as [PriorFamily, ...PriorFamily[]]),
  mean: v.exactOptional(number),
  sd: v.exactOptional(number),
  lower: v.exactOptional(number),
  upper: v.exactOptional(number),
  shape: v.exactOptional(number),
  rate: v.exactOptional(number),
  alpha: v.exactOptional(number),
  beta: v.exactOptional(number),
  location: v.exactOptional(number),
  scale: v.exactOptional(number),
});

export interface PriorDensity {
  readonly family: PriorFamily;
  /** In the order of the family's arguments. */
  readonly arguments: readonly number[];
}

/** A sentence where the arguments do not fit the family. */
export function priorDensity(prior: v.InferOutput<typeof priorSchema>): PriorDensity | string {
  const { family, ...given } = prior;
  const wanted: Family['arguments'] = priorFamilies[family].arguments;
  const names = Object.keys(wanted)
    .map((name) => `"${name}"`)
    .join(' and ');
  const extra = Object.keys(given).find((key) => !Object.hasOwn(wanted, key));
  if (extra !== undefined) return `a ${family} prior takes ${names}, got "${extra}"`;
  const values: number[] = [];
  for (const [key, range] of Object.entries(wanted)) {
    const value = given[key as keyof typeof given];
    if (value === undefined) return `a ${family} prior takes ${names}, and "${key}" is missing`;
    const number = toNumber(value);
    if (!Number.isFinite(number) || (range === 'positive' && number <= 0))
      return `"${key}" of a ${family} prior wants a finite number${range === 'positive' ? ' above 0' : ''}, got ${number}`;
    values.push(number);
  }
  if (family === 'uniform' && !((values[0] as number) < (values[1] as number)))
    return `a uniform prior wants "lower" below "upper", got ${values[0]} and ${values[1]}`;
  return { family, arguments: values };
}

/** −log p(x), constants included; +∞ where the density is 0. */
export function minusLogPrior(builder: ScalarBuilder, prior: PriorDensity, x: ScalarOperand): ScalarOperand {
  const family: Family = priorFamilies[prior.family];
  const s = expression(builder);
  const [low, high] = family.support(...prior.arguments);
  const inside = (): ScalarOperand => family.minusLog(s, x, ...prior.arguments);
  if (low === -Infinity && high === Infinity) return inside();
  const within = builder.apply(
    'and',
    builder.apply('le', realLiteral(low), x),
    builder.apply('le', x, realLiteral(high)),
  );
  // Structured, so that outside the support no derivative is taken of what is not evaluated.
  return s.choose(within, inside, () => realLiteral(Infinity));
}
