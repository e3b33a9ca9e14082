/**
 * How near a field of the library is to what a table's columns are called. It decides nothing that data can decide: of two
 * shapes that are the same curve under other names (Michaelis–Menten, one site, Langmuir) the nearer one is meant.
 */
import type { Field, Shape } from '../library/shape.ts';
import type { Readings } from './readings.ts';
import { timeName } from './roles.ts';

const about: readonly (readonly [Field, RegExp])[] = [
  [
    'enzyme kinetics',
    /substrat|^\[?s\]?$|\brate|velocity|^v0?$|geschwindigkeit|enzym|kinetic|\bph\b|product|produkt/iu,
  ],
  [
    'dose-response',
    /dose|dosis|drug|^log|agonist|competitor|response|inhib|viab|surviv|activity|aktivität|effect|toxic|compound|elisa|density/iu,
  ],
  [
    'binding',
    /ligand|bound|gebunden|binding|bindung|displac|competit|anisotrop|urea|denatur|radiol|receptor|agonist/iu,
  ],
  ['pharmacokinetics', /plasma|serum|blood|^cp$|subject|patient|conc|konz/iu],
  [
    'growth',
    /weight|gewicht|height|length|size|cfu|\bod|cells|population|growth|biomass|age|alter|circumf|yield|ertrag/iu,
  ],
  [
    'peaks',
    /wavelength|wellenl|intens|counts?|channel|kanal|theta|raman|m\/z|wavenumber|absorb|energy|energie|retention/iu,
  ],
  [
    'physical chemistry',
    /adsor|isotherm|press?|druck|temp|kelvin|^qe?$|^ce$|uptake|volt|spannung|p\/p0|current|strom|frequen|arrh|^1\/t$|rate const/iu,
  ],
  ['calibration', /standard|calib|kalib|absorb|extinkt|peak area|fläche|signal|added|zugabe/iu],
  ['decay and association', /decay|zerfall|fluoresc|fluoresz|signal|activity|release|freisetz|remaining/iu],
  [
    'periodic',
    /tide|season|circadian|displacement|oscill|auslenk|pendul|flux|magnitude|phase|angle|winkel|month|monat/iu,
  ],
];

/** Whether the columns bear names that say anything: `x`, `k` and `column2` do not. */
export function saysSomething({ x, y }: Readings): boolean {
  const plain = /^(?:column\d+|\p{L}\d?|value|signal|data|wert)$/iu;
  return [x, y].some((each) => each !== undefined && !plain.test(each.name));
}

/** Fields in which x is time, and others. */
const inTime: ReadonlySet<Field> = new Set(['decay and association', 'growth', 'pharmacokinetics', 'periodic']);
const inDose: ReadonlySet<Field> = new Set(['dose-response', 'binding', 'enzyme kinetics', 'calibration']);

type Placed = Pick<Shape, 'field' | 'over'>;

const abscissaOf = ({ field, over }: Placed): Shape['over'] =>
  over ?? (inTime.has(field) ? 'time' : inDose.has(field) ? 'dose' : undefined);

/** `S` in mM is no second. */
const concentration = /^(?:[pnuµμm]?M|.*mol.*|[pnuµμmk]?g\/.*|.*\/(?:m?L|ml|µl|dL)|%)$/u;

const rateName = /\brate|velocity|^v0?$|geschwindigkeit/iu;
/** Seconds have no capital; over `s` a rate is read as over `S`. */
const isSubstrate = ({ x, y }: Readings): boolean => x?.name === 'S' || (x?.name === 's' && rateName.test(y.name));

const isInTime = (readings: Readings): boolean => {
  const { x } = readings;
  if (x === undefined) return false;
  if (/^(?:m?s|min|h|d|yr?)$/.test(x.unit)) return true;
  return timeName.test(x.name) && !concentration.test(x.unit) && !x.name.startsWith('[') && !isSubstrate(readings);
};
const doseName = /dose|dosis|conc|konz|substrat|ligand/iu;
/** A single letter may be a concentration. */
const isInDose = ({ x }: Readings): boolean =>
  x !== undefined && (doseName.test(x.name) || /^\[?[A-Z]\]?$/iu.test(x.name));

/** Whether x is a time where the shape has doses, or the other way round: it would be a mere curve there. */
export function contradicts(readings: Readings): (shape: Placed) => boolean {
  const [isTime, isDose] = [isInTime(readings), doseName.test(readings.x?.name ?? '')];
  return (shape) => isTime !== isDose && abscissaOf(shape) === (isTime ? 'dose' : 'time');
}

/** How many of the columns have a name of the field. */
export function namesOf({ x, y, dose, group }: Readings): (field: Field) => number {
  const quantities = [x, y, dose, group].flatMap((each) => (each ? [each.name] : []));
  return (field) => {
    const words = about.find(([each]) => each === field)?.[1];
    return words === undefined ? 0 : quantities.filter((name) => words.test(name)).length;
  };
}

export function relevanceOf(readings: Readings): (shape: Placed) => number {
  const { dose } = readings;
  const named = namesOf(readings);
  const [isTime, isDose] = [isInTime(readings), isInDose(readings)];
  return (shape) => {
    const [over, { field }] = [abscissaOf(shape), shape];
    const fits = (isTime && over === 'time') || (isDose && over === 'dose') ? 1.5 : 0;
    const clashes = (isTime && over === 'dose') || (isDose && over === 'time') ? 1 : 0;
    return named(field) + fits - clashes + (field === 'pharmacokinetics' ? (dose ? 2 : -2) : 0);
  };
}
