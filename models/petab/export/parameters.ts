/** The parameter table: what is estimated; the rest are numbers of the model and the formulas. Version 2 has no scale of a parameter, so that a prior of its logarithm cannot be said. */
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { refuse } from '../../sbml/refusal.ts';
import { printNumber } from './print.ts';
import type { NamedParameter } from './said.ts';
import { tsv } from './tables.ts';

type ParameterBlock = NamedParameter['block'];
/** Family → PEtab's name, and its numbers from ours. */
type Priors = Readonly<Record<string, readonly [string, (of: (key: string) => number) => number[]]>>;

const priors2: Priors = {
  cauchy: ['cauchy', (of) => [of('location'), of('scale')]],
  exponential: ['exponential', (of) => [1 / of('rate')]],
  gamma: ['gamma', (of) => [of('shape'), 1 / of('rate')]],
  laplace: ['laplace', (of) => [of('location'), of('scale')]],
  'log-laplace': ['log-laplace', (of) => [of('location'), of('scale')]],
  'log-normal': ['log-normal', (of) => [of('mean'), of('sd')]],
  'log-uniform': ['log-uniform', (of) => [of('lower'), of('upper')]],
  normal: ['normal', (of) => [of('mean'), of('sd')]],
  rayleigh: ['rayleigh', (of) => [of('scale')]],
  uniform: ['uniform', (of) => [of('lower'), of('upper')]],
};

const priors1: Priors = {
  laplace: ['laplace', (of) => [of('location'), of('scale')]],
  'log-laplace': ['logLaplace', (of) => [of('location'), of('scale')]],
  'log-normal': ['logNormal', (of) => [of('mean'), of('sd')]],
  normal: ['normal', (of) => [of('mean'), of('sd')]],
  uniform: ['uniform', (of) => [of('lower'), of('upper')]],
};

const onScale: Readonly<Record<string, string>> = {
  laplace: 'parameterScaleLaplace',
  normal: 'parameterScaleNormal',
  uniform: 'parameterScaleUniform',
};

export function parameterTable2(parameters: readonly NamedParameter[]): string {
  return tsv(
    [
      ...['parameterId', 'parameterName', 'lowerBound', 'upperBound', 'nominalValue', 'estimate'],
      ...['priorDistribution', 'priorParameters'],
    ],
    parameters.map(({ id, block }) => {
      const { of } = priorIn(block);
      if (of !== undefined)
        refuse(`"${block.id}" has a prior of its ${of}, and version 2 of PEtab has priors of values alone`);
      return [id, block.label ?? '', ...numbersOf(block), 'true', ...priorOf(block, priors2)];
    }),
  );
}

export function parameterTable1(parameters: readonly NamedParameter[]): string {
  return tsv(
    [
      ...['parameterId', 'parameterName', 'parameterScale', 'lowerBound', 'upperBound', 'nominalValue', 'estimate'],
      ...['objectivePriorType', 'objectivePriorParameters'],
    ],
    parameters.map(({ id, block }) => {
      const { of } = priorIn(block);
      const scale = of ?? (block.scale === 'log' ? 'log' : 'lin');
      if (scale !== 'lin' && scale !== 'log' && scale !== 'log10')
        refuse(`"${block.id}" has a prior of its ${scale}, which PEtab does not have`);
      const [type, numbers] = priorOf(block, priors1);
      const scaled =
        of === undefined
          ? type
          : (onScale[type] ?? refuse(`"${block.id}" has a ${type} prior of its ${of}, which PEtab does not have`));
      return [id, block.label ?? '', scale, ...numbersOf(block), '1', scaled, numbers];
    }),
  );
}

/** Bounds and the nominal value. */
function numbersOf(block: ParameterBlock): string[] {
  const number = (key: 'initial' | 'lower' | 'upper', none: number): string => {
    const given = block[key] ?? none;
    if (!isDocumentNumber(given)) return refuse(`"${block.id}" says ${key} by other than a number`);
    return printNumber(toNumber(given));
  };
  const low = block.support === 'positive' || block.scale === 'log' ? 0 : -Infinity;
  if (block.support !== undefined && block.support !== 'positive')
    refuse(`"${block.id}" has the support ${block.support}, which PEtab does not have`);
  return [number('lower', low), number('upper', Infinity), number('initial', NaN)];
}

const priorIn = ({ prior }: ParameterBlock): { readonly of?: string } => (prior ?? {}) as { readonly of?: string };

function priorOf({ id, prior }: ParameterBlock, priors: Priors): [type: string, numbers: string] {
  if (prior === undefined) return ['', ''];
  const { family, ...given } = prior as Readonly<Record<string, unknown>> & { readonly family: string };
  const known = priors[family];
  if (!known) return refuse(`"${id}" has the prior ${family}, which PEtab does not have`);
  const of = (key: string): number => {
    const value = given[key];
    return isDocumentNumber(value) ? toNumber(value) : refuse(`"${id}" has a prior that hangs on others`);
  };
  return [known[0], known[1](of).map(printNumber).join(';')];
}
