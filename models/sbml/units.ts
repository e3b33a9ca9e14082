/** Unit definitions as people write units: `mmol/l`, `1/s`. Units are for reading; no number hangs on them. */
import { listed, type XmlElement } from './xml.ts';

const kinds: Readonly<Record<string, string>> = {
  ampere: 'A',
  becquerel: 'Bq',
  candela: 'cd',
  celsius: 'K',
  coulomb: 'C',
  dimensionless: '1',
  farad: 'F',
  gram: 'g',
  hertz: 'Hz',
  item: 'item',
  joule: 'J',
  kelvin: 'K',
  kilogram: 'kg',
  liter: 'l',
  litre: 'l',
  meter: 'm',
  metre: 'm',
  mole: 'mol',
  newton: 'N',
  ohm: 'Ω',
  pascal: 'Pa',
  radian: 'rad',
  second: 's',
  tesla: 'T',
  volt: 'V',
  watt: 'W',
};

const prefixes: Readonly<Record<number, string>> = {
  [-15]: 'f',
  [-12]: 'p',
  [-9]: 'n',
  [-6]: 'µ',
  [-3]: 'm',
  [-2]: 'c',
  0: '',
  3: 'k',
  6: 'M',
  9: 'G',
};

const seconds: Readonly<Record<number, string>> = { 60: 'min', 3600: 'h', 86400: 'd' };

/** Of the file's own definitions, by id; undefined where no short text says the same. */
export function readUnits(model: XmlElement): Map<string, string | undefined> {
  return new Map(
    listed(model, 'listOfUnitDefinitions').map((definition) => [
      definition.attributes.get('id') ?? definition.attributes.get('name') ?? '',
      textOf(listed(definition, 'listOfUnits')),
    ]),
  );
}

function textOf(units: readonly XmlElement[]): string | undefined {
  const up: string[] = [];
  const down: string[] = [];
  for (const { attributes } of units) {
    const number = (key: string, usual: number): number => Number(attributes.get(key) ?? usual);
    const [exponent, scale, multiplier] = [number('exponent', 1), number('scale', 0), number('multiplier', 1)];
    const kind = attributes.get('kind') ?? '';
    if (kind === 'dimensionless' && multiplier === 1 && scale === 0) continue;
    const prefix = prefixes[scale];
    const word = kind === 'second' && multiplier !== 1 ? seconds[multiplier * 10 ** scale] : kinds[kind];
    if (!word || word === '1' || (word !== 'min' && word !== 'h' && word !== 'd' && multiplier !== 1)) return undefined;
    if (prefix === undefined || !Number.isInteger(exponent) || exponent === 0 || number('offset', 0) !== 0)
      return undefined;
    const base = (multiplier === 1 && kind !== 'kilogram' ? prefix : '') + word;
    if (kind === 'kilogram' && scale !== 0) return undefined;
    const power = Math.abs(exponent) === 1 ? base : `${base}^${Math.abs(exponent)}`;
    (exponent > 0 ? up : down).push(power);
  }
  if (up.length + down.length === 0) return '1';
  return [up.length === 0 ? '1' : up.join('*'), ...down].join('/');
}

/** The text of a unit by its id, where it has one. */
export function unitText(units: ReadonlyMap<string, string | undefined>, id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  return units.has(id) ? units.get(id) : kinds[id];
}
