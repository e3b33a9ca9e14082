/** Figures that fits and studies report, by their keys in the contract: what each is called. None has a unit but where said. */

interface FigureFacts {
  /** As it is typeset. */
  readonly title: string;
  /** On a terminal, where that is another. */
  readonly plain?: string;
}

/** Of a parameter, by methods of sensitivity. */
export const figures = {
  derivative: { title: '∂f/∂p', plain: 'derivative' },
  elasticity: { title: 'elasticity' },
  mu: { title: 'μ', plain: 'mu' },
  muStar: { title: 'μ*', plain: 'mu*' },
  sigma: { title: 'σ', plain: 'sigma' },
  S1: { title: 'S₁', plain: 'S1' },
  ST: { title: 'Sᴛ', plain: 'ST' },
  S1Course: { title: 'S₁ along the rows' },
  STCourse: { title: 'Sᴛ along the rows' },
  dgsm: { title: 'E(∂f/∂p)²', plain: 'dgsm' },
  bound: { title: 'bound on Sᴛ', plain: 'bound on ST' },
  activityScore: { title: 'activity score' },
} as const satisfies Readonly<Record<string, FigureFacts>>;

export type FigureName = keyof typeof figures;

/** What holds the interval of a figure: `STInterval`. */
export const intervalEnding = 'Interval';

function factsOf(key: string): FigureFacts | undefined {
  return Object.hasOwn(figures, key) ? figures[key as FigureName] : undefined;
}

export function figureTitle(key: string): string {
  return factsOf(key)?.title ?? key;
}

export function plainTitle(key: string): string {
  const facts = factsOf(key);
  return facts?.plain ?? facts?.title ?? key;
}

interface StatisticFacts {
  readonly title: string;
  /** Where there is little room. */
  readonly short?: string;
}

/** Of a fit as a whole. The residual standard error has the unit of what is observed. */
export const statistics = {
  observations: { title: 'observations' },
  parameters: { title: 'free parameters' },
  degreesOfFreedom: { title: 'degrees of freedom' },
  residualStandardError: { title: 'residual standard error' },
  reducedChiSquared: { title: 'reduced χ²' },
  rSquared: { title: 'R²' },
  pseudoRSquared: { title: "McFadden's pseudo-R²", short: 'pseudo-R²' },
  logLikelihood: { title: 'log-likelihood' },
  aic: { title: 'AIC' },
  aicc: { title: 'AICc' },
  bic: { title: 'BIC' },
  runsTestZ: { title: 'runs test of the signs, z: below 0 there are fewer than at random', short: 'runs test, z' },
  runsTestP: { title: 'two-sided runs test of the signs, p', short: 'two-sided runs test, p' },
  normalityP: { title: 'Anderson–Darling test of normality, p', short: 'Anderson–Darling, p' },
} as const satisfies Readonly<Record<string, StatisticFacts>>;

export type StatisticName = keyof typeof statistics;

/** In the order in which they are read, with their names. */
export function listedStatistics(): readonly (StatisticFacts & { readonly key: StatisticName })[] {
  return Object.entries<StatisticFacts>(statistics).map(([key, facts]) => ({ ...facts, key: key as StatisticName }));
}

/** How well a model predicts what it has not seen: the figure `elpdLoo`, where models are compared. */
export const elpdLooFact = {
  title: 'ELPD, leave-one-out',
  noun: 'leave-one-out prediction',
  summary:
    'Expected log predictive density: Σ log p of each observation, by the estimate that all others give; the higher the better',
} as const;
