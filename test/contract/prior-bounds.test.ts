/** A prior whose arguments are bounds holds its parameter as bounds do: the mode may lie at an end. */
import { expect, it } from 'vitest';
import { constant, documentOf, fitJson, map, parameter, written } from '../support/command-line.ts';

interface Fit {
  readonly status: string;
  readonly decrement: number;
  readonly parameters: Readonly<Record<string, { readonly value: number }>>;
}

it.each([
  ['uniform', 0.7, 9, 'linear', 0.7],
  ['uniform', 0.1, 0.4, 'linear', 0.4],
  ['log-uniform', 0.7, 9, 'log', 0.7],
  ['uniform', 0.1, 9, 'linear', 0.5],
] as const)('%s on [%s, %s], on a %s scale', async (family, lower, upper, scale, mode) => {
  const path = written(
    documentOf(
      [
        constant('y', [0.3, 0.8, 0.4]),
        parameter('m', (lower + Math.min(upper, 1)) / 2, { scale, prior: { family, lower, upper } }),
        map('at', 'm'),
        { id: 'l', kind: 'least-squares', prediction: 'at', observed: 'y', sigma: 0.5 },
      ],
      { objective: 'l' },
    ),
  );
  for (const method of ['l-bfgs-b', 'newton-cg', 'nelder-mead']) {
    const fit = await fitJson<Fit>([path, '--method', method]);
    expect(fit).toMatchObject({ status: 'converged' });
    expect(fit.parameters['m']!.value).toBeCloseTo(mode, 6);
    expect(fit.decrement).toBeLessThan(1e-6);
  }
});

it.each([
  ['exponential', { rate: 1 }, 0],
  ['half-normal', { sd: 1 }, 0],
  ['half-cauchy', { scale: 1 }, 0],
  ['gamma', { shape: 1, rate: 2 }, 0],
  ['beta', { alpha: 1, beta: 1 }, 0],
  ['beta', { alpha: 2, beta: 1 }, 1],
] as const)('the end of what is positive, or a share: %s %o', async (family, args, mode) => {
  const path = written(
    documentOf(
      [
        constant(
          'y',
          [-0.3, 0.2, -0.4].map((y) => y + 2 * mode),
        ),
        parameter('m', 0.5, { prior: { family, ...args } }),
        map('at', 'm'),
        { id: 'l', kind: 'least-squares', prediction: 'at', observed: 'y', sigma: 0.5 },
      ],
      { objective: 'l' },
    ),
  );
  for (const method of ['l-bfgs-b', 'newton-cg', 'nelder-mead', 'adam']) {
    const fit = await fitJson<Fit>([path, '--method', method]);
    expect(fit).toMatchObject({ status: 'converged', parameters: { m: { value: mode, standardError: null } } });
  }
});
