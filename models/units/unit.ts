/**
 * Units as people write them: `mg/L`, `1/h`, `L/h/kg`, `m s^-2`, `µmol·min⁻¹`, `%`.
 *
 * A unit is kept as it was written, a product of powers of symbols, so that it can be shown; two are compared by what
 * they mean: powers of base units and a factor. A symbol that nobody defined (`chicks`) is a base unit of its own. Text
 * that is no unit has none, and is never complained of.
 */
import { baseOf } from './symbols.ts';

/** Symbol → its power, never 0. */
export type Unit = ReadonlyMap<string, number>;

export const dimensionless: Unit = new Map();

const superscripts: Readonly<Record<string, string>> = {
  '⁻': '-',
  '⁰': '0',
  '¹': '1',
  '²': '2',
  '³': '3',
  '⁴': '4',
  '⁵': '5',
  '⁶': '6',
  '⁷': '7',
  '⁸': '8',
  '⁹': '9',
};

/** Undefined where the text is no product of powers, or there is none. A division goes for the one factor after it. */
export function parseUnit(text: string | undefined): Unit | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const plain = text
    .trim()
    .replaceAll('\u03bc', '\u00b5')
    .replaceAll(/[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (raised) => `^${[...raised].map((digit) => superscripts[digit]).join('')}`)
    .replaceAll('**', '^');
  const factor =
    /\s*([*·×/]|\s|^)\s*(1(?![\d.])|%|[A-Za-z°µΩ_][A-Za-z°µΩ_]*)(?:\^?\s*\(?([+-]?\d+(?:\.\d+)?(?:\/\d+)?)\)?)?/gy;
  const powers = new Map<string, number>();
  let end = 0;
  while (end < plain.length) {
    factor.lastIndex = end;
    const found = factor.exec(plain);
    if (!found || found[0] === '') return undefined;
    end = factor.lastIndex;
    const [, joint, symbol = '', exponent = '1'] = found;
    const [top, bottom = '1'] = exponent.split('/');
    const power = (Number(top) / Number(bottom)) * (joint === '/' ? -1 : 1);
    // `v_0` and `F0` are names.
    if (power === 0) return undefined;
    if (symbol !== '1') raise(powers, symbol, power);
  }
  return powers;
}

function raise(powers: Map<string, number>, symbol: string, by: number): void {
  const power = (powers.get(symbol) ?? 0) + by;
  if (power === 0) powers.delete(symbol);
  else powers.set(symbol, power);
}

export function multiply(a: Unit, b: Unit): Unit {
  const product = new Map(a);
  for (const [symbol, power] of b) raise(product, symbol, power);
  return product;
}

export function power(unit: Unit, exponent: number): Unit {
  if (exponent === 0) return dimensionless;
  return new Map([...unit].map(([symbol, own]) => [symbol, own * exponent]));
}

/** How many of `b` one of `a` is, or undefined where they measure different things. */
export function ratio(a: Unit, b: Unit): number | undefined {
  const bases = new Map<string, number>();
  let logarithm = 0;
  for (const [symbol, own] of multiply(a, power(b, -1))) {
    const { factor, powers } = baseOf(symbol);
    logarithm += own * Math.log(factor);
    for (const [base, each] of Object.entries(powers)) raise(bases, base, each * own);
  }
  return [...bases.values()].some((left) => Math.abs(left) > 1e-9) ? undefined : Math.exp(logarithm);
}

export function sameUnit(a: Unit, b: Unit): boolean {
  const times = ratio(a, b);
  return times !== undefined && Math.abs(times - 1) < 1e-9;
}

/** `mg/L`, `1/h`; `1` for none. */
export function printUnit(unit: Unit): string {
  const write = ([symbol, own]: readonly [string, number]): string => {
    const exponent = Math.abs(own);
    return exponent === 1
      ? symbol
      : `${symbol}^${Number.isInteger(exponent) ? exponent : Number(exponent.toPrecision(6))}`;
  };
  const entries = [...unit];
  const above = entries
    .filter(([, own]) => own > 0)
    .map(write)
    .join('·');
  const below = entries
    .filter(([, own]) => own < 0)
    .map((entry) => `/${write(entry)}`)
    .join('');
  return `${above === '' ? '1' : above}${below}`;
}
