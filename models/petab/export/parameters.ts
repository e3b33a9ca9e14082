/** The parameter table: what is estimated; the rest are numbers of the model and the formulas. Version 2 has no scale of a parameter, so that a prior of its logarithm cannot be said. */
import type { BlockOf } from '../../blocks/block.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { refuse } from '../../sbml/refusal.ts';
import { printNumber } from './print.ts';
import { tsv } from './tables.ts';

type ParameterBlock = BlockOf<'parameter'>;

/** Family → PEtab's name, and its numbers from ours. */
const priors: Readonly<Record<string, readonly [string, (of: (key: string) => number) => number[]]>> = {
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

export function parameterTable(parameters: readonly { readonly id: string; readonly block: ParameterBlock }[]): string {
  return tsv(
    [
      ...['parameterId', 'parameterName', 'lowerBound', 'upperBound', 'nominalValue', 'estimate'],
      ...['priorDistribution', 'priorParameters'],
    ],
    parameters.map(({ id, block }) => {
      const number = (key: 'initial' | 'lower' | 'upper', none: number): number => {
        const given = block[key] ?? none;
        return isDocumentNumber(given) ? toNumber(given) : refuse(`"${block.id}" says ${key} by other than a number`);
      };
      const low = block.support === 'positive' ? 0 : -Infinity;
      if (block.support !== undefined && block.support !== 'positive')
        refuse(`"${block.id}" has the support ${block.support}, which PEtab does not have`);
      return [
        id,
        block.label ?? '',
        printNumber(number('lower', low)),
        printNumber(number('upper', Infinity)),
        printNumber(number('initial', NaN)),
        'true',
        ...priorOf(block),
      ];
    }),
  );
}

function priorOf({ id, prior }: ParameterBlock): [string, string] {
  if (prior === undefined) return ['', ''];
  const { family, ...given } = prior as Readonly<Record<string, unknown>> & { readonly family: string };
  const known = priors[family];
  if (!known) return refuse(`"${id}" has the prior ${family}, which PEtab does not have`);
  if (given['of'] !== undefined)
    return refuse(
      `"${id}" has a prior of its ${String(given['of'])}, and version 2 of PEtab has priors of values alone`,
    );
  const of = (key: string): number => {
    const value = given[key];
    return isDocumentNumber(value) ? toNumber(value) : refuse(`"${id}" has a prior that hangs on others`);
  };
  return [known[0], known[1](of).map(printNumber).join(';')];
}
