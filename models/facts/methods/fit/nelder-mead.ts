import type { FitFacts } from '../../method.ts';

export const nelderMead = {
  title: 'Nelder–Mead',
  summary: 'A simplex without derivatives: for few parameters.',
  equations: [
    ['u_r = \\bar u + \\alpha\\,(\\bar u - u_{\\text{worst}})', 'the worst corner is reflected through the centre'],
  ],
  where: 'Asks for values alone. For up to some ten parameters.',
  source: 'Gao & Han 2012, DOI 10.1007/s10589-010-9329-3',
} as const satisfies FitFacts;
