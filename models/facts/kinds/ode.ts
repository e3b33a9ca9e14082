import type { KindFacts } from '../kind.ts';

export const ode: KindFacts = {
  title: 'differential equation',
  summary: 'Differential equations, solved at given times.',
  group: 'combine',
  icon: 'recurrence',
  ports: ['times'],
  fields: [
    { type: 'state', key: 'state', label: 'State', formula: 'rate' },
    {
      type: 'choice',
      key: 'method',
      label: 'Method',
      choices: [
        { value: undefined, label: 'Found by the solver' },
        { value: 'explicit', label: 'Explicit, steps as found' },
        { value: 'stiff', label: 'Stiff, steps as found' },
        { value: 'rk4', label: 'Runge–Kutta, fixed steps' },
        { value: 'rosenbrock', label: 'Rosenbrock, fixed steps' },
      ],
    },
    { type: 'number', key: 'substeps', label: 'Fixed substeps', hint: 'none' },
  ],
  equations: [['\\dot s = f(s,\\, t,\\, \\theta), \\quad s(t_0) = s_0', 'the rate of s is f of s, t and theta']],
  where: 'Solved to a tolerance at the given times; steps never cross a dose or a jump.',
  picture: { lines: 'M14 3V24.5H76', accent: 'M14 6C24 20 36 23 74 23.5' },
};
