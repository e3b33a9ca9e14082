/** What a parameter has to be for a prior of all its elements together, and what the arguments of that. */
import { jointPriorNames } from '../../facts/families.ts';
import { denseNumbers, type Nested } from '../../notation/numbers.ts';
import {
  isDefinite,
  isReference,
  jointArguments,
  mostColumns,
  type JointArgument,
  type JointPrior,
} from '../../objective/joint-priors.ts';
import { portOf } from '../../objective/priors.ts';
import type { SupportName } from '../../facts/supports.ts';
import type { InferContext, Sizes, Wire } from '../kind.ts';
import { wantNumber } from './convert.ts';
import { printSizes } from './sizes.ts';

export const isJoint = (prior: unknown): prior is JointPrior =>
  typeof prior === 'object' &&
  prior !== null &&
  'family' in prior &&
  (jointPriorNames as readonly unknown[]).includes(prior.family);

const givenArguments = (prior: JointPrior): [JointArgument, Nested | string][] =>
  Object.entries(prior).flatMap(([key, value]) => (key === 'family' ? [] : [[key as JointArgument, value]]));

export const jointWires = (prior: JointPrior): Wire[] =>
  givenArguments(prior).flatMap(([key, value]) => (isReference(value) ? [{ port: portOf(key), ref: value }] : []));

export function jointFits(
  context: InferContext,
  prior: JointPrior,
  support: SupportName | undefined,
  sizes: Sizes,
): boolean {
  const refuse = (why: string, port = 'prior'): false => {
    context.fail(why, { port });
    return false;
  };
  const keys = jointArguments(prior);
  if (typeof keys === 'string') return refuse(keys);
  const columns = sizes.at(-1)?.value ?? 0;
  if (prior.family === 'lkj' && support !== 'correlation')
    return refuse('a lkj prior is of a correlation matrix: say "support": "correlation"');
  if (prior.family !== 'lkj' && (sizes.length === 0 || sizes.length > 2 || columns === 0))
    return refuse(
      `a ${prior.family} prior wants a list, or a matrix of which each row is drawn, got ${printSizes(sizes)}`,
    );
  if (columns > mostColumns)
    return refuse(`a ${prior.family} prior takes up to ${mostColumns} elements together, got ${columns}`);
  const whole = sizes.map(({ value }) => value);
  return keys.every((key) => argumentFits(context, key, prior[key]!, whole));
}

/** The shapes that each argument may have, of a parameter of this shape. */
const shapesOf = (key: JointArgument, whole: readonly number[]): readonly (readonly number[])[] => {
  const columns = whole.at(-1)!;
  if (key === 'shape') return [[]];
  if (key === 'covariance' || key === 'correlation') return [[columns, columns]];
  return [[], [columns], ...(key === 'mean' && whole.length === 2 ? [whole] : [])];
};

function argumentFits(
  context: InferContext,
  key: JointArgument,
  said: Nested | string,
  whole: readonly number[],
): boolean {
  const port = portOf(key);
  const given = isReference(said) ? referred(context, port) : denseNumbers(said);
  if (given === undefined) return false;
  const refuse = (why: string): false => {
    context.fail(`"${port}" ${why}`, { port });
    return false;
  };
  if (typeof given === 'string') return refuse(`is ${given}`);
  const shapes = shapesOf(key, whole);
  const printed = (shape: readonly number[]): string => (shape.length === 0 ? 'a number' : `[${shape.join(', ')}]`);
  if (!shapes.some((shape) => shape.length === given.shape.length && shape.every((size, i) => size === given.shape[i])))
    return refuse(`wants ${shapes.map(printed).join(' or ')}, got ${printed(given.shape)}`);
  const { values } = given;
  if (!values) return true;
  if (key !== 'covariance' && key !== 'correlation') {
    const wrong = values.find((x) => !Number.isFinite(x) || (key !== 'mean' && x <= 0));
    return wrong === undefined || refuse(`wants finite numbers${key === 'mean' ? '' : ' above 0'}, got ${wrong}`);
  }
  const columns = whole.at(-1)!;
  if (!isDefinite(values, columns)) return refuse('wants a matrix that is symmetric and positive definite');
  const off = key === 'correlation' && values.find((x, i) => i % (columns + 1) === 0 && Math.abs(x - 1) > 1e-8);
  return typeof off !== 'number' || refuse(`wants 1 on the diagonal, got ${off}`);
}

/** Its shape, and its values where it is data. */
function referred(context: InferContext, port: string) {
  const output = wantNumber(context, port, context.input(port));
  return (
    output && {
      shape: output.sizes.map(({ value }) => value),
      values: output.data && Array.from(output.data),
    }
  );
}
