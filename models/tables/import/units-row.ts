/** Units in the head of a table: in a row below the names, or in the names themselves. */
import { parseUnit, ratio } from '../../units/unit.ts';
import { isKnownSymbol } from '../../units/symbols.ts';
import type { CsvRows } from '../split-csv.ts';
import { readNumber, type Marks } from './numbers.ts';

/** `[mV]`, `(s)` or `mV` → `mV`. */
export function bareUnit(cell: string): string {
  return /^[([](.*)[)\]]$/.exec(cell.trim())?.[1]?.trim() ?? cell.trim();
}

/** What stands in rows of units and is no measure that others are made of: scales, and what is counted. */
const scale = /^(?:-|1|a\.?u\.?|arb\.? ?units?|counts?|dimensionless|° ?[CF]|deg ?[CF]|pH|dB|rpm|ppm|ppb)$/i;
const counted = new Set(['cells', 'CFU', 'PFU', 'RFU', 'RLU', 'OD', 'U', 'IU', 'mU', 'mIU', 'mAU']);

/** A product of powers of symbols that are known, `mg/L`, `CFU/mL`, or a word for no unit. */
export function isUnit(text: string): boolean {
  if (scale.test(text)) return true;
  const unit = parseUnit(text);
  return unit !== undefined && [...unit.keys()].every((symbol) => isKnownSymbol(symbol) || counted.has(symbol));
}

/**
 * Whether a row below the header holds units: each of its cells is empty, bracketed or a unit that is known, one of them
 * at least is, and none is a number while numbers follow.
 */
export function isUnitsRow(rows: CsvRows, row: number, marks: Marks): boolean {
  if (rows.count <= row + 1) return false;
  const cells = Array.from({ length: rows.width(row) }, (_, j) => rows.cell(row, j));
  const bracketed = (cell: string): boolean => /^(?:\[.*\]|\(.*\))$/.test(cell);
  const fits = cells.every(
    (cell) => cell === '' || bracketed(cell) || (readNumber(cell, marks) === undefined && isUnit(cell)),
  );
  if (!fits || cells.every((cell) => cell === '' || cell === '-')) return false;
  const below = cells.some(
    (cell, j) => cell !== '' && j < rows.width(row + 1) && readNumber(rows.cell(row + 1, j), marks) !== undefined,
  );
  return below;
}

export interface NameAndUnit {
  readonly name: string;
  readonly unit: string | undefined;
}

/**
 * `conc (mg/L)`, `conc [mg/L]`; the quotient that physicists label axes with, `t / s`, `p/kPa`, `q/(mmol/g)`; `Druck in Pa`;
 * `[S] mM`, `yield g/m^2`.
 */
export function unitOfName(header: string): NameAndUnit {
  const whole = header.trim();
  const [, bracketed, inside] = /^(.*\S)\s*[([]([^()[\]]{1,24})[)\]]$/.exec(whole) ?? [];
  // The logarithm of something: what it is of is no unit.
  if (bracketed !== undefined && inside !== undefined && !/^(?:log|ln|lg|log10|log2)$/i.test(bracketed)) {
    const [, quantity] = /^(.*[^\s/])\s*\/$/.exec(bracketed) ?? [];
    if (quantity === undefined) return { name: bracketed, unit: inside.trim() };
    return isUnit(inside.trim()) ? { name: quantity, unit: inside.trim() } : { name: whole, unit: undefined };
  }
  return (
    firstOf(quotients(whole, /\s+\/\s+/g), ({ unit }) => isUnit(unit)) ??
    firstOf(quotients(whole, /\s+in\s+|(?<=^\[[^\]]+\])\s+/g), isMeasured) ??
    firstOf(quotients(whole, /\s+(?=\S+\/\S+$)/g), (quotient) => isMeasured(quotient) && !isRatio(quotient)) ??
    firstOf(quotients(whole, /\//g), (quotient) => isMeasured(quotient) && isInUnit(quotient)) ?? {
      name: whole,
      unit: undefined,
    }
  );
}

/** `S/N`, `B/F`: two letters over each other are the quantities themselves. */
const isRatio = ({ unit }: { readonly unit: string }): boolean => /^\p{Lu}\/\p{Lu}$/u.test(unit);

interface Quotient {
  readonly name: string;
  readonly unit: string;
}

/** What stands before and behind each of the places where a name and its unit may meet. */
function quotients(whole: string, joint: RegExp): Quotient[] {
  return [...whole.matchAll(joint)].map(({ index, 0: found }) => ({
    name: whole.slice(0, index).trim(),
    unit: whole.slice(index + found.length).trim(),
  }));
}

const firstOf = (all: readonly Quotient[], fits: (quotient: Quotient) => boolean): Quotient | undefined =>
  all.find((quotient) => quotient.name !== '' && fits(quotient));

/** A change in pH is none that is measured in pH. */
const change =
  /\b(?:change|difference|shift|increase|decrease|rise|drop|gain|loss|growth|änderung|zunahme|abnahme|anstieg)$/iu;

const isMeasured = ({ name, unit }: Quotient): boolean =>
  /\p{L}/u.test(name) && !change.test(name) && /[\p{L}%°]/u.test(unit) && isUnit(unit);

/** Letters of ISO 80000, and what they are measured in. */
const letters: readonly (readonly [letters: string, unit: string])[] = [
  ['t', 's'],
  ['T', 'K'],
  ['m', 'g'],
  ['dhlrsxyz', 'm'],
  ['AS', 'm^2'],
  ['V', 'L'],
  ['pP', 'Pa'],
  ['FG', 'N'],
  ['EQHW', 'J'],
  ['P', 'W'],
  ['UEV', 'V'],
  ['I', 'A'],
  ['RXZ', 'Ω'],
  ['Q', 'C'],
  ['C', 'F'],
  ['B', 'T'],
  ['fν', 'Hz'],
  ['c', 'M'],
  ['n', 'mol'],
];

/** What is counted is counted over what stands below it, and a dose or a yield is given for each kg or ha. */
const countedOver =
  /^(?:.*[\s_])?(?:counts?|cts|cells?|zellen|photon(?:s|en)|impulse?|pulses?|events?|ereignisse|decays|zerfälle|particles|partikel|teilchen|kolonien|colonies|number|anzahl|dose|dosis|yield|ertrag|price|preis|costs?|kosten)$/iu;

/**
 * Whether a quotient without blanks says what a quantity is in, and is no ratio (`S/N`, `B/F`), unit (`mg/L`) or rate
 * (`counts/s`) itself. Where it may be either, the letter is the usual one of what the unit measures: `t/s`, `U/V`.
 */
function isInUnit({ name, unit }: Quotient): boolean {
  // In `signal S/N` a ratio stands behind the name of what it is.
  if (countedOver.test(name) || /\s\p{Lu}$/u.test(name)) return false;
  if (!isUnit(`${name}/${unit}`) && name.length + unit.length > 2) return true;
  const measure = parseUnit(unit);
  return letters.some(([quantities, usual]) => {
    const own = parseUnit(usual);
    return name.length === 1 && quantities.includes(name) && measure && own && ratio(measure, own) !== undefined;
  });
}
