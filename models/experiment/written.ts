/** A shape's formula in the names of a document, and its parameters' units in those of its columns. */
import { freeNames } from '../formula/names.ts';
import { parseFormula } from '../formula/parse.ts';
import { walk, type Formula } from '../formula/syntax.ts';
import type { Readings } from './readings.ts';
import { dimensionless, multiply, parseUnit, power, printUnit, type Unit } from '../units/unit.ts';

/** The formula with names replaced by what `names` has for them: other names, numbers, or a bracket. */
export function renamed(text: string, names: ReadonlyMap<string, string>): string {
  const formula = parsed(text);
  const local = new Set(formula.definitions.map(({ name }) => name));
  const places = [...formula.definitions.map(({ value }) => value), formula.result].flatMap((expression) =>
    [...walk(expression)].flatMap((node) =>
      (node.kind === 'name' || node.kind === 'element') && !local.has(node.name) && names.has(node.name)
        ? [{ name: node.name, ...(node.kind === 'name' ? { from: node.from, to: node.to } : node.nameSpan) }]
        : [],
    ),
  );
  return places
    .sort((a, b) => b.from - a.from)
    .reduce((written, { name, from, to }) => written.slice(0, from) + names.get(name)! + written.slice(to), text);
}

/** Every name that stands in it, its own definitions among them. */
export function namesOf(text: string): ReadonlySet<string> {
  const formula = parsed(text);
  return new Set([...freeNames(formula), ...formula.definitions.map(({ name }) => name)]);
}

function parsed(text: string): Formula {
  const result = parseFormula(text);
  if (!result.ok) throw new Error(`${text}: ${result.error.message}`);
  return result.formula;
}

/** The columns that units of parameters are made of; a dose that no column has is a number. */
export interface ColumnUnits {
  readonly x: string;
  readonly y: string;
  readonly dose: string | undefined;
}

/** `y/x` or `dose/y` in the units of the columns; '' where one that it needs has none. */
export function unitIn(template: string, { x, y, dose }: ColumnUnits): string {
  const known = new Map<string, Unit | undefined>([
    ['x', parseUnit(x)],
    ['y', parseUnit(y)],
    ['dose', dose === undefined ? dimensionless : parseUnit(dose)],
  ]);
  let unit = dimensionless;
  for (const [symbol, exponent] of parseUnit(template) ?? []) {
    const own = known.has(symbol) ? known.get(symbol) : new Map([[symbol, 1]]);
    if (own === undefined) return '';
    unit = multiply(unit, power(own, exponent));
  }
  return unit.size === 0 ? '' : printUnit(unit);
}

export function unitsOf({ x, y, dose }: Pick<Readings, 'x' | 'y' | 'dose'>): ColumnUnits {
  return { x: (x ?? y).unit, y: y.unit, dose: dose?.unit };
}
