import { familyArguments, families } from '../families.ts';
import type { KindFacts } from '../kind.ts';

export const likelihood: KindFacts = {
  title: 'likelihood',
  summary: 'The negative log-likelihood of what was observed.',
  group: 'objective',
  icon: 'objective',
  objective: true,
  ports: ['observed'],
  optional: familyArguments,
  fields: [
    {
      type: 'choice',
      key: 'family',
      label: 'Family',
      choices: Object.keys(families).map((family) => ({ value: family, label: family })),
    },
  ],
  equations: [['E = -\\sum_i \\log p(y_i \\mid f_i)', 'E is minus the sum of log p of y i given f i']],
  where: `p is one of the distributions ${Object.keys(families).join(', ')}.`,
  picture: { lines: 'M10 24.5H78M50 24.5V13', accent: 'M12 24C32 24 34 4 44 4S56 24 76 24' },
};
