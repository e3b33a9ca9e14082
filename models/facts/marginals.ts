/** The ways in which random effects are integrated out, as documents and the window name them. */

interface MarginalFacts {
  readonly title: string;
  /** One sentence on what it does. */
  readonly summary: string;
}

/** Those that a document names by a word; adaptive quadrature has its points, `{"agq": n}`. */
export const marginalFacts = {
  laplace: {
    title: 'Laplace’s approximation',
    summary: 'Exact where effects enter linearly and noise is normal: that of lmer without REML.',
  },
  reml: {
    title: 'Restricted likelihood (REML)',
    summary:
      'Means are integrated out too, so that variances of few groups are not too small: that of lmer. Such fits are compared with none.',
  },
  focei: {
    title: 'First order, with interaction (FOCEI)',
    summary: 'Laplace’s approximation with the expected information: that of NONMEM.',
  },
  foce: {
    title: 'First order (FOCE)',
    summary: 'The same, with the noise as it is where all effects are 0.',
  },
  fo: {
    title: 'First order about 0 (FO)',
    summary: 'Everything is taken where the effects are 0: quick, and biased where they are large.',
  },
} as const satisfies Readonly<Record<string, MarginalFacts>>;

export const quadratureFacts: MarginalFacts = {
  title: 'Adaptive quadrature',
  summary: 'So many points for each effect, about its mode: that of glmer with nAGQ.',
};

export const heldEffectsFacts: MarginalFacts = {
  title: 'Not at all: the joint mode',
  summary: 'Effects are fitted as parameters are: their variances come out too small.',
};
