/** Ligands that bind at equilibrium, over the concentration of free or added ligand. */
import { all, exponent, fromZero, half, level, places, positive, rises, slope } from '../parameters.ts';
import type { Shape } from '../shape.ts';

const motulsky = 'Motulsky and Christopoulos, Fitting Models to Biological Data, Oxford 2004';
const bmax = level('what binds when all sites are taken');
const kd = half('concentration at which half the sites are taken');
const binds = all(fromZero, rises);

export const binding: readonly Shape[] = [
  {
    name: 'one-site-binding',
    title: 'One site, specific binding',
    field: 'binding',
    formula: 'Bmax*x/(Kd + x)',
    parameters: { Bmax: bmax, Kd: kd },
    suits: all(binds, places(4)),
    use: 'Saturation by one kind of independent sites.',
    reference: 'Langmuir, J. Am. Chem. Soc. 40 (1918) 1361; Hulme and Trevethick, Br. J. Pharmacol. 161 (2010) 1219',
  },
  {
    name: 'one-site-nonspecific',
    title: 'One site with nonspecific binding',
    field: 'binding',
    formula: 'Bmax*x/(Kd + x) + NS*x',
    parameters: { Bmax: bmax, Kd: kd, NS: slope('nonspecific binding per concentration') },
    suits: all(binds, places(5)),
    use: 'Total binding: saturation and a part that never saturates.',
    reference: motulsky,
  },
  {
    name: 'one-site-background',
    title: 'One site on a background',
    field: 'binding',
    formula: 'background + Bmax*x/(Kd + x)',
    parameters: { background: level('signal without ligand'), Bmax: bmax, Kd: kd },
    suits: all(fromZero, places(5)),
    use: 'A titration whose signal does not begin at 0; Bmax may be negative.',
    reference: motulsky,
  },
  {
    name: 'hill-binding',
    title: 'Cooperative binding (Hill)',
    field: 'binding',
    formula: 'Bmax*x^h/(Kd^h + x^h)',
    parameters: { Bmax: bmax, Kd: kd, h: exponent('Hill coefficient', 0.3, 5) },
    suits: all(binds, places(5), ({ low }) => low > 0),
    use: 'Sites that help or hinder one another.',
    reference: 'Hill, J. Physiol. 40 (1910) iv',
  },
  {
    name: 'two-site-binding',
    title: 'Two sites',
    field: 'binding',
    formula: 'Bmax1*x/(Kd1 + x) + Bmax2*x/(Kd2 + x)',
    parameters: {
      Bmax1: level('sites of the first kind'),
      Kd1: half('concentration at which half the first are taken'),
      Bmax2: level('sites of the second kind'),
      Kd2: half('concentration at which half the second are taken'),
    },
    suits: all(binds, places(7)),
    use: 'Two kinds of independent sites, of high and low affinity.',
    reference: motulsky,
  },
  {
    name: 'ligand-depletion',
    title: 'Binding with ligand depletion',
    field: 'binding',
    formula: 's = R + x + Kd\nbackground + amplitude*(s - sqrt(s^2 - 4*R*x))/(2*R)',
    parameters: {
      background: level('signal without ligand'),
      amplitude: level('change of the signal when all sites are taken'),
      R: half('concentration of sites', 1),
      Kd: half('dissociation constant', 20),
    },
    suits: all(fromZero, places(6)),
    use: 'So many sites that they use up the ligand: x is what was added, not what is free.',
    reference: 'Swillens, Mol. Pharmacol. 47 (1995) 1197',
  },
  {
    name: 'competition',
    title: 'Competition at one site',
    field: 'binding',
    formula: 'NS + (total - NS)/(1 + x/IC50)',
    parameters: {
      NS: level('nonspecific binding'),
      total: level('binding without competitor'),
      IC50: half('concentration that displaces half; Ki = IC50/(1 + [L]/Kd)'),
    },
    suits: all(fromZero, ({ trend }) => trend < 0, places(5)),
    use: 'An unlabelled ligand displaces a labelled one.',
    reference: 'Cheng and Prusoff, Biochem. Pharmacol. 22 (1973) 3099',
  },
  {
    name: 'two-site-competition',
    title: 'Competition at two sites',
    field: 'binding',
    formula: 'NS + A1/(1 + x/IC50a) + A2/(1 + x/IC50b)',
    parameters: {
      NS: level('nonspecific binding'),
      A1: level('binding to the sites of high affinity'),
      IC50a: half('concentration that displaces half of the first'),
      A2: level('binding to the sites of low affinity'),
      IC50b: half('concentration that displaces half of the second'),
    },
    suits: all(fromZero, ({ trend }) => trend < 0, places(8)),
    use: 'A competitor that tells two kinds of sites apart.',
    reference: motulsky,
  },
  {
    name: 'two-state-unfolding',
    narrow: true,
    title: 'Two-state unfolding by a denaturant',
    field: 'binding',
    formula: 'K = exp(m*(x - Cm))\n(aN + bN*x + (aU + bU*x)*K)/(1 + K)',
    parameters: {
      aN: level('signal of the native state'),
      bN: slope('its slope'),
      aU: level('signal of the unfolded state'),
      bU: slope('its slope'),
      m: positive('steepness, m/RT', '1/x', ({ span }) => [4 / span, 120 / span]),
      Cm: half('concentration of denaturant at the middle', 1),
    },
    suits: all(fromZero, places(12)),
    use: 'A protein that unfolds in urea or guanidine, with sloping baselines.',
    reference: 'Santoro and Bolen, Biochemistry 27 (1988) 8063',
  },
];
