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
