/** The example documents that ship, in the order in which they are offered. A test holds the list against the folder. */
export interface CatalogueEntry {
  /** Of the file `NAME.cot.json` in this folder. */
  readonly name: string;
  /** The document's own name. */
  readonly title: string;
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
    summary: 'gather takes 36 parameters, three a subject, to the rows of one table',
    origin: theophylline,
  },
  {
    name: 'pharmacokinetics-scan',
    title: 'Theophylline: dosing as a linear scan',
    summary: 'amounts in gut and body as scans with an operator of the model',
    origin: theophylline,
  },
  {
    name: 'old-faithful',
    title: 'Old Faithful: waiting times in bins',
    summary: 'a histogram of data, and a Poisson likelihood of the counts expected',
    origin: 'Azzalini and Bowman (1990); R, datasets: faithful',
  },
  {
    name: 'chick-growth',
    title: 'Chick growth: a logistic recurrence',
    summary: 'a recurrence that starts from a parameter, read at the days observed',
    origin: 'Crowder and Hand (1990); R, datasets: ChickWeight',
  },
  {
    name: 'influenza-sir',
    title: 'Influenza in a boarding school: an epidemic as differential equations',
    summary: 'an ode block, with exact derivatives through its solver',
    origin: 'British Medical Journal 1 (1978) 587',
  },
  {
    name: 'puromycin',
    title: 'Puromycin: enzyme kinetics with and without treatment',
    summary: 'Michaelis–Menten constants for each state of the enzyme',
    origin: 'Treloar (1974); R, datasets: Puromycin',
  },
  {
    name: 'dnase-assay',
    title: 'DNase: a four-parameter logistic curve',
    summary: 'a calibration curve with a parameter on a log scale',
    origin: 'Davidian and Giltinan (1995); R, datasets: DNase',
  },
  {
    name: 'orange-trees',
    title: 'Orange trees: logistic growth',
    summary: 'shared and individual parameters in one fit',
    origin: 'Draper and Smith (1998); R, datasets: Orange',
  },
  {
    name: 'misra1a',
    title: 'Misra1a: adsorption of a monomolecular layer',
    summary: 'two parameters from a distant start',
    origin: nist('Misra1a'),
  },
  {
    name: 'thurber',
    title: 'Thurber: electron mobility of silicon',
    summary: 'a rational curve, higher difficulty',
    origin: nist('Thurber'),
  },
  {
    name: 'mgh17',
    title: 'MGH17: two decaying exponentials',
    summary: 'a narrow curved valley on the way down',
    origin: nist('MGH17'),
  },
  {
    name: 'hahn1',
    title: 'Hahn1: thermal expansion of copper',
    summary: 'seven parameters over eight orders of magnitude',
    origin: nist('Hahn1'),
  },
];
