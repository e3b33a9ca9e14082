/**
 * A method of low order that keeps what is not below 0 from going there, for steps in which a method of high order asks for
 * a rate that has no value: the stages of those go below 0 where a state begins at 0 and grows late, however short the
 * step, and there x^n, √x and log x are NaN.
 *
 *   k₁ = f(x, t),  k₂ = f(x + hk₁, t + h),  x(t + h) = x + h/2·(k₁ + k₂),   error = h/2·(k₂ − k₁)
 *
 * x(t + h) is half of x and half of two steps by Euler, so that it is not below 0 where these are not. The error is Euler's.
 * Gottlieb, Shu & Tadmor, Strong Stability-Preserving High-Order Time Discretization Methods, SIAM Review 43 (2001), section 2.
 */
import {
  realLiteral,
  type ScalarApply,
  type ScalarBlock,
  type ScalarFunction,
  type ScalarOperation,
} from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
import type { EmbeddedMethod } from './embedded.ts';

export const careful: EmbeddedMethod = {
  order: 2,
  caution: { relative: 10, absolute: 10 },
  step(s, equations, states, h) {
    const e = expression(s);
    const first = equations.rates(states, realLiteral(0), 0);
    const euler = states.map((x, i) => e.add(x, e.multiply(h, first[i]!)));
    const second = equations.rates(euler, h, 1);
    const half = e.multiply(realLiteral(0.5), h);
    return {
      states: states.map((x, i) => e.add(x, e.multiply(half, e.add(first[i]!, second[i]!)))),
      errors: states.map((_, i) => e.multiply(half, e.subtract(second[i]!, first[i]!))),
    };
  },
};

/** Of arguments below 0 they have no value, at most at some. */
const ofPositive: ReadonlySet<ScalarOperation> = new Set(['pow', 'sqrt', 'log', 'log2', 'log10', 'log1p', 'xlogy']);

/** Whether it may have no value because something is below 0. */
export function needsCare(fn: ScalarFunction): boolean {
  const asks = ({ operation, operands: [x, exponent] }: ScalarApply): boolean =>
    ofPositive.has(operation) &&
    x?.kind === 'variable' &&
    !(operation === 'pow' && exponent?.kind === 'literal' && Number.isInteger(exponent.value));
  const within = (block: ScalarBlock): boolean =>
    block.statements.some((statement) =>
      statement.kind === 'if' ? within(statement.then) || within(statement.else) : asks(statement),
    );
  return within(fn.body);
}
