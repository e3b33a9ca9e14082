import type { UncertaintyFacts } from '../../method.ts';

export const profile = {
  title: 'Profile likelihood',
  summary: 'All others are fitted again along each parameter, until the data exclude its value.',
  inSentence: 'profile likelihood',
  trust: 2,
  shards: 'elements of free parameters',
  equations: [
    ['\\mathrm{PL}(\\theta_j) = \\min_{\\theta_k,\\; k \\ne j} E(\\theta)', 'the least E over all other parameters'],
  ],
  where:
    'The interval ends where the profile has risen by as much as noise explains. Sees one-sided and open intervals.',
  source: 'Bates & Watts 1988, DOI 10.1002/9780470316757',
} as const satisfies UncertaintyFacts;
