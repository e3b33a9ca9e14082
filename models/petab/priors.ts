/** What the parameter tables say of priors, as parameter blocks have it. */
import { refuse } from '../sbml/refusal.ts';
import { readNumber, type Row } from './tsv.ts';

type PriorJson = Readonly<Record<string, number | string>>;
type Scale = 'lin' | 'log' | 'log10';

const version1: Readonly<Record<string, (a: number, b: number, on: Scale) => PriorJson>> = {
  uniform: (lower, upper) => ({ family: 'uniform', lower, upper }),
  normal: (mean, sd) => ({ family: 'normal', mean, sd }),
  laplace: (location, scale) => ({ family: 'laplace', location, scale }),
  logNormal: (mean, sd) => ({ family: 'log-normal', mean, sd }),
  logLaplace: (location, scale) => ({ family: 'log-laplace', location, scale }),
  parameterScaleUniform: (lower, upper, on) => ({ family: 'uniform', lower, upper, ...of(on) }),
  parameterScaleNormal: (mean, sd, on) => ({ family: 'normal', mean, sd, ...of(on) }),
  parameterScaleLaplace: (location, scale, on) => ({ family: 'laplace', location, scale, ...of(on) }),
};

/** The density is that of the parameter on its scale: no factor of the change of scale belongs to it. */
const of = (scale: Scale): PriorJson => (scale === 'lin' ? {} : { of: scale });

const version2: Readonly<Record<string, (a: number, b: number) => PriorJson>> = {
  cauchy: (location, scale) => ({ family: 'cauchy', location, scale }),
  chisquare: (degrees) => ({ family: 'gamma', shape: degrees / 2, rate: 0.5 }),
  exponential: (scale) => ({ family: 'exponential', rate: 1 / scale }),
  gamma: (shape, scale) => ({ family: 'gamma', shape, rate: 1 / scale }),
  laplace: (location, scale) => ({ family: 'laplace', location, scale }),
  'log-laplace': (location, scale) => ({ family: 'log-laplace', location, scale }),
  'log-normal': (mean, sd) => ({ family: 'log-normal', mean, sd }),
  'log-uniform': (lower, upper) => ({ family: 'log-uniform', lower, upper }),
  normal: (mean, sd) => ({ family: 'normal', mean, sd }),
  rayleigh: (scale) => ({ family: 'rayleigh', scale }),
  uniform: (lower, upper) => ({ family: 'uniform', lower, upper }),
};

/** Families that have one number. */
const single = new Set(['chisquare', 'exponential', 'rayleigh']);

export function readPrior(row: Row, version: 1 | 2, scale: Scale): PriorJson | undefined {
  const [typeColumn, numbersColumn] =
    version === 1 ? ['objectivePriorType', 'objectivePriorParameters'] : ['priorDistribution', 'priorParameters'];
  const text = row.cell(numbersColumn);
  // Version 1 has a usual one, which needs to be said no more than its bounds.
  const type = row.cell(typeColumn) || (version === 1 ? 'parameterScaleUniform' : '');
  if (text === '' && (type === '' || type === 'parameterScaleUniform')) return undefined;
  if (type === '') return refuse(`${row.where} says "${text}" in ${numbersColumn}, and no ${typeColumn}`);
  const where = `${row.where}: the prior "${type}" of "${row.cell('parameterId')}"`;
  const table: Readonly<Record<string, (a: number, b: number, on: Scale) => PriorJson>> =
    version === 1 ? version1 : version2;
  if (!Object.hasOwn(table, type)) return refuse(`${where} is not known`);
  const numbers = text.split(';').map((part) => readNumber(part.trim(), where));
  const wanted = version === 2 && single.has(type) ? 1 : 2;
  if (numbers.length !== wanted) return refuse(`${where} wants ${wanted} numbers, got ${JSON.stringify(text)}`);
  const prior = table[type]?.(numbers[0]!, numbers[1]!, scale);
  const fault = Object.values(prior ?? {}).some((value) => typeof value === 'number' && !Number.isFinite(value));
  return fault ? refuse(`${where} has no density with ${JSON.stringify(text)}`) : prior;
}
