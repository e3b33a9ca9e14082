import { numeric, numericArray, type Recipe } from './recipe.ts';

/** One likelihood with its numbers; what is predicted is its `mean` unless said. */
const of = (
  hint: string,
  words: string,
  make: Recipe['make'],
  { port, takes }: Required<Pick<Recipe, 'port' | 'takes'>> = { port: 'mean', takes: numericArray },
): Recipe => ({
  kind: 'likelihood',
  title: 'likelihood',
  hint,
  words: `objective ${words}`,
  stem: 'likelihood',
  make,
  port,
  takes,
  gives: () => 'real',
  noOutput: true,
});

export const likelihood: readonly Recipe[] = [
  of('Poisson counts', 'poisson negative log', { family: 'poisson' }),
  of(
    'of observed Poisson counts',
    'poisson data observations',
    { family: 'poisson' },
    { port: 'observed', takes: numericArray },
  ),
  of('normal errors', 'gaussian negative log', { family: 'normal', sigma: 1 }),
  of('binomial', 'logistic probability', { family: 'binomial', trials: 1 }, { port: 'probability', takes: numeric }),
  of('heavy tails', 'robust outliers student', { family: 'student-t', scale: 1, degrees: 4 }),
  of('overdispersed counts', 'negative binomial overdispersion', { family: 'negative-binomial', dispersion: 1 }),
  of('errors in proportion', 'lognormal multiplicative', { family: 'log-normal', sigma: 1 }),
];
