import type { KindFacts } from '../kind.ts';

export const recurrence: KindFacts = {
  title: 'recurrence',
  summary: 'A state that steps on from its last value: growth, epidemics, filters.',
  group: 'combine',
  icon: 'recurrence',
  ports: [],
  fields: [
    { type: 'state', key: 'state', label: 'State', formula: 'next' },
    { type: 'number', key: 'steps', label: 'Steps' },
    {
      type: 'choice',
      key: 'emit',
      label: 'Gives',
      choices: [
        { value: undefined, label: 'the trajectory' },
        { value: 'final', label: 'the final state' },
      ],
    },
  ],
  equations: [['s_t = f(s_{t-1},\\, u_t)', 's at t is f of s at t minus 1 and u at t']],
  where: 's begins at its initial value; the inputs u step along with t.',
  picture: { before: [1.2], after: [1.2, 2.4, 4.8, 9.6] },
};
