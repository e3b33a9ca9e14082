/** What a scientist who looks for her own kind of model would look under. */
export type Field =
  | 'pharmacology'
  | 'biochemistry'
  | 'epidemiology'
  | 'ecology'
  | 'hydrology'
  | 'geophysics'
  | 'spectroscopy'
  | 'physics'
  | 'psychology'
  | 'finance';

/** The example documents that ship, in the order in which they are offered. A test holds the list against the folder. */
export interface CatalogueEntry {
  /** Of the file `NAME.cot.json` in this folder. */
  readonly name: string;
  /** The document's own name. */
  readonly title: string;
  readonly field: Field;
  /** One line: what it shows. */
  readonly summary: string;
  /** Where the data are from. */
  readonly origin: string;
}

const theophylline = 'Boeckmann, Sheiner and Beal (1994); R, datasets: Theoph';
const nist = (name: string) => `NIST Statistical Reference Datasets: ${name}`;

export const catalogue: readonly CatalogueEntry[] = [
  {
    name: 'theophylline-oral',
    title: 'Theophylline: twelve subjects, each with their own rates',
    field: 'pharmacology',
    summary: 'gather takes 36 parameters, three a subject, to the rows of one table',
    origin: theophylline,
  },
  {
    name: 'pharmacokinetics-scan',
    title: 'Theophylline: dosing as a linear scan',
    field: 'pharmacology',
    summary: 'amounts in gut and body as scans with an operator of the model',
    origin: theophylline,
  },
  {
    name: 'theophylline-population',
    title: 'Theophylline: a population of twelve subjects',
    field: 'pharmacology',
    summary: 'rates that are log-normal over the subjects, integrated out of the likelihood',
    origin: theophylline,
  },
  {
    name: 'sleep-study',
    title: 'Sleep study: each subject’s own slope',
    field: 'psychology',
    summary: 'intercepts and slopes that vary together, as lmer has them',
    origin: 'Belenky and others (2003); R, lme4: sleepstudy',
  },
  {
    name: 'epileptic-seizures',
    title: 'Epileptic seizures: counts with a random intercept',
    field: 'epidemiology',
    summary: 'Poisson counts of patients with rates of their own, by adaptive quadrature',
    origin: 'Thall and Vail (1990); R, MASS: epil',
  },
  {
    name: 'old-faithful',
    title: 'Old Faithful: waiting times in bins',
    field: 'geophysics',
    summary: 'a histogram of data, and a Poisson likelihood of the counts expected',
    origin: 'Azzalini and Bowman (1990); R, datasets: faithful',
  },
  {
    name: 'chick-growth',
    title: 'Chick growth: a logistic recurrence',
    field: 'ecology',
    summary: 'a recurrence that starts from a parameter, read at the days observed',
    origin: 'Crowder and Hand (1990); R, datasets: ChickWeight',
  },
  {
    name: 'influenza-sir',
    title: 'Influenza in a boarding school: an epidemic as differential equations',
    field: 'epidemiology',
    summary: 'an ode block, with exact derivatives through its solver',
    origin: 'British Medical Journal 1 (1978) 587',
  },
  {
    name: 'hare-lynx',
    title: 'Hares and lynxes: predator and prey',
    field: 'ecology',
    summary: 'two equations with two likelihoods: Lotka and Volterra on 21 years of pelts',
    origin: 'Hudson’s Bay Company; Odum (1953), Howard (2009)',
  },
  {
    name: 'lynx-cycle',
    title: 'Lynx: a cycle of ten years',
    field: 'ecology',
    summary: 'two equations of which one is never seen, over 114 years; and what they leave',
    origin: 'Elton and Nicholson (1942); R, datasets: lynx',
  },
  {
    name: 'rainfall-runoff',
    title: 'Rain to runoff: a quick and a slow reservoir',
    field: 'hydrology',
    summary: 'two linear reservoirs as scans; the data are generated, their truth is known',
    origin: 'generated; README of the catalogue',
  },
  {
    name: 'nile-level',
    title: 'The Nile at Aswan: a river’s level under noise',
    field: 'hydrology',
    summary: 'a Kalman filter as a recurrence, and the likelihood of its forecasts',
    origin: 'Cobb (1978); R, datasets: Nile',
  },
  {
    name: 'dax-volatility',
    title: 'DAX: volatility that clusters, GARCH(1,1)',
    field: 'finance',
    summary: 'a variance that remembers, as a linear scan over 1,860 trading days',
    origin: 'R, datasets: EuStockMarkets',
  },
  {
    name: 'fiji-earthquakes',
    title: 'Earthquakes near Fiji: the Gutenberg–Richter law',
    field: 'physics',
    summary: 'binned counts with a Poisson likelihood, and small events that are missed',
    origin: 'Harvard PRIM-H; R, datasets: quakes',
  },
  {
    name: 'gauss3',
    title: 'Gauss3: two blended peaks on a decaying baseline',
    field: 'spectroscopy',
    summary: 'heights, centres and widths of peaks that overlap',
    origin: nist('Gauss3'),
  },
  {
    name: 'puromycin',
    title: 'Puromycin: enzyme kinetics with and without treatment',
    field: 'biochemistry',
    summary: 'Michaelis–Menten constants for each state of the enzyme',
    origin: 'Treloar (1974); R, datasets: Puromycin',
  },
  {
    name: 'dnase-assay',
    title: 'DNase: a four-parameter logistic curve',
    field: 'biochemistry',
    summary: 'a calibration curve with a parameter on a log scale',
    origin: 'Davidian and Giltinan (1995); R, datasets: DNase',
  },
  {
    name: 'orange-trees',
    title: 'Orange trees: logistic growth',
    field: 'ecology',
    summary: 'shared and individual parameters in one fit',
    origin: 'Draper and Smith (1998); R, datasets: Orange',
  },
  {
    name: 'misra1a',
    title: 'Misra1a: adsorption of a monomolecular layer',
    field: 'physics',
    summary: 'two parameters from a distant start',
    origin: nist('Misra1a'),
  },
  {
    name: 'thurber',
    title: 'Thurber: electron mobility of silicon',
    field: 'physics',
    summary: 'a rational curve, higher difficulty',
    origin: nist('Thurber'),
  },
  {
    name: 'mgh17',
    title: 'MGH17: two decaying exponentials',
    field: 'physics',
    summary: 'a narrow curved valley on the way down',
    origin: nist('MGH17'),
  },
  {
    name: 'hahn1',
    title: 'Hahn1: thermal expansion of copper',
    field: 'physics',
    summary: 'seven parameters over eight orders of magnitude',
    origin: nist('Hahn1'),
  },
];
