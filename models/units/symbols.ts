/** What symbols of units mean: a factor, and powers of base units. */

export interface Meaning {
  readonly factor: number;
  readonly powers: Readonly<Record<string, number>>;
}

type Dimensions = Meaning['powers'];

const length: Dimensions = { m: 1 };
const mass: Dimensions = { g: 1 };
const time: Dimensions = { s: 1 };
const energy: Dimensions = { g: 1, m: 2, s: -2 };

const unit = (factor: number, powers: Dimensions): Meaning => ({ factor, powers });

/** Those that take prefixes. */
const prefixed = new Map<string, Meaning>([
  ['m', unit(1, length)],
  ['g', unit(1, mass)],
  ['s', unit(1, time)],
  ['A', unit(1, { A: 1 })],
  ['K', unit(1, { K: 1 })],
  ['mol', unit(1, { mol: 1 })],
  ['cd', unit(1, { cd: 1 })],
  ['L', unit(1e-3, { m: 3 })],
  ['l', unit(1e-3, { m: 3 })],
  ['M', unit(1e3, { mol: 1, m: -3 })],
  ['Hz', unit(1, { s: -1 })],
  ['Bq', unit(1, { s: -1 })],
  ['N', unit(1e3, { g: 1, m: 1, s: -2 })],
  ['Pa', unit(1e3, { g: 1, m: -1, s: -2 })],
  ['bar', unit(1e8, { g: 1, m: -1, s: -2 })],
  ['J', unit(1e3, energy)],
  ['eV', unit(1.602176634e-16, energy)],
  ['cal', unit(4184, energy)],
  ['W', unit(1e3, { ...energy, s: -3 })],
  ['C', unit(1, { A: 1, s: 1 })],
  ['V', unit(1e3, { ...energy, s: -3, A: -1 })],
  ['F', unit(1e-3, { g: -1, m: -2, s: 4, A: 2 })],
  ['Ω', unit(1e3, { ...energy, s: -3, A: -2 })],
  ['T', unit(1e3, { g: 1, s: -2, A: -1 })],
]);

const plain = new Map<string, Meaning>([
  ['%', unit(0.01, {})],
  ['rad', unit(1, {})],
  ['°', unit(Math.PI / 180, {})],
  ['min', unit(60, time)],
  ['h', unit(3600, time)],
  ['hr', unit(3600, time)],
  ['hour', unit(3600, time)],
  ['hours', unit(3600, time)],
  ['d', unit(86400, time)],
  ['day', unit(86400, time)],
  ['days', unit(86400, time)],
  ['week', unit(604800, time)],
  ['weeks', unit(604800, time)],
  ['yr', unit(31557600, time)],
  ['year', unit(31557600, time)],
  ['years', unit(31557600, time)],
  ['ha', unit(1e4, { m: 2 })],
  ['t', unit(1e6, mass)],
  ['Da', unit(1.6605390666e-24, mass)],
]);

const prefixes = new Map([
  ['f', 1e-15],
  ['p', 1e-12],
  ['n', 1e-9],
  ['µ', 1e-6],
  ['u', 1e-6],
  ['m', 1e-3],
  ['c', 1e-2],
  ['d', 1e-1],
  ['h', 1e2],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
]);

function knownMeaning(symbol: string): Meaning | undefined {
  const known = plain.get(symbol) ?? prefixed.get(symbol);
  if (known) return known;
  const [prefix, rest] = [prefixes.get(symbol.slice(0, 1)), prefixed.get(symbol.slice(1))];
  return prefix !== undefined && rest ? { ...rest, factor: prefix * rest.factor } : undefined;
}

/** Whether the symbol is defined here, and not just some word. */
export function isKnownSymbol(symbol: string): boolean {
  return knownMeaning(symbol) !== undefined;
}

/** A symbol that is none of these is a base unit of its own. */
export function baseOf(symbol: string): Meaning {
  return knownMeaning(symbol) ?? { factor: 1, powers: { [`'${symbol}`]: 1 } };
}
