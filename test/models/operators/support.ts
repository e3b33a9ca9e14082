import type { ElementType } from '../../../engine/0-ir/types.ts';
import { loadOperator, type LoadOptions, type LoadResult } from '../../../models/operators/load.ts';
import type { WrittenOperator } from '../../../models/operators/schema.ts';

/** An operator of one component over `a` and `b`. */
export function scalar(
  result: string,
  neutral: WrittenOperator['neutral'][number],
  more: Partial<WrittenOperator> = {},
) {
  return { left: ['a'], right: ['b'], result: [result], neutral: [neutral], ...more } satisfies WrittenOperator;
}

export function matrixProduct(q: number): WrittenOperator {
  const indices = Array.from({ length: q }, (_, i) => i);
  const names = (matrix: string) => indices.flatMap((i) => indices.map((j) => `${matrix}${i}_${j}`));
  return {
    left: names('a'),
    right: names('b'),
    result: indices.flatMap((i) => indices.map((j) => indices.map((k) => `a${i}_${k}*b${k}_${j}`).join(' + '))),
    neutral: indices.flatMap((i) => indices.map((j) => (i === j ? 1 : 0))),
  };
}

export const anyNumber = ['-Infinity', 'Infinity'] as const;
export const notNegative = [0, 'Infinity'] as const;

export const sumOfProducts: WrittenOperator = {
  left: ['p1', 's1'],
  right: ['p2', 's2'],
  result: ['p1 + p2 + s1*s2', 's1 + s2'],
  neutral: [0, 0],
  commutative: true,
  inverse: ['p1 - p2 - (s1 - s2)*s2', 's1 - s2'],
};

/** (count, mean, sum of squared deviations) */
export const moments: WrittenOperator = {
  left: ['n1', 'm1', 'q1'],
  right: ['n2', 'm2', 'q2'],
  result: ['n1 + n2', '(n1*m1 + n2*m2)/(n1 + n2)', 'q1 + q2 + (m2 - m1)^2*n1*n2/(n1 + n2)'],
  neutral: [0, 0, 0],
  commutative: true,
};

export const linearFunctions: WrittenOperator = {
  left: ['b1', 'c1'],
  right: ['b2', 'c2'],
  result: ['b2 + c2*b1', 'c2*c1'],
  neutral: [0, 1],
};

export const largestAndPlace: WrittenOperator = {
  left: ['v1', 'i1'],
  right: ['v2', 'i2'],
  result: ['max(v1, v2)', 'if(v1 >= v2, i1, i2)'],
  neutral: ['-Infinity', -1],
};

export function load(operator: WrittenOperator, options: LoadOptions = {}, type: ElementType = 'real'): LoadResult {
  return loadOperator(
    operator,
    operator.left.map(() => type),
    options,
  );
}

/** The messages of the errors, or [] where there is none. */
export function messages(result: LoadResult): string[] {
  return result.ok ? [] : result.errors.map((error) => error.message);
}
